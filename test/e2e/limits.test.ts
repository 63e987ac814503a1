/** The flags of the local start that set limits: `--rate`, `--balance`, `--ops`. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { cleanUp, type Started, start, stateFolder } from "./start-process";

let service: Started;
beforeAll(async () => {
  service = await start(stateFolder(), "--rate", "2", "--balance", "0");
});
afterAll(cleanUp);

const post = (key: string, body: unknown) =>
  fetch(service.ready.url, { method: "POST", headers: { authorization: `Bearer ${key}` }, body: JSON.stringify(body) });
const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

it("[6] --rate 2: the third call of one key in a second is -32002 with Retry-After; another key is not held to it; waiting clears it", async () => {
  const { keys } = service.ready.stores[0];
  const answers = await Promise.all([ping, ping, ping, ping].map((body) => post(keys.read, body)));
  const bodies = await Promise.all(
    answers.map(async (answer) => ({
      status: answer.status,
      retryAfter: answer.headers.get("retry-after"),
      ...((await answer.json()) as { error?: { code: number; message: string } }),
    })),
  );
  const refused = bodies.filter((body) => body.error !== undefined);
  expect(refused).toHaveLength(2);
  for (const { status, retryAfter, error } of refused) {
    expect([status, error?.code, retryAfter]).toEqual([200, -32002, "1"]);
    expect(error?.message).toMatch(/try again in 1 s/);
  }
  expect(await (await post(keys.none, ping)).json()).toMatchObject({ result: {} });
  await new Promise((resolve) => setTimeout(resolve, 1100));
  expect(await (await post(keys.read, ping)).json()).toMatchObject({ result: {} });
});

it("[9.8] stop, spec and report count toward a key's rate like any call, and are answered without credit", async () => {
  const { keys } = service.ready.stores[0];
  const call = (name: string, args: object) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });
  const sent = [call("stop", {}), call("spec", { topic: "header" }), call("report", { kind: "feedback", text: "x" }), ping];
  const answers = (await Promise.all(sent.map(async (body) => (await post(keys["read-add"], body)).json()))) as {
    result?: object;
    error?: { code: number };
  }[];
  expect(answers.filter(({ result }) => result !== undefined)).toHaveLength(2);
  expect(answers.flatMap(({ error }) => error?.code ?? [])).toEqual([-32002, -32002]);
});

it("[7] --balance 0: nothing runs", async () => {
  const { keys } = service.ready.stores[0];
  const answer = await post(keys["read-write"], {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "run", arguments: { source: "print(1)" } },
  });
  expect(await answer.json()).toMatchObject({ error: { code: -32001 } });
});
