/** The catalogue as clients are strict about it, and every way in which arguments are wrong: contract §2, §8, §9. */
import { beforeAll, describe, expect, it } from "vitest";
import { TOOLS_SERVED } from "../../src/tools/start-tool";
import { SPEC_TOPICS } from "../../src/worker/mcp/tool-introspection";
import { callTool, type FreshStore, freshStore, rpc } from "./fresh-store";

let store: FreshStore;
let key: string;
// biome-ignore lint/suspicious/noExplicitAny: the entries are looked at as a client would.
let tools: any[];
beforeAll(async () => {
  store = await freshStore();
  key = store.keys["read-write-delete"];
  tools = (await rpc(key, "tools/list")).result.tools;
});

describe("catalogue", () => {
  it("[2] lists each tool once, in contract order", () => {
    expect(tools.map((tool) => tool.name)).toEqual([
      "compile",
      "run",
      "stop",
      "spec",
      "info",
      "list",
      "info_module",
      "list_modules",
      "checkup",
      "checkpoint",
      "diff",
      "restore",
      "forget",
      "forget_rule",
      "forget_constraint",
      "forget_module",
      "forget_checkpoint",
      "stores",
      "report",
    ]);
  });

  it("[2] lists exactly what is served: the store's tools, the object's `stop`, and the two that need no store", () => {
    expect(tools.map((tool) => tool.name).sort()).toEqual([...TOOLS_SERVED, "stop", "spec", "report"].sort());
  });

  it("[A3] no entry has what makes a client drop it [A3.34] [A3.35] [A3.36] [A3.37] [A3.38] [A3.39] [A3.40] [A3.43]", () => {
    for (const tool of tools) {
      expect(tool.name).toMatch(/^[a-z_]{1,64}$/);
      expect(tool).not.toHaveProperty("outputSchema");
      expect(Buffer.byteLength(tool.description), tool.name).toBeLessThanOrEqual(1800);
      expect(tool.description).toMatch(/^Use this /);
      const schema = tool.inputSchema;
      expect(schema.type).toBe("object");
      expect(schema.properties).toBeTypeOf("object");
      expect(schema.additionalProperties).toBe(false);
      for (const word of ["$schema", "$ref", "anyOf", "oneOf", "allOf", "if", "$defs"])
        expect(JSON.stringify(schema)).not.toContain(`"${word}"`);
      for (const property of Object.values<Record<string, unknown>>(schema.properties)) {
        expect(property.description, tool.name).toBeTypeOf("string");
        if (property.type === "array") expect(property.items, tool.name).toBeTypeOf("object");
      }
    }
  });

  it("[B7] annotations say what a tool may do", () => {
    const named = (flag: string) => tools.filter((tool) => tool.annotations[flag] === true).map((tool) => tool.name);
    expect(named("readOnlyHint")).toEqual(["spec", "info", "list", "info_module", "list_modules", "checkup", "diff", "stores"]);
    expect(named("destructiveHint")).toEqual([
      "compile",
      "run",
      "checkpoint",
      "restore",
      "forget",
      "forget_rule",
      "forget_constraint",
      "forget_module",
      "forget_checkpoint",
    ]);
    // Sent again with nothing between, they leave what the first one left.
    expect(named("idempotentHint")).toEqual(["checkpoint", "restore", "forget", "forget_rule", "forget_constraint", "forget_checkpoint"]);
    expect(named("openWorldHint")).toEqual(["report"]);
    for (const tool of tools) expect(tool.annotations.title).toMatch(/^[A-Z]/);
  });

  it("[B7] the examples in the descriptions do what they say", async () => {
    const own = (await freshStore()).keys["read-write"];
    for (const name of ["compile", "run"]) {
      const [, example] = /^Example: (\{.*\})$/m.exec(tools.find((tool) => tool.name === name).description) ?? [];
      const { result } = await callTool(own, name, JSON.parse(example));
      expect(result?.isError, JSON.stringify(result)).toBe(false);
      expect(result.content[0].text).toContain(name === "compile" ? "family.grandparent" : "registry");
    }
  });

  it("[8] every tool takes `language` except spec and stores; only spec, compile and run take `edition`", () => {
    const taking = (name: string) => tools.filter((tool) => name in tool.inputSchema.properties).map((tool) => tool.name);
    expect(tools.map((tool) => tool.name).filter((name) => !taking("language").includes(name))).toEqual(["spec", "stores"]);
    expect(taking("edition")).toEqual(["compile", "run", "spec"]);
    for (const tool of tools) {
      if (tool.inputSchema.properties.language !== undefined)
        expect(tool.inputSchema.properties.language).toMatchObject({ enum: ["eng"], default: "eng" });
      if (tool.inputSchema.properties.edition !== undefined)
        expect(tool.inputSchema.properties.edition).toMatchObject({ enum: ["python"], default: "python" });
    }
  });

  it("[C7.14] is the same for every level [A3.44]", async () => {
    const lists = await Promise.all(Object.values(store.keys).map(async (one) => JSON.stringify((await rpc(one, "tools/list")).result)));
    expect(new Set(lists).size).toBe(1);
  });
});

describe("arguments", () => {
  it.each([
    ["run", {}, /`source` is missing/],
    ["run", { source: 1 }, /`source` must be text, got a number/],
    ["run", { source: null }, /`source` must be text, got null/],
    ["run", { source: ["print(1)"] }, /`source` must be text, got a list/],
    ["run", { source: "print(1)", name: "x" }, /run takes `source`, `edition`, `language`; got `name`/],
    ["run", { source: "print(1)", store_id: "x", tenant_id: "y" }, /got `store_id`, `tenant_id`/],
    ["run", JSON.parse('{"source":"print(1)","__proto__":1}'), /got `__proto__`/],
    ["run", { source: "print(1)", constructor: 1 }, /got `constructor`/],
    ["run", { source: "print(1)", language: "deu" }, /`language` takes "eng", got "deu"/],
    ["run", { source: "print(1)", edition: "rust" }, /`edition` takes "python", got "rust"/],
    ["run", { source: "print(1)", edition: 1 }, /`edition` takes "python", got a number/],
    ["compile", { source: "x = 1" }, /`name` is missing/],
    ["compile", { name: "m", source: "x = 1", version: 2 }, /`version` must be text/],
    ["spec", { topic: "everything" }, /`topic` takes "header", "declarations"/],
    ["spec", { language: "eng" }, /spec takes `edition`, `topic`; got `language`/],
    ["stores", { language: "eng" }, /stores takes no argument; got `language`/],
    ["list", {}, /`target` is missing: it takes "scripts", "rules", "kinds"/],
    ["list", { target: "tables" }, /`target` takes "scripts"/],
    ["info", {}, /`name` is missing/],
    ["forget_module", { name: "m" }, /`confirm` is missing: it takes true/],
    ["forget_module", { name: "m", confirm: false }, /`confirm` takes true/],
    ["forget_module", { name: "m", confirm: "true" }, /`confirm` takes true/],
    ["forget", { name: "half \ud800" }, /`name` holds half of a surrogate pair/],
    ["stop", { now: true }, /stop takes `language`; got `now`/],
  ])("[6] %s %j is -32602", async (name, args, message) => {
    const { error } = await callTool(key, name as string, args as Record<string, unknown>);
    expect(error?.code).toBe(-32602);
    expect(error?.message).toMatch(message as RegExp);
  });

  it.each([
    ["# dke: edition=python.2\nprint(1)", {}, /serves edition=python\.1/],
    ["# dke: edition=python.1.0\nprint(1)", {}, /serves edition=python\.1/],
    ["# dke: language=deu\nprint(1)", {}, /serves language=eng\.1/],
    ["# dke: language=eng.2\nprint(1)", {}, /serves language=eng\.1/],
    ["# dke: edition=rust\nprint(1)", { edition: "python" }, /`edition` is "python" and the first line of `source` declares edition=rust/],
    ["# dke: language=deu\nprint(1)", { language: "eng" }, /`language` is "eng"/],
    ["# dke:\nprint(1)", {}, /does not match the form/],
    ["# dke: \nprint(1)", {}, /does not match the form/],
    ["# dke:edition=python\nprint(1)", {}, /does not match the form/],
    ["# dke: Edition=python\nprint(1)", {}, /does not match the form/],
    ["# dke: edition=python, language=eng\nprint(1)", {}, /does not match the form/],
    ["# dke: language=eng edition=python\nprint(1)", {}, /does not match the form/],
    ["# dke: edition=python edition=python\nprint(1)", {}, /does not match the form/],
    ["# dke: edition=python # as ever\nprint(1)", {}, /does not match the form/],
  ])("[8] a source that opens %j with %j is -32602", async (source, args, message) => {
    for (const [name, more] of [
      ["run", {}],
      ["compile", { name: "m" }],
    ] as const) {
      const { error } = await callTool(key, name, { source, ...args, ...more });
      expect(error?.code).toBe(-32602);
      expect(error?.message).toMatch(message);
    }
  });
});

describe("spec", () => {
  it("[9.1] serves each topic and the whole, with the surface's revision", async () => {
    const parts: string[] = [];
    for (const topic of SPEC_TOPICS) {
      const { result } = await callTool(store.keys.none, "spec", { edition: "python", topic });
      expect(result.isError).toBe(false);
      expect(result._meta).toMatchObject({
        status: "success",
        revision: 159,
        ops: 0,
        key_id: expect.any(String),
        tenant_id: expect.any(String),
      });
      expect(result._meta.answered_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      expect(result.content).toHaveLength(1);
      parts.push(result.content[0].text.trimEnd());
    }
    expect(new Set(parts).size).toBe(SPEC_TOPICS.length);
    const whole = (await callTool(key, "spec")).result;
    expect(whole.content[0].text.trimEnd()).toBe(parts.join("\n\n"));
    expect(whole._meta.revision).toBe(159);
    expect(parts[0]).toMatch(/rev 159/);
  });
});
