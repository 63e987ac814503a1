/**
 * Snapshots through the pages: what a person sees, and that a store comes back as whole as it was, where it was and as another.
 *
 * `SNAPSHOT_SEEDS=1,500 npx vitest run --project service test/dashboard/snapshots.test.ts -t R16` draws as many stores as wanted.
 */
import { beforeAll, describe, expect, inject, it } from "vitest";
import { issueKey } from "../../clients/keys/issue-key";
import { readKey } from "../../clients/keys/store-key";
import { askLocal } from "../../scripts/migrate.mjs";
import { type Chance, seeded } from "../../scripts/seeded.mjs";
import { callTool } from "../worker/fresh-store";
import { makeStore, type Person, signUp } from "./browser-like";

const [FIRST = 1, LAST = 20] = process.env["SNAPSHOT_SEEDS"]?.split(",").map(Number) ?? [];
/** Of one account, which makes so many keys an hour and has so many stores. */
const SEEDS_A_STORE = 20;

let lastId = 0;
async function ops(key: string, text: string): Promise<string> {
  const response = await fetch(new URL("request", inject("serviceUrl")), {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: ++lastId,
      method: "tools/call",
      params: { name: "request", arguments: { ops: text, presentation: "verbose" } },
    }),
  });
  return ((await response.json()) as { result: { content: { text: string }[] } }).result.content[0].text;
}

async function told(key: string, tool: string, args: Record<string, unknown> = {}): Promise<string> {
  const { result, error } = await callTool(key, tool, args);
  return error === undefined ? (result.content[0].text as string) : error.message;
}

const MODULE =
  "class Sensor:\n    level: int\n    room: str\n    note: str\n\n@rule\ndef high(s: Sensor):\n    when(s.level > 50)\n    conclude(s.high, True)\n";
const SUBJECTS = ["a", "b", "c", "d"];
const FIELDS = ["level", "room", "note"];
const SOURCES = ["survey", "clerk"];

/** Statements that a store may well refuse: each is on its own, and what is refused changes nothing. */
function drawn(chance: Chance): string {
  const cell = `Sensor.${chance.pick(SUBJECTS)}.${chance.pick(FIELDS)}`;
  const field = cell.split(".")[2];
  const value = field === "level" ? String(chance.below(100)) : `"v${chance.below(9)} ü\u{1f600}"`;
  const source = `"${chance.pick(SOURCES)}"`;
  return chance.pick([
    `remember(${cell}, ${value}, ${source})`,
    `update(${cell}, ${value}, ${source}, valid_from=datetime("20${10 + chance.below(15)}-01-01T00:00:00Z"))`,
    `update(${cell}, ${value}, ${source}, why="w${chance.below(4)}")`,
    `forget(${cell})`,
    `prefer(${cell}, ${source})`,
    `pin(${cell})`,
    `unpin(${cell})`,
    `create_world("w${chance.below(3)}")`,
    `discard_world("w${chance.below(3)}")`,
    `assert_absent(${cell}, ${source})`,
  ]);
}

async function grow(key: string, chance: Chance, count: number): Promise<void> {
  const lines = Array.from({ length: count }, () => `try:\n    ${drawn(chance)}\nexcept Exception as e:\n    pass`);
  // Nothing of it may be refused as a whole: then nothing would have grown.
  expect(await told(key, "run", { source: `import sensors\n${lines.join("\n")}` })).not.toMatch(/^error|engine error/);
}

/** All of it, as a caller reads it. */
async function dump(key: string): Promise<string> {
  const cells = SUBJECTS.flatMap((subject) => FIELDS.map((field) => `Sensor.${subject}.${field}`));
  const reads = cells.map((cell) => `print("${cell}", ${cell}, [(str(c), c.recorded_at) for c in history(${cell})])`);
  const rules = SUBJECTS.map((subject) => `print("${subject}", Sensor.${subject}.high)`);
  const answers = [
    await told(key, "run", { source: `import sensors\n${[...reads, ...rules].join("\n")}\nprint(worlds())` }),
    await told(key, "list", { target: "kinds" }),
    await told(key, "list", { target: "rules" }),
    await told(key, "list", { target: "checkpoints" }),
    await told(key, "list_modules"),
    await told(key, "info_module", { name: "sensors" }),
    await told(key, "diff", { since: "m" }),
    await ops(key, 'list(kind="concept")'),
    await ops(key, 'search(query="first", kind="concept")'),
    await ops(key, 'query(query="MATCH (a:concept)-[e]->(b) RETURN a, e, b")'),
  ];
  // What an answer says of itself, and not of the store.
  return answers.join("\n").replace(/"(request_id|elapsed_ms|took_ms)":[^,}]*/g, '"$1":0');
}

describe("snapshots through the pages", () => {
  let person: Person;
  beforeAll(async () => {
    person = await signUp();
  });

  async function storeWithKey(name: string): Promise<{ id: string; key: string }> {
    const id = await makeStore(person, name);
    const { key } = await issueKey(person.browser.ask, {
      storeId: id,
      level: "read-write-delete",
      label: "t",
      made: "browser",
      opener: null,
    });
    return { id, key: key.text };
  }
  async function take(id: string, label: string): Promise<string> {
    await person.browser.get(`/dashboard/stores/${id}/snapshots`);
    const sent = await person.browser.post(`/dashboard/stores/${id}/snapshots`, { label, days: "30" });
    expect(sent).toMatchObject({ status: 303, location: `/dashboard/stores/${id}/snapshots` });
    const { text } = await person.browser.get(sent.location);
    return /snapshots\/(snp_[\w-]+)/.exec(text)![1];
  }

  it(
    "[R16] twenty drawn stores come back as they were, and a copy of each answers the same",
    async () => {
      let [id, key] = ["", ""];
      for (let seed = FIRST; seed <= LAST; seed++) {
        if ((seed - FIRST) % SEEDS_A_STORE === 0) {
          person = await signUp();
          ({ id, key } = await storeWithKey("Drawn"));
          await told(key, "compile", { name: "sensors", source: MODULE });
        }
        const chance = seeded(seed);
        await grow(key, chance, 12);
        await told(key, "checkpoint", { name: "m" });
        await ops(key, `create(kind="concept", name="first ${seed}")`);
        await ops(
          key,
          `create(kind="concept", name="first other ${seed}") | link(source_id=$prev.id, target_id=$prev.id, relation="extends")`,
        );
        await grow(key, chance, 12);
        const before = await dump(key);
        expect(before, "the dump reads the store").toContain(`first other ${seed}`);
        expect(before, "every part of the dump is an answer").not.toMatch(/^error|"ok":false/m);
        const snapshot = await take(id, `seed ${seed}`);
        await grow(key, chance, 10);
        await ops(key, `create(kind="document", name="later ${seed}")`);
        if (chance.chance(0.5)) await told(key, "forget_checkpoint", { name: "m" });
        expect(await dump(key)).not.toBe(before);
        const at = `/dashboard/stores/${id}/snapshots/${snapshot}`;
        await person.browser.get(at);
        expect((await person.browser.post(`${at}/restore`)).status).toBe(303);
        expect(await dump(key), `seed ${seed}`).toBe(before);
        // The next store is another one.
        if (seed % 5 === 0) {
          await person.browser.get(at);
          const { location } = await person.browser.post(`${at}/copy`, { name: `Copy ${seed}` });
          const copyId = /stores\/(\w+)\/keys\/new$/.exec(location)![1];
          const page = await person.browser.get(location);
          expect(page.text).toContain(`data-copy-of="${id}"`);
          const order = { storeId: copyId, level: "read-write-delete", label: "copy", made: "browser" } as const;
          const copied = (await issueKey(person.browser.ask, { ...order, opener: readKey(key), copyOf: id })).key.text;
          expect(await dump(copied), `copy of seed ${seed}`).toBe(before.replaceAll(id, copyId));
          // The two go their own ways from here on.
          await told(copied, "run", { source: 'remember(Only.here.x, 1, "s")' });
          expect(await told(key, "list", { target: "kinds" })).not.toContain("Only");
        }
        await person.browser.get(at);
        expect((await person.browser.post(`${at}/delete`)).status).toBe(303);
      }
    },
    Math.max(180_000, (LAST - FIRST + 1) * 20_000),
  );

  it("[R16] a revoked key stays revoked, a level and the balance stay as they are, and a key that no snapshot knew opens what came back", async () => {
    const { id, key } = await storeWithKey("Keys");
    await told(key, "run", { source: 'remember(Lamp.a.room, "den", "s")' });
    const order = { storeId: id, level: "read", label: "second", made: "browser", opener: readKey(key) } as const;
    const second = await issueKey(person.browser.ask, order);
    const snapshot = await take(id, "before");
    await person.browser.get(`/dashboard/stores/${id}/keys`);
    await person.browser.post(`/dashboard/stores/${id}/keys/${second.keyId}/revoke`);
    const third = await issueKey(person.browser.ask, order);
    await told(key, "run", { source: 'update(Lamp.a.room, "attic", "s")' });
    const at = `/dashboard/stores/${id}/snapshots/${snapshot}`;
    await person.browser.get(at);
    const { location } = await person.browser.post(`${at}/restore`);
    await expect(told(second.key.text, "run", { source: "print(Lamp.a.room)" })).rejects.toThrow("401");
    expect(await told(third.key.text, "run", { source: "print(Lamp.a.room)" })).toContain("den");
    // The undo that the page names.
    const undo = /href="([^"]+)"[^>]*>restore that/.exec((await person.browser.get(location)).text)![1];
    await person.browser.get(undo);
    expect((await person.browser.post(`${undo}/restore`)).status).toBe(303);
    expect(await told(key, "run", { source: "print(Lamp.a.room)" })).toContain("attic");
  });

  it("[R16] the preview counts without a key, names kinds with one, and takes no other key", async () => {
    const { id, key } = await storeWithKey("Preview");
    await told(key, "run", {
      source: 'remember(Lamp.a.room, "den", "s")\nremember(Lamp.b.room, "den", "s")\nremember(Boat.x.length, 4, "s")',
    });
    const snapshot = await take(id, "three");
    await told(key, "run", { source: 'forget(Boat.x.length)\nremember(Tree.t.height, 9, "s")\nremember(Lamp.c.room, "den", "s")' });
    const at = `/dashboard/stores/${id}/snapshots/${snapshot}`;
    const page = await person.browser.get(at);
    expect(page.text.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ")).toContain("Claims that stand 4 3");
    for (const name of ["Lamp", "Boat", "Tree"]) expect(page.text).not.toContain(name);
    const headers = { "x-form-token": person.browser.formToken, authorization: `Bearer ${key}` };
    expect(await (await person.browser.send("POST", `${at}/changes`, { headers })).json()).toEqual({
      kinds: [
        { kind: "Boat", now: 0, after: 1 },
        { kind: "Lamp", now: 3, after: 2 },
        { kind: "Tree", now: 1, after: 0 },
      ],
    });
    const other = await storeWithKey("Other");
    for (const [wrong, status] of [
      [other.key, 400],
      ["dke_s_nothing", 400],
      [key.replace(/.{6}$/, "000000"), 400],
    ] as const) {
      const sent = await person.browser.send("POST", `${at}/changes`, { headers: { ...headers, authorization: `Bearer ${wrong}` } });
      expect([sent.status, Object.keys((await sent.json()) as object)], wrong).toEqual([status, ["error"]]);
    }
  });

  it("[C7.49] a snapshot of another account, of another store or that is gone is not found, whatever is asked of it", async () => {
    const { id, key } = await storeWithKey("Mine");
    await told(key, "run", { source: 'remember(Lamp.a.room, "den", "s")' });
    const snapshot = await take(id, "mine");
    const second = await makeStore(person, "Second of mine");
    const stranger = await signUp();
    const theirs = await makeStore(stranger, "Theirs");
    for (const [who, store] of [
      [stranger, id],
      [stranger, theirs],
      [person, second],
    ] as const) {
      const at = `/dashboard/stores/${store}/snapshots/${snapshot}`;
      expect((await who.browser.get(at)).status).toBe(404);
      for (const act of ["restore", "copy", "delete", "expiry", "changes"])
        expect((await who.browser.post(`${at}/${act}`, { name: "x", days: "7" })).status, act).toBe(404);
    }
    expect(await told(key, "run", { source: "print(Lamp.a.room)" })).toContain("den");
    await person.browser.get(`/dashboard/stores/${id}/snapshots/${snapshot}`);
    await person.browser.post(`/dashboard/stores/${id}/snapshots/${snapshot}/delete`);
    expect((await person.browser.get(`/dashboard/stores/${id}/snapshots/${snapshot}`)).status).toBe(404);
  });

  it("[D] a snapshot past its end is gone from the page at once, and from storage with the next sweep; one that is kept stays", async () => {
    const { id, key } = await storeWithKey("Expiry");
    await told(key, "run", { source: 'remember(Lamp.a.room, "den", "s")' });
    const [short, long] = [await take(id, "short"), await take(id, "long")];
    const pageOf = (snapshot: string) => `/dashboard/stores/${id}/snapshots/${snapshot}`;
    await person.browser.get(pageOf(short));
    await person.browser.post(`${pageOf(short)}/expiry`, { days: "7" });
    await person.browser.post(`${pageOf(long)}/expiry`, { days: "never" });
    const sweep = (days: number) =>
      askLocal(inject("serviceUrl"), inject("localToken"), "sweep", { snapshotsAtMs: Date.now() + days * 86_400_000 });
    await sweep(6.9);
    expect((await person.browser.get(pageOf(short))).status).toBe(200);
    await sweep(7.1);
    expect((await person.browser.get(pageOf(short))).status).toBe(404);
    expect((await person.browser.get(pageOf(long))).status).toBe(200);
    await sweep(10_000);
    expect((await person.browser.get(pageOf(long))).status).toBe(200);
  });

  it("[D] the pages are under 30 KB with many snapshots, say what to do when there is none, and show labels as text", async () => {
    const { id } = await storeWithKey("Pages");
    expect((await person.browser.get(`/dashboard/stores/${id}/snapshots`)).text).toContain("There is no snapshot yet");
    for (let i = 0; i < 12; i++) await take(id, `<b>${"l".repeat(57)}${i}`);
    const list = await person.browser.get(`/dashboard/stores/${id}/snapshots`);
    expect(list.text).not.toContain("<b>");
    expect(list.text.length).toBeLessThan(30_000);
    const at = /\/dashboard\/stores\/\w+\/snapshots\/snp_[\w-]+/.exec(list.text)![0];
    expect((await person.browser.get(at)).text.length).toBeLessThan(30_000);
  });
});
