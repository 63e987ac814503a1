/**
 * Every verb that changes the store, in every way its arguments can be wrong, at each level that can run a program: a key
 * that may not make the statement is told that and nothing else (rulings, "Level before other refusals", "Scope refusals").
 */
import { describe, expect, it } from "vitest";
import type { Level } from "../../src/engine/claim";
import { LEVELS } from "../../src/engine/claim";
import { allows } from "../../src/engine/level";
import { VERBS } from "../../src/lang/check/verbs";
import { ToolFixture } from "./tool-fixture";

/** Values that only the run knows. */
const ODD = 'odd = {"none": None, "empty": "", "int": 3, "function": len, "pair": (1, len), "text": "x", "long": "x" * 2000}\n';
const STORE = 'remember(K.a.x, 1, "s")\nremember(K.x.y, 1, "s")\nremember(K.a.b, 1, "s")\npin(K.a.b)\n';
const at = (value: string) => `odd["${value}"]`;

const CELLS = [
  `${at("int")}.x`,
  `${at("none")}.x`,
  `K.a[${at("empty")}]`,
  `K.a[${at("int")}]`,
  'K.a["__x"]',
  `K[${at("text")}][${at("none")}]`,
];
const cells = (form: (cell: string) => string) => CELLS.map(form);
const SOURCES = ["empty", "none", "int", "function"].map(at);
const BOUNDS = ["valid_from=3", 'valid_to="2026"', `valid_from=${at("function")}`, "valid_from=now(), valid_to=now()"];
const UNSTORABLE = [at("function"), at("pair"), `[${at("function")}]`];

/** The call as a whole. `least`: what the statement asks for if it changes something. */
const FORMS: { readonly [verb: string]: { readonly least: Level; readonly calls: readonly string[] } } = {
  remember: {
    least: "read-add",
    calls: [
      ...cells((cell) => `remember(${cell}, 1, "s")`),
      ...SOURCES.map((source) => `remember(K.a.n, 1, ${source})`),
      ...BOUNDS.map((bound) => `remember(K.a.n, 1, "s", ${bound})`),
      ...UNSTORABLE.map((value) => `remember(K.a.n, ${value}, "s")`),
      ...UNSTORABLE.map((value) => `remember(K.a.n, 1, "s", note=${value})`),
      `remember(K.a.n, ${at("none")}, "s")`,
      "remember(K.a.n, **{})",
    ],
  },
  update: {
    least: "read-add",
    calls: [
      ...cells((cell) => `update(${cell}, 1, "s")`),
      ...SOURCES.map((source) => `update(K.a.n, 1, ${source})`),
      ...BOUNDS.map((bound) => `update(K.a.n, 1, "s", ${bound})`),
      ...UNSTORABLE.map((value) => `update(K.a.n, ${value}, "s")`),
      `update(K.a.n, ${at("none")}, "s")`,
    ],
  },
  assert_absent: {
    least: "read-add",
    calls: [
      ...cells((cell) => `assert_absent(${cell}, "s")`),
      ...SOURCES.map((source) => `assert_absent(K.a.n, ${source})`),
      ...BOUNDS.map((bound) => `assert_absent(K.a.n, "s", ${bound})`),
    ],
  },
  forget: {
    least: "read-write-delete",
    calls: [
      ...cells((cell) => `forget(${cell})`),
      "forget(K)",
      "forget(K.x)",
      `forget(${at("int")})`,
      "forget(K.a.x, 3)",
      `forget(K.a.x, ${at("none")})`,
      'forget(K.a, 1, "s")',
      "forget(K, now())",
      ...SOURCES.map((source) => `forget(K.a.x, 1, ${source})`),
      ...UNSTORABLE.map((value) => `forget(K.a.x, ${value}, "s")`),
      'forget(K.a.x, source="s")',
      "forget(K.a.x, recorded_before=3)",
      `forget(K.a.x, valid_before=${at("none")})`,
      "forget(K, recorded_before=now(), valid_before=now())",
      "forget(K.a.x, now(), recorded_before=now())",
      'forget(K.a.x, source="s", recorded_before=now())',
    ],
  },
  prefer: {
    least: "read-write",
    calls: [...cells((cell) => `prefer(${cell}, "s")`), ...SOURCES.map((source) => `prefer(K.a.x, ${source})`)],
  },
  unprefer: { least: "read-write", calls: cells((cell) => `unprefer(${cell})`) },
  pin: { least: "read-write", calls: cells((cell) => `pin(${cell})`) },
  unpin: { least: "read-write", calls: cells((cell) => `unpin(${cell})`) },
  create_world: { least: "read-write", calls: ["empty", "none", "int", "long"].map((name) => `create_world(${at(name)})`) },
  merge_world: { least: "read-write", calls: ["empty", "none", "int", "text"].map((name) => `merge_world(${at(name)})`) },
  discard_world: { least: "read-write-delete", calls: ["empty", "none", "int", "text"].map((name) => `discard_world(${at(name)})`) },
};

describe("level before other refusals", () => {
  it("[rulings] the table has every verb that asks for a level", () => {
    const asking = [...VERBS].filter(([, verb]) => verb.least !== "read").map(([name, verb]) => [name, verb.least]);
    expect(Object.entries(FORMS).map(([name, { least }]) => [name, least])).toEqual(asking);
  });

  describe.each(Object.entries(FORMS))("%s", (_, { least, calls }) => {
    it.each(calls)("[rulings] [6] %s", (call) => {
      const tools = new ToolFixture();
      expect(tools.run(STORE).status).toBe("success");
      for (const level of LEVELS) {
        const { status, meta, text } = tools.run(`${ODD}try:\n    ${call}\nexcept Exception as e:\n    print("caught")\n`, { level });
        if (allows(level, least)) expect([status, text], level).toEqual(["success", expect.stringContaining("caught")]);
        else
          expect([status, meta.refuse_reason, text], level).toEqual(["refuse", "scope_forbidden", expect.not.stringContaining("caught")]);
      }
    });
  });

  it("[rulings, A world block] writing in a world asks read-write, also where the statement is at fault", () => {
    const tools = new ToolFixture();
    tools.run('create_world("w")');
    for (const level of LEVELS) {
      const { meta } = tools.run('t = [""]\nwith world("w"):\n    remember(K.a.x, 1, t[0])', { level });
      expect(meta.refuse_reason, level).toBe(allows(level, "read-write") ? "invalid_value" : "scope_forbidden");
    }
  });
});
