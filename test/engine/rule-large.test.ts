/** Sizes at which the reasoner takes its other ways: recomputing a stratum, the limit of derived claims. */
import { expect, test } from "vitest";
import { type Datum, StoredCollection, Subject } from "../../src/datum";
import { Refusal } from "../../src/failure";
import { storeOf } from "./rule-facts";
import type { Recorded } from "./rule-world";

const CLOSURE = `
@rule
def base(p: P, q: P):
    when(p.to == q)
    conclude(p.reach, q)

@rule
def step(p: P, q: P, r: P):
    when(p.to == q, q.reach == r)
    conclude(p.reach, r)
`;
const edge = (a: number, b: number, from = Number.NEGATIVE_INFINITY): Recorded => ({
  kind: "P",
  subject: `n${a}`,
  field: "to",
  value: new Subject("P", `n${b}`),
  from,
});

test("[rules] a deletion that takes most of a relation leaves what computing afresh gives", () => {
  const store = storeOf(CLOSURE);
  const edges = Array.from({ length: 100 }, (_, i) => edge(i, i + 1));
  edges.push(edge(30, 5), edge(80, 60), edge(99, 98, 7));
  store.change(edges);
  for (const gone of [[50], [33, 66], [10, 70], [100], [49, 0]]) {
    const cut = gone.map((i) => edges[i]!);
    const changes = store.change([], cut);
    const fresh = storeOf(CLOSURE);
    fresh.change(edges.filter((e) => !cut.includes(e)));
    expect(store.derived()).toEqual(fresh.derived());
    expect(changes.every((c) => c.after.length < c.before.length || c.after.length === 0)).toBe(true);
    const back = store.change(cut);
    expect(back.length).toBe(changes.length);
  }
});

test.each([
  ["comparisons of long texts", "p.t < q.t", "x".repeat(40_000)],
  ["a look into long texts", "q.t in p.t", "x".repeat(40_000)],
  ["a text made of long texts", 'f"{p.t}{q.t}" == "x"', "x".repeat(40_000)],
  ["arithmetic with large ints", "p.t * q.t == 1", 7n ** 1000n],
  [
    "comparisons of collections",
    "p.t != q.t",
    new StoredCollection(
      "list",
      Array.from({ length: 200 }, (_, i) => i),
    ),
  ],
] as const)("[rules] few pairs and much to work out: %s count among what a statement may look at", (_, premise, value) => {
  const rules = `
@rule
def r(p: A, q: A):
    when(${premise})
    conclude(p.hit, 1)
`;
  const facts = (of: Datum) => Array.from({ length: 20 }, (_, i): Recorded => ({ kind: "A", subject: `n${i}`, field: "t", value: of }));
  storeOf(rules, 20_000).change(facts(typeof value === "string" ? "x" : 1));
  expect(() => storeOf(rules, 20_000).change(facts(value))).toThrow(Refusal);
});

test("[rules] past the limit of derived claims a statement refuses limit_exceeded and keeps nothing", () => {
  const store = storeOf(`
@rule
def pair(p: A, q: B):
    when(p.on == True, q.on == True)
    conclude(p.pair, q)
`);
  const on = (kind: string, i: number): Recorded => ({ kind, subject: `n${i}`, field: "on", value: true });
  store.change(Array.from({ length: 1300 }, (_, i) => on("A", i)));
  store.change(Array.from({ length: 10 }, (_, i) => on("B", i)));
  const before = store.reasoner.derivedCount();
  expect(before).toBe(13_000);
  const many = Array.from({ length: 1200 }, (_, i) => on("B", i + 10));
  let refusal: unknown = null;
  try {
    store.change(many);
  } catch (problem) {
    refusal = problem;
  }
  expect(refusal).toBeInstanceOf(Refusal);
  expect((refusal as Refusal).reason).toBe("limit_exceeded");
  expect(store.reasoner.derivedCount()).toBe(before);
  expect(store.change([on("B", 5000)]).length).toBe(1300);
  expect(store.change([], [on("B", 5000)]).length).toBe(1300);
});

test("[rules] past the limit of bytes of computed values a statement refuses limit_exceeded and keeps nothing", () => {
  const store = storeOf(`
@rule
def long(p: P):
    conclude(p.long, p.text * 2000 + p.text)
`);
  const long = (i: number): Recorded => ({ kind: "P", subject: `n${i}`, field: "text", value: `${"x".repeat(100)}${i}` });
  store.change(Array.from({ length: 39 }, (_, i) => long(i + 10)));
  const before = store.derived();
  expect(before.length).toBe(39);
  expect(() => store.change([long(90), long(91), long(92)])).toThrow(Refusal);
  expect(store.derived()).toEqual(before);
  store.change([], [long(10), long(11)]);
  store.change([long(90)]);
  expect(store.reasoner.derivedCount()).toBe(38);
});

test("[rules] a join that tries every pair and concludes nothing is refused, not endless", () => {
  const source = `
@rule
def never(p: A, q: B):
    when(p.n + q.n == -1)
    conclude(p.never, q)
`;
  const n = (kind: string, i: number): Recorded => ({ kind, subject: `n${i}`, field: "n", value: i });
  const both = (count: number) => ["A", "B"].flatMap((kind) => Array.from({ length: count }, (_, i) => n(kind, i)));
  const store = storeOf(source, 100_000);
  expect(store.change(both(100))).toEqual([]);
  expect(() => store.change(["A", "B"].flatMap((kind) => Array.from({ length: 400 }, (_, i) => n(kind, i + 100))))).toThrow(
    "look at more than 100000 facts",
  );
  expect(store.change([n("A", 1000)])).toEqual([]);
});
