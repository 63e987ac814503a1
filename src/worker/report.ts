/**
 * Keeps what callers report (contract §9.9): a row in the directory, at most 20 a day for one account.
 *
 * The allowance is decided by the insert itself, so two reports at once cannot both be the twentieth. Nothing is taken
 * from the store; the three facts added are the account, the product and the release.
 */
import { desc, eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { report } from "../directory/schema";
import { REPORT_BYTES_MAX, REPORTS_PER_DAY_MAX } from "../limits";
import { RELEASE } from "./mcp/release";
import type { Arguments } from "./mcp/tool";

const DAY_MS = 86_400_000;

export type ReportOutcome =
  | { readonly tag: "received"; readonly reportId: string }
  | { readonly tag: "allowance_spent"; readonly retryAfterS: number };

/** What only the fields together show to be wrong, or null. */
export function reportFault(args: Arguments): string | null {
  const encoder = new TextEncoder();
  let bytes = 0;
  for (const name of ["text", "expected", "actual", "source"]) {
    const value = args[name];
    if (typeof value === "string") bytes += encoder.encode(value).length;
  }
  if (bytes <= REPORT_BYTES_MAX) return null;
  return `invalid params: \`text\`, \`expected\`, \`actual\` and \`source\` are ${bytes} bytes together, want at most ${REPORT_BYTES_MAX}; nothing was kept`;
}

/** @param args  Checked by the tool's schema and `reportFault`. Rejects where the directory does. */
export async function keepReport(d1: D1Database, accountId: string, args: Arguments, nowMs: number): Promise<ReportOutcome> {
  const db = drizzle(d1);
  const id = newReportId();
  const optional = (name: string) => (typeof args[name] === "string" ? args[name] : null);
  const since = nowMs - DAY_MS;
  const written = await db.run(sql`
    INSERT INTO report (id, account_id, product, stage, api_version, revision, kind, text, expected, actual, source, received_ms)
    SELECT ${id}, ${accountId}, 'DKE', ${RELEASE.stage}, ${RELEASE.api_version}, ${RELEASE.revision}, ${args.kind}, ${args.text},
           ${optional("expected")}, ${optional("actual")}, ${optional("source")}, ${nowMs}
    WHERE (SELECT count(*) FROM report WHERE account_id = ${accountId} AND received_ms > ${since}) < ${REPORTS_PER_DAY_MAX}`);
  if (written.meta.changes === 1) return { tag: "received", reportId: id };
  // The next may be sent when the oldest of the last twenty is a day old.
  const [oldest] = await db
    .select({ receivedMs: report.receivedMs })
    .from(report)
    .where(eq(report.accountId, accountId))
    .orderBy(desc(report.receivedMs))
    .limit(1)
    .offset(REPORTS_PER_DAY_MAX - 1);
  const waitMs = oldest === undefined ? 0 : oldest.receivedMs + DAY_MS - nowMs;
  return { tag: "allowance_spent", retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)) };
}

const ID_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `rpt_` and 11 base-62 digits: 64 random bits. */
function newReportId(): string {
  let value = crypto.getRandomValues(new BigUint64Array(1))[0];
  let digits = "";
  for (let i = 0; i < 11; i++, value /= 62n) digits = ID_DIGITS[Number(value % 62n)] + digits;
  return `rpt_${digits}`;
}
