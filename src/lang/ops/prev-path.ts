/**
 * References in quotes: a string that is a reference and nothing else, and the steps of its path (request facts §2.1).
 *
 * Only the brackets of a quoted path are checked; where they are wrong the string is text, as it would be without them.
 */
import { PrevRef, type PrevStep } from "./ops";

/** Brackets hold digits, and nothing else opens or closes one. */
const WELL_BRACKETED = /^[^[\]]*(?:\[[0-9]+\][^[\]]*)*$/;
const PART = /\[([0-9]+)\]|\.?([^.[\]]*)/gy;

/** Null where the string is text. */
export function quotedRef(text: string, at: number): PrevRef | null {
  if (!text.startsWith("$prev")) return null;
  const rest = text.slice(5);
  if (rest === "") return new PrevRef([], "", at);
  if ((rest[0] !== "." && rest[0] !== "[") || rest === "." || !WELL_BRACKETED.test(rest)) return null;
  return new PrevRef(stepsOf(rest), rest[0] === "." ? rest.slice(1) : rest, at);
}

/** True for a string that the JSON form must not hold, well formed or not. */
export function looksLikeRef(text: string): boolean {
  return /^\$prev(?:$|[.[])/.test(text);
}

function stepsOf(rest: string): PrevStep[] {
  const steps: PrevStep[] = [];
  PART.lastIndex = 0;
  while (PART.lastIndex < rest.length) {
    const afterIndex = steps.length > 0 && typeof steps[steps.length - 1] === "number";
    const start = PART.lastIndex;
    const [whole, index, field] = PART.exec(rest)!;
    if (index !== undefined) steps.push(Number(index));
    else if (afterIndex && rest[start] !== ".") steps.push({ unsupported: whole });
    else steps.push(field);
  }
  return steps;
}
