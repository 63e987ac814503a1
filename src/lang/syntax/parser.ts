/**
 * The face of the syntax: source text to tree, or to everything that is wrong with it.
 *
 * The rules are in grammar.txt, each under the name of its function. A tree is given only where nothing was
 * wrong. Diagnostics come by line, then column, one a place, at most `DIAGNOSTICS_MAX`.
 *
 * A `return` outside a `def` is read and left in the tree: `run` refuses it with a reason of its own, and
 * `compile` as Python does; the checker knows which it is.
 */
import { DIAGNOSTICS_MAX, type Diagnostic, SourceRejected } from "../../diagnostic";
import { SOURCE_BYTES_MAX, SOURCE_HEIGHT_MAX } from "../../limits";
import type { Expr, Module, Node } from "./ast";
import { Cursor, Fault } from "./cursor";
import { valueExpressions } from "./expressions";
import { readHeader } from "./header";
import { tokenize } from "./lexer";
import { statements } from "./statements";

export function parseModule(source: string): { module: Module | null; diagnostics: readonly Diagnostic[] } {
  const found: Diagnostic[] = [];
  const text = readable(source, found);
  if (text === null) return { module: null, diagnostics: found };
  const p = new Cursor(
    text,
    tokenize(text, (diagnostic) => found.push(diagnostic)),
    (diagnostic) => found.push(diagnostic),
  );
  const body = statements(p);
  const end = p.tok;
  if (found.length === 0) checkHeight(p, body, found);
  if (found.length > 0) return { module: null, diagnostics: inOrder(found) };
  const header = readHeader(source);
  const module: Module = {
    kind: "Module",
    body,
    header: "header" in header ? header.header : null,
    span: { line: 1, col: 1, endLine: end.endLine, endCol: end.endCol },
  };
  return { module, diagnostics: [] };
}

/** One expression, as Python's `eval` takes it. Throws `SourceRejected`. */
export function parseExpression(source: string): Expr {
  const found: Diagnostic[] = [];
  const text = readable(source.replace(/^[ \t]+/, ""), found);
  if (text === null) throw new SourceRejected(found);
  const p = new Cursor(
    text,
    tokenize(text, (diagnostic) => found.push(diagnostic)),
    (diagnostic) => found.push(diagnostic),
  );
  let value: Expr | null = null;
  try {
    value = valueExpressions(p);
    while (p.accept("NEWLINE"));
    if (!p.at("END")) p.want("an operator, or the end of the expression");
    checkHeight(p, value, found);
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    const scanned = p.tokens.find((token) => token.diagnostic !== undefined);
    found.push(scanned?.diagnostic ?? fault.diagnostic);
  }
  if (value === null || found.length > 0) throw new SourceRejected(inOrder(found));
  return value;
}

/** The source with its newlines as `\n` and no byte order mark; null, with the reason, where it is not text of the size allowed. */
function readable(source: string, found: Diagnostic[]): string | null {
  let text = source.charCodeAt(0) === 0xfeff ? source.slice(1) : source;
  if (text.includes("\r")) text = text.replace(/\r\n?/g, "\n");
  const refuse = (at: number, message: string) => {
    const before = text.slice(0, at);
    const line = before.split("\n").length;
    const col = [...before.slice(before.lastIndexOf("\n") + 1)].length + 1;
    found.push({ class: "parse_error", line, col, message });
    return null;
  };
  const excess = text.length * 3 <= SOURCE_BYTES_MAX ? -1 : beyondBytes(text, SOURCE_BYTES_MAX);
  if (excess >= 0) {
    return refuse(
      excess,
      `the source passes ${SOURCE_BYTES_MAX} bytes of UTF-8 here, which is the most a source has: split it into modules, or write data in several calls`,
    );
  }
  const nul = text.indexOf("\0");
  if (nul >= 0) return refuse(nul, "a NUL character stands here: take it away, and write it in a text as `\\0`");
  const lone = /[\ud800-\udfff]/u.exec(text);
  if (lone !== null) return refuse(lone.index, "half of a surrogate pair stands here, which is no character: write the whole character");
  return text;
}

/** The offset of the first character that does not fit in `bytesMax` bytes of UTF-8, or -1. */
function beyondBytes(text: string, bytesMax: number): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code >= 0xd800 && code <= 0xdfff ? 2 : 3;
    if (bytes > bytesMax) return at;
  }
  return -1;
}

/**
 * Chains (`a + b + …`, `x.y.z…`, `elif` …) are read in loops and nest in the tree; passes over the tree recurse.
 * Looked at only where the chains and the nesting met could pass the limit together.
 */
function checkHeight(p: Cursor, root: unknown, found: Diagnostic[]): void {
  if (p.chainLongest * (p.depthDeepest + 1) <= SOURCE_HEIGHT_MAX) return;
  const pending: { value: unknown; height: number }[] = [{ value: root, height: 0 }];
  while (pending.length > 0) {
    const { value, height } = pending.pop()!;
    if (Array.isArray(value)) {
      for (const item of value) pending.push({ value: item, height });
    } else if (typeof value === "object" && value !== null && "span" in value) {
      if (height >= SOURCE_HEIGHT_MAX) {
        const { span } = value as Node;
        found.push({
          class: "parse_error",
          line: span.line,
          col: span.col,
          message: `a chain of operators, \`.\` or \`elif\` has more than about ${SOURCE_HEIGHT_MAX} links here: give a part of it a name of its own`,
        });
        return;
      }
      for (const [key, part] of Object.entries(value)) if (!key.endsWith("pan")) pending.push({ value: part, height: height + 1 });
    }
  }
}

function inOrder(found: Diagnostic[]): Diagnostic[] {
  const sorted = found.map((diagnostic, place) => ({ diagnostic, place }));
  sorted.sort((a, b) => a.diagnostic.line - b.diagnostic.line || a.diagnostic.col - b.diagnostic.col || a.place - b.place);
  const kept: Diagnostic[] = [];
  for (const { diagnostic } of sorted) {
    const last = kept[kept.length - 1];
    if (last !== undefined && last.line === diagnostic.line && last.col === diagnostic.col) continue;
    kept.push(diagnostic);
    if (kept.length === DIAGNOSTICS_MAX) break;
  }
  return kept;
}
