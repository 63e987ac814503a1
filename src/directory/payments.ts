/** Money that came in: what an account's holder sees of it. The balance itself is the account object's. */
import { desc, eq } from "drizzle-orm";
import type { Directory } from "./directory";
import { payment } from "./schema";

export type PaymentRow = typeof payment.$inferSelect;

/** False where the payment is known: the same one twice is one. */
export async function recordPayment(db: Directory, row: PaymentRow): Promise<boolean> {
  const written = await db.insert(payment).values(row).onConflictDoNothing().returning();
  return written.length > 0;
}

/** The payment that a provider calls so. */
export async function paymentOfReference(db: Directory, reference: string): Promise<PaymentRow | null> {
  const [row] = await db.select().from(payment).where(eq(payment.reference, reference));
  return row ?? null;
}

/** Latest first. */
export async function paymentsOf(db: Directory, accountId: string, countMax: number): Promise<PaymentRow[]> {
  return db.select().from(payment).where(eq(payment.accountId, accountId)).orderBy(desc(payment.receivedMs)).limit(countMax);
}
