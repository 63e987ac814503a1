/**
 * Adds and takes away derived rows, within the limit of derived claims.
 */

import { Bytes, type Datum, StoredCollection } from "../datum";
import { Refusal } from "../failure";
import { DERIVED_CLAIMS_MAX, DERIVED_VALUE_BYTES_MAX } from "../limits";
import type { Relation } from "./relation";
import { minusSpans, normalSpans } from "./spans";

export class DerivedRows {
  total = 0;
  /** Relations at which some rule computes a value that can be large; the others only pass on values recorded elsewhere. */
  readonly #weighed = new Set<Relation>();
  /** How many rows hold a weighed value, and the bytes of all of them together, each once. */
  readonly #held = new Map<number, number>();
  #bytes = 0;

  constructor(readonly datumOf: (value: number) => Datum) {}

  weigh(raw: Relation): void {
    this.#weighed.add(raw);
  }

  /** Counts everything anew, after a batch was undone. */
  recount(relations: Iterable<Relation>): void {
    this.total = 0;
    this.#held.clear();
    this.#bytes = 0;
    for (const raw of relations) {
      this.total += raw.derivedCount;
      if (!this.#weighed.has(raw)) continue;
      for (let row = 0; row < raw.rowsEnd; row++) if (raw.rankOf(row) > 0 && raw.isLive(row)) this.#hold(raw.valueOf(row));
    }
  }

  #hold(value: number): void {
    const count = this.#held.get(value) ?? 0;
    this.#held.set(value, count + 1);
    if (count === 0) this.#bytes += bytesOf(this.datumOf(value));
  }

  #drop(value: number): void {
    const count = this.#held.get(value)! - 1;
    if (count > 0) this.#held.set(value, count);
    else {
      this.#held.delete(value);
      this.#bytes -= bytesOf(this.datumOf(value));
    }
  }

  /** Adds what of the span is not derived yet; reports each new row. */
  derive(
    raw: Relation,
    subject: number,
    value: number,
    equal: number,
    from: number,
    to: number,
    rank: number,
    added: (row: number) => void,
  ): void {
    if (!raw.windowed && from === Number.NEGATIVE_INFINITY && to === Number.POSITIVE_INFINITY) {
      if (!raw.isDerived(subject, value, equal)) added(this.add(raw, subject, value, equal, from, to, rank));
      return;
    }
    let pieces: number[] | null = null;
    for (let row = raw.pairFirst(subject, equal); row >= 0; row = raw.pairNext(row)) {
      if (raw.subjectOf(row) !== subject || raw.valueOf(row) !== value || raw.rankOf(row) === 0 || !raw.isLive(row)) continue;
      const rowFrom = raw.from(row);
      const rowTo = raw.to(row);
      if (rowFrom <= from && rowTo >= to) return;
      if (rowFrom < to && rowTo > from) (pieces ??= []).push(rowFrom, rowTo);
    }
    if (pieces === null) {
      added(this.add(raw, subject, value, equal, from, to, rank));
      return;
    }
    const rest = minusSpans([from, to], normalSpans(pieces));
    for (let i = 0; i < rest.length; i += 2) added(this.add(raw, subject, value, equal, rest[i]!, rest[i + 1]!, rank));
  }

  /** Gives the row: one that goes in this batch and would be the same comes back. The limit comes before the memory. */
  add(raw: Relation, subject: number, value: number, equal: number, from: number, to: number, rank: number): number {
    if (this.total >= DERIVED_CLAIMS_MAX) {
      throw new Refusal(
        "limit_exceeded",
        `the standing rules would conclude more than ${DERIVED_CLAIMS_MAX} claims: narrow a rule's premises, or record less for them to join`,
        null,
      );
    }
    this.total++;
    if (this.#weighed.has(raw)) {
      this.#hold(value);
      if (this.#bytes > DERIVED_VALUE_BYTES_MAX) {
        throw new Refusal(
          "limit_exceeded",
          `the values that the standing rules compute would take more than ${DERIVED_VALUE_BYTES_MAX} bytes: conclude shorter texts, or fewer of them`,
          null,
        );
      }
    }
    const revived = raw.revive(subject, value, equal, from, to, rank);
    return revived >= 0 ? revived : raw.add(subject, value, equal, from, to, rank);
  }

  kill(raw: Relation, row: number): void {
    if (raw.rankOf(row) > 0 && raw.isLive(row)) {
      this.total--;
      if (this.#weighed.has(raw)) this.#drop(raw.valueOf(row));
    }
    raw.kill(row);
  }
}

/** Bytes of any interned value, however small: without them a rule that counts for ever would fill memory with ints. */
const VALUE_ENTRY_BYTES = 32;

function bytesOf(datum: Datum): number {
  if (typeof datum === "string") return VALUE_ENTRY_BYTES + datum.length * 2;
  if (typeof datum === "bigint") return VALUE_ENTRY_BYTES + (datum.toString(16).length >> 1);
  if (datum instanceof Bytes) return VALUE_ENTRY_BYTES + datum.b.length;
  if (datum instanceof StoredCollection) return datum.items.reduce((sum: number, item) => sum + bytesOf(item), VALUE_ENTRY_BYTES);
  return VALUE_ENTRY_BYTES + 8;
}
