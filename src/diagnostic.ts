/**
 * What a source is told before it runs: diagnostics that stop it, notes that do not.
 *
 * `line` and `col` count from 1; `col` is in characters (code points), as CPython's `SyntaxError.offset`.
 */

/** A half-open range of the source: `[start, end)`. Lines from 1, columns from 1 in code points. */
export interface Span {
  readonly line: number;
  readonly col: number;
  readonly endLine: number;
  readonly endCol: number;
}

/**
 * Contract §6.1. `parse_error` where the tokens alone show it, `type_error` where a name had to be resolved.
 * `fix` is present only when one mechanical edit at the span mends the fault: the text to write there instead.
 */
export interface Diagnostic {
  readonly class: "parse_error" | "type_error";
  readonly line: number;
  readonly col: number;
  readonly message: string;
  readonly fix?: string;
  /** What `fix` replaces. Present exactly when `fix` is. Not on the wire. */
  readonly fixSpan?: Span;
  /** What a name may mean, where the fault is that it may mean several things. Not on the wire. */
  readonly choices?: readonly string[];
}

/** Contract §5, `notes[]`: true about the source, did not stop it. */
export interface Note {
  readonly line: number;
  readonly col: number;
  readonly reason: string;
  readonly teaching_hint: string;
}

/** Thrown inside a pass that cannot go on, caught at its face; never seen outside `src/lang`. */
export class SourceRejected extends Error {
  constructor(readonly diagnostics: readonly Diagnostic[]) {
    super("source rejected");
  }
}

/** Reported diagnostics, by line then column, one a cause, at most `DIAGNOSTICS_MAX`. */
export const DIAGNOSTICS_MAX = 20;
