/** Marks at rest: what lies in the database while one stands and after it, and marks near the store's size limit. */
import { describe, expect, test } from "vitest";
import { Bytes, type Datum } from "../../src/datum";
import { decodeDatum } from "../../src/engine/datum-code";
import { SymbolPages } from "../../src/engine/symbol-page";
import { ALWAYS, at, cell, refuses, remember, update, valueAt, World } from "./store-fixture";

/** Every column of every table, as somebody sees it who copies the file without a key. */
function dump(world: World): string {
  const tables = world.sql.exec("SELECT name FROM sqlite_master WHERE type = 'table'").map(([name]) => name as string);
  expect(tables).toEqual(expect.arrayContaining(["mark", "change", "grave_claim", "grave_preference", "grave_part"]));
  const parts: string[] = [];
  for (const table of tables) {
    for (const row of world.sql.exec(`SELECT * FROM ${table}`)) {
      for (const value of row) parts.push(value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value));
    }
  }
  return parts.join("\n");
}

/** All names and values that somebody with the key finds, and all module parts. */
function decrypted(world: World): string[] {
  const pages = new SymbolPages(world.sql, world.cipher);
  const found: Datum[] = [];
  for (const [page] of world.sql.exec("SELECT id FROM symbol_page")) {
    for (const entry of pages.read(page as number).entries()) found.push(decodeDatum(entry.bytes));
  }
  const texts = found.map((datum) => (typeof datum === "string" ? datum : JSON.stringify(datum)));
  for (const table of ["module_part", "grave_part"]) {
    for (const [module, form, part, sealed] of world.sql.exec(`SELECT module, form, part, sealed FROM ${table}`)) {
      const bytes = world.cipher.open(sealed as Uint8Array, `module_part/${module}/${form}/${part}`);
      texts.push(Buffer.from(bytes).toString("utf8"));
    }
  }
  return texts;
}

const MODULE = {
  name: "secretmodule",
  form: '{"secretform": 1}',
  language: "eng",
  kinds: [{ name: "secretmodule.SecretKind", fields: new Map([["secretfield", { type: "any" as const, many: false }]]) }],
  scripts: [{ name: "secretscript", signature: "secretmodule.secretscript()" }],
  rules: [],
  constraints: [],
  imports: [],
};

/** A mark, and after it one of everything that leaves something behind. */
function marked(): World {
  const world = new World();
  const session = world.call("read-write-delete", "secretkey");
  session.installModule(MODULE);
  session.checkpoint("secretmark");
  remember(session, "Kept.k.f", "kept", "kept");
  remember(session, "SecretBare.secretsubject.secretattribute", "secretvalue", "secretsource", ALWAYS, new Map([["secretqualifier", 1]]));
  update(session, "SecretBare.secretsubject.secretattribute", "secretlater", "secretsource");
  session.forgetRange({ tag: "kind", kind: "SecretBare" }, "recorded_at_or_before", session.instant);
  session.forget(at("SecretBare.secretsubject.secretattribute"));
  const inModule = { kind: "secretmodule.SecretKind", subject: "secretone", field: "secretfield" };
  session.remember(inModule, "secretinside", "secretsource", ALWAYS, new Map());
  session.prefer({ tag: "cell", cell: inModule }, "secretsource");
  session.flush();
  const later = world.call("read-write-delete", "secretkey");
  later.forgetModule("secretmodule");
  later.flush();
  return world;
}

describe("at rest", () => {
  test("[store-and-rules 6] while a mark stands, no name and no value that it keeps stands in the clear", () => {
    const world = marked();
    expect(dump(world).toLowerCase()).not.toContain("secret");
    const text = decrypted(world).join("\n");
    for (const word of ["secretmark", "secretvalue", "secretlater", "secretinside", "secretform", "secretqualifier", "secretsource"])
      expect(text).toContain(word);
  });

  test("[rulings, What erasing means] once no mark holds it, the decrypted database holds no trace of what was removed", () => {
    const world = marked();
    const session = world.call("read-write-delete", "key-2");
    session.checkpoint("other");
    expect(session.forgetCheckpoint("secretmark")).toBe(3);
    session.forgetCheckpoint("other");
    session.flush();
    const left = decrypted(world);
    // The key that wrote what was kept is still named by it.
    expect(left.filter((text) => text.toLowerCase().includes("secret"))).toEqual(["secretkey"]);
    expect(valueAt(world.reopen(), "Kept.k.f")).toBe("kept");
  });

  test("[9.7] a restore gives the graveyard's room back: nothing of it is left once all has come back", () => {
    const world = marked();
    const session = world.reopen();
    expect(session.restore("secretmark")).toEqual({
      restored: 3,
      notRestored: 0,
      modules: [{ name: "secretmodule", outcome: "restored" }],
    });
    session.flush();
    for (const table of ["grave_claim", "grave_preference", "grave_module", "grave_part", "grave_link"])
      expect(world.sql.exec(`SELECT count(*) FROM ${table}`), table).toEqual([[0]]);
    const again = world.reopen();
    expect(again.module("secretmodule")?.form).toBe(MODULE.form);
    expect(again.value({ kind: "secretmodule.SecretKind", subject: "secretone", field: "secretfield" }).value).toBe("secretinside");
    expect(again.history(cell("SecretBare.secretsubject.secretattribute")).map((claim) => claim.value)).toEqual([
      "secretvalue",
      "secretlater",
    ]);
    again.forget({ tag: "subject", kind: "SecretBare", subject: "secretsubject" });
    again.forgetModule("secretmodule");
    again.forgetCheckpoint("secretmark");
    again.flush();
    expect(decrypted(world).filter((text) => text.toLowerCase().includes("secret"))).toEqual(["secretkey"]);
  });

  test("a statement that fails leaves no line and keeps nothing", () => {
    const world = new World();
    const session = world.call();
    remember(session, "P.a.x", 1);
    remember(session, "P.b.x", 1);
    session.pin(cell("P.b.x"));
    session.checkpoint("m");
    refuses(() => session.forget(at("P.b.x")), "pinned_address");
    session.branchBegin(null);
    remember(session, "P.c.x", 1);
    session.branchRollback(true);
    session.flush();
    expect([...session.diff("m")!]).toEqual([]);
    expect(session.restore("m")).toEqual({ restored: 0, notRestored: 0, modules: [] });
  });
});

describe("size", () => {
  const blob = (i: number) => {
    const bytes = new Uint8Array(200_000);
    bytes[0] = i;
    return new Bytes(bytes);
  };

  test("[9.5] a removal under a mark is never refused for size, and what it frees is free once the mark is dropped", () => {
    const world = new World({ bytesMax: 3_000_000 });
    let session = world.call();
    session.checkpoint("m");
    let held = 0;
    for (;;) {
      try {
        remember(session, `P.s${held}.x`, blob(held));
        session.flush();
        held++;
      } catch {
        break;
      }
    }
    expect(held).toBeGreaterThan(5);
    session = world.call();
    session.forget({ tag: "subject", kind: "P", subject: "s0" });
    session.flush();
    refuses(() => remember(session, "P.more.x", blob(100)), "limit_exceeded");
    expect(session.forgetCheckpoint("m")).toBe(1);
    session.flush();
    remember(session, "P.more.x", blob(100));
    session.flush();
    expect(world.sql.databaseBytes()).toBeLessThanOrEqual(3_000_000);
  });
});
