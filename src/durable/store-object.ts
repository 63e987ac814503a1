/**
 * One store: its keys, its turns, its credit, its data key, and the engine over its own SQLite.
 *
 * A call's way: key (level, wrap) -> token bucket -> turn -> credit -> engine. `stop`, `notifications/cancelled` and departures
 * bypass the queue. Expected failures are returned, never thrown; what is thrown is our fault, and leaves an id and a line in
 * the log. All memory may be lost at any time (an idle object is dropped after about ten seconds): everything that
 * counts lies in SQL, and the engine is opened from it anew.
 *
 * Members that must not be callable from outside are `#`: TypeScript's `private` is no protection over RPC.
 */
import { DurableObject } from "cloudflare:workers";
import type { Level } from "../engine/claim";
import { assert, EngineError } from "../failure";
import { QUEUE_LENGTH_MAX, REQUEST_BATCH_BYTES_MAX, REQUEST_FRAME_BYTES_MAX, STORE_BYTES_MAX } from "../limits";
import type { Embedder } from "../request/meaning/embedder";
import { exportFault } from "../request/request-arguments";
import type { RequestLimits } from "../request/run-request";
import type { ToolAnswer, ToolCall, ToolTask } from "../tools/answer";
import { InvalidParams } from "../tools/answer";
import type { Closed, RecallReply } from "./account-object";
import {
  type Identity,
  type KeyRow,
  notedOf,
  READ_EXPORT,
  type StoreProvision,
  type StoreReply,
  type StoreRequest,
  type Work,
} from "./call";
import { CallAtWork } from "./call-at-work";
import { type AccountLimits, CallLimits } from "./call-limits";
import { ChangeWatch } from "./change-watch";
import { Credit, type Reservation } from "./credit";
import { embedderOf, embedTexts } from "./embedding";
import type { DurableEnv } from "./env";
import { positiveSetting } from "./env";
import { ExportFolder } from "./export-folder";
import type { IssueResult, KeyListing, KnownKey, OpenedKey, RotateResult } from "./key-ring";
import { KeyRing } from "./key-ring";
import { faultFields, logLine } from "./log";
import { NEWCOMERS } from "./newcomers";
import { drive, giveTurn } from "./run-loop";
import { readOrigin, type SnapshotChanges, SnapshotDesk, type SnapshotName, type SnapshotTaken, type StoreOrigin } from "./snapshot-desk";
import { SnapshotFault } from "./snapshot-folder";
import { dropStaged } from "./snapshot-tables";
import { SqlDurable, StorageFailure } from "./sql-durable";
import type { StopOutcome } from "./store-answers";
import {
  busyAnswer,
  carriableAnswer,
  howEnded,
  neverBegunAnswer,
  notOpenedAnswer,
  notServedAnswer,
  paymentMessage,
  scopeAnswer,
  stopAnswer,
  unconfirmedAnswer,
} from "./store-answers";
import { deleteFiles, StoreDeletion } from "./store-deletion";
import { type EngineSession, PARTS, type StoreParts } from "./store-parts";
import type { Place, TurnMode, TurnOutcome } from "./turn-queue";
import { TurnQueue } from "./turn-queue";
import { dataKeyCheck, StoreCipher, sameSecret } from "./vault";
import { isLong, writtenAnswer } from "./written-answer";

/** Bytes of the database and its limit; keys not revoked; when a call of any key last ended, milliseconds. */
export interface StoreOverview {
  readonly bytes: number;
  readonly bytesMax: number;
  readonly keysOpen: number;
  readonly lastCallMs: number | null;
  /** A key has opened it: what it holds is sealed under that key's data key from then on. */
  readonly opened: boolean;
  /** The store it is a copy of: its first key is made with a key of that one. */
  readonly copiedFrom: string | null;
}

/** How what was asked about a snapshot went. `busy`: calls held the store for longer than is waited. */
export type SnapshotReply<T> =
  | { readonly tag: "done"; readonly result: T }
  | { readonly tag: "busy" }
  | { readonly tag: "refused"; readonly why: string };

/** What work done at its time is billed as; nobody has called. */
const SCHEDULE = "schedule";

/** Tools that touch no store: whoever may call is told so, and the worker answers. */
const STORELESS_TOOLS: ReadonlySet<string> = new Set(["spec", "report"]);

interface Provisioned {
  readonly accountId: string;
  readonly createdAtMicros: number;
  readonly keys: KeyRing;
  readonly credit: Credit;
  readonly limits: CallLimits;
  readonly origin: StoreOrigin;
  readonly deletion: StoreDeletion;
}

export class StoreObject extends DurableObject<DurableEnv> {
  readonly #sql: SqlDurable;
  readonly #parts: StoreParts;
  readonly #storeId: string;
  readonly #queue: TurnQueue;
  readonly #calls = new Set<CallAtWork>();
  readonly #watch = new ChangeWatch(after);
  readonly #requestLimits: RequestLimits;
  readonly #embedder: Embedder | null;
  #provisioned: Provisioned | null = null;
  #open: EngineSession | null = null;
  #stopIdleTimer: () => void = () => {};
  /** When this object is woken next, as far as it knows: one that has just begun may have been set another time. */
  #alarmAtMs = Number.POSITIVE_INFINITY;

  constructor(ctx: DurableObjectState, env: DurableEnv, parts: StoreParts = PARTS) {
    super(ctx, env);
    this.#sql = new SqlDurable(ctx.storage);
    this.#parts = parts;
    this.#queue = new TurnQueue({ lengthMax: QUEUE_LENGTH_MAX, waitMsMax: parts.queueWaitMsMax, after });
    this.#storeId = ctx.id.toString();
    this.#requestLimits = {
      frameBytesMax: positiveSetting(env.REQUEST_FRAME_BYTES, REQUEST_FRAME_BYTES_MAX),
      batchBytesMax: positiveSetting(env.REQUEST_BATCH_BYTES, REQUEST_BATCH_BYTES_MAX),
    };
    this.#embedder = embedderOf(env);
    this.#provisioned = this.#readProvision();
    dropStaged(this.#sql);
  }

  // ---- made and kept by the account side

  /** Makes the store. Once. */
  provision(provision: StoreProvision): void {
    assert(this.#provisioned === null, "a store is provisioned once");
    const nowMs = Date.now();
    this.#sql.transaction(() => {
      this.#sql.exec(
        "CREATE TABLE service_store (one INTEGER PRIMARY KEY CHECK (one = 1), account_id TEXT NOT NULL, created_at_us INTEGER NOT NULL, key_check BLOB) STRICT",
      );
      this.#sql.exec("INSERT INTO service_store VALUES (1, ?, ?, NULL)", provision.accountId, provision.createdAtMicros);
      KeyRing.createTables(this.#sql);
      Credit.createTables(this.#sql);
      const keys = new KeyRing(this.#sql, this.#storeId);
      for (const key of provision.keys) assert(keys.issue(key, nowMs).tag === "issued", "the keys of a new store are well formed");
      if (provision.expiresAtMs !== undefined) StoreDeletion.makePassing(this.#sql, provision.expiresAtMs);
    });
    this.#provisioned = this.#readProvision();
    if (provision.expiresAtMs !== undefined) this.#wakeAt(provision.expiresAtMs);
  }

  issueKey(key: KeyRow): IssueResult {
    return this.#made().keys.issue(key, Date.now());
  }

  /** The only key of a store that was made to pass: nobody signs in for those. False for every other store, and a second time. */
  issuePassingKey(key: KeyRow): boolean {
    const made = this.#provisioned;
    if (made === null || made.deletion.expiresAtMs === null || made.keys.list().length > 0) return false;
    return made.keys.issue(key, Date.now()).tag === "issued";
  }

  /** From now on this key opens nothing, for its waiting calls too; one that is running is stopped at its next statement. */
  revokeKey(keyId: string): boolean {
    const revoked = this.#made().keys.revoke(keyId, Date.now());
    if (revoked) for (const call of this.#calls) if (call.keyId === keyId && call.running) call.stop();
    return revoked;
  }

  /** The same key under a new secret: the old one opens nothing from now on; a call of it that is running is stopped. */
  rotateKey(keyId: string, secret: { readonly hash: string; readonly wrap: Uint8Array }): RotateResult {
    const result = this.#made().keys.rotate(keyId, secret);
    if (result.tag === "rotated") for (const call of this.#calls) if (call.keyId === keyId) call.stop();
    return result;
  }

  /** Raised: from the next call on. Lowered: from the next statement on, also of a call that is running. */
  setLevel(keyId: string, level: Level): boolean {
    const changed = this.#made().keys.setLevel(keyId, level);
    if (changed) for (const call of this.#calls) if (call.keyId === keyId && call.running) call.lower(level);
    return changed;
  }

  /** Brings the account up to date now, rather than some seconds after the last call. */
  async settle(): Promise<void> {
    await this.#made().credit.settle();
  }

  listKeys(): KeyListing[] {
    return this.#made().keys.list();
  }

  /** What its owner sees of it without a key. */
  overview(): StoreOverview {
    const keys = this.#made().keys.list();
    const used = keys.flatMap((key) => key.lastUsedAtMs ?? []);
    return {
      bytes: this.#sql.databaseBytes(),
      bytesMax: STORE_BYTES_MAX,
      keysOpen: keys.filter((key) => key.revokedAtMs === null).length,
      lastCallMs: used.length === 0 ? null : Math.max(...used),
      opened: this.#sql.exec("SELECT 1 FROM service_store WHERE key_check IS NOT NULL").length > 0,
      copiedFrom: this.#made().origin.copiedFrom,
    };
  }

  /** The data key as a key of this hash wraps it, for that key's holder to open; null where no such key opens the store. */
  readWrap(hash: string): Uint8Array | null {
    return this.#made().keys.wrapOf(hash);
  }

  // ---- snapshots, for its owner: each has the store to itself, and calls wait meanwhile

  takeSnapshot(snapshotId: string): Promise<SnapshotReply<SnapshotTaken>> {
    return this.#atDesk((desk) => desk.take(snapshotId, Date.now()));
  }

  /** What a restore would change; with a key of the store, kinds by their names. */
  async snapshotChanges(
    snapshotId: string,
    key: Pick<StoreRequest, "keyHash" | "keyEncryptionKey"> | null,
  ): Promise<SnapshotReply<SnapshotChanges>> {
    if (key === null) return this.#atDesk((desk) => desk.changes(snapshotId, null));
    const made = this.#made();
    const opened = made.keys.open(key.keyHash, key.keyEncryptionKey);
    if (opened === null || opened.level === "none" || !this.#dataKeyFits(opened, made))
      return { tag: "refused", why: "this key reads nothing of this store" };
    const cipher = new StoreCipher(opened.dataKey, made.origin.sealedAs);
    opened.dataKey.fill(0);
    return this.#atDesk((desk) => desk.changes(snapshotId, cipher));
  }

  /** The store is as it was; what it was until now is kept as another snapshot. Keys, levels and credit stay as they are. */
  restoreSnapshot(snapshotId: string, keptAs: string): Promise<SnapshotReply<SnapshotTaken>> {
    return this.#atDesk(async (desk) => this.#replaced(await desk.restore(snapshotId, keptAs, Date.now())));
  }

  /** This store, new and empty, is a copy of another as that was. */
  copySnapshot(name: SnapshotName): Promise<SnapshotReply<null>> {
    return this.#atDesk(async (desk) => {
      await desk.copy(name);
      this.#provisioned = this.#readProvision();
      return this.#replaced(null);
    });
  }

  async #atDesk<T>(work: (desk: SnapshotDesk) => Promise<T>): Promise<SnapshotReply<T>> {
    const made = this.#made();
    const place = this.#queue.enter("alone");
    try {
      if ((await place.outcome) !== "turn") return { tag: "busy" };
      if (made.deletion.emptyAtMs !== null) return { tag: "refused", why: "the store is deleted" };
      const store = { storeId: this.#storeId, createdAtMicros: made.createdAtMicros };
      return { tag: "done", result: await work(new SnapshotDesk(this.#sql, this.env.FILES, store)) };
    } catch (error) {
      if (error instanceof SnapshotFault) return { tag: "refused", why: error.message };
      if (error instanceof Error && error.message.includes("SQLITE_LOCKED")) {
        // Nothing was changed; the next life of the object has no scan that was broken off.
        this.#beginAnew();
        return { tag: "busy" };
      }
      logLine("fault", { store: this.#storeId, tool: "snapshot", ...faultFields(error) });
      this.#forgetDataKey();
      throw error;
    } finally {
      this.#giveBack(place);
    }
  }

  /** What was held in memory is of another content now, and what is due may be due at another time. */
  async #replaced<T>(result: T): Promise<T> {
    this.#forgetDataKey();
    this.#settleLater();
    await this.#saved();
    return result;
  }

  /** From now on no key opens the store, and at `emptyAtMs` all of it is gone for good. Null: its owner wants it back; false where it is too late. */
  setDeletion(emptyAtMs: number | null): boolean {
    const deletion = this.#provisioned?.deletion;
    const nowMs = Date.now();
    if (deletion === undefined || (deletion.emptyAtMs ?? Number.POSITIVE_INFINITY) <= nowMs) return false;
    deletion.set(emptyAtMs);
    if (emptyAtMs !== null) {
      for (const call of this.#calls) call.stop();
      this.#forgetDataKey();
    }
    // The alarm settles, and looks what is next.
    this.#wakeAt(nowMs);
    return true;
  }

  /** Called by the account. */
  recallCredit(): RecallReply {
    return this.#made().credit.recall();
  }

  /** Called by the account: while it is closed, no call starts. */
  accountClosed(closed: Closed): void {
    this.#made().credit.close(closed);
  }

  /** Called by the account: what its operator has set for it. */
  accountLimits(limits: AccountLimits): void {
    this.#made().limits.set(limits);
  }

  // ---- called by the worker

  async call(request: StoreRequest): Promise<StoreReply> {
    const callId = crypto.randomUUID();
    // Where the worker is in this isolate, the call is a newcomer until that has answered.
    const cameFromElsewhere = !NEWCOMERS.has(request.cancelToken);
    NEWCOMERS.add(request.cancelToken, this.#storeId, Date.now());
    try {
      return await this.#answer(request, callId);
    } catch (error) {
      logLine("fault", { id: callId, store: this.#storeId, tool: request.tool, ...faultFields(error) });
      // Whatever the engine held in memory may disagree with the disk now: the next call opens it anew.
      this.#forgetDataKey();
      if (error instanceof StorageFailure) this.#beginAnew();
      return { tag: "failed", id: callId };
    } finally {
      if (cameFromElsewhere) NEWCOMERS.delete(request.cancelToken);
      request.keyEncryptionKey.fill(0);
    }
  }

  /** The caller of this call has left (contract §4.2). */
  cancel(token: string): void {
    for (const call of this.#calls) if (call.cancelToken === token) call.stop();
  }

  /** `notifications/cancelled`: acts on exactly one call of that key with that id, type included; otherwise on none. */
  cancelRequest(keyHash: string, requestId: string | number): void {
    const named = [...this.#calls].filter((call) => call.keyHash === keyHash && call.requestId === requestId);
    if (named.length === 1) named[0].stop();
  }

  /** What a client says of itself at `initialize`: a label, never a credential. */
  recordClient(keyHash: string, clientInfo: unknown): void {
    if (this.#provisioned?.deletion.emptyAtMs === null) this.#provisioned.keys.recordClient(keyHash, clientInfo, Date.now());
  }

  /** Settles with the account, and does what is due where the data key is at hand. The platform repeats an alarm that fails. */
  override async alarm(): Promise<void> {
    this.#alarmAtMs = Number.POSITIVE_INFINITY;
    await this.#provisioned?.credit.settle();
    const emptyAtMs = this.#provisioned?.deletion.emptyAtMs ?? null;
    if (emptyAtMs !== null) {
      if (this.#calls.size > 0) return this.#settleLater();
      return emptyAtMs <= Date.now() ? this.#empty() : this.#wakeAt(emptyAtMs);
    }
    const expiresAtMs = this.#provisioned?.deletion.expiresAtMs ?? null;
    if (expiresAtMs !== null && expiresAtMs <= Date.now()) return this.#calls.size > 0 ? this.#settleLater() : this.#empty();
    if (this.#provisioned !== null && this.#open !== null && this.#isSomethingDue()) await this.#fireBetweenCalls(this.#provisioned);
    if (this.#calls.size > 0) this.#settleLater();
    // What is overdue waits for the next keyed call: nothing here can read it.
    const dueMs = (this.#dueMicros() ?? 0) / 1000;
    const nextMs = Math.min(dueMs > Date.now() ? dueMs : Number.POSITIVE_INFINITY, expiresAtMs ?? Number.POSITIVE_INFINITY);
    if (nextMs < Number.POSITIVE_INFINITY) this.#wakeAt(nextMs);
  }

  /** Leaves nothing of the store, here or in object storage; what it held of the account's credit goes back. */
  async #empty(): Promise<void> {
    const { accountId } = this.#made();
    await this.env.ACCOUNT.get(this.env.ACCOUNT.idFromString(accountId)).storeGone(this.#storeId);
    await deleteFiles(this.env.FILES, this.#storeId);
    this.#forgetDataKey();
    this.#provisioned = null;
    await this.ctx.storage.deleteAlarm();
    this.#alarmAtMs = Number.POSITIVE_INFINITY;
    await this.ctx.storage.deleteAll();
  }

  async #fireBetweenCalls(made: Provisioned): Promise<void> {
    const place = this.#queue.enter("alone");
    try {
      if ((await place.outcome) === "turn" && this.#open !== null) await this.#fireDue(null, made, null);
    } finally {
      this.#giveBack(place);
    }
  }

  // ---- a call's way

  async #answer(request: StoreRequest, callId: string): Promise<StoreReply> {
    const made = this.#provisioned;
    const key = made?.keys.open(request.keyHash, request.keyEncryptionKey) ?? null;
    if (made === null || key === null || !made.deletion.isOpen(Date.now()) || !this.#dataKeyFits(key, made)) return { tag: "denied" };
    try {
      return await this.#answerKey(request, made, key, callId);
    } finally {
      // What opened the store is not kept beyond the call; the engine keeps its own sub-keys until the store is idle.
      key.dataKey.fill(0);
    }
  }

  async #answerKey(request: StoreRequest, made: Provisioned, key: OpenedKey, callId: string): Promise<StoreReply> {
    const retryAfterS = made.limits.take(key.keyId, Date.now());
    if (retryAfterS > 0) return { tag: "rate_limited", why: "key_rate", retryAfterS };
    if (STORELESS_TOOLS.has(request.tool)) return { tag: "admitted", identity: this.#identity(key, Date.now() * 1000) };
    if (request.tool === "stop") {
      const answer = key.level === "none" || key.level === "read" ? scopeAnswer("stop") : stopAnswer(await this.#stopRunning());
      return { tag: "answered", identity: this.#identity(key, Date.now() * 1000), answer };
    }
    if (request.tool === READ_EXPORT) return this.#readExport(request, key, made);
    if (!this.#parts.engine.toolsServed.has(request.tool)) {
      return { tag: "answered", identity: this.#identity(key, Date.now() * 1000), answer: notServedAnswer(request.tool) };
    }
    const call = new CallAtWork(request, key, callId);
    this.#calls.add(call);
    this.#stopIdleTimer();
    try {
      if (!(await made.credit.admit())) return { tag: "rate_limited", why: "calls_at_once", retryAfterS: 1 };
      try {
        return await this.#inTurn(request, made, key, call);
      } finally {
        this.#giveBack(call.place);
        made.credit.dismiss();
      }
    } finally {
      this.#calls.delete(call);
      call.end();
      // Neither a call that waits for a change nor what is done at its time between calls.
      if (this.#calls.size === 0 && this.#queue.runningCount === 0) this.#open?.rest?.();
      if (this.#calls.size === 0) this.#stopIdleTimer = after(this.#parts.vaultIdleMs, () => this.#forgetDataKey());
    }
  }

  async #inTurn(request: StoreRequest, made: Provisioned, key: OpenedKey, call: CallAtWork): Promise<StoreReply> {
    const enteredMs = Date.now();
    let waitedMs = 0;
    const work = (): Work => ({ callId: call.callId, waitedMs, waiting: this.#queue.waitingCount, running: this.#queue.runningCount });
    const answered = (answer: ToolAnswer): StoreReply => ({
      tag: "answered",
      identity: this.#identity(key, Date.now() * 1000),
      answer,
      work: work(),
    });
    if (call.stopAsked) return answered(neverBegunAnswer(request.tool));
    let now: KnownKey = key;
    for (;;) {
      // What is due is done alone, before this call.
      const mode = this.#isSomethingDue() ? "alone" : modeOf(now);
      call.place = this.#queue.enter(mode);
      const outcome = await this.#turnOf(call);
      waitedMs = Date.now() - enteredMs;
      if (outcome === "busy") return answered(busyAnswer(request.tool));
      if (outcome === "left" || call.stopAsked) return answered(neverBegunAnswer(request.tool));
      // The key may have been revoked or given another level, or the store deleted, while the call waited.
      const current = made.keys.read(key.keyId);
      if (current === null || !made.deletion.isOpen(Date.now())) return { tag: "denied" };
      now = current;
      // A turn taken alone is never too little; one taken together may be.
      if (mode === "alone" || modeOf(now) === mode) break;
      call.place.leave();
    }
    call.running = true;
    call.level = now.level;
    await this.#fireDue(key.dataKey, made, call);
    if (call.stopAsked) return answered(neverBegunAnswer(request.tool));
    const reservation = await made.credit.reserve(call.callId);
    if (reservation.tag === "no_credit") return { tag: "payment_required", message: paymentMessage(reservation.why) };
    try {
      const toolCall: ToolCall = {
        tool: request.tool,
        args: request.args,
        caller: {
          keyId: now.keyId,
          get level() {
            return call.level;
          },
        },
        wallMicros: Date.now() * 1000,
        opsMax: reservation.opsMax,
        opsMaxIsCredit: reservation.isCredit,
      };
      const task = this.#session(key.dataKey, made).startTool(toolCall);
      call.task = task;
      if (call.stopAsked) task.stop();
      await this.#driven(task, made, reservation, { keyId: now.keyId, tool: request.tool, sinceMs: enteredMs }, call);
      const identity = this.#identity(now, task.instant);
      const whole = task.answer();
      const written = isLong(whole) && whole.file === undefined ? await writtenInTurns(identity, whole) : null;
      if (written !== null) return { tag: "written", identity, pieces: written, told: notedOf(whole), work: work() };
      const answer = carriableAnswer(request.tool, whole);
      if (answer.file !== undefined) return await this.#keepFile(answer, this.#exports(key, made), { identity, work: work() });
      return { tag: "answered", identity, answer, work: work() };
    } catch (error) {
      if (error instanceof InvalidParams) return { tag: "invalid_params", message: error.message };
      if (error instanceof EngineError && this.#open === null) return answered(notOpenedAnswer(request.tool, error.message));
      if (!(error instanceof StorageFailure)) throw error;
      return this.#unconfirmed(request, call, now, error);
    } finally {
      reservation.release();
    }
  }

  /** Runs a task to its end, slice by slice, saved and billed as it goes. */
  async #driven(
    task: ToolTask,
    made: Provisioned,
    reservation: Reservation,
    billed: { readonly keyId: string; readonly tool: string; readonly sinceMs: number },
    waiting: CallAtWork | null = null,
  ): Promise<void> {
    const token = waiting?.cancelToken ?? SCHEDULE;
    const rowsAtStart = this.#sql.rowsWritten;
    let rowsBefore = rowsAtStart;
    await drive(task, {
      atomically: (body) => this.#sql.transaction(body),
      sliceEnded: (_, done) => {
        // A slice that wrote nothing leaves nothing behind a crash, so it is billed with a later one.
        if (!done && this.#sql.rowsWritten === rowsBefore) return;
        const { keyId, tool, sinceMs } = billed;
        const status = done ? howEnded(task.answer()) : "unfinished";
        made.credit.record(reservation, { keyId, tool, ops: task.ops, ms: Date.now() - sinceMs, status });
        if (task.ops > 0) this.#settleLater();
        if (done && billed.tool !== SCHEDULE) made.keys.used(billed.keyId, Date.now());
        rowsBefore = this.#sql.rowsWritten;
      },
      giveTurn: (slices) => NEWCOMERS.giveWay(token, slices, giveTurn, Date.now),
      sliceMs: () => NEWCOMERS.sliceMs(this.#storeId, Date.now()),
      embed: (texts) => embedTexts(this.#embedder, texts),
      awaitChange:
        waiting === null
          ? undefined
          : async (msMax) => {
              reservation.rest(task.ops);
              await this.#awaitChange(waiting, msMax);
              await reservation.again();
              return { opsMax: reservation.opsMax, opsMaxIsCredit: reservation.isCredit };
            },
      nowMs: () => Date.now(),
    });
    if (this.#sql.rowsWritten !== rowsAtStart) await this.#saved();
  }

  /** What was done in the turn may be what another waits for. */
  #giveBack(place: Place | null): void {
    place?.leave();
    this.#watch.tell();
  }

  /** Who waits for a turn hurries nobody. */
  async #turnOf({ place, cancelToken }: CallAtWork): Promise<TurnOutcome> {
    NEWCOMERS.delete(cancelToken);
    const outcome = await place!.outcome;
    NEWCOMERS.add(cancelToken, this.#storeId, Date.now());
    return outcome;
  }

  /** The call gives its turn back until another has written, `msMax` are over or it is to stop, and then takes a turn again. */
  async #awaitChange(call: CallAtWork, msMax: number): Promise<void> {
    const engine = this.#open;
    const before = engine?.changes;
    this.#giveBack(call.place);
    await this.#watch.wait(msMax, () => this.#open !== engine || engine?.changes !== before, call.stopping);
    call.place = this.#queue.enter(modeOf({ level: call.level, hasWorked: true }), { patient: true });
    await call.place.outcome;
    // A snapshot was restored, or the engine failed: the task is of a store that is no longer open.
    if (this.#open !== engine) call.stop();
  }

  // ---- what was asked for at a time

  #dueMicros(): number | null {
    return this.#parts.engine.earliestDue?.(this.#sql) ?? null;
  }

  #isSomethingDue(): boolean {
    const due = this.#dueMicros();
    return due !== null && due <= Date.now() * 1000;
  }

  /** Does what is due, in order, in the turn of a call that has it alone. What the account cannot pay for stays due. */
  async #fireDue(dataKey: Uint8Array | null, made: Provisioned, call: CallAtWork | null): Promise<void> {
    while (this.#isSomethingDue() && call?.stopAsked !== true) {
      const reservation = await made.credit.reserve(crypto.randomUUID());
      if (reservation.tag === "no_credit") return;
      try {
        const wallMicros = Date.now() * 1000;
        const how = { wallMicros, opsMax: reservation.opsMax, opsMaxIsCredit: reservation.isCredit };
        const session = dataKey === null ? this.#open : this.#session(dataKey, made);
        const fired = session?.startDue?.(how, (keyId) => made.keys.read(keyId)?.level ?? null) ?? null;
        if (fired === null) return;
        if (call !== null) call.task = fired;
        await this.#driven(fired, made, reservation, { keyId: fired.keyId, tool: SCHEDULE, sinceMs: Date.now() });
      } catch (error) {
        if (error instanceof StorageFailure) throw error;
        // Our fault, and not the caller's: the call is served all the same, by an engine opened anew.
        logLine("fault", { store: this.#storeId, tool: SCHEDULE, ...faultFields(error) });
        this.#forgetDataKey();
        return;
      } finally {
        reservation.release();
        if (call !== null) call.task = null;
      }
    }
  }

  /** The answer goes to a file, and says where it is. */
  async #keepFile(
    answer: ToolAnswer,
    folder: ExportFolder,
    beside: { readonly identity: Identity; readonly work: Work },
  ): Promise<StoreReply> {
    const { file, ...told } = answer;
    try {
      const manifest = await folder.keep(file!);
      return { tag: "answered", ...beside, answer: { ...told, text: JSON.stringify(manifest) } };
    } catch (error) {
      logLine("fault", { store: this.#storeId, tool: "save_to", ...faultFields(error) });
      const message = `the ops ran, and what they wrote is saved, but the file could not be written: ${error instanceof Error ? error.message : "unknown"}`;
      const { summary, failures = [] } = file!.manifest;
      return { tag: "file_not_kept", ...beside, message, data: { summary, failures, domain_disposition: "unknown" } };
    }
  }

  /** A file that `save_to` wrote. Needs no turn: nothing that runs can change one. */
  async #readExport(request: StoreRequest, key: OpenedKey, made: Provisioned): Promise<StoreReply> {
    const identity = this.#identity(key, Date.now() * 1000);
    const path = request.args["path"];
    const readable = key.level !== "none" && typeof path === "string" && exportFault(path) === null;
    return { tag: "file", identity, bytes: readable ? await this.#exports(key, made).read(path) : null };
  }

  #exports(key: OpenedKey, made: Provisioned): ExportFolder {
    return new ExportFolder(this.env.FILES, this.#storeId, new StoreCipher(key.dataKey, made.origin.sealedAs));
  }

  #settleLater(): void {
    const settleMs = Date.now() + this.#parts.settleAfterMs;
    if (settleMs < this.#alarmAtMs) this.#wakeAt(Math.min(settleMs, (this.#dueMicros() ?? Number.POSITIVE_INFINITY) / 1000));
  }

  /** At that moment or sooner: there is one alarm, and whoever is woken looks what is next. */
  #wakeAt(ms: number): void {
    const atMs = Math.max(Math.ceil(ms), Date.now());
    if (atMs >= this.#alarmAtMs) return;
    this.#alarmAtMs = atMs;
    // Not awaited: it joins the write of the slice it is called in, and fails with it.
    this.ctx.storage.setAlarm(atMs).catch(() => {});
  }

  /** The answer would wait for the disk anyway; waiting here lets a failed save be answered in words. */
  async #saved(): Promise<void> {
    try {
      await this.ctx.storage.sync();
    } catch (error) {
      throw new StorageFailure("the save failed", { cause: error });
    }
  }

  #unconfirmed(request: StoreRequest, call: CallAtWork, key: KnownKey, error: unknown): StoreReply {
    logLine("fault", { id: call.callId, store: this.#storeId, tool: request.tool, ...faultFields(error) });
    this.#forgetDataKey();
    this.#beginAnew();
    return { tag: "answered", identity: this.#identity(key, Date.now() * 1000), answer: unconfirmedAnswer(request.tool) };
  }

  /** After a failure of its storage the object is not to be trusted; the next call opens a clean one. */
  #beginAnew(): void {
    after(0, () => this.ctx.abort("storage failure"));
  }

  // ---- stop

  /** Contract §9.8: acts on what is running now, waits for it, and gives one answer for all of it. */
  async #stopRunning(): Promise<StopOutcome> {
    const reached = [...this.#calls].filter((call) => call.running);
    if (reached.length === 0) return "idle";
    for (const call of reached) call.stop();
    let stopTimer = (): void => {};
    const timeUp = new Promise<"time up">((resolve) => (stopTimer = after(this.#parts.stopWaitMs, () => resolve("time up"))));
    const ended = Promise.all(reached.map((call) => call.ended)).then(() => "ended" as const);
    const first = await Promise.race([ended, timeUp]);
    stopTimer();
    if (first === "time up") return "stopping";
    return reached.some((call) => call.task?.stopped === true) ? "stopped" : "finished";
  }

  // ---- the data key, the engine, what lies in SQL

  /** The engine, opened with this call's data key where it is not open. */
  #session(dataKey: Uint8Array, made: Provisioned): EngineSession {
    if (this.#open !== null) return this.#open;
    const { sealedAs } = made.origin;
    const cipher = new StoreCipher(dataKey, sealedAs);
    this.#open = this.#parts.engine.open(
      this.#sql,
      cipher,
      { storeId: this.#storeId, createdAtMicros: made.createdAtMicros, bornAs: sealedAs },
      { limits: this.#requestLimits, embeddingModel: this.#embedder?.model },
    );
    return this.#open;
  }

  /** A wrap made of another store's data key opens, and must not get to the data. The first key that opens sets what fits. */
  #dataKeyFits(key: OpenedKey, made: Provisioned): boolean {
    const check = dataKeyCheck(key.dataKey, made.origin.sealedAs);
    const [[known]] = this.#sql.exec("SELECT key_check FROM service_store");
    if (known !== null) return sameSecret(known as Uint8Array, check);
    this.#sql.exec("UPDATE service_store SET key_check = ?", check);
    return true;
  }

  #forgetDataKey(): void {
    this.#open = null;
  }

  #made(): Provisioned {
    assert(this.#provisioned !== null, "the store is provisioned");
    return this.#provisioned;
  }

  #readProvision(): Provisioned | null {
    const tables = this.#sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'service_store'");
    if (tables.length === 0) return null;
    const [[accountId, createdAtMicros]] = this.#sql.exec("SELECT account_id, created_at_us FROM service_store");
    const account = this.env.ACCOUNT;
    const limits = new CallLimits(this.#sql, this.env);
    const credit = new Credit(this.#sql, {
      storeId: this.#storeId,
      limits,
      lease: (request) => account.get(account.idFromString(accountId as string)).lease(request),
      nowMs: () => Date.now(),
      pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    });
    return {
      accountId: accountId as string,
      createdAtMicros: createdAtMicros as number,
      keys: new KeyRing(this.#sql, this.#storeId),
      credit,
      limits,
      origin: readOrigin(this.#sql, this.#storeId),
      deletion: new StoreDeletion(this.#sql),
    };
  }

  #identity(key: KnownKey, instant: number): Identity {
    return { tenantId: this.#made().accountId, keyId: key.keyId, level: key.level, answeredAt: rfc3339(instant) };
  }
}

/** Read-only keys work together, except in their first call on the store (contract §9.8). */
function modeOf(key: Pick<KnownKey, "level" | "hasWorked">): TurnMode {
  if (key.level !== "read" && key.level !== "none") return "alone";
  return key.hasWorked ? "shared" : "alone";
}

async function writtenInTurns(identity: Identity, answer: ToolAnswer): Promise<string[] | null> {
  const writing = writtenAnswer(identity, answer);
  for (;;) {
    const { done, value } = writing.next();
    if (done === true) return value;
    await giveTurn();
  }
}

function after(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}

/** Microseconds since 1970 as RFC 3339, UTC, always six digits. */
export function rfc3339(micros: number): string {
  const ms = Math.floor(micros / 1000);
  const rest = micros - ms * 1000;
  return `${new Date(ms).toISOString().slice(0, -1)}${String(rest).padStart(3, "0")}Z`;
}
