/**
 * The reasoner alone against its naive twin: random rules, claims coming and going several at a time, over all time.
 * What the reasoner says has changed must be what has. The whole store is rule-store-twin.test.ts.
 *
 * A failing seed prints its rules and its steps. `RULE_SEEDS=from,to` and `CYCLE_SEEDS=from,to` run others by hand.
 */
import { expect, test } from "vitest";
import { type Datum, Subject } from "../../src/datum";
import { givesWay } from "../../src/engine/rule";
import { Random, randomModule } from "./rule-random";
import { declareSource } from "./rule-source";
import { RulesTwin, spellDatum, type TwinClaim, TwinTooSlow } from "./rule-twin";
import { type Recorded, TestStore } from "./rule-world";

const BOUNDS = [Number.NEGATIVE_INFINITY, 0, 1, 2, 3, Number.POSITIVE_INFINITY];

function seeds(name: string, from: number, to: number): number[] {
  const [first, last] = process.env[name]?.split(",").map(Number) ?? [from, to];
  return Array.from({ length: last! - first! + 1 }, (_, i) => first! + i);
}

function randomWindow(random: Random): { from: number; to: number } {
  const from = random.of(BOUNDS.slice(0, 5));
  return { from, to: random.of(BOUNDS.filter((b) => b > from)) };
}
const ALWAYS = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

function claimOf(recorded: Recorded): TwinClaim {
  return { source: "test", from: recorded.from!, to: recorded.to!, ...recorded } as TwinClaim;
}

function expected(store: TestStore, twin: RulesTwin): string[] {
  return twin.conclusions.map((c) => `${store.spell(store.factOf({ ...c, source: "twin" }))} ${c.rule}`).sort();
}

class Batches {
  readonly held: Recorded[] = [];
  readonly steps: string[] = [];
  readonly #shadow = new Map<string, readonly number[]>();

  constructor(
    readonly store: TestStore,
    readonly random: Random,
  ) {}

  /** Adds what does not clash with what stands, and takes some away. */
  next(make: () => Recorded, removeOneIn: number): void {
    const add: Recorded[] = [];
    const remove: Recorded[] = [];
    for (let i = this.random.below(4); i >= 0; i--) {
      if (this.held.length > 0 && this.random.once(removeOneIn)) {
        remove.push(...this.held.splice(this.random.below(this.held.length), 1));
        continue;
      }
      const made = make();
      if (![...this.held, ...add].some((other) => this.#clash(other, made))) add.push(made);
    }
    this.held.push(...add);
    const spelled = (all: readonly Recorded[]) => all.map((r) => this.store.spell(this.store.factOf(r))).join("; ");
    this.steps.push(`+ ${spelled(add)}   - ${spelled(remove)}`);
    this.hear(this.store.change(add, remove));
  }

  /** A change tells how it was, which is how the last one left it. */
  hear(changes: ReturnType<TestStore["change"]>): void {
    for (const { field, subject, value, before, after } of changes) {
      const key = `${field},${subject},${value}`;
      expect(this.#shadow.get(key) ?? [], `before of ${key}`).toEqual(before);
      if (after.length === 0) this.#shadow.delete(key);
      else this.#shadow.set(key, after);
    }
  }

  /** The changes heard add up to what is concluded. */
  checkHeard(twin: RulesTwin): void {
    const pairs = new Set(twin.conclusions.map((c) => this.#pair(c)));
    expect([...this.#shadow.keys()].sort()).toEqual([...pairs].sort());
  }

  #pair(c: { readonly kind: string; readonly field: string; readonly subject: string; readonly value: Datum }): string {
    const { symbols } = this.store;
    return `${symbols.fieldId(c.kind, c.field)},${symbols.datumId(new Subject(c.kind, c.subject))},${symbols.datumId(c.value)}`;
  }

  #clash(a: Recorded, b: Recorded): boolean {
    if (a.kind !== b.kind || a.subject !== b.subject || a.field !== b.field || a.from! >= b.to! || b.from! >= a.to!) return false;
    return this.store.fieldType(this.store.factOf(a).field)?.many !== true || spellDatum(a.value) === spellDatum(b.value);
  }
}

/** Names the seed, the rules and the steps where something disagrees. */
function tell(seed: number, source: string, batches: Batches, body: () => void): void {
  try {
    body();
  } catch (problem) {
    if (problem instanceof TwinTooSlow) return;
    throw new Error(`seed ${seed}: ${(problem as Error).message}\n${source}\n${batches.steps.join("\n")}`, { cause: problem });
  }
}

function runSeed(seed: number): number {
  const random = new Random(seed);
  const declared = randomModule(random);
  const store = new TestStore();
  for (const kind of declared.kinds) for (const [field, type] of kind.fields) store.declare(kind.name, field, type);
  const batches = new Batches(store, random);
  const open = ["d0", "d4"].filter((field) => {
    const there = declared.rules.filter((rule) => rule.conclusion.cell.field === field);
    return there.length > 0 && there.every(givesWay);
  });
  const make = (): Recorded => {
    const field = random.of(["n", "k", "r", "r", "t", ...open]);
    const isReference = field === "r" || field === "t";
    const value = isReference
      ? new Subject(random.of(["m.A", "m.A", "N"]), random.of(["x", "y", "z"]))
      : random.once(12)
        ? null
        : random.below(3);
    return {
      kind: random.of(["m.A", "m.A", "N"]),
      subject: random.of(["x", "y", "z"]),
      field,
      value,
      ...(random.once(3) ? randomWindow(random) : ALWAYS),
    };
  };
  const rulesAt = random.once(2) ? 0 : 6;
  let concluded = 0;
  tell(seed, declared.source, batches, () => {
    for (let step = 0; step < 12; step++) {
      if (step === rulesAt) batches.hear(store.setRules(declared.rules));
      batches.next(make, 3);
      if (step < rulesAt) continue;
      const twin = new RulesTwin({
        rules: declared.rules,
        claims: batches.held.map(claimOf),
        typeOf: (kind, field) => store.fieldType(store.symbols.fieldId(kind, field)),
        preferred: () => [],
      });
      expect(store.derived()).toEqual(expected(store, twin));
      batches.checkHeard(twin);
      concluded += twin.conclusions.length;
    }
  });
  return concluded;
}

test("[rules] the reasoner agrees with its twin over random rules and changes, and tells what has changed", () => {
  let concluded = 0;
  for (const seed of seeds("RULE_SEEDS", 1, 25)) concluded += runSeed(seed);
  expect(concluded).toBeGreaterThan(300);
});

const RECURSION = `
@rule
def edge(p: N, q: N):
    when(p.to == q)
    conclude(p.reach, q)

@rule
def step(p: N, q: N, r: N):
    when(p.to == q, q.reach == r)
    conclude(p.reach, r)

@rule
def twice(p: N, q: N, r: N):
    when(p.reach == q, q.reach == r, p.wide == True)
    conclude(p.reach, r)

@rule
def odd(p: N, q: N):
    when(p.to == q, q.even == True)
    conclude(p.odd, True)

@rule
def even(p: N, q: N):
    when(p.to == q, q.odd == True)
    conclude(p.even, True)

@rule
def seed(p: N):
    when(p.start == True)
    conclude(p.even, True)

@rule
def stuck(p: N):
    when(present(p.to), none(o for o in N if p.reach == o and o.end == True))
    conclude(p.stuck, True)

@rule
def fled(p: N, q: N):
    when(p.to == q, q.stuck == True, absent(q.odd))
    conclude(p.flees, q)

@rule
def fled_far(p: N, q: N, r: N):
    when(p.flees == q, q.flees == r)
    conclude(p.flees, r)

@rule
def size(p: N):
    conclude(p.size, count(o for o in N if p.reach == o))
`;

function runRecursion(seed: number): number {
  const random = new Random(seed);
  const declared = declareSource(RECURSION);
  expect(declared.diagnostics).toEqual([]);
  const store = new TestStore();
  store.setRules(declared.rules);
  const batches = new Batches(store, random);
  const names = ["a", "b", "c", "d", "e"];
  const make = (): Recorded => {
    const field = random.of(["to", "to", "to", "to", "wide", "start", "end"]);
    const value = field === "to" ? new Subject("N", random.of(names)) : true;
    return { kind: "N", subject: random.of(names), field, value, ...(seed % 2 === 0 && random.once(2) ? randomWindow(random) : ALWAYS) };
  };
  store.declare("N", "to", { type: "any", many: true });
  let concluded = 0;
  tell(seed, RECURSION, batches, () => {
    for (let step = 0; step < 30; step++) {
      batches.next(make, 2);
      const twin = new RulesTwin({
        rules: declared.rules,
        claims: batches.held.map(claimOf),
        typeOf: (kind, field) => store.fieldType(store.symbols.fieldId(kind, field)),
        preferred: () => [],
      });
      expect(store.derived()).toEqual(expected(store, twin));
      batches.checkHeard(twin);
      concluded += twin.conclusions.length;
    }
  });
  return concluded;
}

test("[rules] recursion over cycles with windows, edges coming and going, agrees with the twin", () => {
  let concluded = 0;
  for (const seed of seeds("CYCLE_SEEDS", 1, 4)) concluded += runRecursion(seed);
  expect(concluded).toBeGreaterThan(300);
});
