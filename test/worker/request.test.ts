/** The request endpoint through the wire: framing, refusals with their data, plan, keys, files. */
import { describe, expect, inject, it } from "vitest";
import { opsCases } from "../lang/ops/ops-cases";
import { opsText } from "../lang/ops/ops-texts";
import { callTool, freshStore } from "./fresh-store";

let lastId = 0;

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked at member by member.
async function requestRpc(key: string, method: string, params?: unknown): Promise<any> {
  const response = await fetch(new URL("request", inject("serviceUrl")), {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: ++lastId, method, params }),
  });
  expect(response.status).toBe(200);
  return response.json();
}

const request = (key: string, args: Readonly<Record<string, unknown>>) =>
  requestRpc(key, "tools/call", { name: "request", arguments: args });

describe("the request endpoint", () => {
  it("[page] has one tool, request", async () => {
    const { keys } = await freshStore();
    const { result } = await requestRpc(keys["read"], "tools/list");
    expect(result.tools.map((tool: { name: string }) => tool.name)).toEqual(["request"]);
    expect((await requestRpc(keys["read"], "initialize", {})).result.instructions).toContain("verbs()");
    expect((await requestRpc(keys["read"], "tools/call", { name: "run", arguments: { source: "1" } })).error.code).toBe(-32601);
  });

  it("[decision: a verb is described once] serves its reference page", async () => {
    const page = await fetch(new URL("request/reference", inject("serviceUrl")));
    expect(page.headers.get("content-type")).toContain("text/markdown");
    expect(await page.text()).toContain("### stream.append");
  });

  it("[decision: what a request client states] a client that is wrong about the service is told so before anything runs", async () => {
    const { id, keys } = await freshStore();
    const call = (meta: object) => requestRpc(keys["read"], "tools/call", { name: "request", arguments: { ops: "stats()" }, _meta: meta });
    expect((await call({ "khive/protocol_version": 4 })).error).toMatchObject({
      code: -32602,
      data: { kind: "protocol_mismatch", served_protocol_version: 5 },
    });
    expect((await call({ "khive/config_id": "other" })).error).toMatchObject({
      code: -32602,
      data: { kind: "config_mismatch", served_config_id: id },
    });
    const { result } = await call({ "khive/protocol_version": 5, "khive/config_id": id, "khive/actor": "ann", "khive/namespace": "n" });
    expect(result._meta).toMatchObject({ "khive/protocol_version": 5, "khive/config_id": id });
  });

  it("[request facts §5.2] create, link and read back in one chain, as JSON text in content[0]", async () => {
    const { keys } = await freshStore();
    const key = keys["read-write"];
    const doc = await request(key, { ops: 'create(kind="document", name="Paper")', presentation: "verbose" });
    const { id } = JSON.parse(doc.result.content[0].text).results[0].result;
    const answer = await request(key, {
      ops: `create(kind="concept", name="LoRA") | link(source_id=$prev.id, target_id="${id}", relation="introduced_by") | get(id=$prev.id)`,
      request_id: 7,
    });
    expect(answer.result.isError).toBe(false);
    expect(answer.result._meta).toMatchObject({ status: "success", request_id: 7 });
    const body = JSON.parse(answer.result.content[0].text);
    expect(body).toMatchObject({ summary: { total: 3, succeeded: 3, failed: 0, aborted: 0 }, status: "success" });
    expect(body.results[0].result.id).toHaveLength(8);
    expect(body.results[2].result).toMatchObject({ target_id: id, relation: "introduced_by" });
    const run = await request(key, { ops: `dke.run(source="import kg\\nprint(len(subjects(Concept)), len(subjects(Document)))")` });
    expect(JSON.parse(run.result.content[0].text).results[0].result).toMatchObject({
      status: "success",
      printed: ["1 1"],
      ops: expect.any(Number),
    });
  });

  it("[request facts §4] a label of 64 bits comes back with all its digits, and what is no such integer is refused", async () => {
    const { keys } = await freshStore();
    const answered = async (label: string) => {
      const response = await fetch(new URL("request", inject("serviceUrl")), {
        method: "POST",
        headers: { authorization: `Bearer ${keys["read-write"]}`, "content-type": "application/json" },
        body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"request","arguments":{"ops":"[stats()]","request_id":${label}}}}`,
      });
      return response.text();
    };
    for (const label of ["0", "9007199254740991", "9007199254740993", "18446744073709551615"])
      expect(await answered(label)).toContain(`"request_id":${label}}`);
    for (const label of ["-1", "1.5", "18446744073709551616", "1e30", "-9007199254740993", '"7"'])
      expect(JSON.parse(await answered(label)).error).toMatchObject({ code: -32602, data: { kind: "invalid_input" } });
    expect(await answered(`9007199254740993, "format_per_op": ${"[".repeat(5000)}${"]".repeat(5000)}`)).toContain("-32602");
  });

  it("[request facts §5.1] a syntax failure is -32602 with its kind, at any level; nothing runs", async () => {
    const { keys } = await freshStore();
    const { error } = await request(keys["none"], { ops: "ping(" });
    expect(error).toMatchObject({
      code: -32602,
      data: {
        reason: "parse-error",
        kind: "parse_error",
        syntax: "unclosed_call",
        domain_disposition: "not_committed",
        message: error.message,
      },
    });
    expect((await request(keys["none"], { ops: "ping()", format: "yaml" })).error).toMatchObject({
      code: -32602,
      data: { kind: "invalid_input", domain_disposition: "not_committed" },
    });
  });

  it("[request facts §13] the given parse cases answer the same through the wire", async () => {
    const { keys } = await freshStore();
    for (const one of opsCases("parse").filter((_, index) => index % 5 === 0)) {
      const { result, error } = await request(keys["read"], { ops: one.ops, plan: true });
      expect(error, one.name).toBeUndefined();
      const plan = JSON.parse(result.content[0].text);
      expect([one.name, plan.parsed, plan.stage_count]).toEqual([one.name, one.expect["parsed"], one.expect["stage_count"]]);
      if (one.expect["parsed"] === false) {
        const plain = await request(keys["read"], { ops: one.ops });
        expect([plain.error.message, plain.error.data.syntax]).toEqual([plan.error, plan.syntax]);
      }
    }
  });

  it("[request facts §3] any text is answered: refused as it is written, or run with an entry for each op", async () => {
    const { keys } = await freshStore();
    let ran = 0;
    for (let seed = 1; seed <= 150; seed++) {
      const { result, error } = await request(keys["read-write"], { ops: opsText(seed) });
      if (error !== undefined) {
        expect([error.code, error.data.kind]).toEqual([-32602, "parse_error"]);
        continue;
      }
      ran++;
      const { results, summary } = JSON.parse(result.content[0].text);
      expect(results).toHaveLength(summary.total);
    }
    expect(ran).toBeGreaterThan(10);
  });

  it("[contract §9.8] stop ends a request at its next statement; what ran before it stays, the rest is not begun", async () => {
    const { keys } = await freshStore();
    const key = keys["read-write"];
    const loop = "for i in range(10000000):\\n    for j in range(10000000):\\n        x = i + j";
    const running = request(key, {
      ops: `[create(kind="concept", name="A"), dke.run(source="${loop}"), create(kind="concept", name="B")]`,
    });
    let outcome = "idle";
    while (outcome === "idle") outcome = (await callTool(key, "stop")).result._meta.outcome;
    expect(["stopped", "stopping"]).toContain(outcome);
    const { results } = JSON.parse((await running).result.content[0].text);
    expect(results.map((one: { ok: boolean }) => one.ok)).toEqual([true, false, false]);
    expect(results[1].error.message).toContain("stopped");
    expect(results[2].error.kind).toBe("cancelled");
  });

  it("[contract §9.8] stop says stopped of a request whose last op it ended at a statement", async () => {
    const { keys } = await freshStore();
    const key = keys["read-write"];
    const loop = "for i in range(10000000):\\n    for j in range(10000000):\\n        x = i + j";
    const running = request(key, { ops: `dke.run(source="${loop}")` });
    let outcome = "idle";
    while (outcome === "idle" || outcome === "stopping") outcome = (await callTool(key, "stop")).result._meta.outcome;
    expect(outcome).toBe("stopped");
    expect(JSON.parse((await running).result.content[0].text).results[0].error.message).toContain(
      "the run was stopped before this statement",
    );
  });

  it("[contract §6] a call that names no tool is -32602, one that names another -32601", async () => {
    const { keys } = await freshStore();
    for (const params of [undefined, {}, { name: 5 }])
      expect((await requestRpc(keys["read"], "tools/call", params)).error.code).toBe(-32602);
    expect((await requestRpc(keys["read"], "tools/call", { name: "run", arguments: {} })).error.code).toBe(-32601);
  });

  it("[request facts §4.3] save_to writes a file that a key of the store can fetch, and nobody else", async () => {
    const { keys } = await freshStore();
    const other = await freshStore();
    const key = keys["read-write"];
    const { result } = await request(key, {
      ops: '[create(kind="concept", name="A"), get(id="ffffffff"), stats()]',
      save_to: "out/first.jsonl",
    });
    const manifest = JSON.parse(result.content[0].text);
    expect(manifest).toMatchObject({
      path: "/request/exports/out/first.jsonl",
      rows: 3,
      summary: { total: 3, succeeded: 2, failed: 1, aborted: 0 },
      failures: [{ op_index: 1, tool: "get" }],
      checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
      schema_fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(manifest.per_column_null_counts["result.description"]).toBe(1);
    const fetched = (as: string) => fetch(new URL(manifest.path, inject("serviceUrl")), { headers: { authorization: `Bearer ${as}` } });
    const file = await fetched(keys["read"]);
    const text = await file.text();
    expect(
      text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).ok),
    ).toEqual([true, false, true]);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    expect(Buffer.from(digest).toString("hex")).toBe(manifest.checksum);
    expect((await fetched(other.keys["read"])).status).toBe(404);
    expect((await fetched(keys["none"])).status).toBe(404);
    for (const path of ["../x", "/etc/x", "a//b", ""])
      expect((await request(key, { ops: "stats()", save_to: path })).error.message).toContain("save_to:");
  });
});
