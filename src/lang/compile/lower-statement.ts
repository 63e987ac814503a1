/**
 * Statements: syntax → steps. A statement with lifted steps becomes a `seq` that carries its line; the machine may stop
 * before it, and never in the middle of an expression.
 */

import { type Fault, itemFault, raiseFault, unpackFault } from "../check/definite";
import { type Binding, isDeclaration } from "../check/scope";
import { annotationFault } from "../check/types";
import type { Expr, For, FunctionDef, If, Import, ImportFrom, Match, Name, Stmt, Try, With } from "../syntax/ast";
import { isExceptionSubclass } from "../value/exception";
import { block, type Cx, Fn, isStable, spill, targetBinding, within } from "./context";
import type { IrBlock, IrCase, IrExpr, IrHandler, IrStep, IrTarget } from "./ir";
import { consumedItem, consumedWhole, drained } from "./lower-consume";
import { apart, lowerExpr, lowerIterable, operands, reportFault, unboundFault } from "./lower-expression";
import { closeCode, lowerParameters } from "./lower-function";
import { lowerPattern } from "./lower-pattern";
import { lowerTarget, namesOf } from "./lower-target";

/** A block of statements in its own list of steps. */
export function lowerBlock(cx: Cx, body: readonly Stmt[]): IrBlock {
  const steps: IrStep[] = [];
  for (const s of body) lowerStatement(cx, s, steps);
  return block(cx.f, steps);
}

/** Appends the steps of one statement to `into`. */
export function lowerStatement(cx: Cx, n: Stmt, into: IrStep[]): void {
  const out: IrStep[] = [];
  const inner = within(cx, { out, line: n.span.line });
  const soFar = cx.f === cx.u.top ? cx.u.names.soFar : null;
  soFar?.enter(n);
  const main = statement(inner, n);
  soFar?.leave(n);
  if (main) out.push(main);
  if (out.length === 0) return;
  if (out.length === 1) {
    out[0]!.line = n.span.line;
    into.push(out[0]!);
  } else into.push({ k: "seq", b: block(cx.f, out), line: n.span.line });
}

function statement(cx: Cx, n: Stmt): IrStep | null {
  switch (n.kind) {
    case "Expr":
      if (n.value.kind === "Constant") return { k: "pass" };
      return { k: "expr", e: lowerExpr(cx, n.value) };
    case "Assign":
      for (const t of n.targets) faultOf(cx, unpackFault(cx, t, n.value) ?? itemFault(cx, t));
      return assign(cx, n.targets, unpacked(cx, n.targets, n.value, lowerExpr(cx, n.value)));
    case "AnnAssign": {
      annotationFault(cx, n.annotation);
      if (!n.value) {
        if (n.target.kind !== "Name") lowerTarget(cx, n.target);
        return { k: "pass" };
      }
      return assign(cx, [n.target], lowerExpr(cx, n.value));
    }
    case "AugAssign": {
      const t = n.target;
      if (t.kind === "Name") {
        const to = targetBinding(cx, cx.s.find(t.id)!);
        const [a, b] = operands(cx, [t, n.value]);
        const e: IrExpr = { k: "inplace", op: n.op, a: a!, b: b! };
        return { k: "set", ts: [to], e: n.op === "+" ? consumedWhole(cx, n.value, e) : e, names: [to] };
      }
      const to = lowerTarget(cx, t);
      if (to.k !== "index") return null;
      const a = spill(cx, to.a);
      const b = spill(cx, to.b);
      const [steps, value] = apart(cx, n.value);
      let old = consumedItem(cx, { k: "index", a, b });
      if (steps.length > 0) {
        old = spill(cx, old);
        cx.out.push(...steps);
      }
      return { k: "set", ts: [{ k: "index", a, b }], e: { k: "inplace", op: n.op, a: old, b: value }, names: [] };
    }
    case "Delete": {
      for (const t of n.targets.slice(0, -1)) del(cx, t);
      return delStep(cx, n.targets[n.targets.length - 1]!);
    }
    case "Pass":
      return { k: "pass" };
    case "Break":
      return { k: "break" };
    case "Continue":
      return { k: "continue" };
    case "Return":
      if (cx.f.scope.kind === "module") {
        cx.u.report.parse(
          n.span,
          cx.u.mode === "run"
            ? "A program does not `return`: print the value, or bind it to a name and read it in the transcript."
            : "`return` stands in a `def`; a module's body ends at its last line.",
        );
        return null;
      }
      return { k: "return", e: n.value ? lowerExpr(cx, n.value) : null };
    case "If":
      return lowerIf(cx, n);
    case "For":
      return lowerFor(cx, n);
    case "With":
      return lowerWith(cx, n);
    case "Match":
      return lowerMatch(cx, n);
    case "Try":
      return lowerTry(cx, n);
    case "Raise":
      if (n.exc) faultOf(cx, raiseFault(cx, n.exc));
      if (n.exc) refusalRaised(cx, n.exc);
      return { k: "raise", e: n.exc ? lowerExpr(cx, n.exc) : null, cause: n.cause ? lowerExpr(cx, n.cause) : null };
    case "Assert": {
      if (n.test.kind === "Tuple" && n.test.elts.length > 0)
        cx.u.report.note(
          n.test.span,
          "this assertion never fails: it asks a tuple, which is true since it is not empty",
          "leave the parentheses out: `assert condition, message`",
        );
      const c = lowerExpr(cx, n.test);
      if (!n.msg) return { k: "assert", c, msg: null };
      const [pre, e] = apart(cx, n.msg);
      return { k: "assert", c, msg: { pre: pre.length > 0 ? block(cx.f, pre) : null, e } };
    }
    case "Import":
      return lowerImport(cx, n);
    case "ImportFrom":
      return lowerImportFrom(cx, n);
    case "FunctionDef":
      return isDeclaration(n) ? null : lowerDef(cx, n);
    case "ClassDef":
      return null;
  }
}

function faultOf(cx: Cx, fault: Fault | null): void {
  if (fault !== null && !cx.guarded) reportFault(cx, fault);
}

/** The elements that the one target of an assignment takes of a value. */
function unpacked(cx: Cx, targets: readonly Expr[], value: Expr, e: IrExpr): IrExpr {
  const [t] = targets;
  if (targets.length !== 1 || (t!.kind !== "Tuple" && t!.kind !== "List")) return e;
  return drained(cx, value, e, t.elts.some((x) => x.kind === "Starred") ? null : t.elts.length + 1);
}
/** `a = b[i] = value`: the value once, then each target left to right. */
function assign(cx: Cx, targets: readonly Expr[], value: IrExpr): IrStep {
  if (targets.length === 1) {
    const [steps, to] = apartTarget(cx, targets[0]!);
    if (steps.length === 0) return { k: "set", ts: [to], e: value, names: namesOf(to) };
    const v = isStable(value) ? value : spill(cx, value);
    cx.out.push(...steps);
    return { k: "set", ts: [to], e: v, names: namesOf(to) };
  }
  const v = isStable(value) ? value : spill(cx, value);
  targets.slice(0, -1).forEach((t) => {
    const [steps, to] = apartTarget(cx, t);
    cx.out.push(...steps, { k: "set", ts: [to], e: v, names: namesOf(to) });
  });
  return assign(cx, targets.slice(-1), v);
}
function apartTarget(cx: Cx, t: Expr): [IrStep[], IrTarget] {
  const out: IrStep[] = [];
  return [out, lowerTarget(within(cx, { out }), t)];
}

function del(cx: Cx, t: Expr): void {
  const s = delStep(cx, t);
  if (s) cx.out.push(s);
}
function delStep(cx: Cx, t: Expr): IrStep | null {
  if (t.kind === "Tuple" || t.kind === "List") {
    if (t.elts.length === 0) return { k: "pass" };
    for (const e of t.elts.slice(0, -1)) del(cx, e);
    return delStep(cx, t.elts[t.elts.length - 1]!);
  }
  if (t.kind === "Attribute") {
    cx.u.report.type(t.span, "A field's value is removed with a verb: `forget(Kind.subject.field)`.");
    return null;
  }
  return t.kind === "Name" ? delName(cx, t) : { k: "del", t: lowerTarget(cx, t) };
}

function delName(cx: Cx, t: Name): IrStep {
  const m = cx.u.names.meaning(t.id, cx.s, false);
  const early = m.tag === "builtin" || m.tag === "verb" || (m.tag === "variable" && m.early === true);
  if (early && !cx.guarded) unboundFault(cx, t.id, t.span);
  const hides = cx.u.names.isBuiltin(t.id) && cx.s.find(t.id)!.scope === cx.u.tree.top;
  if (hides && early) {
    const said: IrExpr = { k: "const", v: `name '${t.id}' is not defined` };
    return { k: "raise", e: { k: "native", f: { k: "builtin", n: "NameError" }, args: [{ e: said }], kw: [] }, cause: null };
  }
  const deleted: IrStep = { k: "del", t: lowerTarget(cx, t) };
  if (!hides) return deleted;
  if (cx.f === cx.u.top && !cx.u.names.soFar!.isCertain(t.id))
    cx.u.report.type(
      t.span,
      `\`${t.id}\` hides a builtin and may not be bound here: give the variable another name, or bind it above the block.`,
    );
  cx.out.push(deleted);
  return builtinAgain(cx, cx.s.find(t.id)!);
}

/** A name of the top level that hides a builtin means the builtin where nothing binds it. */
export function builtinAgain(cx: Cx, hiding: Binding): IrStep {
  return { k: "set", ts: [targetBinding(cx, hiding)], e: { k: "builtin", n: hiding.name }, names: [] };
}

/** A `raise` takes Python's exceptions; refusals are the store's and the language's own (rulings, "Uncaught exceptions"). */
function refusalRaised(cx: Cx, e: Expr): void {
  const named = e.kind === "Call" ? e.func : e;
  if (named.kind !== "Name" || !isExceptionSubclass(named.id, "Refusal") || cx.u.names.meaning(named.id, cx.s, false).tag !== "builtin")
    return;
  cx.u.report.type(
    named.span,
    `\`${named.id}\` is raised by the store and the language alone: raise one of Python's exceptions, as \`ValueError("…")\`; \`raise\` alone raises again what a handler caught.`,
  );
}

function lowerIf(cx: Cx, n: If): IrStep {
  const c = lowerExpr(cx, n.test);
  return { k: "if", c, a: lowerBlock(cx, n.body), b: n.orelse.length > 0 ? lowerBlock(cx, n.orelse) : null };
}

function lowerFor(cx: Cx, n: For): IrStep {
  const e = lowerIterable(cx, n.iter);
  const [steps, target] = apartTarget(cx, n.target);
  let to = target;
  const body: IrStep[] = [];
  if (steps.length > 0) {
    const i = cx.f.slot();
    body.push(...steps, { k: "set", ts: [target], e: { k: "temp", i }, names: [] });
    to = { k: "local", i, n: "" };
  }
  for (const s of n.body) lowerStatement(cx, s, body);
  const is = cx.f.slot();
  cx.f.slot();
  return { k: "for", to, e, a: block(cx.f, body), b: n.orelse.length > 0 ? lowerBlock(cx, n.orelse) : null, is };
}

function lowerWith(cx: Cx, n: With): IrStep | null {
  // `with a, b:` is `with a:` around `with b:`.
  const build = (i: number, at: Cx): IrBlock => {
    if (i === n.items.length) return lowerBlock(at, n.body);
    const step = one(i, at);
    return block(at.f, step ? [...at.out.splice(0), step] : []);
  };
  const one = (i: number, at: Cx): IrStep | null => {
    const item = n.items[i]!;
    const call = item.context;
    const name = call.kind === "Call" && call.func.kind === "Name" && at.s.find(call.func.id) === null ? call.func.id : null;
    if (call.kind !== "Call" || (name !== "branch" && name !== "world")) {
      at.u.report.type(
        call.span,
        '`with` opens a transaction or a what-if here: `with branch("name"):`, `with world("name"):`. There are no files and no other context managers.',
      );
      return null;
    }
    if (item.target) at.u.report.type(item.target.span, `\`with ${name}(…)\` gives no value: leave out \`as\`.`);
    const [first] = call.args;
    const named = call.args.length === 1 && call.keywords.length === 0 && first?.kind !== "Starred";
    // A branch may do without a name; a world is found by it.
    if (!named && (name === "world" || call.args.length + call.keywords.length > 0))
      at.u.report.type(call.span, `A ${name} has one name: \`with ${name}("name"):\`.`);
    const label = named && first ? lowerExpr(at, first) : null;
    const s = at.f.slot();
    at.f.slot();
    // `commit()` is of the branch inside the world, never of one around it.
    const branches = name === "branch" ? at.branches + 1 : 0;
    return { k: "with", what: name, name: label, a: build(i + 1, within(at, { branches, out: [] })), s };
  };
  return one(0, cx);
}

function lowerMatch(cx: Cx, n: Match): IrStep {
  const e = lowerExpr(cx, n.subject);
  const s = cx.f.slot();
  cx.f.slot();
  const cases = n.cases.map((c): IrCase => {
    const p = lowerPattern(cx, c.pattern);
    let guard: IrCase["guard"] = null;
    if (c.guard) {
      const [pre, g] = apart(cx, c.guard);
      guard = { pre: pre.length > 0 ? block(cx.f, pre) : null, e: g };
    }
    return { p, guard, a: lowerBlock(cx, c.body) };
  });
  return { k: "match", e, cases, s };
}

function lowerTry(cx: Cx, n: Try): IrStep {
  const guarded = within(cx, { guarded: cx.guarded || n.handlers.length > 0 });
  const a = lowerBlock(guarded, n.body);
  const seen: string[][] = [];
  const hs = n.handlers.map((h): IrHandler => {
    let type: IrExpr | null = null;
    if (h.type) {
      type = lowerExpr(cx, h.type);
      const classes = (h.type.kind === "Tuple" ? h.type.elts : [h.type]).map((t) => exceptionName(cx, t));
      if (classes.every((c): c is string => c !== null)) {
        const covering = classes.map((c) => seen.flat().find((s) => isExceptionSubclass(c, s)));
        if (covering.every((s) => s !== undefined))
          cx.u.report.note(
            h.span,
            `this handler can never run: an earlier \`except ${covering[0]}\` of the same \`try\` already catches ${classes.map((c) => `\`${c}\``).join(", ")}`,
            covering.every((c, i) => c === classes[i])
              ? "leave this handler out"
              : `put \`except ${classes.length > 1 ? `(${classes.join(", ")})` : classes[0]}\` above \`except ${covering[0]}\`, or leave it out`,
          );
        seen.push(classes);
      }
    } else if (seen.flat().some((s) => s === "Exception" || s === "BaseException"))
      cx.u.report.note(
        h.span,
        "this handler can never run: an earlier handler of the same `try` already catches everything",
        "leave out the last handler",
      );
    const bind = h.name !== null ? targetBinding(cx, cx.s.find(h.name)!) : null;
    return { type, bind, a: lowerBlock(cx, h.body) };
  });
  const orelse = n.orelse.length > 0 ? lowerBlock(cx, n.orelse) : null;
  const fin = n.finalbody.length > 0 ? lowerBlock(cx, n.finalbody) : null;
  const s = cx.f.slot();
  for (let i = 0; i < 3; i++) cx.f.slot();
  return { k: "try", a, hs, orelse, fin, s };
}
function exceptionName(cx: Cx, e: Expr): string | null {
  return e.kind === "Name" && cx.u.names.meaning(e.id, cx.s, false).tag === "builtin" ? e.id : null;
}

function lowerDef(cx: Cx, n: FunctionDef): IrStep {
  const { defaults, params } = lowerParameters(cx, n.args);
  if (n.returns) annotationFault(cx, n.returns);
  const scope = cx.u.tree.of.get(n)!;
  const f = new Fn(scope, cx.f, n.name);
  const c = cx.u.codes.push(null) - 1;
  const paramSlots = params.names.map((name) => f.slotOf(scope.bindings.get(name)!));
  const steps: IrStep[] = [];
  const inner: Cx = { u: cx.u, f, s: scope, out: [], guarded: false, branches: 0, line: n.span.line };
  for (const s of n.body) lowerStatement(inner, s, steps);
  cx.u.codes[c] = closeCode(f, params.ir, paramSlots, steps);
  const to = targetBinding(cx, cx.s.find(n.name)!);
  return { k: "set", ts: [to], e: { k: "function", c, defaults }, names: [] };
}

// ---- imports: bound before the lowering by `bindImports`; here they become steps ----------------------------------
function lowerImport(cx: Cx, n: Import): IrStep | null {
  let last: IrStep | null = null;
  for (const a of n.names) {
    if (last) cx.out.push(last);
    const b = cx.s.find(a.asname ?? a.name)!;
    const imported = cx.u.names.imported.get(a);
    const to = targetBinding(cx, b);
    if (imported?.tag === "library") last = { k: "library", m: a.name, to, names: [] };
    else if (imported?.tag === "stored") last = { k: "import", m: a.name, form: imported.module.form, to, fs: cx.f.slot() };
    else last = { k: "import", m: a.name, form: "", to, fs: cx.f.slot() };
  }
  return last;
}
function lowerImportFrom(cx: Cx, n: ImportFrom): IrStep | null {
  const first = cx.u.names.imported.get(n.names[0]!);
  if (first?.tag === "member")
    return {
      k: "library",
      m: n.module,
      to: null,
      names: n.names.map((a): [string, IrTarget] => [a.name, targetBinding(cx, cx.s.find(a.asname ?? a.name)!)]),
    };
  const stored = cx.u.names.environment.module(n.module);
  return stored ? { k: "import", m: n.module, form: stored.form, to: null, fs: cx.f.slot() } : null;
}
