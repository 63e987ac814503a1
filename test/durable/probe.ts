/**
 * Starts the probe worker in a Miniflare of its own, and speaks to it. A test makes its own store; nothing is shared.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { Miniflare } from "miniflare";
import { bundle, runtimeOptions, urlOf } from "../../scripts/bundle.mjs";
import { guardChildren } from "../../scripts/state-lock.mjs";
import type { StoreReply } from "../../src/durable/call";
import type { ProbeArgs } from "./probe-worker";

export interface Probe {
  readonly url: URL;
  /** What the objects logged, a line each. */
  readonly lines: string[];
  stop(): Promise<void>;
}

/** JSON of the test's own making; each test knows its shape. */
// biome-ignore lint/suspicious/noExplicitAny: asserted on, never passed on.
type Answer = any;

let count = 0;

export async function startProbe(bindings: Record<string, string | number> = {}): Promise<Probe> {
  const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "dke-durable-"));
  const lines: string[] = [];
  const collect = (stream: Readable): void => {
    let rest = "";
    stream.on("data", (chunk) => {
      const parts = (rest + chunk).split("\n");
      rest = parts.pop()!;
      lines.push(...parts);
    });
  };
  const script = await bundle("test/durable/probe-worker.ts");
  const onOutput = (stdout: Readable, stderr: Readable): void => {
    collect(stdout);
    collect(stderr);
  };
  const miniflare = new Miniflare(
    runtimeOptions(script, { port: 0, stateFolder: folder, bindings: { KEY_CALLS_PER_SECOND: 100_000, ...bindings }, onOutput }),
  );
  const url = new URL(await urlOf(miniflare));
  guardChildren(folder); // a test run that is killed must not leave the runtime behind
  return {
    url,
    lines,
    async stop() {
      await miniflare.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface ProbeKey {
  readonly keyId: string;
  readonly hash: string;
  readonly encryptionKey: string;
}

export interface CallOptions {
  readonly tool?: string;
  readonly requestId?: string | number | null;
  readonly token?: string;
}

export async function ask(probe: Probe, body: object): Promise<Answer> {
  const response = await fetch(probe.url, { method: "POST", body: JSON.stringify(body) });
  const result = (await response.json()) as { value?: unknown; error?: string };
  if (result.error !== undefined) throw new Error(result.error);
  return result.value;
}

/** A store of the test's own. */
export class StoreUnderTest {
  readonly #probe: Probe;
  readonly storeId: string;
  readonly accountId: string;
  readonly keys: { readonly [level: string]: ProbeKey };

  static async make(
    probe: Probe,
    wish: {
      balanceOps?: number;
      callsAtOnceMax?: number;
      accountId?: string;
      levels?: string[];
      expiresInMs?: number;
      passing?: boolean;
    } = {},
  ): Promise<StoreUnderTest> {
    return new StoreUnderTest(
      probe,
      await ask(probe, { do: "make", wish: { balanceOps: wish.accountId === undefined ? 1e14 : undefined, ...wish } }),
    );
  }

  constructor(probe: Probe, made: { storeId: string; accountId: string; keys: { [level: string]: ProbeKey } }) {
    this.#probe = probe;
    this.storeId = made.storeId;
    this.accountId = made.accountId;
    this.keys = made.keys;
  }

  call(
    key: string | ProbeKey,
    args: ProbeArgs | { readonly [name: string]: unknown } = {},
    options: CallOptions = {},
  ): Promise<StoreReply> {
    const { hash, encryptionKey } = typeof key === "string" ? this.keys[key] : key;
    const { tool = "run", requestId = null, token = `token ${++count}` } = options;
    const request = { keyHash: hash, keyEncryptionKey: encryptionKey, tool, args, requestId, cancelToken: token };
    return ask(this.#probe, { do: "call", id: this.storeId, request });
  }

  store(method: string, ...args: unknown[]): Promise<Answer> {
    return ask(this.#probe, { do: "store", id: this.storeId, method, args });
  }

  account(method: string, ...args: unknown[]): Promise<Answer> {
    return ask(this.#probe, { do: "account", id: this.accountId, method, args });
  }

  openGate(gate: string): Promise<void> {
    return ask(this.#probe, { do: "open gate", gate });
  }

  issueForeignKey(seed: string): Promise<{ result: unknown; key: ProbeKey }> {
    return ask(this.#probe, { do: "issue foreign key", id: this.storeId, seed });
  }

  /** The same key under a secret of its own. */
  rotateKey(keyId: string, seed: string): Promise<{ result: unknown; key: ProbeKey }> {
    return ask(this.#probe, { do: "rotate key", id: this.storeId, keyId, seed });
  }

  /** Rows of SQL over the object's database; blobs as hex. */
  query(text: string): Promise<Answer[][]> {
    return this.store("query", text);
  }

  /** Waits until as many calls as this are at work. */
  async until(what: () => Promise<boolean>): Promise<void> {
    for (let i = 0; i < 500; i++) {
      if (await what()) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error("waited too long");
  }
}

let gates = 0;
export function freshGate(): string {
  return `gate ${++gates}`;
}
