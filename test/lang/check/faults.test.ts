/**
 * [language 3] What the checker tells before the run: each snippet of faults.txt says at its lines what it is told, class,
 * line, column, text and fix, and nothing else may come. Whatever the parser refuses is in test/lang/syntax/faults.txt.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../../src/diagnostic";
import { EMPTY_ENVIRONMENT } from "../../../src/lang/check/environment";
import { compileSource } from "../../../src/lang/compile/compile";

const WANT = / {3}### (parse_error|type_error|note) (\d+):(\d+) "(.*?)"(?: fix «(.*?)»)?(?= {3}###|$)/gm;

interface Told {
  readonly class: string;
  readonly line: number;
  readonly col: number;
  readonly message: string;
  readonly fix: string | undefined;
}

const SNIPPETS = readFileSync(new URL("./faults.txt", import.meta.url), "utf8")
  .trimEnd()
  .split("\n---\n")
  .map((text) => ({
    source: `${text.replace(/ {3}###.*$/gm, "")}\n`,
    wants: [...text.matchAll(WANT)].map(
      ([, kind, line, col, message, fix]): Told => ({ class: kind!, line: Number(line), col: Number(col), message: message!, fix }),
    ),
  }));

function told(source: string): { readonly diagnostics: readonly Diagnostic[]; readonly all: Told[] } {
  const r = compileSource(source, { mode: "compile", module: "m", environment: EMPTY_ENVIRONMENT });
  if (r.ok) {
    const notes = r.compiled.notes.map((n) => ({ class: "note", line: n.line, col: n.col, message: n.reason, fix: undefined }));
    return { diagnostics: [], all: notes };
  }
  const diagnostics = "diagnostics" in r ? r.diagnostics : [];
  return {
    diagnostics,
    all: diagnostics.map(({ class: kind, line, col, message, fix }) => ({ class: kind, line, col, message, fix })),
  };
}

function applied(source: string, { fix, fixSpan }: Diagnostic): string {
  const lines = source.split("\n").map((line) => [...line]);
  const offset = (line: number, col: number) => lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + col - 1;
  const points = [...source];
  const span = fixSpan!;
  return [...points.slice(0, offset(span.line, span.col)), fix, ...points.slice(offset(span.endLine, span.endCol))].join("");
}

describe("[language 3] what the checker tells", () => {
  test.each(SNIPPETS.map((s) => [s.source, s.wants] as const))("%s", (source, wants) => {
    expect(told(source).all).toEqual(wants);
  });

  test("every fix but the `while` template mends what it is given for, and a lone one makes the source compile", () => {
    let mended = 0;
    for (const { source } of SNIPPETS) {
      const { diagnostics } = told(source);
      for (const d of diagnostics) {
        if (d.fix === undefined || d.fix.includes("<name>")) continue;
        const after = told(applied(source, d)).diagnostics;
        const left = diagnostics.length === 1 ? after : after.filter((x) => x.line === d.line && x.message === d.message);
        expect([source, applied(source, d), left]).toEqual([source, applied(source, d), []]);
        mended++;
      }
    }
    expect(mended).toBeGreaterThan(50);
  });

  test("at least 60 reflexes have a text of their own", () => {
    const texts = new Set(SNIPPETS.flatMap((s) => s.wants.map((w) => w.message)));
    expect(texts.size).toBeGreaterThan(150);
  });
});
