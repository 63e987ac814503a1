/** Attempts are counted before anything costly is done: so many in a window, by what is attempted and by whom. */
import { eq, lt, sql } from "drizzle-orm";
import type { Directory } from "./directory";
import { throttle } from "./schema";

export interface Window {
  readonly max: number;
  readonly seconds: number;
}

/** Counts an attempt; seconds to wait where it is one too many, else 0. A window begins with its first attempt. */
export async function attempt(db: Directory, key: string, { max, seconds }: Window, nowMs: number): Promise<number> {
  const since = nowMs - seconds * 1000;
  const [row] = await db
    .insert(throttle)
    .values({ key, count: 1, windowMs: nowMs })
    .onConflictDoUpdate({
      target: throttle.key,
      set: {
        count: sql`CASE WHEN ${throttle.windowMs} <= ${since} THEN 1 ELSE ${throttle.count} + 1 END`,
        windowMs: sql`CASE WHEN ${throttle.windowMs} <= ${since} THEN ${nowMs} ELSE ${throttle.windowMs} END`,
      },
    })
    .returning();
  return row.count <= max ? 0 : Math.max(1, Math.ceil((row.windowMs + seconds * 1000 - nowMs) / 1000));
}

/** What succeeded is not held against anybody. */
export async function forgive(db: Directory, key: string): Promise<void> {
  await db.delete(throttle).where(eq(throttle.key, key));
}

/** Windows that have long ended. */
export async function sweepThrottle(db: Directory, beforeMs: number): Promise<void> {
  await db.delete(throttle).where(lt(throttle.windowMs, beforeMs));
}
