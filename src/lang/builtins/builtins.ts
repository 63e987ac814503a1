/** Every builtin name of the language with its value (language.md §6), but `print`, which the machine has. */

import { Builtin } from "../value/builtin-function";
import type { Value } from "../value/value";
import { BUILTIN_FUNCTIONS } from "./functions";
import { blob } from "./text-types";
import { NAMED_TYPES } from "./types";

export const BUILTINS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ...NAMED_TYPES,
  ...BUILTIN_FUNCTIONS.map((f): [string, Value] => [f.name, f]),
  // DKE's spellings of Python's types.
  ["real", NAMED_TYPES.get("float")!],
  ["string", NAMED_TYPES.get("str")!],
  ["blob", new Builtin("blob", blob)],
]);
