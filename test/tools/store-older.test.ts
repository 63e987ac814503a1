/**
 * A store made by an earlier version, brought up to this one: it answers as one that this version has filled itself.
 *
 * store-step-1.json and -3.json are the whole database as the version of that step left it after `fillFirst` and `fillThird`, under a
 * key of 32 bytes of seven.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
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
function dumpOf(step: number): Dump {
  return JSON.parse(readFileSync(new URL(`../testdata/store-step-${step}.json`, import.meta.url), "utf8")) as Dump;
}

function oldStore({ made, tables }: Dump): { sql: SqlNode; cipher: CipherNode } {
  const sql = new SqlNode();
  for (const statement of made) sql.exec(statement);
  for (const [table, { columns, rows }] of Object.entries(tables)) {
    const insert = `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
    for (const row of rows) sql.exec(insert, ...row.map(valueFrom));
  }
  return { sql, cipher: new CipherNode(Buffer.alloc(32, 7)) };
}

function valueFrom(value: unknown): SqlValue {
  if (typeof value !== "object" || value === null) return value as SqlValue;
  return new Uint8Array(Buffer.from((value as { readonly hex: string }).hex, "hex"));
}

function must({ status, text }: { status: string; text: string }): void {
  if (status !== "success") throw new Error(text);
}

/** What was done to the store that was kept: it stays as it is, whatever else a store is filled with by now. */
function fillFirst(f: ToolFixture): void {
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

/** Worlds besides, and more texts than two pages hold. */
function fillThird(f: ToolFixture): void {
  fillFirst(f);
  must(
    f.run(
      'for i in range(60):\n    remember(Doc[f"d-{i}"].text, f"{i}: " + f"{i * i * 7919:x} " * 90, "s")\nfor i in range(0, 60, 4):\n    forget(Doc[f"d-{i}"].text)\nfor i in range(1, 60, 8):\n    update(Doc[f"d-{i}"].text, f"new {i}", "t")',
    ),
  );
  must(
    f.run('create_world("what if")\nwith world("what if"):\n    update(P.a.x, 20, "s")\n    prefer(Doc["d-1"].text, "s")\n    pin(P.w.x)'),
  );
  must(f.run('create_world("nothing")\ncreate_world("gone")\nwith world("gone"):\n    remember(P.new.x, 1, "s")\ndiscard_world("gone")'));
  must(f.run('import m\nwith world("what if"):\n    remember(P.new.x, "only here", "s", valid_from=datetime("2020-01-01T00:00:00Z"))'));
}

const DOCS =
  "for s in subjects(Doc):\n    text = value(Doc[s].text)\n    print(s, len(text), text[:12], find(Doc, text=text), [c.value[:9] for c in history(Doc[s].text)])";

/** Every read, then what comes back at a restore, and every read once more. */
function allOf(f: ToolFixture): string[] {
  f.clock = 1_800_000_000_000_000;
  const before = told(f);
  const docs = f.run(DOCS).text;
  const back = f.call("restore", { since: "early" }).text;
  return [...before.split("\n"), docs, back, ...told(f).split("\n")];
}

describe.each([
  [1, fillFirst],
  [3, fillThird],
] as const)("a store of step %i", (step, fill) => {
  const dump = dumpOf(step);

  test("[store-and-rules 6] a store of an earlier step answers as one made today, restores included", () => {
    const today = new ToolFixture();
    fill(today);
    const old = new ToolFixture({}, oldStore(dump));
    expect(allOf(old)).toEqual(allOf(today));
    expect(old.call("restore", { since: "mark" }).status).toBe("success");
    expect(old.sql.exec("SELECT value FROM meta WHERE name = 'schema'")).toEqual([[STEPS.length]]);
    const shape = (f: ToolFixture) => f.sql.exec("SELECT name, sql FROM sqlite_master ORDER BY name");
    expect(shape(old).filter(([name]) => !String(name).startsWith("text_"))).toEqual(
      shape(today).filter(([name]) => !String(name).startsWith("text_")),
    );
  });

  test("[store-and-rules 6] a way up that fails at any call leaves the old store, and the next one arrives", () => {
    const whole = (sql: SqlNode) => Object.keys(dump.tables).map((table) => sql.exec(`SELECT * FROM ${table}`));
    const { sql, cipher } = oldStore(dump);
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
    expect(failed).toBeGreaterThan(step === 1 ? 60 : 12);
  });
});
