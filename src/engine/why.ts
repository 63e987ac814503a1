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
import { compareDatums, compareText } from "./value-order";
import { ProofGraph, UNPROVED } from "./why-graph";
import { conditionText, isSilent } from "./why-text";

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
      readonly stands: Stands;
    }
  | { readonly tag: "fold"; readonly probe: Fold };

/** Whether what holds at a field is recorded: all of it, none of it, or it has to be asked of each value. */
type Stands = "recorded" | "concluded" | "mixed";

/** What a proof shows of a clause's match, in order. */
interface ShownReads {
  readonly shown: Shown;
  /** Says nothing beside its facts. */
  readonly isSilent: boolean;
  readonly reads: readonly FactRead[];
}

/** A clause by which facts are concluded. */
interface Way {
  readonly number: number;
  readonly plans: ClausePlans;
  readonly shows: readonly ShownReads[];
  /** All it shows are facts: which they are says all of a match. */
  readonly isSilent: boolean;
  /** Nothing it reads has windows; known once asked for. */
  isTimeless: boolean | null;
  /** Notes the match that the clause has just found. */
  readonly note: () => boolean;
}

interface Derivation {
  readonly way: Way;
  /** Null where the way is silent. */
  readonly env: Env | null;
  readonly facts: ArrayLike<number>;
  /** Premises in order: a fact, or where `shown` of the way stands whose condition is put into words, as `-1 - index`. */
  readonly steps: ArrayLike<number>;
}

interface Frame {
  readonly fact: number;
  readonly derivation: Derivation | null;
  readonly repeated: boolean;
  readonly premises: ProofPremise[];
  next: number;
  recordedAt: number | null;
}

const NO_QUALIFIERS: Claim["qualifiers"] = new Map();

export function prove(state: RuleView, goal: Goal, claims: ProofClaims): Proof | null {
  return new Prover(state, goal.at, claims).prove(goal);
}

class Prover {
  readonly #graph = new ProofGraph();
  readonly #ways: Way[] = [];
  readonly #waysTo = new Map<number, readonly Way[]>();
  readonly #rows = new Map<Fold, { run: (env: Env, at: number) => void; found: Map<string, number[]> }>();
  readonly #stands = new Map<number, Stands>();
  /** Of each fact whose first match shows more than facts: that match, while there is no other. */
  readonly #only: (Env | undefined)[] = [];
  readonly #ruleNames: string[] = [];
  /** Of the facts in the tree: what they show, and when the latest claim below was recorded. */
  readonly #chosen: (Derivation | null | undefined)[] = [];
  readonly #recordedAt: (number | null)[] = [];
  readonly #leaves: (Claim | undefined)[] = [];
  /** The fact whose matches are being found. */
  #goal = -1;

  constructor(
    readonly state: RuleView,
    readonly at: number,
    readonly claims: ProofClaims,
  ) {}

  prove(goal: Goal): Proof | null {
    const root = this.#fact(goal.field, goal.subject, goal.value, true, this.#standsAt(goal.field));
    this.#gather(root);
    return this.#graph.heights[root] === UNPROVED ? null : this.#tree(root);
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
    this.#goal = fact;
    const graph = this.#graph;
    const ways = this.#waysOf(graph.fieldOf(fact));
    const only = graph.onlyOf(fact);
    for (let i = 0; i < ways.length; i++) {
      const way = ways[i]!;
      if (only < 0 || way.plans.rule.name === this.#ruleNames[only]) this.#find(way, fact, way.note);
    }
  }

  #find({ plans }: Way, fact: number, found: () => boolean): void {
    plans.witnesses(this.#graph.subjectOf(fact), this.#graph.valueOf(fact), this.at, found);
  }

  #note(way: Way): void {
    const graph = this.#graph;
    if (graph.derivationCount >= PROOF_DERIVATIONS_MAX) throw tooLarge(`${PROOF_DERIVATIONS_MAX} ways to conclude`);
    const fact = this.#goal;
    const env = way.plans.match;
    if (graph.firstOf(fact) >= 0) this.#only[fact] = undefined;
    else if (!way.isSilent) this.#only[fact] = copyOf(env);
    graph.derive(fact, way.number);
    for (let i = 0; i < way.shows.length; i++) {
      const { reads } = way.shows[i]!;
      for (let j = 0; j < reads.length; j++) {
        const read = reads[j]!;
        if (read.tag === "fold") for (const row of this.#foldFacts(way, read.probe, env)) graph.premise(row);
        else {
          const premise = this.#atomFact(read, env);
          if (premise >= 0) graph.premise(premise);
        }
      }
    }
  }

  /** The clauses that conclude at a field, rules by name. */
  #waysOf(field: number): readonly Way[] {
    let known = this.#waysTo.get(field);
    if (known === undefined) {
      known = this.state.provers(field).map((plans) => this.#way(plans));
      this.#waysTo.set(field, known);
    }
    return known;
  }

  #way(plans: ClausePlans): Way {
    const shows = plans.clause.shown.map((shown) => ({ shown, isSilent: isSilent(shown), reads: this.#shownReads(plans, shown) }));
    const way: Way = {
      number: this.#ways.length,
      plans,
      shows,
      isSilent: shows.every((one) => one.isSilent),
      isTimeless: null,
      note: () => {
        this.#note(way);
        return false;
      },
    };
    this.#ways.push(way);
    return way;
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
  #atomRead(plans: ClausePlans, { from, subject, value }: Atom): Extract<FactRead, { tag: "atom" }>[] {
    if (from.tag === "range") return [];
    const { field } = from;
    const judged = this.state.rulesAt(field).length > 0 && !this.state.sameComponent(field, plans.headField);
    return [{ tag: "atom", field, subject, value, judged, stands: this.#standsAt(field) }];
  }

  #standsAt(field: number): Stands {
    let known = this.#stands.get(field);
    if (known === undefined) {
      const rules = this.state.rulesAt(field);
      known = rules.length === 0 ? "recorded" : rules.every(givesWay) ? "mixed" : "concluded";
      this.#stands.set(field, known);
    }
    return known;
  }

  /** -1: the cell is empty. */
  #atomFact({ field, subject, value, judged, stands }: Extract<FactRead, { tag: "atom" }>, { slots }: Env): number {
    return slots[value]! < 0 ? -1 : this.#fact(field, slots[subject]!, slots[value]!, judged, stands);
  }

  #fact(field: number, subject: number, value: number, judged: boolean, stands: Stands): number {
    const chosen = judged ? (this.state.judgeOf(field, subject, value, this.at) ?? null) : null;
    const only = chosen === null ? -1 : this.#ruleNumber(chosen);
    const known = this.#graph.find(field, subject, value, only);
    if (known >= 0) return known;
    const isRecorded =
      stands === "recorded" || (stands === "mixed" && only < 0 && this.claims.asserted(field, subject, value, this.at) !== null);
    return this.#graph.add(field, subject, value, only, isRecorded);
  }

  #ruleNumber(name: string): number {
    const known = this.#ruleNames.indexOf(name);
    return known >= 0 ? known : this.#ruleNames.push(name) - 1;
  }

  /** The facts of a fold's rows, row by row in order, for each row those of its least witness. */
  #foldFacts({ plans }: Way, probe: Fold, env: Env): number[] {
    let rows = this.#rows.get(probe);
    if (rows === undefined) {
      const found = new Map<string, number[]>();
      const reads = probe.part.atoms.flatMap((atom) => this.#atomRead(plans, atom));
      const run = plans.rowPlan(probe, (inner) => {
        const key = probe.row.map((slot) => inner.slots[slot]).join();
        const facts = reads.map((read) => this.#atomFact(read, inner)).filter((fact) => fact >= 0);
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

  // ---- the derivation that a fact shows ----

  #choose(fact: number): Derivation {
    const graph = this.#graph;
    const height = graph.heights[fact]!;
    const first = graph.firstOf(fact);
    if (!graph.concludes(first + 1, fact)) return this.#derivation(first, this.#only[fact] ?? null);
    let best = -1;
    for (let d = first; graph.concludes(d, fact); d++) {
      const way = this.#wayOf(d);
      // Ways come by the names of their rules.
      if (best >= 0 && this.#wayOf(best).plans.rule.name !== way.plans.rule.name) break;
      if (this.#heightOf(d) !== height) continue;
      // More is shown than facts: the matches have to be looked at once more.
      if (!way.isSilent) return this.#chooseMatch(fact);
      if (best < 0 || this.#compareFacts(graph.premisesOf(d), graph.premisesOf(best)) < 0) best = d;
    }
    assert(best >= 0, "a fact with a height has a derivation of that height");
    return this.#derivation(best, null);
  }

  #wayOf(derivation: number): Way {
    return this.#ways[this.#graph.wayOf(derivation)]!;
  }

  /** One more than the highest premise; -1 where one has no height. */
  #heightOf(derivation: number): number {
    const { heights } = this.#graph;
    const premises = this.#graph.premisesOf(derivation);
    let height = 0;
    for (let i = 0; i < premises.length; i++) {
      const mine = heights[premises[i]!]!;
      if (mine === UNPROVED) return UNPROVED;
      if (mine > height) height = mine;
    }
    return height + 1;
  }

  /** As `#choose`, from the matches: they are found in the order in which they were noted. */
  #chooseMatch(fact: number): Derivation {
    const graph = this.#graph;
    const found: Derivation[] = [];
    for (let d = graph.firstOf(fact); graph.concludes(d, fact); ) {
      const way = this.#wayOf(d);
      if (found.length > 0 && found[0]!.way.plans.rule.name !== way.plans.rule.name) break;
      this.#find(way, fact, () => {
        if (this.#heightOf(d) === graph.heights[fact]) found.push(this.#derivation(d, copyOf(way.plans.match)));
        d++;
        return false;
      });
    }
    return found.reduce((best, one) => (this.#compare(one, best) < 0 ? one : best));
  }

  #derivation(derivation: number, env: Env | null): Derivation {
    const way = this.#wayOf(derivation);
    const facts = this.#graph.premisesOf(derivation);
    if (way.isSilent || env === null) return { way, env, facts, steps: facts };
    const steps: number[] = [];
    const seen = new Set<number>();
    way.shows.forEach(({ reads, isSilent }, i) => {
      for (const read of reads) {
        for (const fact of read.tag === "fold" ? this.#foldFacts(way, read.probe, env) : [this.#atomFact(read, env)]) {
          if (fact < 0 || seen.has(fact)) continue;
          seen.add(fact);
          steps.push(fact);
        }
      }
      if (!isSilent) steps.push(-1 - i);
    });
    return { way, env, facts, steps };
  }

  #compare(a: Derivation, b: Derivation): number {
    return this.#compareFacts(a.facts, b.facts) || compareText(this.#conditionsOf(a), this.#conditionsOf(b));
  }

  #conditionsOf(derivation: Derivation): string {
    return Array.from(derivation.steps, (step) => (step < 0 ? this.#conditionOf(derivation, step) : "")).join("\n");
  }

  #conditionOf({ way, env }: Derivation, step: number): string {
    const { shown } = way.shows[-1 - step]!;
    return conditionText(shown, way.plans.clause, env!, this.state) ?? "";
  }

  /** By (Kind, subject, field), then value order; a shorter list before what goes on from it. */
  #compareFacts(a: ArrayLike<number>, b: ArrayLike<number>): number {
    const { symbols } = this.state;
    const graph = this.#graph;
    for (let i = 0; i < a.length && i < b.length; i++) {
      const x = a[i]!;
      const y = b[i]!;
      if (x === y) continue;
      const order =
        compareDatums(symbols.datumOf(graph.subjectOf(x)), symbols.datumOf(graph.subjectOf(y))) ||
        compareText(symbols.fieldOf(graph.fieldOf(x)).field, symbols.fieldOf(graph.fieldOf(y)).field) ||
        compareDatums(symbols.datumOf(graph.valueOf(x)), symbols.datumOf(graph.valueOf(y)));
      if (order !== 0) return order;
    }
    return a.length - b.length;
  }

  // ---- the tree ----

  /** The tree of the chosen derivations. Without recursion: a proof may be thousands of levels deep. */
  #tree(root: number): Proof {
    const graph = this.#graph;
    let count = 0;
    const open = (fact: number): Frame => {
      if (++count > PROOF_NODES_MAX) throw tooLarge(`${PROOF_NODES_MAX} nodes`);
      const known = this.#chosen[fact];
      const derivation = known !== undefined ? known : graph.isRecorded(fact) ? null : this.#choose(fact);
      this.#chosen[fact] = derivation;
      return { fact, derivation, repeated: known !== undefined, premises: [], next: 0, recordedAt: null };
    };
    const stack = [open(root)];
    for (;;) {
      const top = stack[stack.length - 1]!;
      const { derivation } = top;
      if (derivation !== null && !top.repeated && top.next < derivation.steps.length) {
        const step = derivation.steps[top.next++]!;
        if (step >= 0) stack.push(open(step));
        else top.premises.push({ tag: "condition", text: this.#conditionOf(derivation, step) });
        continue;
      }
      stack.pop();
      const proof = this.#proof(top);
      const parent = stack[stack.length - 1];
      if (parent === undefined) return proof;
      parent.premises.push({ tag: "proof", proof });
      const { recordedAt } = proof.claim;
      if (recordedAt !== null && (parent.recordedAt === null || recordedAt > parent.recordedAt)) parent.recordedAt = recordedAt;
    }
  }

  #proof({ fact, derivation, repeated, premises, recordedAt }: Frame): Proof {
    const graph = this.#graph;
    const value = this.state.symbols.datumOf(graph.valueOf(fact));
    const cell = this.#cell(fact);
    if (derivation === null) return { cell, value, claim: this.#leaf(fact), premises, repeated };
    // Proved further up, it had all its premises there.
    if (!repeated) this.#recordedAt[fact] = recordedAt;
    const { way } = derivation;
    const { name } = way.plans.rule;
    way.isTimeless ??= way.plans.isTimeless;
    const { from, to } = way.isTimeless ? this.state.frame : this.#spanOf(name, fact);
    const claim: Claim = {
      cell,
      value,
      source: name,
      trust: "derived",
      rule: name,
      writtenBy: null,
      recordedAt: this.#recordedAt[fact]!,
      window: { from: Number.isFinite(from) ? from : null, to: Number.isFinite(to) ? to : null },
      qualifiers: NO_QUALIFIERS,
      position: 0,
      superseded: false,
      pinned: false,
    };
    return { cell, value, claim, premises, repeated };
  }

  #leaf(fact: number): Claim {
    let claim = this.#leaves[fact];
    if (claim === undefined) {
      const graph = this.#graph;
      const found = this.claims.asserted(graph.fieldOf(fact), graph.subjectOf(fact), graph.valueOf(fact), this.at);
      assert(found !== null, "a fact that no rule concludes is recorded");
      claim = found;
      this.#leaves[fact] = claim;
    }
    return claim;
  }

  #cell(fact: number): Cell {
    const { kind, field } = this.state.symbols.fieldOf(this.#graph.fieldOf(fact));
    const subject = this.state.symbols.datumOf(this.#graph.subjectOf(fact));
    assert(subject instanceof Subject, "a fact is about a subject");
    return { kind, subject: subject.name, field };
  }

  /** Where the rule concludes the fact, around the instant. */
  #spanOf(rule: string, fact: number): { readonly from: number; readonly to: number } {
    const graph = this.#graph;
    const spans = this.state.concludedSpans(rule, graph.fieldOf(fact), graph.subjectOf(fact), graph.valueOf(fact));
    const held = spans.findIndex((from, i) => i % 2 === 0 && from <= this.at && this.at < spans[i + 1]!);
    assert(held >= 0, "what a rule's match concludes is derived");
    return { from: spans[held]!, to: spans[held + 1]! };
  }
}

function copyOf({ slots, temps }: Env): Env {
  return { slots: slots.slice(), temps: [...temps] };
}

function tooLarge(what: string): Refusal {
  return new Refusal("limit_exceeded", `the proof has more than ${what}: ask for the reasons of one of its premises`, null);
}
