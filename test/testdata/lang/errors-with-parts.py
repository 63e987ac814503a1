def t(f):
    try:
        r = f()
        print(repr(r), "|", str(r), r.args)
    except Exception as x:
        print(type(x).__name__, x)
for a in [("a", 5), ("a", (1,)), ("a", ()), ("a", (1, 2, 3)), ("a", (1, 2, 3, 4, 5)), ("a", (1, 2, 3, 4, 5, 6, 7)), ("a", [1, 2, 3, 4]), ("a", "wxyz"), ("m", ("d/f.py", 3, 1, "x")), ("m", ("f", None, 1, "x")), ("m", (None, 4, 1, "x")), ("m", (None, True, 1, "x")), (), ("a", "b", "c"), (1, 2, 3), (None,)]:
    for cls in (SyntaxError, IndentationError, TabError):
        t(lambda: cls(*a))
    try:
        e = SyntaxError(*a)
        print(e.msg, e.filename, e.lineno, e.offset, e.text, e.end_lineno, e.end_offset, e.print_file_and_line)
    except Exception as x:
        print(x)
for a in [(), ("m",), (2, "x"), (2, "x", None), (2, "x", "f"), (2, "x", "f", None, "g"), (2, "x", "f", 0, None), (None, "x"), ("a", "b"), (1, 2, 3, 4, 5, 6), (11, "x", 5), (99, "t", "f"), (2.0, "x"), (True, "x"), (2, None), (110, "slow"), (111, "no", ("h", 80)), (13, "P", b"f")]:
    for cls in (OSError, TimeoutError, ConnectionError, BlockingIOError):
        t(lambda: cls(*a))
    e = OSError(*a)
    print(type(e), e.errno, e.strerror, e.filename, e.filename2)
t(lambda: OSError(a=1)); t(lambda: SyntaxError(a=1)); t(lambda: FileNotFoundError("x", b=1))
t(lambda: ValueError("x").errno); t(lambda: OSError().msg)
print(issubclass(BrokenPipeError, OSError), issubclass(TabError, SyntaxError), OSError.__name__, ConnectionResetError, isinstance(TimeoutError(), OSError), isinstance(OSError(2, ""), FileNotFoundError))
