/** Explore: what is read with the person's key, drawn by a side that never sees it. */
import { beforeAll, describe, expect, it } from "vitest";
import { outlineOf } from "../../src/dashboard/outline";
import { type CallTool, StoreReader } from "../../src/dashboard/store-reader";
import { callTool } from "../worker/fresh-store";
import { newKey, type StoreOwner, storeOwner } from "./store-owner";

const STOCK = `class Item:
    count: int
    low: int
    state: string
    tag: many[string]

@rule
def runs_out(i: Item):
    when(i.count < i.low)
    conclude(i.state, "order")
`;
const ODD = 'Lamp["é \\n\'\\"x <b>"]';

let owner: StoreOwner;
let keyText: string;
let keyId: string;
let reader: StoreReader;

async function tool(name: string, args: Record<string, string>) {
  const { result, error } = await callTool(keyText, name, args);
  if (error !== undefined) throw new Error(error.message);
  if (result.isError) throw new Error(result.content[0].text);
  return { text: result.content[0].text as string, meta: result._meta };
}

/** What the page's script does with the data. */
async function draw(name: string, data: unknown): Promise<{ status: number; svg: string; text: string }> {
  const response = await owner.browser.send("POST", `/dashboard/picture/${name}`, {
    headers: { "x-form-token": owner.browser.formToken, "content-type": "application/json" },
    body: typeof data === "string" ? data : JSON.stringify(data),
  });
  const body = response.headers.get("content-type")?.includes("json") ? await response.json() : {};
  return { status: response.status, ...(body as { svg: string; text: string }) };
}

beforeAll(async () => {
  owner = await storeOwner();
  const made = await newKey(owner, { level: "read-write-delete" });
  [keyText, keyId] = [made.key.text, made.keyId];
  const call: CallTool = tool;
  reader = new StoreReader(call);
  await tool("compile", { name: "stock", source: STOCK });
  await tool("run", {
    source: `import stock
remember(Item.bolt.count, 3, "shelf")
remember(Item.bolt.low, 10, "buyer")
remember(Item["a b"].tag, "x", "s")
remember(${ODD}.room, "hall", "survey")`,
  });
  await tool("checkpoint", { name: "before" });
  await tool("run", { source: `import stock\nremember(Item["a b"].tag, "y", "s")` });
  await tool("run", {
    source: `import stock
update(Item["a b"].tag, "z", "s")
update(${ODD}.room, "attic", "survey", valid_from=datetime("2025-06-01T00:00:00Z"))`,
  });
  await owner.browser.get(`${owner.at}/explore`);
});

describe("the Explore page", () => {
  it("[D.2] says what to do without a key, works on the service's own origin, and is under 30 KB", async () => {
    const { status, text, headers } = await owner.browser.get(`${owner.at}/explore`);
    expect(status).toBe(200);
    expect(text).toContain("Paste one");
    expect(text).toContain('src="/dashboard/page/explore.js"');
    expect(headers.get("content-security-policy")).toContain("connect-src 'self'");
    expect(new TextEncoder().encode(text).length).toBeLessThan(30_000);
  });

  it("[C7.49] of a store of somebody else is not there", async () => {
    const stranger = await storeOwner();
    expect((await stranger.browser.get(`${owner.at}/explore`)).status).toBe(404);
  });
});

describe("what the page reads", () => {
  it("[D.2] goes from Kinds to subjects to cells, whatever they are called", async () => {
    expect(await reader.kinds()).toEqual(["Lamp", "stock.Item"]);
    expect(await reader.subjects("stock.Item")).toEqual({ data: ['stock.Item["a b"]', "stock.Item.bolt"], notes: [] });
    const [lamp] = (await reader.subjects("Lamp")).data;
    expect(lamp).toBe(ODD);
    expect(await reader.cells(lamp)).toEqual([`${ODD}.room`]);
    expect(await reader.cells("stock.Item.bolt")).toEqual(["stock.Item.bolt.count", "stock.Item.bolt.low", "stock.Item.bolt.state"]);
  });

  it("[D.2] a proof with the key each leaf was written with, drawn", async () => {
    const proof = await reader.proof("stock.Item.bolt.state");
    const { svg, text } = await draw("proof", proof);
    expect(text).toBe(
      `stock.Item.bolt.state = 'order'   by rule stock.runs_out
  stock.Item.bolt.count = 3   per shelf, written by ${keyId}
  stock.Item.bolt.low = 10   per buyer, written by ${keyId}
  3 < 10
`,
    );
    expect(svg).toContain("3 &lt; 10");
  });

  it("[D.2] a cell's claims in both times: what was cut ends where its rest begins", async () => {
    const cell = `${ODD}.room`;
    const { data, notes } = await reader.claims(cell);
    expect(notes).toEqual([]);
    expect(data).toHaveLength(3);
    const [whole, rest, attic] = data;
    const june = "2025-06-01T00:00:00Z";
    expect(whole).toMatchObject({ value: "'hall'", from: null, to: null, knownUntil: attic.knownFrom });
    expect(rest).toMatchObject({ value: "'hall'", from: null, to: june, knownFrom: attic.knownFrom, knownUntil: null });
    expect(attic).toMatchObject({ value: "'attic'", from: june, to: null, knownUntil: null });
    const { text, svg } = await draw("claims", { cell, claims: data, at: "2020-01-01T00:00:00Z", knownAt: null });
    expect(text.split("\n")[2]).toMatch(/^'attic' per survey: true from 2025-06-01 on; known from .*, and still$/);
    expect(svg).toContain('class="cut-at"');
    expect(svg).not.toContain("<b>");
    expect(await reader.inForce(cell, "2020-01-01", "")).toBe("'hall'");
    expect(await reader.inForce(cell, "2026-01-01T00:00Z", "")).toBe("'attic'");
    expect(await reader.inForce(cell, "2026-01-01", whole.knownFrom)).toBe("'hall'");
  });

  it("[D.2] where many values hold, each is known until what replaced it, not until its neighbour", async () => {
    const { data } = await reader.claims('stock.Item["a b"].tag');
    const [x, y, z] = data;
    expect([x.value, y.value, z.value]).toEqual(["'x'", "'y'", "'z'"]);
    expect([x.knownUntil, y.knownUntil, z.knownUntil]).toEqual([z.knownFrom, z.knownFrom, null]);
  });

  it("[D.2] what changed since a mark, by Kind", async () => {
    expect(await reader.marks()).toEqual(["before"]);
    const { kinds, lines } = await reader.changes("before");
    expect([...kinds.keys()].sort()).toEqual(["Lamp", "stock.Item"]);
    const total = [...kinds.values()].reduce((sum, { added, removed }) => sum + added + removed, 0);
    expect(total).toBe(lines.length);
    const drawn = await draw("changes", { since: "before", kinds: [...kinds].map(([name, counts]) => ({ name, ...counts })) });
    expect(drawn.text).toBe("stock.Item: added 2\nLamp: added 1\n");
  });

  it("[D.2] Kinds, fields and rules, with what a checkup finds", async () => {
    const { data } = await reader.graph();
    const { text } = await draw("graph", data);
    expect(text).toBe(
      `Lamp
  room: recorded, read by nothing
stock.Item
  count
  low
  state
  tag
rule stock.runs_out
  reads stock.Item.count, stock.Item.low
  concludes stock.Item.state
`,
    );
  });

  it("[D.2] takes nothing for an address but an address", async () => {
    for (const cell of ["A.b.c) or forget(A.b", "A.b.c\nforget(A.b)", "A", 'A["x].c', "A.b.c; print(1)", ""])
      await expect(reader.proof(cell), cell).rejects.toThrow("A cell is written as");
    for (const at of ["now", '2025-01-01")', "2025-1-1"]) await expect(reader.inForce("A.b.c", at, "")).rejects.toThrow("A moment is");
  });
});

describe("a proof in words", () => {
  it("[D.2] is folded by what rests on what, every line once", () => {
    const text = "a\n  b\n    c\n    d\n  e\nf\n";
    const leaf = (line: string) => ({ line, below: [] });
    expect(outlineOf(text)).toEqual([{ line: "a", below: [{ line: "b", below: [leaf("c"), leaf("d")] }, leaf("e")] }, leaf("f")]);
    expect(outlineOf("")).toEqual([]);
    // A line that skips a level stands under the last there is.
    expect(outlineOf("a\n      b\n")).toEqual([{ line: "a", below: [leaf("b")] }]);
  });
});

describe("the drawing side", () => {
  it("[C7.51] draws what is data of a picture, and refuses everything else by size and form", async () => {
    expect((await draw("nothing", {})).status).toBe(404);
    for (const bad of ["", "{", "null", "[]", '{"cell":1}']) expect((await draw("claims", bad)).status, bad).toBe(400);
    expect((await draw("proof", { cell: "A.b.c", value: "1", trust: "guessed" })).status).toBe(400);
    expect((await draw("graph", "x".repeat(600_000))).status).toBe(413);
    let deep: object = { condition: "x" };
    for (let i = 0; i < 5000; i++)
      deep = { cell: "A.b.c", value: "1", trust: "derived", source: "r", rule: "r", repeated: false, premises: [deep] };
    const refused = await draw("proof", deep);
    expect(refused.status).toBe(400);
    expect(refused).toMatchObject({ error: expect.stringContaining("a client can ask for it in words") });
  });

  it("[C7.51] lets no name of the store end a line, begin one, or turn one around", async () => {
    const source = "meter\nA.b.c = 2 per admin\u2028\u202e\u0007";
    const leaf = { cell: "A.b.c", value: "1", trust: "asserted", source, rule: null, repeated: false, premises: [] };
    const { text, svg } = await draw("proof", leaf);
    expect(text).toBe("A.b.c = 1   per meter\\nA.b.c = 2 per admin\\u2028\\u202e\\u0007\n");
    expect(svg).toContain("per meter\\nA.b.c = 2 per admin\\u2028\\u202e\\u0007<");
    const emoji = { ...leaf, source: "👨‍👩‍👧" };
    expect((await draw("proof", emoji)).text).toBe("A.b.c = 1   per 👨‍👩‍👧\n");
  });

  it("[C7.48] is for the signed in, by a form of ours, and never gets the key", async () => {
    const { browser } = owner;
    const foreign = await browser.send("POST", "/dashboard/picture/claims", {
      headers: { origin: "https://evil.example", "x-form-token": browser.formToken },
      body: "{}",
    });
    expect(foreign.status).toBe(403);
    expect(browser.sent.some((request) => request.includes(keyText))).toBe(false);
  });
});
