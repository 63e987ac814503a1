/** Statements that are refused half way through the strata: what stood before stands again, down to what later deletions go by. */
import { expect, test } from "vitest";
import { Subject } from "../../src/datum";
import { Refusal } from "../../src/failure";
import { REACH, storeOf } from "./rule-facts";
import { Random } from "./rule-random";
import type { Recorded, TestStore } from "./rule-world";

/** The second rule lies above the closure, and looks at more than a statement may once many are marked. */
const RULES = `${REACH}
@rule
def pairs(p: P, q: P, r: P):
    when(p.reach == r, p.mark == True, q.mark == True)
    conclude(p.pair, q)
`;
const ROWS_MAX = 20_000;
const edge = (a: string | number, b: string | number): Recorded => ({
  kind: "P",
  subject: `n${a}`,
  field: "to",
  value: new Subject("P", `n${b}`),
});
const TOO_MANY: readonly Recorded[] = Array.from({ length: 200 }, (_, i) => ({ kind: "P", subject: `m${i}`, field: "mark", value: true }));
const MUCH: readonly Recorded[] = [...TOO_MANY, ...TOO_MANY.map(({ subject }) => ({ ...edge(0, 1), subject }))];

function refuse(store: TestStore, add: readonly Recorded[], remove: readonly Recorded[]): void {
  const before = store.derived();
  expect(() => store.change([...add, ...MUCH], remove)).toThrow(Refusal);
  expect(store.derived()).toEqual(before);
}

test("[rules] a refused deletion that found another, longer way leaves the order in which doubt is worked off", () => {
  const store = storeOf(RULES, ROWS_MAX);
  store.change([edge("s", "a"), edge("s", "d"), edge("s", "x"), edge("x", "y"), edge("y", "a"), edge("a", "b"), edge("b", "c")]);
  // Behind `b` another value would stand, as near as before, so that only `a` came to stand on more.
  refuse(store, [edge("d", "b")], [edge("s", "a")]);
  store.change([], [edge("s", "a"), edge("y", "a")]);
  expect(store.derived().filter((line) => line.startsWith("P.ns."))).toEqual([
    "P.ns.reach = P.nd m.base",
    "P.ns.reach = P.nx m.base",
    "P.ns.reach = P.ny m.step",
  ]);
});

test("[rules] deletions after refused statements leave what computing afresh gives, over random graphs", () => {
  for (let seed = 1; seed <= 6; seed++) {
    const random = new Random(seed);
    const store = storeOf(RULES, ROWS_MAX);
    // Enough that a deletion may put half of the conclusions in doubt.
    const nodes = seed % 3 === 0 ? 60 : 9;
    const some = (count: number) => Array.from({ length: count }, () => [random.below(nodes), random.below(nodes)] as const);
    let edges = new Map(some(nodes * 2).map(([a, b]) => [`${a},${b}`, edge(a, b)]));
    store.change([...edges.values()]);
    for (let step = 0; step < 10; step++) {
      const after = new Map(edges);
      for (const key of [...edges.keys()]) if (random.once(step % 2 === 0 ? 3 : 9)) after.delete(key);
      for (const [a, b] of some(random.below(4))) after.set(`${a},${b}`, edge(a, b));
      const added = [...after].filter(([key]) => !edges.has(key)).map(([, one]) => one);
      const removed = [...edges].filter(([key]) => !after.has(key)).map(([, one]) => one);
      if (random.once(2)) {
        refuse(store, added, removed);
        continue;
      }
      store.change(added, removed);
      edges = after;
      const fresh = storeOf(RULES, ROWS_MAX);
      fresh.change([...edges.values()]);
      expect(store.derived(), `seed ${seed}, step ${step}`).toEqual(fresh.derived());
    }
  }
});

test("[rules] what was forgotten before does not count among what a statement may look at", () => {
  const store = storeOf("@rule\ndef seen(p: P, q: P):\n    when(p.on == True, q.mark == True)\n    conclude(p.sees, q)\n", 100);
  const marks = TOO_MANY.slice(0, 150);
  for (const mark of marks) store.change([mark]);
  for (const mark of marks.slice(0, 145)) store.change([], [mark]);
  store.change([{ kind: "P", subject: "n0", field: "on", value: true }]);
  expect(store.derived()).toHaveLength(5);
});
