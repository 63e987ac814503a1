/**
 * Binding of arguments for builtins, with CPython 3.11's error texts. CPython has several calling conventions and
 * each words its complaint in its own way, so there is one function for each of them here. `owner` names are
 * qualified (`list.append`) where CPython's text has them so.
 */
import { raise } from "./exception";
import type { Value } from "./value";

export type Kwargs = ReadonlyMap<string, Value> | null;

const plural = (n: number): string => (n === 1 ? "" : "s");

/** Refuses any keyword: `len() takes no keyword arguments`. */
export function noKeywords(qualified: string, kwargs: Kwargs): void {
  if (kwargs !== null && kwargs.size > 0) raise("TypeError", `${qualified}() takes no keyword arguments`);
}

/** METH_NOARGS. */
export function noArgs(qualified: string, args: readonly Value[], kwargs: Kwargs): void {
  noKeywords(qualified, kwargs);
  if (args.length !== 0) raise("TypeError", `${qualified}() takes no arguments (${args.length} given)`);
}

/** METH_O: exactly one. */
export function oneArg(qualified: string, args: readonly Value[], kwargs: Kwargs): Value {
  noKeywords(qualified, kwargs);
  if (args.length !== 1) raise("TypeError", `${qualified}() takes exactly one argument (${args.length} given)`);
  return args[0];
}

/** METH_FASTCALL: `pop expected at most 1 argument, got 2`. The keyword complaint has the qualified name, this one the bare. */
export function positional(qualified: string, args: readonly Value[], kwargs: Kwargs, min: number, max: number): void {
  noKeywords(qualified, kwargs);
  if (args.length < min || args.length > max) checkCount(qualified.slice(qualified.indexOf(".") + 1), args.length, min, max);
}

/** The count check alone (`PyArg_UnpackTuple`). */
export function checkCount(name: string, count: number, min: number, max: number): void {
  if (count < min) raise("TypeError", `${name} expected ${min === max ? "" : "at least "}${min} argument${plural(min)}, got ${count}`);
  if (count > max) raise("TypeError", `${name} expected ${min === max ? "" : "at most "}${max} argument${plural(max)}, got ${count}`);
}

/** A parameter list of the keyword convention; positional-only ones have an empty name. */
export interface Parameters {
  readonly name: string;
  readonly names: readonly string[];
  /** How many of `names` are required, from the left. */
  readonly required: number;
  /** How many may be given by position. */
  readonly positionalMax: number;
}

export function parameters(name: string, names: string, required: number, positionalMax?: number): Parameters {
  const list = names.split(" ").map((n) => (n === "_" ? "" : n));
  return { name, names: list, required, positionalMax: positionalMax ?? list.length };
}

/**
 * METH_FASTCALL|METH_KEYWORDS (`_PyArg_UnpackKeywords`): one slot a parameter, undefined where not given.
 */
export function bindArgs(p: Parameters, args: readonly Value[], kwargs: Kwargs): (Value | undefined)[] {
  const bound: (Value | undefined)[] = new Array(p.names.length).fill(undefined);
  const len = p.names.length;
  const keywordCount = kwargs === null ? 0 : kwargs.size;
  const total = args.length + keywordCount;
  if (total > len) {
    const most = p.required < len ? "at most" : "exactly";
    raise("TypeError", `${p.name}() takes ${most} ${len} ${args.length === 0 ? "keyword " : ""}argument${plural(len)} (${total} given)`);
  }
  if (args.length > p.positionalMax) {
    if (p.positionalMax === 0) raise("TypeError", `${p.name}() takes no positional arguments`);
    const most = p.required < len ? "at most" : "exactly";
    raise("TypeError", `${p.name}() takes ${most} ${p.positionalMax} positional argument${plural(p.positionalMax)} (${args.length} given)`);
  }
  let positionalOnly = 0;
  while (positionalOnly < len && p.names[positionalOnly] === "") positionalOnly++;
  const minPositionalOnly = Math.min(positionalOnly, p.required);
  if (args.length < minPositionalOnly) {
    const least = minPositionalOnly < p.positionalMax ? "at least" : "exactly";
    raise(
      "TypeError",
      `${p.name}() takes ${least} ${minPositionalOnly} positional argument${plural(minPositionalOnly)} (${args.length} given)`,
    );
  }
  for (let i = 0; i < args.length; i++) bound[i] = args[i];
  let used = 0;
  for (let i = 0; i < len; i++) {
    const name = p.names[i];
    if (i >= args.length && name !== "" && kwargs !== null) {
      const given = kwargs.get(name);
      if (given !== undefined) {
        bound[i] = given;
        used++;
        continue;
      }
    }
    if (i >= args.length && i < p.required) raise("TypeError", `${p.name}() missing required argument '${name}' (pos ${i + 1})`);
  }
  if (used < keywordCount) {
    for (const name of kwargs!.keys()) {
      const at = p.names.indexOf(name);
      if (name !== "" && at >= 0 && at < args.length)
        raise("TypeError", `argument for ${p.name}() given by name ('${name}') and position (${at + 1})`);
    }
    for (const name of kwargs!.keys())
      if (name === "" || !p.names.includes(name)) raise("TypeError", `'${name}' is an invalid keyword argument for ${p.name}()`);
  }
  return bound;
}
