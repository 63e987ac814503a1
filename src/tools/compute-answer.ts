/**
 * What `run` and `compile` answer: the rendered text, `_meta`'s transcript, its mirror (contract §4, §5, §6.1).
 *
 * Deterministic: the same source over the same store gives the same bytes.
 */
import type { Diagnostic, Note } from "../diagnostic";
import { inLine } from "../engine/address";
import { EngineError, Refusal, type RefuseReason } from "../failure";
import type { Ending } from "../lang/machine/driver";
import type { AssignEntry, PrintEntry, Record } from "../lang/machine/recorder";
import { ANSWER_SLICE_ENTRIES } from "../limits";
import type { Json, ToolAnswer } from "./answer";
import { renderBody, renderTally, type Spelling } from "./render-effect";

/** What a stopped call's own caller reads (contract §9.8). */
export const STOPPED_TEXT = "the run was stopped before this statement";

export interface Finished {
  readonly ending: Ending;
  readonly record: Record;
  readonly notes: readonly Note[];
  readonly spelling: Spelling;
  readonly ops: number;
}

/** Why a call did not succeed, in the terms of contract §6. */
export interface Failing {
  readonly status: "refuse" | "engine_error";
  readonly refuseReason: RefuseReason | null;
  /** With the line that raised it in front. */
  readonly text: string;
  readonly hint: string | null;
}

/** Null for an ending that is a success. Throws what is nobody's refusal: our own fault. */
export function failingOf(ending: Ending): Failing | null {
  switch (ending.tag) {
    case "completed":
      return null;
    case "stopped":
      return { status: "refuse", refuseReason: "limit_exceeded", text: place(ending) + STOPPED_TEXT, hint: null };
    case "refused":
      return { status: "refuse", refuseReason: ending.reason, text: place(ending) + ending.message, hint: ending.hint };
    case "failed":
      if (ending.thrown instanceof EngineError)
        return { status: "engine_error", refuseReason: null, text: place(ending) + ending.thrown.message, hint: null };
      throw ending.thrown;
  }
}
function place(at: { readonly line: number; readonly module: string }): string {
  return at.module === "" ? `line ${at.line}: ` : `line ${at.line} of module \`${at.module}\`: `;
}

/** For a refusal or engine error outside any line. Rethrows what is neither. */
export function failingFrom(thrown: unknown): Failing {
  if (thrown instanceof Refusal) return { status: "refuse", refuseReason: thrown.reason, text: thrown.message, hint: thrown.hint };
  if (thrown instanceof EngineError) return { status: "engine_error", refuseReason: null, text: thrown.message, hint: null };
  throw thrown;
}

function failingMeta(f: Failing): { [key: string]: Json } {
  return {
    ...(f.refuseReason === null ? {} : { refuse_reason: f.refuseReason }),
    reason: f.text,
    ...(f.hint === null ? {} : { teaching_hint: f.hint }),
  };
}

/** A line of its own, which a name in it does not break. */
export function hintText({ hint }: Failing): string {
  return hint ? `\nhint: ${inLine(hint)}` : "";
}

// ---- run ---------------------------------------------------------------------------------------------------------
/** Pauses between its parts where there is much to tell. */
export function* runAnswer(done: Finished): Generator<void, ToolAnswer, void> {
  const { record } = done;
  const isLong = record.transcript.length + record.effects.length > ANSWER_SLICE_ENTRIES;
  const failing = failingOf(done.ending);
  const head = failing ? `error: program failed — ${failing.text}${hintText(failing)}` : `OK program: ${renderTally(done.record.tally)}`;
  if (isLong) yield;
  const body = renderBody(record, done.spelling);
  if (isLong) yield;
  const text = [head, ...body, ...renderNotes(done.notes)].join("\n");
  const invoke = done.ending.tag === "completed" ? "completed" : done.ending.tag === "stopped" ? "stopped" : "failed";
  const notes: { [key: string]: Json } = done.notes.length > 0 ? { notes: done.notes.map(noteJson) } : {};
  const base: { [key: string]: Json } = { invoke_status: invoke, ...(failing ? failingMeta(failing) : {}) };
  if (isLong) yield;
  // The mirror has the very entries of the transcript: an answer on its way to the worker then carries each once.
  const entries = record.transcript.map(entryJson);
  if (isLong) yield;
  const isResult = results(record);
  const mirrored = entries.filter((_, i) => isResult(record.transcript[i]));
  const left = record.omitted + entries.length - mirrored.length;
  return {
    status: failing ? failing.status : "success",
    text,
    meta: {
      ...base,
      transcript: entries,
      ...(record.omitted > 0 ? { transcript_omitted: record.omitted } : {}),
      ...notes,
    },
    mirror: { ...base, transcript: mirrored, ...(left > 0 ? { transcript_omitted: left } : {}), ...notes },
    ops: done.ops,
    ...(failing && record.effectCount > 0 ? { keptSome: true } : {}),
  };
}

/** A call that failed before its first statement. */
export function runFailure(failing: Failing, ops = 0): ToolAnswer {
  const base: { [key: string]: Json } = { invoke_status: "failed", ...failingMeta(failing), transcript: [] };
  return {
    status: failing.status,
    text: `error: program failed — ${failing.text}${hintText(failing)}`,
    meta: base,
    mirror: base,
    ops,
  };
}

/** Whether an entry is a result of the run: every print of its own or a module's, and the final value of each statement of its own. */
function results(record: Record): (entry: AssignEntry | PrintEntry) => boolean {
  const last = new Map<string, AssignEntry>();
  for (const e of record.transcript) {
    if (e.kind !== "assign" || e.module !== "") continue;
    // Where bindings of a line were omitted, an earlier one of another name may not be that name's final value.
    last.set(record.shortenedLines.has(e.line) ? `${e.line}` : `${e.line} ${e.name}`, e);
  }
  const kept = new Set<AssignEntry>(last.values());
  return (e) => e.kind === "print" || kept.has(e);
}

function entryJson(e: AssignEntry | PrintEntry): Json {
  return {
    kind: e.kind,
    ...(e.kind === "assign" ? { name: e.name } : {}),
    type: e.type,
    value: e.value,
    ...(e.kind === "print" && e.end !== null ? { end: e.end } : {}),
    line: e.line,
    ...(e.module === "" ? {} : { from_module: e.module }),
  };
}

// ---- compile -------------------------------------------------------------------------------------------------------
export interface Installed {
  readonly module: string;
  /** Lines that say what this submission installed; empty for a reload. */
  readonly lines: readonly string[];
  readonly names: { readonly [kind: string]: readonly string[] };
}

export function compileAnswer(installed: Installed, done: Finished): ToolAnswer {
  const failing = failingOf(done.ending);
  const body = renderBody(done.record, done.spelling);
  if (failing) return compileFailure(failing, body, done.notes, done.ops);
  const verdict = body.length > 0 ? [`body: ${renderTally(done.record.tally)}`, ...body] : [];
  return {
    status: "success",
    text: [`OK module: ${installed.module}`, ...installed.lines, ...verdict, ...renderNotes(done.notes)].join("\n"),
    meta: { module: installed.module, ...installed.names, ...(done.notes.length > 0 ? { notes: done.notes.map(noteJson) } : {}) },
    mirror: null,
    ops: done.ops,
  };
}

/** A compile that kept nothing. `printed`: what the body printed before it failed. */
export function compileFailure(failing: Failing, printed: readonly string[] = [], notes: readonly Note[] = [], ops = 0): ToolAnswer {
  return {
    status: failing.status,
    text: [`error: compile failed — ${failing.text}${hintText(failing)}`, ...printed, ...renderNotes(notes)].join("\n"),
    meta: { ...failingMeta(failing), ...(notes.length > 0 ? { notes: notes.map(noteJson) } : {}) },
    mirror: null,
    ops,
  };
}

/** A source that does not compile, in `run` as in `compile`. */
export function diagnosticsAnswer(
  tool: "run" | "compile",
  status: "parse_error" | "type_error",
  diagnostics: readonly Diagnostic[],
): ToolAnswer {
  const n = diagnostics.length;
  const what = tool === "run" ? "program" : "compile";
  const lines = diagnostics.flatMap((d) => [
    `line ${d.line}, col ${d.col}: ${d.message}`,
    ...(d.fix === undefined ? [] : [d.fix === "" ? "  fix: delete this" : `  fix: ${d.fix}`]),
  ]);
  const meta: { [key: string]: Json } = {
    compile_status: status,
    diagnostics: diagnostics.map((d) => ({
      class: d.class,
      line: d.line,
      col: d.col,
      message: d.message,
      ...(d.fix === undefined ? {} : { fix: d.fix }),
    })),
    ...(tool === "run" ? { invoke_status: "failed", transcript: [] } : {}),
  };
  return {
    status: "compile_error",
    text: [`error: ${what} failed — ${n === 1 ? "1 diagnostic" : `${n} diagnostics`}`, ...lines].join("\n"),
    meta,
    mirror: tool === "run" ? meta : null,
    ops: 0,
  };
}

function renderNotes(notes: readonly Note[]): string[] {
  return notes.map((n) => `note: line ${n.line}, col ${n.col}: ${n.reason}; ${n.teaching_hint}`);
}
function noteJson(n: Note): Json {
  return { line: n.line, col: n.col, reason: n.reason, teaching_hint: n.teaching_hint };
}
