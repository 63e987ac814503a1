/**
 * Rows of a table as bytes, and back: what a part of a snapshot is made of. Integers, texts and blobs as SQLite holds them; a
 * blob that is sealed stays as it is.
 */
import { ByteReader, ByteWriter } from "../engine/byte-writer";
import type { SqlRow, SqlValue } from "../engine/sql";
import { assert } from "../failure";

const NULL = 0;
const INTEGER = 1;
const REAL = 2;
const TEXT = 3;
const BLOB = 4;

/** Gathers rows until somebody takes them. */
export class RowWriter {
  readonly #out = new ByteWriter(1 << 16);
  #count = 0;

  get bytes(): number {
    return this.#out.length;
  }

  get count(): number {
    return this.#count;
  }

  add(row: SqlRow): void {
    for (const value of row) this.#value(value);
    this.#count++;
  }

  take(): Uint8Array {
    const bytes = this.#out.take();
    this.#out.clear();
    this.#count = 0;
    return bytes;
  }

  #value(value: SqlValue): void {
    const out = this.#out;
    if (value === null) out.byte(NULL);
    else if (typeof value === "string") {
      out.byte(TEXT);
      out.text(value);
    } else if (typeof value !== "number") {
      out.byte(BLOB);
      out.count(value.length);
      out.bytes(value);
    } else if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
      out.byte(INTEGER);
      out.signed(value);
    } else {
      out.byte(REAL);
      out.double(value);
    }
  }
}

/** The rows of a part, each of so many columns; what is no such part throws. */
export function* readRows(bytes: Uint8Array, columns: number): Iterable<SqlValue[]> {
  const from = new ByteReader(bytes);
  while (!from.done) yield Array.from({ length: columns }, () => readValue(from));
}

function readValue(from: ByteReader): SqlValue {
  const tag = from.byte();
  switch (tag) {
    case NULL:
      return null;
    case INTEGER:
      return from.signed();
    case REAL:
      return from.double();
    case TEXT:
      return from.text();
    default:
      assert(tag === BLOB, "a value of a snapshot has a known type");
      return from.bytes(from.count()).slice();
  }
}
