/**
 * What is taken back of an account's balance: a payment that was refunded or disputed, an operator's correction.
 *
 * Each is known by an id and its total, which only grows: told again, or late, or of a part that is in a later part, it takes nothing
 * twice. What the balance does not have is owed, and taken as soon as it has: no store is granted an op before that.
 */
import type { Sql } from "../engine/sql";

export interface Withdrawal {
  readonly id: string;
  /** In all, owed ones too. */
  readonly ops: number;
  readonly atMs: number;
}

export class TakenBack {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS withdrawal (
      withdrawal_id TEXT PRIMARY KEY, ops INTEGER NOT NULL, taken INTEGER NOT NULL, at_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID`);
  }

  /** How many ops that is more than was known. */
  raise(id: string, totalOps: number, nowMs: number): number {
    const [row] = this.#sql.exec("SELECT ops FROM withdrawal WHERE withdrawal_id = ?", id);
    const known = (row?.[0] as number | undefined) ?? 0;
    if (totalOps <= known) return 0;
    this.#sql.exec(
      "INSERT INTO withdrawal VALUES (?1, ?2, 0, ?3) ON CONFLICT (withdrawal_id) DO UPDATE SET ops = ?2, at_ms = ?3",
      id,
      totalOps,
      nowMs,
    );
    return totalOps - known;
  }

  /** In all of one; 0 where it is not known. */
  totalOf(id: string): number {
    return (this.#sql.exec("SELECT ops FROM withdrawal WHERE withdrawal_id = ?", id)[0]?.[0] as number | undefined) ?? 0;
  }

  get owedOps(): number {
    const [[owed]] = this.#sql.exec("SELECT coalesce(sum(ops - taken), 0) FROM withdrawal");
    return owed as number;
  }

  /** Takes of what is owed as much as there is; how many ops that were. */
  take(availableOps: number): number {
    let left = availableOps;
    for (const [id, ops, taken] of this.#sql.exec(
      "SELECT withdrawal_id, ops, taken FROM withdrawal WHERE taken < ops ORDER BY at_ms, withdrawal_id",
    )) {
      const now = Math.min(left, (ops as number) - (taken as number));
      if (now <= 0) break;
      this.#sql.exec("UPDATE withdrawal SET taken = taken + ? WHERE withdrawal_id = ?", now, id);
      left -= now;
    }
    return availableOps - left;
  }

  /** Latest first. */
  list(countMax: number): Withdrawal[] {
    const rows = this.#sql.exec(
      "SELECT withdrawal_id, ops, at_ms FROM withdrawal ORDER BY at_ms DESC, withdrawal_id DESC LIMIT ?",
      countMax,
    );
    return rows.map(([id, ops, atMs]) => ({ id, ops, atMs }) as Withdrawal);
  }
}
