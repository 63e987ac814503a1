/**
 * Passkeys: public keys whose private half never leaves a person's device. What is kept opens nothing.
 *
 * An authenticator counts its signatures; a count that does not rise is a copy's, and is refused. Many always say 0.
 */
import { and, asc, eq } from "drizzle-orm";
import type { Directory } from "./directory";
import { passkey } from "./schema";

export const PASSKEYS_MAX = 20;

export interface PasskeyRow {
  /** As the authenticator names it, base64url. */
  readonly credentialId: string;
  readonly accountId: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly counter: number;
  /** How a browser may reach it. */
  readonly transports: readonly string[];
  readonly label: string;
  readonly createdMs: number;
  readonly lastUsedMs: number | null;
}

/** False where somebody has it already. */
export async function addPasskey(db: Directory, { publicKey, transports, ...row }: Omit<PasskeyRow, "lastUsedMs">): Promise<boolean> {
  const added = await db
    .insert(passkey)
    .values({ ...row, publicKey: Buffer.from(publicKey), transports: transports.join(" "), lastUsedMs: null })
    .onConflictDoNothing()
    .returning({ id: passkey.credentialId });
  return added.length > 0;
}

/** Oldest first. */
export async function listPasskeys(db: Directory, accountId: string): Promise<PasskeyRow[]> {
  const rows = await db.select().from(passkey).where(eq(passkey.accountId, accountId)).orderBy(asc(passkey.createdMs));
  return rows.map(rowOf);
}

export async function readPasskey(db: Directory, credentialId: string): Promise<PasskeyRow | null> {
  const [row] = await db.select().from(passkey).where(eq(passkey.credentialId, credentialId));
  return row === undefined ? null : rowOf(row);
}

/** Writes down a use; false where another use was faster, so that the same signature counts once. */
export async function usePasskey(
  db: Directory,
  { credentialId, counter }: PasskeyRow,
  newCounter: number,
  nowMs: number,
): Promise<boolean> {
  const used = await db
    .update(passkey)
    .set({ counter: newCounter, lastUsedMs: nowMs })
    .where(and(eq(passkey.credentialId, credentialId), eq(passkey.counter, counter)))
    .returning({ id: passkey.credentialId });
  return used.length > 0;
}

/** False where this account has no such passkey. */
export async function removePasskey(db: Directory, accountId: string, credentialId: string): Promise<boolean> {
  const removed = await db
    .delete(passkey)
    .where(and(eq(passkey.accountId, accountId), eq(passkey.credentialId, credentialId)))
    .returning({ id: passkey.credentialId });
  return removed.length > 0;
}

function rowOf({ publicKey, transports, ...row }: typeof passkey.$inferSelect): PasskeyRow {
  return { ...row, publicKey: Uint8Array.from(publicKey), transports: transports === "" ? [] : transports.split(" ") };
}
