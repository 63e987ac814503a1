/** Patterns that take a backtracking matcher exponential time: the answer is known, and it comes at once. */
import { describe, expect, test } from "vitest";
import { LIBRARY } from "../../../src/lang/library/library";
import { meter } from "../../../src/lang/value/meter";
import { repr } from "../../../src/lang/value/protocol-text";
import { PyModule } from "../../../src/lang/value/value";
import { evaluate } from "../value/evaluate";

const re = new PyModule("re", LIBRARY.get("re")!);
const answer = (source: string): string => repr(evaluate(source, { re }));

describe("[rulings] re is linear where CPython is exponential", () => {
  test.each([
    ["re.match('(a+)+$', 'a' * 3000 + 'b')", "None"],
    ["re.match('(a|a)*$', 'a' * 3000 + 'b')", "None"],
    ["re.match('(a*)*b', 'a' * 3000)", "None"],
    ["re.match('(a|aa)+$', 'a' * 3000 + 'b')", "None"],
    ["re.match('(?:a?){30}a{30}', 'a' * 30).end()", "30"],
    [String.raw`re.match('(\\w+\\s?)+$', 'word ' * 500 + '!')`, "None"],
    ["re.search('(x+x+)+y', 'x' * 2000)", "None"],
    ["re.match('(?=(a+)+$)', 'a' * 2000 + 'b')", "None"],
    ["len(re.findall('(a|b)*?c', 'ab' * 1000 + 'c'))", "1"],
  ])("%s", (source, want) => {
    const before = meter.steps;
    expect(answer(source)).toBe(want);
    expect(meter.steps - before).toBeLessThan(2_000_000);
  });

  test("a back reference that explodes is refused by its steps", () => {
    expect(() => answer(String.raw`re.match('(a*)(a*)(a*)(a*)(a*)\\1\\2\\3\\4\\5b', 'a' * 400)`)).toThrow(/more steps/);
  });
  test("a pattern too large is refused", () => {
    expect(() => answer("re.compile('((a{500}){500}){500}')")).toThrow(/past the limit/);
  });
});
