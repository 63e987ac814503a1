/**
 * The modules of Python that the language serves, and their members. A module or a member stands here only when it is
 * whole; the checker refuses by name what is not listed.
 */
import { PlacedBuiltin } from "../value/builtin-function";
import type { Value } from "../value/value";
import { COLLECTIONS } from "./collections";
import { FUNCTOOLS } from "./functools";
import { ITERTOOLS } from "./itertools";
import { JSON_MODULE } from "./json";
import { MATH } from "./math";
import { OPERATOR } from "./operator";
import { RE } from "./re";
import { STATISTICS } from "./statistics";
import { STRING } from "./string";

export const LIBRARY: ReadonlyMap<string, ReadonlyMap<string, Value>> = new Map([
  ["collections", COLLECTIONS],
  ["functools", FUNCTOOLS],
  ["itertools", ITERTOOLS],
  ["json", JSON_MODULE],
  ["math", MATH],
  ["operator", OPERATOR],
  ["re", RE],
  ["statistics", STATISTICS],
  ["string", STRING],
]);

/** The served modules as one module of a program has them: what names the module it is called in, names this one. */
export class LibraryView {
  readonly #members = new Map<string, ReadonlyMap<string, Value>>();
  /** `within` is that module's `__name__`. */
  constructor(private readonly within: string) {}
  members(module: string): ReadonlyMap<string, Value> {
    const made = this.#members.get(module);
    if (made !== undefined) return made;
    const members = new Map([...LIBRARY.get(module)!].map(([name, v]) => [name, v instanceof PlacedBuiltin ? v.placed(this.within) : v]));
    this.#members.set(module, members);
    return members;
  }
}
