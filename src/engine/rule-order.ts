/**
 * The order in which rules are evaluated: fields grouped into strongly connected components, lower ones first.
 *
 * A field depends on every field that a rule concluding it reads. A component with a rule that reads one of its own
 * fields is recursive. Some readings must lie strictly below (rulings, "Meaning of rules, recursion"): a fault found
 * here names the whole cycle. Names only, no ids, so that a compile can ask before anything is installed.
 */
import type { FieldType } from "./claim";
import type { CellTerm, Generator, Premise, Rule, RuleExpr } from "./rule";

export interface FieldName {
  readonly kind: string;
  readonly field: string;
}

export interface Reading extends FieldName {
  /** What makes the reading strict (`absent`, `none`, `count` …), or null. */
  readonly strict: string | null;
}

export interface Component {
  readonly fields: readonly FieldName[];
  readonly rules: readonly Rule[];
  readonly recursive: boolean;
}

export interface CycleFault {
  readonly rule: Rule;
  /** `K.a, K.b`: the cycle, ending where it begins. */
  readonly cycle: readonly FieldName[];
  readonly reason: "strict" | "computed" | "single" | "not_asserted";
  /** For `strict`: which reading. */
  readonly word: string | null;
}

/** What reads: a rule, or conditions alone. */
interface Reader {
  readonly premises: readonly Premise[];
  readonly conclusion?: { readonly value: RuleExpr };
}

/** Rules never change and are asked again at each compile: what was found stays with the rule, and the components with the list. */
const READINGS = new WeakMap<Reader, readonly Reading[]>();
const COMPONENTS = new WeakMap<readonly Rule[], readonly Component[]>();

/** Every field a rule reads; `not_asserted` reads recorded claims only and is none. */
export function readingsOf(rule: Reader): readonly Reading[] {
  let known = READINGS.get(rule);
  if (known === undefined) {
    known = readings(rule);
    READINGS.set(rule, known);
  }
  return known;
}

function readings(rule: Reader): Reading[] {
  const out: Reading[] = [];
  for (const premise of rule.premises) readPremise(premise, null, null, out);
  if (rule.conclusion !== undefined) readExpr(rule.conclusion.value, null, null, out);
  return out;
}

/** `strict`: already inside a strict reading. `inside`: a generator's variable. */
function readPremise(premise: Premise, strict: string | null, inside: Generator | null, out: Reading[]): void {
  const cell = (term: CellTerm, word: string | null) => out.push({ kind: term.kind, field: term.field, strict: strict ?? word });
  switch (premise.tag) {
    case "bind":
      cell(premise.cell, null);
      return;
    case "present":
      cell(premise.cell, null);
      return;
    case "absent":
      cell(premise.cell, "absent");
      return;
    case "compare":
      readExpr(premise.left, strict, inside, out);
      readExpr(premise.right, strict, inside, out);
      return;
    case "text":
      readExpr(premise.of, strict, inside, out);
      readExpr(premise.part, strict, inside, out);
      return;
    case "among":
      readExpr(premise.of, strict, inside, out);
      return;
    case "any":
      for (const condition of premise.over.conditions) readPremise(condition, strict, premise.over, out);
      return;
    case "none":
      for (const condition of premise.over.conditions) readPremise(condition, strict ?? "none", premise.over, out);
      return;
    case "not_asserted":
      return;
  }
}

function readExpr(expr: RuleExpr, strict: string | null, inside: Generator | null, out: Reading[]): void {
  switch (expr.tag) {
    case "cell":
      out.push({ kind: expr.cell.kind, field: expr.cell.field, strict });
      return;
    case "claim":
      out.push({ kind: expr.cell.kind, field: expr.cell.field, strict: strict ?? expr.property });
      return;
    case "unary":
      readExpr(expr.operand, strict, inside, out);
      return;
    case "binary":
      readExpr(expr.left, strict, inside, out);
      readExpr(expr.right, strict, inside, out);
      return;
    case "text":
      for (const part of expr.parts) if (part.tag === "field") readExpr(part.value, strict, inside, out);
      return;
    case "fold":
      readExpr(expr.of, strict ?? expr.op, expr.over, out);
      for (const condition of expr.over.conditions) readPremise(condition, strict ?? expr.op, expr.over, out);
      return;
    case "if":
      // The other branch is taken where the condition fails, so a condition on a cell reads both ways.
      for (const premise of expr.test)
        readPremise(
          premise,
          premise.tag === "compare" || premise.tag === "text" || premise.tag === "among" ? strict : (strict ?? "if"),
          inside,
          out,
        );
      readExpr(expr.then, strict, inside, out);
      readExpr(expr.orelse, strict, inside, out);
      return;
    case "literal":
    case "variable":
      return;
  }
}

const keyOf = (f: FieldName): string => `${f.kind}\u0000${f.field}`;

/** Components of the fields that rules conclude, lower first; within that, by the order of the rules given. */
export function componentsOf(rules: readonly Rule[]): readonly Component[] {
  let known = COMPONENTS.get(rules);
  if (known === undefined) {
    known = components(rules);
    COMPONENTS.set(rules, known);
  }
  return known;
}

function components(rules: readonly Rule[]): Component[] {
  const concluding = new Map<string, { name: FieldName; rules: Rule[] }>();
  for (const rule of rules) {
    const { kind, field } = rule.conclusion.cell;
    const key = keyOf({ kind, field });
    const known = concluding.get(key);
    if (known === undefined) concluding.set(key, { name: { kind, field }, rules: [rule] });
    else known.rules.push(rule);
  }
  const below = new Map<string, string[]>();
  for (const [key, { rules: mine }] of concluding) {
    below.set(
      key,
      [...new Set(mine.flatMap((rule) => readingsOf(rule).map(keyOf)))].filter((read) => concluding.has(read)),
    );
  }
  return connected([...concluding.keys()], below).map((keys) => {
    const inside = new Set(keys);
    const mine = keys.flatMap((key) => concluding.get(key)!.rules);
    return {
      fields: keys.map((key) => concluding.get(key)!.name),
      rules: mine,
      recursive: mine.some((rule) => readingsOf(rule).some((read) => inside.has(keyOf(read)))),
    };
  });
}

/** Tarjan's components without recursion, each after those it reaches. */
function connected(keys: readonly string[], below: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const open = new Set<string>();
  const stack: string[] = [];
  const out: string[][] = [];
  for (const root of keys) {
    if (index.has(root)) continue;
    const work: { key: string; next: number }[] = [{ key: root, next: 0 }];
    while (work.length > 0) {
      const top = work[work.length - 1]!;
      const { key } = top;
      if (top.next === 0) {
        index.set(key, index.size);
        low.set(key, index.get(key)!);
        stack.push(key);
        open.add(key);
      }
      const child = below.get(key)![top.next];
      if (child !== undefined) {
        top.next++;
        if (!index.has(child)) work.push({ key: child, next: 0 });
        else if (open.has(child)) low.set(key, Math.min(low.get(key)!, index.get(child)!));
        continue;
      }
      work.pop();
      const parent = work[work.length - 1];
      if (parent !== undefined) low.set(parent.key, Math.min(low.get(parent.key)!, low.get(key)!));
      if (low.get(key) !== index.get(key)) continue;
      const component: string[] = [];
      for (;;) {
        const member = stack.pop()!;
        open.delete(member);
        component.push(member);
        if (member === key) break;
      }
      out.push(component.reverse());
    }
  }
  return out;
}

/** What forbids a set of rules; null where nothing does. `moduleOf(kind)`: the module that declares a Kind. */
export function cycleFault(rules: readonly Rule[], fieldType: (kind: string, field: string) => FieldType | null): CycleFault | null {
  for (const component of componentsOf(rules)) {
    if (!component.recursive) continue;
    const inside = new Set(component.fields.map(keyOf));
    for (const rule of component.rules) {
      const mine = readingsOf(rule).filter((read) => inside.has(keyOf(read)));
      const strict = mine.find((read) => read.strict !== null);
      if (strict !== undefined) return fault(component, rule, strict, "strict", strict.strict);
      if (mine.length > 0 && rule.computed) return fault(component, rule, mine[0]!, "computed", null);
      const own = mine.find((read) => keyOf(read) === keyOf(rule.conclusion.cell));
      if (own !== undefined && rule.premises.some((premise) => premise.tag === "not_asserted"))
        return fault(component, rule, own, "not_asserted", null);
      const single = mine.find((read) => singleElsewhere(read, rule, component, fieldType));
      if (single !== undefined) return fault(component, rule, single, "single", null);
    }
  }
  return null;
}

/**
 * A declared single-valued field read in its own component, unless one module declares its Kind and concludes it:
 * so no module changes what another's premise reads (rulings, "Recursion through a single-valued field").
 */
function singleElsewhere(
  read: Reading,
  rule: Rule,
  component: Component,
  fieldType: (kind: string, field: string) => FieldType | null,
): boolean {
  const type = fieldType(read.kind, read.field);
  if (type === null || type.many) return false;
  const home = moduleOf(read.kind);
  const concluding = component.rules.filter((r) => r.conclusion.cell.kind === read.kind && r.conclusion.cell.field === read.field);
  return moduleOf(rule.name) !== home || concluding.some((r) => moduleOf(r.name) !== home);
}

/** `m` of `m.Kind` and `m.rule`. */
function moduleOf(name: string): string {
  const dot = name.indexOf(".");
  return dot < 0 ? "" : name.slice(0, dot);
}

function fault(component: Component, rule: Rule, read: FieldName, reason: CycleFault["reason"], word: string | null): CycleFault {
  return { rule, reason, word, cycle: cycleThrough(component, rule.conclusion.cell, read) };
}

/** A shortest way from the concluded field through `read` back to it. */
function cycleThrough(component: Component, concluded: FieldName, read: FieldName): FieldName[] {
  const inside = new Map(component.fields.map((f) => [keyOf(f), f]));
  const start = keyOf(read);
  const goal = keyOf(concluded);
  const from = new Map<string, string | null>([[start, null]]);
  const queue = [start];
  for (let i = 0; i < queue.length && !from.has(goal); i++) {
    const key = queue[i]!;
    for (const rule of component.rules) {
      if (keyOf(rule.conclusion.cell) !== key) continue;
      for (const next of readingsOf(rule).map(keyOf)) {
        if (!inside.has(next) || from.has(next)) continue;
        from.set(next, key);
        queue.push(next);
      }
    }
  }
  const way: FieldName[] = [];
  for (let key: string | null | undefined = goal; key !== null && key !== undefined; key = from.get(key)) way.push(inside.get(key)!);
  return [inside.get(goal)!, ...way.reverse()];
}
