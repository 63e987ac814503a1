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
import {
  ACCOUNT_ASK_AGAIN_MAX,
  ACCOUNT_ASK_AGAIN_MS,
  ACCOUNT_FAILURES_MAX,
  LEASE_CALLS_AHEAD,
  LEASE_CEILINGS_AHEAD,
  SETTLE_CALLS_MAX,
} from "../limits";
import type { Closed, LeaseReply, LeaseRequest, RecallReply } from "./account-object";
import type { CallLimits } from "./call-limits";
import { addHowCallsEnded, CALL_COLUMNS, callOf, type SettledCall } from "./settled-call";

export interface CreditRim {
  readonly storeId: string;
  /** What a call may use at most, at this moment; a lease brings what the account has set since. */
  readonly limits: Pick<CallLimits, "callOpsMax" | "set">;
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
  /** The call waits for others, who are to have what it has not used. */
  rest(usedOps: number): void;
  /** It goes on, with what there is by now: `opsMax` may be another. */
  again(): Promise<void>;
  release(): void;
}

export interface NoCredit {
  readonly tag: "no_credit";
  readonly why: "suspended" | "balance" | "no_access" | "no_account";
}

/** As the column `suspended` has it. */
const CLOSED: readonly Closed[] = [null, "suspended", "no_access"];

export class Credit {
  readonly #sql: Sql;
  readonly #rim: CreditRim;
  #held: number;
  /** Null while the row knows better: a call has ended since it was read. */
  #used: number | null;
  #sequence: number;
  #closed: Closed;
  #callsHeld: number;
  #callsAdmitted = 0;
  #reserved = 0;
  /** Of that, what calls at rest have used: none of it comes free before others have worked. */
  #resting = 0;
  readonly #running = new Set<string>();
  #message: Promise<LeaseReply> | null = null;
  #onRelease: (() => void)[] = [];

  constructor(sql: Sql, rim: CreditRim) {
    this.#sql = sql;
    this.#rim = rim;
    addHowCallsEnded(sql, "service_usage");
    const [row] = sql.exec("SELECT held, used, sequence, suspended, calls_held FROM service_credit");
    assert(row !== undefined, "a store has a credit row");
    this.#held = row[0] as number;
    this.#used = row[1] as number;
    this.#sequence = row[2] as number;
    this.#closed = CLOSED[row[3] as number];
    this.#callsHeld = row[4] as number;
  }

  static createTables(sql: Sql): void {
    sql.exec(`CREATE TABLE service_credit (
      one INTEGER PRIMARY KEY CHECK (one = 1), held INTEGER NOT NULL, used INTEGER NOT NULL, sequence INTEGER NOT NULL,
      suspended INTEGER NOT NULL, calls_held INTEGER NOT NULL) STRICT`);
    sql.exec("INSERT INTO service_credit VALUES (1, 0, 0, 0, 0, 0)");
    sql.exec(`CREATE TABLE service_usage (
      call_id TEXT PRIMARY KEY, key_id TEXT NOT NULL, tool TEXT NOT NULL, ops INTEGER NOT NULL, ended_at_ms INTEGER NOT NULL)
      STRICT, WITHOUT ROWID`);
    addHowCallsEnded(sql, "service_usage");
  }

  get freeOps(): number {
    return this.#held - this.#usedByEnded() - this.#reserved;
  }

  /**
   * Lets one more call into work or into the queue, if the account allows as many at once; `dismiss` when it has ended.
   * Decided without waiting wherever the store holds enough.
   */
  async admit(): Promise<boolean> {
    const asking = new Asking(this.#rim);
    while (this.#callsAdmitted >= this.#callsHeld) {
      const reply = await this.#askOnce(asking, { freeOps: 0, calls: this.#callsAdmitted + LEASE_CALLS_AHEAD });
      if (reply === null) continue;
      // No account: the call is let in, and told so where credit is asked for.
      if (reply.tag === "no_account") break;
      if (this.#callsAdmitted < this.#callsHeld) break;
      if (!(await asking.again(reply))) return false;
    }
    this.#callsAdmitted++;
    return true;
  }

  dismiss(): void {
    assert(this.#callsAdmitted > 0, "a call that is dismissed was admitted");
    this.#callsAdmitted--;
  }

  /** Sets aside the ceiling of one call, or as much as there is; asks the account only where the lease does not cover it. */
  reserve(callId: string): Promise<Reservation | NoCredit> {
    return this.#once(0, () => this.#take(callId));
  }

  /** Takes, as soon as the ceiling of a call that has used so much is covered, or there is no more than there is. */
  async #once<T>(usedOps: number, take: () => T): Promise<T | NoCredit> {
    const asking = new Asking(this.#rim);
    for (;;) {
      if (this.#closed !== null) return { tag: "no_credit", why: this.#closed };
      if (this.freeOps >= this.#rim.limits.callOpsMax - usedOps) return take();
      const reply = await this.#askOnce(asking, {
        freeOps: this.#reserved + LEASE_CEILINGS_AHEAD * this.#rim.limits.callOpsMax,
        calls: this.#callsHeld,
      });
      if (reply === null) continue;
      if (reply.tag === "no_account") return { tag: "no_credit", why: "no_account" };
      if (this.#closed !== null) return { tag: "no_credit", why: this.#closed };
      if (this.freeOps > 0) return take();
      if (this.#reserved > this.#resting) {
        // Another call of this store holds the last of the credit, and may give some of it back.
        await new Promise<void>((resolve) => this.#onRelease.push(resolve));
        continue;
      }
      if (!(await asking.again(reply))) return { tag: "no_credit", why: "balance" };
    }
  }

  /** Writes what a call has used so far, and how it has ended once it has. Inside the transaction of the slice that used it. */
  record(reservation: Reservation, call: Omit<SettledCall, "callId" | "endedAtMs">): void {
    const ops = Math.min(call.ops, reservation.opsMax);
    const [before] = this.#sql.exec("SELECT ops, status FROM service_usage WHERE call_id = ?", reservation.callId);
    const added = ops - ((before?.[0] as number | undefined) ?? 0);
    assert(added >= 0, "a call's ops never fall");
    if (added === 0 && (before === undefined || before[1] === call.status)) return;
    this.#sql.exec(
      `INSERT INTO service_usage VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
       ON CONFLICT (call_id) DO UPDATE SET ops = ?4, ended_at_ms = ?5, ms = ?6, status = ?7`,
      reservation.callId,
      call.keyId,
      call.tool,
      ops,
      this.#rim.nowMs(),
      call.ms,
      call.status,
    );
    if (added > 0) this.#sql.exec("UPDATE service_credit SET used = used + ?", added);
  }

  /** Tells the account what was used, until nothing is left untold. */
  async settle(): Promise<void> {
    while (this.hasUnsettled()) {
      if (this.#message !== null) await this.#message.catch(() => {});
      else if ((await this.#ask({ freeOps: 0, calls: this.#callsHeld })).tag === "no_account") return;
    }
  }

  hasUnsettled(): boolean {
    return this.#unsettled(1).length > 0;
  }

  /** Gives back whatever no call needs now, ops and calls; null while a message to the account is under way. */
  recall(): RecallReply {
    if (this.#message !== null) return null;
    this.#sql.transaction(() => {
      this.#held = this.#usedByEnded() + this.#reserved;
      this.#callsHeld = Math.min(this.#callsHeld, this.#callsAdmitted);
      this.#sequence++;
      this.#store();
    });
    return { sequence: this.#sequence, heldOps: this.#held, callsHeld: this.#callsHeld };
  }

  close(closed: Closed): void {
    this.#closed = closed;
    this.#store();
  }

  #take(callId: string): Reservation {
    let opsMax = 0;
    let isCredit = false;
    const hold = (ops: number): void => {
      this.#reserved += ops - opsMax;
      opsMax = ops;
    };
    const fill = (): void => {
      const { callOpsMax } = this.#rim.limits;
      hold(opsMax + Math.max(0, Math.min(this.freeOps, callOpsMax - opsMax)));
      isCredit = opsMax < callOpsMax;
    };
    fill();
    this.#running.add(callId);
    return {
      tag: "reserved",
      callId,
      get opsMax() {
        return opsMax;
      },
      get isCredit() {
        return isCredit;
      },
      rest: (usedOps) => {
        hold(Math.min(usedOps, opsMax));
        this.#resting += opsMax;
        this.#released();
      },
      again: async () => {
        // At rest while it asks: nobody waits for what it has used, itself least of all.
        const used = opsMax;
        // Where there is none to be had, or nobody to ask, what is here has to do.
        await this.#once(used, fill).catch(() => {});
        this.#resting -= used;
        fill();
      },
      release: () => {
        assert(this.#running.delete(callId), "a reservation is released once");
        hold(0);
        this.#used = null;
        this.#released();
      },
    };
  }

  #released(): void {
    const waiting = this.#onRelease;
    this.#onRelease = [];
    for (const resume of waiting) resume();
  }

  /** Null: another message was under way, or this one failed and may be sent again; look anew at what there is. */
  async #askOnce(asking: Asking, want: Want): Promise<LeaseReply | null> {
    if (this.#message !== null) {
      await this.#message.catch(() => {}); // Whoever sent it hears of its failure; we look again and ask ourselves.
      return null;
    }
    try {
      return await this.#ask(want);
    } catch (error) {
      await asking.afterFailure(error);
      return null;
    }
  }

  #ask(want: Want): Promise<LeaseReply> {
    assert(this.#message === null, "one message to the account at a time");
    this.#message = this.#send(want).finally(() => {
      this.#message = null;
    });
    return this.#message;
  }

  async #send(want: Want): Promise<LeaseReply> {
    const calls = this.#unsettled(SETTLE_CALLS_MAX);
    this.#sequence++;
    this.#store();
    const reply = await this.#rim.lease({
      storeId: this.#rim.storeId,
      sequence: this.#sequence,
      heldOps: this.#held,
      freeOpsWanted: want.freeOps,
      usedOps: this.#usedInRow(),
      callsHeld: this.#callsHeld,
      callsWanted: want.calls,
      calls,
    });
    if (reply.tag === "stale") {
      // Only after this store was put back to an earlier state: number on from where the account is.
      this.#sequence = Math.max(this.#sequence, reply.sequence);
      this.#store();
    }
    if (reply.tag !== "leased") return reply;
    this.#sql.transaction(() => {
      for (const call of calls) this.#sql.exec("DELETE FROM service_usage WHERE call_id = ?", call.callId);
      this.#held = reply.heldOps;
      this.#closed = reply.closed;
      this.#callsHeld = reply.callsHeld;
      this.#rim.limits.set(reply.limits);
      this.#store();
    });
    return reply;
  }

  /** Calls that have ended and that the account may not know of. A call cut short by a crash is not running, so it has ended. */
  #unsettled(countMax: number): SettledCall[] {
    const calls: SettledCall[] = [];
    for (const row of this.#sql.exec(`SELECT ${CALL_COLUMNS} FROM service_usage ORDER BY call_id`)) {
      const call = callOf(row);
      if (this.#running.has(call.callId)) continue;
      calls.push(call);
      if (calls.length >= countMax) break;
    }
    return calls;
  }

  /** While a call runs, what it used so far is not counted here: its whole reservation stands for it. */
  #usedByEnded(): number {
    return (this.#used ??= this.#usedInRow());
  }

  #usedInRow(): number {
    const [[used]] = this.#sql.exec("SELECT used FROM service_credit");
    return used as number;
  }

  #store(): void {
    this.#sql.exec(
      "UPDATE service_credit SET held = ?, sequence = ?, suspended = ?, calls_held = ?",
      this.#held,
      this.#sequence,
      CLOSED.indexOf(this.#closed),
      this.#callsHeld,
    );
  }
}

interface Want {
  readonly freeOps: number;
  readonly calls: number;
}

/** How long one call goes on asking the account. */
class Asking {
  readonly #rim: CreditRim;
  #asked = 0;
  #failed = 0;

  constructor(rim: CreditRim) {
    this.#rim = rim;
  }

  /** True, after a pause, where the account may answer otherwise in a moment. */
  async again(reply: LeaseReply): Promise<boolean> {
    const mayChange = reply.tag === "stale" || (reply.tag === "leased" && reply.askAgain);
    if (!mayChange || ++this.#asked >= ACCOUNT_ASK_AGAIN_MAX) return false;
    await this.#rim.pause(ACCOUNT_ASK_AGAIN_MS);
    return true;
  }

  /** A message that failed may have arrived: the next one says again what we hold, under a new number, and settles it. */
  async afterFailure(error: unknown): Promise<void> {
    if (++this.#failed > ACCOUNT_FAILURES_MAX) throw error;
    await this.#rim.pause(ACCOUNT_ASK_AGAIN_MS);
  }
}
