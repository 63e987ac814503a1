/** dkekey against an account service that answers as told: what is sent, what is written, and that no key is ever sent. */
import { generateKeyPairSync, sign } from "node:crypto";
import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CLIENTS, configFor } from "../../clients/dkekey/client-config";
import { digestOf, fingerprintOf, namesOf, readDigests } from "../../clients/dkekey/digests";
import { main } from "../../clients/dkekey/dkekey";
import { RELEASE_KEY } from "../../clients/dkekey/release-key";
import { makeFirstKey, readKey } from "../../clients/keys/store-key";
import { version } from "../../package.json";
import { buildDkekey } from "../../scripts/build-dkekey.mjs";
import { servedPrograms } from "../../scripts/served-programs.mjs";

const STORE = "ab".repeat(32);
const folder = mkdtempSync(join(tmpdir(), "dkekey-"));

let server: Server;
let url: string;
let calls: { method: string; path: string; authorization: string; body: string }[];
let wraps: Map<string, string>;
let reply: ((path: string) => { status: number; body: object } | undefined) | undefined;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    const path = request.url ?? "";
    calls.push({ method: request.method ?? "", path, authorization: request.headers.authorization ?? "", body });
    const said = reply?.(path) ?? answerOf(path, body);
    response.statusCode = said.status;
    response.end(JSON.stringify(said.body));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}/api`;
});
afterAll(() => server.close());
beforeEach(() => {
  calls = [];
  wraps = new Map();
  reply = undefined;
});

function answerOf(path: string, body: string): { status: number; body: object } {
  if (path.endsWith("/stores")) return { status: 200, body: { stores: [{ id: STORE, name: "First" }] } };
  const wrap = /\/wraps\/(\w+)$/.exec(path);
  if (wrap !== null) return wraps.has(wrap[1]) ? { status: 200, body: { wrap: wraps.get(wrap[1]) } } : notFound;
  if (path.endsWith("/revoke")) return { status: 200, body: { revoked: true, last: true } };
  if (body !== "") {
    const { hash, wrap: made } = JSON.parse(body);
    wraps.set(hash, made);
    return { status: 201, body: { key_id: `key_${hash.slice(0, 16)}` } };
  }
  return {
    status: 200,
    body: {
      keys: [{ key_id: "key_1", level: "read", label: "one", made: "browser", issued_at: "", last_used_at: null, revoked_at: null }],
    },
  };
}
const notFound = { status: 404, body: { error: { code: "not_found", message: "nothing here" } } };

async function run(words: string[], environment: Record<string, string> = { DKE_TOKEN: "dke_t_x" }, input = "", password = "pass word") {
  const said = { out: "", err: "" };
  const code = await main([...words, "--account", url], {
    environment,
    ownFile: join(folder, "own.mjs"),
    ownName: "dkekey.mjs",
    say: (text) => (said.out += text),
    tell: (text) => (said.err += text),
    readInput: () => input,
    askPassword: async () => password,
  });
  return { code, ...said };
}

describe("dkekey", () => {
  it("[3.1] makes a store's first key, sends its hash and wrap, and writes it for its owner alone", async () => {
    const out = join(folder, "first.txt");
    const { code, err } = await run(["issue", "--store", STORE, "--label", "mine", "--level", "read-write", "--first", "--out", out]);
    expect([code, err]).toEqual([0, `written to ${out}, readable by you alone\n`]);
    const key = readKey(readFileSync(out, "utf8").trim())!;
    expect(key.storeId).toBe(STORE);
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({ method: "POST", path: `/api/stores/${STORE}/keys`, authorization: "Bearer dke_t_x" });
    expect(Object.keys(JSON.parse(calls[0].body)).sort()).toEqual(["hash", "label", "level", "made", "wrap"]);
    expect((await run(["issue", "--store", STORE, "--label", "mine", "--first", "--out", out])).err).toContain("not written over");
    expect(calls).toHaveLength(1);
  });

  it("[3.1] a configuration points to the service that issued its key, unless another place is named", async () => {
    const words = ["issue", "--store", STORE, "--label", "one", "--first", "--show", "--print-config", "vscode"];
    const pointsTo = async (more: string[], environment: Record<string, string> = {}) =>
      JSON.parse((await run([...words, ...more], { DKE_TOKEN: "dke_t_x", ...environment })).out).servers.dke.url;
    const own = new URL("/", url).href;
    expect(await pointsTo([])).toBe(own);
    for (const [told, want] of [
      ["https://api.example/", "https://api.example/"],
      [own, own],
      // No step down, and nothing that is no address.
      ["http://api.example/", own],
      ["https://somebody@api.example/", own],
      [own.replace("http:", "ftp:"), own],
      ["api.example", own],
      [7, own],
    ]) {
      reply = (path) => (path.endsWith("/keys") ? { status: 201, body: { key_id: "key_1", endpoint: told } } : undefined);
      expect(await pointsTo([]), String(told)).toBe(want);
    }
    expect(await pointsTo([], { DKE_URL: "https://api.example/" })).toBe("https://api.example/");
    expect(await pointsTo(["--endpoint", "https://named.example/"], { DKE_URL: "https://api.example/" })).toBe("https://named.example/");
  });

  it("[3.1] makes a further key with one that opens the store, and sends neither", async () => {
    const first = await makeFirstKey(STORE);
    wraps.set(first.record.hash, first.record.wrap);
    for (const [words, environment, input] of [
      [[], { DKE_TOKEN: "dke_t_x", DKE_KEY: first.key.text }, ""],
      [["--opener-file", "-"], { DKE_TOKEN: "dke_t_x" }, `${first.key.text}\n`],
    ] as const) {
      calls = [];
      const { code, out } = await run(["issue", "--store", STORE, "--label", "next", "--show", ...words], environment, input);
      expect(code).toBe(0);
      const made = readKey(out.trim())!;
      expect(made.text).not.toBe(first.key.text);
      const sent = JSON.stringify(calls);
      for (const key of [first.key, made]) {
        expect(sent).not.toContain(key.text);
        expect(sent).not.toContain(Buffer.from(key.secret).toString("hex"));
        expect(sent).not.toContain(Buffer.from(key.secret).toString("base64"));
      }
      expect(JSON.parse(calls[1].body)).toMatchObject({ level: "read", made: "dkekey", label: "next" });
    }
  });

  it.each([
    [["issue", "--label", "x", "--show"], "--store"],
    [["issue", "--store", STORE, "--label", "x"], "where should the key go"],
    [["issue", "--store", STORE, "--label", "x", "--show"], "no opener"],
    [["issue", "--store", STORE, "--label", "x", "--show", "--level", "all"], "--level"],
    [["issue", "--store", STORE, "--label", "x", "--show", "--print-config", "emacs"], "--print-config"],
    [["revoke", "--store", STORE], "which key"],
    [["nonsense"], "no command"],
    [["issue", "--key", "x"], "--key"],
    [["verify"], "which file"],
  ])("[3.1] refuses %j with exit code 2 and sends nothing", async (words, said) => {
    const { code, err } = await run(words);
    expect([code, calls.length]).toEqual([2, 0]);
    expect(err).toContain(said);
  });

  it("[3.1] takes no store key for a token, and no text for a key", async () => {
    expect((await run(["stores"], { DKE_TOKEN: `dke_s_${"0".repeat(92)}` })).err).toContain("store key");
    expect((await run(["stores"], {})).err).toContain("no sign-in");
    const other = await makeFirstKey("cd".repeat(32));
    const issue = ["issue", "--store", STORE, "--label", "x", "--show"];
    expect((await run(issue, { DKE_TOKEN: "dke_t_x", DKE_KEY: other.key.text })).err).toContain("another store");
    expect((await run(issue, { DKE_TOKEN: "dke_t_x", DKE_KEY: "dke_s_x" })).err).toContain("no store key");
    expect(calls).toEqual([]);
  });

  it("[3.1] signs in by address and password, lists, revokes and warns of the last key", async () => {
    expect((await run(["stores", "--email", "a@b.c"], {})).out).toBe(`${STORE}  First\n`);
    expect(calls[0].authorization).toBe(`Basic ${Buffer.from("a@b.c:pass word").toString("base64")}`);
    expect((await run(["list", "--store", STORE])).out).toMatch(/^key_1 {2}read .* never opened .* one\n$/);
    const revoked = await run(["revoke", "--store", STORE, "key_1"]);
    expect([revoked.code, revoked.err]).toEqual([0, expect.stringContaining("last key")]);
    expect(calls.at(-1)?.path).toBe(`/api/stores/${STORE}/keys/key_1/revoke`);
  });

  it("[3.1] says what the service refused, with exit code 1, and what is not there", async () => {
    reply = () => ({ status: 403, body: { error: { code: "not_allowed", message: "up to read" } } });
    const { code, err } = await run(["issue", "--store", STORE, "--label", "x", "--first", "--show"]);
    expect([code, err]).toEqual([1, "dkekey: not_allowed: up to read\n"]);
    reply = () => notFound;
    expect((await run(["list", "--store", STORE])).err).toBe("dkekey: not_found: nothing here\n");
    const dead = await main(["stores", "--account", "http://127.0.0.1:1/api"], {
      environment: { DKE_TOKEN: "t" },
      ownFile: "",
      ownName: "",
      say() {},
      tell() {},
      readInput: () => "",
      askPassword: async () => "",
    });
    expect(dead).toBe(1);
  });

  it.each(CLIENTS)("[3.1] writes the configuration of %s", (client) => {
    const text = configFor(client, "https://e.example/", "dke_s_k");
    expect(text).toContain("https://e.example/");
    expect(text).toContain("Bearer dke_s_k");
    if (client !== "codex") JSON.parse(text);
  });
});

describe("what is served of dkekey", () => {
  it("[C7.61] is built to the same bytes each time, and its list verifies; a changed byte or list does not", async () => {
    expect(Buffer.from((await buildDkekey()).program).equals(Buffer.from((await buildDkekey()).program))).toBe(true);
    const { dkekey } = await servedPrograms();
    for (const name of ["dkekey.mjs", "SHA256SUMS", "SHA256SUMS.sig"]) writeFileSync(join(folder, name), dkekey[name] as string);
    const at = (name: string) => join(folder, name);
    const verify = (file: string) => run(["verify", at(file), "--digests", at("SHA256SUMS"), "--signature", at("SHA256SUMS.sig")]);
    expect(await verify("dkekey.mjs")).toMatchObject({
      code: 0,
      out: `${at("dkekey.mjs")} is dkekey.mjs, as signed by ${fingerprintOf(RELEASE_KEY)}\n`,
    });
    const bytes = readFileSync(at("dkekey.mjs"));
    bytes[bytes.length - 2] ^= 1;
    writeFileSync(at("tampered.mjs"), bytes);
    expect((await verify("tampered.mjs")).code).toBe(1);
    writeFileSync(at("SHA256SUMS"), `${readFileSync(at("SHA256SUMS"), "utf8")}${"0".repeat(64)}  more\n`);
    expect((await verify("dkekey.mjs")).err).toContain("not signed");
    expect(calls).toEqual([]);
  });

  it("[C6] says its version and the digest of what it is", async () => {
    writeFileSync(join(folder, "own.mjs"), "x");
    expect(await run(["--version"])).toEqual({ code: 0, out: `dkekey ${version}\n${digestOf(Buffer.from("x"))}  dkekey.mjs\n`, err: "" });
  });

  it("[C7.61] is signed by the release key and no other", () => {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const list = `${digestOf(Buffer.from("y"))}  B\n${digestOf(Buffer.from("x"))}  a\n`;
    const pem = publicKey.export({ type: "spki", format: "pem" }) as string;
    const digests = readDigests(list, sign(null, Buffer.from(list), privateKey).toString("base64"), pem)!;
    expect([...digests.keys()]).toEqual(["B", "a"]);
    expect(namesOf(digests, Buffer.from("x"))).toEqual(["a"]);
    expect(namesOf(digests, Buffer.from("z"))).toEqual([]);
    const other = generateKeyPairSync("ed25519").privateKey;
    expect(readDigests(list, sign(null, Buffer.from(list), other).toString("base64"), pem)).toBeNull();
    expect(readDigests(list, "", pem)).toBeNull();
  });
});
