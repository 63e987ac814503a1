/** The command line against an endpoint that answers as told: what is sent, what is printed, with which exit code. */
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { main } from "../../clients/cli/exec";

type Call = { arguments: { ops: string; plan?: boolean; presentation?: string; format?: string }; _meta: Record<string, unknown> };

let server: Server;
let url: string;
let calls: Call[];
let headers: string[];
let reply: (call: Call) => object;
const folder = mkdtempSync(join(tmpdir(), "kkernel-"));

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    const { id, params } = JSON.parse(body);
    calls.push(params);
    headers.push(request.headers.authorization ?? "");
    const said = reply(params) as { http?: number; raw?: string };
    response.statusCode = said.http ?? 200;
    response.end(said.raw ?? JSON.stringify({ jsonrpc: "2.0", id, ...said }));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}/request`;
});
afterAll(() => server.close());
beforeEach(() => {
  calls = [];
  headers = [];
  reply = (call) => (call.arguments.plan ? text(planOf(call.arguments.ops)) : text(worked(1)));
});

function text(value: object | string): object {
  return { result: { content: [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }] } };
}

function worked(count: number, failed = 0): object {
  const results = Array.from({ length: count }, (_, i) =>
    i < failed ? { ok: false, tool: "get", error: "not found" } : { ok: true, tool: "get", result: { id: i } },
  );
  const summary = { total: count, succeeded: count - failed, failed, aborted: 0 };
  return { results, summary, status: failed === 0 ? "success" : "partial" };
}

/** A plan of a JSON batch: one stage an operation; `nobody` is a verb that is not there, a text with `$prev` does not parse. */
function planOf(ops: string): object {
  const limits = { max_ops: 100, max_depth: 64, max_input_len: 1_048_576 };
  if (ops.includes('"$prev"')) return { parsed: false, error: "$prev needs a chain", limits };
  const stages = (JSON.parse(ops) as { tool: string }[]).map(({ tool }, index) => ({ index, verb: tool, known: tool !== "nobody" }));
  return { parsed: true, mode: "parallel", stage_count: stages.length, stages, limits };
}

async function run(words: string[], environment: Record<string, string> = {}) {
  const said = { out: "", err: "" };
  const code = await main(
    ["exec", ...words],
    { KHIVE_URL: url, KHIVE_KEY: "dke_s_key", XDG_CONFIG_HOME: folder, ...environment },
    (piece) => (said.out += piece),
    (piece) => (said.err += piece),
  );
  return { code, ...said };
}

function file(name: string, ...lines: string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

describe("kkernel exec", () => {
  it("prints the answer as it came, digits beyond 2^53 and all, and states version 5", async () => {
    const big =
      '{"results":[{"ok":true,"tool":"a","result":18446744073709551615}],"summary":{"total":1,"succeeded":1,"failed":0,"aborted":0}}';
    reply = () => text(big);
    expect(await run(["a()"])).toEqual({ code: 0, out: `${big}\n`, err: "" });
    expect(calls[0]).toEqual({
      name: "request",
      arguments: { ops: "a()", presentation: "verbose", format: "json" },
      _meta: { "khive/protocol_version": 5 },
    });
    expect(headers[0]).toBe("Bearer dke_s_key");
  });

  it("sends what flags and environment say: store, namespace, actor, presentation, format", async () => {
    await run(["a()", "--db", "s1", "--namespace", "n", "--actor", "ann", "--presentation", "agent"], { KHIVE_OUTPUT_FORMAT: "table" });
    expect(calls[0]?._meta).toEqual({
      "khive/protocol_version": 5,
      "khive/config_id": "s1",
      "khive/namespace": "n",
      "khive/actor": "ann",
    });
    expect(calls[0]?.arguments).toEqual({ ops: "a()", presentation: "agent", format: "table" });
  });

  it("reads the configuration file; environment wins over it, a flag over both", async () => {
    const config = file("config.json", JSON.stringify({ url, key: "from-file", db: "file-store" }));
    await run(["a()", "--config", config], { KHIVE_KEY: "", DKE_KEY: "", KHIVE_URL: "" });
    await run(["a()", "--config", config, "--key", "from-flag", "--db", "flag-store"]);
    expect(headers).toEqual(["Bearer from-file", "Bearer from-flag"]);
    expect(calls.map((call) => call._meta["khive/config_id"])).toEqual(["file-store", "flag-store"]);
  });

  it.each([
    [0, [3, 0], []],
    [0, [3, 2], []],
    [1, [3, 2], ["--strict"]],
    [1, [3, 3], []],
  ] as const)("exits %i for [operations, failed] %j with %j", async (code, [count, failed], flags) => {
    reply = () => text(worked(count, failed));
    expect((await run(["[a(), b(), c()]", ...flags])).code).toBe(code);
  });

  it("prints a syntax error as an object that says nothing started, and exits 1", async () => {
    reply = () => ({
      error: { code: -32602, message: "strings need double quotes", data: { reason: "parse-error", kind: "parse_error" } },
    });
    const { code, out } = await run(["a(x=y)"]);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({
      error: { code: "invalid_params", message: "strings need double quotes", reason: "parse-error" },
      invocation: { started: false },
    });
  });

  it.each([
    ["another store", { error: { code: -32602, message: "other", data: { kind: "config_mismatch" } } }, "config_mismatch", false],
    ["a refused key", { http: 401, raw: '{"code":"AUTH_EMPTY_TOKEN","message":"empty"}' }, "AUTH_EMPTY_TOKEN", false],
    ["an answer that is no JSON", { raw: "<html>" }, "transport", "unknown"],
    ["an answer without a text", { result: {} }, "transport", "unknown"],
  ])("tells %s apart", async (_what, said, code, started) => {
    reply = () => said;
    const answer = await run(["a()"]);
    expect(answer.code).toBe(1);
    expect(JSON.parse(answer.out)).toMatchObject({ error: { code }, invocation: { started } });
  });

  it("makes a plan with no identity, exits 0 whether it parsed or not, and takes no flag of running beside it", async () => {
    for (const ops of ['[{"tool":"a"}]', '[{"tool":"a","args":{"x":"$prev"}}]']) {
      const { code, out } = await run(["--plan", ops, "--db", "s1"]);
      expect([code, JSON.parse(out)]).toEqual([0, planOf(ops)]);
    }
    expect(calls[0]).toMatchObject({ arguments: { plan: true }, _meta: { "khive/protocol_version": 5, "khive/config_id": "s1" } });
    expect(Object.keys(calls[0]!.arguments).sort()).toEqual(["ops", "plan"]);
    calls = [];
    const others = ["--presentation=agent", "--strict", "--output-format=json", "--save-file=f", "--ops-file=f", "--dry-run", "--serial"];
    for (const flag of [...others, "--atomic", "--atomic-max-ops=3", "-v", "--actor=a", "--expect-actor=a", "--namespace=n"]) {
      expect((await run(["--plan", "a()", flag])).code, flag).toBe(2);
    }
    expect(calls).toEqual([]);
  });

  it.each([
    [[]],
    [["a()", "b()"]],
    [["a()", "--serial"]],
    [["a()", "--nope"]],
    [["--ops-file", "f", "--serial", "--atomic"]],
    [["a()", "--pending-events"]],
  ])("refuses the command line %j with exit code 2 and sends nothing", async (words) => {
    const { code, out, err } = await run(words);
    expect([code, out, calls]).toEqual([2, "", []]);
    expect(err).toMatch(/^kkernel: \S/);
  });

  it("asks who acts before it runs anything where an actor is expected", async () => {
    reply = (call) =>
      text(call.arguments.ops === "whoami()" ? { results: [{ ok: true, tool: "whoami", result: { actor_id: "ann" } }] } : worked(1));
    expect((await run(["a()", "--expect-actor", "ann"])).code).toBe(0);
    expect((await run(["a()", "--expect-actor", "bob"])).code).toBe(1);
    expect(calls.map((call) => call.arguments.ops)).toEqual(["whoami()", "a()", "whoami()"]);
  });

  it("keeps rows in a file, whole, and prints a manifest that holds", async () => {
    const rows = [
      '{"ok":true,"tool":"a","result":{"t":"x,]\\"}","n":18446744073709551615}}',
      '{"ok":false,"tool":"b","error":"no","result":null}',
    ];
    reply = () => text(`{"results":[ ${rows.join(" , ")} ],"summary":{"total":2,"succeeded":1,"failed":1,"aborted":0}}`);
    const path = join(folder, "deep", "rows.jsonl");
    const { code, out } = await run(["[a(), b()]", "--save-file", path, "--presentation", "agent"]);
    expect(code).toBe(0);
    const kept = readFileSync(path, "utf8");
    expect(kept).toBe(`${rows.join("\n")}\n`);
    expect(JSON.parse(out)).toEqual({
      path,
      rows: 2,
      per_column_null_counts: { error: 1, ok: 0, result: 1, tool: 0 },
      schema_fingerprint: createHash("sha256").update("error\nok\nresult\ntool").digest("hex"),
      checksum: createHash("sha256").update(kept).digest("hex"),
      summary: { total: 2, succeeded: 1, failed: 1, aborted: 0 },
      failures: [{ op_index: 1, tool: "b", error: "no" }],
    });
    expect(readdirSync(join(folder, "deep"))).toEqual(["rows.jsonl"]);
    expect(calls[0]?.arguments.presentation).toBe("verbose");
  });
});

describe("kkernel exec --ops-file", () => {
  const op = (n: number) => JSON.stringify({ tool: "get", args: { id: `${n}` } });

  it("plans the whole file, then runs it in batches of a hundred, in order", async () => {
    reply = (call) => text(call.arguments.plan ? planOf(call.arguments.ops) : worked(JSON.parse(call.arguments.ops).length));
    const path = file("many.jsonl", ...Array.from({ length: 250 }, (_, i) => (i % 50 === 0 ? `\n${op(i)}` : op(i))));
    const { code, out, err } = await run(["--ops-file", path, "-v"]);
    expect(code).toBe(0);
    expect(calls.map((call) => [call.arguments.plan === true, JSON.parse(call.arguments.ops).length])).toEqual([
      [true, 100],
      [true, 100],
      [true, 50],
      [false, 100],
      [false, 100],
      [false, 50],
    ]);
    expect(
      calls.slice(3).flatMap((call) => JSON.parse(call.arguments.ops).map((one: { args: { id: string } }) => Number(one.args.id))),
    ).toEqual(Array.from({ length: 250 }, (_, i) => i));
    expect(JSON.parse(out)).toMatchObject({ summary: { total: 250, succeeded: 250 }, status: "success" });
    expect(err).toContain("batch 3 of 3");
  });

  it.each([
    ["no JSON", [op(1), "nope"], "line 2: "],
    ["a list", [op(1), "", "[]"], "line 3: "],
    ["no tool", ['{"args":{}}'], "line 1: tool must be a text"],
    ["args that are no object", ['{"tool":"a","args":null}'], "line 1: args must be an object"],
    ["what the service does not parse", [op(1), '{"tool":"a","args":{"x":"$prev"}}'], "line 2: $prev needs a chain"],
    ["an operation longer than a request", [JSON.stringify({ tool: "a", args: { x: "y".repeat(1_100_000) } })], "line 1: "],
    ["nothing", ["", ""], "the file holds no operation"],
  ])("refuses a file with %s by line, before anything runs", async (_what, lines, said) => {
    const { code, out } = await run(["--ops-file", file("bad.jsonl", ...lines)]);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ error: { message: expect.stringContaining(said) }, invocation: { started: false } });
    expect(calls.filter((call) => !call.arguments.plan)).toEqual([]);
  });

  it("splits by bytes too: no batch is over 1 MiB", async () => {
    const long = (n: number) => JSON.stringify({ tool: "get", args: { id: `${n}`, x: "y".repeat(400_000) } });
    reply = (call) => text(call.arguments.plan ? planOf(call.arguments.ops) : worked(JSON.parse(call.arguments.ops).length));
    expect((await run(["--ops-file", file("long.jsonl", long(1), long(2), long(3))])).code).toBe(0);
    expect(calls.map((call) => JSON.parse(call.arguments.ops).length)).toEqual([2, 1, 2, 1]);
    for (const call of calls) expect(Buffer.byteLength(call.arguments.ops)).toBeLessThanOrEqual(1_048_576);
  });

  it("only says what would run with --dry-run, one operation a request with --serial", async () => {
    const path = file("few.jsonl", op(1), '{"tool":"nobody"}', op(3));
    const dry = await run(["--ops-file", path, "--dry-run"]);
    expect(JSON.parse(dry.out)).toEqual({ dry_run: true, ops: 3, batches: 1, unknown_verbs: ["nobody"] });
    expect(calls.every((call) => call.arguments.plan)).toBe(true);
    calls = [];
    await run(["--ops-file", path, "--serial"]);
    expect(calls.filter((call) => !call.arguments.plan).map((call) => call.arguments.ops)).toEqual([
      `[${op(1)}]`,
      '[{"tool":"nobody"}]',
      `[${op(3)}]`,
    ]);
  });

  it("sends one unit with --atomic: exit 0 once it is kept, 1 where it was rolled back or is too long", async () => {
    const path = file("unit.jsonl", op(1), op(2));
    reply = () => text({ ...worked(2), atomic: { committed: true, status: "committed" } });
    expect((await run(["--ops-file", path, "--atomic"])).code).toBe(0);
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({ arguments: { ops: `[${op(1)},${op(2)}]` }, _meta: { "khive/atomic_max_ops": 2000 } });
    reply = () => text({ ...worked(2, 1), atomic: { committed: false, status: "rolled_back" } });
    expect((await run(["--ops-file", path, "--atomic"])).code).toBe(1);
    calls = [];
    expect((await run(["--ops-file", path, "--atomic", "--atomic-max-ops", "1"])).code).toBe(1);
    expect((await run(["--ops-file", path, "--atomic", "--atomic-max-ops", "some"])).code).toBe(2);
    expect(calls).toEqual([]);
  });
});
