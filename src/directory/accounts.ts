/** Accounts: made, found by their address, and what was done to them written down. */
import { and, desc, eq, lt, notExists } from "drizzle-orm";
import type { Directory } from "./directory";
import { account, audit } from "./schema";

export interface AccountRow {
  readonly id: string;
  readonly email: string | null;
  readonly password: string | null;
}

/** False where the address has an account already. */
export async function createAccount(
  db: Directory,
  { id, email, password, nowMs }: { readonly id: string; readonly email: string; readonly password: string | null; readonly nowMs: number },
): Promise<boolean> {
  const made = await db
    .insert(account)
    .values({ id, email: email.toLowerCase(), password, createdMs: nowMs })
    .onConflictDoNothing()
    .returning();
  return made.length > 0;
}

export async function accountByEmail(db: Directory, email: string): Promise<AccountRow | null> {
  const [row] = await db.select().from(account).where(eq(account.email, email.toLowerCase()));
  return row ?? null;
}

export async function accountById(db: Directory, id: string): Promise<AccountRow | null> {
  const [row] = await db.select().from(account).where(eq(account.id, id));
  return row ?? null;
}

export async function setPassword(db: Directory, accountId: string, password: string): Promise<void> {
  await db.update(account).set({ password }).where(eq(account.id, accountId));
}

/** False where the address has an account already. */
export async function setEmail(db: Directory, accountId: string, email: string): Promise<boolean> {
  const taken = db.select({ id: account.id }).from(account).where(eq(account.email, email.toLowerCase()));
  const set = await db
    .update(account)
    .set({ email: email.toLowerCase() })
    .where(and(eq(account.id, accountId), notExists(taken)))
    .returning({ id: account.id });
  return set.length > 0;
}

/** What can be done that is written down. */
export type Act =
  | "account.created"
  | "account.password"
  | "account.email"
  | "account.alert"
  | "session.begun"
  | "session.ended"
  | "passkey.added"
  | "passkey.removed"
  | "recovery.made"
  | "recovery.used"
  | "store.created"
  | "store.renamed"
  | "store.deleted"
  | "store.undeleted"
  | "key.issued"
  | "key.level"
  | "key.revoked"
  | "token.issued"
  | "token.revoked"
  | "snapshot.taken"
  | "snapshot.deleted"
  | "snapshot.restored"
  | "money.received"
  | "operator";

export interface AuditEntry {
  readonly accountId: string;
  readonly act: Act;
  readonly subject: string;
  readonly detail?: string;
  /** Id of the session or token that did it, or `operator`. */
  readonly by: string;
}

export async function writeAudit(db: Directory, { accountId, act, subject, detail = "", by }: AuditEntry, nowMs: number): Promise<void> {
  await db.insert(audit).values({ accountId, act, subject, detail, by, atMs: nowMs });
}

/** Latest first; `before` is the id of the last entry of the page before. */
export async function readAudit(db: Directory, accountId: string, count: number, before?: number) {
  return db
    .select()
    .from(audit)
    .where(and(eq(audit.accountId, accountId), before === undefined ? undefined : lt(audit.id, before)))
    .orderBy(desc(audit.id))
    .limit(count);
}
