/** The names the language serves of itself: builtins and library modules with their members. */
import { BUILTINS } from "../builtins/builtins";
import { LIBRARY } from "../library/library";

/** Builtins by name. `print` is the machine's own. */
export const BUILTIN_NAMES: ReadonlySet<string> = new Set([...BUILTINS.keys(), "print"]);
/** Library module → names of its members. */
export const LIBRARY_MEMBERS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [...LIBRARY].map(([m, members]) => [m, new Set(members.keys())]),
);
