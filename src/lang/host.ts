/**
 * What a running program asks of the world: the store's verbs, the instant, stored modules. The language
 * knows nothing else of the platform. `tools/script-host.ts` implements this over the engine; tests use a
 * small one of their own.
 *
 * All methods are synchronous. A method that declines throws `Refusal`; one that cannot be carried out
 * throws `EngineError` (`src/failure.ts`).
 */
import type { Datum } from "../datum";
import type { Cell, Claim, Effect, Level, Qualifiers, RangeKeyword, ReadPoint, Target, Window } from "../engine/claim";
import type { Proof } from "../engine/proof";
import type { Reason } from "../engine/reason";
import type { Sliced } from "../engine/rule-work";

export interface Host {
  /** The call's instant, microseconds UTC: `now()`. */
  readonly instant: number;

  // Rules at work on a write: it is made, and what follows from it is not worked out yet.
  /** `work` may leave its last write so, after about so many units of work. */
  inSlices<T>(units: number, work: () => T): T;
  /** Nothing else is asked of the host before `conclude` is through. */
  readonly isConcluding: boolean;
  /** Goes on; true once it is done. Throws what the write would have thrown, and nothing of it is kept then. */
  conclude(units: number): boolean;

  // reads (language.md §5.2)
  current(cell: Cell, point: ReadPoint): Claim | null;
  /** What a plain read gives: the value in force or null. Refuses `ambiguous` as `current`. */
  value(cell: Cell, point: ReadPoint): { readonly found: boolean; readonly value: Datum };
  values(cell: Cell, point: ReadPoint): readonly Datum[];
  get(cell: Cell): readonly Claim[];
  history(cell: Cell): readonly Claim[];
  /** Subjects, by name, with a claim in force that equals what is wanted at each field named; of no field: with any. In no order. */
  finding(kind: string, wanted: ReadonlyMap<string, Datum>, point: ReadPoint): Sliced<string[]>;
  fields(kind: string, subject: string): readonly string[];
  kinds(): readonly string[];
  /** Whether any claim, in force or not, stands under this subject / at this field of any subject of the Kind. */
  subjectHolds(kind: string, subject: string): boolean;
  fieldHolds(kind: string, field: string): boolean;
  sources(cell: Cell): readonly string[];
  listScripts(): readonly string[];
  absent(cell: Cell): boolean;
  changed(cell: Cell, since: number): readonly Claim[];
  /** One proof a value, in value order. */
  why(cell: Cell, value: Datum | undefined): readonly Proof[];
  whyNot(cell: Cell, value: Datum | undefined): Reason;
  whatNeeds(cell: Cell): Reason;

  // writes (language.md §5.4): null where nothing changed
  /** Refuses where the caller's key, in the world at work, may not do what asks for `least`. */
  requireLevel(least: Level): void;
  remember(cell: Cell, value: Datum, source: string, window: Window, qualifiers: Qualifiers): Effect | null;
  update(cell: Cell, value: Datum, source: string, window: Window, qualifiers: Qualifiers): Effect | null;
  assertAbsent(cell: Cell, source: string, window: Window): Effect | null;
  forget(target: Target): Effect | null;
  forgetValue(cell: Cell, value: Datum, source: string): Effect | null;
  forgetAt(cell: Cell, at: number): Effect | null;
  forgetRange(target: Target, keyword: RangeKeyword, instant: number): Effect | null;
  prefer(target: Target, source: string): Effect | null;
  unprefer(target: Target): Effect | null;
  pin(cell: Cell): Effect | null;
  unpin(cell: Cell): Effect | null;

  // layers (store-and-rules.md §3)
  branchBegin(name: string | null): void;
  /** Lands what the innermost branch holds in its parent; `end` also closes it. */
  branchCommit(end: boolean): void;
  branchRollback(end: boolean): void;
  /** Reads are of the store under what the world holds from here on, and writes land in the world. How many claims it had to show. */
  worldBegin(name: string): number;
  worldEnd(): void;
  createWorld(name: string): Effect;
  mergeWorld(name: string): Effect;
  discardWorld(name: string): Effect;
  worlds(): readonly string[];
}
