/**
 * What rests on a cell (language.md §5.3, `what_needs`): the declarations that read it, the cells concluded through it,
 * what reads those, and so on.
 *
 * A conclusion rests on a cell if a match that gives it now reads the cell: as a premise, as an absence, as a row of a
 * fold or of an `any`, or as a row that a `none` looks at. A rule that concludes nothing through the cell now is named
 * all the same, and with it what reads the field it would conclude.
 */
import { Subject } from "../datum";
import { Refusal } from "../failure";
import { PROOF_NODES_MAX } from "../limits";
import { spellCell, spellField } from "./address";
import type { Reason } from "./reason";
import type { Constraint, Rule } from "./rule";
import { readingsOf } from "./rule-order";
import type { RuleView } from "./rule-view";
import { instantAfter } from "./spans";
import { compareText } from "./value-order";

/** Of a cell that holds many values the first few are shown: a chain of conclusions would show each of them at each. */
const VALUES_SHOWN = 3;

interface Cell {
  readonly field: number;
  readonly subject: number;
}
/** A line still to be worked out. `cell` null: the field, at no cell of it now. */
type Task =
  | { readonly tag: "cell"; readonly cell: Cell; readonly into: Reason[] }
  | { readonly tag: "field"; readonly field: number; readonly into: Reason[] }
  | { readonly tag: "rule"; readonly rule: Rule; readonly of: Cell | null; readonly into: Reason[] };

export function whatNeeds(view: RuleView, constraints: readonly Constraint[], cell: Cell, at: number): Reason {
  return new Dependents(view, constraints, at).of(cell);
}

class Dependents {
  readonly #seen = new Set<string>();
  readonly #tasks: Task[] = [];
  #count = 0;

  constructor(
    readonly view: RuleView,
    readonly constraints: readonly Constraint[],
    readonly at: number,
  ) {}

  of(cell: Cell): Reason {
    const roots: Reason[] = [];
    this.#tasks.push({ tag: "cell", cell, into: roots });
    for (let task = this.#tasks.pop(); task !== undefined; task = this.#tasks.pop()) {
      if (++this.#count > PROOF_NODES_MAX) {
        throw new Refusal("limit_exceeded", `more than ${PROOF_NODES_MAX} things rest on the cell: ask of a cell further along`, null);
      }
      if (task.tag === "rule") this.#rule(task);
      else this.#place(task);
    }
    return roots[0]!;
  }

  /** A cell or a field, and what reads it. */
  #place(task: Extract<Task, { tag: "cell" | "field" }>): void {
    const field = task.tag === "cell" ? task.cell.field : task.field;
    const { kind, field: name } = this.view.symbols.fieldOf(field);
    const spelled = task.tag === "cell" ? this.#spell(task.cell) : spellField(kind, name);
    const premises: Reason[] = [];
    const repeated = this.#seen.has(spelled);
    this.#seen.add(spelled);
    const values = task.tag === "cell" ? this.view.valuesAt(field, task.cell.subject, false, this.at) : [];
    const more = values.length > VALUES_SHOWN ? ` and ${values.length - VALUES_SHOWN} more` : "";
    const shown = values.slice(0, VALUES_SHOWN).map((value) => this.#shown(value));
    const held = values.length === 0 ? "" : ` = ${shown.join(", ")}${more}`;
    const readers = this.#readers(kind, name);
    const again = repeated && readers.rules.length + readers.constraints.length > 0;
    task.into.push({
      text: `${spelled}${held}${again ? " (see above)" : ""}`,
      cell: task.tag === "cell" ? spelled : null,
      value: values.length === 1 ? this.view.symbols.datumOf(values[0]!) : undefined,
      rule: null,
      told: task.tag === "cell" ? { repeated: again } : { field: spelled, repeated: again },
      premises,
    });
    if (repeated) return;
    // The last task comes first: rules by name, then constraints by name.
    const of = task.tag === "cell" ? task.cell : null;
    for (const rule of [...readers.rules].reverse()) this.#tasks.push({ tag: "rule", rule, of, into: premises });
    // Constraints have nothing below them, but stand after the rules.
    if (readers.constraints.length > 0) this.#after(premises, readers);
  }

  #after(premises: Reason[], readers: { rules: readonly Rule[]; constraints: readonly Constraint[] }): void {
    this.#count += readers.constraints.length;
    this.#trailing.set(premises, readers.constraints);
    if (readers.rules.length === 0) this.#close(premises, 0);
    else this.#awaited.set(premises, readers.rules.length);
  }
  readonly #trailing = new Map<Reason[], readonly Constraint[]>();
  readonly #awaited = new Map<Reason[], number>();

  #close(premises: Reason[], awaited: number): void {
    this.#awaited.set(premises, awaited);
    if (awaited > 0) return;
    for (const { name } of this.#trailing.get(premises) ?? []) {
      premises.push({ text: `constraint ${name}`, cell: null, value: undefined, rule: null, told: { constraint: name }, premises: [] });
    }
  }

  #rule({ rule, of, into }: Extract<Task, { tag: "rule" }>): void {
    const premises: Reason[] = [];
    const word = rule.computed ? "computed field" : "rule";
    const cells = of === null ? [] : this.#concluded(rule, of);
    const idle = of !== null && cells.length === 0 ? " (concludes nothing through it now)" : "";
    into.push({
      text: `${word} ${rule.name}${idle}`,
      cell: null,
      value: undefined,
      rule: rule.name,
      told: { computed: rule.computed },
      premises,
    });
    const awaited = this.#awaited.get(into);
    if (awaited !== undefined) this.#close(into, awaited - 1);
    if (cells.length === 0) {
      const { kind, field } = rule.conclusion.cell;
      this.#tasks.push({ tag: "field", field: this.view.symbols.fieldId(kind, field), into: premises });
    }
    for (const cell of cells.reverse()) this.#tasks.push({ tag: "cell", cell, into: premises });
  }

  /** Cells at which the rule concludes something now through the cell, by address. */
  #concluded(rule: Rule, { field, subject }: Cell): Cell[] {
    const { kind, field: name } = rule.conclusion.cell;
    const head = this.view.symbols.fieldId(kind, name);
    const subjects = new Set<number>();
    for (const plans of this.view.concluding(head)) {
      if (plans.rule === rule) plans.restingOn(field, subject, this.at, instantAfter(this.at), (concluded) => subjects.add(concluded));
    }
    const cells = [...subjects].map((one) => ({ field: head, subject: one }));
    return cells.sort((a, b) => compareText(this.#spell(a), this.#spell(b)));
  }

  #readers(kind: string, field: string): { rules: Rule[]; constraints: Constraint[] } {
    const reads = (declaration: Rule | Constraint) =>
      readingsOf("require" in declaration ? { premises: [...declaration.premises, ...declaration.require] } : declaration).some(
        (read) => read.kind === kind && read.field === field,
      ) || namesAsserted(declaration, kind, field);
    const byName = (a: { readonly name: string }, b: { readonly name: string }) => compareText(a.name, b.name);
    return { rules: this.view.rules.filter(reads).sort(byName), constraints: this.constraints.filter(reads).sort(byName) };
  }

  #spell({ field, subject }: Cell): string {
    const datum = this.view.symbols.datumOf(subject) as Subject;
    return spellCell({ kind: datum.kind, subject: datum.name, field: this.view.symbols.fieldOf(field).field });
  }

  #shown(value: number): string {
    const datum = this.view.symbols.datumOf(value);
    if (datum instanceof Subject) return spellCell({ kind: datum.kind, subject: datum.name, field: "x" }).slice(0, -2);
    return this.view.calculus.format(datum, "r", "") ?? "…";
  }
}

/** `not_asserted` of another cell asks for recorded claims there. */
function namesAsserted(declaration: Rule | Constraint, kind: string, field: string): boolean {
  return declaration.premises.some(
    (premise) => premise.tag === "not_asserted" && premise.cell.kind === kind && premise.cell.field === field,
  );
}
