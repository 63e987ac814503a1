/** What is swept once an hour: snapshots past their end, who held an account that has been closed, sessions and tickets past theirs, windows of attempts long over. Doing it twice does nothing. */
import { sweepSnapshots } from "../dashboard/snapshots";
import { UNDO_MS } from "../dashboard/store-list";
import { forgetClosed } from "../directory/accounts";
import { openDirectory } from "../directory/directory";
import { sweepSessions } from "../directory/sessions";
import { sweepThrottle } from "../directory/throttle";
import { sweepTickets } from "../directory/tickets";

export interface SweepEnv {
  readonly DIRECTORY?: D1Database;
  readonly FILES?: R2Bucket;
}

/** No window of attempts is longer. */
const WINDOW_MS = 86_400_000;
/** The rest an hour later: one run reads and writes so many rows. */
const FORGOTTEN_AT_ONCE = 50;

export async function sweep(env: SweepEnv, nowMs: number): Promise<void> {
  if (env.DIRECTORY === undefined) return;
  const db = openDirectory(env.DIRECTORY);
  await sweepSnapshots(db, env.FILES, nowMs);
  await forgetClosed(db, nowMs - UNDO_MS, FORGOTTEN_AT_ONCE);
  await sweepSessions(db, nowMs);
  await sweepTickets(db, nowMs);
  await sweepThrottle(db, nowMs - WINDOW_MS);
}
