/** Containers, order, hash and argument errors against what CPython 3.11 recorded (test/testdata/value/record.py). */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Float } from "../../../src/datum";
import { callMethod } from "../../../src/lang/value/attribute";
import { dictOf } from "../../../src/lang/value/dict";
import { binary, inplace } from "../../../src/lang/value/protocol-arith";
import { repr } from "../../../src/lang/value/protocol-text";
import { PySet, setOf } from "../../../src/lang/value/set";
import { PyList, type Value } from "../../../src/lang/value/value";
import { evaluate, outcome } from "./evaluate";

const lines = (name: string): string[] =>
  readFileSync(new URL(`../../testdata/value/${name}`, import.meta.url), "utf8")
    .trimEnd()
    .split("\n");

const NAMES = { nan: new Float(Number.NaN), inf: new Float(Number.POSITIVE_INFINITY) };

describe("[language §2] values answer as CPython", () => {
  for (const line of lines("outcomes.jsonl")) {
    const { section, cases } = JSON.parse(line) as { section: string; cases: [string, string][] };
    test(`[language §2] ${section}: ${cases.length} expressions`, () => {
      const wrong = cases.map(([source, want]) => [source, want, outcome(source, NAMES)]).filter(([, want, got]) => want !== got);
      expect(wrong).toEqual([]);
    });
  }
});

test("[language §0] a set keeps CPython's order through every operation on it", () => {
  const apply = (set: Value, op: string, values: PyList): Value => {
    const other = setOf(values.a);
    if (op === "add" || op === "discard") callMethod(set, op, [values.a[0]], null);
    else if (op === "pop") {
      if ((set as PySet).size > 0) callMethod(set, "pop", [], null);
    } else if (op === "clear") callMethod(set, "clear", [], null);
    else if (op === "copy") return callMethod(set, "copy", [], null);
    else if (op === "fromkeys") callMethod(set, "update", [dictOf(values.a.map((v) => [v, null] as const))], null);
    else if (op.endsWith("=")) return inplace(op[0] as "|", set, other);
    else if (op[0] === "r" && op.length === 2) return binary(op[1] as "|", other, set);
    else if (op.length === 1) return binary(op as "|", set, other);
    else return callMethod(set, op, [values], null) ?? set;
    return set;
  };
  for (const line of lines("set-histories.jsonl")) {
    const done: string[] = [];
    let set: Value = new PySet();
    for (const [op, source, want] of JSON.parse(line) as [string, string, string][]) {
      set = apply(set, op, evaluate(source) as PyList);
      done.push(`${op} ${source}`);
      expect([done.join("\n"), repr(new PyList((set as PySet).elements()))]).toEqual([done.join("\n"), want]);
    }
  }
});
