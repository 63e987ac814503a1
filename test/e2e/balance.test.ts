/** The balance is spent to the last op, whatever kills the service meanwhile, and not an op further: contract §7. */
import { afterAll, expect, it } from "vitest";
import { cleanUp, type Started, start, stateFolder } from "./start-process";

afterAll(cleanUp);

/** Ops that one LangCoin buys. */
const BALANCE = 100_000;
const FLAGS = ["--balance", "1"];

let service: Started;
// biome-ignore lint/suspicious/noExplicitAny: an answer is looked at member by member.
async function run(source: string): Promise<any> {
  const { keys } = service.ready.stores[0]!;
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "run", arguments: { source } } });
  const response = await fetch(service.ready.url, { method: "POST", headers: { authorization: `Bearer ${keys["read-write"]}` }, body });
  return response.json();
}
async function killAndStart(folder: string): Promise<void> {
  service.process.kill("SIGKILL");
  await service.ended;
  service = await start(folder, ...FLAGS);
}

it("[E13] billed is what was answered and what a killed call left on disk; then nothing runs", { timeout: 120_000 }, async () => {
  const folder = stateFolder();
  service = await start(folder, ...FLAGS);
  let answered = 0;
  for (const source of ["x = 1\nfor i in range(1000):\n    x = x + i\nprint(x)", 'remember(K.a.x, 1, "s")\nprint(1 // 0)']) {
    const { result } = await run(source);
    expect(result._meta.ops).toBeGreaterThan(0);
    answered += result._meta.ops;
  }
  await killAndStart(folder);
  const each = await price();
  answered += each.ops;

  const lost = run('for i in range(100000000):\n    update(Beat.b.n, i, "w")').catch(() => "lost");
  await new Promise((resolve) => setTimeout(resolve, 120));
  await killAndStart(folder);
  expect(await lost).toBe("lost");
  const read = (await run("print(value(Beat.b.n))")).result;
  answered += read._meta.ops;
  const last = read._meta.transcript[0].value;
  const writes = last === "None" ? 0 : Number(last) + 1;
  expect(writes).toBeGreaterThan(0);

  const rest = (await run("for i in range(100000000):\n    x = i * 2")).result;
  expect(rest._meta).toMatchObject({ status: "refuse", refuse_reason: "limit_exceeded", invoke_status: "failed" });
  expect(rest.content[0].text).toMatch(/balance/);
  const killed = BALANCE - answered - rest._meta.ops;
  expect(killed).toBeGreaterThanOrEqual(each.base + each.turn * writes);
  expect(killed).toBeLessThan(each.base + each.turn * (writes + 1));

  for (let i = 0; i < 2; i++) {
    expect((await run("print(1)")).error).toMatchObject({
      code: -32001,
      message: expect.stringMatching(/[Pp]ayment required.*balance.*Top up/),
    });
    await killAndStart(folder);
  }
});

/** What the loop costs, from two that end by themselves. */
async function price(): Promise<{ base: number; turn: number; ops: number }> {
  const ops: number[] = [];
  for (const n of [10, 20]) ops.push((await run(`for i in range(${n}):\n    update(Price.p.n, i, "w")`)).result._meta.ops);
  const turn = (ops[1]! - ops[0]!) / 10;
  return { base: ops[0]! - 10 * turn, turn, ops: ops[0]! + ops[1]! };
}
