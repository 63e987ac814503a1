/**
 * The reasoner against its naive twin: random rules, random claims coming and going, at every elementary interval.
 *
 * A failing seed prints its rules and its steps. `RULE_SEEDS=from,to` runs others by hand.
 */
import { expect, test } from "vitest";
import { Subject } from "../../src/datum";
import type { Proof } from "../../src/engine/proof";
import { holdsAt } from "../../src/engine/spans";
import { declareSource } from "./rule-source";
import { type TwinDerived, twinDerived } from "./rule-twin";
import { type Recorded, show, TestStore } from "./rule-world";
import { why } from "./why-store";

let lastContext = "";
const INSTANTS = [-1, 0, 1, 2, 3];
const BOUNDS = [Number.NEGATIVE_INFINITY, 0, 1, 2, 3, Number.POSITIVE_INFINITY];

class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = (seed * 2654435761 + 12345) >>> 0;
  }
  below(n: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return (this.#state >>> 8) % n;
  }
  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}

/** Fields: `n`, `k` single-valued scalars, `r`, `t` many-valued references, d0 single, d1 many, d2–d4 concluded only. */
const CLASSES = `
class A:
    n: any
    k: any
    r: many[any]
    t: many[any]
    d0: any
    d1: many[any]

class B:
    n: any
    k: any
    r: many[any]
    t: many[any]
    d0: any
    d1: many[any]
`;

function randomSource(random: Random): string {
  const lines = [CLASSES];
  const count = 1 + random.below(5);
  const kinds = ["A", "B"];
  const derived = ["d0", "d1", "d2", "d3", "d4"];
  const references = ["r", "t", "d1", "d2", "d3"];
  const scalars = ["n", "k", "d0", "d4"];
  for (let i = 0; i < count; i++) {
    const params = ["p", "q", "s"].slice(0, 1 + random.below(3));
    const kindOf = new Map(params.map((p) => [p, random.of(kinds)]));
    const premises: string[] = [];
    const scalar = random.below(5) === 0;
    if (scalar) premises.push(`${random.of(params)}.${random.of(scalars)} == x`);
    const premiseCount = random.below(4);
    const term = () => (random.below(4) === 0 ? String(random.below(3)) : `${random.of(params)}.${random.of(scalars)}`);
    const generator = () => {
      const conditions = [`o.${random.of(references)} == ${random.of(params)}`];
      if (random.below(2) === 0)
        conditions.push(
          random.of([
            `o.${random.of(scalars)} > ${random.below(3)}`,
            `o.${random.of(scalars)} == ${term()}`,
            `absent(o.${random.of(scalars)})`,
            `o.n in [0, 1]`,
            `${random.of(params)}.r == o`,
          ]),
        );
      return `for o in ${random.of(kinds)} if ${conditions.join(" and ")}`;
    };
    const folded = () => `${random.of(["count", "sum", "min", "max"])}(${random.of(["o.n", "o.k", "o.n + o.k", "o.d0"])} ${generator()})`;
    for (let j = 0; j < premiseCount; j++) {
      const p = random.of(params);
      const q = random.of(params);
      const roll = random.below(14);
      if (roll < 5) premises.push(`${p}.${random.of(references)} == ${q}`);
      else if (roll < 6) premises.push(`${term()} ${random.of(["==", "<", "!=", ">="])} ${term()}`);
      else if (roll < 7) premises.push(`absent(${p}.${random.of([...scalars, ...references])})`);
      else if (roll < 8) premises.push(`present(${p}.${random.of([...scalars, ...references])})`);
      else if (roll < 9) premises.push(`none(o ${generator()})`);
      else if (roll < 10) premises.push(`any(o ${generator()})`);
      else if (roll < 11) premises.push(`${folded()} > ${random.below(3)}`);
      else if (roll < 12) premises.push(`trust(${p}.${random.of(["n", "d1", "d4", "r"])}) == "${random.of(["asserted", "derived"])}"`);
      else if (roll < 13) premises.push(`${p}.${random.of(scalars)} in [0, 2]`);
      else premises.push(`f"{${p}.n}" == f"{${q}.k}"`);
    }
    const head = random.of(params);
    const field = random.of(derived);
    const value = () =>
      random.of([
        `${random.of(params)}`,
        `${random.of(params)}`,
        `${random.of(params)}.${random.of([...scalars, ...references])}`,
        `(${random.of(params)}.n + 1) % 3`,
        "1",
        folded(),
        `1 if ${random.of(params)}.n > 1 else ${random.of(params)}.k`,
        scalar ? "x" : "2",
      ]);
    const signature = [...params.map((p) => `${p}: ${kindOf.get(p)}`), ...(scalar ? ["x: int"] : [])].join(", ");
    if (random.below(12) === 0) premises.push(`not_asserted(${head}.${field})`);
    const when = premises.length === 0 ? "" : `    when(${premises.join(", ")})\n`;
    lines.push(`@rule\ndef rule${i}(${signature}):\n${when}    conclude(${head}.${field}, ${value()})\n`);
  }
  return lines.join("\n");
}

function randomFact(random: Random, held: readonly Recorded[], open: readonly string[]): Recorded | null {
  const kind = random.of(["m.A", "m.B"]);
  const subject = random.of(["x", "y", "z"]);
  const field = random.of(["n", "k", "r", "r", "t", ...open]);
  const many = field === "r" || field === "t";
  const value = many ? new Subject(random.of(["m.A", "m.B"]), random.of(["x", "y", "z"])) : random.below(12) === 0 ? null : random.below(3);
  const windowed = random.below(3) === 0;
  const from = windowed ? random.of(BOUNDS.slice(0, 5)) : Number.NEGATIVE_INFINITY;
  const later = BOUNDS.filter((b) => b > from);
  const to = windowed ? random.of(later) : Number.POSITIVE_INFINITY;
  const clash = held.some(
    (h) =>
      h.kind === kind &&
      h.subject === subject &&
      h.field === field &&
      (many ? show(h.value) === show(value) : true) &&
      h.from! < to &&
      from < h.to!,
  );
  return clash ? null : { kind, subject, field, value, from, to };
}

function lines(derived: readonly TwinDerived[]): string[] {
  return [...new Set(derived.map((d) => `${d.kind}.${d.subject}.${d.field} = ${show(d.value)} ${d.rule}`))].sort();
}

function runSeed(seed: number): { concluded: number } {
  const random = new Random(seed);
  let source = "";
  let declared = declareSource("");
  // Most random rule sets close a forbidden cycle somewhere; those are another test's business.
  for (let tries = 0; tries < 60; tries++) {
    source = randomSource(random);
    declared = declareSource(source);
    if (declared.diagnostics.length === 0) break;
  }
  if (declared.diagnostics.length > 0) return { concluded: 0 };
  const store = new TestStore();
  for (const kind of declared.kinds) for (const [field, type] of kind.fields) store.declare(kind.name, field, type);
  const typeOf = (kind: string, field: string) => store.fieldType(store.symbols.fieldId(kind, field));
  // Recorded values stand at a derived field only where every rule there gives way.
  const gives = (field: string) =>
    declared.rules
      .filter((r) => r.conclusion.cell.field === field)
      .every((r) => r.premises.some((p) => p.tag === "not_asserted" && p.cell.field === field));
  const open = ["d0", "d4"].filter((field) => gives(field) && declared.rules.some((r) => r.conclusion.cell.field === field));
  const held: Recorded[] = [];
  const steps: string[] = [];
  const early = random.below(2) === 0;
  if (early) store.setRules(declared.rules);
  const shadow = new Map<string, readonly number[]>();
  let concluded = 0;
  for (let step = 0; step < 12; step++) {
    const add: Recorded[] = [];
    const remove: Recorded[] = [];
    for (let i = random.below(4); i >= 0; i--) {
      if (held.length > 0 && random.below(5) < 2) remove.push(...held.splice(random.below(held.length), 1));
      else {
        const made = randomFact(random, [...held, ...add], open);
        if (made !== null) add.push(made);
      }
    }
    held.push(...add);
    steps.push(
      `+ ${add.map((r) => store.spell(store.factOf(r))).join("; ")}   - ${remove.map((r) => store.spell(store.factOf(r))).join("; ")}`,
    );
    lastContext = `${source}\n${steps.join("\n")}`;
    const context = () => `seed ${seed}\n${source}\n${steps.join("\n")}`;
    let changes = store.change(add, remove);
    if (!early && step === 5) changes = store.setRules(declared.rules);
    for (const c of changes) {
      const key = `${c.field},${c.subject},${c.value}`;
      expect(shadow.get(key) ?? [], context()).toEqual(c.before);
      if (c.after.length === 0) shadow.delete(key);
      else shadow.set(key, c.after);
    }
    if (!early && step < 5) continue;
    const facts = [...shadow].flatMap(([key, spans]) => {
      const [field, subject, value] = key.split(",").map(Number) as [number, number, number];
      return [{ field, subject, value, spans }];
    });
    for (const at of INSTANTS) {
      const recorded = held
        .filter((r) => r.from! <= at && at < r.to!)
        .map(({ kind, subject, field, value }) => ({ kind, subject, field, value }));
      const expected = twinDerived(declared.rules, recorded, typeOf);
      const got: TwinDerived[] = [];
      for (const { field, subject } of facts) {
        const { kind, field: name } = store.symbols.fieldOf(field);
        for (const fact of store.reasoner.derivedAt(field, subject)) {
          if (at < fact.from || at >= fact.to) continue;
          got.push({
            kind,
            subject: (store.symbols.datumOf(subject) as Subject).name,
            field: name,
            value: store.symbols.datumOf(fact.value),
            rule: fact.rule,
          });
        }
      }
      concluded += got.length;
      expect(lines(got), `${context()}\nat ${at}`).toEqual(lines(expected));
      for (const { field, subject, value, spans } of facts) {
        if (!holdsAt(spans, at) || random.below(4) > 0) continue;
        const { kind, field: name } = store.symbols.fieldOf(field);
        const proof = why(store, `${kind}.${(store.symbols.datumOf(subject) as Subject).name}.${name}`, store.symbols.datumOf(value), at);
        expect(proof, `${context()}\nwhy at ${at}`).not.toBe(null);
        checkProof(proof!, expected, recorded, context);
      }
    }
  }
  return { concluded };
}

/** Every node is a recorded fact, or concluded by the rule it names; and no branch rests on itself. */
function checkProof(
  proof: Proof,
  derived: readonly TwinDerived[],
  recorded: readonly Omit<TwinDerived, "rule">[],
  context: () => string,
  above: readonly string[] = [],
): void {
  const line = `${proof.cell.kind}.${proof.cell.subject}.${proof.cell.field} = ${show(proof.value)}`;
  if (proof.claim.trust === "asserted") {
    expect(
      recorded.some((r) => `${r.kind}.${r.subject}.${r.field} = ${show(r.value)}` === line),
      `${context()}\n${line} asserted`,
    ).toBe(true);
    return;
  }
  expect(lines(derived), `${context()}\n${line} derived`).toContain(`${line} ${proof.claim.rule}`);
  expect(above, `${context()}\n${line} rests on itself`).not.toContain(line);
  for (const premise of proof.premises)
    if (premise.tag === "proof") checkProof(premise.proof, derived, recorded, context, [...above, line]);
}

const range = (globalThis as { process?: { env: Record<string, string | undefined> } }).process?.env.RULE_SEEDS?.split(",").map(Number) ?? [
  1, 90,
];

test("[rules] the reasoner agrees with its twin over random rules and changes", () => {
  let concluded = 0;
  for (let seed = range[0]!; seed <= range[1]!; seed++) {
    try {
      concluded += runSeed(seed).concluded;
    } catch (problem) {
      throw new Error(`seed ${seed}: ${(problem as Error).message}\n${lastContext}`, { cause: problem });
    }
  }
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
  const names = ["a", "b", "c", "d", "e"];
  const held: Recorded[] = [];
  const steps: string[] = [];
  let concluded = 0;
  for (let step = 0; step < 30; step++) {
    const add: Recorded[] = [];
    const remove: Recorded[] = [];
    if (held.length > 4 && random.below(2) === 0) remove.push(...held.splice(random.below(held.length), 1));
    else {
      const windowed = seed % 2 === 0 && random.below(2) === 0;
      const from = windowed ? random.of(BOUNDS.slice(0, 5)) : Number.NEGATIVE_INFINITY;
      const to = windowed ? random.of(BOUNDS.filter((b) => b > from)) : Number.POSITIVE_INFINITY;
      const field = random.of(["to", "to", "to", "to", "wide", "start", "end"]);
      const made: Recorded = {
        kind: "N",
        subject: random.of(names),
        field,
        value: field === "to" ? new Subject("N", random.of(names)) : true,
        from,
        to,
      };
      if (
        !held.some(
          (h) => h.subject === made.subject && h.field === made.field && show(h.value) === show(made.value) && h.from! < to && from < h.to!,
        )
      )
        add.push(made);
    }
    held.push(...add);
    steps.push(
      `+ ${add.map((r) => store.spell(store.factOf(r))).join("; ")}   - ${remove.map((r) => store.spell(store.factOf(r))).join("; ")}`,
    );
    store.change(add, remove);
    for (const at of INSTANTS) {
      const recorded = held
        .filter((r) => r.from! <= at && at < r.to!)
        .map(({ kind, subject, field, value }) => ({ kind, subject, field, value }));
      const expected = lines(twinDerived(declared.rules, recorded, () => null));
      const got: TwinDerived[] = [];
      for (const field of new Set(declared.rules.map((r) => r.conclusion.cell.field))) {
        const id = store.symbols.fieldId("N", field);
        for (const subject of store.reasoner.derivedSubjects(id)) {
          for (const fact of store.reasoner.derivedAt(id, subject)) {
            if (at < fact.from || at >= fact.to) continue;
            got.push({
              kind: "N",
              subject: (store.symbols.datumOf(subject) as Subject).name,
              field,
              value: store.symbols.datumOf(fact.value),
              rule: fact.rule,
            });
          }
        }
      }
      concluded += got.length;
      expect(lines(got), `seed ${seed}\n${steps.join("\n")}\nat ${at}`).toEqual(expected);
    }
  }
  return concluded;
}

const cycles = (globalThis as { process?: { env: Record<string, string | undefined> } }).process?.env.CYCLE_SEEDS?.split(",").map(
  Number,
) ?? [1, 8];

test("[rules] recursion over cycles with windows, edges coming and going, agrees with the twin", () => {
  let concluded = 0;
  for (let seed = cycles[0]!; seed <= cycles[1]!; seed++) concluded += runRecursion(seed);
  expect(concluded).toBeGreaterThan(300);
});
