/** Every tool and the kinds of statement, at each of the five access levels (rulings, "Levels"), and the shape of every answer (contract §5). */
import { beforeAll, describe, expect, it } from "vitest";
import { LEVELS, type Level } from "../../src/engine/claim";
import { toolNamed } from "../../src/worker/mcp/tools";
import { callTool, type FreshStore, freshStore, rpc } from "./fresh-store";

let store: FreshStore;
const MODULE =
  "class Person:\n    name: string\n    age: int\n\n@rule\ndef adult(p: Person):\n    when(p.age >= 18)\n    conclude(p.grown, True)\n\ndef hello(name: string):\n    return 'hello ' + name\n";

beforeAll(async () => {
  store = await freshStore();
  const compiled = await callTool(store.keys["read-write"], "compile", { name: "people", source: MODULE });
  if (compiled.result?.isError !== false) throw new Error(JSON.stringify(compiled));
  await callTool(store.keys["read-add"], "checkpoint", { name: "start" });
});

/** Tool, arguments, and the least level at which it is allowed. */
const TOOLS: readonly (readonly [string, Record<string, unknown>, Level])[] = [
  ["spec", { topic: "types" }, "none"],
  ["report", { kind: "feedback", text: "x" }, "none"],
  ["run", { source: "print(1)" }, "read"],
  ["info", { name: "people.hello" }, "read"],
  ["list", { target: "scripts" }, "read"],
  ["list", { target: "rules" }, "read"],
  ["list", { target: "kinds" }, "read"],
  ["list", { target: "checkpoints" }, "read"],
  ["diff", { since: "start" }, "read"],
  ["list_modules", {}, "read"],
  ["checkup", {}, "read"],
  ["info_module", { name: "people" }, "read"],
  ["stores", {}, "read"],
  ["stop", {}, "read-add"],
  ["compile", { name: "people", source: MODULE }, "read-write"],
  ["forget", { name: "people.nothing" }, "read-write-delete"],
  ["forget_rule", { name: "people.nothing" }, "read-write-delete"],
  ["forget_constraint", { name: "people.nothing" }, "read-write-delete"],
  ["forget_checkpoint", { name: "nothing" }, "read-write-delete"],
  ["restore", { since: "start" }, "read-write-delete"],
];

const STATEMENTS: readonly (readonly [string, string, Level])[] = [
  ["a read", "print(get(Mark.m.n))", "read"],
  ["a read over an import", "import people\nprint(people.hello('x'))", "read"],
  ["remember", 'remember(Mark.LEVEL.n, 1, "t")', "read-add"],
  ["an update that supersedes nothing", 'update(Mark.LEVEL.u, 1, "t")', "read-add"],
  ["an update that supersedes", 'update(Fixed.f.n, "LEVEL", "t")', "read-write"],
  ["pin", "pin(Fixed.f.n)", "read-write"],
  ["forget", "forget(Fixed.f.n)", "read-write-delete"],
];

const rank = (level: Level) => LEVELS.indexOf(level);

describe("levels", () => {
  it("[C7.14] the table has every tool that is served", async () => {
    const listed = (await rpc(store.keys.none, "tools/list")).result.tools.map((tool: { name: string }) => tool.name);
    expect(listed.filter((name: string) => !TOOLS.some(([tool]) => tool === name))).toEqual(["checkpoint", "forget_module"]);
  });

  it("[rulings, Levels] checkpoint under a new name needs read-add, moving a mark what restore needs", async () => {
    for (const level of LEVELS) {
      const name = `at_${level.replaceAll("-", "_")}`;
      const fresh = await callTool(store.keys[level], "checkpoint", { name });
      expectEnvelope(fresh.result, "checkpoint");
      expect(fresh.result._meta.status, level).toBe(rank(level) >= rank("read-add") ? "success" : "refuse");
      const moved = await callTool(store.keys[level], "checkpoint", { name: "start" });
      if (level === "read-write-delete") expect(moved.result.isError).toBe(false);
      else expect(moved.result._meta, level).toMatchObject({ status: "refuse", refuse_reason: "scope_forbidden" });
    }
  });

  it.each(TOOLS)("[C7.14] %s %j needs %5$s [C7.16] [A5.64]", async (tool, args, least) => {
    for (const level of LEVELS) {
      const answer = await callTool(store.keys[level], tool, args);
      expectEnvelope(answer.result, tool);
      if (rank(level) >= rank(least)) expect(answer.result.isError, `${level}: ${answer.result.content[0].text}`).toBe(false);
      else expect(answer.result._meta, level).toMatchObject({ status: "refuse", refuse_reason: "scope_forbidden" });
    }
  });

  it.each(STATEMENTS)("[rulings] %s", async (_, source, least) => {
    for (const level of [...LEVELS].reverse()) {
      await callTool(store.keys["read-write-delete"], "run", { source: 'remember(Fixed.f.n, 1, "t")\nunpin(Fixed.f.n)' });
      const answer = await callTool(store.keys[level], "run", { source: source.replaceAll("LEVEL", `at_${level.replaceAll("-", "_")}`) });
      expectEnvelope(answer.result, "run");
      if (rank(level) >= rank(least)) expect(answer.result.isError, `${level}: ${answer.result.content[0].text}`).toBe(false);
      else expect(answer.result._meta, level).toMatchObject({ status: "refuse", refuse_reason: "scope_forbidden" });
    }
  });

  it("[9.4] forget_module, last: only with delete, and then it is gone", async () => {
    for (const level of LEVELS) {
      const answer = await callTool(store.keys[level], "forget_module", { name: "people", confirm: true });
      expectEnvelope(answer.result, "forget_module");
      expect(answer.result._meta.status).toBe(level === "read-write-delete" ? "success" : "refuse");
    }
    expect((await callTool(store.keys.read, "info_module", { name: "people" })).result._meta.status).toBe("engine_error");
  });
});

describe("envelope", () => {
  it.each([
    ["run", { source: "x = 1\nprint(x)" }, "success"],
    ["run", { source: "x = 1 / 0" }, "refuse"],
    ["run", { source: "x = 1 +" }, "compile_error"],
    ["run", { source: "import nowhere" }, "engine_error"],
    ["run", { source: "# nothing" }, "refuse"],
    ["run", { source: "def f():\n    return 1" }, "refuse"],
    ["run", { source: 'print("\ud83d\ude00")' }, "success"],
    ["run", { source: "# dke: edition=python.1 language=eng.1\nprint(1)" }, "success"],
    ["run", { source: "# dke: language=eng\r\nprint(1)" }, "success"],
    ["run", { source: "half = '\ud800'" }, "compile_error"],
    ["compile", { name: "one", source: "def f():\n    return 1\n", version: "2.1.0" }, "success"],
    ["compile", { name: "one" }, "success"],
    ["compile", { name: "two" }, "engine_error"],
    ["compile", { name: "three", source: "def f(:\n" }, "compile_error"],
    ["info", { name: "one.nothing" }, "engine_error"],
    ["forget_module", { name: "nothing", confirm: true }, "engine_error"],
  ])("[5] %s %j is %s", async (tool, args, status) => {
    const { result } = await callTool(store.keys["read-write-delete"], tool as string, args as Record<string, unknown>);
    expectEnvelope(result, tool as string);
    expect(result._meta.status, result.content[0].text).toBe(status);
  });

  it.each([
    ["compile", { name: "not a name", source: "x = 1" }],
    ["compile", { name: "a.b", source: "x = 1" }],
    ["compile", { name: "math", source: "x = 1" }],
    ["compile", { name: "", source: "x = 1" }],
    ["info", { name: "unqualified" }],
    ["forget", { name: "unqualified" }],
    ["forget_rule", { name: "a.b.c" }],
    ["info_module", { name: "a.b" }],
  ])("[6] %s %j is -32602, at every level", async (tool, args) => {
    for (const level of LEVELS) {
      const { error } = await callTool(store.keys[level], tool as string, args as Record<string, unknown>);
      expect(error, level).toEqual({ code: -32602, message: expect.stringMatching(/^invalid params: `name` /) });
    }
  });
});

// biome-ignore lint/suspicious/noExplicitAny: a result is looked at as a client would.
function expectEnvelope(result: any, tool: string): void {
  expect(Object.keys(result).sort()).toEqual(["_meta", "content", "isError"]);
  expect(result.isError).toBe(result._meta.status !== "success");
  expect(["success", "refuse", "engine_error", "compile_error"]).toContain(result._meta.status);
  expect(result._meta.refuse_reason !== undefined).toBe(result._meta.status === "refuse");
  expect(Number.isSafeInteger(result._meta.ops) && result._meta.ops >= 0).toBe(true);
  expect(result._meta.tenant_id).toMatch(/./);
  expect(result._meta.key_id).toMatch(/./);
  expect(result._meta.answered_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  for (const item of result.content) expect(item).toEqual({ type: "text", text: expect.stringMatching(/./) });
  expect(toolNamed(tool)).toBeDefined();
  if (tool !== "run") {
    expect(result.content).toHaveLength(1);
    return;
  }
  if (result._meta.status === "refuse" && result._meta.refuse_reason === "scope_forbidden" && result.content.length === 1) return;
  expect(result.content).toHaveLength(2);
  expect(result.content[1].text.startsWith("\n{")).toBe(true);
  const mirror = JSON.parse(result.content[1].text);
  const fields = new Set(Object.keys(result._meta));
  expect(Object.keys(mirror).filter((name) => !fields.has(name) && name !== "transcript_omitted")).toEqual([]);
  expect(result._meta.invoke_status).toMatch(/^(completed|failed|stopped)$/);
}
