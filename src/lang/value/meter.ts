/**
 * The two counters of a running program, and the size limits that guard memory.
 *
 * `ops` is what the caller is billed (language.md §8): the machine and the builtins charge it from the table
 * the specification serves. `steps` is internal work: it cuts slices and bounds what ops do not see. Both are
 * pure functions of program and store, never of time. One program runs at a time inside a slice, so the meter is
 * one object that the driver swaps in and out (`machine/driver.ts`).
 *
 * Sizes are checked *before* memory is spent and refuse `limit_exceeded`, which a program can catch; the ceilings
 * of ops and steps end the call and no handler sees them (rulings, "Recursion and ceilings at run time").
 */
import { Refusal } from "../../failure";
import { COLLECTION_ITEMS_MAX, HASHED_ITEMS_MAX, INT_BITS_MAX, TEXT_CHARS_MAX } from "../../limits";

export const meter = {
  ops: 0,
  opsMax: Number.POSITIVE_INFINITY,
  /** What the refusal at `opsMax` says. */
  opsMaxMessage: "",
  steps: 0,
  stepsMax: Number.POSITIVE_INFINITY,
  /** Where this slice ends: the machine suspends before the first statement at or past it. Never above `stepsMax`. */
  sliceEnd: Number.POSITIVE_INFINITY,
  /** Of a call that is to stop: its slice ends here, and `sliceEnd` has every statement asked before it begins. */
  finishEnd: Number.NEGATIVE_INFINITY,
  /** > 0 while something runs that cannot be suspended half way (`pending.ts`). */
  nested: 0,
  /** Bytes made since what the program holds was last counted (`machine/survey.ts`), by estimate; never given back. */
  made: 0,
  /** Characters of all texts made. */
  madeChars: 0,
  /** How often this program may have put a value into a collection. */
  kept: 0,
  /** Which program this is, by number. */
  program: 0,
  /** Where it is counted again, and whether that is due: the program suspends before its next statement. */
  surveyAt: Number.POSITIVE_INFINITY,
  surveyDue: false,
};

/** Counts bytes that a value takes, by estimate. What it holds is counted where that was made. */
export function making(bytes: number): void {
  meter.kept++;
  if ((meter.made += bytes) > meter.surveyAt) callSurvey();
}
/** A call of a builtin, whose result nothing holds yet. */
export function makingCall(): void {
  if ((meter.made += CONTAINER_BYTES) > meter.surveyAt) callSurvey();
}
export function makingText(chars: number): void {
  meter.madeChars += chars;
  if ((meter.made += ELEMENT_BYTES + chars) > meter.surveyAt) callSurvey();
}
export function callSurvey(): void {
  meter.surveyAt = Number.POSITIVE_INFINITY;
  meter.surveyDue = true;
  if (meter.nested === 0) meter.sliceEnd = meter.steps;
}
/** Estimates of `making`. An element counts with a small value in it; a slot holds one that was there before. */
export const CONTAINER_BYTES = 96;
export const ELEMENT_BYTES = 48;
export const SLOT_BYTES = 8;
export const ENTRY_BYTES = 110;
export const HASHED_BYTES = 600;
export const FUNCTION_BYTES = 150;

/** Charges `n` billed operations. Ends the call at the ceiling. */
export function spendOps(n: number): void {
  if ((meter.ops += n) > meter.opsMax) opsSpent();
}

/** Counts `n` units of internal work (about one per element touched). Ends the call at the internal bound. */
export function spendSteps(n: number): void {
  if ((meter.steps += n) > meter.stepsMax) stepsSpent();
}

export function opsSpent(): never {
  meter.ops = meter.opsMax;
  throw new Refusal("limit_exceeded", meter.opsMaxMessage || `the call reached its ceiling of ${meter.opsMax} operations`, null, false);
}
export function stepsSpent(): never {
  throw new Refusal("limit_exceeded", "the call did more internal work than one call may", null, false);
}

/** Refuses a collection of more than the limit, before it is built of new values; charges its steps. */
export function checkItems(n: number): void {
  making(n * ELEMENT_BYTES);
  checkGrown(n);
  spendSteps(n);
}

/** The same for a collection that grows to `n`, asked now and then: the last `added` are counted. */
export function checkGrowth(n: number, added: number): void {
  making(added * ELEMENT_BYTES);
  checkGrown(n);
  spendSteps(added);
}

/** The same for `more` values that are there already and join a collection of `n`, which may be a new one. */
export function checkJoined(n: number, more: number): void {
  making(more * SLOT_BYTES);
  checkGrown(n + more);
  spendSteps(more);
}

/** The same for a collection that grows element by element, whose steps are charged elsewhere: asked now and then. */
export function checkGrown(n: number): void {
  if (n > COLLECTION_ITEMS_MAX)
    throw new Refusal("limit_exceeded", `a collection of ${n} elements is past the limit of ${COLLECTION_ITEMS_MAX}`);
}

/** The same for a dict or a set, which take more memory an entry; charges no steps. */
export function checkHashed(n: number): void {
  if (n > HASHED_ITEMS_MAX) throw new Refusal("limit_exceeded", `a dict or set of ${n} elements is past the limit of ${HASHED_ITEMS_MAX}`);
}

/** Refuses a text (or bytes) of more than the limit, before it is built; charges its steps (64 characters each). */
export function checkChars(n: number): void {
  checkPiece(n, n);
}

/** The same for a piece of `n` characters that joins a text, which has `whole` with it. */
export function checkPiece(whole: number, n: number): void {
  if (whole > TEXT_CHARS_MAX) throw new Refusal("limit_exceeded", `a text of ${whole} characters is past the limit of ${TEXT_CHARS_MAX}`);
  makingText(n);
  spendSteps(1 + (n >> 6));
}

/** Refuses an int of more bits than the limit, before it is computed; charges steps by its size. */
export function checkBits(bits: number): void {
  if (bits > INT_BITS_MAX) throw new Refusal("limit_exceeded", `an int of ${bits} bits is past the limit of ${INT_BITS_MAX}`);
  making(bits >> 3);
  spendSteps(1 + (bits >> 6));
}
