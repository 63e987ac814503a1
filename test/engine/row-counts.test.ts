/** Counting by id, in both ways it is done. */
import { expect, test } from "vitest";
import { Relation, SUBJECT, VALUE } from "../../src/engine/relation";
import { countRecorded } from "../../src/engine/row-counts";

const ALWAYS = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

test.each([
  ["close together", 1],
  ["far apart", 1_000_000],
])("[rules] recorded rows that stand are counted by each id they name: ids %s", (_, apart) => {
  const relation = new Relation();
  for (const [subject, value] of [
    [1, 7],
    [1, 8],
    [2, 7],
    [3, 9],
  ])
    relation.add(subject! * apart, value! * apart, value! * apart, ...ALWAYS, 0);
  // Concluded, and so no recorded claim that names anybody.
  relation.add(5 * apart, 7 * apart, 7 * apart, ...ALWAYS, 1);
  relation.loading = false;
  relation.kill(3);
  const counted = (column: number) => {
    const found: [number, number][] = [];
    countRecorded(relation, column, (id, count) => found.push([id / apart, count]));
    return found.sort(([a], [b]) => a - b);
  };
  expect(counted(SUBJECT)).toEqual([
    [1, 2],
    [2, 1],
  ]);
  expect(counted(VALUE)).toEqual([
    [7, 2],
    [8, 1],
  ]);
});

test("[rules] an empty relation names nobody", () => {
  countRecorded(new Relation(), SUBJECT, () => expect.unreachable());
});
