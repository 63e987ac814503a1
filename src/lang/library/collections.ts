/** The module `collections`. */
import { PlacedBuiltin } from "../value/builtin-function";
import type { Value } from "../value/value";
import { CHAIN_MAP } from "./chain-map";
import { COUNTER } from "./counter";
import { DEQUE } from "./deque";
import { DEFAULT_DICT, ORDERED_DICT } from "./dict-kinds";
import { namedtuple } from "./named-tuple";

export const COLLECTIONS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ["ChainMap", CHAIN_MAP],
  ["Counter", COUNTER],
  ["OrderedDict", ORDERED_DICT],
  ["defaultdict", DEFAULT_DICT],
  ["deque", DEQUE],
  ["namedtuple", new PlacedBuiltin("namedtuple", (within) => (args, kwargs) => namedtuple(args, kwargs, within))],
]);
