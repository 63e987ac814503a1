/** Writes of the directory that are no report: which stores there are, and whose. */
import { drizzle } from "drizzle-orm/d1";
import { account, store } from "./directory-schema";

export async function recordStore(
  d1: D1Database,
  opened: { readonly storeId: string; readonly accountId: string; readonly createdMs: number },
): Promise<void> {
  const db = drizzle(d1);
  await db.batch([
    db.insert(account).values({ id: opened.accountId, createdMs: opened.createdMs }).onConflictDoNothing(),
    db.insert(store).values({ id: opened.storeId, accountId: opened.accountId, createdMs: opened.createdMs }),
  ]);
}
