/** What a wrong source is told: each snippet of faults.txt says at its lines what is expected of them, and nothing else may come. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../../src/diagnostic";
import { parseModule } from "../../../src/lang/syntax/parser";

const WANT = /### (\d+):(\d+) "(.*?)"(?: fix "(.*?)")?(?=\s*(?:###|$))/g;

interface Want {
  readonly place: string;
  readonly part: string;
  readonly fix: string | undefined;
}

const snippets = readFileSync(new URL("./faults.txt", import.meta.url), "utf8")
  .trimEnd()
  .split("\n---\n")
  .map((text) => {
    const wants: Want[] = [...text.matchAll(new RegExp(WANT, "gm"))].map(([, line, col, part, fix]) => ({
      place: `${line}:${col}`,
      part,
      fix,
    }));
    return { wants, source: text.replace(/ {3}###.*$/gm, "") };
  });

describe("[language 4] a wrong source is told what is wrong, where, and what to write", () => {
  it.each(snippets.map((snippet) => [JSON.stringify(snippet.source), snippet] as const))("%s", (_, { source, wants }) => {
    const { module, diagnostics } = parseModule(source);
    expect(diagnostics.map((got) => `${got.line}:${got.col}`)).toEqual(wants.map((want) => want.place));
    for (const [place, want] of wants.entries()) {
      const got = diagnostics[place];
      expect(got.message).toContain(want.part);
      expect(got.class).toBe("parse_error");
      expect(got.fix).toBe(want.fix);
      expect(got.fixSpan === undefined).toBe(want.fix === undefined);
    }
    expect(module === null).toBe(wants.length > 0);
  });

  it("a fix that is one edit mends what it is given for", () => {
    let mended = 0;
    for (const { source } of snippets) {
      const { diagnostics } = parseModule(source);
      const [only] = diagnostics;
      if (diagnostics.length !== 1 || only.fix === undefined || /<name>|^def |^match /.test(only.fix)) continue;
      const after = parseModule(applied(source, only)).diagnostics.filter((left) => left.message === only.message);
      expect(after, `${source}\n→ ${applied(source, only)}`).toEqual([]);
      mended++;
    }
    expect(mended).toBeGreaterThan(20);
  });
});

function applied(source: string, { fix, fixSpan }: Diagnostic): string {
  const lines = source.split("\n").map((line) => [...line]);
  const offset = (line: number, col: number) => lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + col - 1;
  const points = [...source];
  const span = fixSpan!;
  return [...points.slice(0, offset(span.line, span.col)), fix, ...points.slice(offset(span.endLine, span.endCol))].join("");
}
