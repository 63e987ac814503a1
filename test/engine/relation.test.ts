/** A relation's chains over rows that come and go: whoever walks them meets what stands, once. */
import { expect, test } from "vitest";
import { Relation } from "../../src/engine/relation";
import { Random } from "./rule-random";

const ALWAYS = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
type Pair = readonly [subject: number, value: number];

function add(relation: Relation, [subject, value]: Pair): void {
  relation.add(subject, value, value, ...ALWAYS, 1);
}

function rowOf(relation: Relation, [subject, value]: Pair): number {
  for (let row = relation.pairFirst(subject, value); row >= 0; row = relation.pairNext(row)) {
    if (relation.subjectOf(row) === subject && relation.valueOf(row) === value && relation.isLive(row)) return row;
  }
  return -1;
}

/** Pairs found through each index, and by a look through all rows. */
function walked(relation: Relation, ids: number): { readonly [way: string]: string } {
  const live = (row: number) => (relation.isLive(row) ? [`${relation.subjectOf(row)},${relation.valueOf(row)}`] : []);
  const along = (chains: ReturnType<Relation["bySubject"]>) => {
    const found: string[] = [];
    for (let key = 0; key < ids; key++) for (let row = chains.heads.get(key); row >= 0; row = chains.next[row]!) found.push(...live(row));
    return found.sort().join(" ");
  };
  const all = Array.from({ length: relation.rowsEnd }, (_, row) => live(row)).flat();
  return { bySubject: along(relation.bySubject()), byEqual: along(relation.byEqual()), all: all.sort().join(" ") };
}

test("[rules] an index gives every row that stands and no other, however deep those lay that went", () => {
  const random = new Random(5);
  const ids = 12;
  const relation = new Relation();
  relation.loading = false;
  const standing = new Set<string>();
  const pairs = Array.from({ length: ids * ids * ids }, (_, i): Pair => [i % ids, Math.floor(i / ids)]);
  for (let turn = 0; turn < 40; turn++) {
    const before = new Set(standing);
    for (const pair of pairs) {
      const key = pair.join();
      // Whole stretches go at times, so that rows left in chains are swept out and used again.
      if (standing.has(key) && random.once(turn % 5 === 4 ? 2 : 9)) {
        relation.kill(rowOf(relation, pair));
        standing.delete(key);
      } else if (!standing.has(key) && random.once(turn % 5 === 0 ? 2 : 12)) {
        add(relation, pair);
        standing.add(key);
      }
    }
    if (random.once(4)) {
      relation.revert();
      standing.clear();
      for (const key of before) standing.add(key);
    } else relation.settle();
    const want = [...standing].sort().join(" ");
    expect(walked(relation, ids * ids), `turn ${turn}`).toEqual({ bySubject: want, byEqual: want, all: want });
    expect(relation.liveCount).toBe(standing.size);
  }
});

test("[rules] rows that went are used again: a relation that changes for ever does not grow for ever", () => {
  const relation = new Relation();
  relation.loading = false;
  const pairs = Array.from({ length: 4000 }, (_, i): Pair => [i % 7, i]);
  for (const pair of pairs) add(relation, pair);
  relation.settle();
  relation.bySubject();
  relation.byEqual();
  for (let turn = 0; turn < 30; turn++) {
    // Those at the far end of their chains.
    for (const pair of pairs.slice(0, 500)) relation.kill(rowOf(relation, pair));
    relation.settle();
    for (const pair of pairs.slice(0, 500)) add(relation, pair);
    relation.settle();
  }
  expect(relation.liveCount).toBe(4000);
  expect(relation.rowsEnd).toBeLessThan(4000 + 500 + 1024 + 4000 / 4);
});
