/** Tables of another version are refused in words, never met as a fault of SQL. */
import { expect, it } from "vitest";
import { Store } from "../../src/engine/store";
import { SCHEMA_VERSION } from "../../src/engine/store-schema";
import { EngineError } from "../../src/failure";
import { CipherNode } from "./cipher-node";
import { SqlNode } from "./sql-node";

it("[store-and-rules 6] tables of another version are refused by name and left as they are", () => {
  const sql = new SqlNode();
  const cipher = new CipherNode();
  Store.open(sql, cipher);
  expect(() => Store.open(sql, cipher)).not.toThrow();
  sql.exec("UPDATE meta SET value = 1 WHERE name = 'schema'");
  const tables = sql.exec("SELECT sql FROM sqlite_master ORDER BY name");
  expect(() => Store.open(sql, cipher)).toThrow(EngineError);
  expect(() => Store.open(sql, cipher)).toThrow(/another development version of this service.*another state folder/);
  expect(sql.exec("SELECT sql FROM sqlite_master ORDER BY name")).toEqual(tables);
  expect(sql.exec("SELECT value FROM meta WHERE name = 'schema'")).toEqual([[1]]);
});

it("[store-and-rules 6] a store knows the version it was made by", () => {
  const sql = new SqlNode();
  Store.open(sql, new CipherNode());
  expect(sql.exec("SELECT value FROM meta WHERE name = 'schema'")).toEqual([[SCHEMA_VERSION]]);
  expect(Number.isSafeInteger(SCHEMA_VERSION) && SCHEMA_VERSION > 1).toBe(true);
});
