/**
 * Growing byte buffer and its reader: variable-length integers, doubles, UTF-8. The only bit-level code of the
 * store, shared by the codes of values (datum-code.ts) and of symbol pages (symbol-page.ts).
 *
 * UTF-8 is written here because the pure layers have no TextEncoder.
 */
import { assert } from "../failure";

export class ByteWriter {
  #bytes: Uint8Array;
  #view: DataView;
  #length = 0;

  constructor(capacity = 256) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  get length(): number {
    return this.#length;
  }

  clear(): void {
    this.#length = 0;
  }

  /** A fresh copy of what was written. */
  take(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  byte(value: number): void {
    this.#room(1);
    this.#bytes[this.#length++] = value;
  }

  /** A non-negative integer that a double holds exactly, below 2^63: seven bits a byte, least first. */
  count(value: number): void {
    this.#room(9);
    while (value >= 0x80) {
      this.#bytes[this.#length++] = (value % 0x80) | 0x80;
      value = Math.floor(value / 0x80);
    }
    this.#bytes[this.#length++] = value;
  }

  /** As `count`, of either sign, which is a byte of its own. */
  signed(value: number): void {
    this.byte(value < 0 ? 1 : 0);
    this.count(Math.abs(value));
  }

  /** Big-endian, so that bytes are one on every machine; NaN has one form. */
  double(value: number): void {
    this.#room(8);
    if (Number.isNaN(value)) {
      this.#view.setUint32(this.#length, 0x7ff80000);
      this.#view.setUint32(this.#length + 4, 0);
    } else this.#view.setFloat64(this.#length, value);
    this.#length += 8;
  }

  bytes(value: Uint8Array): void {
    this.#room(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  /** UTF-8 of a well-formed text, without its length. */
  utf8(text: string): void {
    this.#room(text.length * 3);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit < 0x80) bytes[at++] = unit;
      else if (unit < 0x800) {
        bytes[at++] = 0xc0 | (unit >> 6);
        bytes[at++] = 0x80 | (unit & 0x3f);
      } else if (unit < 0xd800 || unit > 0xdfff) {
        bytes[at++] = 0xe0 | (unit >> 12);
        bytes[at++] = 0x80 | ((unit >> 6) & 0x3f);
        bytes[at++] = 0x80 | (unit & 0x3f);
      } else {
        const code = text.codePointAt(i)!;
        assert(code > 0xffff, "a stored text has no lone surrogate");
        i++;
        bytes[at++] = 0xf0 | (code >> 18);
        bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
        bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
        bytes[at++] = 0x80 | (code & 0x3f);
      }
    }
    this.#length = at;
  }

  /** UTF-8 with its length in bytes before it. */
  text(text: string): void {
    this.count(utf8Length(text));
    this.utf8(text);
  }

  #room(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

export class ByteReader {
  #at: number;
  constructor(
    readonly source: Uint8Array,
    start = 0,
    readonly end = source.length,
  ) {
    this.#at = start;
  }

  get at(): number {
    return this.#at;
  }

  get done(): boolean {
    return this.#at >= this.end;
  }

  byte(): number {
    assert(this.#at < this.end, "bytes end inside a value");
    return this.source[this.#at++];
  }

  count(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
  }

  signed(): number {
    const negative = this.byte() === 1;
    const value = this.count();
    return negative ? -value : value;
  }

  double(): number {
    const value = new DataView(this.source.buffer, this.source.byteOffset, this.source.byteLength).getFloat64(this.#at);
    this.#at += 8;
    return value;
  }

  /** A view, not a copy. */
  bytes(length: number): Uint8Array {
    assert(this.#at + length <= this.end, "bytes end inside a value");
    const part = this.source.subarray(this.#at, this.#at + length);
    this.#at += length;
    return part;
  }

  /** As `bytes`, where only their place is wanted: a view costs more than all else here. */
  skip(length: number): void {
    assert(this.#at + length <= this.end, "bytes end inside a value");
    this.#at += length;
  }

  utf8(length: number): string {
    return utf8Decode(this.bytes(length));
  }

  text(): string {
    return this.utf8(this.count());
  }
}

export function utf8Length(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x80) length += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return length;
}

/** Of bytes that `utf8` wrote. */
function utf8Decode(bytes: Uint8Array): string {
  const units: number[] = [];
  let text = "";
  for (let i = 0; i < bytes.length; ) {
    const lead = bytes[i++];
    if (lead < 0x80) units.push(lead);
    else if (lead < 0xe0) units.push(((lead & 0x1f) << 6) | (bytes[i++] & 0x3f));
    else if (lead < 0xf0) units.push(((lead & 0xf) << 12) | ((bytes[i++] & 0x3f) << 6) | (bytes[i++] & 0x3f));
    else {
      const code = ((lead & 7) << 18) | ((bytes[i++] & 0x3f) << 12) | ((bytes[i++] & 0x3f) << 6) | (bytes[i++] & 0x3f);
      units.push(0xd7c0 + (code >> 10), 0xdc00 | (code & 0x3ff));
    }
    // A call takes a bounded number of arguments.
    if (units.length > 4096) {
      text += String.fromCharCode(...units);
      units.length = 0;
    }
  }
  return text + String.fromCharCode(...units);
}
