/** The product's engine inside the product's objects: what stop, departure, credit, crash and rest mean for real programs. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StoreReply } from "../../src/durable/call";
import type { Json, ToolAnswer } from "../../src/tools/answer";
import { type Probe, StoreUnderTest, startProbe } from "./probe";

let probe: Probe;
beforeAll(async () => {
  probe = await startProbe({ REAL_ENGINE: 1, CALL_OPS_MAX: 1e12, CALL_LOG: "off" });
});
afterAll(() => probe.stop());

function answerOf(reply: StoreReply): ToolAnswer {
  if (reply.tag !== "answered") throw new Error(`not answered: ${JSON.stringify(reply)}`);
  return reply.answer;
}

/** An answer that comes in pieces. */
function written(reply: StoreReply): { isError: boolean; content: { text: string }[]; _meta: unknown } {
  if (reply.tag !== "written") throw new Error(`not written: ${JSON.stringify(reply).slice(0, 500)}`);
  return JSON.parse(reply.pieces.join(""));
}

async function run(store: StoreUnderTest, source: string, key = "read-write-delete"): Promise<ToolAnswer> {
  return answerOf(await store.call(key, { source }));
}

async function printed(store: StoreUnderTest, source: string, key = "read-write-delete"): Promise<string[]> {
  const answer = await run(store, source, key);
  expect(answer.status, answer.text).toBe("success");
  return (answer.meta.transcript as { kind: string; value: string }[])
    .filter((entry) => entry.kind === "print")
    .map((entry) => entry.value);
}

const LONG = "for i in range(1000000000):\n    remember(Count[f'c{i}'].n, i, 'me')";
const LONG_READ = "for i in range(1000000000):\n    x = i";

/** Waits until the long program has written. */
async function begun(store: StoreUnderTest): Promise<void> {
  await store.until(async () => ((await store.query("SELECT count(*) FROM claim").catch(() => [[0]]))[0][0] as number) > 20);
}

const soon = (ms = 150): Promise<"still waiting"> => new Promise((resolve) => setTimeout(resolve, ms, "still waiting"));

describe("engine in an object", () => {
  test("[9.8] a stopped run keeps what it wrote, says so on its line, and writes nothing after", async () => {
    const store = await StoreUnderTest.make(probe);
    const long = store.call("read-write", { source: LONG });
    await begun(store);
    expect(answerOf(await store.call("read-add", {}, { tool: "stop" })).meta.outcome).toBe("stopped");
    const claims = (await store.query("SELECT count(*) FROM claim"))[0][0] as number;
    const answer = answerOf(await long);
    expect(answer.status).toBe("refuse");
    expect(answer.text).toMatch(/^error: program failed — line 2: the run was stopped before this statement/);
    expect(answer.meta.invoke_status).toBe("stopped");
    await soon();
    expect((await store.query("SELECT count(*) FROM claim"))[0][0]).toBe(claims);
    expect(Number((await printed(store, "print(len(subjects(Count)))"))[0])).toBe(claims);
  });

  test("[C7.13] a level lowered under a running call bites at its next statement, is caught by nobody, and keeps what was written", async () => {
    const store = await StoreUnderTest.make(probe);
    const { keyId } = store.keys["read-write"];
    const long = store.call("read-write", {
      source: `try:\n    ${LONG.replaceAll("\n", "\n    ")}\nexcept Exception:\n    print('caught')`,
    });
    await begun(store);
    expect(await store.store("setLevel", keyId, "read")).toBe(true);
    const answer = answerOf(await long);
    expect(answer).toMatchObject({ status: "refuse", meta: { refuse_reason: "scope_forbidden", invoke_status: "failed" } });
    expect(answer.text).toMatch(/^error: program failed — line 3: this key may not do this/);
    expect(answer.text).not.toContain("caught");
    const claims = (await store.query("SELECT count(*) FROM claim"))[0][0] as number;
    expect(claims).toBeGreaterThan(20);
    expect(await printed(store, "print(len(subjects(Count)))", "read-write")).toEqual([String(claims)]);
  });

  test("[C7.13] raised, it does not reach a running call; lowered to none, the call stops", async () => {
    const store = await StoreUnderTest.make(probe);
    const { keyId } = store.keys["read-add"];
    const source =
      "for i in range(1000000000):\n    remember(Count[f'c{i}'].n, i, 'me')\n    try:\n        pin(Count.c0.n)\n    finally:\n        x = i";
    const refused = store.call("read-add", { source });
    await refused;
    const long = store.call("read-add", { source: LONG });
    await begun(store);
    await store.store("setLevel", keyId, "none");
    expect(answerOf(await long).text).toMatch(/line 2: the run was stopped before this statement/);
    expect(answerOf(await store.call("read-add", { source: "print(1)" })).meta.refuse_reason).toBe("scope_forbidden");
  });

  test("[store-and-rules 6] a rotated key: its running call is stopped, the old secret denied from the next call on, the new one opens and reads what was written", async () => {
    const store = await StoreUnderTest.make(probe);
    const old = store.keys["read-write"];
    await run(store, "remember(Task.t.done, 'kept', 'me')", "read-write");
    const long = store.call("read-write", { source: LONG });
    await begun(store);
    const { result, key } = await store.rotateKey(old.keyId, "one");
    expect(result).toEqual({ tag: "rotated" });
    const stopped = answerOf(await long);
    expect(stopped.status).toBe("refuse");
    expect(stopped.text).toMatch(/line 2: the run was stopped before this statement/);
    const claims = (await store.query("SELECT count(*) FROM claim"))[0][0] as number;
    for (const tool of ["run", "stop", "spec"]) expect(await store.call(old, { source: "print(1)" }, { tool })).toEqual({ tag: "denied" });
    expect((await store.query("SELECT count(*) FROM claim"))[0][0]).toBe(claims);
    const answer = answerOf(
      await store.call(key, { source: "print(value(Task.t.done), current(Task.t.done).written_by)\nremember(Task.t.note, 'x', 'me')" }),
    );
    expect(answer.status, answer.text).toBe("success");
    expect(answer.text).toContain(`kept ${old.keyId}`);
    expect(await store.store("rotateKey", "key_none", { hash: "00".repeat(32), wrap: [] })).toMatchObject({ tag: "refused" });
  });

  test("[9.8] no handler and no finally of a stopped program runs", async () => {
    const store = await StoreUnderTest.make(probe);
    const source = `try:\n    try:\n        ${LONG.replaceAll("\n", "\n        ")}\n    except Exception:\n        remember(Trace.t.n, 1, 'handler')\nfinally:\n    remember(Trace.t.n, 2, 'finally')`;
    const long = store.call("read-write", { source });
    await begun(store);
    await store.call("read-write", {}, { tool: "stop" });
    expect(answerOf(await long).status).toBe("refuse");
    expect(await printed(store, "print(values(Trace.t.n))")).toEqual(["[]"]);
  });

  test("[4.1] a stopped compile stores nothing", async () => {
    const store = await StoreUnderTest.make(probe);
    const source = `def f():\n    print(1)\n\nremember(Seen.s.n, 1, 'body')\n${LONG_READ}\n`;
    const long = store.call("read-write", { name: "m", source }, { tool: "compile" });
    await soon(300);
    expect(answerOf(await store.call("read-write", {}, { tool: "stop" })).meta.outcome).toBe("stopped");
    expect(answerOf(await long).status).toBe("refuse");
    expect(answerOf(await store.call("read", {}, { tool: "list_modules" })).text).toMatch(/0 modules/);
    expect(await printed(store, "print(values(Seen.s.n))")).toEqual(["[]"]);
  });

  test("[4.2] a run whose caller left is stopped and billed what it executed", async () => {
    const store = await StoreUnderTest.make(probe);
    const long = store.call("read-write", { source: LONG }, { token: "leaver" });
    await begun(store);
    await store.store("cancel", "leaver");
    const { ops } = answerOf(await long);
    expect(ops).toBeGreaterThan(20);
    await store.store("settle");
    expect((await store.account("ledger", store.storeId, 10)).map((call: { ops: number }) => call.ops)).toEqual([ops]);
  });

  test("[9.8] a short read is answered while a long one runs; a write waits", async () => {
    const store = await StoreUnderTest.make(probe);
    await run(store, "remember(Task.t.done, True, 'me')");
    await run(store, "print(1)", "read");
    const long = store.call("read", { source: LONG_READ });
    await soon();
    expect(await printed(store, "print(current(Task.t.done).value)", "read")).toEqual(["True"]);
    const write = store.call("read-write", { source: "remember(Task.t.note, 'x', 'me')" });
    expect(await Promise.race([write, soon()])).toBe("still waiting");
    await store.call("read-write", {}, { tool: "stop" });
    expect(answerOf(await long).status).toBe("refuse");
    expect(answerOf(await write).status).toBe("success");
  });

  test("[7] a run ends where the balance ends, and names it; the next call is not begun", async () => {
    const store = await StoreUnderTest.make(probe, { balanceOps: 500 });
    const answer = await run(store, LONG);
    expect(answer).toMatchObject({ status: "refuse", meta: { refuse_reason: "limit_exceeded" } });
    expect(answer.text).toMatch(/balance/);
    expect(answer.ops).toBeLessThanOrEqual(500);
    const spent = answer.ops;
    await store.store("settle");
    expect((await store.account("totals"))[1]).toBe(spent);
    // What is left may be less than one statement costs; then a call ends at once, billed nothing more than there is.
    for (let left = 500 - spent, i = 0; left > 0 && i < 10; i++) left -= (await run(store, LONG)).ops;
    expect((await store.call("read-write", { source: "print(1)" })).tag).toBe("payment_required");
  });

  test("[arch] what was acknowledged is there after the object lost its memory, and rules still conclude", async () => {
    const store = await StoreUnderTest.make(probe);
    const module =
      "class Person:\n    parent: many[Person]\n    grandparent: many[Person]\n\n@rule\ndef grandparent(p: Person, q: Person, g: Person):\n    when(p.parent == q, q.parent == g)\n    conclude(p.grandparent, g)\n";
    const compiled = answerOf(await store.call("read-write", { name: "family", source: module }, { tool: "compile" }));
    expect(compiled.status, compiled.text).toBe("success");
    await run(
      store,
      "import family\nremember(Person.ann.parent, Person.bob, 'registry')\nremember(Person.bob.parent, Person.cy, 'registry')",
    );
    const ask = "import family\nprint(values(Person.ann.grandparent))";
    const before = await printed(store, ask);
    expect(before).toEqual(["[family.Person.cy]"]);
    await expect(store.store("crash")).rejects.toThrow();
    expect(await printed(store, ask)).toEqual(before);
    expect(await printed(store, ask, "read")).toEqual(before);
  });

  test("[rulings, A world block] a world outlives the object's memory; two readers at once, one inside, each see what they ask for", async () => {
    const store = await StoreUnderTest.make(probe);
    const plan = ["remember(Task.t.state, 'open', 'me')", "create_world('plan')", "with world('plan'):"];
    plan.push("    update(Task.t.state, 'done', 'me')", "    for i in range(30):", "        remember(Task[f'n{i}'].state, 'new', 'me')");
    expect((await run(store, plan.join("\n"))).status).toBe("success");
    await expect(store.store("crash")).rejects.toThrow();
    const reader = (inside: boolean) => {
      const read = "seen = seen | {(Task.t.state, len(subjects(Task)))}";
      const body = inside ? `    with world('plan'):\n        ${read}` : `    ${read}`;
      return `seen = set()\nfor i in range(60):\n${body}\nprint(seen)`;
    };
    // A key's first call has the store to itself.
    await printed(store, "print(worlds())", "read");
    const answers = await Promise.all([true, false, true, false].map((inside) => printed(store, reader(inside), "read")));
    expect(answers).toEqual([["{('done', 31)}"], ["{('open', 1)}"], ["{('done', 31)}"], ["{('open', 1)}"]]);
    expect(await printed(store, "merge_world('plan')\nprint(Task.t.state, len(subjects(Task)), worlds())")).toEqual(["done 31 []"]);
    expect(await store.query("SELECT count(*) FROM world_claim")).toEqual([[0]]);
  });

  test("[6] a run cut short by a crash leaves whole statements only, and the store works on", async () => {
    const store = await StoreUnderTest.make(probe);
    // Each statement writes two values; half a statement would show as one.
    const source =
      "for i in range(1000000):\n    with branch():\n        remember(Pair.p.a, i, f's{i}')\n        remember(Pair.p.b, i, f's{i}')";
    const long = store.call("read-write", { source }).catch(() => "lost");
    await begun(store);
    await expect(store.store("crash")).rejects.toThrow();
    expect(await long).toBe("lost");
    const [same, count] = await printed(store, "a = sources(Pair.p.a)\nprint(a == sources(Pair.p.b))\nprint(len(a))");
    expect(same).toBe("True");
    expect(Number(count)).toBeGreaterThan(5);
    expect((await run(store, "remember(Pair.q.a, 1, 'after')")).status).toBe("success");
  });

  test("[E15] whichever statement of SQL fails: the old state or the new one, an answer that says so, and the next call works", async () => {
    const store = await StoreUnderTest.make(probe);
    const source = (n: number) => `with branch():\n    update(Pair.p.a, ${n}, 'me')\n    update(Pair.p.b, ${n}, 'me')`;
    await run(store, source(0));
    const told = { success: 0, unconfirmed: 0, failed: 0 };
    for (let n = 1; told.success === 0; n++) {
      expect(n).toBeLessThan(200);
      await store.store("failStatement", n);
      const reply = await store.call("read-write", { source: source(n) });
      let kept: number | null = null;
      if (reply.tag === "failed") told.failed++;
      else if (answerOf(reply).status === "success") {
        told.success++;
        kept = n;
        // The statement that was to fail is still to come: begin anew.
        await store.store("crash").catch(() => {});
      } else {
        expect(answerOf(reply).status).toBe("engine_error");
        expect(answerOf(reply).text).toMatch(/could not be confirmed/);
        told.unconfirmed++;
      }
      await soon(5);
      const [a, b] = await printed(store, "print(current(Pair.p.a).value)\nprint(current(Pair.p.b).value)");
      expect(a, `statement ${n}`).toBe(b);
      if (kept !== null) expect(a).toBe(String(kept));
      expect(Number(a)).toBeLessThanOrEqual(n);
    }
    expect(told.unconfirmed).toBeGreaterThan(5);
    await store.store("settle");
    const [, settled, ledger] = await store.account("totals");
    expect(settled).toBe(ledger);
  });

  test("[C2] no name, value, source, module text or program text can be read in the object's database", async () => {
    const store = await StoreUnderTest.make(probe);
    const module =
      'class Hiddenkind:\n    hiddenfield: string\n\ndef hiddenscript(hiddenparameter: string):\n    print("hidden literal", hiddenparameter)\n';
    const compiled = answerOf(
      await store.call("read-write", { name: "hiddenmodule", source: module, version: "hidden-1" }, { tool: "compile" }),
    );
    expect(compiled.status, compiled.text).toBe("success");
    const source =
      "import hiddenmodule\nremember(Hiddenkind['hidden subject'].hiddenfield, 'hidden value', 'hidden source', qualifiers={'hiddenqualifier': 'hidden too'})\nremember(Hiddenbare.hiddenx.hiddeny, 77123456, 'hidden source')\nhiddenmodule.hiddenscript('hidden argument')";
    expect((await run(store, source)).status).toBe("success");
    const tables = (await store.query("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf*'")).flat();
    const dump = (await Promise.all(tables.map((table) => store.query(`SELECT * FROM ${table}`)))).flat(2).map(String);
    expect(dump.length).toBeGreaterThan(50);
    const asText = dump.map((value) => (/^(?:[0-9a-f]{2})+$/.test(value) ? Buffer.from(value, "hex").toString("latin1") : value));
    for (const text of [...dump, ...asText]) expect(text).not.toMatch(/hidden/i);
    expect(dump).not.toContain("77123456");
  });
});

test("[5] what an answer could not carry is refused where it is bound; what the call wrote before is there", async () => {
  const store = await StoreUnderTest.make(probe);
  const refused = written(
    await store.call("read-write-delete", { source: "remember(Big.b.n, 7, 'me')\na = 'x' * 3000000\nb = 'y' * 3000000" }),
  );
  expect(refused).toMatchObject({ isError: true, _meta: { status: "refuse", refuse_reason: "limit_exceeded" } });
  expect(refused.content[0]!.text).toMatch(/^error: program failed — line 3: the call's prints and bound values have 4194304 characters/);
  expect(await printed(store, "print(current(Big.b.n).value)")).toEqual(["7"]);
  // The most there can be, in characters that take two bytes each wherever the answer has them.
  const result = written(await store.call("read-write-delete", { source: "print('\\u4e2d' * 4194000)" }));
  expect([result.isError, result.content[0]!.text === `OK program: 1 print\n${"\u4e2d".repeat(4_194_000)}`]).toEqual([false, true]);
});

test("[5] ops, text and transcript do not depend on which slice or which reader ran beside", async () => {
  const store = await StoreUnderTest.make(probe);
  await run(store, "for i in range(50):\n    remember(Item[f'i{i}'].size, i, 'me')");
  await run(store, "print(1)", "read");
  const source = "total = 0\nfor s in subjects(Item):\n    total += s.size\nfor i in range(40000):\n    total += i\nprint(total)";
  const answers = await Promise.all(Array.from({ length: 6 }, () => run(store, source, "read")));
  const alone: ToolAnswer = await run(store, source);
  for (const answer of answers) expect(answer as unknown as Json).toEqual(alone as unknown as Json);
});
