/**
 * The state of a store: claims, preferences, pins and modules, in memory over SQL, and the one way to change it.
 *
 * Every change goes through `make`, which does it in memory and remembers it in the layer at work; `flush` writes
 * what has landed in one transaction. A statement either ends with its consequences drawn by the rules, or all of
 * it is undone. After a failed flush memory is ahead of SQL and the whole ledger is thrown away.
 *
 * Knows nothing of verbs, levels or calls: claim-write.ts and session.ts do.
 */
import { assert, EngineError, Refusal } from "../failure";
import { SIZE_MARGIN_BYTES, WORLD_CLAIMS_MAX } from "../limits";
import { type Change, inverse, type Line } from "./change";
import { conclusionLines, landChanges } from "./change-log";
import { bytesOfChange, onlyRemoves, sizeRefusal } from "./change-size";
import { isClaimChange, writeChanges } from "./change-write";
import type { FieldType } from "./claim";
import { ClaimCells } from "./claim-cell";
import { LedgerFacts } from "./ledger-facts";
import { readLedgerRows } from "./ledger-row";
import { ModuleTable } from "./module-table";
import type { OwedAnswers } from "./owed-answers";
import type { Projection, ProjectionFactory } from "./projection";
import type { DerivedChange, FactSource, Reasoning, Symbols } from "./reasoner";
import { type Sliced, toTheEnd } from "./rule-work";
import { SlicedReaders } from "./sliced-readers";
import type { Cipher, Sql } from "./sql";
import { StandingBelief } from "./standing-belief";
import { createTables, readMeta, writeMeta } from "./store-schema";
import { SymbolTable } from "./symbol";
import { TouchedCells } from "./touched-cells";
import { isWorldChange, type Overlay, WORLD_IDS_FROM, worldChanges } from "./world";
import { selectOverlay, selectWorlds, worldHolding, worldJudging } from "./world-row";
import { WorldView } from "./world-view";

export type LayerKind = "branch" | "compile";

export interface Layer {
  readonly kind: LayerKind;
  readonly name: string | null;
  /** What it holds, in order. */
  changes: Change[];
  /** The last id given out before what it holds: a claim at or below it is older than the layer. */
  floor: number;
}

export type ReasonerFactory = (symbols: Symbols, facts: FactSource) => Reasoning;

export class Ledger {
  readonly symbols: SymbolTable;
  readonly cells: ClaimCells;
  readonly belief: StandingBelief;
  readonly modules: ModuleTable;
  readonly #projections: readonly Projection[];
  readonly reasoner: Reasoning | null;
  readonly layers: Layer[] = [];
  readonly #sql: Sql;
  readonly #bytesMax: number;
  /** Positions of the marks that stand, by the symbol of their name. */
  readonly #marks: Map<number, number>;
  /** Ids of the worlds that stand, by the symbol of their name. */
  readonly #worlds: Map<number, number>;
  /** The world that shows, if one does. */
  #view: WorldView | null = null;
  /** What the world that showed last holds. */
  #overlay: { readonly world: number; readonly held: Overlay } | null = null;
  /** What has landed and is not in SQL yet. */
  #landed: Change[] = [];
  #lastId: number;
  #revision = 0;
  #storedBytes: number;
  #pendingBytes = 0;
  /** The cells the statement at work has changed, with the facts they gave before; null while nobody asks. */
  #touched: TouchedCells | null = null;
  #rulesChanged = false;
  /** How many rows the rules may look at before a statement is left at work; all, where nobody asks for slices. */
  #sliceRows = Number.POSITIVE_INFINITY;
  /** The rest of a statement that is made and not concluded from. */
  #concluding: Sliced<void> | null = null;
  #broken = false;

  constructor(
    sql: Sql,
    cipher: Cipher,
    bytesMax: number,
    reasonerFactory: ReasonerFactory | null,
    projections: readonly ProjectionFactory[] = [],
  ) {
    createTables(sql);
    this.#sql = sql;
    this.#bytesMax = bytesMax;
    this.symbols = new SymbolTable(sql, cipher);
    this.cells = new ClaimCells(sql, this.symbols);
    this.modules = new ModuleTable(sql, cipher);
    this.#projections = projections.map((make) => make({ sql, cipher, symbols: this.symbols }));
    this.#lastId = readMeta(sql, "last_id") ?? 0;
    this.#storedBytes = sql.databaseBytes();
    const rows = readLedgerRows(sql);
    this.belief = new StandingBelief(rows);
    this.#marks = new Map(rows.marks);
    this.#worlds = selectWorlds(sql);
    this.reasoner = reasonerFactory?.(this.symbols, new LedgerFacts(this)) ?? null;
    const rules = this.modules.rules();
    if (rules.length > 0) {
      if (this.reasoner === null) throw new EngineError("this store holds rules, and was opened without a reasoner");
      this.reasoner.open(rules);
    }
  }

  /** A projection by its class; null where the store was opened without it. */
  projection<T extends Projection>(kind: abstract new (...args: never[]) => T): T | null {
    return (this.#projections.find((one) => one instanceof kind) as T | undefined) ?? null;
  }

  // ---- what stands ----

  fieldType(field: number): FieldType | null {
    const { kind, field: name } = this.symbols.fieldOf(field);
    return this.modules.kind(kind)?.fields.get(name) ?? null;
  }

  isMany(field: number): boolean {
    return this.modules.hasKinds && (this.fieldType(field)?.many ?? false);
  }

  isDerived(field: number): boolean {
    return this.#reasons() && this.reasoner!.concludes(field).length > 0;
  }

  /** While a mark stands, what happens is logged and what is removed is kept; what happens in a world reaches no mark. */
  get isMarked(): boolean {
    return this.#marks.size > 0 && this.#view === null;
  }

  get marks(): ReadonlyMap<number, number> {
    return this.#marks;
  }

  // ---- changing it ----

  /** A number greater than every one given out before: an id, and where a statement needs one, its position. */
  nextId(): number {
    this.#lastId++;
    return this.lastId;
  }

  /** Another number once anything was made or undone, or came to stay in a layer or beneath it. */
  get revision(): number {
    return this.#revision;
  }

  /** Greater after anything was written, in the store or in a world. */
  get changes(): number {
    return this.#lastId;
  }

  get lastId(): number {
    return this.#view === null ? this.#lastId : WORLD_IDS_FROM + this.#lastId;
  }

  /** A claim at or below this position may not be removed here. */
  get floor(): number {
    const layer = this.layers.at(-1);
    if (layer !== undefined) return layer.kind === "compile" ? Number.NEGATIVE_INFINITY : layer.floor;
    return this.#view === null ? Number.NEGATIVE_INFINITY : WORLD_IDS_FROM;
  }

  make(change: Change): void {
    this.#do(change);
    this.#open().push(change);
  }

  /**
   * Whether a field may be `emptied` in one change: no mark keeps what goes, and nothing stands that SQL does not have. Rules that read
   * the field are not told.
   */
  mayEmpty(): boolean {
    if (this.isMarked || this.#view !== null || this.layers.length > 0) return false;
    this.flush();
    // What was made and undone since the last flush is as SQL has it again.
    this.cells.settle([], []);
    return true;
  }

  /** Logs a line where a mark could ask for it. */
  log(position: number, line: Line): void {
    if (this.isMarked) this.make({ tag: "line", position, line, sign: 1 });
  }

  /**
   * All that `body` makes, and what the rules conclude from it, or nothing. Refuses `limit_exceeded` where it would
   * take the store past its size. Not nested.
   */
  statement<T>(body: () => T): T {
    const mark = this.#beginStatement();
    let result: T;
    try {
      result = body();
    } catch (error) {
      this.#abandonStatement(mark);
      throw error;
    }
    this.#endStatement(mark);
    return result;
  }

  /**
   * A statement whose body works in slices: nothing else is done to the store meanwhile. Left before its end, or refused,
   * all of it is undone.
   */
  *statementInSlices<T>(body: () => Sliced<T>): Sliced<T> {
    const mark = this.#beginStatement();
    let isMade = false;
    let result: T;
    try {
      result = yield* body();
      isMade = true;
    } finally {
      if (!isMade) this.#abandonStatement(mark);
    }
    this.#endStatement(mark);
    return result;
  }

  /** Where in the list at work it begins. */
  #beginStatement(): number {
    this.concludeAll();
    this.#touched = this.#reasons() ? new TouchedCells(this) : null;
    this.#rulesChanged = false;
    return this.#open().length;
  }

  #abandonStatement(mark: number): void {
    this.#touched = null;
    this.#undo(mark);
  }

  #endStatement(mark: number): void {
    if (this.#open().length > mark) this.#goOn(this.#conclude(mark), this.#sliceRows);
    else this.#touched = null;
  }

  /** `work` may leave the rules at work on its last statement once they looked at so many rows: see `conclude`. */
  inSlices<T>(rows: number, work: () => T): T {
    this.#sliceRows = rows;
    try {
      return work();
    } finally {
      this.#sliceRows = Number.POSITIVE_INFINITY;
    }
  }

  /** The last statement is made, and the rules are at work on it. */
  get isConcluding(): boolean {
    return this.#concluding !== null;
  }

  /** Has the rules go on for about so many rows; true once they are through. Refuses as the statement does, which is then undone. */
  conclude(rows: number): boolean {
    const work = this.#concluding;
    this.#concluding = null;
    return work === null || this.#goOn(work, rows);
  }

  #goOn(work: Sliced<void>, rows: number): boolean {
    const { done } = this.reasoner?.advance(work, rows) ?? work.next();
    if (done === false) this.#concluding = work;
    return done === true;
  }

  /** Nothing is read or written beside a statement that the rules are at work on. */
  concludeAll(): void {
    while (!this.conclude(Number.POSITIVE_INFINITY));
  }

  /** What a statement comes to once it is made: conclusions, their lines, and that it has come to stay. */
  *#conclude(mark: number): Sliced<void> {
    let reasoned = false;
    try {
      this.#view?.uncover(this, this.#open().slice(mark));
      const concluded = this.#touched === null ? [] : yield* this.reasoner!.applying(...this.#changes());
      reasoned = true;
      const concludedAnew = this.#rulesChanged ? yield* this.#syncingRules() : [];
      if (this.isMarked) this.#logConclusions([...concluded, ...concludedAnew]);
    } catch (error) {
      this.#touched = null;
      if (reasoned) this.#undoWithRules(mark);
      else this.#undo(mark);
      throw error;
    } finally {
      this.#touched = null;
    }
    this.#land(mark);
  }

  pushLayer(kind: LayerKind, name: string | null): void {
    this.layers.push({ kind, name, changes: [], floor: this.lastId });
  }

  /** What the innermost layer holds becomes its parent's. Refuses `limit_exceeded`, and then discards it. */
  commitLayer(end: boolean): void {
    const layer = this.layers.at(-1);
    assert(layer !== undefined, "a layer is open");
    const { changes } = layer;
    this.layers.pop();
    this.#revision++;
    const mark = this.#open().length;
    const landing = this.layers.length === 0 && this.isMarked ? landChanges(changes) : changes;
    for (const change of landing) this.#open().push(change);
    layer.changes = [];
    layer.floor = this.lastId;
    try {
      if (changes.length > 0) this.#land(mark);
    } finally {
      if (!end) this.layers.push(layer);
    }
  }

  /** Discards what the innermost layer holds. */
  rollbackLayer(end: boolean): void {
    const layer = this.layers.at(-1);
    assert(layer !== undefined, "a layer is open");
    this.#undoWithRules(0);
    layer.floor = this.lastId;
    if (end) this.layers.pop();
  }

  // ---- worlds ----

  get worlds(): ReadonlyMap<number, number> {
    return this.#worlds;
  }

  /** Calls that read in slices beside one another. */
  readonly readers = new SlicedReaders(() => this.#revision);
  /** What the call that writes was given and has yet to be worked out; null beside calls that only read. */
  owed: OwedAnswers | null = null;

  /** Claims of the world that shows. */
  get claimsShown(): number {
    return this.#view?.overlay.claims.size ?? 0;
  }

  /** The id of the world that shows; null: the store itself does. */
  get world(): number | null {
    return this.#view?.world ?? null;
  }

  /**
   * Shows the store under what a world holds, or as it is. What showed before stays until another is asked for, so a
   * program that goes in and out of one world, or a call that goes on where one left off, pays for it once.
   */
  show(world: number | null): void {
    if (this.#concluding !== null) this.concludeAll();
    if (this.world === world) return;
    assert(this.layers.length === 0, "a world is entered and left between layers");
    if (this.#view !== null) this.#hideWorld();
    if (world !== null) this.#showWorld(new WorldView(world, this.overlay(world)));
  }

  /** What a world holds. Not to be changed. */
  overlay(world: number): Overlay {
    if (this.#overlay?.world !== world) this.#overlay = { world, held: selectOverlay(this.landedSql(), world) };
    return this.#overlay.held;
  }

  /** A world other than the one that shows that says who is believed at the field; 0 for none. */
  otherWorldJudging(field: number, except: number | null): number {
    return this.#worlds.size === 0 ? 0 : worldJudging(this.landedSql(), field, except ?? 0);
  }

  /** A world that holds something at the field; 0 for none. */
  worldHolding(field: number): number {
    return this.#worlds.size === 0 ? 0 : worldHolding(this.landedSql(), field);
  }

  worldName(world: number): string {
    for (const [name, id] of this.#worlds) if (id === world) return this.symbols.datumOf(name) as string;
    throw new EngineError("a world that holds something has a name");
  }

  #showWorld(view: WorldView): void {
    this.#view = view;
    const watched = this.#reasons();
    this.#touched = watched ? new TouchedCells(this) : null;
    try {
      view.replay(this);
      if (watched) this.reasoner!.unbounded(() => this.#reason());
    } catch (error) {
      this.#touched = null;
      this.#undo(0);
      this.#view = null;
      throw error;
    }
    this.#touched = null;
  }

  #hideWorld(): void {
    if (this.reasoner === null) this.#undoWithRules(0);
    else this.reasoner.unbounded(() => this.#undoWithRules(0));
    this.#view = null;
    // What was made for the world alone is as SQL has it again.
    if (this.#landed.length === 0) this.cells.settle([], []);
  }

  /** What stands from `mark` on in the list at work has come to stay: in the store, in a layer, or in a world. */
  #land(mark: number): void {
    const view = this.#view;
    if (view === null || this.layers.length > 0) {
      this.#checkSize(this.#open(), mark, () => this.#undoWithRules(0));
      return;
    }
    const changes = worldChanges(view, view.changes.slice(mark));
    const landed = this.#landed.length;
    const undo = (from: number) => {
      while (this.#landed.length > from) this.#do(inverse(this.#landed.pop()!));
      this.#undoWithRules(mark);
    };
    for (const change of changes) {
      this.#do(change);
      this.#landed.push(change);
    }
    if (view.overlay.claims.size > WORLD_CLAIMS_MAX && changes.some((change) => !onlyRemoves(change))) {
      undo(landed);
      throw new Refusal(
        "limit_exceeded",
        `a world holds at most ${WORLD_CLAIMS_MAX} claims: merge it, or write to the store in a branch`,
        `${WORLD_CLAIMS_MAX}`,
      );
    }
    this.#checkSize(this.#landed, landed, () => undo(0));
  }

  /** Makes the reasoner's rules those of the modules that stand. Gives what changed, where a mark asks for it. */
  syncRules(): readonly DerivedChange[] {
    return toTheEnd(this.#syncingRules());
  }

  *#syncingRules(): Sliced<readonly DerivedChange[]> {
    const wanted = this.modules.rules();
    if (this.reasoner === null) {
      if (wanted.length > 0) throw new EngineError("this store was opened without a reasoner");
      return [];
    }
    // Declarations decide how claims become facts, so a change of modules asks for all of them anew.
    if (this.isMarked) return yield* this.reasoner.settingRules(wanted);
    yield* this.reasoner.loading(wanted);
    return [];
  }

  /** That a conclusion ceased is of interest only until the layer lands. */
  #logConclusions(changes: readonly DerivedChange[]): void {
    for (const { line, sign } of conclusionLines(this.symbols, changes)) {
      if (sign > 0 || this.layers.length > 0) this.make({ tag: "line", position: this.#lastId, line, sign });
    }
  }

  // ---- SQL ----

  /** Writes what has landed. What open layers hold stays in memory. */
  flush(): void {
    // A statement half concluded is not written; what landed before it waits with it.
    if (this.#landed.length === 0 || this.#concluding !== null) return;
    try {
      this.#sql.transaction(() => this.#write());
    } catch (error) {
      this.#broken = true;
      throw error;
    }
    this.#settle();
  }

  /** SQL as it is: what landed since the last flush is not in it. */
  storedSql(): Sql {
    return this.#sql;
  }

  /** SQL with all that has landed written to it. Not inside a statement. */
  landedSql(): Sql {
    this.flush();
    return this.#sql;
  }

  /** A write to SQL failed: memory is ahead of it, and nothing here may be used again. */
  get isBroken(): boolean {
    return this.#broken;
  }

  #write(): void {
    const rulesAt = (field: number) => (this.isDerived(field) ? this.reasoner!.concludes(field) : []).map((rule) => rule.name);
    writeChanges({ sql: this.#sql, symbols: this.symbols, modules: this.modules, rulesAt }, this.#landed, this.#projections);
    writeMeta(this.#sql, "last_id", this.#lastId);
  }

  #settle(): void {
    const landed = this.#landed;
    this.#landed = [];
    this.#pendingBytes = 0;
    this.symbols.settle();
    this.modules.settle(landed);
    const claims = landed.filter(isClaimChange);
    // What lands from inside a world is no claim yet: what shows there differs from SQL as it did.
    if (this.#view === null || claims.length > 0) {
      const open = [...(this.#view?.changes ?? []), ...this.layers.flatMap((layer) => layer.changes)];
      this.cells.settle(claims, open.filter(isClaimChange));
    }
    this.#storedBytes = this.#sql.databaseBytes();
  }

  /**
   * Refuses `limit_exceeded`, having undone what stands in `changes` from `mark` on, where that takes the store past its
   * size. `undo` does so once that is all that has landed.
   *
   * Far from the limit an estimate is enough. Near it what landed before is written, then the rest on trial: only the
   * database knows how much its freed pages still hold.
   */
  #checkSize(changes: Change[], mark: number, undo: () => void): void {
    for (let i = mark; i < changes.length; i++) this.#pendingBytes += bytesOfChange(this.symbols, changes[i]);
    if (this.#storedBytes + this.#pendingBytes + SIZE_MARGIN_BYTES <= this.#bytesMax) return;
    // A layer is measured when it lands; until then it holds memory only.
    if (changes !== this.#landed) return;
    const fresh = changes.splice(mark);
    if (changes.length > 0) this.flush();
    this.#landed = fresh;
    if (fresh.every(onlyRemoves)) return;
    const before = this.#sql.databaseBytes();
    const over = new Error("the trial passes the limit");
    try {
      this.#sql.transaction(() => {
        this.#write();
        const after = this.#sql.databaseBytes();
        if (after > this.#bytesMax && after > before) throw over;
      });
    } catch (error) {
      if (error !== over) this.#broken = true;
      if (error !== over) throw error;
      this.symbols.abandon();
      undo();
      this.#pendingBytes = 0;
      throw sizeRefusal(this.#bytesMax, before);
    }
    this.#settle();
  }

  // ---- doing and undoing ----

  #open(): Change[] {
    return this.layers.at(-1)?.changes ?? this.#view?.changes ?? this.#landed;
  }

  #reasons(): boolean {
    return this.reasoner !== null && this.reasoner.rules().length > 0;
  }

  #do(change: Change): void {
    this.#revision++;
    this.owed?.settle();
    this.#touched?.note(change);
    switch (change.tag) {
      case "claim":
        if (change.sign > 0) this.cells.add(change.row);
        else this.cells.remove(change.row);
        if (change.covered) this.#view!.noteCovered(change.row, change.sign);
        return;
      case "emptied":
        if (change.sign > 0) this.cells.empty(change.field);
        else this.cells.refill(change.field);
        return;
      case "preference":
        this.belief.setPreference(change.field, change.subject, change.after);
        return;
      case "pin":
        this.belief.setPin(change.field, change.subject, change.sign > 0);
        return;
      case "module":
        this.modules.set(change.name, change.after);
        this.#rulesChanged = true;
        return;
      case "lost_rule":
        this.belief.setLostRule(change.lost, change.sign);
        return;
      case "mark":
        if (change.after === null) this.#marks.delete(change.name);
        else this.#marks.set(change.name, change.after);
        return;
      case "world":
        this.#overlay = null;
        if (change.after === null) this.#worlds.delete(change.name);
        else this.#worlds.set(change.name, change.after);
        return;
      default:
        if (isWorldChange(change)) this.#view!.overlay.make(change);
    }
  }

  #undo(mark: number): void {
    const changes = this.#open();
    while (changes.length > mark) this.#do(inverse(changes.pop()!));
  }

  #undoWithRules(mark: number): void {
    if (this.#open().length === mark) return;
    const watched = this.#reasons();
    this.#touched = watched ? new TouchedCells(this) : null;
    this.#rulesChanged = false;
    this.#undo(mark);
    if (watched) this.#reason();
    this.#touched = null;
    if (this.#rulesChanged) this.syncRules();
  }

  /** Hands the rules what the statement changed, and gives what that changed of their conclusions. */
  #reason(): readonly DerivedChange[] {
    return this.reasoner!.apply(...this.#changes());
  }

  #changes(): ReturnType<TouchedCells["changes"]> {
    const touched = this.#touched!;
    this.#touched = null;
    return touched.changes();
  }
}
