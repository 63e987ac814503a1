// Written by scripts/interned-names.py. Do not edit.
/** Texts a fresh CPython 3.11 has interned, space apart. */
export const INTERNED_NAMES =
  "037 1026 1125 1140 1250 1251 1252 1253 1254 1255 1256 1257 1258 273 424 437 500 646 775 850 852 855 857 858 860 861 " +
  "862 863 864 865 866 869 8859 932 936 949 950 ABC ABCMeta APPDATA ASCII ArithmeticError AssertionError AsyncGenerator " +
  "AsyncIterable AsyncIterator AttributeError Awaitable B BOM BOM32_BE BOM32_LE BOM64_BE BOM64_LE BOM_BE BOM_LE BOM_UTF16 " +
  "BOM_UTF16_BE BOM_UTF16_LE BOM_UTF32 BOM_UTF32_BE BOM_UTF32_LE BOM_UTF8 BYTECODE_SUFFIXES BaseException " +
  "BaseExceptionGroup BlockingIOError BrokenPipeError BufferError BufferedIOBase BufferedIncrementalDecoder " +
  "BufferedIncrementalEncoder BufferedRWPair BufferedRandom BufferedReader BufferedWriter BuiltinImporter ByteString " +
  "BytesIO BytesWarning C CS_GNU_LIBC_VERSION CS_PATH Callable CallableProxyType ChildProcessError Codec CodecInfo " +
  "CodecRegistryError Collection ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError " +
  "Container Coroutine DEBUG_BUILD DEBUG_BYTECODE_SUFFIXES DEFAULT_BUFFER_SIZE DeprecationWarning DirEntry " +
  "ENABLE_USER_SITE END_CENTRAL_DIR_SIZE EOFError EXTENSION_SUFFIXES Ellipsis EllipsisType EncodedFile EncodingWarning " +
  "EnvironmentError Exception ExceptionGroup ExtensionFileLoader FILE_ATTRIBUTE_ARCHIVE FILE_ATTRIBUTE_COMPRESSED " +
  "FILE_ATTRIBUTE_DEVICE FILE_ATTRIBUTE_DIRECTORY FILE_ATTRIBUTE_ENCRYPTED FILE_ATTRIBUTE_HIDDEN " +
  "FILE_ATTRIBUTE_INTEGRITY_STREAM FILE_ATTRIBUTE_NORMAL FILE_ATTRIBUTE_NOT_CONTENT_INDEXED FILE_ATTRIBUTE_NO_SCRUB_DATA " +
  "FILE_ATTRIBUTE_OFFLINE FILE_ATTRIBUTE_READONLY FILE_ATTRIBUTE_REPARSE_POINT FILE_ATTRIBUTE_SPARSE_FILE " +
  "FILE_ATTRIBUTE_SYSTEM FILE_ATTRIBUTE_TEMPORARY FILE_ATTRIBUTE_VIRTUAL F_OK False FileExistsError FileFinder FileIO " +
  "FileLoader FileNotFoundError FileReader FloatingPointError FrozenImporter FunctionType FutureWarning Generator " +
  "GeneratorExit GenericAlias HAVE_FACCESSAT HAVE_FCHDIR HAVE_FCHMOD HAVE_FCHMODAT HAVE_FCHOWN HAVE_FCHOWNAT " +
  "HAVE_FDOPENDIR HAVE_FEXECVE HAVE_FPATHCONF HAVE_FSTATAT HAVE_FSTATVFS HAVE_FTRUNCATE HAVE_FUTIMENS HAVE_FUTIMES " +
  "HAVE_FUTIMESAT HAVE_LCHFLAGS HAVE_LCHMOD HAVE_LCHOWN HAVE_LINKAT HAVE_LSTAT HAVE_LUTIMES HAVE_MKDIRAT HAVE_MKFIFOAT " +
  "HAVE_MKNODAT HAVE_OPENAT HAVE_READLINKAT HAVE_RENAMEAT HAVE_SYMLINKAT HAVE_UNLINKAT HAVE_UTIMENSAT HKEY_CURRENT_USER " +
  "HKEY_LOCAL_MACHINE HOME HOMEDRIVE HOMEPATH Hashable IOBase IOError ImportError ImportWarning IncrementalDecoder " +
  "IncrementalEncoder IncrementalNewlineDecoder IndentationError IndexError InterruptedError IsADirectoryError ItemsView " +
  "Iterable Iterator KeyError KeyboardInterrupt KeysView L LCMAP_LOWERCASE LCMapStringEx LICENSE LOCALE_NAME_INVARIANT " +
  "LazyLoader Lib Library Loader LookupError MAGIC_NUMBER MASK MAX MAXLINES MAX_COMMENT_LEN MISSING MS_WINDOWS Mapping " +
  "MappingView MemoryError MetadataPathFinder ModuleNotFoundError ModuleSpec ModuleType MutableMapping MutableSequence " +
  "MutableSet NameError NamespaceLoader NamespaceReader None NotADirectoryError NotImplemented NotImplementedError " +
  "NullImporter OPTIMIZED_BYTECODE_SUFFIXES OSError O_APPEND O_CLOEXEC O_CREAT O_DIRECTORY O_EXCL O_NOCTTY O_NOFOLLOW " +
  "O_RDONLY O_RDWR O_TMPFILE O_TRUNC O_WRONLY OpenKey OpenWrapper OverflowError PATH PIPE POSIX_SPAWN_CLOSE " +
  "POSIX_SPAWN_DUP2 PREFIXES PYTHONCASEOK PYTHONUSERBASE P_NOWAIT P_NOWAITO P_WAIT ParamSpec PathFinder PathLike " +
  "PendingDeprecationWarning PermissionError Popen ProcessLookupError ProxyType Python QueryValue Quitter REGISTRY_KEY " +
  "REGISTRY_KEY_DEBUG RLock RTLD_GLOBAL RTLD_LOCAL RTLD_NOW RawIOBase Reader RecursionError ReferenceError ReferenceType " +
  "ResourceWarning Reversible RuntimeError RuntimeWarning S SC_OPEN_MAX SC_SEM_NSEMS_MAX SEEK_CUR SEEK_DATA SEEK_END " +
  "SEEK_HOLE SEEK_SET SF_APPEND SF_ARCHIVED SF_IMMUTABLE SF_NOUNLINK SF_SNAPSHOT SIGCHLD SIGCLD SIGINT SIGKILL SIGPIPE " +
  "SIGTERM SIGXFSZ SIG_BLOCK SIG_DFL SIG_IGN SIG_SETMASK SIG_UNBLOCK SOURCE_SUFFIXES STRING_END_ARCHIVE ST_ATIME ST_CTIME " +
  "ST_DEV ST_GID ST_INO ST_MODE ST_MTIME ST_NLINK ST_SIZE ST_UID S_ENFMT S_IEXEC S_IFBLK S_IFCHR S_IFDIR S_IFDOOR S_IFIFO " +
  "S_IFLNK S_IFMT S_IFPORT S_IFREG S_IFSOCK S_IFWHT S_IMODE S_IREAD S_IRGRP S_IROTH S_IRUSR S_IRWXG S_IRWXO S_IRWXU " +
  "S_ISBLK S_ISCHR S_ISDIR S_ISDOOR S_ISFIFO S_ISGID S_ISLNK S_ISPORT S_ISREG S_ISSOCK S_ISUID S_ISVTX S_ISWHT S_IWGRP " +
  "S_IWOTH S_IWRITE S_IWUSR S_IXGRP S_IXOTH S_IXUSR Sequence Set Sized SourceFileLoader SourceLoader SourcelessFileLoader " +
  "StopAsyncIteration StopIteration StreamReader StreamReaderWriter StreamRecoder StreamWriter StringIO SyntaxError " +
  "SyntaxWarning SystemError SystemExit T TIMEOUT_MAX TMP_MAX TabError TestFrozenUtf8_1 TestFrozenUtf8_2 TestFrozenUtf8_4 " +
  "TextIOBase TextIOWrapper TimeoutError True TypeError UF_APPEND UF_COMPRESSED UF_HIDDEN UF_IMMUTABLE UF_NODUMP " +
  "UF_NOUNLINK UF_OPAQUE USERNAME USERPROFILE USER_BASE USER_SITE UnboundLocalError UnicodeDecodeError UnicodeEncodeError " +
  "UnicodeError UnicodeTranslateError UnicodeWarning UnsupportedOperation UserWarning ValueError ValuesView WIFSTOPPED " +
  "WNOHANG WSTOPSIG W_OK Warning WindowsRegistryFinder Writer X_OK ZeroDivisionError ZipImportError ZipReader _ " +
  "_AddedDllDirectory _BufferedIOBase _CASE_INSENSITIVE_PLATFORMS _CASE_INSENSITIVE_PLATFORMS_BYTES_KEY " +
  "_CASE_INSENSITIVE_PLATFORMS_STR_KEY _CHUNK_SIZE _CallableGenericAlias _ConcatenateGenericAlias _DeadlockError " +
  "_DummyModuleLock _ERR_MSG _ERR_MSG_PREFIX _Environ _Error _ExceptHookArgs _Helper _IOBase _ImportLockContext " +
  "_LCMAP_LOWERCASE _LCMapStringEx _LOCALE_NAME_INVARIANT _LazyModule _LoaderBasics _MS_WINDOWS _ModifiedArgv0 " +
  "_ModuleLock _ModuleLockManager _MutableMapping__marker _NEEDS_LOADING _NamespaceLoader _NamespacePath _OPT _ORIGIN " +
  "_POPULATE _PYCACHE _Printer _RAW_MAGIC_NUMBER _RawIOBase _SEP _STRUCT_TM_ITEMS _TempModule _TextIOBase " +
  "_WindowsConsoleIO __IOBase_closed __PYVENV_LAUNCHER__ __abc_tpflags__ __abs__ __abstractmethods__ __add__ __aiter__ " +
  "__all__ __and__ __anext__ __annotations__ __args__ __author__ __await__ __bases__ __bool__ __build_class__ " +
  "__builtins__ __bytes__ __cached__ __call__ __cause__ __ceil__ __class__ __class_getitem__ __classcell__ __closure__ " +
  "__code__ __complex__ __contains__ __context__ __debug__ __defaults__ __del__ __delattr__ __delete__ __delitem__ " +
  "__dict__ __dir__ __displayhook__ __divmod__ __doc__ __enter__ __eq__ __excepthook__ __exit__ __file__ __flags__ " +
  "__float__ __floor__ __floordiv__ __format__ __fspath__ __func__ __ge__ __get__ __getattr__ __getattribute__ " +
  "__getformat__ __getitem__ __getnewargs__ __getstate__ __globals__ __gt__ __hash__ __iadd__ __iand__ __ifloordiv__ " +
  "__ilshift__ __imatmul__ __imod__ __import__ __imul__ __index__ __init__ __init_subclass__ __initializing__ " +
  "__instancecheck__ __int__ __interactivehook__ __invert__ __ior__ __ipow__ __irshift__ __isabstractmethod__ __isub__ " +
  "__iter__ __itruediv__ __ixor__ __kwdefaults__ __le__ __len__ __length_hint__ __loader__ __lshift__ __lt__ __main__ " +
  "__match_args__ __matmul__ __mod__ __module__ __mro__ __mro_entries__ __mul__ __name__ __ne__ __neg__ __new__ __next__ " +
  "__objclass__ __or__ __origin__ __origname__ __package__ __parameters__ __path__ __pos__ __pow__ __prepare__ " +
  "__pycache__ __qualname__ __radd__ __rand__ __rdivmod__ __reduce__ __reduce_ex__ __repr__ __reversed__ __rfloordiv__ " +
  "__rlshift__ __rmatmul__ __rmod__ __rmul__ __ror__ __round__ __rpow__ __rrshift__ __rshift__ __rsub__ __rtruediv__ " +
  "__rxor__ __self__ __set__ __set_name__ __setattr__ __setitem__ __setstate__ __sizeof__ __slots__ __spec__ __stderr__ " +
  "__stdin__ __stdout__ __str__ __sub__ __subclasscheck__ __subclasses__ __subclasshook__ __suppress_context__ " +
  "__text_signature__ __traceback__ __truediv__ __trunc__ __typing_unpacked_tuple_args__ __unpacked__ __weakref__ " +
  "__wrapped__ __xor__ _abc _abc_cache _abc_caches_clear _abc_impl _abc_init _abc_instancecheck _abc_negative_cache " +
  "_abc_negative_cache_version _abc_register _abc_registry _abc_registry_clear _abc_subclasscheck _abspath_fallback " +
  "_acquire_restore _add _add_dll_directory _ag _aliases _at_fork_reinit _base_executable _blksize _blocking_on " +
  "_bootstrap _bootstrap_external _bootstrap_module _buffer_decode _buffer_encode _builtin_from_name _cache " +
  "_cache_bytecode _cached _calc___package__ _calc_mode _call_with_frames_removed _checkClosed _checkReadable " +
  "_checkSeekable _checkWritable _check_arg_types _check_bytes _check_methods _check_name _check_name_wrapper " +
  "_classify_pyc _co_code_adaptive _code_to_hash_pyc _code_to_timestamp_pyc _code_type _codecs _collections_abc " +
  "_compile_bytecode _compile_source _cookie _coro _count _createenviron _data _dealloc_warn _defaultaction " +
  "_dump_registry _empty_charbuffer _epoch _eq_mtime _excepthook _exec _execvpe _exists _exit _f _false _filemode_table " +
  "_files _fill_cache _filters_mutated _finalizing _find_and_load _find_and_load_unlocked _find_module_shim " +
  "_find_parent_path_names _find_spec _find_spec_from_path _find_spec_legacy _fix_co_filename _fix_up_module _framework " +
  "_from_iterable _frozen_importlib _frozen_importlib_external _frozen_module_names _fscodec _fspath _fwalk _gcd_import " +
  "_get_bothseps _get_cached _get_code_from_file _get_data _get_decompress_func _get_dump _get_exports_list " +
  "_get_main_module_details _get_module_code _get_module_details _get_module_info _get_module_lock _get_module_path " +
  "_get_mtime_and_size_of_source _get_parent_path _get_path _get_pyc_source _get_sep _get_sourcefile _get_spec " +
  "_get_supported_file_loaders _getfinalpathname _getfinalpathname_nonstrict _getframe _getfullpathname _getuserbase " +
  "_getvolumepathname _git _globals _handle_fromlist _hash _have_functions _home _imp _imp_module _import_tail " +
  "_importing_zlib _init_module_attrs _init_pathinfo _initializing _install _install_external_importers _io _is_dir " +
  "_is_owned _is_param_expr _is_text_encoding _isdir _joinrealpath _last_epoch _last_parent_path _legacy_get_spec _load " +
  "_load_backward_compatible _load_module_shim _load_unlocked _loaders _local _lock _lock_unlock_module _make_relax_case " +
  "_mapping _mode _module_locks _module_repr _module_repr_from_spec _module_to_load _module_type _multiarch _name _names " +
  "_new_module _normalize_line_endings _nt_readlink _object_name _onceregistry _open_registry _optimize _os _pack_uint32 " +
  "_parse_dostime _path _path_cache _path_finder _path_hooks _path_importer_cache _path_is_mode_type _path_isabs " +
  "_path_isdir _path_isfile _path_join _path_mtime _path_normpath _path_split _path_splitroot _path_stat " +
  "_pathseps_with_colon _proc _py_abc _read_directory _readlink_deep _recalculate _recursion_count _relax_case " +
  "_relaxed_path_cache _release_save _remove_dead_weakref _remove_dll_directory _requires_builtin " +
  "_requires_builtin_wrapper _requires_frozen _requires_frozen_wrapper _reset_caches _reset_registry _resolve_filename " +
  "_resolve_name _run_code _run_module_as_main _run_module_code _sanity_check _saved_module _saved_value _script " +
  "_search_registry _sentinel _set _set_bootstrap_module _set_fileattr _set_sentinel _setup _sitebuiltins _spawnvef " +
  "_spec_from_module _splitext _stat _stdlib_dir _stream _thread _trace _type_repr _uninitialized_submodules _unknown " +
  "_unmarshal_code _unpack_uint16 _unpack_uint32 _validate_hash_pyc _validate_timestamp_pyc _varname_from_oparg _varprog " +
  "_varprogb _verbose_message _walk _warnings _weakref _winapi _wrap _wrap_close _write_atomic _xoptions " +
  "_zip_directory_cache _zip_searchorder a abc abiflags abort abs abs_paths abspath abstractclassmethod abstractmethod " +
  "abstractproperty abstracts abstractstaticmethod access aclose acquire acquire_lock add add_dll_directory addpackage " +
  "addsitedir addsitepackages addusersitepackages ag_code ag_frame aiter algorithm alias aliased_encoding aliases all " +
  "all_suffixes allocate allocate_lock allowed_winerror almost_filename alt_path_sep alter_argv alter_sys altsep " +
  "altsepIndex altzone always anext ansi ansi_x3_4_1968 any append arabic arc_offset archive argrest args argv " +
  "as_integer_ratio ascii ascii_decode ascii_encode ascii_letters asctime asend asmo_708 async_generator atexit athrow " +
  "attr attrs_now attrs_then attrs_updated audit b backslashreplace backslashreplace_errors base base64 base64_codec " +
  "base_64 base_exec_prefix base_filename base_path base_prefix basename bases big5 big5_hkscs big5_tw big5hkscs bin bit " +
  "bit_count bit_length bits bool brace breakpoint buffer buffering bufsize builtin_module builtin_module_names " +
  "builtin_name builtins bytearray bytearray_iterator bytebuffer bytecode bytecode_path byteorder bytes bytes_data " +
  "bytes_iterator bytes_warning bytesdecoded bytesencoded bz2 bz2_codec c cache cache_from_source cache_module cache_path " +
  "cache_tag cached call_tracing callable candidate_confs capitalize casefold cast catch_warnings cb cdir cell_contents " +
  "center chain char character characters_written charbuffer charbuffertype charmap_build charmap_decode charmap_encode " +
  "chars chdir check_enableusersite check_hash_based_pycs check_source check_str checked chflags child children chinese " +
  "chmod chown chr classmethod clear close closed closefd closerange cls cmd co_argcount co_cellvars co_code co_consts " +
  "co_exceptiontable co_filename co_firstlineno co_flags co_freevars co_kwonlyargcount co_lines co_lnotab co_name " +
  "co_names co_nlocals co_positions co_posonlyargcount co_qualname co_stacksize co_varnames code code_object codecaliases " +
  "codecs colon colon_sep columns comment_size common commonpath commonprefix comp compile complex compress comps " +
  "conf_basename conffile confstr conjugate consumed contents contextlib contextmanager contiguous cookie copy copyright " +
  "coroutine count cp037 cp1026 cp1051 cp1125 cp1140 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 " +
  "cp1361 cp154 cp273 cp367 cp424 cp437 cp437_table cp500 cp65001 cp775 cp819 cp850 cp852 cp855 cp857 cp858 cp860 cp861 " +
  "cp862 cp863 cp864 cp865 cp866 cp866u cp869 cp932 cp936 cp949 cp950 cp_gr cp_is cpathname cpu_count cr_await cr_code " +
  "cr_frame cr_origin cr_running cr_suspended crc create_builtin create_dynamic create_module credits csHPRoman8 csascii " +
  "csbig5 csibm037 csibm1026 csibm273 csibm424 csibm500 csibm855 csibm857 csibm858 csibm860 csibm861 csibm863 csibm864 " +
  "csibm865 csibm866 csibm869 csiso2022jp csiso2022kr csiso58gb231280 csisolatin1 csisolatin2 csisolatin3 csisolatin4 " +
  "csisolatin5 csisolatin6 csisolatinarabic csisolatincyrillic csisolatingreek csisolatinhebrew cskoi8r cspc775baltic " +
  "cspc850multilingual cspc862latinhebrew cspc8codepage437 cspcp852 csptcp154 csshiftjis ctime curdir current_user " +
  "cut_off cutoff cwd cygwin cyrillic cyrillic_asian d darwin data data_encoding data_info data_size datapath date " +
  "daylight dbcs debug debug_override decode decode_source decoded_path decodedbytes decodekey decoder decodevalue " +
  "decoding_map decompress dedent default default_int_handler defpath delattr delete deleter denominator derive detach " +
  "detect_encoding dev1 dev2 dev_mode device_encoding devnull dict dict_itemiterator dict_items dict_keyiterator " +
  "dict_keys dict_valueiterator dict_values difference difference_update dig digits dir dir_fd dircase dirfd dirname " +
  "dirpath dirs discard displayhook divmod dollar dont_inherit dont_write_bytecode dot dotIndex dot_count dotdot drive " +
  "drivesplits dump dumps dup dup2 e e1 e2 ebcdic_cp_be ebcdic_cp_ca ebcdic_cp_ch ebcdic_cp_he ebcdic_cp_nl ebcdic_cp_us " +
  "ebcdic_cp_wt ecma_114 ecma_118 elapsed elem elot_928 empty emscripten enablerlcompleter encode encodedkey encodekey " +
  "encoder encodevalue encoding encodings end end_lineno end_offset endswith entries entry enumerate env env_base environ " +
  "environb eof epsilon err err_msg errno error errors escape_decode euc_cn euc_jis2004 euc_jis_2004 euc_jisx0213 euc_jp " +
  "euc_kr euccn eucgb2312_cn eucjis2004 eucjisx0213 eucjp euckr eval ex exc exc_details exc_info exc_traceback exc_type " +
  "exc_value excepthook exception exceptions exe_dir exec exec_builtin exec_dynamic exec_func exec_module exec_prefix " +
  "execl execle execlp execlpe execsitecustomize execusercustomize executable execv execve execvp execvpe exist_ok " +
  "existing exists exit expandtabs expanduser expandvars extend extension extension_suffixes extensions extra_size extsep " +
  "f f1 f2 f_back f_bavail f_bfree f_blocks f_builtins f_code f_frsize f_globals f_lasti f_lineno f_locals f_trace " +
  "f_trace_lines f_trace_opcodes factory fd fdel fdopen fget file file_encoding file_info file_name file_offset file_size " +
  "filemode filename filename2 filenameIndex filename_base fileno filepath files filter filters final finalizer find " +
  "find_distributions find_frozen find_loader find_module find_spec finder firstiter firstline flags float float_info " +
  "flush fn fname follow_symlinks followlinks fork forkpty format format_exception format_map formatted_items " +
  "found_in_pycache_prefix fp fp1 fp2 from_bytes from_name fromhex fromkeys fromlist frozen frozenset fsdecode fsencode " +
  "fset fspath fstat fstatvfs fsync ftruncate full_path fullname fullpath func funcname funcobj functools fwalk fxn " +
  "gb18030 gb18030_2000 gb2312 gb2312_1980 gb2312_80 gbk generator genericpath get get_asyncgen_hooks get_blocking " +
  "get_cache_token get_clock_info get_code get_coroutine_origin_tracking_depth get_current_history_length get_data " +
  "get_exec_path get_filename get_frozen_object get_ident get_importer get_inheritable get_native_id get_resource_reader " +
  "get_source get_terminal_size getaliases getatime getattr getbuffer getctime getcwd getcwdb getdecoder " +
  "getdefaultencoding getegid getencoder getenv getenvb geteuid getfilesystemencodeerrors getfilesystemencoding getgid " +
  "getincrementaldecoder getincrementalencoder getmtime getpid getprofile getpwnam getpwuid getreader getrecursionlimit " +
  "getrefcount getregentry getsignal getsitepackages getsize getsizeof getstate getter gettrace getuid getuserbase " +
  "getusersitepackages getvalue getweakrefcount getweakrefs getwindowsversion getwriter getxattr gi_code gi_frame " +
  "gi_running gi_suspended gi_yieldfrom globals globals_ gmtime greek greek8 group h had_prefix has_deadlock has_location " +
  "hasattr hasbytes hash hash_based hash_info hasstr head header_offset header_position header_size hebrew help here hex " +
  "hex_codec hexversion history hkey hkscs home hook hp_roman8 hx hz hz_gb hz_gb_2312 hzgb i ibm037 ibm039 ibm1026 " +
  "ibm1051 ibm1125 ibm1140 ibm273 ibm367 ibm424 ibm437 ibm500 ibm775 ibm819 ibm850 ibm852 ibm855 ibm857 ibm858 ibm860 " +
  "ibm861 ibm862 ibm863 ibm864 ibm865 ibm866 ibm869 id ignore ignore_environment ignore_errors imag imp implementation " +
  "import_ import_error importer importlib incrementaldecoder incrementalencoder index index2 indices inf info " +
  "init_filename init_frozen init_globals initial_slashes initial_winerror initialized ino1 ino2 inode input insert " +
  "inspect instance int interactive intern intersection intersection_update invalidate_caches io is_NullImporter " +
  "is_builtin is_dir is_file is_finalizing is_frozen is_frozen_package is_link is_namespace is_package is_reload " +
  "is_symlink isabs isalnum isalpha isascii isatty isbytecode isbytes isdecimal isdigit isdir isdisjoint isfile " +
  "isidentifier isinstance islink islower ismount isnumeric iso2022_jp iso2022_jp_1 iso2022_jp_2 iso2022_jp_2004 " +
  "iso2022_jp_3 iso2022_jp_ext iso2022_kr iso2022jp iso2022jp_1 iso2022jp_2 iso2022jp_2004 iso2022jp_3 iso2022jp_ext " +
  "iso2022kr iso646_us iso8859 iso8859_1 iso8859_10 iso8859_11 iso8859_13 iso8859_14 iso8859_15 iso8859_16 iso8859_2 " +
  "iso8859_3 iso8859_4 iso8859_5 iso8859_6 iso8859_7 iso8859_8 iso8859_9 iso_2022_jp iso_2022_jp_1 iso_2022_jp_2 " +
  "iso_2022_jp_2004 iso_2022_jp_3 iso_2022_jp_ext iso_2022_kr iso_8859_1 iso_8859_10 iso_8859_10_1992 iso_8859_11 " +
  "iso_8859_11_2001 iso_8859_13 iso_8859_14 iso_8859_14_1998 iso_8859_15 iso_8859_16 iso_8859_16_2001 iso_8859_1_1987 " +
  "iso_8859_2 iso_8859_2_1987 iso_8859_3 iso_8859_3_1988 iso_8859_4 iso_8859_4_1988 iso_8859_5 iso_8859_5_1988 iso_8859_6 " +
  "iso_8859_6_1987 iso_8859_7 iso_8859_7_1987 iso_8859_8 iso_8859_8_1988 iso_8859_9 iso_8859_9_1989 iso_celtic iso_ir_100 " +
  "iso_ir_101 iso_ir_109 iso_ir_110 iso_ir_126 iso_ir_127 iso_ir_138 iso_ir_144 iso_ir_148 iso_ir_157 iso_ir_166 " +
  "iso_ir_199 iso_ir_226 iso_ir_58 iso_ir_6 isolated ispackage ispkg isprintable isspace issubclass issubset issuperset " +
  "istitle isupper it item itemcase items itemsize iter iterator iterdecode iterencode j java jisx0213 johab join " +
  "joinuser k keepends key keys kill klass known_paths koi8_r korean ks_c_5601 ks_c_5601_1987 ks_x_1001 ksc5601 ksx1001 " +
  "kwargs kwds kz1048 kz_1048 l1 l10 l2 l3 l4 l5 l6 l7 l8 l9 last_exc latin latin1 latin10 latin2 latin3 latin4 latin5 " +
  "latin6 latin7 latin8 latin9 latin_1 latin_1_decode latin_1_encode lchown len level lexists lib libdir libdirs libedit " +
  "license line line0withend line0withoutend line_buffering linebuffer lineno lines linesep link list list_iterator " +
  "list_reverseiterator listdir listxattr little ljust load load_module loader loader_class loader_details loader_module " +
  "loader_state loaders loads locale locals localtime location lock lock_held locked lockf longrange_iterator lookup " +
  "lookup_error lower lower_suffix_contents lseek lstat lstrip m mac_centeuro mac_cyrillic mac_greek mac_iceland " +
  "mac_latin2 mac_roman mac_turkish maccentraleurope maccyrillic macgreek machine maciceland macintosh maclatin2 macroman " +
  "macturkish magic main main_globals main_name major make_encoding_map make_identity_dict makedev makedirs makepath " +
  "mant_dig map mapping mappingproxy marshal max max_10_exp max_comment_start maxsize mbcs mcls me memoryview message " +
  "meta_path metaclass method methods mi micro min minor mkdir mkfifo mknod mktime mod mod_globals mod_name mod_spec mode " +
  "modname modnames modpath module module_for_loader module_for_loader_wrapper module_from_spec module_info module_repr " +
  "module_type modules modulus monotonic move_to_end mro ms1361 ms932 ms936 ms949 ms950 ms_kanji msg mskanji mtime n " +
  "n_fields n_sequence_fields n_unnamed_fields name name_size namereplace namereplace_errors names namespace " +
  "namespace_path nan nbytes ndim nested never new new_args new_comps new_name new_path new_root new_unc_prefix newchars " +
  "newdata newline_decoder newlines newpath next nice no_site no_user_site nondirs norm_encoding normalize_encoding " +
  "normcase normp normpath ns nt ntpath nul numerator o obj object oct offset ok old old_path old_value onerror open " +
  "open_code openpty opt_level optimization optimize ord orig_path orig_st origin original_name origname os other output " +
  "override owner p p_drive p_path package pardir parent parent_module parent_module_name parent_name parent_path " +
  "parent_spec parse_and_bind part partition path path_abs path_attr_name path_drive path_finder path_hook " +
  "path_hook_for_FileFinder path_hooks path_importer_cache path_list path_listb path_mtime path_name path_parts path_repr " +
  "path_rest path_sep path_sep_tuple path_separators path_stats path_tmp path_type pathconf pathlen pathname paths " +
  "pathsep pause peek percent perf_counter perm pid pidfd_open pipe pkg_main_name pkg_name pkgdir pkgutil platform " +
  "platlibdir pop popen popitem portions pos posix posix_spawn posixpath pow prefix prefixes print print_file_and_line " +
  "proc process_time prompt property proto proxy pt154 ptcp154 pthread_sigmask punct putenv pw_dir pwd pwent py pycache " +
  "pycache_filename pycache_prefix pydoc q quiet quit quopri quopri_codec quote quoted_printable quotedprintable r r8 " +
  "radix range range_iterator raw raw_data raw_unicode_escape_decode raw_unicode_escape_encode rbrace re read read1 " +
  "read_code read_history_file read_init_file readable readall reader readinto readinto1 readline readline_doc readlines " +
  "readlink readonly readsize real realpath reason reconfigure record recursive ref register register_at_fork " +
  "register_error register_readline registry_key rel_list release release_lock releaselevel relfile relpath remove " +
  "remove_dll_directory removedirs removeduppaths removeprefix removesuffix rename renames replace replace_errors repr " +
  "res reset resolve_name rest result result_drive result_path returncode reverse reversed rfind rindex rjust rk1048 " +
  "rlcompleter rmdir rng roman8 root rot13 rot_13 round rounds rpartition rsplit rstrip run run_globals run_module " +
  "run_name run_path ruscii s s1 s2 s_jis s_jis_2004 s_jisx0213 safe_path samefile sameopenfile samestat saved_exc " +
  "saved_main scandir scandir_it scls script_name search search_function seek seekable seen self self_module send " +
  "sendfile sep sepIndex seps serial set set_asyncgen_hooks set_blocking set_coroutine_origin_tracking_depth set_data " +
  "set_inheritable set_iterator set_loader set_loader_wrapper set_package set_package_wrapper set_wakeup_fd setattr " +
  "setcopyright setdefault setgroups sethelper setprofile setquit setregid setreuid setsid setstate setter settrace " +
  "setuid setxattr shape shell shift_jis shift_jis_2004 shift_jisx0213 shiftjis shiftjis2004 shiftjisx0213 siginterrupt " +
  "signal sigpending sigwait simplefilter site_prefix sitecustomize sitedir sitedircase sitepackages size sizehint sjis " +
  "sjis_2004 sjisx0213 sleep slice smsl sort sorted source source_bytes source_bytes_readline source_from_cache " +
  "source_hash source_mtime source_path source_size source_to_code span spath spawnl spawnle spawnlp spawnlpe spawnv " +
  "spawnve spawnvp spawnvpe spec spec_from_file_location spec_from_loader splice split split_paths splitdrive splitext " +
  "splitlines sr srw st st_atime st_atime_ns st_blksize st_ctime st_dev st_gid st_ino st_mode st_mtime st_mtime_ns " +
  "st_nlink st_rdev st_size st_uid stack_size stacklevel start start_abs start_drive start_list start_new_thread " +
  "start_offset start_rest startswith stat stat_info stat_result state staticmethod statvfs stderr stdin stdout step stop " +
  "str str_iterator stream streamreader streamwriter strerror strftime strict strict_errors string strip stripped_path " +
  "strk1048_2002 strptime struct_time sts subclass submodule_search_locations subprocess suffix suffixes sum super " +
  "supported_loaders supports_bytes_environ supports_dir_fd supports_effective_ids supports_fd supports_follow_symlinks " +
  "supports_unicode_filenames surrogateescape surrogatepass swapcase symbols symlink symmetric_difference " +
  "symmetric_difference_update sync sys sys_module sys_version sysconf system system_site t t1 t2 t_args t_result table " +
  "tag tail tail_module tail_name target target_user tb tb_frame tb_lasti tb_lineno tb_next tell temp_module " +
  "terminal_size text text_encoding textwrap thai thread throw tid tilde time time_ns times timezone tis620 tis_620 " +
  "tis_620_0 tis_620_2529_0 tis_620_2529_1 title tm_gmtoff tm_isdst tm_zone to_bytes tobytes toc_entry tokenize tolist " +
  "top topdown topfd toppath toreadonly traceback translate true truncate ttyname tuple tuple_iterator typ type types " +
  "typing tzname tzset u16 u32 u7 u8 u_jis uhc ujis umask uname uname_result unc_prefix uncompressed_size " +
  "unicode_1_1_utf_7 unicode_escape_decode unicode_escape_encode unicodebigunmarked unicodelittleunmarked union unknown " +
  "unlink unraisablehook unregister unsetenv update update_abstractmethods upper urandom us us_ascii user user_base " +
  "user_site userbase usercustomize userhome utf utf16 utf32 utf7 utf8 utf8_mode utf8_ucs2 utf8_ucs4 utf_16 utf_16_be " +
  "utf_16_be_decode utf_16_be_encode utf_16_decode utf_16_encode utf_16_ex_decode utf_16_le utf_16_le_decode " +
  "utf_16_le_encode utf_16be utf_16le utf_32 utf_32_be utf_32_be_decode utf_32_be_encode utf_32_decode utf_32_encode " +
  "utf_32_ex_decode utf_32_le utf_32_le_decode utf_32_le_encode utf_32be utf_32le utf_7 utf_7_decode utf_7_encode utf_8 " +
  "utf_8_decode utf_8_encode util utime uu uu_codec v val valid_signals value values var varchars varnames vars venv " +
  "ver_nodot verbose verbosity version version_info virtual_conf vxworks w wait waiters waitpid waitstatus_to_exitcode " +
  "wakeup walk walk_dirs walk_into warn warn_default_encoding warn_explicit warnings warnoptions wasi wb whence where why " +
  "width win win32 windows_1250 windows_1251 windows_1252 windows_1253 windows_1254 windows_1255 windows_1256 " +
  "windows_1257 windows_1258 winerror winreg winver with_traceback wpid wraps writable write write_history " +
  "write_history_file write_through writelines writer x x_mac_japanese x_mac_korean x_mac_simp_chinese x_mac_trad_chinese " +
  "xmlcharrefreplace xmlcharrefreplace_errors y zfill zip zip_iterator zipimporter zlib zlib_codec";
