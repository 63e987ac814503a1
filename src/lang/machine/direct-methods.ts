/**
 * Methods that programs call most, by receiver and number of arguments: called without a list of arguments.
 *
 * Each gives what the method of the type's table gives, or undefined where that one is to be asked (another type of
 * argument, a subclass of a served module).
 */
import type { PyDict } from "../value/dict";
import { makingCall } from "../value/meter";
import { lower, upper } from "../value/str-case";
import { replaceText } from "../value/str-search";
import type { PyList, Value } from "../value/value";
import { checkGrowing } from "../value/weight";

export interface DirectMethod {
  readonly ofStr?: (self: string, x: Value, y: Value) => Value | undefined;
  readonly ofList?: (self: PyList, x: Value, y: Value) => Value | undefined;
  readonly ofDict?: (self: PyDict, x: Value, y: Value) => Value | undefined;
}

function get(self: PyDict, key: Value, otherwise: Value): Value {
  const v = self.get(key);
  return v === undefined ? otherwise : v;
}
function append(self: PyList, x: Value): null {
  checkGrowing(self.a);
  self.a.push(x);
  return null;
}
/** A new text. */
function made(text: string): string {
  makingCall();
  return text;
}

/** By name and number of arguments. */
const DIRECT: ReadonlyMap<string, DirectMethod> = new Map<string, DirectMethod>([
  ["append 1", { ofList: append }],
  ["get 1", { ofDict: (self, key) => get(self, key, null) }],
  ["get 2", { ofDict: get }],
  ["startswith 1", { ofStr: (self, x) => (typeof x === "string" ? self.startsWith(x) : undefined) }],
  ["endswith 1", { ofStr: (self, x) => (typeof x === "string" ? self.endsWith(x) : undefined) }],
  ["upper 0", { ofStr: (self) => made(upper(self)) }],
  ["lower 0", { ofStr: (self) => made(lower(self)) }],
  [
    "replace 2",
    {
      ofStr: (self, x, y) =>
        typeof x === "string" && typeof y === "string" ? made(replaceText(self, x, y, Number.POSITIVE_INFINITY)) : undefined,
    },
  ],
]);

export function directMethod(name: string, args: number): DirectMethod | undefined {
  return DIRECT.get(`${name} ${args}`);
}
