/** Our tree beside CPython 3.11's: kinds, fields, values and spans, over the whole grammar (recorded; asked anew where python3.11 is present). */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseExpression, parseModule } from "../../../src/lang/syntax/parser";
import { treeLine } from "./tree-line";

const here = (name: string) => new URL(name, import.meta.url);
const text = readFileSync(here("./snippets.txt"), "utf8");
const snippets = text.split("\n---\n");
const recorded = readFileSync(here("./snippets.cpython.txt"), "utf8").trimEnd().split("\n");

describe("[language 6] the tree is CPython 3.11's", () => {
  it("has a recorded answer for every snippet, many of each kind", () => {
    expect(recorded.length).toBe(snippets.length);
    const wrong = recorded.filter((line) => line.startsWith("SyntaxError")).length;
    expect(wrong).toBeGreaterThan(150);
    expect(recorded.length - wrong).toBeGreaterThan(200);
  });

  it.each(snippets.map((source, place) => [JSON.stringify(source), source, recorded[place]] as const))("%s", (_, source, want) => {
    const { module, diagnostics } = parseModule(source);
    if (want.startsWith("SyntaxError")) {
      expect(module).toBeNull();
      expect(diagnostics.length).toBeGreaterThan(0);
    } else {
      expect(diagnostics).toEqual([]);
      expect(treeLine(module!.body)).toBe(want);
    }
  });

  const python = spawnSync("python3.11", ["--version"]).status === 0;
  it.skipIf(!python)("what is recorded is what CPython answers", () => {
    const answer = spawnSync("python3.11", [fileURLToPath(here("./cpython_tree.py"))], { input: text, encoding: "utf8" });
    expect(answer.stdout.trimEnd().split("\n")).toEqual(recorded);
  });
});

describe("[rulings: Which line] an unclosed bracket or text is told at CPython's line and column", () => {
  const cases = snippets
    .map((source, place) => ({ source, want: recorded[place] }))
    .filter(({ source }) => /never closed|unterminated string/.test(parseModule(source).diagnostics[0]?.message ?? ""));
  it.each(cases.map(({ source, want }) => [JSON.stringify(source), source, want] as const))("%s", (_, source, want) => {
    const [first] = parseModule(source).diagnostics;
    expect(`SyntaxError ${first.line} ${first.col}`).toBe(want);
  });
  it("has cases of both", () => expect(cases.length).toBeGreaterThan(7));
});

describe("[language 6] a field of an f-string has its true place", () => {
  it.each([
    ['x = f"a{bcd}"', "bcd"],
    ['x = f"""\n  {a}\n é😀{ bcd }"""', "bcd"],
    ['x = "😀" f"{a:{bcd}}"', "bcd"],
    ['x = f"{a[0].b + bcd!r}"', "bcd"],
  ])("%j", (source, name) => {
    const { module } = parseModule(source);
    const found = JSON.stringify(module, (_, value) => (typeof value === "bigint" ? `${value}` : value)).match(
      new RegExp(`"id":"${name}","span":\\{"line":(\\d+),"col":(\\d+),"endLine":(\\d+),"endCol":(\\d+)\\}`),
    );
    expect(found).not.toBeNull();
    const [line, col, endLine, endCol] = found!.slice(1).map(Number);
    expect(endLine).toBe(line);
    expect([...source.split("\n")[line - 1]].slice(col - 1, endCol - 1).join("")).toBe(name);
  });
});

describe("[language 0] what CPython ran is read", () => {
  const programs = new URL("../../testdata/parity/programs/", import.meta.url);
  const names = readdirSync(programs).filter((name) => name.endsWith(".py"));
  it("every program, but for texts with lone surrogates", () => {
    expect(names.length).toBeGreaterThan(100);
    for (const name of names) {
      const { diagnostics } = parseModule(readFileSync(new URL(name, programs), "utf8"));
      const others = diagnostics.filter((diagnostic) => !diagnostic.message.includes("surrogate"));
      expect(others, name).toEqual([]);
    }
  });
  it("every expression, but for lone surrogates, \\N{…} and what CPython refuses too", () => {
    const lines = readFileSync(new URL("../../testdata/parity/cases.jsonl", import.meta.url), "utf8")
      .trimEnd()
      .split("\n");
    expect(lines.length).toBe(3000);
    for (const line of lines) {
      const { expr, error } = JSON.parse(line) as { expr: string; error?: string };
      if (error === "SyntaxError" || /\\u[dD][89a-fA-F]|\\N\{/.test(expr)) expect(() => parseExpression(expr), expr).toThrow();
      else expect(parseExpression(expr), expr).toHaveProperty("kind");
    }
  });
});
