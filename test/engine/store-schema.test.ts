/** Tables are made in numbered steps: an older store is taken through those it lacks, whole or not at all. */
import { expect, it } from "vitest";
import { Store } from "../../src/engine/store";
import { STEPS } from "../../src/engine/store-schema";
import { EngineError } from "../../src/failure";
import { CipherNode } from "./cipher-node";
import { SqlNode } from "./sql-node";

const tables = (sql: SqlNode) => sql.exec("SELECT sql FROM sqlite_master ORDER BY name");
const version = (sql: SqlNode) => sql.exec("SELECT value FROM meta WHERE name = 'schema'");

it("[store-and-rules 6] tables of a later version are refused by name and left as they are", () => {
  const sql = new SqlNode();
  const cipher = new CipherNode();
  Store.open(sql, cipher);
  expect(() => Store.open(sql, cipher)).not.toThrow();
  const before = tables(sql);
  for (const other of [STEPS.length + 1, 0, 1_234_567_890]) {
    sql.exec("UPDATE meta SET value = ? WHERE name = 'schema'", other);
    expect(() => Store.open(sql, cipher)).toThrow(EngineError);
    expect(() => Store.open(sql, cipher)).toThrow(/another version of this service.*another state folder/);
    expect(tables(sql)).toEqual(before);
    expect(version(sql)).toEqual([[other]]);
  }
});

it("[store-and-rules 6] a store knows how many steps its tables were made in", () => {
  const sql = new SqlNode();
  Store.open(sql, new CipherNode());
  expect(version(sql)).toEqual([[STEPS.length]]);
});
