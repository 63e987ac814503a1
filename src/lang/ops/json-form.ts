/**
 * The JSON form: `{"tool": …, "args": {…}}`, or an array of such objects (request facts §1.5).
 *
 * Strict JSON, read by our own reader because the platform's loses the digits of large integers and takes half of a
 * surrogate pair. Depth and open strings are found first, so the reader can recurse without fear.
 */
import { readJson } from "./exact-json";
import { stringEnd } from "./json-literal";
import { OPS_LIMITS, type OpsCall, type OpsLimits, type OpsObject, type OpsProgram, type OpsValue } from "./ops";
import { badJson, prevInJson, tooDeep, tooManyOps, unclosedString } from "./ops-fault";
import { looksLikeRef } from "./prev-path";
import { refuseReserved } from "./reserved-argument";

export function readJsonForm(text: string, limits: OpsLimits): OpsProgram {
  checkDepth(text);
  const document = readJson(text);
  const single = !Array.isArray(document);
  const entries: readonly OpsValue[] = single ? [document] : (document as readonly OpsValue[]);
  if (entries.length > limits.max_ops) throw tooManyOps(entries.length, limits);
  const calls = entries.map((entry, index) => callOf(entry, single ? "the object" : `entry ${index} of the array`));
  for (const call of calls) refusePrev(call);
  for (const call of calls) refuseReserved(call);
  return {
    mode: single ? "single" : "parallel",
    form: "json",
    calls,
    units: calls.map((_, index) => ({ start: index, end: index + 1 })),
  };
}

function checkDepth(text: string): void {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x22: {
        const end = stringEnd(text, i);
        if (end < 0) throw unclosedString(i);
        i = end;
        break;
      }
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > OPS_LIMITS.max_depth) throw tooDeep(i);
        break;
      case 0x5d:
      case 0x7d:
        depth--;
    }
  }
}

function callOf(entry: OpsValue, where: string): OpsCall {
  if (!isObject(entry)) throw badJson(`${where} must be an object {"tool": "verb", "args": {…}}`, null);
  const { tool, args } = entry;
  if (tool === undefined) throw badJson(`${where} has no "tool": it names the verb, as in {"tool": "stats", "args": {}}`, null);
  if (typeof tool !== "string") throw badJson(`"tool" of ${where} must be a string, the name of a verb`, null);
  if (args !== undefined && !isObject(args)) throw badJson(`"args" of ${where} must be an object, or left out`, null);
  const pairs = args === undefined ? [] : Object.keys(args).map((name) => [name, args[name]] as const);
  return { verb: tool, args: pairs.sort((a, b) => compareCodePoints(a[0], b[0])) };
}

function isObject(value: OpsValue): value is OpsObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refusePrev(call: OpsCall): void {
  for (const [name, value] of call.args) if (holdsRef(value)) throw prevInJson(name);
}

function holdsRef(value: OpsValue): boolean {
  if (typeof value === "string") return looksLikeRef(value);
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsRef);
  const object = value as OpsObject;
  return Object.keys(object).some((key) => holdsRef(object[key]));
}

/** As UTF-8 orders them. */
function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    const xPair = x >= 0xd800 && x < 0xe000;
    const yPair = y >= 0xd800 && y < 0xe000;
    return xPair === yPair ? x - y : xPair ? 1 : -1;
  }
  return a.length - b.length;
}
