/**
 * Addresses and what looks like one: `Kind.subject.field`, `Kind["name"].field`, `s.field`, `s[expr]`, `m.Kind.…`,
 * `math.pi`, `module.script`. As the first argument of a verb such an expression is an address; anywhere else it reads.
 */

import type { Span } from "../../diagnostic";
import type { KindDeclaration } from "../../engine/claim";
import { SUBJECT_NAME_CHARS_MAX } from "../../limits";
import { certainFault } from "../check/definite";
import { isUpperInitial } from "../check/names";
import { absentMember, unknownName, verbNames } from "../check/teaching-names";
import { kindOfExpression } from "../check/types";
import type { AddressWanted } from "../check/verbs";
import type { Call, Expr, Name } from "../syntax/ast";
import { nearest } from "../syntax/nearest";
import { typeName } from "../value/protocol-type";
import { unservedSpecial } from "../value/special-methods";
import { strLength } from "../value/str";
import type { Value } from "../value/value";
import { type Cx, readBinding, spill } from "./context";
import type { IrAddress, IrExpr } from "./ir";
import { consumedItem } from "./lower-consume";
import { lowerExpr, operands } from "./lower-expression";
import { BUILTIN_NAMES, LIBRARY_MEMBERS } from "./served";

export interface KindRef {
  readonly name: string;
  readonly declaration: KindDeclaration | null;
}

/** The Kind that `e` names, where it names one. Reports an ambiguous name. */
export function kindRoot(cx: Cx, e: Expr): KindRef | null {
  if (e.kind !== "Name" && e.kind !== "Attribute") return null;
  const k = cx.u.names.kindOf(e, cx.s);
  if (k === null) return null;
  if ("problem" in k) {
    cx.u.report.add(k.problem);
    return { name: "", declaration: null };
  }
  if (k.declaration && !k.name.startsWith(`${cx.u.moduleName}.`)) cx.u.uses.add(k.name);
  return k;
}

/** `Kind.name` or `Kind[expr]` as a subject; null where `e` is neither. */
export function subjectOfKind(cx: Cx, e: Expr): { ir: IrExpr; kind: KindRef } | null {
  if (e.kind !== "Attribute" && e.kind !== "Subscript") return null;
  const kind = kindRoot(cx, e.value);
  if (kind === null) return null;
  if (e.kind === "Attribute") return { ir: { k: "subject", kind: kind.name, e: { k: "const", v: e.attr } }, kind };
  if (e.slice.kind === "Slice") cx.u.report.type(e.span, "A subject has a text for a name, not a slice.");
  let name = lowerExpr(cx, e.slice);
  if (name.k === "const") {
    nameFault(cx, name.v, e.slice.span);
    // What is no text is raised as the line runs, by the way that looks.
    if (typeof name.v !== "string") name = spill(cx, name);
  }
  return { ir: { k: "subject", kind: kind.name, e: name }, kind };
}

/** Reports a written name that no subject can have (rulings, "Kind[expr]"). */
function nameFault(cx: Cx, name: Value, span: Span): void {
  if (typeof name !== "string") {
    if (!cx.guarded) cx.u.report.type(span, `TypeError: a subject's name is a text, not ${typeName(name)}`);
  } else if (name === "" || strLength(name) > SUBJECT_NAME_CHARS_MAX)
    cx.u.report.type(span, `a subject's name has 1 to ${SUBJECT_NAME_CHARS_MAX} characters, not ${strLength(name)}`);
}

/** Says so where a Kind with a class has no such field. */
export function checkField(cx: Cx, kind: KindRef, field: string, span: Span): void {
  if (field.startsWith("__")) {
    cx.u.report.type(span, `Fields may not begin with two underscores: \`${field}\` is refused.`);
    return;
  }
  const d = kind.declaration ?? cx.u.names.declaration(kind.name);
  if (d && !kind.name.startsWith(`${cx.u.moduleName}.`)) cx.u.uses.add(`${kind.name}.${field}`);
  if (!d || d.fields.has(field) || cx.u.names.concludedField(kind.name, field)) return;
  const near = nearest(field, d.fields.keys());
  cx.u.report.type(
    span,
    `\`${kind.name}\` has no field \`${field}\`${near ? `; did you mean \`${near}\`?` : `: its class declares ${[...d.fields.keys()].map((f) => `\`${f}\``).join(", ") || "none"}.`}`,
    near ?? undefined,
  );
}

/** The first argument of a verb. Null after a report. */
export function lowerAddress(cx: Cx, e: Expr, want: AddressWanted, verb: string): IrAddress | null {
  const kind = kindRoot(cx, e);
  if (kind !== null) {
    if (want === "kind" || want === "target") return { a: "kind", kind: kind.name };
    cx.u.report.type(e.span, `\`${verb}\` takes ${wanted(want)}, and \`${kind.name}\` is a Kind.`);
    return null;
  }
  if (want === "kind") {
    cx.u.report.type(e.span, `\`${verb}\` takes a Kind, as \`${verb}(Person)\`.`);
    return null;
  }
  if (e.kind === "Attribute" || e.kind === "Subscript") {
    const root = kindRoot(cx, e.value);
    if (root !== null) {
      // `Kind.x` or `Kind[expr]`: a subject, or a field of the Kind.
      if (e.kind === "Subscript" || want === "subject") {
        const s = subjectOfKind(cx, e)!;
        if (want === "subject" || want === "target") return { a: "subject", subject: s.ir };
        cx.u.report.type(e.span, `\`${verb}\` takes ${wanted(want)}: add the field, as \`….field\`.`);
        return null;
      }
      if (want === "target") return { a: "either", kind: root.name, name: e.attr };
      if (want === "cell_or_field") {
        checkField(cx, root, e.attr, e.attrSpan);
        return { a: "field", kind: root.name, field: e.attr };
      }
      cx.u.report.type(
        e.span,
        `\`${verb}\` takes ${wanted(want)}: \`${root.name}.${e.attr}\` is a subject; add the field, as \`${root.name}.${e.attr}.field\`.`,
      );
      return null;
    }
    // A cell: the base gives a subject.
    const s = subjectOfKind(cx, e.value);
    if (want === "subject") {
      cx.u.report.type(e.span, `\`${verb}\` takes a subject, as \`Kind.name\`, \`Kind["name"]\` or a variable that holds one.`);
      return null;
    }
    if (s !== null) {
      if (e.kind === "Attribute") {
        checkField(cx, s.kind, e.attr, e.attrSpan);
        return { a: "cell", subject: s.ir, field: e.attr };
      }
      return { a: "cell", subject: s.ir, field: lowerExpr(cx, e.slice) };
    }
    if (e.kind === "Attribute") {
      const k = kindOfExpression(cx, e.value);
      if (k) checkField(cx, k, e.attr, e.attrSpan);
      return { a: "cell", subject: lowerExpr(cx, e.value), field: e.attr };
    }
    const [a, b] = operands(cx, [e.value, e.slice]);
    return { a: "cell", subject: a!, field: b! };
  }
  if (want === "subject" || want === "target") return { a: "subject", subject: lowerExpr(cx, e) };
  cx.u.report.type(e.span, `\`${verb}\` takes ${wanted(want)}; a value is no address.`);
  return null;
}

function wanted(want: AddressWanted): string {
  switch (want) {
    case "cell":
      return "a cell, as `Kind.subject.field`";
    case "cell_or_field":
      return "a cell or a field, as `Kind.subject.field` or `Kind.field`";
    case "subject":
      return "a subject, as `Kind.subject`";
    case "kind":
      return "a Kind";
    case "target":
      return "a cell or a subject, as `Kind.subject.field`";
  }
}

/** `e.attr` as a value. */
export function lowerAttribute(cx: Cx, e: Extract<Expr, { kind: "Attribute" }>): IrExpr {
  // A module's member.
  if (e.value.kind === "Name") {
    const m = cx.u.names.meaning(e.value.id, cx.s, false);
    if (m.tag === "import") {
      if (m.imported.tag === "library") {
        const members = LIBRARY_MEMBERS.get(m.imported.name)!;
        if (members.has(e.attr)) return { k: "member", m: m.imported.name, n: e.attr };
        const absent = absentMember(m.imported.name, e.attr, members);
        cx.u.report.type(e.attrSpan, absent.message, absent.fix);
        return { k: "const", v: null };
      }
      if (m.imported.tag === "stored") {
        const stored = m.imported.module;
        if (stored.scripts.has(e.attr)) cx.u.uses.add(`${stored.name}.${e.attr}`);
        if (stored.scripts.has(e.attr)) return { k: "script", e: readBinding(cx, m.binding), m: stored.name, n: e.attr };
        if (kindRoot(cx, e) !== null) {
          cx.u.report.type(
            e.span,
            `\`${stored.name}.${e.attr}\` is a Kind, not a value: a subject of it is \`${stored.name}.${e.attr}["name"]\`.`,
          );
          return { k: "const", v: null };
        }
        const near = nearest(e.attr, [...stored.scripts.keys(), ...stored.kinds.map((k) => k.name.slice(stored.name.length + 1))]);
        cx.u.report.type(
          e.attrSpan,
          `Module \`${stored.name}\` has no script or Kind \`${e.attr}\`${near ? `; did you mean \`${near}\`?` : "; `info_module` lists what it has. Its variables are its own."}`,
          near ?? undefined,
        );
        return { k: "const", v: null };
      }
      if (m.imported.tag === "absent") return { k: "const", v: null };
    }
    if (m.tag === "builtin" && LIBRARY_MEMBERS.get(m.name)?.has(e.attr)) {
      cx.u.report.type(e.value.span, `\`${m.name}\` is a type here, and its module as well: write \`import ${m.name}\` at the top first.`);
      return { k: "const", v: null };
    }
  }
  const subject = subjectOfKind(cx, e);
  if (subject) return subject.ir;
  const base = subjectOfKind(cx, e.value);
  if (base) {
    checkField(cx, base.kind, e.attr, e.attrSpan);
    return { k: "read", addr: { a: "cell", subject: base.ir, field: e.attr } };
  }
  const k = kindOfExpression(cx, e.value);
  if (k) checkField(cx, k, e.attr, e.attrSpan);
  checkSpecial(cx, e);
  return { k: "attr", a: lowerExpr(cx, e.value), n: e.attr };
}

/** Reports `x.__add__` and its like, which no program reaches. */
export function checkSpecial(cx: Cx, e: Extract<Expr, { kind: "Attribute" }>): void {
  const special = unservedSpecial(e.attr);
  if (special !== null) cx.u.report.type(e.attrSpan, special);
}

export function lowerSubscript(cx: Cx, e: Extract<Expr, { kind: "Subscript" }>): IrExpr {
  const subject = subjectOfKind(cx, e);
  if (subject) return subject.ir;
  const base = subjectOfKind(cx, e.value);
  if (base) return { k: "read", addr: { a: "cell", subject: base.ir, field: lowerExpr(cx, e.slice) } };
  const [a, b] = operands(cx, [e.value, e.slice]);
  return consumedItem(cx, { k: "index", a: a!, b: b! });
}

/** Reports a name that means nothing, with what to write instead. `call`: what it is called with. */
export function unknown(cx: Cx, id: string, span: Span, call: Call | null = null): IrExpr {
  const taught = unknownName(id);
  if (taught) {
    cx.u.report.type(span, taught.message, taught.fix);
    return { k: "const", v: null };
  }
  const homes = [...LIBRARY_MEMBERS].filter(([, members]) => members.has(id)).map(([m]) => m);
  if (homes.length > 0) {
    const ways = homes.map((m) => `\`import ${m}\` and write \`${m}.${id}\``).join(", or ");
    cx.u.report.type(span, `\`${id}\` is in a module: ${ways}.`);
    return { k: "const", v: null };
  }
  if (cx.u.names.environment.module(id) !== undefined) {
    cx.u.report.type(span, `\`${id}\` is a stored module: write \`import ${id}\` at the top first.`);
    return { k: "const", v: null };
  }
  const visible: string[] = [];
  for (let s: typeof cx.s | null = cx.s; s; s = s.parent) visible.push(...s.bindings.keys());
  const alike = nearest(id, [...visible, ...BUILTIN_NAMES, ...verbNames()]);
  // A builtin that cannot be called so is not meant.
  const misfit = alike !== null && call !== null && certainFault(cx, { ...call, func: { ...(call.func as Name), id: alike } }) !== null;
  const near = misfit ? null : alike;
  const bare = isUpperInitial(id) ? ` A Kind stands at the root of an address: \`${id}["name"].field\`.` : "";
  cx.u.report.type(
    span,
    `Unknown name \`${id}\`${near ? `; did you mean \`${near}\`?` : ": nothing above binds it."}${bare}`,
    near ?? undefined,
  );
  return { k: "const", v: null };
}
