/** Nothing that was acknowledged is lost when everything is killed in the middle of writing, and a compile is there whole or not at all. */
import { afterAll, expect, it } from "vitest";
import type { RpcAnswer } from "../worker/fresh-store";
import { cleanUp, start, stateFolder } from "./start-process";

afterAll(cleanUp);

const ROUNDS = 3;
const WRITERS = 4;

it("[R1] kill -9 while four writers write: every acknowledged write is there after the restart", async () => {
  const folder = stateFolder();
  const acknowledged: string[] = [];
  let sent = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const service = await start(folder, "--rate", "100000");
    const key = service.ready.stores[0].keys["read-write-delete"];
    if (round > 0) expect(await missing(service.ready.url, key, acknowledged)).toEqual([]);
    let killed = false;
    const writers = Array.from({ length: WRITERS }, async () => {
      while (!killed) {
        const name = `w${sent++}`;
        const answer = await run(
          service.ready.url,
          key,
          `remember(Mark["${name}"].n, "${name}", "writer")\nremember(Mark["${name}"].twin, "${name}", "writer")`,
        ).catch(() => null);
        if (answer?.result?.isError === false) acknowledged.push(name);
      }
    });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    service.process.kill("SIGKILL");
    killed = true;
    await service.ended;
    await Promise.all(writers);
  }
  expect(acknowledged.length).toBeGreaterThan(ROUNDS * 10);
  const service = await start(folder);
  expect(await missing(service.ready.url, service.ready.stores[0].keys.read, acknowledged)).toEqual([]);
  service.process.kill("SIGTERM");
  await service.ended;
});

/** Those of the names whose two facts are not both there. */
async function missing(url: string, key: string, names: readonly string[]): Promise<string[]> {
  const answer = await run(url, key, 'print("\\n".join([s.n for s in subjects(Mark) if s.twin == s.n]))');
  if (answer.result?.isError !== false) throw new Error(JSON.stringify(answer));
  const there = new Set(answer.result._meta.transcript[0].value.split("\n"));
  return names.filter((name) => !there.has(name));
}

async function run(url: string, key: string, source: string): Promise<RpcAnswer> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "run", arguments: { source } } });
  const response = await fetch(url, { method: "POST", headers: { authorization: `Bearer ${key}` }, body });
  return (await response.json()) as RpcAnswer;
}
