/** Which stores there are, and whose: what the account's pages find a store by. */
import { and, desc, eq, gt, isNull } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Directory } from "./directory";
import { account, store } from "./schema";

export type StoreRow = typeof store.$inferSelect;

/** Of an account that nobody signs in to: the local start and tests. */
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

export async function addStore(
  db: Directory,
  row: { readonly id: string; readonly accountId: string; readonly name: string; readonly createdMs: number },
): Promise<void> {
  await db.insert(store).values(row);
}

/** Those not deleted, latest first. */
export async function storesOf(db: Directory, accountId: string): Promise<StoreRow[]> {
  return db
    .select()
    .from(store)
    .where(and(eq(store.accountId, accountId), isNull(store.deletedMs)))
    .orderBy(desc(store.createdMs));
}

/** Deleted ones too: what was done to them is still told. */
export async function everyStoreOf(db: Directory, accountId: string): Promise<StoreRow[]> {
  return db.select().from(store).where(eq(store.accountId, accountId));
}

/** Those deleted since, latest first. */
export async function deletedStoresOf(db: Directory, accountId: string, sinceMs: number): Promise<StoreRow[]> {
  return db
    .select()
    .from(store)
    .where(and(eq(store.accountId, accountId), gt(store.deletedMs, sinceMs)))
    .orderBy(desc(store.deletedMs));
}

/** Null where this account has no such store, deleted ones included: what belongs to somebody else is as absent as what never was. */
export async function storeOf(db: Directory, accountId: string, storeId: string): Promise<StoreRow | null> {
  const [row] = await db
    .select()
    .from(store)
    .where(and(eq(store.id, storeId), eq(store.accountId, accountId)));
  return row ?? null;
}

export async function renameStore(db: Directory, storeId: string, name: string): Promise<void> {
  await db.update(store).set({ name }).where(eq(store.id, storeId));
}

export async function setStoreDeleted(db: Directory, storeId: string, deletedMs: number | null): Promise<void> {
  await db.update(store).set({ deletedMs }).where(eq(store.id, storeId));
}
