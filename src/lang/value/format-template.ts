/**
 * `str.format` and `str.format_map`: templates with replacement fields, read as CPython 3.11 reads them (its order of
 * checks and its messages, the odd ones included).
 */
import { getAttribute } from "./attribute";
import { raise } from "./exception";
import { format } from "./format";
import { readInteger } from "./format-spec";
import { checkPiece, spendSteps } from "./meter";
import { getItem } from "./protocol-item";
import { ascii, repr, str } from "./protocol-text";
import type { Value } from "./value";

/** What the names and numbers of fields mean: for `format` arguments, for `format_map` one mapping. */
export type FieldSource =
  | { readonly args: readonly Value[]; readonly kwargs: ReadonlyMap<string, Value> | null }
  | { readonly mapping: Value };

/** `text.format(*args, **kwargs)` */
export function formatMethod(text: string, args: readonly Value[], kwargs: ReadonlyMap<string, Value> | null): string {
  return build(text, { args, kwargs }, 2, { next: 0, mode: "" });
}

/** `text.format_map(mapping)` */
export function formatMap(text: string, mapping: Value): string {
  return build(text, { mapping }, 2, { next: 0, mode: "" });
}

/** Numbering of `{}`: one template uses it throughout or not at all. */
interface Numbering {
  next: number;
  mode: "" | "auto" | "manual";
}

function build(text: string, source: FieldSource, depth: number, numbering: Numbering): string {
  if (depth <= 0) raise("ValueError", "Max string recursion exceeded");
  let out = "";
  let at = 0;
  while (at < text.length) {
    const open = nextBrace(text, at);
    if (open < 0) {
      out += text.slice(at);
      break;
    }
    const brace = text[open]!;
    const atEnd = open + 1 >= text.length;
    if (brace === "}" && (atEnd || text[open + 1] !== "}")) raise("ValueError", "Single '}' encountered in format string");
    if (atEnd) raise("ValueError", "Single '{' encountered in format string");
    if (text[open + 1] === brace) {
      out += text.slice(at, open + 1);
      at = open + 2;
      continue;
    }
    out += text.slice(at, open);
    const field = readField(text, open + 1);
    at = field.end;
    const shown = render(field, source, depth, numbering);
    out += shown;
    checkPiece(out.length >> 1, shown.length);
  }
  return out;
}

function nextBrace(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 123 || unit === 125) return i;
  }
  return -1;
}

interface Field {
  readonly name: string;
  readonly conversion: string;
  readonly spec: string;
  readonly nested: boolean;
  /** Where the template goes on. */
  readonly end: number;
}

/** Reads a field from after its `{` to after its `}`. */
function readField(text: string, start: number): Field {
  let at = start;
  let c = "";
  for (; at < text.length; ) {
    c = text[at++]!;
    if (c === "{") raise("ValueError", "unexpected '{' in field name");
    if (c === "[") {
      while (at < text.length && text[at] !== "]") at++;
      continue;
    }
    if (c === "}" || c === ":" || c === "!") break;
  }
  if (c !== "}" && c !== ":" && c !== "!") raise("ValueError", "expected '}' before end of string");
  const name = text.slice(start, at - 1);
  if (c === "}") return { name, conversion: "", spec: "", nested: false, end: at };
  let conversion = "";
  if (c === "!") {
    if (at >= text.length) raise("ValueError", "end of string while looking for conversion specifier");
    conversion = String.fromCodePoint(text.codePointAt(at)!);
    at += conversion.length;
    if (at < text.length) {
      c = text[at++]!;
      if (c === "}") return { name, conversion, spec: "", nested: false, end: at };
      if (c !== ":") raise("ValueError", "expected ':' after conversion specifier");
    }
  }
  const specStart = at;
  let nested = false;
  for (let open = 1; at < text.length; ) {
    c = text[at++]!;
    if (c === "{") {
      nested = true;
      open++;
    } else if (c === "}" && --open === 0) return { name, conversion, spec: text.slice(specStart, at - 1), nested, end: at };
  }
  raise("ValueError", "unmatched '{' in format spec");
}

function render(field: Field, source: FieldSource, depth: number, numbering: Numbering): string {
  spendSteps(1);
  const v = fieldValue(field.name, source, numbering);
  const converted = field.conversion === "" ? v : convert(v, field.conversion);
  const spec = field.nested ? build(field.spec, source, depth - 1, numbering) : field.spec;
  return format(converted, spec);
}

function convert(v: Value, conversion: string): string {
  if (conversion === "r") return repr(v);
  if (conversion === "s") return str(v);
  if (conversion === "a") return ascii(v);
  const code = conversion.codePointAt(0)!;
  raise("ValueError", `Unknown conversion specifier ${code > 32 && code < 127 ? conversion : `\\x${code.toString(16)}`}`);
}

/** The number a text of decimal digits stands for, -1 for any other text. */
function wholeNumber(text: string): number {
  const chars = Array.from(text);
  const [value, end] = readInteger(chars, 0);
  return end === chars.length ? value : -1;
}

function fieldValue(name: string, source: FieldSource, numbering: Numbering): Value {
  const firstEnd = name.search(/[.[]/);
  const first = firstEnd < 0 ? name : name.slice(0, firstEnd);
  let index = wholeNumber(first);
  if (first === "" || index >= 0) {
    const mode = first === "" ? "auto" : "manual";
    if (numbering.mode === "") numbering.mode = mode;
    if (numbering.mode !== mode)
      raise(
        "ValueError",
        mode === "manual"
          ? "cannot switch from automatic field numbering to manual field specification"
          : "cannot switch from manual field specification to automatic field numbering",
      );
    if (mode === "auto") index = numbering.next++;
  }
  let v = index < 0 ? named(first, source) : numbered(index, source);
  for (let at = first.length; at < name.length; ) {
    const mark = name[at++]!;
    if (mark === ".") {
      let end = at;
      while (end < name.length && name[end] !== "." && name[end] !== "[") end++;
      if (end === at) raise("ValueError", "Empty attribute in format string");
      v = getAttribute(v, name.slice(at, end));
      at = end;
    } else if (mark === "[") {
      const end = name.indexOf("]", at);
      if (end < 0) raise("ValueError", "Missing ']' in format string");
      if (end === at) raise("ValueError", "Empty attribute in format string");
      const key = name.slice(at, end);
      const number = wholeNumber(key);
      v = getItem(v, number < 0 ? key : number);
      at = end + 1;
    } else raise("ValueError", "Only '.' or '[' may follow ']' in format field specifier");
  }
  return v;
}

function named(name: string, source: FieldSource): Value {
  if ("mapping" in source) return getItem(source.mapping, name);
  const v = source.kwargs?.get(name);
  return v === undefined ? raise("KeyError", name) : v;
}

function numbered(index: number, source: FieldSource): Value {
  if ("mapping" in source) raise("ValueError", "Format string contains positional fields");
  const v = source.args[index];
  return v === undefined ? raise("IndexError", `Replacement index ${index} out of range for positional args tuple`) : v;
}
