/**
 * Random modules of rules: every premise form, value form and kind of field, over two Kinds, one declared and one bare.
 * A seed gives one module on every machine. Most random rule sets close a forbidden cycle somewhere or mix types; those
 * are another test's business, and the next one is tried.
 */
import { Subject } from "../../src/datum";
import { type Declared, declareSource } from "./rule-source";
import { RulesTwin, type TwinClaim, TwinTooSlow } from "./rule-twin";

/** mulberry32. */
export class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = seed | 0;
  }
  below(n: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  }
  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
  /** True once in `n`. */
  once(n: number): boolean {
    return this.below(n) === 0;
  }
}

const KINDS = ["A", "A", "N"];
/** `n`, `k` single-valued, `r`, `t` references (many at A, undeclared at N). */
const RECORDED = ["n", "k", "r", "t"];
/** At A: d0 single and d1 many, d5 a float; the others nobody declares. */
export const CONCLUDED = ["d0", "d1", "d2", "d3", "d4", "d5"];
const REFERENCES = ["r", "r", "r", "t", "t", "d1", "d2", "d3"];
const SCALARS = ["n", "n", "n", "k", "k", "d0", "d4", "d5"];

class RuleWriter {
  readonly params: readonly string[];
  readonly kindOf: ReadonlyMap<string, string>;
  readonly hasScalar: boolean;
  readonly scalarType: string;

  constructor(
    readonly random: Random,
    readonly name: string,
  ) {
    this.params = ["p", "q", "s"].slice(0, 1 + random.below(random.once(3) ? 3 : 2));
    this.kindOf = new Map(this.params.map((p) => [p, random.of(KINDS)]));
    this.hasScalar = random.once(5);
    this.scalarType = random.of(["int", "any"]);
  }

  param(): string {
    return this.random.once(12) ? `${this.random.of(KINDS)}.x` : this.random.of(this.params);
  }
  cell(fields: readonly string[]): string {
    return `${this.param()}.${this.random.of(fields)}`;
  }
  term(): string {
    const { random } = this;
    if (random.once(4)) return random.of(["0", "1", "2", "1.0", "True", '"a"']);
    if (random.once(6)) return `${this.cell(SCALARS)} ${random.of(["+", "-", "*", "//"])} ${random.of(["1", "2", this.cell(SCALARS)])}`;
    if (this.hasScalar && random.once(4)) return "x";
    return this.cell(SCALARS);
  }
  comparison(): string {
    return `${this.term()} ${this.random.of(["==", "<", "!=", "!=", ">=", "<="])} ${this.term()}`;
  }

  condition(): string {
    const { random } = this;
    return random.of([
      () => `o.${random.of(SCALARS)} > ${random.below(3)}`,
      () => `o.${random.of(SCALARS)} == ${this.term()}`,
      () => `absent(o.${random.of([...SCALARS, ...REFERENCES])})`,
      () => `present(o.${random.of([...SCALARS, ...REFERENCES])})`,
      () => `o.${random.of(SCALARS)} ${random.of(["in", "not in"])} [0, 1]`,
      () => `${this.cell(REFERENCES)} == o`,
      () => `o.n.startswith("a")`,
      () => `o.${random.of(REFERENCES)} == ${this.param()}`,
    ])();
  }
  generator(): string {
    const { random } = this;
    const conditions = [`o.${random.of(REFERENCES)} == ${this.param()}`];
    if (random.once(2)) conditions.push(this.condition());
    if (random.once(6)) conditions.splice(0, 1);
    return `for o in ${random.of(KINDS)}${conditions.length === 0 ? "" : ` if ${conditions.join(" and ")}`}`;
  }
  fold(): string {
    const { random } = this;
    const of = random.of(["o.n", "o.k", "o.n + o.k", "o.d0", "o.d4", `o.n + ${this.cell(SCALARS)}`]);
    return `${random.of(["count", "sum", "min", "max", "avg"])}(${random.once(4) ? "o" : of} ${this.generator()})`.replace(
      /^(sum|min|max|avg)\(o /,
      "count(o ",
    );
  }

  premise(): string {
    const { random } = this;
    const claimed = () => this.cell(["n", "d1", "d4", "r", "d0", "d2"]);
    return random.of([
      ...Array.from({ length: 6 }, () => () => `${this.cell(REFERENCES)} == ${random.of(this.params)}`),
      () => this.comparison(),
      () => this.comparison(),
      () => `absent(${this.cell([...SCALARS, ...REFERENCES])})`,
      () => `present(${this.cell([...SCALARS, ...REFERENCES])})`,
      () => `none(o ${this.generator()})`,
      () => `any(o ${this.generator()})`,
      () => `${this.fold()} ${random.of([">", "==", "<="])} ${random.below(3)}`,
      () => `trust(${claimed()}) == "${random.of(["asserted", "derived"])}"`,
      () => `source(${claimed()}) ${random.of(["==", "!="])} "${random.of(["s1", "s2", "m.rule0"])}"`,
      () =>
        `${random.of(["valid_from", "valid_to"])}(${claimed()}) ${random.of(["<", ">="])} datetime("1970-01-01T00:00:00.${random.of(["000000", "000005", "000007"])}Z")`,
      () => `${this.cell(SCALARS)} in [0, 2]`,
      () => `f"{${this.cell(SCALARS)}}" == f"{${this.cell(SCALARS)}}"`,
      () => `"a" in ${this.cell(["n", "k"])}`,
      () => `${this.cell(["n", "k"])}.endswith("b")`,
      () => `not_asserted(${this.cell(["d0", "d4", "n"])})`,
    ])();
  }

  value(): string {
    const { random } = this;
    return random.of([
      () => random.of(this.params),
      () => random.of(this.params),
      () => this.cell([...SCALARS, ...REFERENCES]),
      () => `(${this.cell(["n", "k"])} + 1) % 3`,
      () => "1",
      () => this.fold(),
      () => `${this.term()} if ${random.of([this.comparison(), `present(${this.cell(SCALARS)})`])} else ${this.term()}`,
      () => (this.hasScalar ? "x" : "2.5"),
      () => `f"{${this.cell(SCALARS)}}b"`,
    ])();
  }

  signature(): string {
    return [...this.params.map((p) => `${p}: ${this.kindOf.get(p)}`), ...(this.hasScalar ? [`x: ${this.scalarType}`] : [])].join(", ");
  }
  premises(atMost: number): string[] {
    const { random } = this;
    const premises = Array.from({ length: random.below(atMost) }, () => this.premise());
    if (this.hasScalar) premises.splice(random.below(premises.length + 1), 0, `${this.cell(SCALARS)} == x`);
    return premises;
  }

  rule(): string {
    const { random } = this;
    if (random.once(4)) return this.recursive();
    const head = random.of(this.params);
    const field = random.once(3) ? "d0" : random.of(CONCLUDED);
    const premises = this.premises(random.once(3) ? 4 : 3);
    if (random.once(6)) premises.push(`not_asserted(${head}.${field})`);
    const when = premises.length === 0 ? "" : `    when(${premises.join(", ")})\n`;
    return `@rule\ndef ${this.name}(${this.signature()}):\n${when}    conclude(${head}.${field}, ${this.value()})\n`;
  }
  /** A closure over one reference, its first step or the next, maybe guarded. */
  recursive(): string {
    const { random } = this;
    const kind = random.of(KINDS);
    const field = random.of(["d1", "d2", "d3"]);
    const step = random.of(["r", "t"]);
    const guard = random.once(3) ? `, present(q.${random.of(["n", "k"])})` : "";
    return random.once(3)
      ? `@rule\ndef ${this.name}(p: ${kind}, q: ${kind}):\n    when(p.${step} == q${guard})\n    conclude(p.${field}, q)\n`
      : `@rule\ndef ${this.name}(p: ${kind}, q: ${kind}, s: ${random.of(KINDS)}):\n    when(p.${random.of([step, field])} == q, q.${field} == s${guard})\n    conclude(p.${field}, s)\n`;
  }
  constraint(): string {
    const premises = this.premises(3);
    const when = premises.length === 0 ? "" : `    when(${premises.join(", ")})\n`;
    const require = this.random.of([
      () => this.comparison(),
      () => this.comparison(),
      () => `absent(${this.cell(SCALARS)})`,
      () => `present(${this.cell(SCALARS)})`,
      () => `${this.fold()} < 2`,
    ])();
    return `@constraint\ndef ${this.name}(${this.signature()}):\n${when}    require(${require})\n`;
  }
}

function randomComputed(random: Random): string {
  const value = random.of([
    "self.n + self.k",
    "self.n if self.k > 0 else self.k",
    "count(o for o in N if o.r == self)",
    "self.d0",
    "max(o.k for o in A if o.r == self)",
    `f"{self.n}-{self.k}"`,
  ]);
  return `\n    @computed\n    def c0(self):\n        return ${value}\n${random.once(2) ? "\n    @computed\n    def c1(self):\n        return self.c0\n" : ""}`;
}

const FIELDS = ["n: any", "k: any", "r: many[any]", "t: many[any]", "d0: any", "d1: many[any]", "d5: float"];

function classSource(computed: string): string {
  return `class A:\n${FIELDS.map((f) => `    ${f}\n`).join("")}${computed}`;
}

export interface RandomModule extends Declared {
  readonly source: string;
}

/** Rule after rule, each kept if it declares without a fault and, mostly, concludes something over a crowded store. */
export function randomModule(random: Random): RandomModule {
  const claims = crowd(random);
  const computed = random.once(3) ? randomComputed(random) : "";
  let kept: string[] = [];
  let declared = declareSource(classSource(computed));
  if (declared.diagnostics.length > 0) return randomModule(random);
  const wanted = 2 + random.below(5);
  for (let tries = 0; tries < 60 && kept.length < wanted; tries++) {
    const name = `rule${kept.length}`;
    const sources = [...kept, new RuleWriter(random, name).rule()];
    const next = declareSource([classSource(computed), ...sources].join("\n"));
    if (next.diagnostics.length > 0) continue;
    if (!random.once(6) && !fires(next, claims, `m.${name}`)) continue;
    kept = sources;
    declared = next;
  }
  for (let i = random.below(2); i > 0; i--) {
    const sources = [...kept, new RuleWriter(random, "holds0").constraint()];
    const next = declareSource([classSource(computed), ...sources].join("\n"));
    if (next.diagnostics.length > 0) continue;
    kept = sources;
    declared = next;
  }
  return { ...declared, source: [classSource(computed), ...kept].join("\n") };
}

function fires(declared: Declared, claims: readonly TwinClaim[], rule: string): boolean {
  const fields = declared.kinds[0]!.fields;
  const typeOf = (kind: string, field: string) => (kind === "m.A" ? (fields.get(field) ?? null) : null);
  try {
    const twin = new RulesTwin({ rules: declared.rules, claims, typeOf, preferred: () => [] });
    return twin.conclusions.some((conclusion) => conclusion.rule === rule);
  } catch (problem) {
    if (problem instanceof TwinTooSlow) return false;
    throw problem;
  }
}

/** A value at nearly every cell. */
function crowd(random: Random): TwinClaim[] {
  const out: TwinClaim[] = [];
  const always = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  for (const kind of ["m.A", "N"]) {
    for (const subject of ["x", "y", "z"]) {
      for (const field of RECORDED) {
        if (random.once(5)) continue;
        const value =
          field === "r" || field === "t" ? new Subject(random.of(["m.A", "N"]), random.of(["x", "y", "z"])) : random.of([0, 1, 2, "ab"]);
        out.push({ kind, subject, field, value, source: random.of(["s1", "s2"]), ...always });
      }
    }
  }
  return out;
}

export const RANDOM_FIELDS = [...RECORDED, ...CONCLUDED, "c0", "c1"];
