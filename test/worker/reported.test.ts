/** What users of other services reported and none of ours should meet; each test names the report's number. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SPEC_TOPICS } from "../../src/worker/mcp/tool-introspection";
import type { SpecDocument } from "../../src/worker/spec-document";
import { type ServiceInNode, startInNode } from "./objects-in-node";

const SPEC = Object.fromEntries(
  SPEC_TOPICS.map((topic) => [topic, readFileSync(new URL(`../../src/spec/${topic}.md`, import.meta.url), "utf8")]),
) as SpecDocument;

let service: ServiceInNode;
beforeAll(() => {
  service = startInNode(SPEC, { CALL_LOG: "off" });
});
afterAll(() => service.end());

let lastId = 0;
const send = (key: string, method: string, params?: object, headers: Record<string, string> = {}) =>
  service.fetch(
    new Request("http://127.0.0.1/", {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: ++lastId, method, params }),
    }),
  );
// biome-ignore lint/suspicious/noExplicitAny: an answer is looked at member by member.
async function tool(key: string, name: string, args: object = {}): Promise<any> {
  const answer = await (await send(key, "tools/call", { name, arguments: args })).json();
  return (answer as { result: unknown }).result;
}
const run = (key: string, source: string) => tool(key, "run", { source });
const prints = async (key: string, source: string): Promise<string[]> => {
  const { _meta: meta, content } = await run(key, source);
  if (meta.status !== "success") throw new Error(content[0].text);
  return meta.transcript.filter((e: { kind: string }) => e.kind === "print").map((e: { value: string }) => e.value);
};

describe("connecting", () => {
  it("[A1.15] a call without initialize works, the first on a store as well", async () => {
    const { keys } = await service.newStore();
    expect((await run(keys["read-write"], "print(1)"))._meta.status).toBe("success");
  });

  it("[A1.16] [A3.51] no answer opens a session, a stream or a resumption", async () => {
    const { keys } = await service.newStore();
    const headers = { accept: "text/event-stream, application/json", "mcp-session-id": "abc", "last-event-id": "7" };
    for (const [method, params] of [
      ["initialize", { protocolVersion: "2025-11-25" }],
      ["tools/list", {}],
      ["tools/call", { name: "run", arguments: { source: "print(1)" } }],
    ] as const) {
      const response = await send(keys["read-write"], method, params, headers);
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(response.headers.get("mcp-session-id")).toBeNull();
      expect(await response.text()).not.toMatch(/^(id|event|data):/m);
    }
  });

  it("[A1.18] a thousand connections to a store are one object", async () => {
    const { keys } = await service.newStore();
    const before = service.objectCount();
    const all = Array.from({ length: 1000 }, (_, n) =>
      send(Object.values(keys)[n % 5], "initialize", { clientInfo: { name: `client ${n}`, version: "1" } }),
    );
    for (const response of await Promise.all(all)) expect(response.status).toBe(200);
    expect(service.objectCount()).toBe(before);
  });
});

describe("results", () => {
  it("[A3.34] no result has `structuredContent`; its first text alone answers", async () => {
    const { keys } = await service.newStore();
    const key = keys["read-write-delete"];
    for (const [name, args, says] of [
      ["run", { source: "x = 41\nprint(x + 1)" }, /\n42$/],
      ["compile", { name: "m", source: "def f(n: int):\n    return n\n" }, /m\.f\(n: int\)/],
      ["list", { target: "scripts" }, /m\.f/],
      ["stores", {}, /bytes/],
      ["run", { source: "pin(K.a.x)" }, /K\.a\.x/],
      ["run", { source: "x = " }, /line 1/],
      ["diff", { since: "no_mark" }, /none/],
    ] as const) {
      const result = await tool(key, name, args);
      expect(result).not.toHaveProperty("structuredContent");
      expect(result.content[0].text, name).toMatch(says);
    }
  });

  it("[A3.41] no answer is past 40,000 characters but the whole specification and what a program prints", async () => {
    const { keys } = await service.newStore();
    const key = keys["read-write-delete"];
    const module = `class Item:\n${Array.from({ length: 60 }, (_, n) => `    field_${n}: int\n`).join("")}\n${Array.from({ length: 60 }, (_, n) => `def script_${n}(a: int, b: string):\n    return a\n`).join("\n")}`;
    await tool(key, "compile", { name: "large", source: module });
    await tool(key, "checkpoint", { name: "before" });
    await run(key, 'import large\nfor i in range(300):\n    remember(Item[f"item {i}"].field_1, i, "survey")');
    const answers = [
      ...(await Promise.all(SPEC_TOPICS.map((topic) => tool(key, "spec", { topic })))),
      await tool(key, "list", { target: "scripts" }),
      await tool(key, "list", { target: "kinds" }),
      await tool(key, "info_module", { name: "large" }),
      await tool(key, "checkup"),
      await tool(key, "diff", { since: "before" }),
      await run(key, "import large\nx = subjects(Item)\ny = [current(s.field_1) for s in x]"),
    ];
    for (const { content } of answers) expect(content[0].text.length, content[0].text.slice(0, 60)).toBeLessThan(40_000);
  });

  it("[A3.42] the tools whose answers are long by nature say so", async () => {
    const { keys } = await service.newStore();
    const { result } = (await (await send(keys.read, "tools/list")).json()) as { result: { tools: { name: string; _meta?: object }[] } };
    for (const name of ["spec", "run"])
      expect(result.tools.find((one) => one.name === name)?._meta).toEqual({ "anthropic/maxResultSizeChars": 500_000 });
  });
});

describe("retries and many at once", () => {
  it("[A4.48] the same program twice adds nothing the second time and says so; the same module leaves `updated`", async () => {
    const { keys } = await service.newStore();
    const key = keys["read-write"];
    const source = 'remember(K.a.x, 1, "s")\nremember(K.a.y, "two", "s", valid_from=datetime("2026-01-01T00:00:00Z"))';
    expect((await run(key, source)).content[0].text).toMatch(/^OK program: 2 claims added/);
    expect((await run(key, source)).content[0].text).toBe("OK program: no change");
    const module = { name: "m", source: "def f():\n    return 1\n" };
    await tool(key, "compile", module);
    const [first] = [(await tool(key, "info_module", { name: "m" })).content[0].text];
    await tool(key, "compile", module);
    expect((await tool(key, "info_module", { name: "m" })).content[0].text).toBe(first);
  });

  it("[A5.52] [A5.53] 64 writers of four keys at once lose nothing, and each claim names its writer", { timeout: 120_000 }, async () => {
    const { keys } = await service.newStore();
    const levels = ["read-add", "read-write", "read-write-delete"] as const;
    const keyIds = new Map<string, string>();
    for (const level of levels) keyIds.set(level, (await run(keys[level], "print(1)"))._meta.key_id);
    const ROUNDS = 8;
    await Promise.all(
      Array.from({ length: 64 }, async (_, n) => {
        for (let round = 0; round < ROUNDS; round++) {
          const { content, _meta: meta } = await run(keys[levels[n % 3]], `remember(W["${n}-${round}"].n, ${n}, "s${n}")`);
          expect(meta.status, content[0].text).toBe("success");
        }
      }),
    );
    expect(await prints(keys.read, "print(len(subjects(W)))")).toEqual([String(64 * ROUNDS)]);
    const writers = await prints(keys.read, "for s in subjects(W):\n    c = current(s.n)\n    print(c.value, c.written_by)");
    expect(writers).toHaveLength(64 * ROUNDS);
    for (const line of writers) {
      const [n, writer] = line.split(" ");
      expect(writer).toBe(keyIds.get(levels[Number(n) % 3]));
    }
  });

  it("[A5.57] [A5.59] what was acknowledged is read at once by another key", async () => {
    const { keys } = await service.newStore();
    for (let n = 0; n < 50; n++) {
      await run(keys["read-write"], `update(K.a.n, ${n}, "s")`);
      expect(await prints(keys.read, "print(K.a.n)")).toEqual([String(n)]);
    }
  });

  it("[A5.55] [A5.56] the verdict counts what the store gained and lost, a repetition nothing", async () => {
    const { keys } = await service.newStore();
    const key = keys["read-write-delete"];
    const count = async () => Number((await prints(key, "n = 0\nfor s in subjects(K):\n    n = n + len(history(s.x))\nprint(n)"))[0]);
    for (const [source, tally, gained] of [
      ['remember(K.a.x, 1, "s")\nremember(K.b.x, 1, "s")', "2 claims added", 2],
      ['remember(K.a.x, 1, "s")', "no change", 0],
      ['remember(K.a.x, 2, "t")\nupdate(K.a.x, 2, "t")', "1 claim added", 1],
      ["forget(K.a.x)", "2 claims removed", -2],
      ["forget(K.a.x)", "no change", 0],
    ] as const) {
      const before = await count();
      expect((await run(key, source)).content[0].text.split("\n")[0], source).toBe(`OK program: ${tally}`);
      expect((await count()) - before, source).toBe(gained);
    }
  });

  it("[A5.62] [A5.63] what was forgotten is gone from every read, and the mark brings back that and nothing else", async () => {
    const { keys } = await service.newStore();
    const key = keys["read-write-delete"];
    await run(key, 'remember(K.a.x, "kept", "s")\nremember(K.b.x, "gone", "s")');
    await tool(key, "checkpoint", { name: "mark" });
    await run(key, "forget(K.b.x)");
    expect(await prints(key, "print(get(K.b.x), history(K.b.x), K.b.x, subjects(K), find(K, x='gone'))")).toEqual(["[] [] None [K.a] []"]);
    expect((await tool(key, "restore", { since: "mark" }))._meta.status).toBe("success");
    expect(await prints(key, "print(K.a.x, K.b.x)")).toEqual(["kept gone"]);
  });
});
