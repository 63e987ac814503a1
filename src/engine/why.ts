/**
 * Proofs: why a value holds at a cell at an instant.
 *
 * From the goal downwards the facts it can rest on are found, those one step away first, with every way to conclude
 * them; heights grow from the recorded facts upwards (why-graph.ts). A proof of height h names no fact more than h steps
 * away, so once the goal's height is within the steps taken it is the least, and what lies further is never looked at.
 * Then each fact of the tree shows its derivation of least height, then of the least rule name, then of the least
 * premises in order: only now are its matches read in full.
 *
 * Chosen when asked, from the facts alone, so that history never shows (rulings, "Size of a proof"; store-and-rules.md
 * §5, "Order"). A fold shows the facts of its rows. Does not print: proof-text.ts.
 */
import { Subject } from "../datum";
import { assert, Refusal } from "../failure";
import { PROOF_DERIVATIONS_MAX, PROOF_NODES_MAX } from "../limits";
import type { Cell, Claim } from "./claim";
import type { Proof, ProofPremise } from "./proof";
import type { ProofClaims } from "./reasoner";
import { givesWay } from "./rule";
import type { Atom, Probe, Shown } from "./rule-clause";
import type { ClausePlans } from "./rule-plans";
import type { Env } from "./rule-test";
import type { RuleView } from "./rule-view";
import type { Spans } from "./spans";
import { compareDatums, compareText } from "./value-order";
import { ProofGraph, UNPROVED } from "./why-graph";
import { conditionText } from "./why-text";

export interface Goal {
  readonly field: number;
  readonly subject: number;
  readonly value: number;
  readonly at: number;
}

type Fold = Extract<Probe, { tag: "fold" }>;

/** Where a match's fact is found: an atom's cell, maybe empty, or the rows of a fold. */
type FactRead =
  | {
      readonly tag: "atom";
      readonly field: number;
      readonly subject: number;
      readonly value: number;
      /** A judge may have chosen among what holds there. */
      readonly judged: boolean;
    }
  | { readonly tag: "fold"; readonly probe: Fold };

/** What a proof shows of a clause's match, in order. */
interface ShownReads {
  readonly shown: Shown;
  readonly reads: readonly FactRead[];
}

/** A premise of one derivation: a fact, or a condition to be put into words. */
type Step = { readonly tag: "fact"; readonly fact: number } | { readonly tag: "condition"; readonly shown: Shown };

interface Derivation {
  readonly plans: ClausePlans;
  readonly env: Env;
  readonly steps: readonly Step[];
  readonly facts: readonly number[];
}

interface Frame {
  readonly fact: number;
  readonly repeated: boolean;
  readonly steps: readonly Step[];
  next: number;
  readonly premises: ProofPremise[];
}

export function prove(state: RuleView, goal: Goal, claims: ProofClaims): Proof | null {
  return new Prover(state, goal.at, claims).prove(goal);
}

class Prover {
  readonly #graph = new ProofGraph();
  readonly #reads = new Map<ClausePlans, readonly ShownReads[]>();
  readonly #rows = new Map<Fold, { run: (env: Env, at: number) => void; found: Map<string, number[]> }>();
  /** Fields where recorded and concluded values may both stand. */
  readonly #mixed = new Map<number, boolean>();
  /** The match of each fact that has no other. */
  readonly #only: ({ readonly plans: ClausePlans; readonly env: Env } | undefined)[] = [];
  readonly #ruleNames: string[] = [];
  /** By fact. */
  readonly #chosen: (Derivation | undefined)[] = [];
  readonly #recordedAt: (number | null | undefined)[] = [];
  readonly #leaves: (Claim | undefined)[] = [];

  constructor(
    readonly state: RuleView,
    readonly at: number,
    readonly claims: ProofClaims,
  ) {}

  prove(goal: Goal): Proof | null {
    const root = this.#fact(goal.field, goal.subject, goal.value, true);
    this.#gather(root);
    if (this.#graph.heights[root] === UNPROVED) return null;
    this.#chooseBelow(root);
    return this.#tree(root);
  }

  // ---- the facts that the goal can rest on ----

  /** Step by step away from the goal, until its height is known to be the least. */
  #gather(root: number): void {
    const graph = this.#graph;
    let measuredAt = 0;
    let from = 0;
    for (let steps = 1; ; steps++) {
      const to = graph.factCount;
      for (let fact = from; fact < to; fact++) if (!graph.isRecorded(fact)) this.#expand(fact);
      from = to;
      const ended = from === graph.factCount;
      // Measuring costs what has been gathered: not again before that has grown by half.
      if (!ended && graph.derivationCount < measuredAt * 1.5) continue;
      graph.measure();
      measuredAt = graph.derivationCount;
      const height = graph.heights[root]!;
      if (ended || (height !== UNPROVED && height <= steps)) return;
    }
  }

  #expand(fact: number): void {
    const graph = this.#graph;
    const before = graph.derivationCount;
    this.#matches(fact, (plans, env) => {
      if (graph.derivationCount >= PROOF_DERIVATIONS_MAX) throw tooLarge(`${PROOF_DERIVATIONS_MAX} ways to conclude`);
      if (graph.derivationCount === before) this.#only[fact] = { plans, env: copyOf(env) };
      else this.#only[fact] = undefined;
      const premises = this.#premises(plans, env);
      graph.derive(fact);
      for (const premise of premises) graph.premise(premise);
    });
  }

  /** Each match that concludes a fact, rules by name; `env` is the visitor's only while it runs. */
  #matches(fact: number, visit: (plans: ClausePlans, env: Env) => void): void {
    const { fields, subjects, values, onlys } = this.#graph;
    const only = onlys[fact]! < 0 ? null : this.#ruleNames[onlys[fact]!]!;
    for (const plans of this.state.provers(fields[fact]!)) {
      if (only !== null && plans.rule.name !== only) continue;
      plans.witnesses(subjects[fact]!, values[fact]!, this.at, (env) => visit(plans, env));
    }
  }

  /** The facts of a match, one maybe more than once. */
  #premises(plans: ClausePlans, env: Env): number[] {
    const out: number[] = [];
    for (const { reads } of this.#readsOf(plans)) for (const read of reads) this.#read(read, env, plans, out);
    return out;
  }

  #read(read: FactRead, env: Env, plans: ClausePlans, out: number[]): void {
    if (read.tag === "fold") {
      for (const fact of this.#foldFacts(plans, read.probe, env)) out.push(fact);
      return;
    }
    const value = env.slots[read.value]!;
    if (value >= 0) out.push(this.#fact(read.field, env.slots[read.subject]!, value, read.judged));
  }

  #readsOf(plans: ClausePlans): readonly ShownReads[] {
    let known = this.#reads.get(plans);
    if (known === undefined) {
      known = plans.clause.shown.map((shown) => ({ shown, reads: this.#shownReads(plans, shown) }));
      this.#reads.set(plans, known);
    }
    return known;
  }

  #shownReads(plans: ClausePlans, shown: Shown): FactRead[] {
    const out: FactRead[] = [];
    for (const atom of shown.atoms) out.push(...this.#atomRead(plans, atom));
    for (const probe of shown.probes) {
      if (probe.tag === "optional") out.push(...this.#atomRead(plans, probe.atom));
      else if (probe.tag === "fold") out.push({ tag: "fold", probe });
    }
    return out;
  }

  /** Inside one component nothing is judged. */
  #atomRead(plans: ClausePlans, { from, subject, value }: Atom): FactRead[] {
    if (from.tag === "range") return [];
    const judged = this.state.rulesAt(from.field).length > 0 && !this.state.sameComponent(from.field, plans.headField);
    return [{ tag: "atom", field: from.field, subject, value, judged }];
  }

  #fact(field: number, subject: number, value: number, judged: boolean): number {
    const chosen = judged ? (this.state.judgeOf(field, subject, value, this.at) ?? null) : null;
    const only = chosen === null ? -1 : this.#ruleNumber(chosen);
    const known = this.#graph.find(field, subject, value, only);
    if (known >= 0) return known;
    return this.#graph.add(field, subject, value, only, only < 0 && this.#isRecorded(field, subject, value));
  }

  #ruleNumber(name: string): number {
    const known = this.#ruleNames.indexOf(name);
    return known >= 0 ? known : this.#ruleNames.push(name) - 1;
  }

  #isRecorded(field: number, subject: number, value: number): boolean {
    let mixed = this.#mixed.get(field);
    if (mixed === undefined) {
      const rules = this.state.rulesAt(field);
      if (rules.length === 0) return true;
      mixed = rules.every(givesWay);
      this.#mixed.set(field, mixed);
    }
    return mixed && this.claims.asserted(field, subject, value, this.at) !== null;
  }

  /** The facts of a fold's rows, row by row in order, for each row those of its least witness. */
  #foldFacts(plans: ClausePlans, probe: Fold, env: Env): number[] {
    let rows = this.#rows.get(probe);
    if (rows === undefined) {
      const found = new Map<string, number[]>();
      const reads = probe.part.atoms.flatMap((atom) => this.#atomRead(plans, atom));
      const run = plans.rowPlan(probe, (inner) => {
        const key = probe.row.map((slot) => inner.slots[slot]).join();
        const facts: number[] = [];
        for (const read of reads) this.#read(read, inner, plans, facts);
        const known = found.get(key);
        if (known === undefined || this.#compareFacts(facts, known) < 0) found.set(key, facts);
      });
      rows = { run, found };
      this.#rows.set(probe, rows);
    }
    rows.found.clear();
    rows.run(env, this.at);
    return [...rows.found.values()].sort((a, b) => this.#compareFacts(a, b)).flat();
  }

  // ---- the derivation that each fact shows ----

  #chooseBelow(root: number): void {
    const { heights } = this.#graph;
    const isSeen = new Uint8Array(heights.length + 1);
    const seen = [root];
    const waiting = [root];
    isSeen[root] = 1;
    for (let fact = waiting.pop(); fact !== undefined; fact = waiting.pop()) {
      if (this.#graph.isRecorded(fact)) continue;
      const derivation = this.#choose(fact);
      this.#chosen[fact] = derivation;
      for (const premise of derivation.facts) {
        if (isSeen[premise] === 1) continue;
        isSeen[premise] = 1;
        seen.push(premise);
        if (seen.length > PROOF_NODES_MAX) throw tooLarge(`${PROOF_NODES_MAX} nodes`);
        waiting.push(premise);
      }
    }
    for (const fact of seen.sort((a, b) => heights[a]! - heights[b]!)) this.#recordedAt[fact] = this.#latest(fact);
  }

  #choose(fact: number): Derivation {
    const only = this.#only[fact];
    if (only !== undefined) return this.#derivation(only.plans, only.env);
    const height = this.#graph.heights[fact]!;
    let best: Derivation | null = null;
    this.#matches(fact, (plans, env) => {
      // Rules come by name.
      if (best !== null && best.plans.rule.name !== plans.rule.name) return;
      if (this.#heightOf(this.#premises(plans, env)) !== height) return;
      const found = this.#derivation(plans, copyOf(env));
      if (best === null || this.#compare(found, best) < 0) best = found;
    });
    assert(best !== null, "a fact with a height has a derivation of that height");
    return best;
  }

  /** One more than the highest premise; -1 where one has no height. */
  #heightOf(premises: readonly number[]): number {
    let height = 0;
    for (const premise of premises) {
      const mine = this.#graph.heights[premise] ?? UNPROVED;
      if (mine === UNPROVED) return UNPROVED;
      height = Math.max(height, mine);
    }
    return height + 1;
  }

  #derivation(plans: ClausePlans, env: Env): Derivation {
    const steps: Step[] = [];
    const facts = new Set<number>();
    for (const { shown, reads } of this.#readsOf(plans)) {
      const found: number[] = [];
      for (const read of reads) this.#read(read, env, plans, found);
      for (const fact of found) {
        if (facts.has(fact)) continue;
        facts.add(fact);
        steps.push({ tag: "fact", fact });
      }
      steps.push({ tag: "condition", shown });
    }
    return { plans, env, steps, facts: [...facts] };
  }

  #compare(a: Derivation, b: Derivation): number {
    return this.#compareFacts(a.facts, b.facts) || compareText(this.#conditionsOf(a), this.#conditionsOf(b));
  }

  #conditionsOf({ plans, env, steps }: Derivation): string {
    return steps
      .map((step) => (step.tag === "condition" ? (conditionText(step.shown, plans.clause, env, this.state) ?? "") : ""))
      .join("\n");
  }

  /** By (Kind, subject, field), then value order; a shorter list before what goes on from it. */
  #compareFacts(a: readonly number[], b: readonly number[]): number {
    const { symbols } = this.state;
    const { fields, subjects, values } = this.#graph;
    for (let i = 0; i < a.length && i < b.length; i++) {
      const x = a[i]!;
      const y = b[i]!;
      if (x === y) continue;
      const order =
        compareDatums(symbols.datumOf(subjects[x]!), symbols.datumOf(subjects[y]!)) ||
        compareText(symbols.fieldOf(fields[x]!).field, symbols.fieldOf(fields[y]!).field) ||
        compareDatums(symbols.datumOf(values[x]!), symbols.datumOf(values[y]!));
      if (order !== 0) return order;
    }
    return a.length - b.length;
  }

  /** The latest `recorded_at` among the recorded claims below; lower facts have theirs already. */
  #latest(fact: number): number | null {
    if (this.#graph.isRecorded(fact)) return this.#leaf(fact).recordedAt;
    let latest: number | null = null;
    for (const premise of this.#chosen[fact]!.facts) {
      const at = this.#recordedAt[premise] ?? null;
      if (at !== null && (latest === null || at > latest)) latest = at;
    }
    return latest;
  }

  #leaf(fact: number): Claim {
    let claim = this.#leaves[fact];
    if (claim === undefined) {
      const { fields, subjects, values } = this.#graph;
      const found = this.claims.asserted(fields[fact]!, subjects[fact]!, values[fact]!, this.at);
      assert(found !== null, "a fact that no rule concludes is recorded");
      claim = found;
      this.#leaves[fact] = claim;
    }
    return claim;
  }

  // ---- the tree ----

  /** The tree of the chosen derivations. Without recursion: a proof may be thousands of levels deep. */
  #tree(root: number): Proof {
    const above = new Set<number>();
    let count = 0;
    const open = (fact: number): Frame => {
      if (++count > PROOF_NODES_MAX) throw tooLarge(`${PROOF_NODES_MAX} nodes`);
      const repeated = above.has(fact);
      above.add(fact);
      return { fact, repeated, steps: repeated ? [] : (this.#chosen[fact]?.steps ?? []), next: 0, premises: [] };
    };
    const stack = [open(root)];
    for (;;) {
      const top = stack[stack.length - 1]!;
      const step = top.steps[top.next++];
      if (step?.tag === "fact") stack.push(open(step.fact));
      else if (step !== undefined) {
        const { plans, env } = this.#chosen[top.fact]!;
        const text = conditionText(step.shown, plans.clause, env, this.state);
        if (text !== null) top.premises.push({ tag: "condition", text });
      } else {
        stack.pop();
        const proof = this.#proof(top);
        const parent = stack[stack.length - 1];
        if (parent === undefined) return proof;
        parent.premises.push({ tag: "proof", proof });
      }
    }
  }

  #proof({ fact, repeated, premises }: Frame): Proof {
    const claim = this.#graph.isRecorded(fact) ? this.#leaf(fact) : this.#derivedClaim(fact);
    return { cell: this.#cell(fact), value: this.state.symbols.datumOf(this.#graph.values[fact]!), claim, premises, repeated };
  }

  #cell(fact: number): Cell {
    const { kind, field } = this.state.symbols.fieldOf(this.#graph.fields[fact]!);
    const subject = this.state.symbols.datumOf(this.#graph.subjects[fact]!);
    assert(subject instanceof Subject, "a fact is about a subject");
    return { kind, subject: subject.name, field };
  }

  #spanAround(spans: Spans): { readonly from: number; readonly to: number } {
    const held = spans.findIndex((from, i) => i % 2 === 0 && from <= this.at && this.at < spans[i + 1]!);
    assert(held >= 0, "what a rule's match concludes is derived");
    return { from: spans[held]!, to: spans[held + 1]! };
  }

  #derivedClaim(fact: number): Claim {
    const { fields, subjects, values } = this.#graph;
    const { plans } = this.#chosen[fact]!;
    const { name } = plans.rule;
    const { from, to } = plans.isTimeless
      ? this.state.frame
      : this.#spanAround(this.state.concludedSpans(name, fields[fact]!, subjects[fact]!, values[fact]!));
    return {
      cell: this.#cell(fact),
      value: this.state.symbols.datumOf(values[fact]!),
      source: name,
      trust: "derived",
      rule: name,
      writtenBy: null,
      recordedAt: this.#recordedAt[fact] ?? null,
      window: { from: Number.isFinite(from) ? from : null, to: Number.isFinite(to) ? to : null },
      qualifiers: new Map(),
      position: 0,
      superseded: false,
      pinned: false,
    };
  }
}

function copyOf({ slots, temps }: Env): Env {
  return { slots: slots.slice(), temps: [...temps] };
}

function tooLarge(what: string): Refusal {
  return new Refusal("limit_exceeded", `the proof has more than ${what}: ask for the reasons of one of its premises`, null);
}
