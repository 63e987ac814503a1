/** Accounts: made, found by their address, closed and forgotten, and what was done to them written down. */
import { and, desc, eq, isNotNull, isNull, lt, notExists } from "drizzle-orm";
import type { Directory } from "./directory";
import { account, audit, passkey, report, session, ticket, token } from "./schema";

export interface AccountRow {
  readonly id: string;
  readonly email: string | null;
  readonly password: string | null;
  readonly confirmedMs: number | null;
  readonly closedMs: number | null;
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

export async function setConfirmed(db: Directory, accountId: string, nowMs: number): Promise<void> {
  await db.update(account).set({ confirmedMs: nowMs }).where(eq(account.id, accountId));
}

/** Closes an account, or opens it again (null). False where it was so already. */
export async function setClosed(db: Directory, accountId: string, closedMs: number | null): Promise<boolean> {
  const was = closedMs === null ? isNotNull(account.closedMs) : isNull(account.closedMs);
  const set = await db
    .update(account)
    .set({ closedMs })
    .where(and(eq(account.id, accountId), was))
    .returning({ id: account.id });
  return set.length > 0;
}

/**
 * Of accounts closed before an instant, everything that is about a person or lets one in. What was paid, and the audit log, stay: they
 * name the account by its id.
 */
export async function forgetClosed(db: Directory, beforeMs: number, countMax: number): Promise<void> {
  const closed = await db
    .select({ id: account.id })
    .from(account)
    .where(and(lt(account.closedMs, beforeMs), isNotNull(account.email)))
    .limit(countMax);
  for (const { id } of closed) {
    await db.batch([
      db.delete(passkey).where(eq(passkey.accountId, id)),
      db.delete(ticket).where(eq(ticket.accountId, id)),
      db.delete(token).where(eq(token.accountId, id)),
      db.delete(session).where(eq(session.accountId, id)),
      db.delete(report).where(eq(report.accountId, id)),
      db.update(account).set({ email: null, password: null, confirmedMs: null }).where(eq(account.id, id)),
    ]);
  }
}

/** False where the address has an account already; one that is set has yet to be confirmed. */
export async function setEmail(db: Directory, accountId: string, email: string): Promise<boolean> {
  const taken = db.select({ id: account.id }).from(account).where(eq(account.email, email.toLowerCase()));
  const set = await db
    .update(account)
    .set({ email: email.toLowerCase(), confirmedMs: null })
    .where(and(eq(account.id, accountId), notExists(taken)))
    .returning({ id: account.id });
  return set.length > 0;
}

/** What can be done that is written down. */
export type Act =
  | "account.created"
  | "account.password"
  | "account.email"
  | "account.confirmed"
  | "account.closed"
  | "account.reopened"
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
  | "money.taken_back"
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
