/** What callers tell the service: contract §9.9. */
import { describe, expect, it } from "vitest";
import { callTool, freshStore, post } from "./fresh-store";

const send = (key: string, args: Record<string, unknown>) => callTool(key, "report", args);

describe("report", () => {
  it("[9.9] is taken from every key, one at none included, and answers an id", async () => {
    const { keys } = await freshStore();
    for (const key of Object.values(keys)) {
      const { result } = await send(key, { kind: "bug", text: "1 + 1 gave 3", expected: "2", actual: "3", source: "print(1 + 1)" });
      expect(result.isError).toBe(false);
      expect(result._meta.report_id).toMatch(/^rpt_[0-9A-Za-z]{11}$/);
      expect(result._meta).toMatchObject({ status: "success", ops: 0 });
      expect(result.content).toEqual([
        { type: "text", text: `OK report: received as ${result._meta.report_id}. LangSyn keeps it and reads it; no reply is sent.` },
      ]);
    }
  });

  it.each([
    [{ text: "x" }, /`kind` is missing/],
    [{ kind: "praise", text: "x" }, /`kind` takes "bug", "request", "feedback"/],
    [{ kind: "bug" }, /`text` is missing/],
    [{ kind: "bug", text: "" }, /`text` is empty/],
    [{ kind: "bug", text: 1 }, /`text` must be text/],
    [{ kind: "bug", text: "x", expected: 1 }, /`expected` must be text/],
    [{ kind: "bug", text: "x", source: null }, /`source` must be text/],
    [{ kind: "bug", text: "x", urgency: "high" }, /got `urgency`/],
    [{ kind: "bug", text: "x".repeat(32_769) }, /32769 bytes together, want at most 32768/],
    [{ kind: "bug", text: "é".repeat(8192), expected: "x".repeat(8192), actual: "x".repeat(8192), source: "x" }, /32769 bytes/],
  ])("[9.9] %j is -32602", async (args, message) => {
    const { keys } = await freshStore();
    const { error } = await send(keys.read, args);
    expect(error?.code).toBe(-32602);
    expect(error?.message).toMatch(message);
  });

  it("[9.9] takes 32,768 bytes, and 20 a day of one account whatever its key; the next says when", async () => {
    const { keys } = await freshStore();
    expect((await send(keys.read, { kind: "request", text: "é".repeat(16_384) })).result.isError).toBe(false);
    const sent = await Promise.all(
      Array.from({ length: 24 }, (_, i) => send(i % 2 ? keys.none : keys.read, { kind: "feedback", text: `number ${i}` })),
    );
    expect(sent.filter((answer) => answer.result !== undefined)).toHaveLength(19);
    for (const answer of sent) if (answer.error !== undefined) expect(answer.error.code).toBe(-32002);
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "report", arguments: { kind: "bug", text: "x" } },
    });
    const refused = await post(keys["read-write"], body);
    expect(refused.status).toBe(200);
    const retryAfterS = Number(refused.headers.get("retry-after"));
    expect(retryAfterS).toBeGreaterThan(86_000);
    expect(retryAfterS).toBeLessThanOrEqual(86_400);
    const { error } = (await refused.json()) as { error: { code: number; message: string } };
    expect(error.code).toBe(-32002);
    expect(error.message).toContain(`in ${retryAfterS} s`);
    const other = await freshStore();
    expect((await send(other.keys.none, { kind: "bug", text: "x" })).result.isError).toBe(false);
  });
});
