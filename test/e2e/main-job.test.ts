/** The main job over the official client: connect, compile a module, run a program, ask why; and what two callers see of each other. */
import { connect as connectSocket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, connect, printed } from "./mcp-client";
import { cleanUp, type Started, start, stateFolder } from "./start-process";

let service: Started;
beforeAll(async () => {
  service = await start(stateFolder(), "--stores", "8", "--ops", "900000000000");
});
afterAll(cleanUp);

let nextStore = 0;
/** Each test takes a store of its own. */
const takeStore = () => service.ready.stores[nextStore++];

const FAMILY = `class Person:
    parent: many[Person]
    grandparent: many[Person]

@rule
def grandparent(p: Person, q: Person, g: Person):
    when(p.parent == q, q.parent == g)
    conclude(p.grandparent, g)
`;

describe("main job", () => {
  it("connects, lists the tools, compiles a module, runs a program and gives the reason", async () => {
    const client = await connect(service.ready.url, takeStore().keys["read-write-delete"]);
    expect(client.getServerVersion()).toEqual({ name: "dke", version: "1.3" });
    expect(client.getInstructions()).toMatch(/revision 159/);
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain("compile");

    const compiled = await call(client, "compile", { name: "family", source: FAMILY });
    expect(compiled.content[0].text).toContain("family.grandparent");
    expect(compiled).toMatchObject({ isError: false, _meta: { status: "success" } });

    const wrote = await call(client, "run", {
      source:
        'import family\nremember(Person.ann.parent, Person.bob, "registry")\nremember(Person.bob.parent, Person.cy, "registry")\nprint(values(Person.ann.grandparent))',
    });
    expect(wrote.isError, wrote.content[0].text).toBe(false);
    expect(wrote.content[0].text).toMatch(/^OK program: /);
    expect(wrote._meta).toMatchObject({
      status: "success",
      invoke_status: "completed",
      ops: expect.any(Number),
      tenant_id: expect.any(String),
      key_id: expect.any(String),
    });
    expect(wrote._meta.transcript).toEqual([{ kind: "print", line: 4, value: "[family.Person.cy]", type: expect.any(String) }]);
    const mirror = wrote.content.at(-1)?.text ?? "";
    expect(mirror.startsWith("\n")).toBe(true);
    expect(JSON.parse(mirror)).toMatchObject({ status: "success", transcript: [{ value: "[family.Person.cy]" }] });

    const [why] = await printed(client, "import family\nprint(why(Person.ann.grandparent))");
    expect(why).toContain("family.grandparent");
    expect(why).toContain("registry");
    await client.close();
  });

  it("[6.1] repairs a rejected source by its fix alone", async () => {
    const client = await connect(service.ready.url, takeStore().keys["read-write-delete"]);
    const lines = ["def watch(n: int):", "    i = 0", "    while i < n:", '        print("checking")', ""];
    const rejected = await call(client, "compile", { name: "watch", source: lines.join("\n") });
    expect(rejected).toMatchObject({ isError: true, _meta: { status: "compile_error", compile_status: "parse_error" } });
    const [diagnostic] = rejected._meta.diagnostics;
    expect(diagnostic).toMatchObject({ class: "parse_error", line: 3, col: 5, fix: "for <name> in <iterable>:" });
    expect((await call(client, "list_modules")).content[0].text).not.toContain("watch");
    lines[2] = "    for i in range(n):";
    expect((await call(client, "compile", { name: "watch", source: lines.join("\n") })).isError).toBe(false);
    expect(await printed(client, "import watch\nwatch.watch(2)")).toEqual(["checking", "checking"]);
    await client.close();
  });

  it("[4.2] the same program over the same store gives the same bytes; what it already wrote it does not write again", async () => {
    const client = await connect(service.ready.url, takeStore().keys["read-write-delete"]);
    const source =
      'remember(Sensor.s1.room, "kitchen", "survey")\nc = current(Sensor.s1.room)\nprint(c.value)\nprint({"a", "b", "c"})\nprint(0.1 + 0.2)';
    const first = await call(client, "run", { source });
    expect(first._meta.transcript.some((entry: { value: string }) => entry.value === "kitchen")).toBe(true);
    const second = await call(client, "run", { source });
    const third = await call(client, "run", { source });
    expect(second.content[0].text).not.toBe(first.content[0].text);
    expect(third.content[0].text).toBe(second.content[0].text);
    expect(third._meta.transcript).toEqual(second._meta.transcript);
    expect(third._meta.ops).toBe(second._meta.ops);
    expect(await printed(client, "print(len(get(Sensor.s1.room)))")).toEqual(["1"]);
    await client.close();
  });

  it("[2] two stores see nothing of each other", async () => {
    const [one, other] = [takeStore(), takeStore()];
    const [a, b] = await Promise.all([
      connect(service.ready.url, one.keys["read-write-delete"]),
      connect(service.ready.url, other.keys["read-write-delete"]),
    ]);
    await printed(a, 'remember(Secret.s.word, "swordfish", "a")');
    await call(a, "compile", { name: "mine", source: "def f():\n    return 1\n" });
    expect(await printed(b, "print(get(Secret.s.word))")).toEqual(["[]"]);
    expect((await call(b, "list", { target: "kinds" })).content[0].text).not.toContain("Secret");
    expect((await call(b, "list_modules")).content[0].text).not.toContain("mine");
    expect((await call(a, "stores")).content[0].text).toContain(one.id);
    expect((await call(b, "stores")).content[0].text).toContain(other.id);
    await Promise.all([a.close(), b.close()]);
  });
});

describe("ending a call", () => {
  /** Writes how far it came, and would go on for a long time. */
  const LONG = 'for i in range(100000000):\n    update(Beat.b.n, i, "w")';

  it("[9.8] stop from a second connection ends a running program at its next statement, and what it wrote stays", async () => {
    const { keys } = takeStore();
    const [worker, other] = await Promise.all([
      connect(service.ready.url, keys["read-write"]),
      connect(service.ready.url, keys["read-write-delete"]),
    ]);
    expect((await call(other, "stop"))._meta).toMatchObject({ status: "success", outcome: "idle" });
    const long = call(worker, "run", { source: LONG });
    await pause(700);
    const stopped = await call(other, "stop");
    expect(stopped._meta).toMatchObject({ status: "success", outcome: "stopped" });
    const ended = await long;
    expect(ended).toMatchObject({ isError: true, _meta: { status: "refuse", invoke_status: "stopped" } });
    expect(ended.content[0].text).toContain("the run was stopped before this statement");
    const before = await printed(other, "print(value(Beat.b.n))");
    await pause(300);
    expect(await printed(other, "print(value(Beat.b.n))")).toEqual(before);
    expect(Number(before[0])).toBeGreaterThan(0);
    await Promise.all([worker.close(), other.close()]);
  });

  it("[B6] a client that gives up cancels its call, and the program stops", async () => {
    const { keys } = takeStore();
    const client = await connect(service.ready.url, keys["read-write"]);
    const controller = new AbortController();
    const long = call(client, "run", { source: LONG }, controller.signal);
    await pause(700);
    controller.abort("enough");
    await expect(long).rejects.toThrow();
    await expectStill(keys["read-write-delete"]);
    await client.close();
  });

  it("[4.2] a connection that closes stops its call", async () => {
    const { keys } = takeStore();
    const { port } = new URL(service.ready.url);
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "run", arguments: { source: LONG } } });
    const socket = connectSocket(Number(port), "127.0.0.1");
    socket.on("error", () => {}); // reset by the service: the connection is closed either way
    socket.write(
      `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${keys["read-write"]}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    await pause(900);
    socket.destroy();
    await expectStill(keys["read-write-delete"]);
  });

  /** The store comes free soon, and nothing is written after. */
  async function expectStill(key: string): Promise<void> {
    const other = await connect(service.ready.url, key);
    const beganMs = Date.now();
    const before = await printed(other, "print(value(Beat.b.n))");
    expect(Date.now() - beganMs).toBeLessThan(3000);
    await pause(300);
    expect(await printed(other, "print(value(Beat.b.n))")).toEqual(before);
    expect(Number(before[0])).toBeGreaterThan(0);
    await other.close();
  }
});

describe("a key that is refused", () => {
  it("[B5] shows a person what to do", async () => {
    const key = service.ready.stores[0].keys.read;
    await expect(connect(service.ready.url, `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`)).rejects.toThrow(
      /no OAuth sign-in|store key/,
    );
  });
});

describe("the log", () => {
  it("[C7.4] holds no key, no program and no value, after all of the above", async () => {
    const client = await connect(service.ready.url, service.ready.stores[0].keys.read);
    expect((await call(client, "run", { source: 'raise ValueError("swordfish")' })).isError).toBe(true);
    await client.close();
    expect(service.stdout().split("\n")).toHaveLength(2); // the one line, and nothing after its end
    for (const word of ["dke_s_", "swordfish", "remember", "Bearer"]) expect(service.stderr()).not.toContain(word);
  });
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
