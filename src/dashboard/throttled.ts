/** How often one may try to get in, by what is counted; and what is said to whoever has tried too often. */
import { attempt } from "../directory/throttle";
import type { Page } from "./site";

export const BY_ADDRESS = { max: 30, seconds: 900 };
export const BY_ACCOUNT = { max: 10, seconds: 900 };
const ALTOGETHER = { max: 600, seconds: 60 };

/** Counts an attempt to get in; seconds to wait where it is one too many. */
export async function tooMany(c: Page): Promise<number> {
  const [db, nowMs] = [c.get("db"), c.get("nowMs")];
  return (await attempt(db, "sign-in altogether", ALTOGETHER, nowMs)) || (await attempt(db, `sign-in ${addressOf(c)}`, BY_ADDRESS, nowMs));
}

export function addressOf(c: Page): string {
  return c.req.header("cf-connecting-ip") ?? "local";
}

export function waitText(seconds: number): string {
  return `Too many attempts: try again in ${seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}.`;
}
