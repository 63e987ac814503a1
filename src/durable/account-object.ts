/**
 * An account: its balance in ops, what its stores hold of it in advance, and the ledger of settled calls.
 *
 * A store draws a lease of ops, spends it without asking, and settles what its calls used; so a call makes no extra hop
 * while the lease covers it, and the ops a call may use were always taken from the balance first. Every message of a
 * store carries a number that only grows and what the store itself believes it holds: a lost reply, a repeated or a late
 * message can therefore neither mint nor lose an op. The ledger is keyed by call id; settling twice is settling once.
 *
 *   balance   = deposited - settled
 *   available = balance - the sum over stores of (granted - settled there)      never below 0
 *
 * What is taken back (taken-back.ts) lowers what was deposited, as far as it is available; the rest is owed.
 *
 * How many calls may be in work at once is shared out among the stores the same way.
 *
 * All amounts are whole ops in safe integers (1 LCN = 100,000 ops, so up to 9 * 10^10 LCN). Knows nothing of keys.
 */
import { DurableObject } from "cloudflare:workers";
import { assert } from "../failure";
import { CALLS_AT_ONCE_MAX } from "../limits";
import { BalanceAlert, tellLowBalance } from "./balance-alert";
import { type AccountLimits, prepareLimits, readLimits, writeLimits } from "./call-limits";
import type { DurableEnv } from "./env";
import { logLine } from "./log";
import { addHowCallsEnded, CALL_COLUMNS, callOf, type SettledCall } from "./settled-call";
import { SqlDurable } from "./sql-durable";
import { TakenBack, type Withdrawal } from "./taken-back";

export const DAY_MS = 86_400_000;

/** Why no call of an account may start; null where calls may. */
export type Closed = "suspended" | "no_access" | null;
/** Bits of the column `suspended`, which was a flag once. */
const SUSPENDED = 1;
const NO_ACCESS = 2;
/** Made with a store that passes, and gone with it. */
const PASSING = 4;

export interface AccountOpening {
  /** The first deposit, whole ops: LangCoin * 100,000. */
  readonly balanceOps: number;
  readonly callsAtOnceMax?: number;
  /** Gone once its store is: the account of a store that was made to pass. */
  readonly passing?: boolean;
}

export interface AccountStatus {
  readonly balanceOps: number;
  readonly availableOps: number;
  readonly suspended: boolean;
  /** False: the account has its dashboard, and no call of it starts. */
  readonly apiAccess: boolean;
  readonly callsAtOnceMax: number;
  readonly limits: AccountLimits;
  /** All that ever came in, less what was taken back. */
  readonly depositedOps: number;
  /** What is to be taken back, and will be of the next that comes in. */
  readonly owedOps: number;
  /** Below which balance its holder is written to. */
  readonly alertBelowOps: number | null;
}

export interface DayUsage {
  readonly day: number;
  readonly storeId: string;
  readonly keyId: string;
  readonly calls: number;
  readonly ops: number;
}

export interface AccountCall extends SettledCall {
  readonly storeId: string;
}

/** Which of a store's settled calls. */
export interface LedgerPart {
  readonly keyId?: string;
  /** The last call of the page before. */
  readonly before?: { readonly endedAtMs: number; readonly callId: string };
}

export interface KeyUsage {
  readonly keyId: string;
  readonly calls: number;
  readonly ops: number;
}

export interface LeaseRequest {
  readonly storeId: string;
  /** Grows with every message of this store. */
  readonly sequence: number;
  /** All ops ever granted to this store, as the store believes. */
  readonly heldOps: number;
  /** Ops the store wishes to hold beyond what it has used; 0 to settle only. */
  readonly freeOpsWanted: number;
  /** All ops ever used by this store, settled or not. */
  readonly usedOps: number;
  /** Calls that may be in work at this store at once, as the store believes. */
  readonly callsHeld: number;
  readonly callsWanted: number;
  readonly calls: readonly SettledCall[];
}

export type LeaseReply =
  | {
      readonly tag: "leased";
      /** All ops ever granted to this store. */
      readonly heldOps: number;
      readonly callsHeld: number;
      /** What is set for the calls of this account. */
      readonly limits: AccountLimits;
      /** Why no call of the account may start; null where calls may. */
      readonly closed: Closed;
      /** True where another store might give ops or calls back in a moment. */
      readonly askAgain: boolean;
    }
  /** The message was older than one already answered, whose number this is. */
  | { readonly tag: "stale"; readonly sequence: number }
  | { readonly tag: "no_account" };

/** What a store gives back when asked: its new belief, under a new number; null where it cannot say now. */
export type RecallReply = { readonly sequence: number; readonly heldOps: number; readonly callsHeld: number } | null;

export class AccountObject extends DurableObject<DurableEnv> {
  readonly #sql: SqlDurable;
  readonly #alert: BalanceAlert;
  readonly #takenBack: TakenBack;
  /** Its database is empty, tables and all. */
  #isGone = false;

  constructor(ctx: DurableObjectState, env: DurableEnv) {
    super(ctx, env);
    this.#sql = new SqlDurable(ctx.storage);
    this.#sql.exec(`CREATE TABLE IF NOT EXISTS account (
      one INTEGER PRIMARY KEY CHECK (one = 1), deposited INTEGER NOT NULL, settled INTEGER NOT NULL,
      suspended INTEGER NOT NULL, calls_at_once INTEGER NOT NULL) STRICT`);
    this.#sql.exec(`CREATE TABLE IF NOT EXISTS lease (
      store_id TEXT PRIMARY KEY, sequence INTEGER NOT NULL, granted INTEGER NOT NULL, settled INTEGER NOT NULL,
      calls INTEGER NOT NULL) STRICT, WITHOUT ROWID`);
    this.#sql.exec(`CREATE TABLE IF NOT EXISTS ledger (
      call_id TEXT PRIMARY KEY, store_id TEXT NOT NULL, key_id TEXT NOT NULL, tool TEXT NOT NULL,
      ops INTEGER NOT NULL, ended_at_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID`);
    addHowCallsEnded(this.#sql, "ledger");
    this.#sql.exec("CREATE INDEX IF NOT EXISTS ledger_store ON ledger (store_id, ended_at_ms)");
    this.#sql.exec("CREATE INDEX IF NOT EXISTS ledger_time ON ledger (ended_at_ms, call_id)");
    this.#alert = new BalanceAlert(this.#sql);
    this.#takenBack = new TakenBack(this.#sql);
    prepareLimits(this.#sql);
    this.#sql.exec(`CREATE TABLE IF NOT EXISTS deposit (
      deposit_id TEXT PRIMARY KEY, ops INTEGER NOT NULL) STRICT, WITHOUT ROWID`);
  }

  /** Makes the account. Opening an open one changes nothing. */
  open(opening: AccountOpening): AccountStatus {
    checkOps(opening.balanceOps);
    const callsAtOnce = opening.callsAtOnceMax ?? CALLS_AT_ONCE_MAX;
    this.#sql.exec(
      "INSERT OR IGNORE INTO account VALUES (1, ?, 0, ?, ?)",
      opening.balanceOps,
      opening.passing === true ? PASSING : 0,
      callsAtOnce,
    );
    return this.status();
  }

  /** Adds to the balance; the same deposit twice counts once. */
  deposit(depositId: string, ops: number): AccountStatus {
    checkOps(ops);
    this.#sql.transaction(() => {
      const known = this.#sql.exec("SELECT 1 FROM deposit WHERE deposit_id = ?", depositId);
      if (known.length > 0) return;
      const { deposited } = this.#account();
      checkOps(deposited + ops);
      this.#sql.exec("INSERT INTO deposit VALUES (?, ?)", depositId, ops);
      this.#sql.exec("UPDATE account SET deposited = ?", deposited + ops);
      this.#takeOwed();
    });
    this.#watchBalance();
    return this.status();
  }

  /**
   * Takes back so many ops in all under one id; told again, or of less, it takes nothing. What stores hold and do not need is asked
   * back first; what is missing then is owed. The ops that are newly to be taken; null, and nothing is, where `owing` is false and the
   * balance has not as many.
   */
  async takeBack(id: string, totalOps: number, owing: boolean): Promise<number | null> {
    checkOps(totalOps);
    const { deposited, settled } = this.#account();
    if (!owing && totalOps - this.#takenBack.totalOf(id) > deposited - settled) return null;
    const added = this.#takenBack.raise(id, totalOps, Date.now());
    await this.#collectOwed();
    return added;
  }

  /** Whatever no call needs now goes there first. */
  async #collectOwed(): Promise<void> {
    if (this.#takenBack.owedOps > this.#available()) await this.#recallFromOthers("");
    this.#sql.transaction(() => this.#takeOwed());
    this.#watchBalance();
  }

  /** What was taken back, latest first. */
  withdrawals(countMax: number): Withdrawal[] {
    return this.#takenBack.list(countMax);
  }

  #takeOwed(): void {
    const taken = this.#takenBack.take(Math.max(0, this.#available()));
    if (taken > 0) this.#sql.exec("UPDATE account SET deposited = deposited - ?", taken);
  }

  /** How many calls of the account may be at work at once, from the next on. */
  setCallsAtOnce(count: number): AccountStatus {
    assert(Number.isSafeInteger(count) && count >= 1, "calls at once are a whole number, at least 1");
    this.#account();
    this.#sql.exec("UPDATE account SET calls_at_once = ?", count);
    return this.status();
  }

  /** How often a key of the account may call, and what a call may use, from the next call on. */
  async setLimits(limits: AccountLimits): Promise<AccountStatus> {
    this.#account();
    writeLimits(this.#sql, limits);
    await Promise.all(this.#stores().map((store) => store.accountLimits(limits)));
    return this.status();
  }

  /** Below which balance the holder is written to; null: never. */
  setAlert(belowOps: number | null): void {
    if (belowOps !== null) checkOps(belowOps);
    this.#alert.set(belowOps);
    this.#watchBalance();
  }

  /** Collects what is owed, and writes to the holder, where that is due. The platform repeats an alarm that fails. */
  override async alarm(): Promise<void> {
    if (this.#takenBack.owedOps > 0) await this.#collectOwed();
    const { balanceOps } = this.status();
    if (!this.#alert.isDue(balanceOps) || this.env.DIRECTORY === undefined) return;
    await tellLowBalance(this.env, { accountId: this.ctx.id.toString(), balanceOps, belowOps: this.#alert.belowOps! }, Date.now());
    this.#alert.told(Date.now());
  }

  #watchBalance(): void {
    const { deposited, settled } = this.#account();
    if (this.#alert.isDue(deposited - settled)) this.#wake();
  }

  #wake(): void {
    this.ctx.storage.setAlarm(Date.now()).catch(() => {});
  }

  /** Stops or resumes all spending, also of what stores hold already. */
  setSuspended(suspended: boolean): Promise<AccountStatus> {
    return this.#close(SUSPENDED, suspended);
  }

  /** Whether calls belong to what the account includes. */
  setApiAccess(has: boolean): Promise<AccountStatus> {
    return this.#close(NO_ACCESS, !has);
  }

  async #close(bit: number, on: boolean): Promise<AccountStatus> {
    this.#sql.exec("UPDATE account SET suspended = (suspended & ~?1) | ?2", bit, on ? bit : 0);
    const { closed } = this.#account();
    await Promise.all(this.#stores().map((store) => store.accountClosed(closed)));
    return this.status();
  }

  /** A deleted store whose calls are all settled: what it held in advance is the account's again. Told again, nothing changes. */
  async storeGone(storeId: string): Promise<void> {
    if (this.#isGone) return;
    this.#sql.exec("DELETE FROM lease WHERE store_id = ?", storeId);
    const [account] = this.#sql.exec("SELECT suspended FROM account");
    if (account !== undefined && ((account[0] as number) & PASSING) === 0) return;
    this.#isGone = true;
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  status(): AccountStatus {
    const account = this.#account();
    return {
      balanceOps: account.deposited - account.settled,
      availableOps: this.#available(),
      suspended: account.closed === "suspended",
      apiAccess: account.apiAccess,
      callsAtOnceMax: account.callsAtOnce,
      limits: readLimits(this.#sql),
      depositedOps: account.deposited,
      owedOps: this.#takenBack.owedOps,
      alertBelowOps: this.#alert.belowOps,
    };
  }

  /** Ops by day (of UTC, as days since 1970), store and key, since an instant. */
  usageByDay(sinceMs: number): DayUsage[] {
    const rows = this.#sql.exec(
      `SELECT ended_at_ms / ${DAY_MS}, store_id, key_id, count(*), sum(ops) FROM ledger WHERE ended_at_ms >= ?
       GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
      sinceMs,
    );
    return rows.map(([day, storeId, keyId, calls, ops]) => ({ day, storeId, keyId, calls, ops }) as DayUsage);
  }

  /** Settled calls of all its stores, latest first. */
  ledgerOfAll(countMax: number, before?: LedgerPart["before"]): AccountCall[] {
    const rows = this.#sql.exec(
      `SELECT ${CALL_COLUMNS}, store_id FROM ledger
       WHERE ?1 IS NULL OR (ended_at_ms, call_id) < (?1, ?2) ORDER BY ended_at_ms DESC, call_id DESC LIMIT ?3`,
      before?.endedAtMs ?? null,
      before?.callId ?? null,
      countMax,
    );
    return rows.map((row) => ({ ...callOf(row), storeId: row[7] as string }));
  }

  /** Settled calls of one store, for its account's owner, latest first; of one key where one is named. */
  ledger(storeId: string, countMax: number, { keyId, before }: LedgerPart = {}): SettledCall[] {
    const rows = this.#sql.exec(
      `SELECT ${CALL_COLUMNS} FROM ledger
       WHERE store_id = ?1 AND (?2 IS NULL OR key_id = ?2) AND (?3 IS NULL OR (ended_at_ms, call_id) < (?3, ?4))
       ORDER BY ended_at_ms DESC, call_id DESC LIMIT ?5`,
      storeId,
      keyId ?? null,
      before?.endedAtMs ?? null,
      before?.callId ?? null,
      countMax,
    );
    return rows.map(callOf);
  }

  /** What each key of a store has used since an instant; keys that used nothing are absent. */
  usageOfKeys(storeId: string, sinceMs: number): KeyUsage[] {
    const rows = this.#sql.exec(
      "SELECT key_id, count(*), sum(ops) FROM ledger WHERE store_id = ? AND ended_at_ms >= ? GROUP BY key_id",
      storeId,
      sinceMs,
    );
    return rows.map((row) => ({ keyId: row[0] as string, calls: row[1] as number, ops: row[2] as number }));
  }

  /** Settles the calls and, where ops are wanted, grants as many as there are. */
  async lease(request: LeaseRequest): Promise<LeaseReply> {
    if (!this.#isOpen()) return { tag: "no_account" };
    const newest = this.#sql.transaction(() => this.#settle(request));
    this.#watchBalance();
    if (newest !== null) return { tag: "stale", sequence: newest };
    let askAgain = false;
    const opsShort = request.usedOps + request.freeOpsWanted - request.heldOps;
    const callsShort = request.callsWanted - request.callsHeld;
    if (opsShort > this.#available() || callsShort > this.#callsAvailable()) askAgain = await this.#recallFromOthers(request.storeId);
    const reply = this.#sql.transaction(() => this.#grant(request, askAgain));
    // A store that is being answered cannot give anything back: it is asked in a moment.
    if (this.#takenBack.owedOps > 0) this.#wake();
    return reply;
  }

  /** Null, or where this message is out of date the number of the newest of this store, and nothing is settled. */
  #settle(request: LeaseRequest): number | null {
    const [known] = this.#sql.exec("SELECT sequence, settled FROM lease WHERE store_id = ?", request.storeId);
    if (known !== undefined && request.sequence <= (known[0] as number)) return known[0] as number;
    let settledNow = 0;
    for (const call of request.calls) {
      checkOps(call.ops);
      const fresh = this.#sql.exec(
        "INSERT OR IGNORE INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING 1",
        call.callId,
        request.storeId,
        call.keyId,
        call.tool,
        call.ops,
        call.endedAtMs,
        call.ms,
        call.status,
      );
      if (fresh.length > 0) settledNow += call.ops;
    }
    const settledHere = ((known?.[1] as number | undefined) ?? 0) + settledNow;
    assert(settledHere <= request.usedOps, "a store settles no more than it used");
    assert(request.usedOps <= request.heldOps, "a store uses no more than it was granted");
    this.#sql.exec(
      "INSERT OR REPLACE INTO lease VALUES (?, ?, ?, ?, ?)",
      request.storeId,
      request.sequence,
      request.heldOps,
      settledHere,
      request.callsHeld,
    );
    this.#sql.exec("UPDATE account SET settled = settled + ?", settledNow);
    assert(this.#available() >= 0, "stores hold no more than the balance");
    return null;
  }

  #grant(request: LeaseRequest, askAgain: boolean): LeaseReply {
    const [row] = this.#sql.exec("SELECT sequence, granted, calls FROM lease WHERE store_id = ?", request.storeId);
    const [sequence, granted, calls] = row as [number, number, number];
    // A newer message of the same store may have been answered while others were asked to give back.
    if (sequence !== request.sequence) return { tag: "stale", sequence };
    this.#takeOwed();
    const { closed } = this.#account();
    const opsShort = closed !== null ? 0 : Math.max(0, request.usedOps + request.freeOpsWanted - granted);
    const callsShort = Math.max(0, request.callsWanted - calls);
    const opsGrant = Math.min(opsShort, this.#available());
    const callsGrant = Math.min(callsShort, Math.max(0, this.#callsAvailable()));
    const heldOps = granted + opsGrant;
    const callsHeld = calls + callsGrant;
    this.#sql.exec("UPDATE lease SET granted = ?, calls = ? WHERE store_id = ?", heldOps, callsHeld, request.storeId);
    return {
      tag: "leased",
      heldOps,
      callsHeld,
      limits: readLimits(this.#sql),
      closed,
      askAgain: askAgain && (opsGrant < opsShort || callsGrant < callsShort),
    };
  }

  /** Takes back what other stores hold and do not need at this moment. True where one of them could not say. */
  async #recallFromOthers(exceptStoreId: string): Promise<boolean> {
    const others = this.#sql.exec("SELECT store_id FROM lease WHERE (granted > settled OR calls > 0) AND store_id <> ?", exceptStoreId);
    let unsure = false;
    await Promise.all(
      others.map(async (row) => {
        const storeId = row[0] as string;
        let reply: RecallReply = null;
        try {
          reply = await this.#store(storeId).recallCredit();
        } catch (error) {
          // One store that cannot answer must not keep another from working; what it holds stays with it.
          logLine("fault", { where: "recall", store: storeId, error: String(error) });
        }
        if (reply === null) unsure = true;
        else this.#applyRecall(storeId, reply);
      }),
    );
    return unsure;
  }

  #applyRecall(storeId: string, reply: NonNullable<RecallReply>): void {
    this.#sql.exec(
      "UPDATE lease SET sequence = ?, granted = ?, calls = ? WHERE store_id = ? AND sequence < ?",
      reply.sequence,
      reply.heldOps,
      reply.callsHeld,
      storeId,
      reply.sequence,
    );
  }

  /** Those that have called at least once. */
  #stores() {
    return this.#sql.exec("SELECT store_id FROM lease").map(([storeId]) => this.#store(storeId as string));
  }

  #store(storeId: string) {
    return this.env.STORE.get(this.env.STORE.idFromString(storeId));
  }

  #isOpen(): boolean {
    return this.#sql.exec("SELECT 1 FROM account").length > 0;
  }

  #account(): { deposited: number; settled: number; closed: Closed; apiAccess: boolean; callsAtOnce: number } {
    const [row] = this.#sql.exec("SELECT deposited, settled, suspended, calls_at_once FROM account");
    assert(row !== undefined, "the account is open");
    const bits = row[2] as number;
    const apiAccess = (bits & NO_ACCESS) === 0;
    const closed = (bits & SUSPENDED) !== 0 ? "suspended" : apiAccess ? null : "no_access";
    return { deposited: row[0] as number, settled: row[1] as number, closed, apiAccess, callsAtOnce: row[3] as number };
  }

  #available(): number {
    const account = this.#account();
    const [[held]] = this.#sql.exec("SELECT coalesce(sum(granted - settled), 0) FROM lease");
    return account.deposited - account.settled - (held as number);
  }

  /** Below 0 where the limit was lowered while calls are in work. */
  #callsAvailable(): number {
    const [[held]] = this.#sql.exec("SELECT coalesce(sum(calls), 0) FROM lease");
    return this.#account().callsAtOnce - (held as number);
  }
}

function checkOps(ops: number): void {
  assert(Number.isSafeInteger(ops) && ops >= 0, "an amount is a whole number of ops, not negative");
}
