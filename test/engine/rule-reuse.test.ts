/** A change of the rules leaves alone what it cannot touch, and what comes out is what working it out afresh gives. */
import { describe, expect, test } from "vitest";
import type { RuleState } from "../../src/engine/rule-state";
import { fact, REACH, storeOf } from "./rule-facts";
import { declareSource } from "./rule-source";
import type { TestStore } from "./rule-world";

const COUNT = `
@rule
def size(p: P):
    when(p.on == True)
    conclude(p.size, count(q for q in P if p.reach == q))
`;
const FAR = `
@rule
def far(p: P):
    when(p.size >= 2)
    conclude(p.far, True)
`;
const NEAR = `
@rule
def near(p: P):
    when(p.size < 2)
    conclude(p.far, False)
`;
const LONE = `
@rule
def lone(p: P):
    when(absent(p.to))
    conclude(p.lone, True)
`;
const OTHER_STEP = REACH.replace("p.reach == q, q.to == r", "p.to == q, q.reach == r");

const FACTS = ["P.a.to = P.b", "P.b.to = P.c [5, 50)", "P.c.to = P.a", "P.c.to = P.d", "P.a.on = True", "P.d.on = True", 'P.e.name = "e"'];
const MORE = ["P.d.to = P.e", "P.e.on = True [10, -)"];

function fresh(source: string, facts: readonly string[]): string[] {
  const store = storeOf(source);
  store.change(facts.map(fact));
  return store.derived();
}

function relation(store: TestStore, field: string): unknown {
  return store.reasoner.look((view) => (view as RuleState).standingRelations(store.symbols.fieldId("P", field))?.raw ?? null);
}

/** From, to, and which concluded fields must still be the same relation. */
const TURNS: { name: string; from: string; to: string; stay: string[]; go: string[] }[] = [
  { name: "a rule above is added", from: REACH + COUNT, to: REACH + COUNT + FAR, stay: ["to", "reach", "size"], go: [] },
  { name: "a rule above is withdrawn", from: REACH + COUNT + FAR, to: REACH + COUNT, stay: ["to", "reach", "size"], go: ["far"] },
  { name: "a rival is added", from: REACH + COUNT + FAR, to: REACH + COUNT + FAR + NEAR, stay: ["reach", "size"], go: ["far"] },
  {
    name: "a rule below changes",
    from: REACH + COUNT + FAR,
    to: OTHER_STEP + COUNT + FAR,
    stay: ["to", "on"],
    go: ["reach", "size", "far"],
  },
  { name: "a rule beside is added", from: REACH, to: REACH + LONE, stay: ["to", "reach"], go: [] },
  { name: "all rules are withdrawn", from: REACH + COUNT, to: LONE, stay: [], go: ["reach", "size"] },
  { name: "a recorded field becomes concluded", from: COUNT + LONE, to: REACH + COUNT + LONE, stay: ["lone"], go: ["reach", "size"] },
];

describe("[rules] what a change of the rules cannot touch stands on", () => {
  for (const { name, from, to, stay, go } of TURNS) {
    for (const way of ["setRules", "load"] as const) {
      test(`${name}, by ${way}`, () => {
        const store = storeOf(from);
        store.change(FACTS.map(fact));
        const before = new Map([...stay, ...go].map((field) => [field, relation(store, field)]));
        const lines = store.derived();
        const changes = way === "setRules" ? store.setRules(declareSource(to).rules) : store.reasoner.load(declareSource(to).rules);
        for (const field of stay) expect([field, relation(store, field) === before.get(field)]).toEqual([field, true]);
        for (const field of go) expect([field, relation(store, field) === before.get(field)]).toEqual([field, false]);
        expect(store.derived()).toEqual(fresh(to, FACTS));
        expect(store.reasoner.derivedCount()).toBe(freshCount(to));
        if (changes !== undefined) expect(changes.length > 0).toBe(withoutRule(lines).join() !== withoutRule(store.derived()).join());
        store.change(MORE.map(fact), [fact("P.c.to = P.a")]);
        const now = [...FACTS, ...MORE].filter((line) => line !== "P.c.to = P.a");
        expect(store.derived()).toEqual(fresh(to, now));
        store.setRules(declareSource(from).rules);
        expect(store.derived()).toEqual(fresh(from, now));
      });
    }
  }
});

/** What reaches a component that stood through two changes of other rules, so that nothing ran it since. */
const REACHED: readonly { readonly by: string; readonly rules: string; readonly add: string[]; readonly remove: string[] }[] = [
  { by: "a premise", rules: REACH, add: ["P.d.to = P.e"], remove: ["P.a.to = P.b"] },
  { by: "what a component below concludes", rules: REACH + COUNT + FAR, add: ["P.d.to = P.e"], remove: ["P.c.to = P.a"] },
  { by: "a subject it ranges over", rules: LONE, add: ['P.new.name = "new"'], remove: ['P.e.name = "e"'] },
  {
    by: "the source of a claim whose value stays",
    rules: '@rule\ndef told(p: P, q: P):\n    when(p.to == q, source(p.to) == "file")\n    conclude(p.told, q)\n',
    add: ["P.a.to = P.b @file"],
    remove: ["P.a.to = P.b"],
  },
  {
    by: "the rule behind a conclusion that stays",
    rules: `${REACH}@rule\ndef firm(p: P, q: P):\n    when(p.reach == q, source(p.reach) == "m.base")\n    conclude(p.firm, q)\n`,
    add: ["P.a.to = P.c"],
    remove: ["P.b.to = P.c [5, 50)"],
  },
  {
    by: "a claim at what it leaves to claims",
    rules: '@rule\ndef called(p: P):\n    when(present(p.name), not_asserted(p.called))\n    conclude(p.called, "nobody")\n',
    add: ['P.e.called = "E"', 'P.a.name = "a"'],
    remove: [],
  },
  {
    by: "what it computes from",
    rules: "@rule\ndef twice(p: P):\n    when(present(p.on))\n    conclude(p.twice, sum(1 for q in P if p.to == q) * 2)\n",
    add: ["P.a.to = P.d", "P.b.on = True"],
    remove: ["P.d.on = True"],
  },
];

describe("[rules] a component that stood through changes of other rules is reached", () => {
  for (const { by, rules, add, remove } of REACHED) {
    test(`by ${by}`, () => {
      const store = storeOf(rules);
      store.change(FACTS.map(fact));
      const beside = "@rule\ndef beside(p: P):\n    when(present(p.beside))\n    conclude(p.seen, True)\n";
      store.setRules(declareSource(rules + beside).rules);
      store.reasoner.load(declareSource(rules).rules);
      store.change(add.map(fact), remove.map(fact));
      const now = [...FACTS.filter((line) => !remove.includes(line)), ...add];
      expect(store.derived()).toEqual(fresh(rules, now));
      expect(store.derived()).not.toEqual(fresh(rules, FACTS));
      store.change(remove.map(fact), add.map(fact));
      expect(store.derived()).toEqual(fresh(rules, FACTS));
    });
  }
});

test("[rules] rules that are refused leave those that stood, and all they concluded", () => {
  const source = `${REACH}${LONE}`;
  const store = storeOf(source, 200_000);
  store.change(Array.from({ length: 40 }, (_, i) => fact(`P.n${i}.to = P.n${i + 1}`)));
  store.change(Array.from({ length: 900 }, (_, i) => fact(`A.n${i}.n = ${i}`)));
  const before = store.derived();
  const never = `
@rule
def never(p: A, q: A):
    when(p.n + q.n == -1)
    conclude(p.never, q)
`;
  for (const way of ["setRules", "load"] as const) {
    expect(() => store.reasoner[way](declareSource(source + never).rules)).toThrow("look at more than 200000 facts");
    expect(store.derived()).toEqual(before);
    expect(store.reasoner.rules().length).toBe(3);
  }
  store.change([fact("P.n40.to = P.n41")]);
  expect(store.derived().length).toBe(before.length + 41);
});

function freshCount(source: string): number {
  const store = storeOf(source);
  store.change(FACTS.map(fact));
  return store.reasoner.derivedCount();
}

function withoutRule(lines: readonly string[]): string[] {
  return lines.map((line) => line.slice(0, line.lastIndexOf(" ")));
}
