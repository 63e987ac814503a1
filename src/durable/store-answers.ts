/**
 * The answers that the store object makes itself, before, beside or instead of a tool: busy, stop, not confirmed.
 *
 * Pure. What a tool answers is made in src/tools.
 */
import type { RefuseReason } from "../failure";
import { ANSWER_BYTES_MAX } from "../limits";
import { REQUEST_TOOL } from "../request/request-arguments";
import type { Json, ToolAnswer } from "../tools/answer";
import { compileFailure, type Failing, runFailure, STOPPED_TEXT } from "../tools/compute-answer";
import type { NoCredit } from "./credit";

/** Contract §9.8. */
export type StopOutcome = "stopped" | "finished" | "idle" | "stopping";

const STOP_TEXT: { readonly [outcome in StopOutcome]: string } = {
  stopped: "OK stop: stopped. Every call that was running has ended, at its next statement, and the store is free.",
  finished: "OK stop: finished. Every call that was running ended on its own, and the store is free.",
  idle: "OK stop: idle. No call was running on the store.",
  stopping: "OK stop: stopping. A call is still running a statement; call stop again in a moment.",
};

export function stopAnswer(outcome: StopOutcome): ToolAnswer {
  return { status: "success", text: STOP_TEXT[outcome], meta: { outcome }, mirror: null, ops: 0 };
}

/** In the account's ledger: no text of the caller's. */
export function howEnded({ status, meta }: ToolAnswer): string {
  const reason = meta["refuse_reason"];
  return status === "refuse" && typeof reason === "string" ? `refuse: ${reason}` : status;
}

/** Says only that this key may not do this (rulings, "Scope refusals"). */
export function scopeAnswer(tool: string): ToolAnswer {
  return failed(tool, refusal("scope_forbidden", "this key may not do this"), "not_committed");
}

/** Contract §6: the store was busy for longer than the service waits. */
export function busyAnswer(tool: string): ToolAnswer {
  const text =
    "the store was busy with another call for longer than a call waits. Nothing was kept, and nothing in the call needs changing: send it again.";
  return failed(tool, engineError(text), "not_committed");
}

/** Contract §6: the store reported a save as failed. */
export function unconfirmedAnswer(tool: string): ToolAnswer {
  const text =
    "the store reported the save as failed, and whether the work was saved could not be confirmed. Read back what the call wrote to see whether it is there.";
  return failed(tool, engineError(text), "unknown");
}

/** The store could not be opened, and the engine says why. */
export function notOpenedAnswer(tool: string, reason: string): ToolAnswer {
  return failed(tool, engineError(reason), "not_committed");
}

/** A tool of the catalogue that this version of the service does not carry out. */
export function notServedAnswer(tool: string): ToolAnswer {
  return failed(tool, engineError(`this version of the service does not carry out \`${tool}\` yet. Nothing was done.`), "not_committed");
}

/**
 * The answer, or where it is more than an object call carries, one that says so: what the call wrote is saved all the same.
 */
export function carriableAnswer(tool: string, answer: ToolAnswer, bytesMax = ANSWER_BYTES_MAX): ToolAnswer {
  const parts: Json = [answer.text, answer.meta, answer.mirror];
  // A text takes one or two bytes a character. Only where two might be too many is it worth looking.
  if (carriedBytes(parts, (text) => 2 * text.length) <= bytesMax) return answer;
  const bytes = carriedBytes(parts, (text) => (/[^\u0000-\u00ff]/.test(text) ? 2 : 1) * text.length);
  if (bytes <= bytesMax) return answer;
  const text = `the call ended and what it wrote is saved, but its answer of ${bytes} bytes is more than the ${bytesMax} a reply carries: print and bind less at once.`;
  return { ...failed(tool, engineError(text), "committed"), ops: answer.ops };
}

/** About what the parts take in an object call: their texts, and some bytes for everything that holds them. */
function carriedBytes(part: Json, textBytes: (text: string) => number): number {
  if (typeof part === "string") return 4 + textBytes(part);
  if (typeof part !== "object" || part === null) return 5;
  let bytes = 6;
  if (Array.isArray(part)) for (const member of part) bytes += carriedBytes(member, textBytes);
  else for (const name in part) bytes += 3 + name.length + carriedBytes((part as { readonly [name: string]: Json })[name], textBytes);
  return bytes;
}

/** A call that was cancelled, or whose caller left, before it had its turn: nothing of it ran. */
export function neverBegunAnswer(tool: string): ToolAnswer {
  const answer = failed(tool, refusal("limit_exceeded", STOPPED_TEXT), "not_committed");
  if (tool !== "run") return answer;
  const meta = { ...answer.meta, invoke_status: "stopped" };
  return { ...answer, meta, mirror: meta };
}

/** -32001. Unmistakable beside -32002, and it says what clears it (contract §6). */
export function paymentMessage(why: NoCredit["why"]): string {
  const topUp = "Top up at dke.langsyn.com/buy/.";
  switch (why) {
    case "balance":
      return `Payment required: the account's balance cannot cover the call. ${topUp}`;
    case "suspended":
      return `Payment required: the account is suspended. It is cleared by paying. ${topUp}`;
    case "no_access":
    case "no_account":
      return `Payment required: the account does not include API access. ${topUp}`;
  }
}

/** `disposition`: whether what the call was to change has changed. Said where a caller acts on it, at the request endpoint. */
function failed(tool: string, failing: Failing, disposition: "committed" | "not_committed" | "unknown"): ToolAnswer {
  switch (tool) {
    case REQUEST_TOOL: {
      const meta = { domain_disposition: disposition };
      return { status: failing.status, text: failing.text, meta, mirror: null, ops: 0 };
    }
    case "run":
      return runFailure(failing);
    case "compile":
      return compileFailure(failing);
    default: {
      const meta: { [name: string]: Json } = failing.refuseReason === null ? {} : { refuse_reason: failing.refuseReason };
      return { status: failing.status, text: `error: ${tool} failed — ${failing.text}`, meta, mirror: null, ops: 0 };
    }
  }
}

function refusal(refuseReason: RefuseReason, text: string): Failing {
  return { status: "refuse", refuseReason, text, hint: null };
}

function engineError(text: string): Failing {
  return { status: "engine_error", refuseReason: null, text, hint: null };
}
