/** Drawn requests put to a store one after the other, and what of their answers is not as an answer must be. */
import { readRequest } from "../../src/request/request-arguments";
import { RequestFixture } from "./request-fixture";
import { RequestTexts } from "./request-texts";

export interface Trial {
  requests: number;
  /** Of these, texts that no request is. */
  refused: number;
  ops: number;
  succeeded: number;
  worstMs: number;
  worstText: string;
  problems: { readonly seed: number; readonly ops: string; readonly problem: string }[];
}

const STORE_REQUESTS = 1000;
const IDS_MAX = 60;

/** `heard` is told how far it is. */
export function trialRequests(seed: number, count: number, heard: (done: number) => void = () => {}): Trial {
  const trial: Trial = { requests: 0, refused: 0, ops: 0, succeeded: 0, worstMs: 0, worstText: "", problems: [] };
  let fixture = new RequestFixture();
  let ids: string[] = [];
  for (let at = seed; at < seed + count; at++) {
    if ((at - seed) % STORE_REQUESTS === 0) {
      fixture = new RequestFixture();
      ids = [];
      if ((at - seed) % 20_000 === 0) heard(at - seed);
    }
    const ops = new RequestTexts(at, ids).text();
    trial.requests++;
    const before = process.cpuUsage();
    try {
      const read = readRequest({ ops });
      if (read.tag !== "run") trial.refused++;
      else {
        const { results, summary, status } = fixture.request(ops, at % 2 === 0 ? { presentation: "agent", format: "auto" } : {});
        const problem = fault(results, summary, status, read.call.program.calls.length);
        if (problem !== null) trial.problems.push({ seed: at, ops, problem });
        trial.ops += summary.total;
        trial.succeeded += summary.succeeded;
        for (const { result } of results) if (typeof result?.id === "string") ids = [result.id, ...ids].slice(0, IDS_MAX);
      }
    } catch (thrown) {
      trial.problems.push({ seed: at, ops, problem: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) });
      fixture = new RequestFixture();
      ids = [];
    }
    const { user, system } = process.cpuUsage(before);
    const ms = (user + system) / 1000;
    if (ms > trial.worstMs) {
      trial.worstMs = ms;
      trial.worstText = ops.slice(0, 500);
    }
  }
  return trial;
}

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked at member by member.
function fault(results: readonly any[], summary: any, status: unknown, calls: number): string | null {
  if (results.length !== calls || summary.total !== calls) return "not an entry for each op";
  if (summary.succeeded + summary.failed + summary.aborted !== calls) return "a summary that does not add up";
  if (results.filter(({ ok }) => ok === true).length !== summary.succeeded) return "a summary that counts other entries";
  if (status !== (summary.succeeded === calls ? "success" : "partial")) return "a status that is not so";
  const odd = results.find((one) => (one.ok === true ? !("result" in one) : one.aborted === true ? "error" in one : !("error" in one)));
  return odd === undefined ? null : `an entry that is none: ${JSON.stringify(odd)}`;
}
