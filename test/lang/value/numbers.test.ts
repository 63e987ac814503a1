/** Numbers and formatting against what CPython 3.11 recorded (scripts/number-cases.py), to the last digit and message. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as hyper from "../../../src/lang/value/float-hyper";
import * as functions from "../../../src/lang/value/float-math";
import * as tangent from "../../../src/lang/value/float-tan";
import * as trig from "../../../src/lang/value/float-trig";
import { outcome } from "./evaluate";

const read = (name: string): string => readFileSync(new URL(`../../testdata/${name}`, import.meta.url), "utf8");

interface Case {
  readonly expr: string;
  readonly is: string;
}

/** What ran otherwise than recorded; at most ten of them are shown. */
function differences(cases: readonly Case[]): string[] {
  const found: string[] = [];
  for (const c of cases) {
    const got = outcome(c.expr);
    if (got !== c.is && found.length < 10) found.push(`${c.expr}\n  got  ${got}\n  want ${c.is}`);
  }
  return found;
}

describe("[language.md §2, §6] numbers answer as CPython 3.11", () => {
  const cases = read("numbers.jsonl")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Case);

  it("every recorded edge and every random case", () => {
    expect(cases.length).toBeGreaterThan(3000);
    expect(differences(cases)).toEqual([]);
  });

  const NUMERIC = /^(int|float|complex|format|percent|str_format|bool$|compare$|random_expr$)/;
  it("the recorded parity cases of numbers and formatting", () => {
    const parity = read("parity/cases.jsonl")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as { cat: string; expr: string; repr?: string; error?: string; message?: string })
      .filter((c) => NUMERIC.test(c.cat))
      .map((c) => ({ expr: c.expr, is: c.error === undefined ? c.repr! : `${c.error}: ${c.message}` }));
    expect(parity.length).toBeGreaterThan(1500);
    expect(differences(parity)).toEqual([]);
  });
});

describe("[language.md §0] float functions agree with CPython's C library to the last bit", () => {
  const recorded = JSON.parse(read("float-functions.json")) as Record<string, [string, string, string][]>;
  const view = new DataView(new ArrayBuffer(8));
  const double = (hex: string): number => {
    view.setBigUint64(0, BigInt(`0x${hex}`));
    return view.getFloat64(0);
  };
  const bits = (x: number): string => {
    if (Number.isNaN(x)) return "nan";
    view.setFloat64(0, x);
    return view.getBigUint64(0).toString(16).padStart(16, "0");
  };
  const all = { ...functions, ...trig, ...hyper, ...tangent } as unknown as Record<string, (x: number, y: number) => number>;

  it.each(Object.keys(recorded))("%s", (name) => {
    const rows = recorded[name]!;
    expect(rows.length).toBe(400);
    const wrong = rows.filter(([x, y, r]) => bits(all[name]!(double(x), double(y))) !== r);
    expect(wrong.map(([x, y, r]) => [double(x), double(y), double(r)])).toEqual([]);
  });
});

describe("[limits.ts, INT_BITS_MAX] an int past the limit is refused before it is computed", () => {
  const past = /^LimitExceeded: an int of [0-9]+ bits is past the limit of 4194304$/;
  it.each([
    ["(1 << 4194303).bit_length()", "4194304"],
    ["((1 << 4194303) + 1).bit_length()", "4194304"],
    ["((1 << 2097151) * (1 << 2097152)).bit_length()", "4194304"],
    ["(2 ** 4194303).bit_length()", "4194304"],
  ])("%s stands", (source, wanted) => {
    expect(outcome(source)).toBe(wanted);
  });
  it.each([
    "1 << 4194304",
    "(1 << 2097152) * (1 << 2097152)",
    "(1 << 4194303) + (1 << 4194303)",
    "2 ** 4194304",
    "10 ** 10 ** 9",
    "3 ** 3000000",
    "2 ** 63 ** 63",
  ])("%s is refused", (source) => {
    expect(outcome(source)).toMatch(past);
  });
});
