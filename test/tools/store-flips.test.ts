/**
 * [R19] A bit of what is stored changes on the disk: each answer is then an error or the right one.
 *
 * A bit of any number or blob of the tables that hold what the store knows; where a table is read whole, of its keys
 * too. `FLIPS=n` sets how many are tried.
 */
import { expect, test } from "vitest";
import { seeded } from "../../scripts/seeded.mjs";
import type { SqlValue } from "../../src/engine/sql";
import { fill, told } from "./store-scripts";
import { ToolFixture } from "./tool-fixture";

const FLIPS = process.env["FLIPS"] === undefined ? 60 : Number(process.env["FLIPS"]);
/** Columns that say what is known; how often a name is referred to says nothing to a read. */
const COLUMNS: readonly (readonly [table: string, columns: readonly string[]])[] = [
  [
    "claim",
    [
      "value",
      "source",
      "valid_from",
      "valid_to",
      "position",
      "recorded",
      "known",
      "writer",
      "qualifiers",
      "gone_by",
      "gone_at",
      "written",
      "sum",
    ],
  ],
  ["symbol_page", ["id", "first", "last", "keys", "refs", "sealed", "sum"]],
  ["symbol_hash", ["first", "words"]],
  ["preference", ["id", "field", "subject", "source", "set_at", "unset_at", "sum"]],
  ["pin", ["field", "subject", "sum"]],
  ["mark", ["name", "position", "sum"]],
  ["meta", ["value", "sum"]],
  ["change", ["seq", "position", "code", "field", "subject", "symbol", "claim", "instant", "sum"]],
  ["grave_claim", ["value", "source", "valid_from", "valid_to", "position", "recorded", "writer", "gone_by", "gone_at", "sum"]],
  ["field", ["kind", "name", "sum"]],
  ["module_part", ["sealed"]],
  [
    "world_claim",
    ["base", "value", "source", "valid_from", "position", "recorded", "known", "writer", "qualifiers", "gone_by", "gone_at", "sum"],
  ],
];

test(`[R19] ${FLIPS} flipped bits: an error or the right answer, never a wrong one`, { timeout: 1_200_000 }, () => {
  const chance = seeded(19);
  const f = new ToolFixture();
  fill(f);
  // Large enough a store that names are found through chunks of their index.
  expect(f.run('for i in range(40):\n    remember(Large[f"n{i}"].text, f"{i}" + "x" * 20000, "s")').status).toBe("success");
  // Reads are told apart by their text alone: the clock stands still, and reading calls may share an instant.
  f.clockStep = 0;
  const right = answersOf(f);
  let errors = 0;
  for (let i = 0; i < FLIPS; i++) {
    const [table, columns] = chance.pick(COLUMNS);
    const column = chance.pick(columns);
    const rows = f.sql.exec(`SELECT ${column} FROM ${table}`);
    const row = chance.below(rows.length);
    const [before] = rows[row]!;
    const after = flipped(before!, chance.below);
    // Rows of no table here have a rowid alike, so the one is found by its place.
    const key = KEYS[table]!;
    const [place] = f.sql.exec(`SELECT ${key.join(", ")} FROM ${table} LIMIT 1 OFFSET ${row}`);
    const where = key.map((name) => `${name} = ?`).join(" AND ");
    try {
      f.sql.exec(`UPDATE ${table} SET ${column} = ? WHERE ${where}`, after, ...place!);
    } catch {
      // A key that another row has already.
      continue;
    }
    let answers: string[];
    try {
      answers = answersOf(f);
    } catch {
      answers = [];
      errors++;
    }
    for (const [at, answer] of answers.entries()) {
      if (answer === right[at]) continue;
      expect(JSON.parse(answer)[2], `${table}.${column}: ${before} became ${after}\n${answer}\n${right[at]}`).toBe("engine_error");
      errors++;
    }
    const now = key.map((name, at) => (name === column ? after : place![at]!));
    f.sql.exec(`UPDATE ${table} SET ${column} = ? WHERE ${where}`, before!, ...now);
  }
  expect(answersOf(f)).toEqual(right);
  expect(errors).toBeGreaterThan(FLIPS / 2);
});

/** Every read, and last what a restore would bring back. */
function answersOf(f: ToolFixture): string[] {
  f.reopen();
  const answers = told(f).split("\n");
  const undo = new Error("only tried");
  try {
    f.sql.transaction(() => {
      const { status, text } = f.call("restore", { since: "early" });
      answers.push(JSON.stringify(["restore", {}, status, text]));
      throw undo;
    });
  } catch (thrown) {
    if (thrown !== undo) throw thrown;
  }
  return answers;
}

const KEYS: { readonly [table: string]: readonly string[] } = {
  claim: ["field", "subject", "past", "id"],
  symbol_page: ["id"],
  symbol_hash: ["first"],
  field: ["id"],
  preference: ["id"],
  pin: ["field", "subject"],
  mark: ["name"],
  meta: ["name"],
  change: ["seq"],
  grave_claim: ["removal", "id"],
  module_part: ["module", "form", "part"],
  world_claim: ["world", "field", "subject", "id"],
};

/** The same with one bit changed, of those a number of its size has. */
function flipped(value: SqlValue, below: (n: number) => number): SqlValue {
  if (value instanceof Uint8Array) {
    const bytes = value.slice();
    bytes[below(bytes.length)]! ^= 1 << below(8);
    return bytes;
  }
  if (value === null) return below(1000);
  const number = BigInt(Math.trunc(value as number));
  return Number(number ^ (1n << BigInt(below(50))));
}
