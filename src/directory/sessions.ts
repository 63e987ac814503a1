/**
 * Sessions: browsers that have signed in. The cookie is a secret that only its hash is kept of.
 *
 * A session ends when it is ended, after twelve hours without a request, or thirty days after it began.
 */
import { and, desc, eq, gt, lte, or } from "drizzle-orm";
import type { Directory } from "./directory";
import { account, session } from "./schema";
import { newId, newSecret, sha256 } from "./secret";

const HOUR = 3_600_000;
export const SESSION_IDLE_MS = 12 * HOUR;
export const SESSION_MAX_MS = 30 * 24 * HOUR;
/** For how long a password or passkey just shown counts, where an act asks for one. */
export const PROVEN_MS = HOUR / 6;
/** `last_seen_ms` is exact to this, so that a page view does not write a row. */
const SEEN_STEP_MS = 60_000;
const AGENT_CHARS = 128;

export interface SignedIn {
  readonly accountId: string;
  readonly email: string | null;
  readonly sessionId: string;
  readonly provenMs: number;
  /** When the account was closed: there is one page left to it. */
  readonly closedMs: number | null;
}

export interface SessionRow {
  readonly id: string;
  readonly createdMs: number;
  readonly lastSeenMs: number;
  readonly agent: string;
}

/** The secret for the cookie. */
export async function beginSession(db: Directory, accountId: string, agent: string, nowMs: number): Promise<string> {
  const secret = newSecret();
  await db.insert(session).values({
    hash: await sha256(secret),
    id: newId("ses"),
    accountId,
    createdMs: nowMs,
    lastSeenMs: nowMs,
    provenMs: nowMs,
    agent: shown(agent),
  });
  return secret;
}

/** Who this is; null where the secret opens no session that goes on. */
export async function readSession(db: Directory, secret: string, nowMs: number): Promise<SignedIn | null> {
  const hash = await sha256(secret);
  const [row] = await db
    .select({ session, email: account.email, closedMs: account.closedMs })
    .from(session)
    .innerJoin(account, eq(account.id, session.accountId))
    .where(and(eq(session.hash, hash), gt(session.lastSeenMs, nowMs - SESSION_IDLE_MS), gt(session.createdMs, nowMs - SESSION_MAX_MS)));
  if (row === undefined) return null;
  if (row.session.lastSeenMs < nowMs - SEEN_STEP_MS) await db.update(session).set({ lastSeenMs: nowMs }).where(eq(session.hash, hash));
  const { accountId, id: sessionId, provenMs } = row.session;
  return { accountId, email: row.email, sessionId, provenMs, closedMs: row.closedMs };
}

/** The password or a passkey was shown again. */
export async function proveSession(db: Directory, sessionId: string, nowMs: number): Promise<void> {
  await db.update(session).set({ provenMs: nowMs }).where(eq(session.id, sessionId));
}

/** Sessions that go on, latest first. */
export async function listSessions(db: Directory, accountId: string, nowMs: number): Promise<SessionRow[]> {
  return db
    .select({ id: session.id, createdMs: session.createdMs, lastSeenMs: session.lastSeenMs, agent: session.agent })
    .from(session)
    .where(
      and(eq(session.accountId, accountId), gt(session.lastSeenMs, nowMs - SESSION_IDLE_MS), gt(session.createdMs, nowMs - SESSION_MAX_MS)),
    )
    .orderBy(desc(session.lastSeenMs));
}

/** False where this account has no such session. */
export async function endSession(db: Directory, accountId: string, sessionId: string): Promise<boolean> {
  const gone = await db
    .delete(session)
    .where(and(eq(session.accountId, accountId), eq(session.id, sessionId)))
    .returning();
  return gone.length > 0;
}

export async function endAllSessions(db: Directory, accountId: string): Promise<void> {
  await db.delete(session).where(eq(session.accountId, accountId));
}

/** Those that are over. */
export async function sweepSessions(db: Directory, nowMs: number): Promise<void> {
  await db.delete(session).where(or(lte(session.lastSeenMs, nowMs - SESSION_IDLE_MS), lte(session.createdMs, nowMs - SESSION_MAX_MS)));
}

function shown(agent: string): string {
  return agent.replace(/[^\x20-\x7e]/g, "").slice(0, AGENT_CHARS);
}
