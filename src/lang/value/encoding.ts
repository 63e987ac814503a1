/**
 * Text to bytes and back: UTF-8, ASCII, Latin-1, UTF-16 and UTF-32, with CPython's error handlers and messages.
 *
 * Each decoder walks the bytes and, where they are no character, gives the span that is wrong and why; the handler
 * then says what stands for it. A handler that would put a lone surrogate into a text is refused (language.md §2).
 * CPython's other encodings are refused by name; a name it does not know raises LookupError.
 */
import { Bytes } from "../../datum";
import { Refusal } from "../../failure";
import { ELSEWHERE, NOT_TEXT, SERVED } from "./encoding-names.generated";
import { raise } from "./exception";
import { checkChars, checkPiece, spendSteps } from "./meter";
import { escapeCode, strLength, surrogateRefusal } from "./str";

const served = new Map(SERVED.split(" ").map((entry) => entry.split(":") as [string, string]));
const elsewhere = new Set(ELSEWHERE.split(" "));
const notText = new Set(NOT_TEXT.split(" "));

/**
 * Names that CPython runs without its codec registry. A complaint inside any other codec is wrapped in one that names it.
 */
const DIRECT = new Set("utf_8 utf8 utf_16 utf16 utf_32 utf32 ascii us_ascii latin_1 latin1 iso_8859_1 iso8859_1".split(" "));

/** What one call was asked: as written, for messages, and the encoding it means. */
interface Codec {
  readonly encoding: string;
  readonly errors: string;
  /** What a complaint opens with and ends with. */
  readonly before: string;
  readonly after: string;
}

/** The served encoding of that name. */
function codecOf(name: string, errors: string, verb: "encode" | "decode"): Codec {
  const normal = normalName(name);
  const encoding = served.get(normal);
  if (encoding !== undefined) {
    if (DIRECT.has(normal)) return { encoding, errors, before: "", after: "" };
    return { encoding, errors, before: `${verb.slice(0, -1)}ing with '${name}' codec failed (`, after: ")" };
  }
  if (notText.has(normal)) raise("LookupError", `'${name}' is not a text encoding; use codecs.${verb}() to handle arbitrary codecs`);
  if (elsewhere.has(normal))
    throw new Refusal("invalid_value", `the encoding '${name}' is not served: use 'utf-8', 'ascii', 'latin-1', 'utf-16' or 'utf-32'`);
  raise("LookupError", `unknown encoding: ${name}`);
}

function normalName(name: string): string {
  let normal = "";
  let gap = false;
  for (const unit of name) {
    if (/[A-Za-z0-9.]/.test(unit)) {
      if (gap && normal !== "") normal += "_";
      normal += unit >= "A" && unit <= "Z" ? String.fromCharCode(unit.charCodeAt(0) + 32) : unit;
      gap = false;
    } else gap = true;
  }
  return normal;
}

const HANDLERS = new Set([
  "strict",
  "ignore",
  "replace",
  "xmlcharrefreplace",
  "backslashreplace",
  "namereplace",
  "surrogateescape",
  "surrogatepass",
]);

function complain(codec: Codec, className: string, message: string): never {
  raise(className, codec.before === "" ? message : `${codec.before}${className}: ${message}${codec.after}`);
}

function checkHandler(codec: Codec): void {
  if (!HANDLERS.has(codec.errors)) complain(codec, "LookupError", `unknown error handler name '${codec.errors}'`);
}

// ---- encode

/** `text.encode(encoding, errors)`. */
export function encodeText(text: string, encoding = "utf-8", errors = "strict"): Bytes {
  const codec = codecOf(encoding, errors, "encode");
  const name = codec.encoding;
  spendSteps(text.length >> 4);
  switch (name) {
    case "ascii":
      return encodeNarrow(text, codec, 0x80, "ascii");
    case "latin_1":
      return encodeNarrow(text, codec, 0x100, "latin-1");
    case "utf_8":
      return new Bytes(utf8Bytes(text, 0));
    case "utf_8_sig": {
      const bytes = utf8Bytes(text, 3);
      bytes.set([0xef, 0xbb, 0xbf]);
      return new Bytes(bytes);
    }
    case "utf_16":
    case "utf_16_le":
      return encodeWide(text, 2, true, name === "utf_16");
    case "utf_16_be":
      return encodeWide(text, 2, false, false);
    case "utf_32":
    case "utf_32_le":
      return encodeWide(text, 4, true, name === "utf_32");
    default:
      return encodeWide(text, 4, false, false);
  }
}

/** UTF-8 of a well-formed text, after `head` bytes left free. */
function utf8Bytes(text: string, head: number): Uint8Array {
  let size = head + text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // A pair is four bytes: two units that each add one.
    if (unit >= 0x80) size += unit < 0x800 || (unit & 0xf800) === 0xd800 ? 1 : 2;
  }
  checkChars(size);
  const bytes = new Uint8Array(size);
  let at = head;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code < 0x80) {
      bytes[at++] = code;
      continue;
    }
    if ((code & 0xf800) === 0xd800) {
      code = text.codePointAt(i)!;
      i++;
      bytes[at++] = 0xf0 | (code >> 18);
      bytes[at++] = 0x80 | ((code >> 12) & 63);
      bytes[at++] = 0x80 | ((code >> 6) & 63);
    } else if (code >= 0x800) {
      bytes[at++] = 0xe0 | (code >> 12);
      bytes[at++] = 0x80 | ((code >> 6) & 63);
    } else bytes[at++] = 0xc0 | (code >> 6);
    bytes[at++] = 0x80 | (code & 63);
  }
  return bytes;
}

function encodeWide(text: string, width: 2 | 4, little: boolean, mark: boolean): Bytes {
  const count = (width === 2 ? text.length : strLength(text)) + (mark ? 1 : 0);
  checkChars(count * width);
  const bytes = new Uint8Array(count * width);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const put = (code: number): void => {
    if (width === 2) view.setUint16(at, code, little);
    else view.setUint32(at, code, little);
    at += width;
  };
  if (mark) put(0xfeff);
  for (let i = 0; i < text.length; i++) {
    const code = width === 2 ? text.charCodeAt(i) : text.codePointAt(i)!;
    put(code);
    if (code > 0xffff) i++;
  }
  return new Bytes(bytes);
}

/** ASCII and Latin-1: code points below `limit` are their own byte. */
function encodeNarrow(text: string, codec: Codec, limit: number, name: string): Bytes {
  let plain = true;
  for (let i = 0; i < text.length && plain; i++) plain = text.charCodeAt(i) < limit;
  if (plain) return new Bytes(latin1Bytes(text));
  const codes = [...text];
  const parts: string[] = [];
  let size = 0;
  for (let i = 0; i < codes.length; ) {
    const code = codes[i].codePointAt(0)!;
    let end = i + 1;
    let part = codes[i];
    if (code >= limit) {
      while (end < codes.length && codes[end].codePointAt(0)! >= limit) end++;
      part = codes
        .slice(i, end)
        .map((character) => standIn(character.codePointAt(0)!, codec))
        .join("");
      if (isStrict(codec.errors)) raise("UnicodeEncodeError", name, text, i, end, `ordinal not in range(${limit})`);
    }
    parts.push(part);
    checkPiece((size += part.length), part.length);
    i = end;
  }
  return new Bytes(latin1Bytes(parts.join("")));
}

/** Handlers that have nothing to put for a character that is no surrogate leave the error standing. */
function isStrict(errors: string): boolean {
  return errors === "strict" || errors === "surrogateescape" || errors === "surrogatepass";
}

/** What stands for a character that the encoding lacks. */
function standIn(code: number, codec: Codec): string {
  checkHandler(codec);
  switch (codec.errors) {
    case "replace":
      return "?";
    case "xmlcharrefreplace":
      return `&#${code};`;
    case "backslashreplace":
      return escapeCode(code);
    case "namereplace":
      throw new Refusal("invalid_value", "the error handler 'namereplace' is not served: use 'backslashreplace' or 'xmlcharrefreplace'");
    default:
      return "";
  }
}

// ---- decode

/** `bytes.decode(encoding, errors)`. */
export function decodeBytes(bytes: Uint8Array, encoding = "utf-8", errors = "strict"): string {
  if (bytes.length === 0) return "";
  const codec = codecOf(encoding, errors, "decode");
  const name = codec.encoding;
  spendSteps(bytes.length >> 4);
  switch (name) {
    case "latin_1":
      return latin1Text(bytes);
    case "ascii":
    case "utf_8":
      return isAsciiBytes(bytes) ? latin1Text(bytes) : decode(bytes, codec, name === "ascii" ? ASCII : UTF_8, 0);
    case "utf_8_sig":
      return decode(bytes, codec, UTF_8, bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);
    case "utf_16":
      if (bytes[0] === 0xff && bytes[1] === 0xfe) return decode(bytes, codec, utf16(true), 2);
      if (bytes[0] === 0xfe && bytes[1] === 0xff) return decode(bytes, codec, utf16(false), 2);
      return decode(bytes, codec, utf16(true), 0);
    case "utf_16_le":
    case "utf_16_be":
      return decode(bytes, codec, utf16(name === "utf_16_le"), 0);
    case "utf_32":
      if (bytes[0] === 0xff && bytes[1] === 0xfe && bytes[2] === 0 && bytes[3] === 0) return decode(bytes, codec, utf32(true), 4);
      if (bytes[0] === 0 && bytes[1] === 0 && bytes[2] === 0xfe && bytes[3] === 0xff) return decode(bytes, codec, utf32(false), 4);
      return decode(bytes, codec, utf32(true), 0);
    default:
      return decode(bytes, codec, utf32(name === "utf_32_le"), 0);
  }
}

/** One step at byte `at`: a code point and its width, or what is wrong with how many bytes. */
interface Decoder {
  readonly codec: string;
  /** The width of a surrogate that `surrogatepass` would take at `at`, else 0. */
  surrogateAt(bytes: Uint8Array, at: number): number;
  step(bytes: Uint8Array, at: number, out: Step): void;
}
interface Step {
  code: number;
  width: number;
  /** Empty where the bytes are a character. */
  wrong: string;
}

function decode(bytes: Uint8Array, codec: Codec, decoder: Decoder, from: number): string {
  const step: Step = { code: 0, width: 0, wrong: "" };
  const codes: number[] = [];
  const parts: string[] = [];
  for (let at = from; at < bytes.length; at += step.width) {
    step.wrong = "";
    decoder.step(bytes, at, step);
    if (step.wrong === "") codes.push(step.code);
    else for (const code of insteadOf(bytes, at, step, codec, decoder)) codes.push(code);
    if (codes.length >= 4096) parts.push(String.fromCodePoint(...codes.splice(0)));
  }
  parts.push(String.fromCodePoint(...codes));
  return parts.join("");
}

/** The code points that stand for a wrong span, by the handler. */
function insteadOf(bytes: Uint8Array, at: number, step: Step, codec: Codec, decoder: Decoder): readonly number[] {
  checkHandler(codec);
  const end = at + step.width;
  switch (codec.errors) {
    case "ignore":
      return [];
    case "replace":
      return [0xfffd];
    case "backslashreplace":
      return [...bytes.subarray(at, end)].flatMap((byte) => [...`\\x${byte.toString(16).padStart(2, "0")}`].map((c) => c.charCodeAt(0)));
    case "xmlcharrefreplace":
    case "namereplace":
      complain(codec, "TypeError", "don't know how to handle UnicodeDecodeError in error callback");
      break;
    case "surrogateescape":
      if (bytes[at] >= 0x80) throw surrogateRefusal(0xdc00 + bytes[at]);
      break;
    case "surrogatepass": {
      const width = decoder.surrogateAt(bytes, at);
      if (width > 0) throw surrogateRefusal(0xd800);
    }
  }
  raise("UnicodeDecodeError", decoder.codec, new Bytes(bytes), at, end, step.wrong);
}

const ASCII: Decoder = {
  codec: "ascii",
  surrogateAt: () => 0,
  step(bytes, at, out) {
    out.code = bytes[at];
    out.width = 1;
    if (out.code >= 0x80) out.wrong = "ordinal not in range(128)";
  },
};

const UTF_8: Decoder = {
  codec: "utf-8",
  surrogateAt: (bytes, at) => (bytes[at] === 0xed && (bytes[at + 1] & 0xe0) === 0xa0 && (bytes[at + 2] & 0xc0) === 0x80 ? 3 : 0),
  step(bytes, at, out) {
    const first = bytes[at];
    out.code = first;
    out.width = 1;
    if (first < 0x80) return;
    const count = first >= 0xc2 && first <= 0xdf ? 1 : (first & 0xf0) === 0xe0 ? 2 : first >= 0xf0 && first <= 0xf4 ? 3 : 0;
    if (count === 0) {
      out.wrong = "invalid start byte";
      return;
    }
    let code = first & (0x3f >> count);
    for (let i = 1; i <= count; i++) {
      out.width = i;
      if (at + i >= bytes.length) {
        out.wrong = "unexpected end of data";
        return;
      }
      const byte = bytes[at + i];
      // The first continuation is narrower after these: overlong forms, surrogates, past U+10FFFF.
      const low = i === 1 ? (first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80) : 0x80;
      const high = i === 1 ? (first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf) : 0xbf;
      if (byte < low || byte > high) {
        out.wrong = "invalid continuation byte";
        return;
      }
      code = (code << 6) | (byte & 63);
    }
    out.code = code;
    out.width = count + 1;
  },
};

function utf16(little: boolean): Decoder {
  const unitAt = (bytes: Uint8Array, at: number): number => (little ? bytes[at] | (bytes[at + 1] << 8) : (bytes[at] << 8) | bytes[at + 1]);
  return {
    codec: little ? "utf-16-le" : "utf-16-be",
    surrogateAt: (bytes, at) => (at + 1 < bytes.length && (unitAt(bytes, at) & 0xf800) === 0xd800 ? 2 : 0),
    step(bytes, at, out) {
      out.width = Math.min(2, bytes.length - at);
      if (out.width < 2) {
        out.wrong = "truncated data";
        return;
      }
      const unit = unitAt(bytes, at);
      out.code = unit;
      if ((unit & 0xf800) !== 0xd800) return;
      if (unit >= 0xdc00) out.wrong = "illegal encoding";
      else if (at + 4 > bytes.length) {
        out.wrong = "unexpected end of data";
        out.width = bytes.length - at;
      } else {
        const low = unitAt(bytes, at + 2);
        if ((low & 0xfc00) !== 0xdc00) out.wrong = "illegal UTF-16 surrogate";
        else {
          out.code = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
          out.width = 4;
        }
      }
    },
  };
}

function utf32(little: boolean): Decoder {
  const codeAt = (bytes: Uint8Array, at: number): number => {
    const view = new DataView(bytes.buffer, bytes.byteOffset + at, 4);
    return view.getUint32(0, little);
  };
  return {
    codec: little ? "utf-32-le" : "utf-32-be",
    surrogateAt: (bytes, at) => (at + 4 <= bytes.length && codeAt(bytes, at) >>> 11 === 27 ? 4 : 0),
    step(bytes, at, out) {
      out.width = Math.min(4, bytes.length - at);
      if (out.width < 4) {
        out.wrong = "truncated data";
        return;
      }
      out.code = codeAt(bytes, at);
      if (out.code > 0x10ffff) out.wrong = "code point not in range(0x110000)";
      else if (out.code >>> 11 === 27) out.wrong = "code point in surrogate code point range(0xd800, 0xe000)";
    },
  };
}

// ---- bytes as a text of code points below 256

export function isAsciiBytes(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (bytes[i] >= 0x80) return false;
  return true;
}

/** One character a byte: the form in which bytes-methods.ts searches and splits. */
export function latin1Text(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode.apply(null, bytes.subarray(i, i + 8192) as unknown as number[]);
  return text;
}

export function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
