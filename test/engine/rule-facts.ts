/** Facts written as lines, and a store with the rules of a source: for tests of rules. */
import { expect } from "vitest";
import { type Datum, Float, Subject } from "../../src/datum";
import { declareSource } from "./rule-source";
import { type Recorded, TestStore } from "./rule-world";

/** Who is reached from whom, along `P.to`. */
export const REACH = `
@rule
def base(p: P, q: P):
    when(p.to == q)
    conclude(p.reach, q)

@rule
def step(p: P, q: P, r: P):
    when(p.reach == q, q.to == r)
    conclude(p.reach, r)
`;

/** `P.ann.parent = P.bob [0, 10) @source`; values: int, float, "text", True, None, Kind.name. */
export function fact(line: string): Recorded {
  const found = /^([\w.]+)\.(\w+)\.(\w+) = (.*?)(?: \[(\S+), (\S+)\))?(?: @(\w+))?$/.exec(line.trim());
  if (found === null) throw new Error(`no fact: ${line}`);
  const [, kind, subject, field, value, from, to, source] = found;
  return {
    kind: kind!,
    subject: subject!,
    field: field!,
    value: datum(value!),
    ...(from === undefined ? {} : { from: from === "-" ? Number.NEGATIVE_INFINITY : Number(from) }),
    ...(to === undefined ? {} : { to: to === "-" ? Number.POSITIVE_INFINITY : Number(to) }),
    ...(source === undefined ? {} : { source }),
  };
}

function datum(text: string): Datum {
  if (text === "True") return true;
  if (text === "False") return false;
  if (text === "None") return null;
  if (text.startsWith('"')) return JSON.parse(text) as string;
  if (/^-?\d+$/.test(text)) return Number(text);
  if (/^-?\d+\.\d*$/.test(text) || text === "nan") return new Float(text === "nan" ? Number.NaN : Number(text));
  const dot = text.lastIndexOf(".");
  return new Subject(text.slice(0, dot), text.slice(dot + 1));
}

export function storeOf(source: string, rowsMax?: number, sliceRows?: number): TestStore {
  const declared = declareSource(source);
  expect(declared.diagnostics).toEqual([]);
  const store = new TestStore(rowsMax, sliceRows);
  for (const kind of declared.kinds) for (const [field, type] of kind.fields) store.declare(kind.name, field, type);
  store.setRules(declared.rules);
  return store;
}
