/** `npm start`: ready soon, one line, the same data and keys the second time, and nothing left behind however it ends. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { childrenOf, cleanUp, isAlive, start, startAndFail, startByNpm, startUntil, stateFolder, until } from "./start-process";

afterAll(cleanUp);

const LEVELS = ["read", "read-add", "read-write", "read-write-delete", "none"];

describe("start", () => {
  it("prints exactly one line of JSON when it is ready", async () => {
    const started = await start(stateFolder(), "--stores", "3");
    const { ready } = started;
    // 3 s on a machine that does nothing else, which .ci/run measures; here other tests run beside it.
    expect(started.readyMs).toBeLessThan(30_000);
    expect(Object.keys(ready)).toEqual(["url", "request_url", "dashboard_url", "stores"]);
    const { port } = new URL(ready.url);
    expect([ready.request_url, ready.dashboard_url]).toEqual([`${ready.url}request`, `http://localhost:${port}/dashboard`]);
    expect(ready.stores).toHaveLength(3);
    expect(new Set(ready.stores.map((store) => store.id)).size).toBe(3);
    for (const store of ready.stores) {
      expect(Object.keys(store)).toEqual(["id", "keys"]);
      expect(Object.keys(store.keys)).toEqual(LEVELS);
      for (const key of Object.values(store.keys)) expect(key).toMatch(/^dke_s_[0-9A-Za-z]{92}$/);
    }
    expect((await fetch(new URL("health", ready.url))).status).toBe(200);
    expect(started.stdout()).toMatch(/^\{.*\}\n$/);
    started.process.kill("SIGTERM");
    expect(await started.ended).toBe(0);
    expect(started.stdout()).toMatch(/^\{.*\}\n$/);
  });

  it("has the same keys and data the second time, more stores if asked, keys readable by their owner only", async () => {
    const folder = stateFolder();
    const first = await start(folder);
    first.process.kill("SIGINT");
    expect(await first.ended).toBe(0);
    const second = await start(folder, "--stores", "2");
    expect(second.ready.stores[0]).toEqual(first.ready.stores[0]);
    expect(second.ready.stores).toHaveLength(2);
    expect(statSync(join(folder, "dev-keys.json")).mode & 0o777).toBe(0o600);
    const kept = JSON.parse(readFileSync(join(folder, "dev-keys.json"), "utf8"));
    expect(kept.stores).toEqual(second.ready.stores);
    const key = second.ready.stores[0].keys.read;
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    const ping = await fetch(second.ready.url, { method: "POST", headers: { authorization: `Bearer ${key}` }, body });
    expect(await ping.json()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    second.process.kill("SIGTERM");
    await second.ended;
  });

  it.each(["SIGTERM", "SIGINT", "SIGKILL"] as const)(
    "leaves no runtime behind on %s, and its folder can be started again at once",
    async (signal) => {
      const folder = stateFolder();
      const first = await start(folder);
      const children = childrenOf(first.process.pid as number, "workerd");
      if (process.platform === "linux") expect(children.length).toBeGreaterThan(0);
      first.process.kill(signal);
      expect(await first.ended).toBe(signal === "SIGKILL" ? null : 0);
      if (signal !== "SIGKILL") expect(children.filter(isAlive)).toEqual([]);
      const second = await start(folder);
      expect(second.ready.stores).toEqual(first.ready.stores);
      await until("the first runtime is gone", () => !children.some(isAlive));
      second.process.kill("SIGTERM");
      await second.ended;
    },
  );

  it.each(["SIGTERM", "SIGKILL"] as const)("ends with npm, when npm started it and gets %s", async (signal) => {
    const folder = stateFolder();
    const started = await startByNpm(folder);
    const { pid } = JSON.parse(readFileSync(join(folder, "owner.json"), "utf8"));
    const children = childrenOf(pid, "workerd");
    started.process.kill(signal);
    await started.ended;
    await until("the service is gone", () => !isAlive(pid) && !children.some(isAlive));
    expect(existsSync(join(folder, "owner.json"))).toBe(false);
  });

  it("tells a person where it is, the keys, a call to paste and a client's configuration, and both work", async () => {
    const started = await startUntil((stdout) => stdout.includes("Ctrl-C"), ["--port", "0", "--state", stateFolder()]);
    const text = started.stdout();
    const config = JSON.parse(/^\{\n[\s\S]*?\n\}$/m.exec(text)?.[0] ?? "") as {
      mcpServers: { dke: { type: string; url: string; headers: Record<string, string> } };
    };
    const { type, url, headers } = config.mcpServers.dke;
    expect(type).toBe("http");
    expect(text.startsWith(`DKE answers at ${url}\n`)).toBe(true);
    for (const level of LEVELS) expect(text).toMatch(new RegExp(`^ {2}${level} +dke_s_\\w{92}$`, "m"));
    const [, pasted] = /^ {2}-d '(.*)'$/m.exec(text) ?? [];
    const answer = await fetch(url, { method: "POST", headers, body: pasted });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ id: 1, result: { isError: false } });
    started.process.kill("SIGTERM");
    await started.ended;
  });

  it("will not share a state folder with a start that lives", async () => {
    const folder = stateFolder();
    const first = await start(folder);
    const second = await startAndFail("--json", "--port", "0", "--state", folder);
    expect([second.code, second.stdout]).toEqual([1, ""]);
    expect(second.stderr).toContain(`in use by process ${first.process.pid}`);
    first.process.kill("SIGTERM");
    await first.ended;
  });

  it("says so when its port is taken, and ends", async () => {
    const first = await start(stateFolder());
    const port = new URL(first.ready.url).port;
    const second = await startAndFail("--json", "--port", port, "--state", stateFolder());
    expect([second.code, second.stdout]).toEqual([1, ""]);
    expect(second.stderr).toBe(`dke did not start: port ${port} on 127.0.0.1 cannot be used (EADDRINUSE): name another with --port\n`);
    first.process.kill("SIGTERM");
    await first.ended;
  });

  it.each([
    [["--prot", "1"], /--prot/],
    [["--port", "http"], /--port: got http/],
    [["--port", "65536"], /--port/],
    [["--stores", "0"], /--stores/],
    [["--rate", "0"], /--rate/],
    [["--ops", "1.5"], /--ops/],
    [["--balance", "-1"], /--balance/],
  ])("refuses %j by name", async (flags, message) => {
    const { code, stdout, stderr } = await startAndFail(...flags);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
    expect(stderr).toContain("usage: npm start");
  });
});
