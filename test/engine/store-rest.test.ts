import { describe, expect, test } from "vitest";
import { type Datum, StoredCollection } from "../../src/datum";
import { decodeDatum } from "../../src/engine/datum-code";
import type { Session } from "../../src/engine/session";
import { Store } from "../../src/engine/store";
import { SymbolPages } from "../../src/engine/symbol-page";
import { CipherNode } from "./cipher-node";
import { SqlNode } from "./sql-node";
import { ALWAYS, at, cell, PLAIN, refuses, remember, update, valueAt, World } from "./store-fixture";

/** Everything the database holds, as text: what somebody sees who copies the file without a key. */
function dump(sql: SqlNode): string {
  const parts: string[] = [];
  for (const [table] of sql.exec("SELECT name FROM sqlite_master WHERE type = 'table'")) {
    for (const row of sql.exec(`SELECT * FROM ${table}`)) {
      for (const value of row) parts.push(value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value));
    }
  }
  return parts.join("\n");
}

/** All values that somebody with the key finds. */
function decrypted(world: World): Datum[] {
  const pages = new SymbolPages(world.sql, world.cipher);
  const found: Datum[] = [];
  for (const [page] of world.sql.exec("SELECT id FROM symbol_page")) {
    for (const entry of pages.read(page as number).entries()) found.push(decodeDatum(entry.bytes));
  }
  return found;
}

const MODULE = {
  name: "secretmodule",
  form: '{"secretform": 1}',
  language: "eng",
  kinds: [],
  scripts: [{ name: "secretscript", signature: "secretmodule.secretscript()" }],
  rules: [],
  constraints: [],
  imports: [],
};

describe("encryption at rest", () => {
  test("[store-and-rules 6] no name and no value stands in the database in the clear, in any column", () => {
    const world = new World();
    const session = world.call("read-write-delete", "secretkey");
    remember(session, "SecretKind.secretsubject.secretfield", "secretvalue", "secretsource", ALWAYS, new Map([["secretqualifier", "x"]]));
    remember(session, "SecretKind.other.number", 1234567891);
    session.prefer(at("SecretKind.secretsubject.secretfield"), "secretsource");
    session.pin(cell("SecretKind.secretsubject.secretfield"));
    session.installModule(MODULE);
    session.flush();
    const text = dump(world.sql);
    expect(text.length).toBeGreaterThan(200);
    expect(text.toLowerCase()).not.toContain("secret");
    expect(text).not.toContain("1234567891");
    expect(valueAt(world.reopen(), "SecretKind.secretsubject.secretfield")).toBe("secretvalue");
  });

  test("[store-and-rules 6] one value sealed twice, and the same look-up under two keys, have nothing in common", () => {
    const hashes = [new CipherNode(), new CipherNode()].map((cipher) => {
      const sql = new SqlNode();
      const session = Store.open(sql, cipher).beginCall({ keyId: "k", level: "read-write", wallMicros: 1, writes: true });
      session.remember(cell("P.a.x"), "same", "s", ALWAYS, PLAIN);
      session.flush();
      return new SymbolPages(sql, cipher)
        .read(1)
        .entries()
        .map(({ low, high }) => [low, high]);
    });
    expect(hashes[0]).not.toEqual(hashes[1]);
  });

  test("[store-and-rules 6] a page that was tampered with, or moved to another place, is not opened", () => {
    const world = new World();
    const session = world.call();
    remember(session, "P.a.x", "v");
    session.flush();
    const [[sealed]] = world.sql.exec("SELECT sealed FROM symbol_page WHERE id = 1");
    world.sql.exec("INSERT INTO symbol_page SELECT 2, first, last, refs, keys, sealed, sum FROM symbol_page WHERE id = 1");
    expect(() => new SymbolPages(world.sql, world.cipher).read(2)).toThrow();
    const bytes = (sealed as Uint8Array).slice();
    bytes[20] ^= 1;
    world.sql.exec("UPDATE symbol_page SET sealed = ? WHERE id = 1", bytes);
    expect(() => Store.open(world.sql, world.cipher)).toThrow();
  });

  test("[rulings, What erasing means] after forget the decrypted database holds no trace of what only it named", () => {
    const world = new World();
    const session = world.call();
    remember(session, "Kind.kept.field", "kept");
    remember(session, "Kind.gone.field", "kept");
    remember(session, "Kind.gone.lost", new StoredCollection("list", ["inside"]), "who", ALWAYS, new Map([["q", 1]]));
    update(session, "Kind.gone.lost", "newer", "who");
    session.prefer(at("Kind.gone.lost"), "who");
    session.flush();
    const later = world.call();
    later.unprefer(at("Kind.gone.lost"));
    later.flush();
    const end = world.call();
    end.forget({ tag: "subject", kind: "Kind", subject: "gone" });
    end.flush();
    const left = decrypted(world);
    expect(left).toHaveLength(6);
    expect(new Set(left.map((datum) => (typeof datum === "object" ? "subject" : datum)))).toEqual(
      new Set(["Kind", "field", "kept", "a", "key-1", "subject"]),
    );
    expect(world.sql.exec("SELECT count(*) FROM preference")).toEqual([[0]]);
    expect(valueAt(world.reopen(), "Kind.kept.field")).toBe("kept");
  });

  test("[rulings, What erasing means] nor of who was believed there, where the preference ends only afterwards", () => {
    const world = new World();
    const session = world.call();
    remember(session, "Kind.kept.field", "kept");
    remember(session, "Kind.gone.field", "lost", "who");
    session.prefer(at("Kind.gone.field"), "who");
    session.flush();
    const later = world.call();
    later.forget(at("Kind.gone.field"));
    later.flush();
    // A preference that stands still names its source.
    expect(decrypted(world)).toContain("who");
    const end = world.call();
    end.unprefer(at("Kind.gone.field"));
    end.flush();
    expect(decrypted(world)).not.toContain("who");
    expect(decrypted(world)).not.toContain("lost");
    expect(world.sql.exec("SELECT count(*) FROM preference")).toEqual([[0]]);
  });

  test("a value that comes back after it was erased is a value like any other", () => {
    const world = new World();
    const session = world.call();
    remember(session, "P.a.x", "v");
    session.flush();
    session.forget(at("P.a.x"));
    session.flush();
    remember(session, "P.a.x", "v");
    remember(session, "P.b.x", "v");
    session.flush();
    expect(decrypted(world).filter((datum) => datum === "v")).toHaveLength(1);
    expect(world.reopen().find("P", new Map([["x", "v"]]))).toEqual(["a", "b"]);
  });

  test("thousands of symbols lie in pages of some kilobytes, a few more in the last one", () => {
    const world = new World();
    const session = world.call();
    for (let i = 0; i < 3000; i++) remember(session, `P.s${i}.x`, i * 1000);
    session.flush();
    const [[pages]] = world.sql.exec("SELECT count(*) FROM symbol_page");
    expect(pages).toBeLessThan(12);
    expect(world.cipher.sealed).toBe(pages);
    for (let i = 0; i < 20; i++) {
      remember(session, `P.single${i}.x`, i * 1000 + 1);
      session.flush();
    }
    expect(world.sql.exec("SELECT count(*) FROM symbol_page")[0][0]).toBeLessThanOrEqual((pages as number) + 1);
    const again = world.reopen();
    for (const i of [0, 17, 2999]) expect(valueAt(again, `P.s${i}.x`)).toBe(i * 1000);
  });
});

/** Short programs, each with what must be true before and after its last call, and never anything between. */
const PROGRAMS: { readonly name: string; readonly setup: (session: Session) => void; readonly work: (session: Session) => void }[] = [
  {
    name: "remember, update, forget",
    setup: (session) => {
      remember(session, "P.a.x", 1);
      remember(session, "P.b.x", "b");
    },
    work: (session) => {
      update(session, "P.a.x", "new");
      session.forget(at("P.b.x"));
      remember(session, "P.c.y", new StoredCollection("list", [1, 2]), "s", ALWAYS, new Map([["q", 1]]));
    },
  },
  {
    name: "a branch with pins and preferences",
    setup: (session) => {
      remember(session, "P.a.x", 1);
      remember(session, "P.a.x", 2, "b");
    },
    work: (session) => {
      session.branchBegin("b");
      session.prefer(at("P.a.x"), "a");
      session.pin(cell("P.a.x"));
      update(session, "P.a.x", 3);
      session.branchCommit(true);
    },
  },
  {
    name: "a module installed and its Kind written",
    setup: (session) => {
      session.installModule({ ...MODULE, form: "old" });
    },
    work: (session) => {
      session.layerPush("compile");
      session.installModule({ ...MODULE, kinds: [{ name: "secretmodule.K", fields: new Map([["x", { type: "int", many: true }]]) }] });
      session.remember({ kind: "secretmodule.K", subject: "a", field: "x" }, 1, "s", ALWAYS, PLAIN);
      session.layerCommit();
    },
  },
];

/** What a store answers, of everything the programs touch. */
function answers(session: Session): unknown {
  const cells = ["P.a.x", "P.b.x", "P.c.y"].map(cell);
  cells.push({ kind: "secretmodule.K", subject: "a", field: "x" });
  return {
    claims: cells.map((where) => {
      const history =
        session.modules().some((module) => module.kinds.length > 0) || !where.kind.includes(".") ? session.history(where) : [];
      return history.map(({ recordedAt, position, ...claim }) => [claim, recordedAt === null, position > 0]);
    }),
    kinds: session.kinds(),
    modules: session.modules().map(({ name, kinds }) => [name, kinds.length, session.module(name)!.form]),
  };
}

describe("a write to SQL that fails", () => {
  test.each(PROGRAMS)("[style, Tests] $name: the n-th SQL call fails for every n, and the store is as before or as after", (program) => {
    const before = new World();
    program.setup(before.call());
    const wanted: string[] = [];
    for (const worked of [false, true]) {
      const world = new World();
      const setup = world.call();
      program.setup(setup);
      setup.flush();
      if (worked) {
        const work = world.call();
        program.work(work);
        work.flush();
      }
      wanted.push(JSON.stringify(answers(world.reopen())));
    }
    expect(wanted[0]).not.toBe(wanted[1]);
    let failures = 0;
    for (let n = 1; ; n++) {
      const world = new World();
      const setup = world.call();
      program.setup(setup);
      setup.flush();
      world.sql.calls = 0;
      world.sql.failAt = n;
      let failed = false;
      try {
        const session = world.call();
        program.work(session);
        session.flush();
      } catch (error) {
        expect(String(error)).toContain("fails");
        failed = true;
        failures++;
      }
      world.sql.failAt = 0;
      // The object goes on with what it has in memory; then it is opened anew.
      const session = world.call();
      session.abandonLayers();
      const after = JSON.stringify(answers(session));
      session.flush();
      const reopened = JSON.stringify(answers(world.reopen()));
      expect(reopened).toBe(after);
      expect(wanted).toContain(after);
      if (!failed) {
        expect(after).toBe(wanted[1]);
        break;
      }
    }
    expect(failures).toBeGreaterThan(5);
  });
});

describe("size limit", () => {
  test("[9.5] the write that would pass it is refused and not kept, earlier ones stay, both byte counts are named", () => {
    const world = new World({ bytesMax: 400_000 });
    const session = world.call();
    const big = (i: number) => String(i).repeat(20_000);
    let written = 0;
    let refusal: ReturnType<typeof refuses> | null = null;
    for (; written < 100 && refusal === null; ) {
      try {
        remember(session, `P.s${written}.x`, big(written % 10) + written);
        written++;
      } catch {
        refusal = refuses(() => remember(session, `P.s${written}.x`, big(written % 10) + written), "limit_exceeded");
      }
    }
    expect(written).toBeGreaterThan(8);
    expect(written).toBeLessThan(30);
    session.flush();
    expect(world.store.bytes()).toBeLessThanOrEqual(400_000);
    expect(refusal!.message).toContain("400000");
    expect(refusal!.message).toContain(String(world.store.bytes()));
    expect(session.subjects("P")).toHaveLength(written);
    // Reading and removing go on, and a write that fits in what was freed is accepted.
    session.forget(at("P.s0.x"));
    session.forget(at("P.s1.x"));
    expect(remember(session, "P.again.x", big(7))).not.toBeNull();
    session.flush();
    expect(world.store.bytes()).toBeLessThanOrEqual(400_000);
    const again = world.reopen();
    expect(again.subjects("P")).toHaveLength(written - 1);
    expect(valueAt(again, "P.again.x")).toBe(big(7));
  });

  test("[9.5] a branch past the limit is refused whole where it lands", () => {
    const world = new World({ bytesMax: 400_000 });
    const session = world.call();
    remember(session, "P.a.x", 1);
    session.branchBegin(null);
    for (let i = 0; i < 40; i++) remember(session, `P.s${i}.x`, "y".repeat(20_000) + i);
    refuses(() => session.branchCommit(true), "limit_exceeded");
    expect(session.subjects("P")).toEqual(["a"]);
    session.flush();
    expect(world.reopen().subjects("P")).toEqual(["a"]);
  });
});
