/**
 * Calls. Three ways: a verb, whose first argument is an address; a *native* call, of a builtin, a library member or a
 * method of a value, which cannot suspend; and every other call, which may run code of ours and is lifted into a step.
 */

import { type Called, wrongArgument } from "../check/argument-types";
import { instantHabit } from "../check/method-habits";
import { unknownName } from "../check/teaching-names";
import { argumentFault, callFault, kindOfExpression } from "../check/types";
import { RULE_WORDS, VERBS, type VerbSpec } from "../check/verbs";
import { fieldValueFault, instantFault } from "../check/written-values";
import type { Call, Expr } from "../syntax/ast";
import { nearest } from "../syntax/nearest";
import { type Cx, isStable, spill } from "./context";
import type { IrAddress, IrExpr, IrItem, IrKeyword } from "./ir";
import { checkSpecial, kindRoot, lowerAddress, lowerAttribute, subjectOfKind, unknown } from "./lower-address";
import { consumed, consumedVerb, drained } from "./lower-consume";
import { lowerExpr, type Operand, operands, operandsTaken, plainly, starItem, starred } from "./lower-expression";

export function lowerCall(cx: Cx, e: Call): IrExpr {
  const f = e.func;
  if (f.kind === "Name") {
    const m = cx.u.names.meaning(f.id, cx.s, false);
    if (m.tag === "verb") return lowerVerb(cx, e, f.id);
    if (m.tag === "builtin") {
      if (f.id === "print") return lowerPrint(cx, e);
      if (f.id === "iter" && e.args.length === 2)
        cx.u.report.type(e.span, "`iter(f, sentinel)` has no bound: loop over a `range` and `break` at the sentinel.");
      if (f.id === "datetime" || f.id === "duration") instantFault(cx, e, f.id);
      const callee: IrExpr = { k: "builtin", n: f.id };
      const { args, kw } = callArguments(cx, e, callee);
      return consumed(cx, e, { k: "native", f: callee, args, kw });
    }
    if (m.tag === "import" && m.imported.tag === "member") {
      const { args, kw } = callArguments(cx, e);
      return consumed(cx, e, { k: "native", f: { k: "member", m: m.imported.module, n: m.imported.member }, args, kw });
    }
    if (m.tag === "kind") {
      cx.u.report.type(e.span, `A Kind is not called: a subject of \`${f.id}\` is \`${f.id}["name"]\`.`);
      return { k: "const", v: null };
    }
    if (m.tag === "unknown" && RULE_WORDS.has(f.id)) return unknown(cx, f.id, f.span);
    if (m.tag === "unknown") unknown(cx, f.id, f.span, e);
    if (m.tag === "variable" && !m.early) {
      argumentFault(cx, e, m.binding);
      callFault(cx, f, m.binding);
      cx.u.calls.push({ from: cx.s, to: m.binding, span: e.span });
    }
    return lifted(cx, e);
  }
  if (f.kind === "Attribute") {
    const root = rootOf(f);
    const taught = root === null ? null : unknownName(root.id);
    if (root !== null && taught !== null && cx.s.find(root.id) === null && isForeign(cx, root.id)) {
      cx.u.report.type(root.span, taught.message, taught.fix);
      return { k: "const", v: null };
    }
    if (f.value.kind === "Name") {
      const m = cx.u.names.meaning(f.value.id, cx.s, false);
      if (m.tag === "import" && m.imported.tag === "library") {
        const member = lowerAttribute(cx, f);
        const { args, kw } = callArguments(cx, e);
        return consumed(cx, e, { k: "native", f: member, args, kw });
      }
      if (m.tag === "import" && (m.imported.tag === "stored" || m.imported.tag === "absent")) {
        const { imported } = m;
        const script = imported.tag === "stored" ? imported.module.scripts.get(f.attr) : undefined;
        if (imported.tag !== "stored" || script === undefined) return lifted(cx, e);
        const declares = (kind: string): boolean => imported.module.kinds.some((k) => k.name === `${imported.module.name}.${kind}`);
        return lowerScriptCall(cx, e, { script, module: f.value.id, name: f.attr, declares });
      }
    }
    // `Kind.subject(…)`, `Kind.subject.field(…)`: a field is never called.
    if (kindRoot(cx, f.value) !== null) {
      cx.u.report.type(e.span, "A subject is not called: a script is called by its module's name, as `module.script(…)`.");
      return { k: "const", v: null };
    }
    if (subjectOfKind(cx, f.value) !== null) {
      cx.u.report.type(
        f.attrSpan,
        `After a subject \`${f.attr}\` is a field, and a field's value is not called here. A script is \`module.${f.attr}(…)\`.`,
      );
      return { k: "const", v: null };
    }
    if (f.value.kind === "Name" && cx.u.names.meaning(f.value.id, cx.s, false).tag === "builtin") {
      const taught = instantHabit(f.value.id, f.attr, f.value, e);
      if (taught !== null) {
        cx.u.report.type(taught.fixSpan ?? f.span, taught.message, taught.fix);
        return { k: "const", v: null };
      }
    }
    checkSpecial(cx, f);
    let base = lowerExpr(cx, f.value);
    const out: typeof cx.out = [];
    const done = callArguments({ ...cx, out }, e);
    if (out.length > 0) base = spill(cx, { k: "having", a: base, n: f.attr });
    cx.out.push(...out);
    return consumed(cx, e, { k: "method", a: base, n: f.attr, ...done });
  }
  return lifted(cx, e);
}

/** A call of another module's script: an argument of a type it never takes is a fault, inside a `try` as the line runs. */
function lowerScriptCall(cx: Cx, e: Call, called: Called): IrExpr {
  argumentFault(cx, e, null, called.script, `${called.module}.${called.name}`);
  const wrong = wrongArgument(cx, e, called);
  if (wrong === null) return lifted(cx, e);
  if (!cx.guarded) cx.u.report.type(wrong.at.span, `TypeError: ${wrong.message}.`, wrong.fix);
  const { args, kw } = callArguments(cx, e);
  for (const { e: value } of [...args, ...kw]) cx.out.push({ k: "expr", e: value });
  const text: IrExpr = { k: "const", v: wrong.message };
  cx.out.push({ k: "raise", e: { k: "native", f: { k: "builtin", n: "TypeError" }, args: [{ e: text }], kw: [] }, cause: null });
  return { k: "const", v: null };
}

/** The name that `a.b.c` begins with. */
function rootOf(e: Expr): Extract<Expr, { kind: "Name" }> | null {
  let root = e;
  for (; root.kind === "Attribute"; ) root = root.value;
  return root.kind === "Name" ? root : null;
}
/** Whether a name means nothing but, perhaps, a bare kind of the store. */
function isForeign(cx: Cx, id: string): boolean {
  const m = cx.u.names.meaning(id, cx.s, true);
  return m.tag === "unknown" || (m.tag === "kind" && m.declaration === null && !m.kind.includes("."));
}

/** Arguments in evaluation order. The elements of an only `*xs` are taken as the call is made, of others at once. */
function callArguments(cx: Cx, e: Call, callee?: IrExpr): { args: IrItem[]; kw: IrKeyword[] } {
  const keywords = e.keywords.map((k): Operand => {
    if (k.arg !== null) return { e: k.value };
    return { e: k.value, take: (ir) => ({ k: "unpack", as: "keywords", e: ir, ...(callee ? { callee } : {}) }) };
  });
  const [only] = e.args;
  if (e.args.length === 1 && only!.kind === "Starred" && keywords.some(({ e: v }) => v.kind !== "Constant" && v.kind !== "Name"))
    return starredLast(cx, e, only!, keywords);
  const done = operandsTaken(cx, [...e.args.map(e.args.length === 1 ? plainly : starred), ...keywords]);
  const n = e.args.length;
  return {
    args: e.args.map((a, i) => starItem(a, done[i]!)),
    kw: e.keywords.map((k, i) => ({ n: k.arg, e: done[n + i]!.ir, ...(done[n + i]!.taken ? { taken: true as const } : {}) })),
  };
}

/** `f(*xs, k=v)`: the elements are taken after the keywords' values are there. */
function starredLast(
  cx: Cx,
  e: Call,
  only: Extract<Expr, { kind: "Starred" }>,
  keywords: readonly Operand[],
): { args: IrItem[]; kw: IrKeyword[] } {
  const source = lowerExpr(cx, only.value);
  const held = isStable(source) ? source : spill(cx, source);
  const kw = operandsTaken(cx, keywords).map(({ ir, taken }, i): IrKeyword => {
    const { take } = keywords[i]!;
    const n = e.keywords[i]!.arg;
    if (take !== undefined) return { n, e: taken ? ir : spill(cx, take(ir)), taken: true };
    return { n, e: isStable(ir) ? ir : spill(cx, ir) };
  });
  return { args: [{ e: drained(cx, only.value, held, null), star: true }], kw };
}

/** A call that may run code of ours: a step of its own, its value in a temporary. */
function lifted(cx: Cx, e: Call): IrExpr {
  const f = e.func.kind === "Attribute" ? lowerAttribute(cx, e.func) : lowerExpr(cx, e.func);
  const steps: typeof cx.out = [];
  // Where nothing is lifted `known` is not used: the callee is evaluated with the call.
  const known: IrExpr = isStable(f) ? f : { k: "temp", i: cx.f.slot() };
  const { args, kw } = callArguments({ ...cx, out: steps }, e, known);
  if (steps.length > 0 && known !== f && known.k === "temp") cx.out.push({ k: "temp", i: known.i, e: f });
  const callee = steps.length > 0 ? known : f;
  cx.out.push(...steps);
  const i = cx.f.slot();
  cx.out.push({ k: "call", i, fs: cx.f.slot(), f: callee, args, kw });
  return { k: "temp", i };
}

function lowerPrint(cx: Cx, e: Call): IrExpr {
  for (const k of e.keywords) {
    if (k.arg === "file")
      cx.u.report.type(k.span, "`print` has no `file` here: what it prints is the call's output. Leave the argument out.");
    else if (k.arg !== null && k.arg !== "sep" && k.arg !== "end" && k.arg !== "flush") {
      const near = nearest(k.arg, ["sep", "end"]) ?? (k.arg.startsWith("sep") ? "sep" : null);
      cx.u.report.type(
        k.span,
        `\`print\` takes \`sep\` and \`end\`, not \`${k.arg}\`${near === null ? "." : `; did you mean \`${near}\`?`}`,
      );
    }
  }
  const { args, kw } = callArguments(cx, e);
  return { k: "print", args, kw, line: e.span.line };
}

/** A verb: an address, then values bound by the verb's own table. */
export function lowerVerb(cx: Cx, e: Call, name: string): IrExpr {
  const spec = VERBS.get(name)!;
  const nothing: IrExpr = { k: "const", v: null };
  const starred = e.args.find((a) => a.kind === "Starred");
  if (starred) {
    cx.u.report.type(starred.span, `\`${name}\` takes its arguments one by one: ${spec.form}.`);
    return nothing;
  }
  if ((name === "commit" || name === "rollback") && cx.branches === 0) {
    cx.u.report.type(e.span, `\`${name}()\` stands inside a \`with branch("name"):\` block.`);
    return nothing;
  }
  let addr: IrAddress | null = null;
  let rest: readonly Expr[] = e.args;
  if (spec.address !== null) {
    const first = e.args[0];
    if (!first) {
      cx.u.report.type(e.span, `\`${name}\` takes an address first: ${spec.form}.`);
      return nothing;
    }
    addr = lowerAddress(cx, first, spec.address, name);
    rest = e.args.slice(1);
    if (addr === null) return nothing;
  }
  const before = cx.out.length;
  checkVerbCall(cx, e, name, spec, rest);
  if (name === "remember" || name === "update") {
    const value = rest[0] ?? e.keywords.find((k) => k.arg === "value")?.value;
    if (value?.kind === "Constant" && value.value === null)
      cx.u.report.type(value.span, `\`${name}\` records a value. That there is none is \`assert_absent(cell, "source")\`.`);
    else if (addr) checkWrittenValue(cx, e, addr, value);
  }
  if (spec.writes && addr) noteBareWrite(cx, e, addr);
  const done = operands(cx, [...rest, ...e.keywords.map((k) => k.value)]);
  // The address was lowered first; if the arguments lifted steps, its parts must not move behind them.
  if (addr && cx.out.length > before) addr = settle(cx, addr, before);
  const asked: Extract<IrExpr, { k: "verb" }> = {
    k: "verb",
    n: name,
    addr,
    args: rest.map((_, i) => ({ e: done[i]! })),
    kw: e.keywords.map((k, i) => ({ n: k.arg, e: done[rest.length + i]! })),
  };
  return consumedVerb(cx, asked);
}

/** Puts the expressions of an address aside at place `at` of the lifted steps. */
function settle(cx: Cx, addr: IrAddress, at: number): IrAddress {
  if (addr.a !== "cell" && addr.a !== "subject") return addr;
  const out: typeof cx.out = [];
  const inner = { ...cx, out };
  const subject = isStable(addr.subject) ? addr.subject : spill(inner, addr.subject);
  const result: IrAddress =
    addr.a === "subject"
      ? { a: "subject", subject }
      : { a: "cell", subject, field: typeof addr.field === "string" || isStable(addr.field) ? addr.field : spill(inner, addr.field) };
  cx.out.splice(at, 0, ...out);
  return result;
}

function checkVerbCall(cx: Cx, e: Call, name: string, spec: VerbSpec, rest: readonly Expr[]): void {
  const positional = spec.params.filter((p) => !p.keywordOnly);
  if (rest.length > positional.length) {
    cx.u.report.type(rest[positional.length]!.span, `\`${name}\` takes fewer arguments: ${spec.form}.`);
    return;
  }
  const given = new Set(positional.slice(0, rest.length).map((p) => p.name));
  for (const k of e.keywords) {
    if (k.arg === null) {
      if (spec.rest === null) cx.u.report.type(k.span, `\`${name}\` takes its arguments one by one: ${spec.form}.`);
      return;
    }
    if (given.has(k.arg)) cx.u.report.type(k.span, `\`${name}\` was given \`${k.arg}\` twice.`);
    const known = spec.params.some((p) => p.name === k.arg);
    if (!known && spec.rest === null) cx.u.report.type(k.span, `\`${name}\` has no \`${k.arg}\`: ${spec.form}.`);
    given.add(k.arg);
  }
  const missing = spec.params.filter((p) => p.required && !given.has(p.name)).map((p) => p.name);
  if (missing.length > 0) cx.u.report.type(e.span, `\`${name}\` also needs ${missing.map((m) => `\`${m}\``).join(" and ")}: ${spec.form}.`);
}

/** A value whose type is known, at a field of a declared Kind. */
function checkWrittenValue(cx: Cx, e: Call, addr: IrAddress, value: Expr | undefined): void {
  const at = e.args[0];
  if (value === undefined || addr.a !== "cell" || typeof addr.field !== "string" || at?.kind !== "Attribute") return;
  const kind = addr.subject.k === "subject" ? addr.subject.kind : kindOfExpression(cx, at.value)?.name;
  const type = kind === undefined ? null : cx.u.names.fieldType(kind, addr.field);
  if (type !== null) fieldValueFault(cx, `${kind}.${addr.field}`, type, value);
}

function noteBareWrite(cx: Cx, e: Call, addr: IrAddress): void {
  const kind = addr.a === "cell" || addr.a === "subject" ? (addr.subject.k === "subject" ? addr.subject.kind : null) : addr.kind;
  if (kind !== null && !kind.includes(".")) cx.u.bareWrites.push({ kind, span: e.span });
}
