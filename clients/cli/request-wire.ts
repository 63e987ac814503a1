/**
 * One request of the one-tool endpoint: an MCP call out, the text of its answer back.
 *
 * The client states its protocol version and the store it means in the call's `_meta`; a service that does not match refuses
 * before anything runs. The text of an answer is kept as it came: JSON numbers beyond 2^53 survive only in it.
 */
import type { Settings } from "./settings.ts";

export const PROTOCOL_VERSION = 5;

/** Refused as a whole: nothing ran. `data` is what the service said beside the message. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly data: { readonly kind?: string; readonly reason?: string },
  ) {
    super(message);
  }
}

/** No answer, or none that can be read: whether anything ran is unknown. */
export class Unreachable extends Error {}

/** An answer: the text as it came, and what it says. */
export type Exchange = { readonly text: string; readonly value: unknown };

type Identity = { readonly namespace?: string | undefined; readonly actor?: string | undefined };

/** Seconds a plan may take; a request waits as long as the service keeps the line alive. */
const PLAN_SECONDS = 30;

export class RequestWire {
  private calls = 0;

  constructor(
    private readonly settings: Settings,
    private readonly identity: Identity,
  ) {}

  /** Parses and looks up, runs nothing; says nothing of who asks. */
  plan(ops: string): Promise<Exchange> {
    return this.call({ ops, plan: true }, {}, PLAN_SECONDS);
  }

  /** Runs operations. */
  run(ops: string, how: { presentation: string; format: string }): Promise<Exchange> {
    return this.call({ ops, ...how }, this.acting());
  }

  /** Runs a JSON batch as one unit, all of it or nothing. */
  runAtomic(ops: string, maxOps: number): Promise<Exchange> {
    return this.call({ ops, presentation: "verbose", format: "json" }, { ...this.acting(), "khive/atomic_max_ops": maxOps });
  }

  private acting(): Record<string, string> {
    const { namespace, actor } = this.identity;
    return {
      ...(namespace === undefined ? {} : { "khive/namespace": namespace }),
      ...(actor === undefined ? {} : { "khive/actor": actor }),
    };
  }

  private async call(args: object, stated: object, seconds?: number): Promise<Exchange> {
    const meta = {
      "khive/protocol_version": PROTOCOL_VERSION,
      ...(this.settings.db === undefined ? {} : { "khive/config_id": this.settings.db }),
      ...stated,
    };
    this.calls += 1;
    const params = { name: "request", arguments: args, _meta: meta };
    const answer = await this.post({ jsonrpc: "2.0", id: this.calls, method: "tools/call", params }, seconds);
    if (answer.error !== undefined) throw new Refused(answer.error.message, answer.error.data ?? {});
    const text = answer.result?.content?.[0]?.text;
    if (typeof text !== "string") throw new Unreachable("the service answered without a text");
    try {
      return { text, value: JSON.parse(text) };
    } catch {
      throw new Unreachable("the service answered with a text that is not JSON");
    }
  }

  private async post(call: object, seconds?: number): Promise<RpcAnswer> {
    let response: Response;
    let body: string;
    try {
      response = await fetch(this.settings.url, {
        method: "POST",
        headers: { Authorization: `Bearer ${this.settings.key}`, "Content-Type": "application/json", Accept: "application/json" },
        body: JSON.stringify(call),
        // A redirect would carry the key to another address than the one given.
        redirect: "error",
        ...(seconds === undefined ? {} : { signal: AbortSignal.timeout(seconds * 1000) }),
      });
      body = await response.text();
    } catch (error) {
      const { message, cause } = error as Error & { cause?: Error };
      throw new Unreachable(`no answer from ${this.settings.url}: ${cause?.message ?? message}`);
    }
    const said = jsonOr(body) as (RpcAnswer & { message?: string; error_description?: string; code?: string }) | undefined;
    if (!response.ok) {
      const sentence = said?.message ?? said?.error_description ?? response.statusText;
      throw new Refused(`HTTP ${response.status}: ${sentence}`, { kind: said?.code ?? `http_${response.status}` });
    }
    if (said === undefined) throw new Unreachable(`${this.settings.url} did not answer with JSON`);
    return said;
  }
}

type RpcAnswer = {
  result?: { content?: { text?: unknown }[] };
  error?: { message: string; data?: { kind?: string; reason?: string } };
};

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
