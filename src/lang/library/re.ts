/** The module `re`: its functions over compiled patterns, and the flags. */
import { Bytes } from "../../datum";
import type { Kwargs } from "../value/arguments";
import { latin1Bytes, latin1Text } from "../value/encoding";
import { raise } from "../value/exception";
import { sizeOf } from "../value/index-of";
import { hashKey } from "../value/protocol-hash";
import { typeName } from "../value/protocol-type";
import { PyTuple, type Value } from "../value/value";
import { exceptionType } from "./exception-type";
import { functionMember, type Member } from "./member";
import { bindPython, signature } from "./python-call";
import { FLAGS, flagBits } from "./re-flag";
import { errorOf } from "./re-parse";
import { findAll, findIter, matchOnce, Pattern, splitBy, substitute, type Want } from "./re-pattern";

/** The last patterns compiled, by type, flags and source: programs name the same few again and again. */
const compiled = new Map<string, Pattern>();
const COMPILED_MAX = 64;

function patternOf(v: Value, flags: Value | undefined): Pattern {
  const bits = flags === undefined ? 0 : flagBits(flags);
  // CPython looks both up among the patterns it has compiled before it asks what they are.
  if ((typeof v !== "string" && !(v instanceof Bytes)) || bits === undefined) {
    hashKey(v);
    hashKey(flags ?? null);
  }
  if (v instanceof Pattern) {
    if (bits !== 0) raise("ValueError", "cannot process flags argument with a compiled pattern");
    return v;
  }
  if (typeof v !== "string" && !(v instanceof Bytes)) raise("TypeError", "first argument must be string or compiled pattern");
  if (bits === undefined) return raise("TypeError", `unsupported operand type(s) for &: '${typeName(flags as Value)}' and 'RegexFlag'`);
  const key = `${typeof v === "string" ? "s" : "b"}${bits}:${typeof v === "string" ? v : latin1Text(v.b)}`;
  let pattern = compiled.get(key);
  if (pattern === undefined) {
    pattern = new Pattern(v, bits);
    if (compiled.size >= COMPILED_MAX) compiled.clear();
    compiled.set(key, pattern);
  }
  return pattern;
}

const SPECIAL = new Set([..."()[]{}?*+-|^$\\.&~# \t\n\r\v\f"]);

function escape(v: Value): Value {
  const escaped = (text: string): string => [...text].map((c) => (SPECIAL.has(c) ? `\\${c}` : c)).join("");
  if (typeof v === "string") return escaped(v);
  if (v instanceof Bytes) return new Bytes(latin1Bytes(escaped(latin1Text(v.b))));
  raise("TypeError", `decoding to str: need a bytes-like object, ${typeName(v)} found`);
}

function member(name: string, names: string, required: number, of: (bound: readonly (Value | undefined)[]) => Value): Member {
  const form = signature(name, names, required);
  return functionMember(name, (args: readonly Value[], kwargs: Kwargs) => of(bindPython(form, args, kwargs)));
}
const once = (want: Want): Member =>
  member(want, "pattern string flags", 2, ([p, v, flags]) => matchOnce(patternOf(p as Value, flags), want, v as Value));

const NEW_ERROR = signature("error.__init__", "msg pattern pos", 1, 1);

export const RE: ReadonlyMap<string, Value> = new Map<string, Value>([
  member("compile", "pattern flags", 1, ([p, flags]) => patternOf(p as Value, flags)),
  [
    "error",
    exceptionType("re.error", "Exception", (args, kwargs) => {
      const [message, pattern = null, position = null] = bindPython(NEW_ERROR, args, kwargs);
      if (typeof message !== "string" || (pattern !== null && typeof pattern !== "string"))
        return raise("TypeError", "re.error takes a text, and a pattern that is a text");
      return errorOf(message, pattern, position === null ? null : sizeOf(position));
    }),
  ],
  member("escape", "pattern", 1, ([v]) => escape(v as Value)),
  member("findall", "pattern string flags", 2, ([p, v, flags]) => findAll(patternOf(p as Value, flags), v as Value)),
  member("finditer", "pattern string flags", 2, ([p, v, flags]) => findIter(patternOf(p as Value, flags), v as Value)),
  once("fullmatch"),
  once("match"),
  once("search"),
  member("split", "pattern string maxsplit flags", 2, ([p, v, most = 0, flags]) => splitBy(patternOf(p as Value, flags), v as Value, most)),
  member("sub", "pattern repl string count flags", 3, ([p, by, v, most = 0, flags]) =>
    substitute(patternOf(p as Value, flags), by as Value, v as Value, most, (text) => text),
  ),
  member("subn", "pattern repl string count flags", 3, ([p, by, v, most = 0, flags]) =>
    substitute(patternOf(p as Value, flags), by as Value, v as Value, most, (text, count) => new PyTuple([text, count])),
  ),
  ...FLAGS,
]);
