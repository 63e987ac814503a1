/**
 * Which snapshots there are, of which store, until when. What is in them lies in object storage, sealed.
 *
 * A row is written before its snapshot is, with no bytes yet; so nothing lies in object storage that no row tells of.
 */
import { and, desc, eq, lt } from "drizzle-orm";
import type { Directory } from "./directory";
import { snapshot } from "./schema";

export type SnapshotRow = typeof snapshot.$inferSelect;

export async function addSnapshot(db: Directory, row: Omit<SnapshotRow, "bytes">): Promise<void> {
  await db.insert(snapshot).values({ ...row, bytes: 0 });
}

export async function finishSnapshot(db: Directory, id: string, bytes: number): Promise<void> {
  await db.update(snapshot).set({ bytes }).where(eq(snapshot.id, id));
}

/** Latest first. */
export async function snapshotsOf(db: Directory, storeId: string): Promise<SnapshotRow[]> {
  return db.select().from(snapshot).where(eq(snapshot.storeId, storeId)).orderBy(desc(snapshot.createdMs), desc(snapshot.id));
}

/** Null where this store has no such snapshot. */
export async function snapshotOf(db: Directory, storeId: string, id: string): Promise<SnapshotRow | null> {
  const [row] = await db
    .select()
    .from(snapshot)
    .where(and(eq(snapshot.id, id), eq(snapshot.storeId, storeId)));
  return row ?? null;
}

export async function setSnapshotExpiry(db: Directory, id: string, expiresMs: number | null): Promise<void> {
  await db.update(snapshot).set({ expiresMs }).where(eq(snapshot.id, id));
}

export async function dropSnapshot(db: Directory, id: string): Promise<void> {
  await db.delete(snapshot).where(eq(snapshot.id, id));
}

/** Of any store, oldest first. */
export async function expiredSnapshots(db: Directory, nowMs: number, countMax: number): Promise<SnapshotRow[]> {
  return db.select().from(snapshot).where(lt(snapshot.expiresMs, nowMs)).orderBy(snapshot.expiresMs).limit(countMax);
}
