/**
 * Proofs once more, naively: every way to conclude everything below the goal is gathered, heights are measured once, and
 * each fact shows its least derivation. why.ts must give the very same proofs without looking at all of it.
 */
import { Subject } from "../../src/datum";
import type { Cell, Claim } from "../../src/engine/claim";
import type { Proof, ProofPremise } from "../../src/engine/proof";
import type { ProofClaims } from "../../src/engine/reasoner";
import type { Atom, Probe, Shown } from "../../src/engine/rule-clause";
import type { ClausePlans } from "../../src/engine/rule-plans";
import type { Env } from "../../src/engine/rule-test";
import type { RuleView } from "../../src/engine/rule-view";
import { compareDatums, compareText } from "../../src/engine/value-order";
import { conditionText } from "../../src/engine/why-text";
import { assert, Refusal } from "../../src/failure";
import { PROOF_DERIVATIONS_MAX, PROOF_NODES_MAX } from "../../src/limits";

interface Goal {
  readonly field: number;
  readonly subject: number;
  readonly value: number;
  readonly at: number;
}

/** A premise of one derivation: a fact, or a condition's text. */
type Step = { readonly tag: "fact"; readonly node: Node } | { readonly tag: "condition"; readonly text: string };

interface Derivation {
  readonly rule: string;
  readonly steps: readonly Step[];
  /** Premises without a height yet. */
  open: number;
}

interface Node {
  readonly field: number;
  readonly subject: number;
  readonly value: number;
  /** The one rule that may be shown, where a judge chose; null: any. */
  readonly only: string | null;
  readonly claim: Claim | null;
  readonly derivations: Derivation[];
  readonly usedBy: { readonly node: Node; readonly derivation: Derivation }[];
  /** -1 while unknown; 0 for recorded facts. */
  height: number;
  chosen: Derivation | null;
  /** The latest `recorded_at` among the recorded claims of the proof shown. */
  recordedAt: number | null;
}

interface Frame {
  readonly node: Node;
  readonly repeated: boolean;
  readonly steps: readonly Step[];
  next: number;
  readonly premises: ProofPremise[];
}

export function proveNaively(state: RuleView, goal: Goal, claims: ProofClaims): Proof | null {
  const prover = new Prover(state, goal.at, claims);
  const root = prover.node(goal.field, goal.subject, goal.value, null);
  prover.gather();
  prover.measure();
  return root.height < 0 ? null : prover.tree(root);
}

class Prover {
  readonly #nodes = new Map<string, Node>();
  readonly #waiting: Node[] = [];
  readonly #rows = new Map<Probe, { run: (env: Env, at: number) => void; found: Map<string, Node[]> }>();
  #derivationCount = 0;

  constructor(
    readonly state: RuleView,
    readonly at: number,
    readonly claims: ProofClaims,
  ) {}

  /** The fact as read from `readerField`: inside one component nothing is judged. */
  node(field: number, subject: number, value: number, readerField: number | null): Node {
    const { state } = this;
    const judged =
      readerField !== null && state.sameComponent(field, readerField) ? undefined : state.judgeOf(field, subject, value, this.at);
    const only = judged ?? null;
    const key = `${field},${subject},${value},${only ?? ""}`;
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const claim = only === null ? this.claims.asserted(field, subject, value, this.at) : null;
    const node: Node = { field, subject, value, only, claim, derivations: [], usedBy: [], height: -1, chosen: null, recordedAt: null };
    this.#nodes.set(key, node);
    this.#waiting.push(node);
    return node;
  }

  gather(): void {
    for (let node = this.#waiting.pop(); node !== undefined; node = this.#waiting.pop()) {
      if (node.claim !== null) continue;
      for (const plans of this.state.provers(node.field)) {
        if (node.only !== null && plans.rule.name !== node.only) continue;
        const here = node;
        const matches: Env[] = [];
        plans.witnesses(node.subject, node.value, this.at, () => {
          this.#derivationCount++;
          if (this.#derivationCount > PROOF_DERIVATIONS_MAX) throw tooLarge(`${PROOF_DERIVATIONS_MAX} ways to conclude`);
          matches.push({ slots: plans.match.slots.slice(), temps: [...plans.match.temps] });
          return false;
        });
        for (const env of matches) this.#derivation(here, plans, env);
      }
    }
  }

  #derivation(node: Node, plans: ClausePlans, env: Env): void {
    const steps: Step[] = [];
    const facts = new Set<Node>();
    const fact = (premise: Node) => {
      if (facts.has(premise)) return;
      facts.add(premise);
      steps.push({ tag: "fact", node: premise });
    };
    for (const shown of plans.clause.shown) this.#steps(node, plans, env, shown, fact, (text) => steps.push({ tag: "condition", text }));
    const derivation: Derivation = { rule: plans.rule.name, steps, open: facts.size };
    node.derivations.push(derivation);
    for (const premise of facts) premise.usedBy.push({ node, derivation });
  }

  #steps(node: Node, plans: ClausePlans, env: Env, shown: Shown, fact: (node: Node) => void, condition: (text: string) => void): void {
    for (const atom of shown.atoms) {
      const held = this.#fact(atom, env, node.field);
      if (held !== null) fact(held);
    }
    for (const probe of shown.probes) {
      if (probe.tag === "optional") {
        const held = env.slots[probe.atom.value]! < 0 ? null : this.#fact(probe.atom, env, node.field);
        if (held !== null) fact(held);
      } else if (probe.tag === "fold") {
        for (const held of this.#foldFacts(plans, probe, env, node.field)) fact(held);
      }
    }
    const text = conditionText(shown, plans.clause, env, this.state);
    if (text !== null) condition(text);
  }

  #fact(atom: Atom, env: Env, readerField: number): Node | null {
    if (atom.from.tag === "range") return null;
    return this.node(atom.from.field, env.slots[atom.subject]!, env.slots[atom.value]!, readerField);
  }

  /** The facts of a fold's rows, row by row in order, for each row those of its least witness. */
  #foldFacts(plans: ClausePlans, probe: Extract<Probe, { tag: "fold" }>, env: Env, readerField: number): Node[] {
    let rows = this.#rows.get(probe);
    if (rows === undefined) {
      const found = new Map<string, Node[]>();
      const run = plans.rowPlan(probe, (inner) => {
        const key = probe.row.map((slot) => inner.slots[slot]).join();
        const facts = probe.part.atoms.flatMap((atom) => this.#fact(atom, inner, readerField) ?? []);
        const known = found.get(key);
        if (known === undefined || compareFacts(this.state, facts, known) < 0) found.set(key, facts);
      });
      rows = { run, found };
      this.#rows.set(probe, rows);
    }
    rows.found.clear();
    rows.run(env, this.at);
    return [...rows.found.values()].sort((a, b) => compareFacts(this.state, a, b)).flat();
  }

  /** Heights, level by level from the recorded facts up. */
  measure(): void {
    let level: Node[] = [];
    for (const node of this.#nodes.values()) {
      if (node.claim !== null) {
        node.height = 0;
        level.push(node);
      }
    }
    const bare: Node[] = [];
    for (const node of this.#nodes.values()) {
      if (node.height < 0 && node.derivations.some((derivation) => derivation.open === 0)) bare.push(node);
    }
    for (let height = 1; level.length > 0 || bare.length > 0; height++) {
      const next = new Set<Node>(bare.splice(0));
      for (const node of level) {
        for (const use of node.usedBy) {
          use.derivation.open--;
          if (use.derivation.open === 0 && use.node.height < 0) next.add(use.node);
        }
      }
      for (const node of next) node.height = height;
      level = [...next];
    }
  }

  /** The tree of the chosen derivations. Without recursion: a proof may be thousands of levels deep. */
  tree(root: Node): Proof {
    this.#chooseAll();
    const above = new Set<Node>();
    let count = 0;
    const open = (node: Node): Frame => {
      if (++count > PROOF_NODES_MAX) throw tooLarge(`${PROOF_NODES_MAX} nodes`);
      const repeated = above.has(node);
      above.add(node);
      return { node, repeated, steps: repeated || node.chosen === null ? [] : node.chosen.steps, next: 0, premises: [] };
    };
    const stack = [open(root)];
    for (;;) {
      const top = stack[stack.length - 1]!;
      const step = top.steps[top.next++];
      if (step?.tag === "condition") top.premises.push(step);
      else if (step !== undefined) stack.push(open(step.node));
      else {
        stack.pop();
        const { node, repeated, premises } = top;
        const proof: Proof = {
          cell: this.#cell(node),
          value: this.state.symbols.datumOf(node.value),
          claim: node.claim ?? this.#derivedClaim(node),
          premises,
          repeated,
        };
        const parent = stack[stack.length - 1];
        if (parent === undefined) return proof;
        parent.premises.push({ tag: "proof", proof });
      }
    }
  }

  /** Decides every fact's derivation and when it was recorded, lower facts first. */
  #chooseAll(): void {
    const nodes = [...this.#nodes.values()].filter((node) => node.height >= 0).sort((a, b) => a.height - b.height);
    for (const node of nodes) {
      if (node.claim !== null) {
        node.recordedAt = node.claim.recordedAt;
        continue;
      }
      for (const derivation of node.derivations) {
        if (heightOf(derivation) !== node.height) continue;
        if (node.chosen === null || compareDerivations(this.state, derivation, node.chosen) < 0) node.chosen = derivation;
      }
      assert(node.chosen !== null, "a fact with a height has a derivation of that height");
      for (const step of node.chosen.steps) {
        const at = step.tag === "fact" ? step.node.recordedAt : null;
        if (at !== null && (node.recordedAt === null || at > node.recordedAt)) node.recordedAt = at;
      }
    }
  }

  #cell(node: Node): Cell {
    const { kind, field } = this.state.symbols.fieldOf(node.field);
    const subject = this.state.symbols.datumOf(node.subject);
    assert(subject instanceof Subject, "a fact is about a subject");
    return { kind, subject: subject.name, field };
  }

  #derivedClaim(node: Node): Claim {
    const { rule } = node.chosen!;
    const spans = this.state.concludedSpans(rule, node.field, node.subject, node.value);
    const held = spans.findIndex((from, i) => i % 2 === 0 && from <= this.at && this.at < spans[i + 1]!);
    assert(held >= 0, "what a rule's match concludes is derived");
    const from = spans[held]!;
    const to = spans[held + 1]!;
    return {
      cell: this.#cell(node),
      value: this.state.symbols.datumOf(node.value),
      source: rule,
      trust: "derived",
      rule,
      writtenBy: null,
      recordedAt: node.recordedAt,
      window: { from: Number.isFinite(from) ? from : null, to: Number.isFinite(to) ? to : null },
      qualifiers: new Map(),
      position: 0,
      superseded: false,
      pinned: false,
    };
  }
}

/** One more than its highest premise; -1 where one has no height. */
function heightOf(derivation: Derivation): number {
  let height = 0;
  for (const step of derivation.steps) {
    if (step.tag !== "fact") continue;
    if (step.node.height < 0) return -1;
    height = Math.max(height, step.node.height);
  }
  return height + 1;
}

function compareDerivations(state: RuleView, a: Derivation, b: Derivation): number {
  return compareText(a.rule, b.rule) || compareFacts(state, factsOf(a), factsOf(b)) || compareText(conditionsOf(a), conditionsOf(b));
}

function factsOf(derivation: Derivation): Node[] {
  return derivation.steps.flatMap((step) => (step.tag === "fact" ? [step.node] : []));
}

function conditionsOf(derivation: Derivation): string {
  return derivation.steps.map((step) => (step.tag === "condition" ? step.text : "")).join("\n");
}

/** By (Kind, subject, field), then value order; a shorter list before what goes on from it. */
function compareFacts(state: RuleView, a: readonly Node[], b: readonly Node[]): number {
  const { symbols } = state;
  for (let i = 0; i < a.length && i < b.length; i++) {
    const x = a[i]!;
    const y = b[i]!;
    if (x === y) continue;
    const order =
      compareDatums(symbols.datumOf(x.subject), symbols.datumOf(y.subject)) ||
      compareText(symbols.fieldOf(x.field).field, symbols.fieldOf(y.field).field) ||
      compareDatums(symbols.datumOf(x.value), symbols.datumOf(y.value));
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function tooLarge(what: string): Refusal {
  return new Refusal("limit_exceeded", `the proof has more than ${what}: ask for the reasons of one of its premises`, null);
}
