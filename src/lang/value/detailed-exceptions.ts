/**
 * OSError and SyntaxError, which CPython makes of several arguments: a number and its text, a message and its place. A program
 * raises them itself, of a file, a connection or a source that it only tells of.
 */
import { isExceptionSubclass, raise } from "./exception";
import { isInt } from "./protocol-arith";
import { takeAll } from "./protocol-iterate";
import { repr, str } from "./protocol-text";
import { PyException, type Value } from "./value";

/** What `OSError(number, text)` makes of the number: Linux's. */
const BY_NUMBER: ReadonlyMap<number, string> = new Map([
  [1, "PermissionError"],
  [2, "FileNotFoundError"],
  [3, "ProcessLookupError"],
  [4, "InterruptedError"],
  [10, "ChildProcessError"],
  [11, "BlockingIOError"],
  [13, "PermissionError"],
  [17, "FileExistsError"],
  [20, "NotADirectoryError"],
  [21, "IsADirectoryError"],
  [32, "BrokenPipeError"],
  [103, "ConnectionAbortedError"],
  [104, "ConnectionResetError"],
  [108, "BrokenPipeError"],
  [110, "TimeoutError"],
  [111, "ConnectionRefusedError"],
  [114, "BlockingIOError"],
  [115, "BlockingIOError"],
]);

const PLACE = ["filename", "lineno", "offset", "text", "end_lineno", "end_offset"];
const OS_ERROR_PARTS: ReadonlySet<string> = new Set(["errno", "strerror", "filename", "filename2"]);
const SYNTAX_ERROR_PARTS: ReadonlySet<string> = new Set(["msg", ...PLACE, "print_file_and_line"]);

const isOsError = (className: string): boolean => isExceptionSubclass(className, "OSError");
const isSyntaxError = (className: string): boolean => isExceptionSubclass(className, "SyntaxError");

/** `className(*args)`. */
export function makeException(className: string, args: readonly Value[]): PyException {
  if (isOsError(className)) return osError(className, args);
  return isSyntaxError(className) ? syntaxError(className, args) : new PyException(className, args);
}

function osError(called: string, args: readonly Value[]): PyException {
  if (args.length < 2 || args.length > 5) return new PyException(called, args);
  const [errno, strerror, filename = null, , filename2 = null] = args;
  const className = (called === "OSError" && isInt(errno) ? BY_NUMBER.get(Number(errno)) : undefined) ?? called;
  const parts = new Map<string, Value>([
    ["errno", errno],
    ["strerror", strerror],
  ]);
  // Where a call would block, the third argument may be how much was written before.
  if (filename === null || (className === "BlockingIOError" && typeof filename === "number"))
    return new PyException(className, args, null, null, parts);
  parts.set("filename", filename);
  if (filename2 !== null) parts.set("filename2", filename2);
  return new PyException(className, args.slice(0, 2), null, null, parts);
}

function syntaxError(className: string, args: readonly Value[]): PyException {
  const parts = new Map<string, Value>();
  if (args.length > 0) parts.set("msg", args[0]);
  if (args.length === 2) {
    const place = takeAll(args[1]);
    if (place.length < 4) raise("TypeError", `function takes at least 4 arguments (${place.length} given)`);
    if (place.length > 6) raise("TypeError", `function takes at most 6 arguments (${place.length} given)`);
    if (place.length === 5) raise("TypeError", "end_offset must be provided when end_lineno is provided");
    for (const [i, name] of PLACE.entries()) parts.set(name, place[i] ?? null);
  }
  return new PyException(className, args, null, null, parts);
}

/** A data attribute, None where nothing was given for it; undefined where such an exception has none of that name. */
export function detailOf(e: PyException, name: string): Value | undefined {
  const names = isOsError(e.className) ? OS_ERROR_PARTS : isSyntaxError(e.className) ? SYNTAX_ERROR_PARTS : null;
  return names?.has(name) === true ? (e.attributes?.get(name) ?? null) : undefined;
}

/** `str(e)`; null where it is written as of any exception. */
export function detailedText(e: PyException): string | null {
  const part = (name: string): Value => e.attributes?.get(name) ?? null;
  if (isOsError(e.className)) {
    const head = `[Errno ${str(part("errno"))}] ${str(part("strerror"))}`;
    if (part("filename") === null) return e.attributes === null ? null : head;
    const second = part("filename2");
    return `${head}: ${repr(part("filename"))}${second === null ? "" : ` -> ${repr(second)}`}`;
  }
  if (!isSyntaxError(e.className)) return null;
  const [msg, filename, line] = [str(part("msg")), part("filename"), part("lineno")];
  const places: string[] = [];
  if (typeof filename === "string") places.push(filename.slice(filename.lastIndexOf("/") + 1));
  if (typeof line === "number" || typeof line === "bigint") places.push(`line ${line}`);
  return places.length === 0 ? msg : `${msg} (${places.join(", ")})`;
}
