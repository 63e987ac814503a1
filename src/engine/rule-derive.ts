/**
 * Adds and takes away derived rows, within the limit of derived claims.
 */
import { Refusal } from "../failure";
import { DERIVED_CLAIMS_MAX } from "../limits";
import type { Relation } from "./relation";
import { minusSpans, normalSpans } from "./spans";

export class DerivedRows {
  total = 0;

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
    let pieces: number[] | null = null;
    for (let row = raw.pairFirst(subject, equal); row >= 0; row = raw.pairNext[row]!) {
      if (raw.subject[row] !== subject || raw.value[row] !== value || raw.rank[row] === 0 || !raw.isLive(row)) continue;
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

  /** The limit comes before the memory. */
  add(raw: Relation, subject: number, value: number, equal: number, from: number, to: number, rank: number): number {
    if (this.total >= DERIVED_CLAIMS_MAX) {
      throw new Refusal(
        "limit_exceeded",
        `the standing rules would conclude more than ${DERIVED_CLAIMS_MAX} claims: narrow a rule's premises, or record less for them to join`,
        null,
      );
    }
    this.total++;
    return raw.add(subject, value, equal, from, to, rank);
  }

  kill(raw: Relation, row: number): void {
    if (raw.rank[row]! > 0 && raw.isLive(row)) this.total--;
    raw.kill(row);
  }
}
