/**
 * What lies on the disk of a service that people have used: the directory and every object's database, byte by byte.
 *
 * Nothing in them opens anything, and nothing tells what is in a store (contract §3.1, C7.6).
 */
import { afterAll, describe, expect, it } from "vitest";
import { cleanUp, start, stateFolder } from "../e2e/start-process";
import { makeStore, makeToken, signUp } from "./browser-like";
import { formsOf, formsOfText, StateSearch } from "./state-search";
import { type MadeKey, newKey } from "./store-owner";

afterAll(cleanUp);

const LABEL = "a-label-that-is-found";
/** Of the store: a kind, a subject, a field, a value, a source, a module and a name in it. */
const CONTENTS = [
  "Zephyrkind",
  "quokkasubject",
  "marzipanfield",
  "the value nobody may read",
  "an-oracle-as-source",
  "tapirmodule",
  "okapifunction",
];

describe("at rest", () => {
  it("[C7.6] no database holds a secret that opens anything, nor a name or value of any store", async () => {
    const folder = stateFolder();
    const { ready, process: service, ended } = await start(folder);
    const person = await signUp(ready.url);
    const storeId = await makeStore(person);
    const drawn: Uint8Array[] = [];
    const draw = crypto.getRandomValues.bind(crypto);
    crypto.getRandomValues = ((array: Uint8Array) => {
      draw(array);
      if (array.length === 32) drawn.push(Uint8Array.from(array));
      return array;
    }) as typeof crypto.getRandomValues;
    const keys: MadeKey[] = [];
    try {
      keys.push(await newKey({ ...person, storeId }, { level: "read-write-delete", label: LABEL }));
      keys.push(await newKey({ ...person, storeId }, { opener: keys[0].key }));
    } finally {
      crypto.getRandomValues = draw;
    }
    const token = await makeToken(person, "read");
    const [kind, subject, field, value, source, module, name] = CONTENTS;
    const call = async (tool: string, args: object) => {
      const headers = { authorization: `Bearer ${keys[0].key.text}`, "content-type": "application/json" };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: args } });
      const answer = (await (await fetch(ready.url, { method: "POST", headers, body })).json()) as {
        result: { isError: boolean; content: { text: string }[] };
      };
      expect(answer.result.isError, answer.result.content[0].text).toBe(false);
    };
    await call("run", { source: `remember(${kind}.${subject}.${field}, "${value}", "${source}")\nprint(${kind}.${subject}.${field})` });
    await call("compile", { name: module, source: `def ${name}():\n    return "${value}"\n` });
    await person.browser.get(`/dashboard/stores/${storeId}/keys`);
    service.kill("SIGTERM");
    await ended;
    const state = new StateSearch(folder);
    expect(state.paths.filter((path) => path.includes(".sqlite")).length).toBeGreaterThan(3);
    // What may be found, is: so the search finds what there is.
    for (const shown of [LABEL, person.email, storeId, keys[0].keyId]) expect(state.holding(shown), shown).not.toEqual([]);
    expect(drawn.length).toBe(3); // the data key, and a secret for each key
    const secrets = [
      ...drawn.flatMap(formsOf),
      ...keys.flatMap(({ key }) => [Buffer.from(key.text), Buffer.from(key.text.slice(49, 92))]),
      Buffer.from(token),
      Buffer.from(token.slice(6)),
      Buffer.from(person.password),
      ...[...person.browser.cookies.values()].map((cookie) => Buffer.from(cookie)),
      Buffer.from(person.browser.formToken),
    ];
    expect(person.browser.cookies.size).toBeGreaterThan(0);
    for (const secret of secrets) expect(state.holding(secret), secret.toString()).toEqual([]);
    for (const told of CONTENTS) for (const needle of formsOfText(told)) expect(state.holding(needle), told).toEqual([]);
  });
});
