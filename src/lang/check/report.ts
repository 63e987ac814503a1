/** Collects what a pass has to say: diagnostics in source order, one a cause, and notes. */
import { DIAGNOSTICS_MAX, type Diagnostic, type Note, type Span } from "../../diagnostic";

export class Report {
  #diagnostics: Diagnostic[] = [];
  readonly notes: Note[] = [];

  get failed(): boolean {
    return this.#diagnostics.length > 0;
  }
  add(d: Diagnostic): void {
    // One a cause: a second message at the very place of the first is its echo.
    if (!this.#diagnostics.some((x) => x.line === d.line && x.col === d.col)) this.#diagnostics.push(d);
  }
  type(span: Span, message: string, fix?: string, fixSpan: Span = span): void {
    this.add({ class: "type_error", line: span.line, col: span.col, message, ...(fix === undefined ? {} : { fix, fixSpan }) });
  }
  parse(span: Span, message: string, fix?: string, fixSpan: Span = span): void {
    this.add({ class: "parse_error", line: span.line, col: span.col, message, ...(fix === undefined ? {} : { fix, fixSpan }) });
  }
  note(span: Span, reason: string, hint: string): void {
    if (!this.notes.some((n) => n.line === span.line && n.col === span.col && n.reason === reason))
      this.notes.push({ line: span.line, col: span.col, reason, teaching_hint: hint });
  }
  /** By line then column, at most `DIAGNOSTICS_MAX`. */
  diagnostics(): readonly Diagnostic[] {
    return [...this.#diagnostics].sort((a, b) => a.line - b.line || a.col - b.col).slice(0, DIAGNOSTICS_MAX);
  }
}
