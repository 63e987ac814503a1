/** The request language: every given parse case, both forms against each other, texts nobody would write. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OPS_LIMITS, type OpsCall, type OpsValue, PrevRef, prevRefs } from "../../../src/lang/ops/ops";
import { parseOps } from "../../../src/lang/ops/parse-ops";
import { planOps } from "../../../src/request/plan";
import { Registry } from "../../../src/request/registry";
import { jsonText } from "../../../src/request/request-json";
import { opsCases } from "./ops-cases";
import { opsText } from "./ops-texts";

const NO_VERBS = new Registry([]);

describe("given cases", () => {
  const cases = opsCases("parse");
  it("[request facts §13] there are as many as were given", () => expect(cases.length).toBe(147));

  it.each(cases.map((one) => [one.name, one] as const))("[request facts §13] parse %s", (_, { ops, expect: want }) => {
    const read = parseOps(ops);
    expect(read.ok ? "parsed" : read.fault).toEqual(want["parsed"] ? "parsed" : expect.anything());
    if (!read.ok) {
      expect(want["error_kind_any"] ?? [want["error_kind"]]).toContain(read.fault.kind);
      if (want["error_contains"] !== undefined) expect(read.fault.message.toLowerCase()).toContain(want["error_contains"].toLowerCase());
      if (want["error_at_byte"] !== undefined) expect(read.fault.at).toBe(want["error_at_byte"]);
      return;
    }
    const plan = JSON.parse(jsonText(planOps(ops, NO_VERBS)));
    const { parsed: _parsed, ...fields } = want;
    expect(plan).toMatchObject(fields);
    for (const [index, stage] of (want["stages"] ?? []).entries()) expect(plan.stages[index].args).toEqual(stage.args);
  });

  it("[request facts §1.3] integers of 64 bits keep every digit", () => {
    const ops = "mix(lo=-9223372036854775808, hi=18446744073709551615, l=[9007199254740993])";
    const text = jsonText(planOps(ops, NO_VERBS));
    for (const digits of ["-9223372036854775808", "18446744073709551615", "9007199254740993"]) expect(text).toContain(digits);
    expect(jsonText(planOps('{"tool":"mix","args":{"n":18446744073709551615}}', NO_VERBS))).toContain("18446744073709551615");
    // Beyond them, a double: as written upstream.
    expect(jsonText(planOps("mix(n=18446744073709551616)", NO_VERBS))).toContain("18446744073709552000");
  });
});

describe("messages", () => {
  const table: readonly (readonly [string, string, string])[] = [
    ["find(city=Oslo)", "invalid_value", 'write city="Oslo"'],
    ["find(x=[Oslo])", "invalid_value", 'write "Oslo"'],
    ['find(o={"k": Oslo})', "invalid_value", 'write "k": "Oslo"'],
    ["find(x=True)", "invalid_value", "or x=true"],
    ["a(), b()", "mixed_separators", "[a(), b()]"],
    ["[a(),]", "trailing_comma", "remove it"],
    ["a(x=$prev.id)", "prev_outside_chain", "|"],
    ['say(t="a\u0001b")', "invalid_value", "0x01 at index 1"],
    ['say(t="abc', "unclosed_string", "unterminated string"],
    ["ls(presentation=1)", "reserved_arg", "beside `ops`"],
    ['{"tool":"a",}', "invalid_json", "line 1, column 13"],
    ["\ud800", "invalid_value", "surrogate"],
    ["", "empty", "empty"],
    ["[]x", "empty_batch", "at least one op"],
  ];
  it.each(table)("[request facts §3] %s is told as %s with what would fix it", (ops, kind, piece) => {
    const read = parseOps(ops);
    expect(read).toMatchObject({ ok: false, fault: { kind } });
    expect(read.ok ? "" : read.fault.message).toContain(piece);
  });

  it("[request facts §3] gives one position, in bytes", () => {
    const read = parseOps('a(x="é", y=Oslo)');
    expect(read).toMatchObject({ ok: false, fault: { at: 12 } });
    expect((read.ok ? "" : read.fault.message).match(/\bat byte\b/g)).toHaveLength(1);
  });

  it("[request facts §3] a chain tests reserved names op by op; a batch tests $prev first", () => {
    expect(parseOps("ls(presentation=1) | 9()")).toMatchObject({ fault: { kind: "reserved_arg" } });
    expect(parseOps("[ls(presentation=1), b(x=$prev)]")).toMatchObject({ fault: { kind: "prev_outside_chain" } });
  });
});

describe("forms", () => {
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom(null, true, false),
      fc.integer(),
      fc.double({ noDefaultInfinity: true, noNaN: true }),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
      fc.string({ unit: "binary" }),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.string({ unit: "binary" }), tie("value"), { maxKeys: 4 }),
    ),
  })).value as fc.Arbitrary<OpsValue>;
  const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/).filter((text) => !text.startsWith("presentation"));
  const call = fc.record({ verb: name, args: fc.dictionary(name, json, { maxKeys: 4 }) });

  it("[request facts §1] call form and JSON form of the same calls give the same calls", () => {
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 5 }), (calls) => {
        const asJson = parseOps(
          `[${calls.map(({ verb, args }) => `{"tool":${JSON.stringify(verb)},"args":${jsonText(args as never)}}`).join(" , ")}]`,
        );
        const asCalls = parseOps(
          `[${calls.map(({ verb, args }) => `${verb}(${Object.entries(args).map(([key, value]) => `${key} = ${jsonText(value as never)}`)})`).join("\n,")}]`,
        );
        const read = (one: typeof asJson) => (one.ok ? one.program.calls : one.fault.kind);
        if (asJson.ok || asJson.fault.kind !== "prev_in_json") expect(read(asCalls)).toEqual(read(asJson));
      }),
      { numRuns: 400, seed: 20260101 },
    );
  });

  it("[request facts §1.3] what JSON.parse reads, both forms read alike", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        const read = parseOps(`{"tool":"v","args":{"x":${text}}}`);
        const calls = parseOps(`v(x=${text})`);
        const value = (one: typeof read): unknown =>
          one.ok ? JSON.parse(jsonText(one.program.calls[0].args[0][1] as never)) : one.fault.kind;
        expect(value(read)).toEqual(JSON.parse(text));
        expect(value(calls)).toEqual(JSON.parse(text));
      }),
      { numRuns: 400, seed: 20260102 },
    );
  });
});

describe("any text", () => {
  it("[request facts §3] is read or refused, never thrown at; every fault has a place in the text", () => {
    let parsed = 0;
    for (let seed = 1; seed <= 5_000; seed++) {
      const text = opsText(seed);
      const read = parseOps(text);
      if (read.ok) {
        parsed++;
        checkProgram(read.program.calls, read.program.units);
        planOps(text, NO_VERBS);
      } else if (read.fault.at !== null) {
        expect(read.fault.at, text).toBeGreaterThanOrEqual(0);
        expect(read.fault.at, text).toBeLessThanOrEqual(new TextEncoder().encode(text).length);
      }
    }
    expect(parsed).toBeGreaterThan(500);
  });
});

function checkProgram(calls: readonly OpsCall[], units: readonly { readonly start: number; readonly end: number }[]): void {
  expect(calls.length).toBeGreaterThan(0);
  expect(calls.length).toBeLessThanOrEqual(OPS_LIMITS.max_ops);
  expect(units[0].start).toBe(0);
  expect(units.at(-1)!.end).toBe(calls.length);
  for (const one of calls) for (const ref of prevRefs(one)) expect(ref).toBeInstanceOf(PrevRef);
}
