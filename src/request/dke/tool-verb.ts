/**
 * A tool of the reasoning endpoint as a verb: the same task, driven by the request, its answer turned into a result.
 *
 * A program that was refused is a failed op, so that a chain does not go on as if it had run.
 */
import { InvalidParams, type Json, type ToolAnswer, type ToolTask } from "../../tools/answer";
import type { JsonObject, RequestJson } from "../request-json";
import type { VerbTask } from "../verb";
import { invalidInput, VerbFailure } from "../verb-failure";
import type { VerbSite } from "../verb-site";

/** What becomes of an answer that is a success. */
export type ResultOf = (answer: ToolAnswer) => RequestJson;

export function startToolVerb(site: VerbSite, tool: string, args: JsonObject, resultOf: ResultOf): VerbTask {
  try {
    return new ToolVerbTask(site.startTool(tool, args), resultOf);
  } catch (thrown) {
    if (thrown instanceof InvalidParams) throw invalidInput(thrown.message);
    throw thrown;
  }
}

class ToolVerbTask implements VerbTask {
  constructor(
    private readonly task: ToolTask,
    private readonly resultOf: ResultOf,
  ) {}
  get ops(): number {
    return this.task.ops;
  }
  get stopped(): boolean {
    return this.task.stopped;
  }
  advance(stepsMax: number): boolean {
    return this.task.advance(stepsMax);
  }
  stop(): void {
    this.task.stop();
  }
  result(): RequestJson {
    const answer = this.task.answer();
    if (answer.status === "success") return this.resultOf(answer);
    throw failureOf(answer);
  }
}

function failureOf(answer: ToolAnswer): VerbFailure {
  const reason = answer.meta["refuse_reason"];
  const members: { [name: string]: Json } = {
    details: { status: answer.status, printed: printed(answer), text: answer.text, ops: answer.ops },
  };
  for (const name of ["refuse_reason", "teaching_hint", "diagnostics"])
    if (answer.meta[name] !== undefined) members[name] = answer.meta[name];
  return new VerbFailure(typeof reason === "string" ? reason : answer.status, answer.text, {
    // A run keeps what it wrote before the line that failed.
    disposition: answer.keptSome === true ? "unknown" : "not_committed",
    members,
  });
}

/** `{status, printed, text, ops}`: what a program answers. */
export function programResult(answer: ToolAnswer): RequestJson {
  return { status: answer.status, printed: printed(answer), text: answer.text, ops: answer.ops };
}

/** What any other tool answers: its text, and what it has on `_meta`. */
export function toolResult(answer: ToolAnswer): RequestJson {
  return { status: answer.status, text: answer.text, ops: answer.ops, ...answer.meta };
}

interface PrintLine {
  readonly kind: string;
  readonly value: string;
  readonly end?: string;
}

/** What each `print` wrote, without the newline that ends it. */
function printed(answer: ToolAnswer): string[] {
  const transcript = (answer.meta["transcript"] ?? []) as unknown as readonly PrintLine[];
  return transcript.filter(({ kind }) => kind === "print").map(({ value, end }) => value + (end ?? ""));
}
