/**
 * The exception classes programs can see: Python's builtin ones, which our operations or a program raise, and one class per
 * refuse reason (language.md §4). Names, hierarchy and `str(e)` are CPython 3.11's.
 */
import { Refusal, type RefuseReason } from "../../failure";
import { PyException, type PyIterator, Raised, type Value } from "./value";

/** Class name → parent. `BaseException` is the root and is not nameable in a program's `raise`. */
export const EXCEPTION_PARENT: ReadonlyMap<string, string> = new Map([
  ["Exception", "BaseException"],
  ["ArithmeticError", "Exception"],
  ["FloatingPointError", "ArithmeticError"],
  ["OverflowError", "ArithmeticError"],
  ["ZeroDivisionError", "ArithmeticError"],
  ["AssertionError", "Exception"],
  ["AttributeError", "Exception"],
  ["BufferError", "Exception"],
  ["EOFError", "Exception"],
  ["LookupError", "Exception"],
  ["IndexError", "LookupError"],
  ["KeyError", "LookupError"],
  ["MemoryError", "Exception"],
  ["NameError", "Exception"],
  ["UnboundLocalError", "NameError"],
  ["OSError", "Exception"],
  ["BlockingIOError", "OSError"],
  ["ChildProcessError", "OSError"],
  ["ConnectionError", "OSError"],
  ["BrokenPipeError", "ConnectionError"],
  ["ConnectionAbortedError", "ConnectionError"],
  ["ConnectionRefusedError", "ConnectionError"],
  ["ConnectionResetError", "ConnectionError"],
  ["FileExistsError", "OSError"],
  ["FileNotFoundError", "OSError"],
  ["InterruptedError", "OSError"],
  ["IsADirectoryError", "OSError"],
  ["NotADirectoryError", "OSError"],
  ["PermissionError", "OSError"],
  ["ProcessLookupError", "OSError"],
  ["TimeoutError", "OSError"],
  ["RuntimeError", "Exception"],
  ["NotImplementedError", "RuntimeError"],
  ["RecursionError", "RuntimeError"],
  ["StopIteration", "Exception"],
  ["SyntaxError", "Exception"],
  ["IndentationError", "SyntaxError"],
  ["TabError", "IndentationError"],
  ["TypeError", "Exception"],
  ["ValueError", "Exception"],
  ["UnicodeError", "ValueError"],
  ["UnicodeDecodeError", "UnicodeError"],
  ["UnicodeEncodeError", "UnicodeError"],
  ["UnicodeTranslateError", "UnicodeError"],
  ["Refusal", "Exception"],
  ["OutOfSurface", "Refusal"],
  ["IncompleteSlots", "Refusal"],
  ["Ambiguous", "Refusal"],
  ["PinnedAddress", "Refusal"],
  ["StillReferenced", "Refusal"],
  ["ImmutableInBranch", "Refusal"],
  ["ConflictingWrite", "Refusal"],
  ["InvalidValue", "Refusal"],
  ["LimitExceeded", "Refusal"],
  ["DerivedField", "Refusal"],
  ["AssertedField", "Refusal"],
  ["NotRecorded", "Refusal"],
  ["AlreadyInEffect", "Refusal"],
]);

/** Classes that only the served modules raise: they have a place in the hierarchy, and are named through their module. */
const LIBRARY_PARENT: ReadonlyMap<string, string> = new Map([
  ["JSONDecodeError", "ValueError"],
  ["StatisticsError", "ValueError"],
  ["error", "Exception"],
]);

const REASON_CLASS: ReadonlyMap<RefuseReason, string> = new Map([
  ["out_of_surface", "OutOfSurface"],
  ["incomplete_slots", "IncompleteSlots"],
  ["ambiguous", "Ambiguous"],
  ["still_referenced", "StillReferenced"],
  ["pinned_address", "PinnedAddress"],
  ["immutable_in_branch", "ImmutableInBranch"],
  ["conflicting_write", "ConflictingWrite"],
  ["invalid_value", "InvalidValue"],
  ["limit_exceeded", "LimitExceeded"],
  ["derived_field", "DerivedField"],
  ["asserted_field", "AssertedField"],
  ["not_recorded", "NotRecorded"],
  ["already_in_effect", "AlreadyInEffect"],
]);

/** Whether a class of that name is an exception. */
export function isExceptionClass(name: string): boolean {
  return name === "BaseException" || EXCEPTION_PARENT.has(name) || LIBRARY_PARENT.has(name);
}

/** Whether `className` is `ancestor` or below it. */
export function isExceptionSubclass(className: string, ancestor: string): boolean {
  for (let c: string | undefined = className; c !== undefined; c = EXCEPTION_PARENT.get(c) ?? LIBRARY_PARENT.get(c))
    if (c === ancestor) return true;
  return false;
}

/** Raises Python's `className(*args)`. */
export function raise(className: string, ...args: readonly Value[]): never {
  throw new Raised(new PyException(className, args));
}

/** Raises the StopIteration of an iterator that has said `DONE`. */
export function raiseStop(it: PyIterator): never {
  throw new Raised(it.takeStop() ?? new PyException("StopIteration", []));
}

/**
 * What a handler may see of something thrown, or null for what nothing catches: engine errors, our bugs, refusals that
 * are not catchable.
 */
export function exceptionOf(thrown: unknown): PyException | null {
  if (thrown instanceof Raised) return thrown.exception;
  if (thrown instanceof Refusal && thrown.catchable) {
    const className = REASON_CLASS.get(thrown.reason);
    if (className !== undefined) return new PyException(className, [thrown.message], thrown.reason, thrown.hint);
  }
  return null;
}
