/**
 * Arguments of a script of another module beside the types its parameters are annotated with. Python asks nobody for that; a
 * script, which is called by its module's name, is DKE's own (docs/decisions/what-an-annotation-asks.md).
 *
 * Only what is certain before the run is a fault: an argument whose type shows, at a parameter whose outer type it can never be.
 */
import type { Cx } from "../compile/context";
import type { ScriptParams } from "../compile/ir";
import type { Arguments, Call, Expr, Param } from "../syntax/ast";
import { isTypeName, type StaticType, staticType } from "./types";

/** What each type takes of those that show. A whole number is a float too, as it is wherever Python computes. */
const TAKES: Readonly<Record<string, readonly StaticType[]>> = {
  int: ["int", "bool"],
  float: ["float", "int", "bool"],
  real: ["float", "int", "bool"],
  complex: ["complex", "float", "int", "bool"],
  bool: ["bool"],
  str: ["str"],
  string: ["str"],
  bytes: ["bytes"],
  blob: ["bytes"],
  list: ["list"],
  tuple: ["tuple"],
  dict: ["dict"],
  set: ["set"],
  frozenset: [],
  range: [],
  slice: [],
  datetime: [],
  duration: [],
  None: ["none"],
};

/** The outer types each annotated parameter may have, as written: `["int", "None"]`, `["Person"]`. */
export function parameterTypes(a: Arguments): { [name: string]: string[] } {
  const types: [string, string[]][] = [];
  for (const p of [...a.posonly, ...a.args, ...a.kwonly]) {
    const of = p.annotation && outerTypes(p.annotation);
    if (of !== null) types.push([p.name, isNone(p.default) ? [...of, "None"] : of]);
  }
  return Object.fromEntries(types);
}
function isNone(e: Param["default"]): boolean {
  return e?.kind === "Constant" && e.value === null;
}
/** Null where anything may stand there. */
function outerTypes(a: Expr): string[] | null {
  switch (a.kind) {
    case "Name":
      return Object.hasOwn(TAKES, a.id) || !isTypeName(a.id) ? [a.id] : null;
    case "Attribute":
      return a.value.kind === "Name" ? [`${a.value.id}.${a.attr}`] : null;
    case "Subscript":
      return outerTypes(a.value);
    case "BinOp": {
      const [left, right] = [outerTypes(a.left), outerTypes(a.right)];
      return left && right && [...left, ...right];
    }
    case "Constant":
      return a.value === null ? ["None"] : null;
    default:
      return null;
  }
}

export interface WrongArgument {
  readonly at: Expr;
  readonly message: string;
  /** The subject a text may have been meant for. */
  readonly fix?: string;
}

/** The script a call names, and the module as it names it. */
export interface Called {
  readonly script: ScriptParams;
  readonly module: string;
  readonly name: string;
  /** Whether the module declares a Kind of that bare name. */
  readonly declares: (kind: string) => boolean;
}

/** The first argument that its parameter can never take. */
export function wrongArgument(cx: Cx, e: Call, { script, module, name: scriptName, declares }: Called): WrongArgument | null {
  if (script.types === undefined || e.args.some((a) => a.kind === "Starred")) return null;
  const names = [...script.posonly, ...script.args];
  const given: (readonly [string | undefined, Expr])[] = e.args.map((a, i) => [names[i], a]);
  for (const k of e.keywords) given.push([k.arg ?? undefined, k.value]);
  for (const [name, at] of given) {
    const wanted = name !== undefined && Object.hasOwn(script.types, name) ? script.types[name]! : null;
    const type = wanted && staticType(cx, at);
    if (!wanted || type === null || wanted.some((w) => (TAKES[w] ?? []).includes(type))) continue;
    const want = wanted.map((w) => (Object.hasOwn(TAKES, w) ? w : `a subject of ${w}`)).join(" or ");
    const message = `${module}.${scriptName}() argument '${name}' must be ${want}, not ${type === "none" ? "None" : type}`;
    const kind = wanted.find((w) => !Object.hasOwn(TAKES, w));
    if (
      kind === undefined ||
      !declares(kind) ||
      at.kind !== "Constant" ||
      typeof at.value !== "string" ||
      !/^[^"\\\p{C}]+$/u.test(at.value)
    )
      return { at, message };
    return { at, message, fix: `${module}.${kind}["${at.value}"]` };
  }
  return null;
}
