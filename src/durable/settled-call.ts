/** A call that used ops, as a store tells its account and the account keeps it: who called what, what it cost, how it ended. */
import type { Sql } from "../engine/sql";

export interface SettledCall {
  readonly callId: string;
  readonly keyId: string;
  readonly tool: string;
  readonly ops: number;
  readonly endedAtMs: number;
  /** From when it came to the store, what it waited for included. */
  readonly ms: number;
  /** Of its answer, with the reason where it was refused; `unfinished` of a call that was cut short, empty of one from before this was kept. */
  readonly status: string;
}

/** As `callOf` reads them. */
export const CALL_COLUMNS = "call_id, key_id, tool, ops, ended_at_ms, ms, status";

export function callOf([callId, keyId, tool, ops, endedAtMs, ms, status]: readonly unknown[]): SettledCall {
  return { callId, keyId, tool, ops, endedAtMs, ms, status } as SettledCall;
}

/** To a table of calls that was made before it was kept how they ended. */
export function addHowCallsEnded(sql: Sql, table: "ledger" | "service_usage"): void {
  const [made] = sql.exec("SELECT sql FROM sqlite_master WHERE name = ?", table);
  if (made === undefined || (made[0] as string).includes("status")) return;
  sql.exec(`ALTER TABLE ${table} ADD COLUMN ms INTEGER NOT NULL DEFAULT 0`);
  sql.exec(`ALTER TABLE ${table} ADD COLUMN status TEXT NOT NULL DEFAULT ''`);
}
