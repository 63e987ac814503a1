/** What is kept of a report, and what its sender hears where none is: contract §9.9. In plain Node, over a directory that tells what it was asked. */
import { describe, expect, it, vi } from "vitest";
import type { StoreReply } from "../../src/durable/call";
import { createApp } from "../../src/worker/app";
import type { Env, StoreStub } from "../../src/worker/env";
import { formatStoreKey } from "../../src/worker/key";
import type { SpecDocument } from "../../src/worker/spec-document";

const KEY = formatStoreKey({ objectId: "ab".repeat(32), secret: new Uint8Array(32).fill(1) });
const IDENTITY = { tenantId: "acct_7", keyId: "key_1", level: "none", answeredAt: "2026-11-30T12:00:00.000000Z" } as const;

interface Kept {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** A report sent to a service with that directory. */
async function report(
  directory: D1Database | undefined,
  args: object,
): Promise<{ result?: { isError: boolean }; error?: { code: number; message: string } }> {
  const admit: StoreReply = { tag: "admitted", identity: IDENTITY };
  const stub = {
    call: async () => admit,
    cancel: async () => {},
    cancelRequest: async () => {},
    recordClient: async () => {},
    provision: async () => {},
  };
  const STORE = {
    idFromString: (hex: string) => hex as unknown as DurableObjectId,
    newUniqueId: () => "" as unknown as DurableObjectId,
    get: () => stub as StoreStub,
  };
  const env: Env = { STORE, OWN_ORIGINS: "", FLOOD_PER_S: 100, CALL_LOG: "off", ...(directory && { DIRECTORY: directory }) };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "report", arguments: args } });
  const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} } as unknown as ExecutionContext;
  const response = await createApp({} as SpecDocument).request(
    "/",
    { method: "POST", headers: { authorization: `Bearer ${KEY}` }, body },
    env,
    context,
  );
  return (await response.json()) as Awaited<ReturnType<typeof report>>;
}

function directory(kept: Kept[], fails = false): D1Database {
  const prepare = (sql: string) => ({
    bind: (...values: unknown[]) => ({
      run: async () => {
        if (fails) throw new Error("D1_ERROR: no such host");
        kept.push({ sql, values });
        return { meta: { changes: 1 } };
      },
    }),
  });
  return { prepare } as unknown as D1Database;
}

describe("report", () => {
  it("[9.9] keeps the four fields as sent and adds the account, the product and the release, and when; nothing else", async () => {
    const kept: Kept[] = [];
    const { result } = await report(directory(kept), {
      kind: "bug",
      text: "it said 3",
      expected: "2",
      actual: "3",
      source: "print(1 + 1)",
    });
    expect(result?.isError).toBe(false);
    expect(kept).toHaveLength(1);
    const columns = /INSERT INTO report \(([^)]*)\)/.exec(kept[0]!.sql)![1]!.split(", ");
    expect(columns).toEqual([
      "id",
      "account_id",
      "product",
      "stage",
      "api_version",
      "revision",
      "kind",
      "text",
      "expected",
      "actual",
      "source",
      "received_ms",
    ]);
    expect(kept[0]!.sql).toContain("'DKE'");
    const texts = kept[0]!.values.filter((value) => typeof value === "string" && !value.startsWith("rpt_"));
    expect(new Set(texts)).toEqual(new Set(["acct_7", "alpha", "1.3", "bug", "it said 3", "2", "3", "print(1 + 1)"]));
    expect(kept[0]!.values).toContain(159);
    expect(JSON.stringify(kept)).not.toContain("key_1");
  });

  it("[9.9] to a server that takes none is told so: -32000", async () => {
    expect((await report(undefined, { kind: "bug", text: "x" })).error).toEqual({
      code: -32000,
      message: "This server does not take reports.",
    });
  });

  it("[9.9] that could not be received is told so, without saying why, and the log has nothing of it: -32000", async () => {
    const kept: Kept[] = [];
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const { error } = await report(directory(kept, true), { kind: "bug", text: "swordfish", source: "print('herring')" });
    const logged = JSON.stringify(log.mock.calls);
    log.mockRestore();
    expect(logged).toContain("keepReport");
    expect(logged).not.toMatch(/swordfish|herring/);
    expect(error).toEqual({
      code: -32000,
      message: "Your report could not be received right now. Send it again later.",
    });
    expect(kept).toEqual([]);
  });
});
