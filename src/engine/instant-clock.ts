/**
 * The instants of calls (rulings, "Instants"): a call that may change state gets one at least a microsecond later
 * than any the store has recorded or given out; calls that only read may share one.
 *
 * The promise outlives a restart: SQL holds a mark ahead of every instant given out, and a new clock starts at it.
 */
import { INSTANT_AHEAD_MICROS } from "../limits";
import type { Sql } from "./sql";
import { readMeta, writeMeta } from "./store-schema";

export class InstantClock {
  readonly #sql: Sql;
  /** The latest instant given out. */
  #last: number;
  /** Every instant given out is below it. */
  #mark: number;

  constructor(sql: Sql) {
    this.#sql = sql;
    this.#mark = readMeta(sql, "instant_mark") ?? 0;
    this.#last = this.#mark;
  }

  take(wallMicros: number, writes: boolean): number {
    const instant = Math.max(wallMicros, writes ? this.#last + 1 : this.#last);
    if (instant >= this.#mark) {
      const mark = instant + INSTANT_AHEAD_MICROS;
      this.#sql.transaction(() => writeMeta(this.#sql, "instant_mark", mark));
      this.#mark = mark;
    }
    this.#last = instant;
    return instant;
  }
}
