/**
 * The credit a store holds, and what its calls use of it: the store's side of the account's lease.
 *
 * A call reserves its ceiling before it runs and is billed what it used, never more than it reserved. What it used is
 * written slice by slice, in the transaction of the slice's own writes, so that after a crash exactly the ops behind the
 * writes on disk are billed. The account hears of it later (`settle`), or at once when the lease runs short.
 *
 *   free = held - used - reserved
 *
 * Messages to the account go one at a time and are numbered; see account-object.ts for why nothing is lost.
 */
import type { Sql } from "../engine/sql";
import { assert } from "../failure";
import { CALLS_AT_ONCE_MAX, SETTLE_CALLS_MAX } from "../limits";
import type { LeaseReply, LeaseRequest, RecallReply, SettledCall } from "./account-object";

export interface CreditRim {
  readonly storeId: string;
  readonly callOpsMax: number;
  lease(request: LeaseRequest): Promise<LeaseReply>;
  nowMs(): number;
  /** Before asking the account again. */
  pause(ms: number): Promise<void>;
}

/** What a call may use. `release` exactly once, when it has ended. */
export interface Reservation {
  readonly tag: "reserved";
  readonly opsMax: number;
  /** True where the credit, not the configured ceiling, is what bounds the call. */
  readonly isCredit: boolean;
  readonly callId: string;
  release(): void;
}

export interface NoCredit {
  readonly tag: "no_credit";
  readonly why: "suspended" | "balance" | "no_account";
}

/** Leased ahead: so many calls' ceilings beyond what is reserved. */
const LEASE_CALLS_AHEAD = 4;
/** How often a store asks again while another store of the account is between two messages. */
const ASK_AGAIN_MAX = 5;
const ASK_AGAIN_MS = 20;

export class Credit {
  readonly #sql: Sql;
  readonly #rim: CreditRim;
  #held: number;
  #used: number;
  #sequence: number;
  #suspended: boolean;
  #callsAtOnceMax: number;
  #reserved = 0;
  readonly #running = new Set<string>();
  #message: Promise<LeaseReply> | null = null;
  #onRelease: (() => void)[] = [];

  constructor(sql: Sql, rim: CreditRim) {
    this.#sql = sql;
    this.#rim = rim;
    const [row] = sql.exec("SELECT held, used, sequence, suspended, calls_at_once FROM service_credit");
    assert(row !== undefined, "a store has a credit row");
    this.#held = row[0] as number;
    this.#used = row[1] as number;
    this.#sequence = row[2] as number;
    this.#suspended = row[3] === 1;
    this.#callsAtOnceMax = row[4] as number;
  }

  static createTables(sql: Sql): void {
    sql.exec(`CREATE TABLE service_credit (
      one INTEGER PRIMARY KEY CHECK (one = 1), held INTEGER NOT NULL, used INTEGER NOT NULL, sequence INTEGER NOT NULL,
      suspended INTEGER NOT NULL, calls_at_once INTEGER NOT NULL) STRICT`);
    sql.exec("INSERT INTO service_credit VALUES (1, 0, 0, 0, 0, ?)", CALLS_AT_ONCE_MAX);
    sql.exec(`CREATE TABLE service_usage (
      call_id TEXT PRIMARY KEY, key_id TEXT NOT NULL, tool TEXT NOT NULL, ops INTEGER NOT NULL, ended_at_ms INTEGER NOT NULL)
      STRICT, WITHOUT ROWID`);
  }

  get callsAtOnceMax(): number {
    return this.#callsAtOnceMax;
  }

  get freeOps(): number {
    return this.#held - this.#used - this.#reserved;
  }

  /** Sets aside the ceiling of one call, or as much as there is; asks the account only where the lease does not cover it. */
  async reserve(callId: string): Promise<Reservation | NoCredit> {
    for (let asked = 0; ; ) {
      if (this.#suspended) return { tag: "no_credit", why: "suspended" };
      if (this.freeOps >= this.#rim.callOpsMax) return this.#take(callId);
      if (this.#message !== null) {
        await this.#message.catch(() => {}); // Whoever sent it hears of its failure; we look again and ask ourselves.
        continue;
      }
      const reply = await this.#ask(this.#reserved + LEASE_CALLS_AHEAD * this.#rim.callOpsMax);
      if (reply.tag === "no_account") return { tag: "no_credit", why: "no_account" };
      if (this.#suspended) return { tag: "no_credit", why: "suspended" };
      if (this.freeOps > 0) return this.#take(callId);
      if (this.#reserved > 0) {
        // Another call of this store holds the last of the credit, and may give some of it back.
        await new Promise<void>((resolve) => this.#onRelease.push(resolve));
        continue;
      }
      const mayChange = reply.tag === "stale" || reply.askAgain;
      if (!mayChange || ++asked >= ASK_AGAIN_MAX) return { tag: "no_credit", why: "balance" };
      await this.#rim.pause(ASK_AGAIN_MS);
    }
  }

  /** Writes what a call has used so far. Inside the transaction of the slice that used it. */
  record(reservation: Reservation, call: { readonly keyId: string; readonly tool: string; readonly ops: number }): void {
    const ops = Math.min(call.ops, reservation.opsMax);
    const [before] = this.#sql.exec("SELECT ops FROM service_usage WHERE call_id = ?", reservation.callId);
    const added = ops - ((before?.[0] as number | undefined) ?? 0);
    assert(added >= 0, "a call's ops never fall");
    if (added === 0) return;
    this.#sql.exec(
      `INSERT INTO service_usage VALUES (?1, ?2, ?3, ?4, ?5)
       ON CONFLICT (call_id) DO UPDATE SET ops = ?4, ended_at_ms = ?5`,
      reservation.callId,
      call.keyId,
      call.tool,
      ops,
      this.#rim.nowMs(),
    );
    this.#sql.exec("UPDATE service_credit SET used = used + ?", added);
  }

  /** Tells the account what was used, until nothing is left untold. */
  async settle(): Promise<void> {
    while (this.hasUnsettled()) {
      if (this.#message !== null) await this.#message.catch(() => {});
      else if ((await this.#ask(0)).tag === "no_account") return;
    }
  }

  hasUnsettled(): boolean {
    return this.#unsettled(1).length > 0;
  }

  /** Gives back whatever no call needs now; null while a message to the account is under way. */
  recall(): RecallReply {
    if (this.#message !== null) return null;
    this.#sql.transaction(() => {
      this.#held = this.#used + this.#reserved;
      this.#sequence++;
      this.#store();
    });
    return { sequence: this.#sequence, heldOps: this.#held };
  }

  suspend(suspended: boolean): void {
    this.#suspended = suspended;
    this.#store();
  }

  #take(callId: string): Reservation {
    const opsMax = Math.min(this.freeOps, this.#rim.callOpsMax);
    const isCredit = opsMax < this.#rim.callOpsMax;
    this.#reserved += opsMax;
    this.#running.add(callId);
    const release = (): void => {
      assert(this.#running.delete(callId), "a reservation is released once");
      this.#reserved -= opsMax;
      // While a call runs, what it used stands in its row and not in #used: its whole reservation stands for it.
      this.#used = this.#usedInRow();
      const waiting = this.#onRelease;
      this.#onRelease = [];
      for (const resume of waiting) resume();
    };
    return { tag: "reserved", opsMax, isCredit, callId, release };
  }

  #ask(freeOpsWanted: number): Promise<LeaseReply> {
    assert(this.#message === null, "one message to the account at a time");
    this.#message = this.#send(freeOpsWanted).finally(() => {
      this.#message = null;
    });
    return this.#message;
  }

  async #send(freeOpsWanted: number): Promise<LeaseReply> {
    const calls = this.#unsettled(SETTLE_CALLS_MAX);
    this.#sequence++;
    this.#store();
    const reply = await this.#rim.lease({
      storeId: this.#rim.storeId,
      sequence: this.#sequence,
      heldOps: this.#held,
      freeOpsWanted,
      usedOps: this.#usedInRow(),
      calls,
    });
    if (reply.tag !== "leased") return reply;
    this.#sql.transaction(() => {
      for (const call of calls) this.#sql.exec("DELETE FROM service_usage WHERE call_id = ?", call.callId);
      this.#held = reply.heldOps;
      this.#suspended = reply.suspended;
      this.#callsAtOnceMax = reply.callsAtOnceMax;
      this.#store();
    });
    return reply;
  }

  /** Calls that have ended and that the account may not know of. A call cut short by a crash is not running, so it has ended. */
  #unsettled(countMax: number): SettledCall[] {
    const calls: SettledCall[] = [];
    for (const row of this.#sql.exec("SELECT call_id, key_id, tool, ops, ended_at_ms FROM service_usage ORDER BY call_id")) {
      const callId = row[0] as string;
      if (this.#running.has(callId)) continue;
      calls.push({ callId, keyId: row[1] as string, tool: row[2] as string, ops: row[3] as number, endedAtMs: row[4] as number });
      if (calls.length >= countMax) break;
    }
    return calls;
  }

  #usedInRow(): number {
    const [[used]] = this.#sql.exec("SELECT used FROM service_credit");
    return used as number;
  }

  #store(): void {
    this.#sql.exec(
      "UPDATE service_credit SET held = ?, sequence = ?, suspended = ?, calls_at_once = ?",
      this.#held,
      this.#sequence,
      this.#suspended ? 1 : 0,
      this.#callsAtOnceMax,
    );
  }
}
