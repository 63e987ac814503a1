/**
 * Sources with what the checker is to tell of them written at their lines, `   ### class line:col "message" fix «text»`, parted
 * by `---`; and what it does tell, for the tests that compare the two.
 */
import { readFileSync } from "node:fs";
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

interface Snippet {
  readonly source: string;
  readonly wants: readonly Told[];
}

/** The sources of a file beside this one. */
export function snippetsOf(file: string): readonly Snippet[] {
  return readFileSync(new URL(`./${file}`, import.meta.url), "utf8")
    .trimEnd()
    .split("\n---\n")
    .map((text) => ({
      source: `${text.replace(/ {3}###.*$/gm, "")}\n`,
      wants: [...text.matchAll(WANT)].map(
        ([, kind, line, col, message, fix]): Told => ({ class: kind!, line: Number(line), col: Number(col), message: message!, fix }),
      ),
    }));
}

export function told(source: string): { readonly diagnostics: readonly Diagnostic[]; readonly all: Told[] } {
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

/** The source with the fix in place of what it mends. */
export function applied(source: string, { fix, fixSpan }: Diagnostic): string {
  const lines = source.split("\n").map((line) => [...line]);
  const offset = (line: number, col: number) => lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + col - 1;
  const points = [...source];
  const span = fixSpan!;
  return [...points.slice(0, offset(span.line, span.col)), fix, ...points.slice(offset(span.endLine, span.endCol))].join("");
}
