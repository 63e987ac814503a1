/**
 * Binding of arguments where CPython's function is written in Python: its complaints are those of a `def`, and count the
 * receiver where there is one.
 */
import type { Kwargs } from "../value/arguments";
import { raise } from "../value/exception";
import type { Value } from "../value/value";

export interface Signature {
  /** As the complaints spell it: `Counter.update`, `mean`. */
  readonly name: string;
  /** Positional parameters; a receiver is not among them. */
  readonly names: readonly string[];
  readonly required: number;
  /** Keyword-only parameters, all optional. */
  readonly keywordOnly: readonly string[];
  /** 1 where a receiver is counted. */
  readonly receiver: 0 | 1;
}

export function signature(name: string, names: string, required: number, receiver: 0 | 1 = 0, keywordOnly = ""): Signature {
  const words = (text: string): string[] => text.split(" ").filter((word) => word !== "");
  return { name, names: words(names), required, keywordOnly: words(keywordOnly), receiver };
}

/** One slot a parameter, keyword-only ones last; undefined where not given. */
export function bindPython(s: Signature, args: readonly Value[], kwargs: Kwargs): (Value | undefined)[] {
  const all = [...s.names, ...s.keywordOnly];
  const bound: (Value | undefined)[] = new Array(all.length).fill(undefined);
  for (let i = 0; i < Math.min(args.length, s.names.length); i++) bound[i] = args[i];
  for (const [name, v] of kwargs ?? []) {
    const at = all.indexOf(name);
    if (at < 0) raise("TypeError", `${s.name}() got an unexpected keyword argument '${name}'`);
    if (bound[at] !== undefined) raise("TypeError", `${s.name}() got multiple values for argument '${name}'`);
    bound[at] = v;
  }
  if (args.length > s.names.length) tooMany(s, args.length);
  const missing = s.names.filter((_, i) => i < s.required && bound[i] === undefined);
  if (missing.length > 0)
    raise(
      "TypeError",
      `${s.name}() missing ${missing.length} required positional argument${missing.length === 1 ? "" : "s"}: ${listed(missing)}`,
    );
  return bound;
}

function tooMany(s: Signature, count: number): never {
  const most = s.names.length + s.receiver;
  const least = s.required + s.receiver;
  const given = count + s.receiver;
  const takes = least === most ? `${most} positional argument${most === 1 ? "" : "s"}` : `from ${least} to ${most} positional arguments`;
  raise("TypeError", `${s.name}() takes ${takes} but ${given} ${given === 1 ? "was" : "were"} given`);
}

function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  if (quoted.length <= 2) return quoted.join(" and ");
  return `${quoted.slice(0, -1).join(", ")}, and ${quoted[quoted.length - 1]}`;
}
