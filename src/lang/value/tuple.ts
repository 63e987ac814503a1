/** Methods of `tuple`. */
import { oneArg } from "./arguments";
import type { Method } from "./attribute";
import { countIn, indexMethod } from "./list";
import { PyTuple } from "./value";

export const EMPTY_TUPLE = new PyTuple([]);

export const TUPLE_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ["count", (self: PyTuple, args, kwargs) => countIn(self.a, oneArg("tuple.count", args, kwargs))],
  ["index", (self: PyTuple, args, kwargs) => indexMethod("tuple", self.a, args, kwargs)],
]);
