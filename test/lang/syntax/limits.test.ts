/** The limits of a source from both sides, the header line, and that nothing but diagnostics comes of any text. */
import { describe, expect, it } from "vitest";
import { DIAGNOSTICS_MAX } from "../../../src/diagnostic";
import { readHeader } from "../../../src/lang/syntax/header";
import { parseExpression, parseModule } from "../../../src/lang/syntax/parser";
import { SOURCE_BYTES_MAX, SOURCE_DEPTH_MAX, SOURCE_HEIGHT_MAX } from "../../../src/limits";

const told = (source: string) => parseModule(source).diagnostics.map(({ line, col, message }) => `${line}:${col} ${message}`);

describe("[rulings: Size of a source] limits, from both sides", () => {
  it("1 MiB of UTF-8 is read, one byte more is refused at its place", () => {
    const line = "x = 'é'\n"; // 9 bytes, 8 characters
    const full = line.repeat(9).padEnd(SOURCE_BYTES_MAX - 9, "#");
    expect(told(full)).toEqual([]);
    const [only, ...others] = told(`${full}#`);
    expect(others).toEqual([]);
    expect(only).toMatch(new RegExp(`^10:${SOURCE_BYTES_MAX - 9 - 72 + 1} the source passes`));
  });

  it.each([
    ["brackets", (n: number) => `x = ${"(".repeat(n)}1${")".repeat(n)}`],
    ["lists", (n: number) => `x = ${"[".repeat(n)}1${"]".repeat(n)}`],
    ["unary operators", (n: number) => `x = ${"-".repeat(n)}1`],
    ["not", (n: number) => `x = ${"not ".repeat(n)}1`],
    ["powers", (n: number) => `x = 1${"**1".repeat(n)}`],
    ["lambdas", (n: number) => `x = ${"lambda: ".repeat(n)}1`],
    ["conditionals", (n: number) => `x = ${"a if b else ".repeat(n)}1`],
    ["blocks", (n: number) => `${Array.from({ length: n }, (_, level) => `${" ".repeat(level)}if a:\n`).join("")}${" ".repeat(n)}b`],
    ["patterns", (n: number) => `match x:\n case ${"[".repeat(n - 1)}1${"]".repeat(n - 1)}: pass`],
  ])("depth of %s", (_, nested) => {
    expect(told(nested(SOURCE_DEPTH_MAX))).toEqual([]);
    const got = told(nested(SOURCE_DEPTH_MAX + 1));
    expect(got.length).toBe(1);
    expect(got[0]).toMatch(/100/);
  });

  it.each([
    ["sums", (n: number) => `x = 1${"+1".repeat(n)}`],
    ["attributes", (n: number) => `x = a${".b".repeat(n)}`],
    ["calls", (n: number) => `x = a${"()".repeat(n)}`],
    ["elif", (n: number) => `if a: b\n${"elif a: b\n".repeat(n)}`],
  ])("a chain of %s", (_, chain) => {
    expect(told(chain(SOURCE_HEIGHT_MAX - 10))).toEqual([]);
    const got = told(chain(SOURCE_HEIGHT_MAX + 10));
    expect(got.length).toBe(1);
    expect(got[0]).toMatch(/a chain of operators/);
  });

  it.each([
    ["statements", "x=1;".repeat(100_000)],
    ["lines", "x = 1\n".repeat(50_000)],
    ["elements", `x = [${"1,".repeat(200_000)}]`],
    ["and", `x = a${" and a".repeat(50_000)}`],
    ["comparisons", `x = a${" < a".repeat(50_000)}`],
    ["texts", `x = ${'"a"'.repeat(100_000)}`],
    ["fields", `x = f"${"{a}".repeat(100_000)}"`],
    ["characters beyond the first plane", `x = f"${"😀{a}".repeat(60_000)}"`],
  ])("a flat source of many %s is read", (_, source) => expect(told(source)).toEqual([]));

  it("at most 20 diagnostics, by line then column", () => {
    const { diagnostics } = parseModule("x = = 1\n".repeat(50));
    expect(diagnostics.map(({ line }) => line)).toEqual(Array.from({ length: DIAGNOSTICS_MAX }, (_, place) => place + 1));
  });

  it("ints of 4,300 digits are read, longer ones only in hexadecimal", () => {
    expect(told(`x = ${"1".repeat(4300)}`)).toEqual([]);
    expect(told(`x = ${"1".repeat(4301)}`)[0]).toMatch(/4301 digits/);
    expect(told(`x = 0x${"1".repeat(5000)}`)).toEqual([]);
  });
});

describe("[language 1] text that is no text", () => {
  it.each([
    ["x = 1\ny = '\0'", "2:6"],
    ["x = '\ud800'", "1:6"],
    ["x = '😀\udc00'", "1:7"],
  ])("%j", (source, place) => {
    const got = told(source);
    expect(got.length).toBe(1);
    expect(got[0].startsWith(`${place} `)).toBe(true);
  });
  it("line ends and a byte order mark are Python's", () => {
    const { module, diagnostics } = parseModule("\ufeffx = 1\r\nif x:\r  y = '''a\r\nb'''\n");
    expect(diagnostics).toEqual([]);
    expect(module!.body.map((item) => item.span.line)).toEqual([1, 2]);
    expect(JSON.stringify(module)).toContain('"a\\nb"');
  });
});

describe("[contract 8] the first line", () => {
  const header = (edition: string | null, editionVersion: string | null, language: string | null, languageVersion: string | null) => ({
    header: { edition, editionVersion, language, languageVersion },
  });
  it.each([
    ["# dke: edition=python.1 language=eng.1\nx = 1", header("python", "1", "eng", "1")],
    ["# dke: edition=python", header("python", null, null, null)],
    ["# dke: language=eng.1", header(null, null, "eng", "1")],
    ["# dke: edition=ruby.2.1 \t\r\n", header("ruby", "2.1", null, null)],
    ["x = 1", { header: null }],
    ["\n# dke: edition=python", { header: null }],
    ["#dke: edition=python", { header: null }],
    ["", { header: null }],
  ])("%j", (source, want) => {
    expect(readHeader(source)).toEqual(want);
    expect(parseModule(source).module?.header).toEqual((want as { header: unknown }).header);
  });
  it.each([
    "# dke:",
    "# dke: ",
    "# dke: python",
    "# dke: edition=python language=eng x=1",
    "# dke: language=eng edition=python",
    "# dke: edition=python.",
    "# dke: edition=python.x",
    "# dke:edition=python",
    "# dke: edition=python,language=eng",
  ])("malformed: %j", (source) => expect(readHeader(source)).toHaveProperty("malformed"));
});

describe("parseExpression", () => {
  it.each(["", "x = 1", "a b", "(", "*a", "while", "1\n2"])("refuses %j", (source) =>
    expect(() => parseExpression(source)).toThrow("source rejected"),
  );
  it.each(["a", " a + 1", "a,\n", "(a\n)", "f(x for x in y)"])("reads %j", (source) =>
    expect(parseExpression(source)).toHaveProperty("span"),
  );
});

describe("any text gives a tree or diagnostics, and nothing else", () => {
  // Pieces that open something, joined at random: seeded, so a failure names its source.
  const pieces =
    "( ) [ ] { } : , . ; = == := -> => + - * ** / // @ & && | || ! != <> ? ` $ \\ ' \" ''' f\" f' {a {{ }} # \n \n    \n\t 0 1 0x 1_ 1e5 .5 a é 😀 “ match case _ if else elif for in while def class return try except finally with as lambda not and or is import from yield async await global raise del assert pass print function let type rule computed None True".split(
      " ",
    );
  pieces.push(" ", "  ", "\n", "\n  ");
  it("seed 20", () => {
    let state = 20;
    const random = (below: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    let read = 0;
    for (let turn = 0; turn < 4000; turn++) {
      const source = Array.from({ length: 1 + random(25) }, () => pieces[random(pieces.length)] + (random(3) ? " " : "")).join("");
      let result: ReturnType<typeof parseModule>;
      try {
        result = parseModule(source);
      } catch (error) {
        throw new Error(`${JSON.stringify(source)} threw ${error}`);
      }
      expect(result.module === null, source).toBe(result.diagnostics.length > 0);
      for (const { line, col } of result.diagnostics) {
        const lines = source.split("\n");
        expect(line >= 1 && line <= lines.length + 1 && col >= 1, source).toBe(true);
        if (line <= lines.length) expect(col, JSON.stringify(source)).toBeLessThanOrEqual([...lines[line - 1]].length + 1);
      }
      if (result.module !== null) read++;
    }
    expect(read).toBeGreaterThan(100);
  });
});
