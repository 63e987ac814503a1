/**
 * Account tokens: each adds keys to stores of its account, up to its level, and opens nothing.
 *
 * `dke_t_` and 256 random bits; only the hash is kept.
 */
import { and, desc, eq, isNull } from "drizzle-orm";
import type { Level } from "../engine/claim";
import type { Directory } from "./directory";
import { token } from "./schema";
import { newId, newSecret, sha256 } from "./secret";

export const TOKEN_PREFIX = "dke_t_";
export const TOKENS_MAX = 50;
const USED_STEP_MS = 60_000;

export type TokenRow = Omit<typeof token.$inferSelect, "hash">;

/** The token itself, to be shown once; null where the account has as many as it may. */
export async function issueToken(
  db: Directory,
  { accountId, label, level, nowMs }: { readonly accountId: string; readonly label: string; readonly level: Level; readonly nowMs: number },
): Promise<{ readonly id: string; readonly text: string } | null> {
  if ((await openTokens(db, accountId)).length >= TOKENS_MAX) return null;
  const text = TOKEN_PREFIX + newSecret();
  const id = newId("tok");
  await db.insert(token).values({ hash: await sha256(text), id, accountId, label, level, createdMs: nowMs });
  return { id, text };
}

/** The token a text is; null where it is none, or was revoked. */
export async function readToken(db: Directory, text: string, nowMs: number): Promise<TokenRow | null> {
  if (!text.startsWith(TOKEN_PREFIX)) return null;
  const hash = await sha256(text);
  const [row] = await db
    .select()
    .from(token)
    .where(and(eq(token.hash, hash), isNull(token.revokedMs)));
  if (row === undefined) return null;
  if ((row.lastUsedMs ?? 0) < nowMs - USED_STEP_MS) await db.update(token).set({ lastUsedMs: nowMs }).where(eq(token.hash, hash));
  return row;
}

/** Latest first, revoked ones too. */
export async function listTokens(db: Directory, accountId: string): Promise<TokenRow[]> {
  return db.select().from(token).where(eq(token.accountId, accountId)).orderBy(desc(token.createdMs), desc(token.id));
}

/** False where this account has no such token that is not revoked. */
export async function revokeToken(db: Directory, accountId: string, id: string, nowMs: number): Promise<boolean> {
  const revoked = await db
    .update(token)
    .set({ revokedMs: nowMs })
    .where(and(eq(token.accountId, accountId), eq(token.id, id), isNull(token.revokedMs)))
    .returning();
  return revoked.length > 0;
}

export async function revokeAllTokens(db: Directory, accountId: string, nowMs: number): Promise<void> {
  await db
    .update(token)
    .set({ revokedMs: nowMs })
    .where(and(eq(token.accountId, accountId), isNull(token.revokedMs)));
}

function openTokens(db: Directory, accountId: string) {
  return db
    .select({ id: token.id })
    .from(token)
    .where(and(eq(token.accountId, accountId), isNull(token.revokedMs)));
}
