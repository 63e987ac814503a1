/**
 * What bytes are besides their methods: repr, order, concatenation, repetition, membership, slices.
 */
import { Bytes } from "../../datum";
import { latin1Text } from "./encoding";
import { raise } from "./exception";
import { checkChars, spendSteps } from "./meter";
import { typeName } from "./protocol-type";
import { escapeCode } from "./str";
import type { Value } from "./value";

/** `repr(bytes)`. */
export function bytesRepr({ b }: Bytes): string {
  checkChars(b.length);
  const quote = b.includes(39) && !b.includes(34) ? '"' : "'";
  const parts: string[] = [];
  for (let i = 0; i < b.length; i++) {
    const byte = b[i];
    if (byte === 92 || byte === quote.charCodeAt(0)) parts.push(`\\${String.fromCharCode(byte)}`);
    else parts.push(byte >= 32 && byte < 127 ? String.fromCharCode(byte) : escapeCode(byte));
  }
  return `b${quote}${parts.join("")}${quote}`;
}

/** Order byte by byte: negative, 0 or positive. */
export function bytesCompare(x: Bytes, y: Bytes): number {
  const size = Math.min(x.b.length, y.b.length);
  for (let i = 0; i < size; i++) if (x.b[i] !== y.b[i]) return x.b[i] - y.b[i];
  return x.b.length - y.b.length;
}

export function bytesEqual(x: Bytes, y: Bytes): boolean {
  return x.b.length === y.b.length && bytesCompare(x, y) === 0;
}

export function bytesConcat(x: Bytes, y: Bytes): Bytes {
  checkChars(x.b.length + y.b.length);
  const joined = new Uint8Array(x.b.length + y.b.length);
  joined.set(x.b);
  joined.set(y.b, x.b.length);
  return new Bytes(joined);
}

/** `bytes * count`; count an exact JavaScript number. */
export function bytesRepeat({ b }: Bytes, count: number): Bytes {
  if (count <= 0 || b.length === 0) return new Bytes(new Uint8Array(0));
  checkChars(b.length * count);
  const repeated = new Uint8Array(b.length * count);
  for (let at = 0; at < repeated.length; at += b.length) repeated.set(b, at);
  return new Bytes(repeated);
}

/** `count` bytes from `start`, each `step` on: bounds as `slice.indices` gives them. */
export function bytesSlice({ b }: Bytes, start: number, step: number, count: number): Bytes {
  if (count <= 0) return new Bytes(new Uint8Array(0));
  spendSteps(1 + (count >> 6));
  if (step === 1) return new Bytes(b.slice(start, start + count));
  const taken = new Uint8Array(count);
  for (let i = 0, at = start; i < count; i++, at += step) taken[i] = b[at];
  return new Bytes(taken);
}

/** An int argument that stands for one byte. */
export function byteValue(v: number | bigint | boolean): number {
  const n = Number(v);
  if (n < 0 || n > 255) raise("ValueError", "byte must be in range(0, 256)");
  return n;
}

/** `item in bytes`. */
export function bytesContains({ b }: Bytes, item: Value): boolean {
  if (typeof item === "number" || typeof item === "bigint" || typeof item === "boolean") return b.includes(byteValue(item));
  if (!(item instanceof Bytes)) raise("TypeError", `a bytes-like object is required, not '${typeName(item)}'`);
  spendSteps(1 + (b.length >> 4));
  return latin1Text(b).includes(latin1Text(item.b));
}
