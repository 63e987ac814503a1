/**
 * The directory's tables (D1): what must be found without a store's key. drizzle-kit writes `migrations/` from this file.
 *
 * No fact, no program and no key is here: stores and their keys' hashes live in the store objects. A report is the one
 * text of a caller that the service can read (contract §9.9). Times are milliseconds since 1970, UTC.
 */
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const account = sqliteTable("account", {
  id: text("id").primaryKey(),
  createdMs: integer("created_ms").notNull(),
});

export const store = sqliteTable(
  "store",
  {
    /** The store object's id, 64 hex digits. */
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    createdMs: integer("created_ms").notNull(),
  },
  (table) => [index("store_account").on(table.accountId)],
);

export const report = sqliteTable(
  "report",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    product: text("product").notNull(),
    stage: text("stage").notNull(),
    apiVersion: text("api_version").notNull(),
    revision: integer("revision").notNull(),
    kind: text("kind", { enum: ["bug", "request", "feedback"] }).notNull(),
    text: text("text").notNull(),
    expected: text("expected"),
    actual: text("actual"),
    source: text("source"),
    receivedMs: integer("received_ms").notNull(),
  },
  (table) => [index("report_account_received").on(table.accountId, table.receivedMs)],
);
