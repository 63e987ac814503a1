/**
 * How much of what a store holds, by kind: what a person is shown before a restore.
 *
 * Counts need no key: kinds are numbers then. Whoever holds a key sees their names, read from the sealed pages of the store and
 * of the snapshot, for the same number may be another name there.
 */
import { decodeDatum } from "../engine/datum-code";
import type { Cipher, Sql, SqlRow } from "../engine/sql";
import { openPage } from "../engine/symbol-page";
import type { SnapshotFolder, SnapshotManifest } from "./snapshot-folder";

/** What is counted beside claims by kind. */
const COUNTED = {
  claims: "SELECT count(*) FROM claim WHERE past = 0",
  superseded: "SELECT count(*) FROM claim WHERE past <> 0",
  modules: "SELECT count(DISTINCT module) FROM module_part",
  marks: "SELECT count(*) FROM mark",
  worlds: "SELECT count(*) FROM world",
} as const;

export type Counted = keyof typeof COUNTED;
export const COUNTED_NAMES = Object.keys(COUNTED) as Counted[];

export interface StoreCount {
  readonly counts: Readonly<Record<Counted, number>>;
  /** Claims that stand, by the symbol that is the kind's name. */
  readonly kinds: readonly (readonly [symbol: number, claims: number])[];
}

export interface KindChange {
  readonly kind: string;
  readonly now: number;
  readonly after: number;
}

export function countStore(sql: Sql): StoreCount {
  if (sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'claim'").length === 0) {
    return { counts: { claims: 0, superseded: 0, modules: 0, marks: 0, worlds: 0 }, kinds: [] };
  }
  const counts = Object.fromEntries(COUNTED_NAMES.map((name) => [name, sql.exec(COUNTED[name])[0][0] as number]));
  const kinds = sql.exec(
    "SELECT f.kind, count(*) FROM claim c JOIN field f ON f.id = c.field WHERE c.past = 0 GROUP BY f.kind ORDER BY f.kind",
  );
  return { counts: counts as StoreCount["counts"], kinds: kinds as unknown as StoreCount["kinds"] };
}

/** Kinds of the one or the other whose counts differ, by name. */
export async function kindChanges(sql: Sql, cipher: Cipher, manifest: SnapshotManifest, folder: SnapshotFolder): Promise<KindChange[]> {
  const now = new Names(cipher, countStore(sql).kinds);
  now.read(sql.scan("SELECT id, first, last, refs, keys, sealed FROM symbol_page"));
  const after = new Names(cipher, manifest.count.kinds);
  const pages = manifest.tables.find((table) => table.name === "symbol_page");
  if (pages !== undefined) {
    const places = ["id", "first", "last", "refs", "keys", "sealed"].map((column) => pages.columns.indexOf(column));
    for await (const rows of folder.rows(pages)) for (const row of rows) after.read([places.map((place) => row[place])]);
  }
  const kinds = [...new Set([...now.counts.keys(), ...after.counts.keys()])].sort();
  return kinds
    .map((kind) => ({ kind, now: now.counts.get(kind) ?? 0, after: after.counts.get(kind) ?? 0 }))
    .filter((change) => change.now !== change.after);
}

/** Finds the names of kinds among pages of symbols. */
class Names {
  readonly counts = new Map<string, number>();
  readonly #cipher: Cipher;
  readonly #wanted: Map<number, number>;

  constructor(cipher: Cipher, kinds: StoreCount["kinds"]) {
    this.#cipher = cipher;
    this.#wanted = new Map(kinds);
  }

  read(pages: Iterable<SqlRow>): void {
    for (const [id, first, last, refs, keys, sealed] of pages) {
      const near = [...this.#wanted.keys()].filter((symbol) => symbol >= (first as number) && symbol <= (last as number));
      if (near.length === 0) continue;
      const page = openPage(this.#cipher, id as number, { keys, refs, sealed });
      for (const symbol of near) {
        const place = page.place(symbol);
        if (place < 0) continue;
        this.counts.set(decodeDatum(page.bytesAt(place)) as string, this.#wanted.get(symbol)!);
        this.#wanted.delete(symbol);
      }
    }
  }
}
