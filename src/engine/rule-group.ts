/**
 * The groups of one fold, kept over changes: a write costs the rows it touches, not the groups they are in.
 *
 * A group is kept once it was folded, as long as each of its rows holds always. A change below gives the rows that may
 * have come or gone; each is looked for in the state before and the state now, and its value, which its own slots say,
 * is added or taken out. What a group is worth is a function of its rows alone (rule-aggregate.ts), so nothing here can
 * be told from the answers; a group that cannot be kept is folded anew where it is asked for.
 *
 * Does not fold: plans hand over what they folded (rule-join.ts).
 */
import type { Datum } from "../datum";
import { type Relation, ROW_DYING, ROW_NEWBORN, SEES_BEFORE, SEES_NOW } from "./relation";
import { type Aggregate, newAggregate } from "./rule-aggregate";
import type { Clause, Part, Probe } from "./rule-clause";
import { LEFT_OUT } from "./rule-fold";
import { type Field, makePlan, type Plan, rowValue, runPlan } from "./rule-join";
import { boundBy, type Source, seed, sourcesOf } from "./rule-reads";
import { rowWalk } from "./rule-walk";
import type { Sliced } from "./rule-work";
import { SpanGather } from "./spans";

export type FoldProbe = Extract<Probe, { tag: "fold" }>;

/** A key is a few ids; a store that would keep more groups than this begins anew, so that groups nobody asks for any more go. */
const GROUPS_MAX = 200_000;

const ALWAYS_FROM = Number.NEGATIVE_INFINITY;
const ALWAYS_TO = Number.POSITIVE_INFINITY;

export interface Group {
  /** Null: some row does not hold always, or the values have no answer to keep. */
  aggregate: Aggregate | null;
  /** Of `aggregate`, once asked for. */
  value: Datum | undefined;
  isValueKnown: boolean;
  /** Values of the slots the fold needs. */
  readonly needs: Int32Array;
  /** Since its last change. */
  isAsked: boolean;
}

export class FoldGroups {
  readonly #field: Field;
  readonly #clause: Clause;
  readonly #probe: FoldProbe;
  readonly #groups = new Map<string | number, Group>();
  /** Slots of `needs` that a row gives; where it does not give all, groups are found by these. */
  readonly #given: readonly number[];
  readonly #byGiven: Map<string | number, Set<Group>> | null;
  readonly #feeds: readonly { readonly source: Source; readonly relation: Relation }[];
  readonly #detect = new Map<Source, Plan>();
  #rowPlan: Plan | null = null;
  // Where the row looked for holds.
  #always = false;
  #spans: SpanGather | null = null;
  readonly #seen = new Set<string | number>();
  readonly #changed = new Set<Group>();
  #isFilling = false;
  /** A group that is not kept is empty. */
  #isWhole = false;

  /** Null for a fold whose rows depend on what is not kept as rows: nested folds and claims. */
  static of(field: Field, clause: Clause, probe: FoldProbe): FoldGroups | null {
    return isOfRows(probe.part) ? new FoldGroups(field, clause, probe) : null;
  }

  private constructor(field: Field, clause: Clause, probe: FoldProbe) {
    this.#field = field;
    this.#clause = clause;
    this.#probe = probe;
    const slots = new Set(probe.part.atoms.flatMap(boundBy));
    this.#given = probe.needs.filter((slot) => slots.has(slot));
    this.#byGiven = this.#given.length === probe.needs.length ? null : new Map();
    // Folds read what lies strictly below.
    this.#feeds = sourcesOf(probe.part).map((source) => ({ source, relation: field.relation(source.atom, false) }));
  }

  /** The group of a match, undefined where none is kept. */
  find(slots: Int32Array): Group | undefined {
    const key = keyOf(this.#probe.needs, slots);
    let group = this.#groups.get(key);
    if (group === undefined && this.#isFilling) {
      if (!this.#isWhole) this.#fillAll();
      if (this.#isWhole) group = this.#groups.get(key) ?? this.keep(slots, this.#newAggregate());
    }
    if (group !== undefined) group.isAsked = true;
    return group;
  }

  /** All groups there are will be asked for until `endFilling`: where that can be, they are folded in one go. */
  beginFilling(): void {
    this.#isFilling = true;
  }
  endFilling(): void {
    this.#isFilling = false;
    this.#isWhole = false;
  }

  #fillAll(): void {
    const walk = rowWalk(this.#field, this.#clause, this.#probe);
    this.#isFilling = walk !== null;
    if (walk === null) return;
    this.clear();
    this.#isWhole = true;
    const { needs, op } = this.#probe;
    walk.run((env) => {
      let group = this.#groups.get(keyOf(needs, env.slots));
      if (group === undefined) {
        group = this.keep(env.slots, this.#newAggregate());
        group.isAsked = false;
      }
      if (group.aggregate === null) return;
      const value = op === "count" ? null : rowValue(this.#probe, env);
      if (value !== LEFT_OUT && !group.aggregate.add(value)) group.aggregate = null;
    });
  }

  #newAggregate(): Aggregate {
    return newAggregate(this.#probe.op, this.#field.calculus);
  }

  /** Keeps what was folded for a match over all time. */
  keep(slots: Int32Array, aggregate: Aggregate | null): Group {
    if (this.#groups.size >= GROUPS_MAX && !this.#isWhole) this.clear();
    const { needs } = this.#probe;
    const group: Group = {
      aggregate,
      value: undefined,
      isValueKnown: false,
      needs: Int32Array.from(needs, (slot) => slots[slot]!),
      isAsked: true,
    };
    this.#groups.set(keyOf(needs, slots), group);
    if (this.#byGiven !== null) {
      const given = keyOf(this.#given, slots);
      const known = this.#byGiven.get(given);
      if (known === undefined) this.#byGiven.set(given, new Set([group]));
      else known.add(group);
    }
    return group;
  }

  clear(): void {
    this.#groups.clear();
    this.#byGiven?.clear();
    this.#changed.clear();
  }

  /** Brings the groups up to this batch's changes below, before anybody asks for one. */
  *change(): Sliced<void> {
    if (this.#seen.size > 0) this.#seen.clear();
    for (const { source, relation } of this.#feeds) {
      const { touched } = relation;
      if (touched.length === 0 || this.#groups.size === 0) continue;
      const plan = this.#detector(source);
      for (let i = 0; i < touched.length; i++) {
        const row = touched[i]!;
        const state = relation.stateOf(row);
        const value = relation.valueOf(row);
        if ((state !== ROW_NEWBORN && state !== ROW_DYING) || value === this.#field.noneId) continue;
        if (!seed(plan, this.#clause, source.atom, relation.subjectOf(row), value)) continue;
        while (runPlan(plan, ALWAYS_FROM, ALWAYS_TO, 0)) yield;
      }
    }
  }

  /** Lets go of what changed and nobody asked for since. */
  settle(): void {
    for (const group of this.#changed) if (!group.isAsked) this.#drop(group);
    this.#changed.clear();
  }

  #detector(source: Source): Plan {
    let plan = this.#detect.get(source);
    if (plan === undefined) {
      const { atom, part } = source;
      const wanted = [...this.#given, ...this.#probe.row];
      plan = makePlan(this.#field, { clause: this.#clause, part, bound: boundBy(atom), given: atom, wanted }, ({ env }) => () => {
        this.#rowChanged(env.slots);
        return false;
      });
      this.#detect.set(source, plan);
    }
    return plan;
  }

  /** A row that may have come or gone: its slots, and those of `needs` it gives, are set. */
  #rowChanged(slots: Int32Array): void {
    const { row, needs } = this.#probe;
    const given = keyOf(this.#given, slots);
    const one = this.#byGiven === null ? this.#groups.get(given) : undefined;
    if (this.#byGiven === null && one === undefined) return;
    const groups = one === undefined ? [...(this.#byGiven?.get(given) ?? [])] : [one];
    const key = bothKeys(given, keyOf(row, slots));
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    for (const group of groups) {
      const plan = (this.#rowPlan ??= this.#makeRowPlan());
      for (const slot of row) plan.env.slots[slot] = slots[slot]!;
      needs.forEach((slot, i) => {
        plan.env.slots[slot] = group.needs[i]!;
      });
      const before = this.#holds(plan, SEES_BEFORE);
      const now = this.#holds(plan, SEES_NOW);
      if (before === "never" && now === "never") continue;
      this.#change(group, before, now, plan);
    }
  }

  #change(group: Group, before: Holding, now: Holding, plan: Plan): void {
    this.#changed.add(group);
    group.isAsked = false;
    const { aggregate } = group;
    if (aggregate === null || before === "partly" || now === "partly") {
      this.#drop(group);
      return;
    }
    if (before === now) return;
    const value = this.#probe.op === "count" ? null : rowValue(this.#probe, plan.env);
    if (value === LEFT_OUT) return;
    group.isValueKnown = false;
    if (!(now === "always" ? aggregate.add(value) : aggregate.remove(value))) this.#drop(group);
  }

  #drop(group: Group): void {
    const { needs } = this.#probe;
    const slots = new Int32Array(this.#clause.slotCount);
    needs.forEach((slot, i) => {
      slots[slot] = group.needs[i]!;
    });
    this.#groups.delete(keyOf(needs, slots));
    this.#byGiven?.get(keyOf(this.#given, slots))?.delete(group);
  }

  #holds(plan: Plan, sees: number): Holding {
    this.#always = false;
    this.#spans = null;
    plan.sees = sees;
    this.#field.work.uncut(() => runPlan(plan, ALWAYS_FROM, ALWAYS_TO, 0));
    return this.#always ? "always" : this.#spans === null ? "never" : "partly";
  }

  #makeRowPlan(): Plan {
    const { part, needs, row } = this.#probe;
    const bound = [...new Set([...needs, ...row])];
    return makePlan(this.#field, { clause: this.#clause, part, bound }, () => (from, to) => {
      if (from === ALWAYS_FROM && to === ALWAYS_TO) this.#always = true;
      else {
        this.#spans ??= new SpanGather();
        this.#spans.add(from, to);
        this.#always = this.#spans.covers(ALWAYS_FROM, ALWAYS_TO);
      }
      return this.#always;
    });
  }
}

type Holding = "always" | "never" | "partly";

/** A key is a number where one id says all. */
function keyOf(slots: readonly number[], held: Int32Array): string | number {
  if (slots.length === 1) return held[slots[0]!]!;
  let key = "";
  for (const slot of slots) key += `${held[slot]!},`;
  return key;
}

/** Ids below this go together into one safe int. */
const PAIRED_IDS_MAX = 2 ** 26;

function bothKeys(a: string | number, b: string | number): string | number {
  return typeof a === "number" && typeof b === "number" && a >= 0 && b >= 0 && a < PAIRED_IDS_MAX && b < PAIRED_IDS_MAX
    ? a * PAIRED_IDS_MAX + b
    : `${a}|${b}`;
}

/** Whether its rows follow from rows of relations alone. */
function isOfRows(part: Part): boolean {
  return part.probes.every((probe) => {
    if (probe.tag === "absent" || probe.tag === "optional") return true;
    return (probe.tag === "none" || probe.tag === "any") && isOfRows(probe.part);
  });
}

/** Every fold of a clause, wherever it stands. */
export function foldsOf(part: Part): FoldProbe[] {
  return part.probes.flatMap((probe) => {
    if (!("part" in probe)) return [];
    return probe.tag === "fold" ? [probe, ...foldsOf(probe.part)] : foldsOf(probe.part);
  });
}
