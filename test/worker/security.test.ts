/** The security checklist where it is about the wire and the keys; each test names its number. */
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { generateDataKey, keyEncryptionKey, keyHash, wrapDataKey } from "../../src/durable/vault";
import { STORE_KEYS_MAX } from "../../src/limits";
import { formatStoreKey, parseStoreKey } from "../../src/worker/key";
import { freshStore } from "./fresh-store";
import { type ServiceInNode, startInNode } from "./objects-in-node";
import { SPEC_OF_TOPICS } from "./spec-of-topics";

let service: ServiceInNode;
beforeAll(() => {
  service = startInNode(SPEC_OF_TOPICS, { CALL_LOG: "off" });
});
afterAll(() => service.end());

const HERE = "http://127.0.0.1/";
const send = (authorization: string | null, body: string, headers: Record<string, string> = {}) =>
  service.fetch(new Request(HERE, { method: "POST", headers: { ...(authorization === null ? {} : { authorization }), ...headers }, body }));
const ping = (key: string) => send(`Bearer ${key}`, '{"jsonrpc":"2.0","id":1,"method":"ping"}');
// biome-ignore lint/suspicious/noExplicitAny: an answer is looked at member by member.
async function call(key: string, name: string, args: object, more: object = {}): Promise<any> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args, ...more } });
  return (await send(`Bearer ${key}`, body)).json();
}
const run = async (key: string, source: string) => (await call(key, "run", { source })).result;
const keyIdOf = (key: string) => `key_${keyHash(key).slice(0, 16)}`;
/** A key of this store that nobody issued. */
const unknownKey = (known: string, fill: number) =>
  formatStoreKey({ objectId: parseStoreKey(known)!.objectId, secret: new Uint8Array(32).fill(fill) });

describe("keys", () => {
  it("[C7.3] a key that is unknown and one that was revoked get the same bytes for the same work", async () => {
    const store = await service.newStore();
    const object = service.object(store.id);
    await object.revokeKey(keyIdOf(store.keys["read-write"]));
    const unknown = unknownKey(store.keys.read, 7);
    const seen: unknown[][] = [];
    for (const key of [unknown, store.keys["read-write"], unknown, store.keys["read-write"]]) {
      const before = service.statements(store.id);
      const response = await ping(key);
      seen.push([response.status, [...response.headers], await response.text(), service.statements(store.id) - before]);
    }
    expect(seen[0][0]).toBe(401);
    for (const other of seen) expect(other).toEqual(seen[0]);
  });

  it("[C7.5] [C7.37] no answer repeats a key, or tells how the service is built", async () => {
    const store = await service.newStore();
    const key = store.keys["read-write-delete"];
    const other = (await service.newStore()).keys.read;
    const answers: string[] = [];
    const note = async (response: Response) => answers.push(JSON.stringify([...response.headers]) + (await response.text()));
    for (const wrong of [
      key.slice(0, -1),
      `${key}x`,
      `${key} ${other}`,
      unknownKey(key, 3),
      key.replace("dke_s_", "dke_c_"),
      key.toUpperCase(),
    ])
      await note(await ping(wrong));
    for (const scheme of ["Basic", "Token", ""]) await note(await send(`${scheme} ${key}`, "{}"));
    for (const body of [key, `{"${key}":1}`, `{"jsonrpc":"2.0","id":"x","method":"${key}"}`, `["${key}"]`])
      await note(await send(`Bearer ${key}`, body));
    for (const name of ["run", "info", "forget_module", "diff", key])
      answers.push(JSON.stringify(await call(key, name, { source: `import ${key}`, name: key, since: key, target: key, [key]: key })));
    for (const path of [`/${key}`, `/register?key=${key}`, `/.well-known/${key}`])
      await note(await service.fetch(new Request(`http://127.0.0.1${path}`, { method: "POST", body: "{}" })));
    const secret = key.slice(60);
    for (const answer of answers) {
      expect(answer.replaceAll(key, "").includes(secret), answer).toBe(false);
      expect(answer).not.toMatch(/\.[jt]s:\d|node_modules|SQLITE|SELECT |workerd|\n {4}at /);
    }
    // Only what a caller names himself as an argument may come back in a message.
    expect(answers.slice(0, 13).some((answer) => answer.includes(key))).toBe(false);
  });

  it("[C7.17] a token of an account, and any other kind of key, is no store key", async () => {
    const { keys } = await service.newStore();
    for (const prefix of ["dke_a_", "dke_t_", "dke_", "sk_", "DKE_S_", "dke_s"]) {
      const response = await ping(prefix + keys.read.slice("dke_s_".length));
      expect([prefix, response.status, ((await response.json()) as { code: string }).code]).toEqual([prefix, 401, "AUTH_MALFORMED"]);
    }
  });

  it("[C7.19] a wrap of a wrong length, and one made for another key or store, lets nobody in and bricks nothing", async () => {
    const store = await service.newStore();
    const object = service.object(store.id);
    const dataKey = generateDataKey();
    const make = (fill: number, wrapped: Partial<{ storeId: string; hash: string; bytes: (wrap: Uint8Array) => Uint8Array }>) => {
      const secret = new Uint8Array(32).fill(fill);
      const key = formatStoreKey({ objectId: store.id, secret });
      const hash = keyHash(key);
      const wrap = wrapDataKey(dataKey, keyEncryptionKey(secret, store.id), {
        storeId: wrapped.storeId ?? store.id,
        keyHash: wrapped.hash ?? hash,
      });
      return { key, row: { keyId: keyIdOf(key), hash, wrap: wrapped.bytes?.(wrap) ?? wrap, level: "read-write", label: "x" } };
    };
    for (const bytes of [(wrap: Uint8Array) => wrap.subarray(1), () => new Uint8Array(0), (wrap: Uint8Array) => Uint8Array.of(...wrap, 0)])
      expect(await object.issueKey(make(1, { bytes }).row)).toEqual({ tag: "refused", why: "malformed" });
    await run(store.keys["read-write"], 'remember(K.a.x, 1, "s")');
    for (const [fill, moved] of [
      [2, { storeId: "ab".repeat(32) }],
      [3, { hash: "cd".repeat(32) }],
      [4, {}], // of another data key
    ] as const) {
      const { key, row } = make(fill, moved);
      expect(await object.issueKey(row)).toEqual({ tag: "issued" });
      expect((await ping(key)).status, String(fill)).toBe(401);
    }
    expect((await run(store.keys["read-write"], "print(K.a.x)")).content[0].text).toBe("OK program: 1 print\n1");
  });

  it("[C7.21] a store takes so many keys and no more, revoked ones counted", async () => {
    const store = await service.newStore();
    const object = service.object(store.id);
    const row = (n: number) => ({ keyId: `key_${n}`, hash: keyHash(`key ${n}`), wrap: new Uint8Array(61), level: "read", label: "" });
    const first = await object.issueKey(row(0));
    expect(first).toEqual({ tag: "issued" });
    await object.revokeKey("key_0");
    for (let n = 1; n < STORE_KEYS_MAX - Object.keys(store.keys).length; n++) await object.issueKey(row(n));
    expect(await object.listKeys()).toHaveLength(STORE_KEYS_MAX);
    expect(await object.issueKey(row(STORE_KEYS_MAX))).toEqual({ tag: "refused", why: "too_many" });
    expect((await ping(store.keys.read)).status).toBe(200);
  });
});

describe("levels", () => {
  it("[C7.15] read-add changes and deletes nothing by any way", async () => {
    const store = await service.newStore();
    const { "read-add": adder, "read-write-delete": owner } = store.keys;
    const module =
      "class Box:\n    n: int\n\n@rule\ndef big(b: Box):\n    when(b.n > 3)\n    conclude(b.big, True)\n\ndef bump():\n    update(Box.b.n, 9, 's')\n";
    await call(owner, "compile", { name: "boxes", source: module });
    await run(
      owner,
      'import boxes\nremember(Box.b.n, 5, "s")\nremember(Loose.l.x, 1, "s")\nremember(Loose.l.x, 2, "t")\nprefer(Loose.l.x, "s")\npin(Loose.l.y) if False else None\ncreate_world("w")',
    );
    await call(owner, "checkpoint", { name: "mark" });
    const state = async () => {
      const seen = await run(
        owner,
        "import boxes\nprint(history(Box.b.n), Box.b.big)\nprint(history(Loose.l.x), Loose.l.x)\nprint(worlds())",
      );
      return [
        seen.content[0].text,
        (await call(owner, "diff", { since: "mark" })).result.content[0].text,
        (await call(owner, "list", { target: "checkpoints" })).result.content[0].text,
      ];
    };
    const before = await state();
    for (const source of [
      'import boxes\nupdate(Box.b.n, 6, "s")',
      'import boxes\nupdate(Box.b.n, 6, "s", valid_from=datetime("2030-01-01T00:00:00Z"))',
      "import boxes\nboxes.bump()",
      "import boxes\nforget(Box.b.n)",
      "import boxes\nforget(Box.b)",
      'import boxes\nforget(Box.b.n, 5, "s")',
      'prefer(Loose.l.x, "t")',
      "unprefer(Loose.l.x)",
      "pin(Loose.l.x)",
      'with world("w"):\n    remember(Loose.l.z, 1, "s")',
      'create_world("other")',
      'merge_world("w")',
      'discard_world("w")',
      'with branch("b"):\n    forget(Loose.l.x)',
      "try:\n    forget(Loose.l.x)\nexcept Exception:\n    pass",
      "try:\n    forget(Loose.l.x)\nfinally:\n    forget(Loose.l)",
    ]) {
      const { _meta: meta } = await run(adder, source);
      expect([source, meta.status, meta.refuse_reason]).toEqual([source, "refuse", "scope_forbidden"]);
    }
    for (const [tool, args] of [
      ["compile", { name: "boxes", source: "x = 1" }],
      ["compile", { name: "fresh", source: "x = 1" }],
      ["compile", { name: "boxes" }],
      ["forget", { name: "boxes.bump" }],
      ["forget_rule", { name: "boxes.big" }],
      ["forget_module", { name: "boxes", confirm: true }],
      ["restore", { since: "mark" }],
      ["checkpoint", { name: "mark" }],
      ["forget_checkpoint", { name: "mark" }],
    ] as const)
      expect([tool, (await call(adder, tool, args)).result._meta.refuse_reason]).toEqual([tool, "scope_forbidden"]);
    // Another value of its own source, at a single-valued field, is a conflict at every level.
    expect((await run(adder, 'import boxes\nremember(Box.b.n, 6, "s")'))._meta.refuse_reason).toBe("conflicting_write");
    expect(await state()).toEqual(before);
    expect((await run(adder, 'remember(Loose.l.z, 1, "s")'))._meta.status).toBe("success");
  });
});

/** What comes back for bytes that no client would send; the sending side ends after them. */
function raw(text: string): Promise<string> {
  const { port, hostname } = new URL(inject("serviceUrl"));
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let got = "";
    socket.on("data", (chunk) => (got += chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve(got));
    socket.end(text);
  });
}

describe("the wire", () => {
  it("[C7.34] line ends in headers and odd hosts change nothing", async () => {
    const post = (headers: string) => `POST / HTTP/1.1\r\n${headers}Content-Length: 2\r\nConnection: close\r\n\r\n{}`;
    for (const headers of [
      "Host: evil.example\r\n",
      "Host: 127.0.0.1:1\r\n",
      "Host: a\r\nX-Forwarded-Host: evil.example\r\n",
      "Host: a\r\nX-Original-URL: /__local/store\r\n",
      "Host: a\r\nX-Local-Token: \r\n",
    ]) {
      const answer = await raw(post(headers));
      expect(answer, headers).toMatch(/^HTTP\/1\.1 401 /);
      expect(answer).not.toContain("evil.example");
    }
    // A second header smuggled into the first is no second header.
    for (const injected of ["Host: a\r\nX: a\r\n\tAuthorization: Bearer x\r\n", "Host: a\nX: b\r\n", "Host : a\r\n"]) {
      const answer = await raw(post(injected));
      expect(answer, injected).toMatch(/^HTTP\/1\.1 4\d\d /);
    }
  });

  it.each([
    ["shorter than its length", "Content-Length: 400\r\n\r\n{}"],
    ["of chunks that are none", "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n"],
    ["of a chunk longer than it says", "Transfer-Encoding: chunked\r\n\r\n2\r\n{}xx\r\n0\r\n\r\n"],
    ["of chunks without an end", "Transfer-Encoding: chunked\r\n\r\n5\r\n{"],
  ])("[C7.34] a body %s is told so", async (_, rest) => {
    const { keys } = await freshStore();
    const answer = await raw(`POST / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${keys.read}\r\n${rest}`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"BODY_BROKEN_OFF"/);
    const unkeyed = await raw(`POST / HTTP/1.1\r\nHost: a\r\n${rest}`);
    expect(unkeyed).toMatch(/^HTTP\/1\.1 401 [\s\S]*"code":"AUTH_MISSING"/);
  });

  it("[C7.34] headers that the local runtime heeds for itself change nothing", async () => {
    for (const header of ["MF-Original-URL: http://[bad", "MF-Route-Override: x", "MF-CF-Blob: {bad", "MF-Custom-Service: x"])
      expect(await raw(`GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${header}\r\n\r\n`), header).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("[C7.36] names that JavaScript knows are names like any others", async () => {
    const { keys } = await service.newStore();
    const key = keys["read-write-delete"];
    const names = ["constructor", "toString", "hasOwnProperty", "valueOf", "prototype"];
    const source = names
      .map((name) => `remember(${name[0].toUpperCase()}${name.slice(1)}.${name}.${name}, "${name}", "${name}", ${name}=1, __proto__=2)`)
      .join("\n");
    const written = await run(key, source);
    expect(written._meta.status, written.content[0].text).toBe("success");
    for (const name of names) {
      const { content } = await run(
        key,
        `c = current(${name[0].toUpperCase()}${name.slice(1)}.${name}.${name})\nprint(c.value, c.qualifiers)\nd = {"${name}": 1, "__proto__": 2}\nprint(d["__proto__"], len(d))`,
      );
      expect(content[0].text).toBe(`OK program: 2 prints\n${name} {'${name}': 1, '__proto__': 2}\n2 2`);
    }
    const compiled = await call(key, "compile", {
      name: "constructor",
      source: "class ToString:\n    valueOf: int\n\ndef hasOwnProperty(constructor: int):\n    return constructor\n",
    });
    expect(compiled.result._meta.status, compiled.result.content[0].text).toBe("success");
    expect((await run(key, "import constructor\nprint(constructor.hasOwnProperty(3))")).content[0].text).toBe("OK program: 1 print\n3");
    expect((await call(key, "info", { name: "constructor.valueOf" })).result._meta.status).toBe("engine_error");
    expect((await call(key, "info_module", { name: "__proto__" })).result._meta.status).toBe("engine_error");
    expect((await call(key, "diff", { since: "__proto__" })).result.content[0].text).toBe("none");
    expect((await call(key, "restore", { since: "constructor" })).result._meta.status).toBe("engine_error");
    expect((await call(key, "__proto__", {})).error.code).toBe(-32601);
  });

  it("[C7.38] the account and the key of an answer are those of the key, whatever the call names", async () => {
    const [mine, other] = [await service.newStore(), await service.newStore()];
    const key = mine.keys["read-write"];
    const plain = (await run(key, "print(1)"))._meta;
    const foreign = (await run(other.keys["read-write"], "print(1)"))._meta;
    expect(plain.key_id).toBe(keyIdOf(key));
    expect(plain.tenant_id).not.toBe(foreign.tenant_id);
    const named = { tenant_id: foreign.tenant_id, key_id: foreign.key_id, store_id: other.id };
    const told = await call(key, "run", { source: "print(1)" }, { ...named, _meta: named, clientInfo: { name: other.id } });
    expect([told.result._meta.tenant_id, told.result._meta.key_id]).toEqual([plain.tenant_id, plain.key_id]);
    expect((await call(key, "run", { source: "print(1)", ...named })).error.code).toBe(-32602);
    expect((await call(key, "stores", {})).result.content[0].text).toContain(mine.id);
    const written = await run(key, 'remember(K.a.x, 1, "s", written_by="nobody", recorded_at="never")\nprint(current(K.a.x).written_by)');
    expect(written.content[0].text.split("\n").at(-1)).toBe(plain.key_id);
  });
});
