/**
 * Values that a source writes out and that cannot be: an instant or a duration of a wrong text, a value that the declared
 * field of a write cannot hold.
 *
 * Instants are checked everywhere, since Python has no such call (rulings, "What the checker may refuse"); a field's
 * type only outside a `try` that has an `except`. What is known only as the program runs is the store's to refuse.
 */
import type { FieldType } from "../../engine/claim";
import { Refusal } from "../../failure";
import type { Cx } from "../compile/context";
import { typeText } from "../declare/declaring";
import type { Call, Expr } from "../syntax/ast";
import { DURATION_UNITS, datetimeOf, durationOf } from "../value/datetime";
import { Raised } from "../value/value";
import { type StaticType, staticType } from "./types";

/** Reports a call of `datetime` or `duration` that cannot succeed. */
export function instantFault(cx: Cx, e: Call, name: "datetime" | "duration"): void {
  if (e.args.some((a) => a.kind === "Starred") || e.keywords.some((k) => k.arg === null)) return;
  const form = name === "datetime" ? '`datetime("2026-01-01T00:00:00Z")`' : '`duration("PT1H")` or `duration(days=1, hours=2)`';
  const [keyword] = e.keywords;
  const wrongCount = name === "datetime" ? e.args.length !== 1 : e.args.length > 1 || (e.args.length === 1) === (keyword !== undefined);
  const wrongWord = name === "datetime" ? keyword : e.keywords.find((k) => !DURATION_UNITS.has(k.arg!));
  if (wrongWord !== undefined) {
    cx.u.report.type(wrongWord.span, `\`${name}\` has no \`${wrongWord.arg}\`: write ${form}.`);
    return;
  }
  if (wrongCount) {
    cx.u.report.type(e.span, `\`${name}\` is written ${form}.`);
    return;
  }
  const [text] = e.args;
  if (text?.kind !== "Constant") return;
  if (typeof text.value !== "string") {
    cx.u.report.type(text.span, `\`${name}\` takes a text: write ${form}.`);
    return;
  }
  try {
    if (name === "datetime") datetimeOf(text.value);
    else durationOf(text.value);
  } catch (thrown) {
    if (thrown instanceof Raised) cx.u.report.type(text.span, String(thrown.exception.args[0]));
    else if (thrown instanceof Refusal) cx.u.report.type(text.span, thrown.message);
    else throw thrown;
  }
}

const FIELD_WORD: Readonly<Record<StaticType, FieldType["type"] | null>> = {
  bool: "bool",
  int: "int",
  float: "real",
  complex: "complex",
  str: "string",
  bytes: "blob",
  list: "list",
  tuple: "tuple",
  dict: "dict",
  set: "set",
  none: null,
};

/** Reports a value whose type is known and that a field of that type can never hold. */
export function fieldValueFault(cx: Cx, cell: string, type: FieldType, value: Expr): void {
  if (cx.guarded || type.type === "any") return;
  const known = staticType(cx, value);
  const word = known === null ? null : FIELD_WORD[known];
  if (word === null || word === type.type || (type.type === "real" && word === "int")) return;
  const wanted = typeText({ ...type, many: false });
  cx.u.report.type(
    value.span,
    `\`${cell}\` holds \`${wanted}\`, and this value is \`${typeText({ type: word, many: false })}\`: write a value of that type, or declare the field \`any\`.`,
  );
}
