/** What is good for one use: recovery codes, links that set a new password or confirm an address, challenges that a passkey signs. */
import { and, count, eq, gt, isNull, lt, or } from "drizzle-orm";
import type { Directory } from "./directory";
import { ticket } from "./schema";
import { newSecret, sha256 } from "./secret";

export type Purpose = "recovery" | "reset" | "confirm" | "challenge";

/** A link or a challenge; its secret. `accountId` null: for somebody not known yet. */
export async function issueTicket(db: Directory, purpose: Purpose, accountId: string | null, expiresMs: number | null): Promise<string> {
  const secret = newSecret();
  await db.insert(ticket).values({ hash: await sha256(`${purpose} ${secret}`), purpose, accountId, expiresMs });
  return secret;
}

/** Whose it was; undefined where it is unknown, used or over. Of two that use it at the same time one gets it. */
export async function useTicket(db: Directory, purpose: Purpose, secret: string, nowMs: number): Promise<string | null | undefined> {
  const [used] = await db
    .delete(ticket)
    .where(and(eq(ticket.hash, await sha256(`${purpose} ${secret}`)), or(isNull(ticket.expiresMs), gt(ticket.expiresMs, nowMs))))
    .returning();
  return used?.accountId;
}

/** Ten codes of 80 random bits, in groups of four characters, that each sign in once. Codes made before are void. */
export async function makeRecoveryCodes(db: Directory, accountId: string): Promise<string[]> {
  await dropTickets(db, "recovery", accountId);
  const codes = Array.from({ length: RECOVERY_CODES }, newCode);
  const rows = await Promise.all(
    codes.map(async (code) => ({ hash: await codeHash(accountId, code), purpose: "recovery" as const, accountId, expiresMs: null })),
  );
  await db.insert(ticket).values(rows);
  return codes;
}

export async function useRecoveryCode(db: Directory, accountId: string, code: string): Promise<boolean> {
  const used = await db
    .delete(ticket)
    .where(eq(ticket.hash, await codeHash(accountId, code)))
    .returning();
  return used.length > 0;
}

export async function recoveryCodesLeft(db: Directory, accountId: string): Promise<number> {
  const [row] = await db
    .select({ left: count() })
    .from(ticket)
    .where(and(eq(ticket.accountId, accountId), eq(ticket.purpose, "recovery")));
  return row.left;
}

export async function dropTickets(db: Directory, purpose: Purpose, accountId: string): Promise<void> {
  await db.delete(ticket).where(and(eq(ticket.accountId, accountId), eq(ticket.purpose, purpose)));
}

export async function sweepTickets(db: Directory, nowMs: number): Promise<void> {
  await db.delete(ticket).where(lt(ticket.expiresMs, nowMs));
}

const RECOVERY_CODES = 10;
/** Without the letters and digits that look alike. */
const CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz234567890";
const CODE_CHARS = 16;

function newCode(): string {
  const letters = Array.from(crypto.getRandomValues(new Uint8Array(CODE_CHARS)), (byte) => CODE_LETTERS[byte & 31]).join("");
  return (letters.match(/.{4}/g) ?? []).join("-");
}

/** However it was typed. */
function codeHash(accountId: string, code: string): Promise<string> {
  return sha256(`recovery ${accountId} ${code.toLowerCase().replace(/[^a-z0-9]/g, "")}`);
}
