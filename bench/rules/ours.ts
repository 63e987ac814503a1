/**
 * Our row: the reasoner alone, over facts that stand in memory. `ours.mjs <workload>`, bundled by bench/rules.mjs.
 *
 * The store beneath (judgement, encryption, SQL) has a bench of its own; peers here hold ints in memory too.
 */
import { type Datum, Subject } from "../../src/datum";
import type { FieldType } from "../../src/engine/claim";
import type { Fact, FactChange } from "../../src/engine/fact";
import { type ClaimFact, type DeclaredField, type FactSource, Reasoner } from "../../src/engine/reasoner";
import type { Rule } from "../../src/engine/rule";
import { RULE_CALCULUS } from "../../src/lang/declare/rule-calculus";
import { declareSource } from "../../test/engine/rule-source";
import { TestSymbols } from "../../test/engine/rule-world";
// @ts-expect-error plain JavaScript, shared with the other rows
import * as data from "./data.mjs";
// @ts-expect-error as above
import { check, tell, timed } from "./harness.mjs";
import { CLOSURE, COUNT_OF_ORDERS, TOTAL_OF_ORDERS } from "./rule-texts";

const GENERATION = `
@rule
def sibling(x: P, y: P, p: P):
    when(p.child == x, p.child == y)
    conclude(x.same, y)

@rule
def cousin(x: P, y: P, p: P, q: P):
    when(p.same == q, p.child == x, q.child == y)
    conclude(x.same, y)
`;
const TOTALS = COUNT_OF_ORDERS + TOTAL_OF_ORDERS;

/** Concludes next to nothing, and reads what the totals read. */
const READS = `
@rule
def seen(o: Order, c: Customer):
    when(o.customer == c, o.amount == -1, o.refunded == True, c.blocked == True)
    conclude(o.seen, True)
`;

/** Recorded facts by field and subject, none of them windowed. */
class Facts implements FactSource {
  readonly symbols = new TestSymbols();
  readonly reasoner = new Reasoner(this.symbols, this, RULE_CALCULUS);
  readonly #fields = new Map<number, Map<number, Fact[]>>();

  fact(kind: string, subject: string, field: string, value: Datum): Fact {
    const { symbols } = this;
    return {
      field: symbols.fieldId(kind, field),
      subject: symbols.datumId(new Subject(kind, subject)),
      value: symbols.datumId(value),
      from: Number.NEGATIVE_INFINITY,
      to: Number.POSITIVE_INFINITY,
    };
  }

  edge(field: string, [from, to]: readonly [number, number]): Fact {
    return this.fact("P", `n${from}`, field, new Subject("P", `n${to}`));
  }

  add(fact: Fact): void {
    let subjects = this.#fields.get(fact.field);
    if (subjects === undefined) this.#fields.set(fact.field, (subjects = new Map()));
    const facts = subjects.get(fact.subject);
    if (facts === undefined) subjects.set(fact.subject, [fact]);
    else facts.push(fact);
  }

  /** One statement's difference. */
  change(sign: 1 | -1, fact: Fact): number {
    const facts = this.#fields.get(fact.field)!.get(fact.subject) ?? [];
    if (sign > 0) this.add(fact);
    else
      facts.splice(
        facts.findIndex((f) => f.value === fact.value),
        1,
      );
    const change: FactChange = { ...fact, sign };
    return this.reasoner.apply([change], [fact]).length;
  }

  *scan(field: number): Iterable<Fact> {
    for (const facts of this.#fields.get(field)?.values() ?? []) yield* facts;
  }
  *scanSubject(field: number, subject: number): Iterable<Fact> {
    yield* this.#fields.get(field)?.get(subject) ?? [];
  }
  fieldsNaming(): Iterable<number> {
    return this.#fields.keys();
  }
  claims(field: number, subject: number): ClaimFact[] {
    return [...this.scanSubject(field, subject)].map((fact) => ({
      ...fact,
      source: "bench",
      windowFrom: null,
      windowTo: null,
      recordedAt: 0,
    }));
  }
  recordedSpans(field: number, subject: number): Iterable<Fact> & readonly Fact[] {
    return [...this.scanSubject(field, subject)];
  }
  fieldType(): FieldType | null {
    return null;
  }
  declared(): readonly DeclaredField[] {
    return [];
  }
  preferred(): readonly string[] {
    return [];
  }
}

function rulesOf(source: string): readonly Rule[] {
  const declared = declareSource(source);
  if (declared.diagnostics.length > 0) throw new Error(JSON.stringify(declared.diagnostics));
  return declared.rules;
}

function closure(graph: string): Record<string, number> {
  const store = new Facts();
  const edges: [number, number][] = data.GRAPHS[graph]();
  for (const edge of edges) store.add(store.edge("edge", edge));
  const rules = rulesOf(CLOSURE);
  const count = () => store.reasoner.derivedCount();
  const [s] = timed(() => store.reasoner.load(rules));
  const want: number[] = data.CLOSURE_COUNTS[graph];
  check(graph, count(), want[0]);
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  const standingMb = (heapUsed + arrayBuffers) / 1e6;

  const goal: [number, number] = data.PROOF_GOALS[graph];
  const { field, subject, value } = store.edge("path", goal);
  const asserted = (f: number, at: number, v: number) =>
    [...store.scanSubject(f, at)].some((fact) => fact.value === v) ? ({} as never) : null;
  const prove = () => store.reasoner.why(field, subject, value, 0, { asserted });
  const [why, proof] = timed(prove);
  check(`proof of ${graph}`, proof !== null, true);
  const [whyAgain] = timed(prove);

  const changes: Record<"A" | "B" | "D", [number, number]> = data.changesOf(graph, edges);
  const [A] = timed(() => store.change(1, store.edge("edge", changes.A)));
  check("A", count(), want[1]);
  const [B] = timed(() => store.change(1, store.edge("edge", changes.B)));
  check("B", count(), want[2]);
  const [C] = timed(() => store.change(-1, store.edge("edge", changes.A)));
  check("C", count(), want[3]);
  const [D] = timed(() => store.change(-1, store.edge("edge", changes.D)));
  check("D", count(), want[4]);
  const again: number[] = [];
  for (let i = 0; i < 5; i++) {
    again.push(timed(() => store.change(1, store.edge("edge", changes.A)))[0]);
    again.push(timed(() => store.change(-1, store.edge("edge", changes.A)))[0]);
  }
  const later = (offset: number) => again.filter((_, i) => i % 2 === offset).sort((a, b) => a - b)[2]!;
  return { s, A, B, C, D, later: later(0), laterLess: later(1), why, whyAgain, standingMb };
}

function generation(): Record<string, number> {
  const store = new Facts();
  for (const edge of data.tree()) store.add(store.edge("child", edge));
  const rules = rulesOf(GENERATION);
  const [s] = timed(() => store.reasoner.load(rules));
  check("same generation", store.reasoner.derivedCount(), data.GENERATION_COUNT);
  return { s };
}

function totals(): Record<string, number> {
  const store = new Facts();
  const { orders, refunded, blocked } = data.orders();
  for (const [id, customer, amount] of orders) {
    store.add(store.fact("Order", `o${id}`, "customer", new Subject("Customer", `c${customer}`)));
    store.add(store.fact("Order", `o${id}`, "amount", amount));
  }
  for (const id of refunded) store.add(store.fact("Order", `o${id}`, "refunded", true));
  for (const id of blocked) store.add(store.fact("Customer", `c${id}`, "blocked", true));
  // As the peers, with the data in place: its columns stand once some rule reads them.
  const [read] = timed(() => store.reasoner.load(rulesOf(READS)));
  const rules = [...store.reasoner.rules(), ...rulesOf(TOTALS)];
  const [s] = timed(() => store.reasoner.load(rules));
  const field = store.symbols.fieldId("Customer", "total");
  let sum = 0;
  let groups = 0;
  for (const customer of store.reasoner.derivedSubjects(field)) {
    groups++;
    for (const fact of store.reasoner.derivedAt(field, customer)) sum += store.symbols.datumOf(fact.value) as number;
  }
  check("groups", groups, data.ORDER_GROUPS);
  check("sum", sum, data.ORDER_SUM);
  const [A] = timed(() => store.change(1, store.fact("Order", "o11", "refunded", true)));
  return { s, read, A };
}

const workload = process.argv[2]!;
tell(workload === "generation" ? generation() : workload === "totals" ? totals() : closure(workload));
