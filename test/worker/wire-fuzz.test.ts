/** Messages nobody would send: every one is answered in the contract's shape, none is our fault, and the service goes on. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { TOOLS } from "../../src/worker/mcp/tools";
import { type FreshStore, freshStore, post, rpc } from "./fresh-store";

let store: FreshStore;
beforeAll(async () => {
  store = await freshStore();
});

/** Fixed, so that a failure is seen again; another value looks elsewhere. */
const SEED = 20261130;

const word = fc.oneof(
  fc.constantFrom(
    "",
    ".",
    "a",
    "a.b",
    "a.b.c",
    "__proto__",
    "__proto__.x",
    "a.constructor",
    "toString",
    "math",
    "é.ü",
    "\0",
    "a\u202e.b",
    "None",
    "def",
    "a b",
  ),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.constant("x".repeat(5000)),
);
const source = fc.oneof(
  word,
  fc.constantFrom(
    "import a.b",
    "print(",
    "x = [",
    "remember(A.b.c, 1)",
    "class A:\n x: int",
    "for i in",
    "\t\n  x",
    "x = '\\ud800'",
    "print(why(A.b.c))",
    "raise",
    "(".repeat(200),
    `${"-".repeat(3000)}1`,
  ),
  fc
    .array(
      fc.constantFrom(
        "x",
        "=",
        "(",
        ")",
        "[",
        ":",
        "\n",
        "  ",
        "def",
        "for",
        "in",
        "if",
        "1",
        '"',
        "'",
        "+",
        "**",
        "lambda",
        "@rule",
        "class",
        "f'{",
        "}",
        ",",
        ".",
        "with",
        "match",
        "case",
        "\\",
        "#",
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join(" ")),
);
const json = fc.jsonValue({ maxDepth: 3 });

/** Arguments of a tool: right, nearly right, or anything. */
function argumentsOf(names: readonly string[]): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    names.map((name) => [
      name,
      name === "source"
        ? source
        : name === "confirm"
          ? fc.constant(true)
          : fc.oneof({ weight: 4, arbitrary: word }, { weight: 1, arbitrary: json }),
    ]),
  );
  return fc.oneof({ weight: 6, arbitrary: fc.record(fields, { requiredKeys: [] }) }, { weight: 1, arbitrary: json });
}
const call = fc.constantFrom(...TOOLS).chain((tool) => {
  const names = Object.keys(tool.schema.shape).filter((name) => name !== "language" && name !== "edition" && name !== "kind");
  return fc.record({ name: fc.constant(tool.name), arguments: argumentsOf(names) });
});

describe("fuzz", () => {
  it("[C7.30] any arguments to any tool are answered, and never with -32000", { timeout: 120_000 }, async () => {
    const key = store.keys["read-write-delete"];
    const property = fc.asyncProperty(call, async (params) => {
      if (params.name === "report") return;
      const answer = await rpc(key, "tools/call", params);
      expect(answer.error === undefined).not.toBe(answer.result === undefined);
      if (answer.error !== undefined) expect([-32602], answer.error.message).toContain(answer.error.code);
      else expect(answer.result.isError).toBe(answer.result._meta.status !== "success");
    });
    await fc.assert(property, { numRuns: 600, seed: SEED });
  });

  it("[C7.30] any JSON, and any bytes, are answered in the shape of JSON-RPC", { timeout: 120_000 }, async () => {
    const message = fc.oneof(
      json.map((value) => JSON.stringify(value)),
      fc.string({ unit: "binary" }),
      fc
        .record(
          {
            jsonrpc: fc.constantFrom("2.0", "1.0", 2),
            id: json,
            method: fc.oneof(fc.constantFrom("ping", "tools/list", "initialize", "tools/call"), word),
            params: json,
          },
          { requiredKeys: [] },
        )
        .map((value) => JSON.stringify(value)),
    );
    const property = fc.asyncProperty(message, async (body) => {
      const response = await post(store.keys.read, body);
      const text = await response.text();
      if (response.status === 202) {
        expect(text).toBe("");
        return;
      }
      expect(response.status).toBe(200);
      const answer = JSON.parse(text);
      expect(answer.jsonrpc).toBe("2.0");
      expect("result" in answer).not.toBe("error" in answer);
      if ("error" in answer) expect([-32700, -32600, -32601, -32602]).toContain(answer.error.code);
    });
    await fc.assert(property, { numRuns: 400, seed: SEED });
  });
});
