/**
 * The answer to a request: its entries as asked for, in a frame that holds them (request facts §4, §5.2, §5.5).
 *
 * Where the frame is too small, what is shown gives way to what is canonical where that is shorter, and then the largest
 * entries to a failure that says how to come by them. Nothing that ran is undone by that, and no lost page counts as
 * a success.
 */
import { utf8Bytes } from "../lang/ops/ops-fault";
import { entryOf, type OpRecord, type OpSucceeded, summaryOf } from "./op-entry";
import { presentForAgent } from "./present";
import type { Format, Presentation } from "./request-arguments";
import { type JsonObject, jsonText, type RequestJson } from "./request-json";
import { tableText } from "./table";
import { VerbFailure } from "./verb-failure";

export interface Wording {
  readonly presentations: readonly Presentation[];
  readonly formats: readonly Format[];
  readonly nowMicros: number;
}

export interface Envelope {
  readonly text: string;
  /** Nothing succeeded, and something failed. */
  readonly isError: boolean;
}

/** The results as they are shown. */
export function shownResult(record: OpRecord, index: number, { presentations, formats, nowMicros }: Wording): RequestJson {
  if (record.outcome.tag !== "succeeded") return null;
  const { result } = record.outcome;
  const agent = presentations[index] === "agent" && record.verb?.alwaysVerbose !== true;
  const presented = agent ? presentForAgent(result, record.tool, nowMicros) : result;
  return formats[index] === "json" ? presented : tableText(presented, presentations[index] === "verbose");
}

export function envelope(records: readonly OpRecord[], wording: Wording, frameBytesMax: number): Envelope {
  const entries = records.map((record, index) => new Entry(record, shownResult(record, index, wording)));
  let bytes = FRAME_BYTES + entries.reduce((sum, entry) => sum + entry.bytes + 1, 0);
  if (bytes > frameBytesMax) {
    for (const entry of [...entries].sort((a, b) => b.canonicalSaves - a.canonicalSaves)) {
      if (bytes <= frameBytesMax || entry.canonicalSaves <= 0) break;
      bytes -= entry.canonicalSaves;
      entry.showCanonical();
    }
    for (const entry of [...entries].sort((a, b) => b.bytes - a.bytes)) {
      if (bytes <= frameBytesMax) break;
      bytes -= entry.bytes;
      entry.omit(frameBytesMax);
      bytes += entry.bytes;
    }
  }
  const summary = summaryOf(entries.map((entry) => entry.record));
  const status = summary.failed + summary.aborted > 0 ? "partial" : "success";
  const tail = jsonText({ summary: { ...summary }, status }).slice(1);
  return {
    text: `{"results":[${entries.map((entry) => entry.text).join(",")}],${tail}`,
    isError: summary.succeeded === 0 && summary.failed + summary.aborted > 0,
  };
}

/** What stands around the entries, generously. */
const FRAME_BYTES = 256;

class Entry {
  record: OpRecord;
  text: string;
  bytes: number;
  #canonical: string | null = null;

  constructor(record: OpRecord, shown: RequestJson) {
    this.record = record;
    this.text = jsonText(entryOf(record, shown));
    this.bytes = utf8Bytes(this.text);
  }

  /** Bytes that the canonical form would save. */
  get canonicalSaves(): number {
    if (this.record.outcome.tag !== "succeeded") return 0;
    this.#canonical ??= jsonText(entryOf(this.record, this.record.outcome.result));
    return this.bytes - utf8Bytes(this.#canonical);
  }

  showCanonical(): void {
    this.text = this.#canonical!;
    this.bytes = utf8Bytes(this.text);
  }

  omit(frameBytesMax: number): void {
    const { outcome } = this.record;
    if (outcome.tag === "aborted") return;
    const entry =
      outcome.tag === "succeeded" ? this.#omittedSuccess(outcome, frameBytesMax) : this.#omittedFailure(outcome.failure, frameBytesMax);
    this.text = jsonText(entry);
    this.bytes = utf8Bytes(this.text);
  }

  #omittedSuccess(outcome: OpSucceeded, frameBytesMax: number): JsonObject {
    const { verb } = this.record;
    const { advisories, ...search } = outcome.beside;
    const reducible = verb?.class === "Assertive" && verb.writesOnRead !== true;
    const failure = new VerbFailure(
      "response_frame_budget_exceeded",
      reducible
        ? `the result does not fit an answer of ${frameBytesMax} bytes: narrow it (a smaller limit, fewer fields) and ask again`
        : `the op was carried out, but its result does not fit an answer of ${frameBytesMax} bytes: read the outcome back instead of repeating it`,
      {
        disposition: "committed",
        members: {
          code: "response_frame_budget_exceeded",
          retryable: false,
          recoverable: reducible ? "reduce_result_size" : "read_outcome",
          max_frame_bytes: frameBytesMax,
          ...(Object.keys(search).length > 0 ? { search } : {}),
        },
      },
    );
    this.record = { ...this.record, outcome: { tag: "failed", failure } };
    return {
      ...entryOf(this.record, null),
      ...(advisories === undefined ? {} : { advisories }),
      ...(reducible ? {} : { executed: true }),
    };
  }

  #omittedFailure(failure: VerbFailure, frameBytesMax: number): JsonObject {
    if (failure.kind === "search_incomplete") return entryOf(this.record, null);
    const short = new VerbFailure(failure.kind, `the op failed; what it said does not fit an answer of ${frameBytesMax} bytes`, {
      reason: failure.more.reason,
      disposition: failure.disposition,
    });
    return entryOf({ ...this.record, outcome: { tag: "failed", failure: short } }, null);
  }
}
