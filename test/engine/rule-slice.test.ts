/**
 * Work of rules in slices: wherever it is cut, it ends in the same conclusions, the same changes, and the same refusals.
 */
import { expect, test } from "vitest";
import { Subject } from "../../src/datum";
import type { Rule } from "../../src/engine/rule";
import { Refusal } from "../../src/failure";
import { storeOf } from "./rule-facts";
import { type Recorded, TestStore } from "./rule-world";

/** A premise of every kind, folds and recursion, so that every kind of loop is cut somewhere. */
const RULES = `
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
def stuck(p: N):
    when(present(p.to), none(o for o in N if p.reach == o and o.end == True))
    conclude(p.stuck, True)

@rule
def near_end(p: N):
    when(any(o for o in N if p.to == o and present(o.end)))
    conclude(p.near, True)

@rule
def pairs(p: N, q: N):
    when(p.n < q.n, absent(p.stuck))
    conclude(p.less, q)

@rule
def triples(p: N, q: N, r: N):
    when(p.n + q.n == r.n)
    conclude(p.adds, r)

@rule
def size(p: N):
    conclude(p.size, count(o for o in N if p.reach == o))

@rule
def weight(p: N):
    conclude(p.weight, sum(o.n * p.factor for o in N if p.to == o))

@rule
def greatest(p: N):
    conclude(p.greatest, max(o.size for o in N if o.to == p))

@rule
def spelled(p: N, q: N, r: N):
    when(f"{p.n}{q.n}" == f"{r.n}1", p.to == q, f"{q.n}" in f"{r.n}0123")
    conclude(p.spelled, f"{q.n}/{r.n}")

@rule
def longest(p: N):
    when(max(f"{o.n}" for o in N if o.to == p) > "0")
    conclude(p.longest, max(f"{o.n}" for o in N if o.to == p))

@rule
def noted(p: N):
    when(trust(p.n) == "asserted", source(p.n) != "other")
    conclude(p.noted, p.n)

@rule
def usual(p: N):
    when(not_asserted(p.label), present(p.n))
    conclude(p.label, f"n{p.n}")

@rule
def same(p: N, q: N):
    when(p.n == q.n, p.to == q)
    conclude(q.same, p)
`;

class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = (seed * 2654435761 + 7) >>> 0;
  }
  below(n: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return (this.#state >>> 8) % n;
  }
}

function randomFact(random: Random, windowed: boolean): Recorded {
  const subject = `n${random.below(6)}`;
  const field = ["to", "to", "to", "n", "n", "wide", "end", "factor", "label"][random.below(9)]!;
  const value = field === "to" ? new Subject("N", `n${random.below(6)}`) : field === "n" || field === "factor" ? random.below(4) : true;
  const from = windowed && random.below(3) === 0 ? random.below(3) : Number.NEGATIVE_INFINITY;
  const to = windowed && random.below(3) === 0 ? Math.max(from, 0) + 1 + random.below(3) : Number.POSITIVE_INFINITY;
  return { kind: "N", subject, field, value, from, to };
}

function clashes(a: Recorded, b: Recorded): boolean {
  const same = a.subject === b.subject && a.field === b.field && a.from! < b.to! && b.from! < a.to!;
  return same && (a.field !== "to" || (a.value as Subject).name === (b.value as Subject).name);
}

/** What a statement came to, spelled: its changes, or its refusal. */
function outcome(store: TestStore, work: () => ReturnType<TestStore["change"]>): string[] {
  try {
    return work()
      .map((c) => `${store.spell({ ...c, from: 0, to: 0 })} ${c.before.join()} > ${c.after.join()}`)
      .sort();
  } catch (problem) {
    expect(problem).toBeInstanceOf(Refusal);
    return [(problem as Refusal).message];
  }
}

const RULE_LIST: readonly Rule[] = storeOf(RULES).reasoner.rules();

test("[9.8] rules cut into slices anywhere end in the same conclusions, changes and refusals", () => {
  let cut = 0;
  let refused = 0;
  for (let seed = 1; seed <= 15; seed++) {
    const random = new Random(seed);
    // Some stores are bounded so tightly that statements are refused: at the same rows, wherever the slices end.
    const rowsMax = seed % 3 === 0 ? 40 + random.below(200) : undefined;
    const sliceRows = 1 + random.below(seed % 2 === 0 ? 3 : 40);
    const whole = new TestStore(rowsMax);
    const sliced = new TestStore(rowsMax, sliceRows);
    const stores = [whole, sliced];
    const rulesAt = random.below(6);
    let held: Recorded[] = [];
    for (let step = 0; step < 16; step++) {
      const context = `seed ${seed} step ${step}, ${sliceRows} rows a slice`;
      if (step === rulesAt) {
        const [a, b] = stores.map((store) => outcome(store, () => store.setRules(RULE_LIST)));
        expect(b, `${context}, rules`).toEqual(a);
        cut += sliced.slices;
        if (sliced.reasoner.rules().length === 0) {
          refused++;
          break;
        }
      }
      const add: Recorded[] = [];
      const remove: Recorded[] = [];
      for (let i = random.below(4); i >= 0; i--) {
        if (held.length > 8 && random.below(2) === 0) remove.push(held[random.below(held.length)]!);
        else {
          const made = randomFact(random, seed % 2 === 0);
          if (![...held, ...add].some((other) => clashes(made, other))) add.push(made);
        }
      }
      const gone = [...new Set(remove)];
      const [a, b] = stores.map((store) => outcome(store, () => store.change(add, gone)));
      expect(b, context).toEqual(a);
      cut += sliced.slices;
      expect(sliced.derived(), context).toEqual(whole.derived());
      if (a!.length === 1 && a![0]!.startsWith("the standing rules would look")) refused++;
      else held = [...held.filter((fact) => !gone.includes(fact)), ...add];
    }
  }
  expect(cut).toBeGreaterThan(2_500);
  expect(refused).toBeGreaterThan(3);
});

test("[9.8] a join of every pair is cut inside the join", () => {
  const rules = storeOf(`
@rule
def never(p: A, q: B, r: C):
    when(p.n + q.n + r.n == -1)
    conclude(p.never, q)
`).reasoner.rules();
  const store = new TestStore(undefined, 1000);
  store.setRules(rules);
  const n = (kind: string, i: number): Recorded => ({ kind, subject: `n${i}`, field: "n", value: i });
  store.change(["B", "C"].flatMap((kind) => Array.from({ length: 100 }, (_, i) => n(kind, i))));
  // One row of A meets ten thousand pairs.
  expect(store.change([n("A", 0)])).toEqual([]);
  expect(store.slices).toBeGreaterThan(9);
});

test("[9.8] rivals at a single-valued field are judged whole, wherever a slice ends", () => {
  const source = `
class P:
    n: int
    to: many[P]
    best: int
    above: int

@rule
def one(p: P, q: P):
    when(p.to == q, q.n > 1)
    conclude(p.best, q.n)

@rule
def two(p: P, q: P):
    when(p.to == q, present(q.n))
    conclude(p.best, q.n * 2)

@rule
def above(p: P):
    when(p.best > 2)
    conclude(p.above, p.best)
`;
  const [whole, sliced] = [storeOf(source), storeOf(source, undefined, 1)];
  const P = (i: number, field: string, value: Recorded["value"]): Recorded => ({ kind: "m.P", subject: `n${i}`, field, value });
  for (let i = 0; i < 12; i++) {
    const facts = [P(i, "n", i % 4), P(i, "to", new Subject("m.P", `n${(i * 7) % 12}`))];
    if (i > 0) facts.push(P(0, "to", new Subject("m.P", `n${i}`)));
    expect(sliced.change(facts).length).toBe(whole.change(facts).length);
    expect(sliced.derived()).toEqual(whole.derived());
  }
  expect(whole.derived().length).toBeGreaterThan(20);
});
