/**
 * A whole store under random rules and random changes of every kind, held against the naive twin after each change:
 * what is concluded and over which windows, what is in force, the lines of `diff`, the proofs, and the constraints.
 *
 * What is recorded is read off the store itself (its own model is store-model.ts); everything the rules make of it is
 * computed anew each time.
 */
import { expect } from "vitest";
import { type Datum, Float, Subject } from "../../src/datum";
import type { FieldType, KindDeclaration, ReadPoint, Window } from "../../src/engine/claim";
import { proofClaims } from "../../src/engine/derived-claim";
import type { Proof } from "../../src/engine/proof";
import { renderReason } from "../../src/engine/reason";
import { Reasoner } from "../../src/engine/reasoner";
import { givesWay, type Rule } from "../../src/engine/rule";
import { readingsOf } from "../../src/engine/rule-order";
import type { Session } from "../../src/engine/session";
import { compareDatums, compareText } from "../../src/engine/value-order";
import { EngineError, Refusal } from "../../src/failure";
import { RULE_CALCULUS } from "../../src/lang/declare/rule-calculus";
import { CONCLUDED, RANDOM_FIELDS, Random, type RandomModule, randomModule } from "./rule-random";
import { cutsOf, factKey, RulesTwin, spellDatum, type TwinClaim, type TwinConclusion, TwinTooSlow } from "./rule-twin";
import { PLAIN, World } from "./store-fixture";
import { proveNaively } from "./why-naive";

const KINDS = ["m.A", "N"];
const SUBJECTS = ["x", "y", "z"];
const SOURCES = ["s1", "s2"];
/** The past, and what no run of the test reaches. */
const BOUNDS = [null, 0, 5, 9, 1e15, 1e15 + 5];

interface Place {
  readonly kind: string;
  readonly subject: string;
  readonly field: string;
}
const CELLS: readonly Place[] = KINDS.flatMap((kind) =>
  SUBJECTS.flatMap((subject) => RANDOM_FIELDS.map((field) => ({ kind, subject, field }))),
);
const spellPlace = ({ kind, subject, field }: Place) => `${kind}.${subject}.${field}`;

export interface SequenceCounts {
  concluded: number;
  told: number;
  proved: number;
  /** Reads by `known_at`. */
  known: number;
  breached: number;
  refused: number;
  /** Ended early, because the twin would have taken too long. */
  cut: number;
}

/** What of a sequence is left out: statements by number, rules by name. */
interface Left {
  readonly statements: ReadonlySet<number>;
  readonly rules: ReadonlySet<string>;
}
const NOTHING_LEFT: Left = { statements: new Set(), rules: new Set() };

/** Runs a seed to its end. Where store and twin disagree it throws, telling the shortest sequence found that still shows it. */
export function runSequence(seed: number, statements: number): SequenceCounts {
  const first = attempt(seed, statements, NOTHING_LEFT);
  if (first.problem === null) return first.sequence.counts;
  let left = NOTHING_LEFT;
  let { sequence, problem } = first;
  const without = (fewer: Left) => {
    const again = attempt(seed, statements, fewer);
    if (again.problem === null) return;
    left = fewer;
    ({ sequence, problem } = again);
  };
  for (const { name } of first.sequence.module.rules) without({ ...left, rules: new Set([...left.rules, name]) });
  for (let i = statements - 1; i >= -FIRST_WRITES; i--) without({ ...left, statements: new Set([...left.statements, i]) });
  throw new Error(`seed ${seed}: ${problem.message}\n${sequence.spelled()}`, { cause: problem });
}

function attempt(seed: number, statements: number, left: Left): { readonly sequence: Sequence; readonly problem: Error | null } {
  const sequence = new Sequence(seed, left);
  try {
    for (let i = -FIRST_WRITES; i < statements; i++) sequence.step(i);
    return { sequence, problem: null };
  } catch (problem) {
    if (!(problem instanceof TwinTooSlow) && !isEndless(problem)) return { sequence, problem: problem as Error };
    sequence.counts.cut++;
    return { sequence, problem: null };
  }
}

/** Rules that conclude ever longer texts, compiled over data: the store refuses them, and the twin would never be through. */
function isEndless(problem: unknown): boolean {
  return problem instanceof Refusal && problem.reason === "limit_exceeded";
}

/** At most this many statements before the module, and none of them checked. */
const FIRST_WRITES = 50;

class Sequence {
  readonly counts: SequenceCounts = { concluded: 0, told: 0, proved: 0, known: 0, breached: 0, refused: 0, cut: 0 };
  readonly log: string[] = [];
  readonly module: RandomModule;
  readonly world = new World({ reasoner: (symbols, facts) => new Reasoner(symbols, facts, RULE_CALCULUS) });
  readonly marked: boolean;
  readonly firstWrites: number;
  session: Session;
  /** Of the statement at work, so that leaving another out changes nothing here. */
  random: Random;
  readonly #seed: number;
  readonly #left: Left;
  #depth = 0;
  /** The statement has landed what the outermost branch held, and left it open. */
  #hasLanded = false;
  #inWorld = false;
  /** What every cell held at the end of earlier calls; what is removed since is not known of any longer. */
  #moments: { readonly at: number; readonly values: ReadonlyMap<string, string> }[] = [];
  #told = 0;
  /** What held, and in which order what came to hold did, since the outermost branch began. */
  #before: ReadonlyMap<string, TwinConclusion> = new Map();
  #came = new Map<string, { at: number; conclusion: TwinConclusion }>();
  #statement = 0;
  #turned = false;

  constructor(seed: number, left: Left) {
    this.#seed = seed;
    this.#left = left;
    this.random = new Random(seed);
    const module = randomModule(this.random);
    this.module = { ...module, rules: module.rules.filter((rule) => !left.rules.has(rule.name)) };
    this.marked = !this.random.once(3);
    this.firstWrites = this.random.below(FIRST_WRITES);
    this.session = this.world.call();
  }

  /** Statements before 0 come before the module; at 0 it is compiled. */
  step(i: number): void {
    this.random = new Random(this.#seed * 1009 + i);
    this.#statement = i;
    if (i === 0) this.#begin();
    else if (this.#left.statements.has(i) || i < -this.firstWrites) return;
    else if (i < 0) this.#attempt(() => this.#write());
    else this.#any();
    if (i >= 0) this.check();
  }

  spelled(): string {
    const gone = this.#left.rules.size === 0 ? "" : `without ${[...this.#left.rules].join(" ")}\n`;
    return `${this.module.source}\n${gone}${this.log.join("\n")}`;
  }

  #begin(): void {
    this.#install(this.random.once(3) ? [] : this.module.rules);
    if (this.marked) this.session.checkpoint("m");
    this.#before = byKey(this.twin().conclusions);
  }

  #any(): void {
    const { random } = this;
    const roll = random.below(40);
    if (roll < (this.#depth > 0 ? 22 : 30)) this.#attempt(() => this.#write());
    else if (roll < 32) this.#layer();
    else if (roll < 34) this.#attempt(() => this.#declare());
    else if (this.#depth > 0) this.#attempt(() => this.#write());
    else if (roll < (this.#inWorld ? 39 : 37)) this.#attempt(() => this.#worlds());
    else if (this.#inWorld) this.#attempt(() => this.#write());
    else if (roll < 38 && this.marked) this.#attempt(() => this.#tell("restore", () => this.session.restore("m")));
    else this.#next(random.once(3));
  }

  #next(reopens: boolean): void {
    if (!this.#inWorld && this.#depth === 0) {
      const at = this.session.instant;
      this.#moments.push({ at, values: new Map(this.#cells().map((cell) => [spellPlace(cell), this.#valueAt(cell, { at })])) });
    }
    this.log.push(reopens ? "reopen" : "next call");
    this.session.flush();
    this.session = reopens ? this.world.reopen() : this.world.call();
  }

  #attempt(statement: () => unknown): void {
    try {
      statement();
    } catch (problem) {
      if (!(problem instanceof Refusal) && !(problem instanceof EngineError)) throw problem;
      this.counts.refused++;
      this.log.push(`   refused: ${problem.message}`);
    }
  }

  #tell<T>(what: string, statement: () => T): T {
    this.log.push(what);
    // What a branch or a world removes it has written itself; what the store removes is not known of any longer.
    if (/^(forget|restore|merge)/.test(what)) this.#moments = [];
    return statement();
  }

  // ---- random statements ----

  #place(fields: readonly string[]): Place {
    const { random } = this;
    return { kind: random.of(KINDS), subject: random.of(SUBJECTS), field: random.of(fields) };
  }
  /** A place of which a rule reads the field, mostly. */
  #readPlace(): Place {
    const { random } = this;
    const open = this.#recordable();
    const read = this.module.rules.flatMap((rule) => readingsOf(rule)).filter(({ field }) => open.includes(field));
    if (read.length === 0 || random.once(5)) return this.#place(open);
    const { kind, field } = random.of(read);
    return { kind, subject: random.of(SUBJECTS), field };
  }
  /** Recorded fields, and fields whose every rule gives way. */
  #recordable(): string[] {
    const open = CONCLUDED.filter((field) => {
      const there = this.session.ledger.modules.rules().filter((rule) => rule.conclusion.cell.field === field);
      return there.length > 0 && there.every(givesWay);
    });
    return ["n", "n", "k", "r", "r", "t", ...open];
  }
  #value(field: string): Datum {
    const { random } = this;
    if (field === "r" || field === "t") return new Subject(random.of(["m.A", "m.A", "N"]), random.of(SUBJECTS));
    if (field === "d5") return new Float(random.below(3));
    return random.once(5) ? random.of<Datum>([new Float(1), true, "ab", "b", new Float(0.5)]) : random.below(3);
  }
  #window(): Window {
    const { random } = this;
    if (!random.once(3)) return { from: null, to: null };
    const i = random.below(BOUNDS.length);
    const ends = [null, ...BOUNDS.slice(Math.max(i, 0) + 1)].filter((end) => end === null || BOUNDS[i] === null || end > BOUNDS[i]!);
    return { from: BOUNDS[i]!, to: random.of(ends) };
  }

  #write(): void {
    const { random, session } = this;
    const place = this.#readPlace();
    const source = random.of(SOURCES);
    const value = this.#value(place.field);
    const window = this.#window();
    const spelled = spellPlace(place);
    const claim = `${spelled} = ${spellDatum(value)} [${window.from ?? "-"}, ${window.to ?? "-"}) ${source}`;
    const roll = random.below(24);
    if (roll < 6) this.#tell(`remember ${claim}`, () => session.remember(place, value, source, window, PLAIN));
    else if (roll < 14) this.#tell(`update ${claim}`, () => session.update(place, value, source, window, PLAIN));
    else if (roll < 15) this.#tell(`absent ${claim}`, () => session.assertAbsent(place, source, window));
    else if (roll < 19) this.#forget(place);
    else if (roll < 20) this.#tell(`forget subject ${place.kind}.${place.subject}`, () => session.forget({ tag: "subject", ...place }));
    else if (roll < 23) this.#prefer();
    else {
      const pinned = random.once(3);
      this.#tell(`${pinned ? "pin" : "unpin"} ${spelled}`, () => (pinned ? session.pin(place) : session.unpin(place)));
    }
  }

  /** A source or a rule that says something at the cell, mostly. */
  #prefer(): void {
    const { random, session } = this;
    const rivals = this.#cells().filter((cell) => session.sources(cell).length > 1);
    const judged = rivals.filter(({ kind, field }) => kind === "m.A" && (field === "d0" || field === "d5"));
    const likely = judged.length > 0 && random.once(2) ? judged : rivals;
    const place = likely.length > 0 ? random.of(likely) : this.#place(["n", "k"]);
    const target = random.once(2) ? ({ tag: "cell", cell: place } as const) : ({ tag: "field", ...place } as const);
    if (random.once(4)) this.#tell(`unprefer ${spellPlace(place)} (${target.tag})`, () => session.unprefer(target));
    else {
      const who = random.of([...session.sources(place), "s1"]);
      this.#tell(`prefer ${spellPlace(place)} (${target.tag}) ${who}`, () => session.prefer(target, who));
    }
  }

  /** What is there, so that something goes. */
  #forget(place: Place): void {
    const { random, session } = this;
    const there = this.claims();
    const held = there.length > 0 ? random.of(there) : null;
    const where = held ?? place;
    const spelled = spellPlace(where);
    if (random.once(4)) this.#tell(`forget ${spelled}`, () => session.forget({ tag: "cell", cell: where }));
    else if (held !== null && random.once(2)) {
      this.#tell(`forget ${spelled}, ${spellDatum(held.value)}, ${held.source}`, () => session.forgetValue(where, held.value, held.source));
    } else if (random.once(2)) {
      const at = random.of([-5, 0, 5, 9, 1e15]);
      this.#tell(`forget ${spelled} at ${at}`, () => session.forgetAt(where, at));
    } else {
      const keyword = random.of(["recorded_before", "recorded_at_or_before", "valid_before", "valid_at_or_before"] as const);
      const instant = random.of([3, 9, session.instant]);
      const target = random.of([
        { tag: "field", kind: where.kind, field: where.field },
        { tag: "kind", kind: where.kind },
        { tag: "cell", cell: where },
      ] as const);
      this.#tell(`forget ${target.tag} ${spelled} ${keyword} ${instant}`, () => session.forgetRange(target, keyword, instant));
    }
  }

  #layer(): void {
    const { random, session } = this;
    if (this.#depth < 2 && (this.#depth === 0 || random.once(2))) {
      this.log.push("begin");
      session.branchBegin(null);
      this.#depth++;
      return;
    }
    const lands = !random.once(3);
    const ends = !random.once(4);
    this.log.push(`${lands ? "commit" : "rollback"}${ends ? " and end" : ""}`);
    if (lands) session.branchCommit(ends);
    else session.branchRollback(ends);
    this.#hasLanded = lands && this.#depth === 1;
    if (ends) this.#depth--;
  }

  /** Into a world and out again, and what it holds into the store. */
  #worlds(): void {
    const { random, session } = this;
    if (this.#inWorld) {
      this.#tell("leave the world", () => session.worldEnd());
      this.#inWorld = false;
      if (random.once(2)) this.#tell("merge the world", () => session.mergeWorld("w"));
      return;
    }
    if (session.worlds().length > 0 && random.once(6)) this.#tell("discard the world", () => session.discardWorld("w"));
    if (session.worlds().length === 0) this.#tell("create the world", () => session.createWorld("w"));
    this.#tell("enter the world", () => session.worldBegin("w"));
    this.#inWorld = true;
  }

  // ---- declarations ----

  /** Other rules in the module, or in one beside it; a rule alone, or a whole module, taken away. */
  #declare(): void {
    const { random, session, module } = this;
    const { rules } = module;
    if (this.#depth > 0 || this.#inWorld) return;
    const roll = random.below(8);
    if (roll < 3) this.#install(rules.filter(() => !random.once(3)));
    else if (roll < 4) this.#install(rules, random.once(2) ? null : random.of(["n", "k", "d0", "d1"]));
    else if (roll < 6) this.#installBeside(rules.filter((rule) => !rule.computed && random.once(2)));
    else if (roll < 7) {
      const gone = rules[0] === undefined ? "m.none" : random.of(rules).name;
      this.#tell(`forget_rule ${gone}`, () => session.forgetRule(gone));
    } else {
      const gone = random.of(["n", "n", "m"]);
      this.#tell(`forget_module ${gone}`, () => session.forgetModule(gone));
    }
  }

  /** `turned`: a field whose class says `many` the other way round. */
  #install(rules: readonly Rule[], turned: string | null = null): void {
    // A class is what it is now.
    if (turned !== null || this.#turned) this.#moments = [];
    this.#turned = turned !== null;
    this.log.push(`compile m: ${rules.map((rule) => rule.name).join(" ")}${turned === null ? "" : ` with ${turned} turned`}`);
    const kinds = this.module.kinds.map((kind): KindDeclaration => {
      const turn = ([name, type]: [string, FieldType]): [string, FieldType] => [
        name,
        name === turned ? { ...type, many: !type.many } : type,
      ];
      return { name: kind.name, fields: new Map([...kind.fields].map(turn)) };
    });
    this.session.installModule({
      name: "m",
      form: `${rules.map((rule) => rule.name).join()} ${turned}`,
      language: "eng",
      kinds,
      scripts: [],
      rules,
      constraints: this.module.constraints,
      imports: [],
    });
  }

  /** The same rules under the name of another module. */
  #installBeside(rules: readonly Rule[]): void {
    const renamed = rules.map((rule) => ({ ...rule, name: rule.name.replace("m.", "n.") }));
    this.log.push(`compile n: ${renamed.map((rule) => rule.name).join(" ")}`);
    this.session.installModule({
      name: "n",
      form: renamed.map((rule) => rule.name).join(),
      language: "eng",
      kinds: [],
      scripts: [],
      rules: renamed,
      constraints: [],
      imports: [],
    });
  }

  // ---- the comparison ----

  /** The cells that the store has fields for. */
  #cells(): readonly Place[] {
    return CELLS.filter(({ kind, field }) => this.session.hasField(kind, field));
  }

  claims(): TwinClaim[] {
    return this.#cells().flatMap((cell) =>
      this.session
        .get(cell)
        .filter((claim) => claim.trust === "asserted")
        .map(({ value, source, window: { from, to } }) => ({
          ...cell,
          value,
          source,
          from: from ?? Number.NEGATIVE_INFINITY,
          to: to ?? Number.POSITIVE_INFINITY,
        })),
    );
  }

  twin(): RulesTwin {
    const { ledger } = this.session;
    const { symbols } = ledger;
    return new RulesTwin({
      rules: ledger.modules.rules(),
      claims: this.claims(),
      typeOf: (kind, field) => ledger.modules.kind(kind)?.fields.get(field) ?? null,
      preferred: (kind, field, subject) => {
        const sources = ledger.belief.preferredAt(symbols.fieldId(kind, field), symbols.subjectId(kind, subject));
        return sources.map((source) => symbols.datumOf(source) as string);
      },
    });
  }

  check(): void {
    const twin = this.twin();
    this.#checkConclusions(twin);
    this.#checkLines(twin);
    this.#checkInForce(twin);
    this.#checkProofs(twin);
    this.#checkConstraints(twin);
    this.#askWhyNot(twin);
    this.#checkKnown();
  }

  /** Where nothing holds `why_not` says so of every rule that could conclude there; `what_needs` has an answer everywhere. */
  #askWhyNot(twin: RulesTwin): void {
    const moment = twin.moment(this.session.instant);
    const cell = this.random.of(this.#cells());
    this.session.whatNeeds(cell);
    const rules = this.session.ledger.modules
      .rules()
      .filter(({ conclusion }) => conclusion.cell.kind === cell.kind && conclusion.cell.field === cell.field);
    if (rules.length === 0 || moment.claims(cell.kind, cell.field, cell.subject).some((claim) => claim.value !== null)) return;
    const told = renderReason(this.session.whyNot(cell, undefined));
    for (const { name, conclusion } of rules) {
      if (conclusion.cell.subject.tag === "variable" || conclusion.cell.subject.name === cell.subject)
        expect(told).toContain(`rule ${name}: `);
    }
  }

  #checkConclusions(twin: RulesTwin): void {
    const got = this.#cells().flatMap((cell) =>
      this.session
        .get(cell)
        .filter((claim) => claim.trust === "derived")
        .map(
          ({ value, rule, window: { from, to } }) => `${spellPlace(cell)} = ${spellDatum(value)} [${from ?? "-"}, ${to ?? "-"}) ${rule}`,
        ),
    );
    const bound = (end: number) => (Number.isFinite(end) ? String(end) : "-");
    const wanted = twin.conclusions.map((c) => `${spellPlace(c)} = ${spellDatum(c.value)} [${bound(c.from)}, ${bound(c.to)}) ${c.rule}`);
    expect(got.sort()).toEqual(wanted.sort());
    this.counts.concluded += wanted.length;
  }

  /** `diff` tells of exactly the conclusions that came to hold, in order; of a branch once it has landed. */
  #checkLines(twin: RulesTwin): void {
    // What a world holds is told of once it is merged.
    if (this.#inWorld) return;
    const now = byKey(twin.conclusions);
    for (const key of [...this.#came.keys()]) if (!now.has(key)) this.#came.delete(key);
    for (const [key, conclusion] of now) {
      if (!this.#before.has(key) && !this.#came.has(key)) this.#came.set(key, { at: this.#statement, conclusion });
    }
    if (this.#depth > 0 && !this.#hasLanded) return;
    this.#hasLanded = false;
    if (this.marked) {
      const lines = [...this.session.diff("m")!].flatMap((line) =>
        line.tag === "added" && line.source === null ? [`${spellPlace(line.cell)} = ${spellDatum(line.value)}`] : [],
      );
      const wanted = [...this.#came.values()].sort(
        (a, b) =>
          a.at - b.at ||
          compareText(a.conclusion.kind, b.conclusion.kind) ||
          compareText(a.conclusion.subject, b.conclusion.subject) ||
          compareText(a.conclusion.field, b.conclusion.field) ||
          compareDatums(a.conclusion.value, b.conclusion.value),
      );
      expect(lines.slice(this.#told), "diff").toEqual(wanted.map(({ conclusion: c }) => `${spellPlace(c)} = ${spellDatum(c.value)}`));
      this.counts.told += wanted.length;
      this.#told = lines.length;
    }
    this.#before = now;
    this.#came = new Map();
  }

  /** What was read at the end of an earlier call is what `known_at` reads of it, unless a rule has changed since, or a successor was erased. */
  #checkKnown(): void {
    if (this.#moments.length === 0 || this.#inWorld || this.#depth > 0) return;
    const { at, values } = this.random.of(this.#moments);
    for (const cell of this.#cells()) {
      if (!this.random.once(6)) continue;
      const known = this.#valueAt(cell, { at, knownAt: at });
      const wanted = values.get(spellPlace(cell)) ?? "nothing";
      if (known === "derived_field" || known === "not_recorded") this.counts.refused++;
      else expect(known, `value(${spellPlace(cell)}, at=${at}, known_at=${at})`).toBe(wanted);
      this.counts.known++;
    }
  }

  /** What `value` and `values` give at derived fields, at every cut of time. */
  #checkInForce(twin: RulesTwin): void {
    const derived = new Set(this.session.ledger.modules.rules().map(({ conclusion: { cell } }) => `${cell.kind}.${cell.field}`));
    for (const cut of cutsOf(twin.world.claims)) {
      const at = cut === Number.NEGATIVE_INFINITY ? -1e15 : cut;
      const moment = twin.moment(at);
      for (const cell of CELLS) {
        if (!derived.has(`${cell.kind}.${cell.field}`) || this.random.below(4) > 0) continue;
        const held = moment.claims(cell.kind, cell.field, cell.subject).map((claim) => claim.value);
        const distinct = [...new Set(held.map(spellDatum))];
        const wanted = distinct.length === 0 ? "nothing" : distinct.length === 1 ? distinct[0] : "ambiguous";
        expect(this.#valueAt(cell, { at }), `value(${spellPlace(cell)}, at=${at})`).toBe(wanted);
      }
    }
  }

  #valueAt(cell: Place, point: ReadPoint): string {
    try {
      const { found, value } = this.session.value(cell, point);
      return found ? spellDatum(value) : "nothing";
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
      return problem.reason;
    }
  }

  #checkProofs(twin: RulesTwin): void {
    const at = this.session.instant;
    const moment = twin.moment(at);
    for (const cell of CELLS) {
      if (this.random.below(3) > 0) continue;
      const held = moment.claims(cell.kind, cell.field, cell.subject);
      if (held.length === 0 || held[0]!.trust === "asserted") continue;
      const proofs = this.session.why(cell, undefined);
      const distinct = new Map(held.map((claim) => [spellDatum(claim.value), claim.value]));
      expect(proofs.map((proof) => spellDatum(proof.value))).toEqual([...distinct.values()].sort(compareDatums).map(spellDatum));
      for (const proof of proofs) {
        this.#checkProof(twin, proof, []);
        expect(spellProof(proof)).toEqual(spellProof(this.#naiveProof(proof)));
      }
    }
  }

  #naiveProof({ cell: { kind, subject, field }, value }: Proof): Proof {
    const { ledger, instant } = this.session;
    const { symbols } = ledger;
    const goal = {
      field: symbols.fieldId(kind, field),
      subject: symbols.subjectId(kind, subject),
      value: symbols.datumId(value),
      at: instant,
    };
    return ledger.reasoner!.look((view) => proveNaively(view, goal, proofClaims(ledger)))!;
  }

  /** Every node is in force, or follows by the rule it names, over the window it names, from its premises alone; and none rests on itself. */
  #checkProof(twin: RulesTwin, proof: Proof, above: readonly string[]): void {
    const at = this.session.instant;
    const { cell, value, claim } = proof;
    const line = `${spellPlace(cell)} = ${spellDatum(value)}`;
    // A preferred rule may rest on the same value as another rule concludes it.
    const node = `${line} by ${claim.source}`;
    expect(above, `${node} rests on itself`).not.toContain(node);
    this.counts.proved++;
    const from = claim.window.from ?? Number.NEGATIVE_INFINITY;
    const to = claim.window.to ?? Number.POSITIVE_INFINITY;
    expect(from <= at && at < to, `${line} in force`).toBe(true);
    const world = claim.trust === "asserted" ? twin.world.claims : twin.conclusions;
    const found = (world as readonly (TwinClaim | TwinConclusion)[]).some(
      (one) =>
        spellPlace(one) === spellPlace(cell) &&
        compareDatums(one.value, value) === 0 &&
        one.from === from &&
        one.to === to &&
        ("rule" in one ? one.rule : one.source) === claim.source,
    );
    expect(found, `${line} by ${claim.source}`).toBe(true);
    const below = proof.premises.flatMap((premise) => (premise.tag === "proof" ? [premise.proof] : []));
    if (claim.rule !== null && !proof.repeated && this.random.once(2)) {
      const premises = new Set(below.map((premise) => factKey({ ...premise.cell, value: premise.value })));
      expect(twin.concludesFrom(claim.rule, premises, { ...cell, value }, at), `${node} follows from ${[...premises].join("; ")}`).toBe(
        true,
      );
    }
    for (const premise of below) this.#checkProof(twin, premise, [...above, node]);
  }

  #checkConstraints(twin: RulesTwin): void {
    const constraints = this.session.ledger.modules.constraints();
    if (constraints.length === 0 || this.#depth > 0) return;
    const { violated, counts } = this.session.checkup();
    let unevaluable = 0;
    const wanted: string[] = [];
    for (const constraint of constraints) {
      const { subjects, tested, matched } = twin.breaches(constraint, this.session.instant);
      if (subjects.size > 0) wanted.push(`${constraint.name} ${subjects.size}`);
      else if (matched && !tested) unevaluable++;
    }
    expect(violated.map(({ constraint, count }) => `${constraint} ${count}`)).toEqual(wanted);
    expect(counts.unevaluable).toBe(unevaluable);
    this.counts.breached += wanted.length;
  }
}

/** All that a proof says, `recorded_at` included. */
function spellProof({ cell, value, claim, premises, repeated }: Proof): unknown {
  const { source, window, recordedAt, rule } = claim;
  const below = premises.map((premise) => (premise.tag === "condition" ? premise.text : spellProof(premise.proof)));
  return [spellPlace(cell), spellDatum(value), source, rule, window.from, window.to, recordedAt, repeated, below];
}

/** By cell and value: one line of `diff` each, whatever rule and window. */
function byKey(conclusions: readonly TwinConclusion[]): Map<string, TwinConclusion> {
  return new Map(conclusions.map((c) => [`${spellPlace(c)} = ${spellDatum(c.value)}`, c]));
}
