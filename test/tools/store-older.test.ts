/**
 * A store made by an earlier version, brought up to this one: it answers as one that this version has filled itself.
 *
 * store-step-1.json is the whole database as the first step's version left it after `fill`, under a key of
 * 32 bytes of seven.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { SqlValue } from "../../src/engine/sql";
import { STEPS } from "../../src/engine/store-schema";
import { CipherNode } from "../engine/cipher-node";
import { SqlNode } from "../engine/sql-node";
import { MODULE, told } from "./store-scripts";
import { ToolFixture } from "./tool-fixture";

interface Dump {
  readonly made: readonly string[];
  readonly tables: { readonly [name: string]: { readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] } };
}
const OLD = JSON.parse(readFileSync(new URL("../testdata/store-step-1.json", import.meta.url), "utf8")) as Dump;

function oldStore(): { sql: SqlNode; cipher: CipherNode } {
  const sql = new SqlNode();
  for (const statement of OLD.made) sql.exec(statement);
  for (const [table, { columns, rows }] of Object.entries(OLD.tables)) {
    const insert = `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
    for (const row of rows) sql.exec(insert, ...row.map(valueFrom));
  }
  return { sql, cipher: new CipherNode(Buffer.alloc(32, 7)) };
}

function valueFrom(value: unknown): SqlValue {
  if (typeof value !== "object" || value === null) return value as SqlValue;
  return new Uint8Array(Buffer.from((value as { readonly hex: string }).hex, "hex"));
}

/** What was done to the store that was kept: it stays as it is, whatever else a store is filled with by now. */
function fill(f: ToolFixture): void {
  const must = ({ status, text }: { status: string; text: string }) => {
    if (status !== "success") throw new Error(text);
  };
  must(
    f.run(
      'remember(P.a.x, 1, "s")\nremember(P.a.x, 2, "t")\nremember(P.b.x, "b", "s", why="so")\nremember(P.b.y, 3, "s")\nremember(P.d.x, 4, "s")\nremember(P.w.x, 5, "s", valid_from=datetime("2020-01-01T00:00:00Z"))\nremember(P.w.y, 5, "s", valid_from=datetime("2020-01-01T00:00:00Z"), valid_to=datetime("2021-01-01T00:00:00Z"))\nremember(P.e.x, 1, "s")\nremember(P.e.x, 2, "t")\nremember(P.f.x, 1, "s")\nupdate(P.f.x, 2, "s")',
    ),
  );
  must(f.compile("m", MODULE(2)));
  must(f.call("checkpoint", { name: "early" }));
  must(f.run('prefer(P.a.x, "s")\npin(P.b.x)\nupdate(P.d.x, 6, "s")\nforget(P.b.y)'));
  must(f.call("checkpoint", { name: "mark" }));
  must(f.run('import m\nremember(m.Item.i.part, m.Item.j, "s")\nremember(P.late.x, 9, "s")\nforget(P.d.x)'));
  must(f.run('prefer(P.e.x, "s")'));
  must(f.run("unprefer(P.e.x)"));
  must(f.compile("m", "class Item:\n    n: int\n    part: many[Item]\n\ndef number():\n    return 1\n"));
  const thing = 'class Thing:\n    n: int\n\nremember(Thing.t.n, 1, "s")\nremember(Thing.u.n, 2, "s")\nprefer(Thing.n, "s")\n';
  must(f.compile("gone", thing));
  must(f.call("forget_module", { name: "gone", confirm: true }));
  must(f.run('forget(P.f.x, 2, "s")'));
}

/** Every read, then what comes back at a restore, and every read once more. */
function allOf(f: ToolFixture): string[] {
  f.clock = 1_800_000_000_000_000;
  const before = told(f);
  const back = f.call("restore", { since: "early" }).text;
  return [...before.split("\n"), back, ...told(f).split("\n")];
}

test("[store-and-rules 6] a store of the first step answers as one made today, restores included", () => {
  const today = new ToolFixture();
  fill(today);
  const old = new ToolFixture({}, oldStore());
  expect(allOf(old)).toEqual(allOf(today));
  expect(old.call("restore", { since: "mark" }).status).toBe("success");
  expect(old.sql.exec("SELECT value FROM meta WHERE name = 'schema'")).toEqual([[STEPS.length]]);
  const shape = (f: ToolFixture) => f.sql.exec("SELECT name, sql FROM sqlite_master ORDER BY name");
  expect(shape(old).filter(([name]) => !String(name).startsWith("text_"))).toEqual(
    shape(today).filter(([name]) => !String(name).startsWith("text_")),
  );
});

test("[store-and-rules 6] a way up that fails at any call leaves the old store, and the next one arrives", () => {
  const whole = (sql: SqlNode) => Object.keys(OLD.tables).map((table) => sql.exec(`SELECT * FROM ${table}`));
  const { sql, cipher } = oldStore();
  const before = [sql.exec("SELECT sql FROM sqlite_master ORDER BY name"), whole(sql)];
  let failed = 0;
  for (; failed < 1000; failed++) {
    sql.calls = 0;
    sql.failAt = failed + 1;
    try {
      new ToolFixture({}, { sql, cipher });
      break;
    } catch {
      sql.failAt = 0;
      const version = sql.exec("SELECT value FROM meta WHERE name = 'schema'")[0]![0];
      if (version === STEPS.length) continue;
      expect([sql.exec("SELECT sql FROM sqlite_master ORDER BY name"), whole(sql)], `call ${failed + 1}`).toEqual(before);
    }
  }
  expect(failed).toBeGreaterThan(60);
});
