/**
 * Expressions: syntax → intermediate form, with everything that may suspend lifted into `cx.out`.
 *
 * The order of evaluation is Python's. Where a later operand lifts steps, the operands before it are put aside first
 * (`operands`), so that a lifted call never runs ahead of what stands to its left. Where an operand is reached only
 * sometimes (`and`, `or`, `if … else`, later links of a comparison chain), its steps go under an `if` of their own.
 */
import { Bytes, Complex, Float } from "../../datum";
import type { Span } from "../../diagnostic";
import { unreachable } from "../../failure";
import { certainFault, type Fault, iterationFault } from "../check/definite";
import { definiteFault } from "../check/types";
import type { Comprehension, Constant, Expr, FormattedValue, JoinedStr } from "../syntax/ast";
import { block, type Cx, Fn, isStable, NO_PARAMS, readBinding, spill, targetBinding, within } from "./context";
import type { IrExpr, IrFormat, IrItem, IrStep } from "./ir";
import { lowerAttribute, lowerSubscript, unknown } from "./lower-address";
import { lowerCall } from "./lower-call";
import { consumedWhole, drained } from "./lower-consume";
import { closeCode, lowerParameters } from "./lower-function";
import { lowerTarget } from "./lower-target";

export function reportFault(cx: Cx, fault: Fault): void {
  cx.u.report.type(fault.span, fault.message, fault.fix, fault.fixSpan);
}

export function lowerExpr(cx: Cx, e: Expr): IrExpr {
  if (!cx.guarded) {
    const fault = definiteFault(cx, e) ?? certainFault(cx, e);
    if (fault !== null) reportFault(cx, fault);
  }
  switch (e.kind) {
    case "Constant":
      return constant(e);
    case "Name":
      return lowerName(cx, e.id, e);
    case "BinOp": {
      const [a, b] = operands(cx, [e.left, e.right]);
      return { k: "bin", op: e.op, a: a!, b: b! };
    }
    case "UnaryOp": {
      const a = lowerExpr(cx, e.operand);
      if (e.op === "not") return { k: "not", a };
      if (e.op === "-" && a.k === "const" && typeof a.v === "number" && a.v !== 0) return { k: "un", op: "-", a };
      return { k: "un", op: e.op, a };
    }
    case "BoolOp":
      return lowerBool(cx, e.op, e.values);
    case "IfExp": {
      const c = lowerExpr(cx, e.test);
      const [aOut, a] = apart(cx, e.body);
      const [bOut, b] = apart(cx, e.orelse);
      if (aOut.length === 0 && bOut.length === 0) return { k: "cond", c, a, b };
      const i = cx.f.slot();
      cx.out.push({ k: "if", c, a: block(cx.f, [...aOut, { k: "temp", i, e: a }]), b: block(cx.f, [...bOut, { k: "temp", i, e: b }]) });
      return { k: "temp", i };
    }
    case "Compare":
      return lowerCompare(cx, e);
    case "NamedExpr": {
      const v = lowerExpr(cx, e.value);
      const b = cx.s.find(e.target.id);
      return { k: "walrus", to: targetBinding(cx, b!), e: v };
    }
    case "Lambda": {
      const scope = cx.u.tree.of.get(e)!;
      const { defaults, params } = lowerParameters(cx, e.args);
      const f = new Fn(scope, cx.f, "<lambda>");
      const c = cx.u.codes.push(null) - 1;
      const out: IrStep[] = [];
      const inner: Cx = { u: cx.u, f, s: scope, out, guarded: cx.guarded || cx.u.tree.hasHandlers, branches: 0, line: e.span.line };
      const paramSlots = params.names.map((n) => f.slotOf(scope.bindings.get(n)!));
      const body = lowerExpr(inner, e.body);
      cx.u.codes[c] = closeCode(f, params.ir, paramSlots, [...out, { k: "return", e: body, line: e.body.span.line }]);
      return { k: "function", c, defaults };
    }
    case "List":
      return { k: "list", es: items(cx, e.elts) };
    case "Tuple":
      return { k: "tuple", es: items(cx, e.elts) };
    case "Set":
      return lowerSet(cx, e.elts, e.elts.length > 2 ? "display" : null);
    case "Dict": {
      const flat: Operand[] = [];
      e.values.forEach((v, i) => {
        const k = e.keys[i];
        if (k) flat.push({ e: k }, { e: v });
        else flat.push({ e: v, take: (ir) => ({ k: "unpack", as: "dict", e: ir }) });
      });
      const done = operandsTaken(cx, flat);
      let j = 0;
      const es = e.values.map((_, i): [IrExpr | null, IrExpr, "taken"?] => {
        const first = done[j++]!;
        if (e.keys[i]) return [first.ir, done[j++]!.ir];
        return first.taken ? [null, first.ir, "taken"] : [null, first.ir];
      });
      return { k: "dict", es };
    }
    case "ListComp":
      return lowerComprehension(cx, e, "list", e.generators, e.elt, null);
    case "SetComp":
      return lowerComprehension(cx, e, "set", e.generators, e.elt, null);
    case "DictComp":
      return lowerComprehension(cx, e, "dict", e.generators, e.value, e.key);
    case "GeneratorExp":
      return lowerGenerator(cx, e, e.generators, e.elt);
    case "Call":
      return lowerCall(cx, e);
    case "JoinedStr":
      return { k: "fstring", parts: formatParts(cx, e) };
    case "Attribute":
      return lowerAttribute(cx, e);
    case "Subscript":
      return lowerSubscript(cx, e);
    case "Slice": {
      const present = [e.lower, e.upper, e.step].filter((x): x is Expr => x !== null);
      const done = operands(cx, present);
      let j = 0;
      const part = (x: Expr | null) => (x ? done[j++]! : null);
      return { k: "slice", a: part(e.lower), b: part(e.upper), c: part(e.step) };
    }
    case "Starred":
      cx.u.report.parse(e.span, "A starred expression stands only in a call, a display or on the left of `=`.");
      return { k: "const", v: null };
    default:
      return unreachable(e);
  }
}

/** The fields of an f-string. Each is made into text before the next is evaluated; a field's value before its nested spec. */
function formatParts(cx: Cx, js: JoinedStr): IrFormat[] {
  let parts: IrFormat[] = [];
  for (const v of js.values) {
    if (v.kind === "Constant") {
      parts.push(v.value as string);
      continue;
    }
    const field = v as FormattedValue;
    const out: IrStep[] = [];
    const inner = within(cx, { out });
    let value = lowerExpr(inner, field.value);
    let spec: IrFormat[] | null = null;
    if (field.spec) {
      const nested: IrStep[] = [];
      spec = formatParts(within(cx, { out: nested }), field.spec);
      if (nested.length > 0 && !isStable(value)) value = spill(inner, value);
      out.push(...nested);
    }
    if (out.length > 0) {
      if (parts.some((p) => typeof p !== "string" && p.done !== true))
        parts = [{ e: spill(cx, { k: "fstring", parts }), c: null, spec: null, done: true }];
      cx.out.push(...out);
    }
    parts.push({ e: value, c: field.conversion, spec });
  }
  return parts;
}

export function constant(e: Constant): IrExpr {
  const v = e.value;
  if (v === undefined) return { k: "ellipsis" };
  if (v === null || typeof v === "boolean" || typeof v === "string" || typeof v === "number") return { k: "const", v };
  if (typeof v === "bigint") return { k: "big", v: v.toString() };
  if (v instanceof Float) return { k: "float", v: Number.isFinite(v.v) ? v.v : "inf" };
  if (v instanceof Complex) return { k: "imag", v: Number.isFinite(v.im) ? v.im : "inf" };
  if (v instanceof Bytes) return { k: "bytes", v: Array.from(v.b, (x) => x.toString(16).padStart(2, "0")).join("") };
  return unreachable(v);
}

/** Reports a name that is certainly unbound where it is read (rulings, "More exceptions"). */
export function unboundFault(cx: Cx, id: string, span: Span): void {
  cx.u.report.type(span, `Nothing has bound \`${id}\` when this line runs, where Python raises NameError: bind it above.`);
}

/** A name as a value. */
function lowerName(cx: Cx, id: string, e: Expr): IrExpr {
  const m = cx.u.names.meaning(id, cx.s, false);
  switch (m.tag) {
    case "variable":
      if (m.early && !cx.guarded) unboundFault(cx, id, e.span);
      return readBinding(cx, m.binding);
    case "import":
      if (m.imported.tag === "member") return { k: "member", m: m.imported.module, n: m.imported.member };
      return readBinding(cx, m.binding);
    case "builtin":
      return { k: "builtin", n: m.name };
    case "kind":
    case "ambiguous":
      cx.u.report.type(
        e.span,
        `\`${id}\` is a Kind, not a value: a subject of it is \`${id}["name"]\` or \`${id}.name\`; \`subjects(${id})\` lists them.`,
      );
      return { k: "const", v: null };
    case "verb":
      cx.u.report.type(e.span, `\`${id}\` is a verb, not a value: call it, as \`${id}(…)\`.`);
      return { k: "const", v: null };
    case "unknown":
      if (id === "__name__") return { k: "const", v: cx.u.mode === "run" ? "__main__" : cx.u.moduleName };
      return unknown(cx, id, e.span);
  }
}

/** Lowers operands in order; earlier ones are put aside where a later one lifts steps. */
export function operands(cx: Cx, es: readonly Expr[]): IrExpr[] {
  const done: IrExpr[] = [];
  for (const e of es) {
    const [steps, ir] = apart(cx, e);
    if (steps.length > 0) {
      for (let i = 0; i < done.length; i++) if (!isStable(done[i]!)) done[i] = spill(cx, done[i]!);
      cx.out.push(...steps);
    }
    done.push(ir);
  }
  return done;
}

export interface Operand {
  readonly e: Expr;
  /** What is done with its value at once, before later operands are evaluated. */
  readonly take?: (ir: IrExpr) => IrExpr;
  /** `*e`. */
  readonly starred?: boolean;
}
function lowerStarred(cx: Cx, e: Expr, starred: boolean): IrExpr {
  const ir = lowerExpr(cx, e);
  return starred ? drained(cx, e, ir, null) : ir;
}
/** `operands`, where some are taken apart as soon as they are evaluated. */
export function operandsTaken(cx: Cx, es: readonly Operand[]): { readonly ir: IrExpr; readonly taken: boolean }[] {
  const done: { ir: IrExpr; taken: boolean }[] = [];
  for (const { e, starred } of es) {
    const steps: IrStep[] = [];
    const ir = lowerStarred(within(cx, { out: steps }), e, starred === true);
    if (steps.length > 0) {
      done.forEach((d, i) => {
        const take = es[i]!.take;
        if (d.taken) return;
        if (take) done[i] = { ir: spill(cx, take(d.ir)), taken: true };
        else if (!isStable(d.ir)) d.ir = spill(cx, d.ir);
      });
      cx.out.push(...steps);
    }
    done.push({ ir, taken: false });
  }
  return done;
}

/** Elements of a set display that unpacks: what is there by the first star goes in before anything later is evaluated. */
function starredSet(cx: Cx, elts: readonly Expr[]): IrItem[] {
  let done: IrItem[] = [];
  for (const e of elts) {
    const steps: IrStep[] = [];
    const ir = lowerStarred(within(cx, { out: steps }), e.kind === "Starred" ? e.value : e, e.kind === "Starred");
    if (steps.length > 0) {
      if (done.some((d) => d.star)) {
        if (done.length > 1 || !done[0]!.taken) done = [{ e: spill(cx, { k: "set", es: done }), star: true, taken: true }];
      } else done = done.map((d) => (isStable(d.e) ? d : { e: spill(cx, d.e) }));
      cx.out.push(...steps);
    }
    done.push(e.kind === "Starred" ? { e: ir, star: true } : { e: ir });
  }
  return done;
}

/** Starred elements are taken at once where later ones lift steps. */
export function items(cx: Cx, es: readonly Expr[]): IrItem[] {
  const done = operandsTaken(cx, es.map(starred));
  return done.map((d, i) => starItem(es[i]!, d));
}
export function starred(e: Expr): Operand {
  return e.kind === "Starred" ? { e: e.value, take: (ir) => ({ k: "unpack", as: "list", e: ir }), starred: true } : { e };
}
export function plainly(e: Expr): Operand {
  return e.kind === "Starred" ? { e: e.value, starred: true } : { e };
}
export function starItem(e: Expr, d: { readonly ir: IrExpr; readonly taken: boolean }): IrItem {
  if (e.kind !== "Starred") return { e: d.ir };
  return d.taken ? { e: d.ir, star: true, taken: true } : { e: d.ir, star: true };
}

/** Lowers `e` with its lifted steps kept apart. */
export function apart(cx: Cx, e: Expr): [IrStep[], IrExpr] {
  const out: IrStep[] = [];
  return [out, lowerExpr(within(cx, { out }), e)];
}

function lowerBool(cx: Cx, op: "and" | "or", values: readonly Expr[]): IrExpr {
  const parts = values.map((v) => apart(cx, v));
  if (parts.every(([steps], i) => i === 0 || steps.length === 0)) {
    cx.out.push(...parts[0]![0]);
    return { k: op, es: parts.map(([, ir]) => ir) };
  }
  const i = cx.f.slot();
  const nest = (from: number): IrStep[] => {
    const [steps, ir] = parts[from]!;
    const set: IrStep = { k: "temp", i, e: ir };
    if (from === parts.length - 1) return [...steps, set];
    const c: IrExpr = op === "and" ? { k: "temp", i } : { k: "not", a: { k: "temp", i } };
    return [...steps, set, { k: "if", c, a: block(cx.f, nest(from + 1)), b: null }];
  };
  cx.out.push(...nest(0));
  return { k: "temp", i };
}

function lowerCompare(cx: Cx, e: Extract<Expr, { kind: "Compare" }>): IrExpr {
  const all = [e.left, ...e.comparators];
  const lazy = all.slice(2).map((x) => apart(cx, x));
  const [a, b] = operands(cx, [all[0]!, all[1]!]);
  if (lazy.every(([steps]) => steps.length === 0)) {
    const all: IrExpr = { k: "cmp", ops: [...e.ops], es: [a!, b!, ...lazy.map(([, ir]) => ir)] };
    return e.ops.length === 1 && e.ops[0]!.endsWith("in") ? consumedWhole(cx, e.comparators[0]!, all) : all;
  }
  // a < b < f(x): the chain as nested ifs on a temporary, each operand once.
  const i = cx.f.slot();
  const first = isStable(a!) ? a! : spill(cx, a!);
  let left = spill(cx, b!);
  cx.out.push({ k: "temp", i, e: { k: "cmp", ops: [e.ops[0]!], es: [first, left] } });
  let into = cx.out;
  lazy.forEach(([steps, ir], j) => {
    const inner: IrStep[] = [...steps];
    const s = cx.f.slot();
    inner.push({ k: "temp", i: s, e: ir }, { k: "temp", i, e: { k: "cmp", ops: [e.ops[j + 1]!], es: [left, { k: "temp", i: s }] } });
    left = { k: "temp", i: s };
    into.push({ k: "if", c: { k: "temp", i }, a: block(cx.f, inner), b: null });
    into = inner;
  });
  return { k: "temp", i };
}

/** What a loop walks: a display of constants there is a frozenset made at compile time. */
export function lowerIterable(cx: Cx, e: Expr): IrExpr {
  const fault = cx.guarded ? null : iterationFault(cx, e);
  if (fault !== null) reportFault(cx, fault);
  return e.kind === "Set" ? lowerSet(cx, e.elts, "walked") : lowerExpr(cx, e);
}

function lowerSet(cx: Cx, elts: readonly Expr[], constants: "display" | "walked" | null): IrExpr {
  const es = elts.some((e) => e.kind === "Starred") ? starredSet(cx, elts) : items(cx, elts);
  if (constants === null || !elts.every(isFolded)) return { k: "set", es };
  const texts = elts.flatMap(textsIn);
  const names = texts.length === 0 ? [] : texts.filter((t) => cx.u.identifiers().has(t));
  return { k: "set", es, constants, ...(names.length > 0 ? { names } : {}) };
}
/** Whether CPython's compiler makes a constant of it. */
function isFolded(e: Expr): boolean {
  switch (e.kind) {
    case "Constant":
      return true;
    case "UnaryOp":
      return isFolded(e.operand);
    case "BinOp":
      return isFolded(e.left) && isFolded(e.right);
    case "Tuple":
      return e.elts.every(isFolded);
    default:
      return false;
  }
}
function textsIn(e: Expr): string[] {
  if (e.kind === "Constant") return typeof e.value === "string" ? [e.value] : [];
  return e.kind === "Tuple" ? e.elts.flatMap(textsIn) : [];
}

/** A comprehension is a loop in this frame that fills a temporary. */
function lowerComprehension(
  cx: Cx,
  node: Expr,
  as: "list" | "set" | "dict",
  gens: readonly Comprehension[],
  elt: Expr,
  key: Expr | null,
): IrExpr {
  const scope = cx.u.tree.of.get(node)!;
  const i = cx.f.slot();
  const first = lowerIterable(cx, gens[0]!.iter);
  const start: IrExpr = as === "dict" ? { k: "dict", es: [] } : { k: as, es: [] };
  const iter = isStable(first) ? first : spill(cx, first);
  cx.out.push({ k: "temp", i, e: start });
  for (const b of scope.bindings.values()) if (b.captured) cx.out.push({ k: "newcell", i: cx.f.slotOf(b) });
  const keep = (to: Cx): void => {
    const [k, v] = key ? operands(to, [key, elt]) : [undefined, lowerExpr(to, elt)];
    to.out.push({ k: "keep", i, e: v!, ...(k ? { key: k } : {}), as });
  };
  loops(within(cx, { s: scope }), gens, 0, iter, keep);
  return { k: "temp", i };
}

/** Nested loops of a comprehension; `body` writes the innermost steps. */
function loops(cx: Cx, gens: readonly Comprehension[], from: number, iter: IrExpr, body: (cx: Cx) => void): void {
  const g = gens[from]!;
  const out: IrStep[] = [];
  const inner = within(cx, { out });
  const to = lowerTarget(inner, g.target);
  let sink = inner;
  for (const c of g.ifs) {
    const test = lowerExpr(sink, c);
    const kept: IrStep[] = [];
    sink.out.push({ k: "if", c: test, a: { b: kept, pc: cx.f.slot() }, b: null });
    sink = within(sink, { out: kept });
  }
  if (from === gens.length - 1) body(sink);
  else loops(sink, gens, from + 1, lowerIterable(sink, gens[from + 1]!.iter), body);
  const is = cx.f.slot();
  cx.f.slot();
  cx.out.push({ k: "for", to, e: iter, a: block(cx.f, out), b: null, is, comp: true });
}

/** A generator expression is a function of its own that yields. */
function lowerGenerator(cx: Cx, node: Expr, gens: readonly Comprehension[], elt: Expr): IrExpr {
  const scope = cx.u.tree.of.get(node)!;
  const iter = lowerIterable(cx, gens[0]!.iter);
  const f = new Fn(scope, cx.f, "<genexpr>");
  const c = cx.u.codes.push(null) - 1;
  const given = f.slot();
  const out: IrStep[] = [];
  const inner: Cx = { u: cx.u, f, s: scope, out, guarded: cx.guarded, branches: 0, line: cx.line };
  loops(inner, gens, 0, { k: "temp", i: given }, (sink) => sink.out.push({ k: "yield", e: lowerExpr(sink, elt) }));
  cx.u.codes[c] = closeCode(f, NO_PARAMS, [given], out);
  return { k: "generator", c, iter };
}
