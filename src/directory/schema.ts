/**
 * The directory's tables (D1): accounts, who may sign in to them, and what must be found without a store's key.
 * drizzle-kit writes `migrations/` from this file.
 *
 * No fact, no program and no key is here: stores and their keys' hashes live in the store objects. What signs somebody in
 * (sessions, tokens, codes, links) is here as SHA-256 of 256 random bits, passwords as scrypt, so a copy of these tables opens
 * nothing. A report is the one text of a caller that the service can read (contract §9.9). Times are milliseconds since 1970,
 * UTC; ids are opaque texts.
 */
import { blob, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const account = sqliteTable("account", {
  /** The account object's id, 64 hex digits. */
  id: text("id").primaryKey(),
  createdMs: integer("created_ms").notNull(),
  /** As typed, but lower case; null for an account that nobody signs in to. */
  email: text("email").unique(),
  /** password.ts; null where only passkeys open the account. */
  password: text("password"),
  /** When its holder showed that the address is theirs, by a link that was sent there. */
  confirmedMs: integer("confirmed_ms"),
  /** When its holder closed it; some days later all of this row but the id and the times is forgotten. */
  closedMs: integer("closed_ms"),
});

/** A browser that has signed in. */
export const session = sqliteTable(
  "session",
  {
    hash: text("hash").primaryKey(),
    accountId: text("account_id").notNull(),
    /** Named in forms; never the cookie. */
    id: text("id").notNull().unique(),
    createdMs: integer("created_ms").notNull(),
    lastSeenMs: integer("last_seen_ms").notNull(),
    /** When the password or a passkey was last shown. */
    provenMs: integer("proven_ms").notNull(),
    /** What the browser says it is, cut and cleaned. */
    agent: text("agent").notNull(),
  },
  (table) => [index("session_account").on(table.accountId)],
);

export const passkey = sqliteTable(
  "passkey",
  {
    credentialId: text("credential_id").primaryKey(),
    accountId: text("account_id").notNull(),
    publicKey: blob("public_key", { mode: "buffer" }).notNull(),
    counter: integer("counter").notNull(),
    transports: text("transports").notNull(),
    label: text("label").notNull(),
    createdMs: integer("created_ms").notNull(),
    lastUsedMs: integer("last_used_ms"),
  },
  (table) => [index("passkey_account").on(table.accountId)],
);

/** What may be used once: recovery codes, links to reset a password or to confirm an address, challenges a passkey signs. */
export const ticket = sqliteTable(
  "ticket",
  {
    hash: text("hash").primaryKey(),
    purpose: text("purpose", { enum: ["recovery", "reset", "confirm", "challenge"] }).notNull(),
    /** Null for a challenge to somebody not known yet. */
    accountId: text("account_id"),
    expiresMs: integer("expires_ms"),
  },
  (table) => [index("ticket_account").on(table.accountId, table.purpose)],
);

/** An account token: it adds keys to stores of its account, up to its level, and does nothing else. */
export const token = sqliteTable(
  "token",
  {
    hash: text("hash").primaryKey(),
    id: text("id").notNull().unique(),
    accountId: text("account_id").notNull(),
    label: text("label").notNull(),
    level: text("level", { enum: ["read", "read-add", "read-write", "read-write-delete", "none"] }).notNull(),
    createdMs: integer("created_ms").notNull(),
    lastUsedMs: integer("last_used_ms"),
    revokedMs: integer("revoked_ms"),
  },
  (table) => [index("token_account").on(table.accountId)],
);

/** Attempts within a window, by what is attempted and by whom. */
export const throttle = sqliteTable("throttle", {
  key: text("key").primaryKey(),
  count: integer("count").notNull(),
  windowMs: integer("window_ms").notNull(),
});

/** What was done to an account, its stores and their keys. Only ever added to. */
export const audit = sqliteTable(
  "audit",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    accountId: text("account_id").notNull(),
    atMs: integer("at_ms").notNull(),
    act: text("act").notNull(),
    /** What it was done to: the id of a store, a key, a token, a session. */
    subject: text("subject").notNull(),
    detail: text("detail").notNull(),
    /** By which session or token. */
    by: text("by").notNull(),
  },
  (table) => [index("audit_account").on(table.accountId, table.id)],
);

export const store = sqliteTable(
  "store",
  {
    /** The store object's id, 64 hex digits. */
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    createdMs: integer("created_ms").notNull(),
    name: text("name").notNull().default("store"),
    /** When its owner deleted it; its data is gone for good some days later. */
    deletedMs: integer("deleted_ms"),
  },
  (table) => [index("store_account").on(table.accountId)],
);

/** A copy of a store as it lay, sealed as it lies; the copy itself is in object storage. */
export const snapshot = sqliteTable(
  "snapshot",
  {
    id: text("id").primaryKey(),
    storeId: text("store_id").notNull(),
    accountId: text("account_id").notNull(),
    label: text("label").notNull(),
    reason: text("reason", { enum: ["asked", "before_restore"] }).notNull(),
    createdMs: integer("created_ms").notNull(),
    expiresMs: integer("expires_ms"),
    bytes: integer("bytes").notNull(),
  },
  (table) => [index("snapshot_store").on(table.storeId, table.createdMs)],
);

/** Money that came in, by the id its sender gave it: the same payment twice is one. */
export const payment = sqliteTable(
  "payment",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    ops: integer("ops").notNull(),
    receivedMs: integer("received_ms").notNull(),
    /** `operator`, or the provider. */
    origin: text("origin").notNull(),
    /** What later events of the provider call the payment by: its payment intent. */
    reference: text("reference"),
    /** What was paid for it, in the currency's smallest unit. */
    amount: integer("amount"),
    currency: text("currency"),
  },
  (table) => [index("payment_account").on(table.accountId, table.receivedMs), index("payment_reference").on(table.reference)],
);

/** Letters that a development service would have sent. A deployment sends them and keeps none. */
export const outbox = sqliteTable("outbox", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  toAddress: text("to_address").notNull(),
  subject: text("subject").notNull(),
  body: text("body").notNull(),
  sentMs: integer("sent_ms").notNull(),
});

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
