/**
 * What a rule is told where one form stands for another: the text by where it stands, and the edit where one edit mends it.
 * Whether it is a fault is the reader's to say.
 */
import type { Expr } from "../syntax/ast";
import { sourceText } from "./source-text";

/** `left == None`, `left is not None`: an empty cell is asked for by name. */
export function noneFault(left: Expr, isEqual: boolean): { readonly message: string; readonly fix?: string } {
  const word = left.kind === "Call" && left.func.kind === "Name" ? left.func.id : "";
  if (word === "valid_from" || word === "valid_to")
    return {
      message: `an open bound is no value, and meets no comparison: a rule asks only for bounds that are there, \`${word}(p.field) > datetime(…)\``,
    };
  const text = sourceText(left);
  const fix = text === null || left.kind === "Call" ? {} : { fix: `${isEqual ? "absent" : "present"}(${text})` };
  return { message: "an empty cell is asked for by `absent(cell)`, a filled one by `present(cell)`", ...fix };
}

/** A list, tuple, dict or set where a rule takes one value. */
export function severalFault(isConcluded: boolean): string {
  return isConcluded
    ? "a rule concludes one value: a field that holds several is `many[T]`, one conclusion each"
    : "a premise compares and tests one value: of several it is `cell in [a, b]`, or a rule for each";
}
