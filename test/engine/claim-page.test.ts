/** Cells read by the page: the same answers as one by one, for a fraction of the statements, and never for many more. */
import { describe, expect, test } from "vitest";
import type { SqlRow, SqlValue } from "../../src/engine/sql";
import { Store } from "../../src/engine/store";
import { CipherNode } from "./cipher-node";
import { SqlNode } from "./sql-node";
import { at, cell, remember, shown, update, valueAt, World, window } from "./store-fixture";

/** Counts the statements that ask for claims. */
class CountingSql extends SqlNode {
  asked = 0;
  rows = 0;
  override exec(text: string, ...parameters: readonly SqlValue[]): SqlRow[] {
    const rows = super.exec(text, ...parameters);
    if (/^SELECT .* FROM claim WHERE field = \? AND subject/.test(text)) {
      this.asked++;
      this.rows += rows.length;
    }
    return rows;
  }
}

const SUBJECTS = 3000;

/** Subjects with a value each, opened anew. */
function opened(sql = new CountingSql(), cipher = new CipherNode()): { sql: CountingSql; world: Opened } {
  const store = Store.open(sql, cipher);
  const first = store.beginCall({ keyId: "k", level: "read-write-delete", wallMicros: 1_000_000, writes: true });
  for (let i = 0; i < SUBJECTS; i++) remember(first, `P.s${i}.x`, i, "a");
  first.flush();
  return { sql, world: new Opened(sql, cipher) };
}

class Opened {
  readonly #store: Store;
  #wall = 2_000_000;
  constructor(sql: CountingSql, cipher: CipherNode) {
    this.#store = Store.open(sql, cipher);
  }
  call() {
    this.#wall += 1000;
    return this.#store.beginCall({ keyId: "k", level: "read-write-delete", wallMicros: this.#wall, writes: true });
  }
}

describe("cells read by the page", () => {
  test("[store-and-rules 7] all cells in any order take a fraction of a statement each", () => {
    const { sql, world } = opened();
    const session = world.call();
    sql.asked = 0;
    for (let i = 0; i < SUBJECTS; i++) expect(valueAt(session, `P.s${(i * 1301) % SUBJECTS}.x`)).toBe((i * 1301) % SUBJECTS);
    expect(sql.asked).toBeLessThan(SUBJECTS / 2);
    // As of a moment, and once more, nothing is asked at all.
    sql.asked = 0;
    for (let i = 0; i < SUBJECTS; i++) expect(valueAt(session, `P.s${i}.x`, undefined, session.instant)).toBe(i);
    expect(sql.asked).toBe(0);
  });

  test("[store-and-rules 7] a few cells of each page are read each by itself", () => {
    const { sql, world } = opened();
    const session = world.call();
    sql.asked = 0;
    sql.rows = 0;
    for (let i = 0; i < SUBJECTS; i += 10) valueAt(session, `P.s${i}.x`);
    expect([sql.asked, sql.rows]).toEqual([SUBJECTS / 10, SUBJECTS / 10]);
  });

  test("[language 5.2] what was written since is read, of cells asked for and of their neighbours", () => {
    const { world } = opened();
    const session = world.call();
    for (let i = 0; i < SUBJECTS; i++) valueAt(session, `P.s${i}.x`);
    const before = session.instant;
    const second = world.call();
    for (let i = 0; i < SUBJECTS; i += 7) update(second, `P.s${i}.x`, `new ${i}`, "a");
    second.forget(at("P.s50.x"));
    second.flush();
    const third = world.call();
    for (let i = 0; i < SUBJECTS; i++) {
      expect(valueAt(third, `P.s${i}.x`)).toBe(i === 50 ? undefined : i % 7 === 0 ? `new ${i}` : i);
      if (i !== 50) expect(valueAt(third, `P.s${i}.x`, undefined, before)).toBe(i);
    }
    expect(shown(third.history(cell("P.s7.x")))).toEqual(["7 a [-,-)*", '"new 7" a [-,-)']);
  });

  test("[language 5.2] cells with windows, versions and many values, some too long for a page", () => {
    const world = new World();
    const first = world.call();
    for (let i = 0; i < 200; i++) {
      remember(first, `P.s${i}.x`, i, "a", window(i % 3 === 0 ? 10 : null, i % 5 === 0 ? 1e15 : null), new Map([["why", i]]));
      for (let n = 0; n < (i % 40 === 3 ? 300 : i % 4); n++) remember(first, `P.s${i}.x`, `${i}/${n}`, `source ${n}`);
    }
    first.flush();
    const second = world.call();
    for (let i = 0; i < 200; i += 2) for (let n = 0; n < (i % 50 === 0 ? 40 : 3); n++) update(second, `P.s${i}.x`, n, "a");
    second.flush();
    const ask = (backwards: boolean) => {
      const session = world.reopen();
      const told: string[][] = Array.from({ length: 200 });
      // Twice, since the first reads of a page are read each by itself.
      for (let n = 0; n < 400; n++) {
        const i = (backwards ? 399 - n : n * 77) % 200;
        const where = cell(`P.s${i}.x`);
        told[i] = [
          ...shown(session.history(where)),
          ...shown(session.get(where)),
          JSON.stringify(session.values(where, { knownAt: first.instant })),
          JSON.stringify(session.get(where).map(({ qualifiers }) => [...qualifiers])),
        ];
      }
      return told;
    };
    const told = ask(false);
    expect(ask(true)).toEqual(told);
    expect(told[50].length).toBeGreaterThan(40);
    expect(told[43].length).toBeGreaterThan(600);
    expect(told[1]).toEqual(["1 a [-,-)", '"1/0" source 0 [-,-)', "1 a [-,-)", '"1/0" source 0 [-,-)', '[1,"1/0"]', '[[["why",1]],[]]']);
  });
});
