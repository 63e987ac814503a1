/**
 * One call's view of a store at one instant: every read and write a program can ask for, with the names and types
 * the language knows them by, each checked against the key's level.
 *
 * What a call writes stands in memory at once, and on disk once `flush` has run.
 */
import type { Datum } from "../datum";
import { Refusal } from "../failure";
import { pin, prefer, unpin, unprefer } from "./belief";
import { type Checkup, checkingUp } from "./checkup";
import type { Cell, Claim, Effect, Level, Qualifiers, RangeKeyword, ReadPoint, Target, Window } from "./claim";
import { ClaimReads } from "./claim-read";
import { forget, forgetAt, forgetRange, forgetValue } from "./claim-remove";
import { addingLevel, assertAbsent, remember, update, type Writer } from "./claim-write";
import { isBelieved, isField } from "./field-check";
import type { LayerKind, Ledger } from "./ledger";
import { allows, requireLevel } from "./level";
import { checkpoint, diff, forgetCheckpoint, type Happening, type Marked, markNames, restoring } from "./mark";
import type { ModuleRecord } from "./module-record";
import {
  forgetConstraint,
  forgetRule,
  forgetScript,
  forgettingModule,
  installModule,
  labelModule,
  type ModuleInstallation,
  type ModuleInstalled,
} from "./module-write";
import { OwedAnswers } from "./owed-answers";
import type { Proof } from "./proof";
import type { Reason } from "./reason";
import type { Restored } from "./restore";
import { type Sliced, toTheEnd } from "./rule-work";
import { compareText } from "./value-order";
import { createWorld, discardWorld, insideLayer, mergeWorld, refuseWorldName, worldNames, worldOf } from "./world-write";

export class Session implements Writer {
  readonly keyId: string;
  /** The call's instant, microseconds UTC. */
  readonly instant: number;
  readonly #key: { readonly level: Level };
  readonly #ledger: Ledger;
  readonly #owed = new OwedAnswers();
  readonly #claimReads: ClaimReads;
  readonly #save: () => void;
  /** The key only reads. Such calls run side by side on one ledger, so their layers, which can hold nothing, are kept here. */
  readonly #writesNothing: boolean;
  readonly #emptyLayers: LayerKind[] = [];
  /** The world the call works in. */
  #world: { readonly id: number; readonly name: string } | null = null;
  /** The world it last looked at the store under. */
  #seen: number | null = null;
  #begun = false;
  /** It has been in a world, and may be again. */
  #isInWorlds = false;

  constructor(ledger: Ledger, call: { readonly keyId: string; readonly level: Level; readonly instant: number }, save: () => void) {
    this.#ledger = ledger;
    this.keyId = call.keyId;
    this.#key = call;
    this.instant = call.instant;
    this.#claimReads = new ClaimReads(ledger, call.instant, this.#owed);
    this.#save = save;
    this.#writesNothing = !allows(call.level, "read-add");
    ledger.owed = this.#writesNothing ? null : this.#owed;
  }

  /** Of the key, now: each statement asks anew, since it may be lowered while the call runs. */
  get level(): Level {
    return this.#key.level;
  }

  /** Asked for a statement that is no statement: what it would have done asks for this at the least. */
  requireLevel(least: Level): void {
    requireLevel(this.level, least === "read-add" ? addingLevel(this.ledger) : least);
  }

  /** Shows what this call works in: other calls that only read may run between two statements of it. */
  get ledger(): Ledger {
    this.#show();
    return this.#ledger;
  }
  get #reads(): ClaimReads {
    this.#show();
    return this.#claimReads;
  }
  #show(): void {
    const world = this.#world === null ? null : this.#world.id;
    this.#seen = world;
    this.#ledger.show(world);
  }

  /** Another call that only reads would have to begin anew once more if this one went on now. */
  mustWait(): boolean {
    return this.#ledger.readers.mustWait(this, this.#isInWorlds || this.#ledger.world !== null);
  }

  /**
   * Goes on with the next slice. Where another call looked at something else meanwhile, shows again what this one works
   * in, and gives how many claims of worlds that took: a slice is to do more than that.
   */
  resume(): number {
    const ledger = this.#ledger;
    const others = ledger.readers.worker !== this;
    ledger.readers.worker = this;
    const begins = !this.#begun;
    this.#begun = true;
    // A call that begins may go on in the world where the last one left off.
    if (!others || begins) return 0;
    const left = ledger.claimsShown;
    const before = ledger.world;
    this.#show();
    return ledger.world === before ? 0 : left + ledger.claimsShown;
  }

  // ---- rules at work ----

  /** What `work` writes last may be left with the rules at work on it: then nothing else is asked before `conclude` is through. */
  inSlices<T>(rows: number, work: () => T): T {
    return this.#ledger.inSlices(rows, work);
  }
  get isConcluding(): boolean {
    return this.#ledger.isConcluding;
  }
  /** Has the rules go on for about so many rows; true once they are through. Throws what the write would have. */
  conclude(rows: number): boolean {
    return this.#ledger.conclude(rows);
  }

  // ---- reads ----

  current(cell: Cell, point: ReadPoint = NOW): Claim | null {
    return this.#reads.current(cell, point);
  }
  value(cell: Cell, point: ReadPoint = NOW): { readonly found: boolean; readonly value: Datum } {
    return this.#reads.value(cell, point);
  }
  values(cell: Cell, point: ReadPoint = NOW): readonly Datum[] {
    return this.#reads.values(cell, point);
  }
  get(cell: Cell): readonly Claim[] {
    return this.#reads.get(cell);
  }
  history(cell: Cell): readonly Claim[] {
    return this.#reads.history(cell);
  }
  subjects(kind: string, point: ReadPoint = NOW): readonly string[] {
    return this.#reads.subjects(kind, point);
  }
  find(kind: string, wanted: ReadonlyMap<string, Datum>, point: ReadPoint = NOW): readonly string[] {
    return this.#reads.find(kind, wanted, point);
  }
  /** What `find` gives, and for nothing wanted `subjects`, in no order and in slices: nothing is written meanwhile. */
  finding(kind: string, wanted: ReadonlyMap<string, Datum>, point: ReadPoint): Sliced<string[]> {
    return this.#reads.finding(kind, wanted, point);
  }
  fields(kind: string, subject: string): readonly string[] {
    return this.#reads.fields(kind, subject);
  }
  kinds(): readonly string[] {
    return this.#reads.kinds();
  }
  sources(cell: Cell): readonly string[] {
    return this.#reads.sources(cell);
  }
  absent(cell: Cell): boolean {
    return this.#reads.absent(cell);
  }
  changed(cell: Cell, since: number): readonly Claim[] {
    return this.#reads.changed(cell, since);
  }
  subjectHolds(kind: string, subject: string): boolean {
    return this.#reads.subjectHolds(kind, subject);
  }
  fieldHolds(kind: string, field: string): boolean {
    return this.#reads.fieldHolds(kind, field);
  }
  why(cell: Cell, value: Datum | undefined): readonly Proof[] {
    return this.#reads.why(cell, value);
  }
  whyNot(cell: Cell, value: Datum | undefined): Reason {
    return this.#reads.whyNot(cell, value);
  }
  whatNeeds(cell: Cell): Reason {
    return this.#reads.whatNeeds(cell);
  }
  checkup(): Checkup {
    return toTheEnd(this.checkingUp());
  }
  /** The same in slices. */
  checkingUp(): Sliced<Checkup> {
    return checkingUp(this.ledger, this.instant);
  }
  /** The Kind has the field, by its class, a rule or a rule that was (rulings, "Fields that lost their rule"), or for `unpin` and `unprefer` to name. */
  hasField(kind: string, field: string): boolean {
    return isField(this.#ledger, kind, field) || isBelieved(this.#ledger, kind, field);
  }
  /** `module.script` names, ascending. */
  listScripts(): readonly string[] {
    return this.#ledger.modules
      .all()
      .flatMap(({ record }) => record.scripts.map((script) => `${record.name}.${script.name}`))
      .sort(compareText);
  }

  // ---- writes ----

  remember(cell: Cell, value: Datum, source: string, window: Window, qualifiers: Qualifiers): Effect | null {
    return this.#told(remember(this, cell, value, source, window, qualifiers));
  }
  update(cell: Cell, value: Datum, source: string, window: Window, qualifiers: Qualifiers): Effect | null {
    return this.#told(update(this, cell, value, source, window, qualifiers));
  }
  assertAbsent(cell: Cell, source: string, window: Window): Effect | null {
    return this.#told(assertAbsent(this, cell, source, window));
  }
  forget(target: Target): Effect | null {
    return this.#told(forget(this, target));
  }
  forgetValue(cell: Cell, value: Datum, source: string): Effect | null {
    return this.#told(forgetValue(this, cell, value, source));
  }
  forgetAt(cell: Cell, at: number): Effect | null {
    return this.#told(forgetAt(this, cell, at));
  }
  forgetRange(target: Target, keyword: RangeKeyword, instant: number): Effect | null {
    return this.#told(forgetRange(this, target, keyword, instant));
  }
  prefer(target: Target, source: string): Effect | null {
    return this.#told(prefer(this, target, source));
  }
  unprefer(target: Target): Effect | null {
    return this.#told(unprefer(this, target));
  }
  pin(cell: Cell): Effect | null {
    return this.#told(pin(this, cell));
  }
  unpin(cell: Cell): Effect | null {
    return this.#told(unpin(this, cell));
  }

  // ---- layers ----

  layerPush(kind: LayerKind, name: string | null = null): void {
    if (this.#writesNothing) this.#emptyLayers.push(kind);
    else this.ledger.pushLayer(kind, name);
  }
  /** Lands the innermost layer in its parent and closes it. */
  layerCommit(): void {
    this.#closeLayer(true, () => this.ledger.commitLayer(true));
  }
  layerRollback(): void {
    this.#closeLayer(true, () => this.ledger.rollbackLayer(true));
  }
  branchBegin(name: string | null): void {
    if (name !== null) refuseWorldName(this.#ledger, name);
    this.layerPush("branch", name);
  }
  branchCommit(end: boolean): void {
    this.#requireBranch("commit");
    this.#closeLayer(end, () => this.ledger.commitLayer(end));
  }
  branchRollback(end: boolean): void {
    this.#requireBranch("rollback");
    this.#closeLayer(end, () => this.ledger.rollbackLayer(end));
  }
  /** Discards every open layer: how a call that ended badly leaves the store. */
  abandonLayers(): void {
    this.#finishLast();
    this.#ledger.readers.release(this);
    this.#emptyLayers.length = 0;
    if (!this.#writesNothing) while (this.#ledger.layers.length > 0) this.#ledger.rollbackLayer(true);
    this.#world = null;
  }

  // ---- worlds ----

  /**
   * From now on what the call reads is the store under what the world holds, and what it writes lands in the world. Gives
   * how many claims that made it look at: none where this is what it looked at last.
   */
  worldBegin(name: string): number {
    const inside = this.#innermost() ?? (this.#world === null ? undefined : "world");
    if (inside !== undefined) throw insideLayer(inside, `with world(${JSON.stringify(name)})`);
    const id = worldOf(this.#ledger, name);
    const again = this.#seen === id;
    this.#owed.settle();
    this.#isInWorlds = true;
    this.#world = { id, name };
    try {
      this.#show();
    } catch (refusal) {
      this.#world = null;
      throw refusal;
    }
    return again ? 0 : this.#ledger.claimsShown;
  }
  worldEnd(): void {
    this.#owed.settle();
    this.#world = null;
  }
  createWorld(name: string): Effect {
    return createWorld(this, name);
  }
  mergeWorld(name: string): Effect {
    return mergeWorld(this, name);
  }
  discardWorld(name: string): Effect {
    return discardWorld(this, name);
  }
  /** Ascending. */
  worlds(): readonly string[] {
    return worldNames(this.#ledger);
  }

  // ---- modules ----

  modules(): readonly ModuleRecord[] {
    return this.#ledger.modules.all().map((module) => module.record);
  }
  module(name: string): { readonly record: ModuleRecord; readonly form: string } | null {
    const module = this.#ledger.modules.get(name);
    return module === undefined ? null : { record: module.record, form: this.#ledger.modules.form(module) };
  }
  installModule(module: ModuleInstallation): ModuleInstalled {
    return installModule(this, module);
  }
  /** Another label for a stored module whose content stays. */
  labelModule(name: string, version: string): void {
    labelModule(this, name, version);
  }
  /** `name` is `module.script`; gone already is no change. */
  forgetScript(name: string): boolean {
    return forgetScript(this, name);
  }
  forgetRule(name: string): boolean {
    return forgetRule(this, name);
  }
  forgetConstraint(name: string): boolean {
    return forgetConstraint(this, name);
  }
  /** Claims removed with it. `EngineError` where no module has that name. */
  forgetModule(name: string): { readonly removed: number } {
    return toTheEnd(this.forgettingModule(name));
  }
  /** The same in slices: nothing else is done to the store meanwhile. */
  forgettingModule(name: string): Sliced<{ readonly removed: number }> {
    return forgettingModule(this, name);
  }

  // ---- marks ----

  /** Marks where the store is now; a name already used is moved. */
  checkpoint(name: string): Marked {
    return checkpoint(this, name);
  }
  /** How many removed claims it let go; null where no mark has that name. */
  forgetCheckpoint(name: string): number | null {
    return forgetCheckpoint(this, name);
  }
  /** Names of the marks that stand, ascending. */
  checkpoints(): readonly string[] {
    return markNames(this.ledger);
  }
  /** What happened since a mark, in order; null where no mark has that name. Not across a write. */
  diff(since: string): Iterable<Happening> | null {
    return diff(this, since);
  }
  /** Brings back what was removed since a mark. `EngineError` where no mark has that name. */
  restore(since: string): Restored {
    return toTheEnd(restoring(this, since));
  }
  /** `restore` in slices: nothing else is done to the store meanwhile. */
  restoring(since: string): Sliced<Restored> {
    return restoring(this, since);
  }

  // ---- saving ----

  /** Writes what has landed to SQL. `EngineError` where the disk refuses. */
  flush(): void {
    this.#save();
  }

  #told<E extends Effect | null>(effect: E): E {
    return effect === null || this.#world === null ? effect : { ...effect, world: this.#world.name };
  }

  /** A call that ended while the rules were at work, past what it may do at all: its last write ends as it would have. */
  #finishLast(): void {
    try {
      this.#ledger.concludeAll();
    } catch (refusal) {
      // The call was refused already, and the write is undone.
      if (!(refusal instanceof Refusal)) throw refusal;
    }
  }

  #closeLayer(end: boolean, close: () => void): void {
    if (!this.#writesNothing) close();
    else if (end) this.#emptyLayers.pop();
  }

  /** The layer at work, if one is. */
  #innermost(): LayerKind | undefined {
    return this.#writesNothing ? this.#emptyLayers.at(-1) : this.#ledger.layers.at(-1)?.kind;
  }

  #requireBranch(verb: string): void {
    if (this.#innermost() === "branch") return;
    throw new Refusal("invalid_value", `\`${verb}()\` stands inside \`with branch(…):\``, `with branch("…"):`);
  }
}

const NOW: ReadPoint = {};
