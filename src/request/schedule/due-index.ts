/**
 * When which event is due: a projection of the claims of `kg.ScheduledEvent`, readable without a key, since it holds times and
 * nothing else.
 */
import { Datetime } from "../../datum";
import type { NetClaim } from "../../engine/claim-row";
import type { Projection, ProjectionSite } from "../../engine/projection";
import type { Sql } from "../../engine/sql";
import type { SymbolTable } from "../../engine/symbol";
import { noteKindNamed } from "../kg/notes-of-kind";
import { storeKind } from "../kg/record-kind";

const TABLE = "schedule_due";
const KIND = storeKind(noteKindNamed("scheduled_event"));
export const PENDING = "pending";

export class DueIndex implements Projection {
  readonly #sql: Sql;
  readonly #symbols: SymbolTable;

  constructor({ sql, symbols }: ProjectionSite) {
    this.#sql = sql;
    this.#symbols = symbols;
    sql.exec(`CREATE TABLE IF NOT EXISTS ${TABLE} (subject INTEGER PRIMARY KEY, due INTEGER NOT NULL)`);
    sql.exec(`CREATE INDEX IF NOT EXISTS ${TABLE}_by_time ON ${TABLE} (due)`);
  }

  follow(claims: readonly NetClaim[]): void {
    const dueAt = this.#symbols.findFieldId(KIND, "due_at");
    const status = this.#symbols.findFieldId(KIND, "status");
    if (dueAt === 0 || status === 0) return;
    const changed = new Set<number>();
    for (const { before, after } of claims) {
      const row = after ?? before;
      if (row !== null && (row.field === dueAt || row.field === status)) changed.add(row.subject);
    }
    for (const subject of changed) {
      const due = this.#latest(dueAt, subject);
      if (due instanceof Datetime && this.#latest(status, subject) === PENDING) {
        this.#sql.exec(
          `INSERT INTO ${TABLE} (subject, due) VALUES (?, ?) ON CONFLICT (subject) DO UPDATE SET due = excluded.due`,
          subject,
          due.micros,
        );
      } else this.#sql.exec(`DELETE FROM ${TABLE} WHERE subject = ?`, subject);
    }
  }

  #latest(field: number, subject: number): unknown {
    const rows = this.#sql.exec(
      "SELECT value FROM claim WHERE field = ? AND subject = ? AND past = 0 ORDER BY id DESC LIMIT 1",
      field,
      subject,
    );
    return rows.length === 0 ? null : this.#symbols.datumOf(rows[0][0] as number);
  }
}

/** When the next event is due, microseconds; null where none is. Asks for no key. */
export function earliestDue(sql: Sql): number | null {
  if (sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", TABLE).length === 0) return null;
  return (sql.exec(`SELECT min(due) FROM ${TABLE}`)[0]?.[0] as number | null | undefined) ?? null;
}

/** The subject of the event that is due first at or before an instant; of several, the one made first. */
export function firstDue(sql: Sql, now: number): number | null {
  const rows = sql.exec(`SELECT subject FROM ${TABLE} WHERE due <= ? ORDER BY due, subject LIMIT 1`, now);
  return rows.length === 0 ? null : (rows[0][0] as number);
}
