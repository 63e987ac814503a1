/** The module `collections`. */
import type { Value } from "../value/value";
import { COUNTER } from "./counter";
import { DEQUE } from "./deque";
import { DEFAULT_DICT, ORDERED_DICT } from "./dict-kinds";
import { functionMember } from "./member";
import { namedtuple } from "./named-tuple";

export const COLLECTIONS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ["Counter", COUNTER],
  ["OrderedDict", ORDERED_DICT],
  ["defaultdict", DEFAULT_DICT],
  ["deque", DEQUE],
  functionMember("namedtuple", namedtuple),
]);
