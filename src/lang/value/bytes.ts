/**
 * `repr` of bytes, and ints that stand for one byte. Arithmetic and subscripts are with those of the other sequences.
 */
import type { Bytes } from "../../datum";
import { raise } from "./exception";
import { checkChars } from "./meter";
import { escapeCode } from "./str";

/** `repr(bytes)`. */
export function bytesRepr({ b }: Bytes): string {
  let escapes = 0;
  for (let i = 0; i < b.length; i++) if (b[i] < 32 || b[i] >= 127) escapes++;
  checkChars(b.length + 3 * escapes + 3);
  const quote = b.includes(39) && !b.includes(34) ? '"' : "'";
  const whole: string[] = [];
  let parts: string[] = [];
  for (let i = 0; i < b.length; i++) {
    const byte = b[i];
    if (parts.length > 8192) {
      whole.push(parts.join(""));
      parts = [];
    }
    if (byte === 92 || byte === quote.charCodeAt(0)) parts.push(`\\${String.fromCharCode(byte)}`);
    else parts.push(byte >= 32 && byte < 127 ? String.fromCharCode(byte) : escapeCode(byte));
  }
  return `b${quote}${whole.join("")}${parts.join("")}${quote}`;
}

/** An int argument that stands for one byte. */
export function byteValue(v: number | bigint | boolean): number {
  const n = Number(v);
  if (n < 0 || n > 255) raise("ValueError", "byte must be in range(0, 256)");
  return n;
}
