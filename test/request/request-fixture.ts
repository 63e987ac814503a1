/** A store over the WebAssembly SQLite with the request endpoint on it: requests in, envelopes out, no platform between. */
import type { Level } from "../../src/engine/claim";
import { hashedVector } from "../../src/request/meaning/hashing-embedder";
import { OpenRequestStore, type RequestOptions } from "../../src/request/open-request-store";
import type { Embedded, ToolAnswer } from "../../src/tools/answer";
import { CipherNode } from "../engine/cipher-node";
import { SqlNode } from "../engine/sql-node";

const IDENTITY = { storeId: "store1", createdAtMicros: 1_700_000_000_000_000 };

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked at member by member.
export type Answered = any;

export class RequestFixture {
  readonly sql = new SqlNode();
  readonly #cipher = new CipherNode();
  readonly #options: RequestOptions;
  store: OpenRequestStore;
  clock = 1_767_225_600_000_000;
  /** Every text that was embedded. */
  readonly embedded: string[] = [];
  /** What others do while a request waits for a change, one after the other; gives how many milliseconds that took. */
  readonly whileWaiting: ((msMax: number) => number)[] = [];
  failure: Extract<Embedded, { tag: "failed" }> | null = null;

  constructor(options: RequestOptions = {}) {
    this.#options = options;
    this.store = new OpenRequestStore(this.sql, this.#cipher, IDENTITY, options);
  }

  /** What texts become, where `embeddingModel` is set. */
  embed(texts: readonly string[]): Embedded {
    this.embedded.push(...texts);
    return this.failure ?? { tag: "vectors", vectors: texts.map(hashedVector) };
  }

  call(
    tool: string,
    args: { [name: string]: unknown },
    more: { level?: Level; opsMax?: number; slice?: number; keyId?: string } = {},
  ): ToolAnswer {
    const task = this.store.startTool({
      tool,
      args,
      caller: { keyId: more.keyId ?? "key_1", level: more.level ?? "read-write-delete" },
      wallMicros: (this.clock += 1_000_000),
      opsMax: more.opsMax ?? 50_000_000,
      opsMaxIsCredit: false,
    });
    while (!this.sql.transaction(() => task.advance(more.slice ?? 50_000))) {
      const texts = task.waitsFor ?? null;
      if (texts !== null) task.provide?.(this.embed(texts));
      const awaitsMs = task.awaitsChangeMs ?? null;
      if (awaitsMs === null) continue;
      // Without anyone else at work the task is left to find that its time is up.
      const waitedMs = this.whileWaiting.shift()?.(awaitsMs);
      if (waitedMs !== undefined) task.changeAwaited?.(waitedMs);
    }
    return task.answer();
  }

  /** The whole envelope. Results are as they are, unless `params` says otherwise. */
  request(ops: string, params: { [name: string]: unknown } = {}, more: Parameters<RequestFixture["call"]>[2] = {}): Answered {
    return JSON.parse(this.call("request", { ops, presentation: "verbose", ...params }, more).text);
  }

  /** The result of the last op, which must have succeeded. */
  result(ops: string, more: Parameters<RequestFixture["call"]>[2] = {}): Answered {
    const { results } = this.request(ops, {}, more);
    const last = results.at(-1);
    if (last.ok !== true) throw new Error(JSON.stringify(last));
    return last.result;
  }

  /** The error of the last op, which must have failed. */
  error(ops: string, more: Parameters<RequestFixture["call"]>[2] = {}): Answered {
    const last = this.request(ops, {}, more).results.at(-1);
    if (last.ok !== false) throw new Error(`no failure: ${JSON.stringify(last)}`);
    return last.error;
  }

  run(source: string): string {
    return this.call("run", { source }).text;
  }

  reopen(options: RequestOptions = this.#options): void {
    this.store = new OpenRequestStore(this.sql, this.#cipher, IDENTITY, options);
  }
}
