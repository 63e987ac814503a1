/**
 * Conclusions worked out on demand are those kept current, whatever is asked for: a cell, a value's subjects, everything.
 */
import { expect, test } from "vitest";
import { Subject } from "../../src/datum";
import type { Fact } from "../../src/engine/fact";
import { type DemandSource, DemandState } from "../../src/engine/rule-demand";
import { RULE_CALCULUS } from "../../src/lang/declare/rule-calculus";
import { storeOf } from "./rule-facts";
import type { Recorded, TestStore } from "./rule-world";

/** Recursion to the left, to the right, on both sides, through a second field, with folds and absences above. */
const RULES = `
@rule
def left(p: N, q: N):
    when(p.to == q)
    conclude(p.left, q)

@rule
def left_on(p: N, q: N, r: N):
    when(p.left == q, q.to == r)
    conclude(p.left, r)

@rule
def right(p: N, q: N):
    when(p.to == q)
    conclude(p.right, q)

@rule
def right_on(p: N, q: N, r: N):
    when(p.to == q, q.right == r)
    conclude(p.right, r)

@rule
def both(p: N, q: N):
    when(p.to == q)
    conclude(p.both, q)

@rule
def both_on(p: N, q: N, r: N):
    when(p.both == q, q.both == r)
    conclude(p.both, r)

@rule
def odd(p: N, q: N):
    when(p.to == q)
    conclude(p.odd, q)

@rule
def even(p: N, q: N, r: N):
    when(p.odd == q, q.to == r)
    conclude(p.even, r)

@rule
def odd_on(p: N, q: N, r: N):
    when(p.even == q, q.to == r)
    conclude(p.odd, r)

@rule
def named(p: N):
    conclude(p.named, 1)

@rule
def reached(p: N):
    conclude(p.reached, count(o for o in N if o.left == p))

@rule
def source(p: N):
    when(none(o for o in N if o.right == p))
    conclude(p.source, True)

@rule
def meets(p: N, q: N):
    when(p.left == q, q.right == p)
    conclude(p.meets, q)
`;

class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = (seed * 2654435761 + 3) >>> 0;
  }
  below(n: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return (this.#state >>> 8) % n;
  }
}

/** The facts of a test store, asked for piece by piece; counts what was. */
function demandSource(store: TestStore): DemandSource & { asked: number } {
  return Object.assign(Object.create(store) as TestStore, {
    asked: 0,
    scanSubject(this: { asked: number }, field: number, subject: number): Iterable<Fact> {
      this.asked++;
      return store.scanSubject(field, subject);
    },
    *subjectsWith(field: number, value: number): Iterable<number> {
      for (const fact of store.scan(field)) if (fact.value === value) yield fact.subject;
    },
    *factsOf(kind: string, subject: number): Iterable<Fact> {
      for (const fact of store.facts) if (fact.subject === subject && store.symbols.fieldOf(fact.field).kind === kind) yield fact;
    },
    admit() {},
  });
}

const ALWAYS = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

function spelled(store: TestStore, state: DemandState, field: number, subject: number, at: number | null): string[] {
  const facts = state.derivedAt(field, subject).map((fact) => (at === null ? fact : { ...fact, from: at, to: at }));
  return facts.map((fact) => store.spell(fact)).sort();
}

test("[6] what is worked out on demand is what is kept current, cell by cell", () => {
  let compared = 0;
  for (let seed = 1; seed <= 30; seed++) {
    const random = new Random(seed);
    const store = storeOf(RULES);
    const windowed = seed % 2 === 0;
    const facts: Recorded[] = [];
    for (let i = 0; i < 4 + random.below(9); i++) {
      const from = windowed && random.below(3) === 0 ? random.below(3) : Number.NEGATIVE_INFINITY;
      const to = windowed && random.below(3) === 0 ? 3 + random.below(2) : Number.POSITIVE_INFINITY;
      const made = { kind: "N", subject: `n${random.below(6)}`, field: "to", value: new Subject("N", `n${random.below(6)}`), from, to };
      if (!facts.some((f) => f.subject === made.subject && (f.value as Subject).name === made.value.name)) facts.push(made);
    }
    store.change(facts);
    const source = demandSource(store);
    const rules = store.reasoner.rules();
    const fields = [...new Set(rules.map(({ conclusion: { cell } }) => store.symbols.fieldId(cell.kind, cell.field)))];
    for (const field of fields) {
      for (const at of windowed ? [null, 0, 2, 3] : [null, 0]) {
        const frame = at === null ? ALWAYS : { from: at, to: at + 1 };
        // One state for all cells, in any order, and one for each.
        const shared = new DemandState(rules, store.symbols, source, RULE_CALCULUS, frame);
        const kept = [...store.reasoner.derivedSubjects(field)];
        for (let n = 0; n < 6; n++) {
          const subject = store.symbols.datumId(new Subject("N", `n${n}`));
          const wanted = store.reasoner
            .derivedAt(field, subject)
            .filter((fact) => at === null || (fact.from <= at && at < fact.to))
            .map((fact) => store.spell(at === null ? fact : { ...fact, from: at, to: at }))
            .sort();
          const context = `seed ${seed}, field ${store.symbols.fieldOf(field).field}, n${n}, at ${at}`;
          const alone = new DemandState(rules, store.symbols, source, RULE_CALCULUS, frame);
          expect(spelled(store, alone, field, subject, at), context).toEqual(wanted);
          expect(spelled(store, shared, field, subject, at), `${context}, shared`).toEqual(wanted);
          compared += wanted.length;
        }
        if (at !== null) continue;
        const all = new DemandState(rules, store.symbols, source, RULE_CALCULUS, frame);
        expect(new Set(all.derivedSubjects(field)), `seed ${seed}, all subjects`).toEqual(new Set(kept));
      }
    }
  }
  expect(compared).toBeGreaterThan(3_000);
});

test("[6] a closure to the left costs its length on demand, not its square", () => {
  const looks = (length: number) => {
    const store = storeOf(RULES);
    store.reasoner.setRules([]);
    const edges = Array.from({ length }, (_, i) => ({ kind: "N", subject: `n${i}`, field: "to", value: new Subject("N", `n${i + 1}`) }));
    store.change(edges);
    const rules = storeOf(RULES).reasoner.rules();
    const state = new DemandState(rules, store.symbols, demandSource(store), RULE_CALCULUS, { from: 0, to: 1 });
    const left = store.symbols.fieldId("N", "left");
    expect(state.derivedAt(left, store.symbols.datumId(new Subject("N", "n0"))).length).toBe(length);
    return state.work.rows;
  };
  expect(looks(400)).toBeLessThan(looks(100) * 6);
});

test("[6] a parameter that ranges over a Kind asks for the facts that name its subject, not for all there are", () => {
  const store = storeOf(RULES);
  store.change(Array.from({ length: 300 }, (_, i) => ({ kind: "N", subject: `n${i}`, field: "to", value: new Subject("N", `m${i}`) })));
  const source = demandSource(store);
  const state = new DemandState(store.reasoner.rules(), store.symbols, source, RULE_CALCULUS, { from: 0, to: 1 });
  // Only a value names it.
  const named = state.derivedAt(store.symbols.fieldId("N", "named"), store.symbols.datumId(new Subject("N", "m7")));
  expect(named.length).toBe(1);
  expect(source.asked).toBeLessThan(10);
});
