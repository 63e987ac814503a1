/**
 * Every method of str and bytes against answers recorded from CPython 3.11 (scripts/str-cases.py says how a case is
 * written). One test a method, so that a failure names it.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Bytes, Float } from "../../../src/datum";
import type { Method } from "../../../src/lang/value/attribute";
import { BYTES_METHODS } from "../../../src/lang/value/bytes-methods";
import { dictOf, PyDict } from "../../../src/lang/value/dict";
import { exceptionOf } from "../../../src/lang/value/exception";
import { str } from "../../../src/lang/value/protocol-text";
import { STR_METHODS } from "../../../src/lang/value/str-methods";
import { PyList, PyTuple, type Value } from "../../../src/lang/value/value";

type Told =
  | null
  | boolean
  | number
  | string
  | Told[]
  | { i: string }
  | { f: string }
  | { b: string }
  | { t: Told[] }
  | { d: [Told, Told][] };
type Case = [method: string, self: Told, args: Told[], kwargs: Record<string, Told>, answer: { v: Told } | { e: [string, string] }];

function read(v: Told): Value {
  if (v === null || typeof v !== "object") return v;
  if (Array.isArray(v)) return new PyList(v.map(read));
  if ("i" in v) return BigInt(v.i);
  if ("f" in v) return new Float(Number(v.f));
  if ("b" in v) return new Bytes(Uint8Array.from(Buffer.from(v.b, "hex")));
  if ("t" in v) return new PyTuple(v.t.map(read));
  return dictOf(v.d.map(([k, x]) => [read(k), read(x)] as const));
}

function tell(v: Value): Told {
  if (v === null || typeof v === "string" || typeof v === "boolean" || typeof v === "number") return v;
  if (v instanceof PyList) return v.a.map(tell);
  if (v instanceof PyTuple) return { t: v.a.map(tell) };
  if (v instanceof Bytes) return { b: Buffer.from(v.b).toString("hex") };
  if (v instanceof PyDict) return { d: v.entries().map(([k, x]) => [tell(k), tell(x)]) };
  throw new Error(`no such answer: ${String(v)}`);
}

function answer(methods: ReadonlyMap<string, Method>, [name, self, args, kwargs]: Case): Case[4] {
  const named = Object.entries(kwargs);
  try {
    const method = methods.get(name);
    if (method === undefined) throw new Error(`no method ${name}`);
    return { v: tell(method(read(self), args.map(read), named.length === 0 ? null : new Map(named.map(([k, v]) => [k, read(v)])))) };
  } catch (thrown) {
    const exception = exceptionOf(thrown);
    if (exception === null) throw thrown;
    return { e: [exception.className, str(exception)] };
  }
}

const lines = readFileSync(new URL("../../testdata/str-methods.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");
const byMethod = new Map<string, Case[]>();
for (const line of lines) {
  const told = JSON.parse(line) as Case;
  const name = `${typeof told[1] === "string" ? "str" : "bytes"}.${told[0]}`;
  byMethod.set(name, [...(byMethod.get(name) ?? []), told]);
}

describe("[6] methods of str and bytes answer as CPython 3.11", () => {
  for (const [name, cases] of byMethod) {
    test(`[6] ${name}`, () => {
      const methods = name.startsWith("str.") ? STR_METHODS : BYTES_METHODS;
      const wrong = cases
        .map((told) => ({ call: JSON.stringify(told.slice(0, 4)), want: told[4], got: answer(methods, told) }))
        .filter(({ want, got }) => JSON.stringify(want) !== JSON.stringify(got));
      expect(wrong.slice(0, 5)).toEqual([]);
      expect(cases.length).toBeGreaterThan(0);
    });
  }
  const untested = ["format", "format_map"];
  test("[6] every method has recorded cases", () => {
    const missing = [...STR_METHODS.keys()].map((n) => `str.${n}`).concat([...BYTES_METHODS.keys()].map((n) => `bytes.${n}`));
    expect(missing.filter((n) => !byMethod.has(n) && !untested.includes(n.slice(4)))).toEqual([]);
  });
});
