/**
 * What the operator of a service does to accounts: `POST /operator/<command>`, signed (directory/signature.ts) with a secret that the
 * deployment holds. Without that secret in the environment there is no such path.
 *
 * It sees what the directory and the accounts hold; of a store it sees its id. Every act is written to the account's audit log.
 */
import { desc, eq, lt, or } from "drizzle-orm";
import { writeAudit } from "../directory/accounts";
import { type Directory, openDirectory } from "../directory/directory";
import { account, report } from "../directory/schema";
import { isSigned } from "../directory/signature";
import type { AccountStatus } from "../durable/account-object";
import { CALL_OPS_MAX, OPS_PER_LCN } from "../limits";
import { accountObject, credit, type MoneyEnv, opsOf } from "./payments";

export interface OperatorEnv extends MoneyEnv {
  readonly OPERATOR_SECRET?: string;
}

const SECRET_CHARS_MIN = 32;
const BODY_CHARS_MAX = 4096;
const LISTED_MAX = 200;
const CALLS_AT_ONCE_SETTABLE = 10_000;
const KEY_RATE_SETTABLE = 10_000;
/** Instead of a number: what the deployment has for all accounts. */
const DEFAULT = "default";

interface Wish {
  readonly account?: unknown;
  readonly lcn?: unknown;
  /** Of a credit or a debit: the same id twice is one. */
  readonly id?: unknown;
  readonly calls?: unknown;
  /** Of limits: a number, or "default" for what the deployment has for all. */
  readonly rate?: unknown;
  readonly ops?: unknown;
  /** `on` or `off`. */
  readonly access?: unknown;
  readonly count?: unknown;
  readonly before?: unknown;
}

class Refused extends Error {
  override readonly name = "Refused";
}

/** Null where there is no such path: no secret, no such command. */
export async function answerOperator(command: string, request: Request, env: OperatorEnv, nowMs: number): Promise<Response | null> {
  const secret = env.OPERATOR_SECRET ?? "";
  const act = COMMANDS.get(command);
  if (secret.length < SECRET_CHARS_MIN || env.DIRECTORY === undefined || act === undefined) return null;
  const body = await request.text();
  // The command is signed too: a signed wish is good for one command only.
  const signed = `${command}\n${body}`;
  if (body.length > BODY_CHARS_MAX || !isSigned(request.headers.get("operator-signature") ?? "", signed, secret, nowMs))
    return Response.json({ error: "the signature does not fit" }, { status: 403 });
  try {
    return Response.json(await act({ env, db: openDirectory(env.DIRECTORY), nowMs }, JSON.parse(body) as Wish));
  } catch (error) {
    if (error instanceof Refused || error instanceof SyntaxError) return Response.json({ error: error.message }, { status: 400 });
    throw error;
  }
}

interface Site {
  readonly env: OperatorEnv;
  readonly db: Directory;
  readonly nowMs: number;
}

const COMMANDS: ReadonlyMap<string, (site: Site, wish: Wish) => Promise<unknown>> = new Map([
  ["accounts", listAccounts],
  ["credit", creditAccount],
  ["debit", debitAccount],
  ["suspend", (site, wish) => suspend(site, wish, true)],
  ["resume", (site, wish) => suspend(site, wish, false)],
  ["access", setAccess],
  ["limits", setLimits],
  ["reports", readReports],
]);

async function listAccounts({ env, db }: Site, wish: Wish): Promise<unknown> {
  const rows =
    wish.account === undefined
      ? await db.select().from(account).orderBy(desc(account.createdMs)).limit(countOf(wish))
      : [await accountOf(db, wish)];
  return Promise.all(
    rows.map(async ({ id, email, createdMs, confirmedMs, closedMs }) => ({
      id,
      email,
      createdMs,
      confirmedMs,
      closedMs,
      ...(await accountObject(env, id).status()),
    })),
  );
}

async function creditAccount({ env, db, nowMs }: Site, wish: Wish): Promise<unknown> {
  const { accountId, ops, id } = await bookingOf(db, wish);
  const booked = await credit(env, { id, accountId, ops, origin: "operator" }, nowMs);
  return { account: accountId, booked, ...(await accountObject(env, accountId).status()) };
}

/** What was credited by mistake, or is paid out. */
async function debitAccount({ env, db, nowMs }: Site, wish: Wish): Promise<unknown> {
  const { accountId, ops, id } = await bookingOf(db, wish);
  const object = accountObject(env, accountId);
  const added = await object.takeBack(id, ops, false);
  if (added === null) throw new Refused(`the balance is ${(await object.status()).balanceOps / OPS_PER_LCN} LCN: no more can be taken`);
  const entry = { accountId, act: "money.taken_back", subject: id, detail: `${added / OPS_PER_LCN} LCN`, by: "operator" } as const;
  if (added > 0) await writeAudit(db, entry, nowMs);
  return { account: accountId, booked: added > 0, ...(await object.status()) };
}

async function bookingOf(db: Directory, wish: Wish): Promise<{ readonly accountId: string; readonly ops: number; readonly id: string }> {
  const { id: accountId } = await accountOf(db, wish);
  const ops = opsOf(wish.lcn);
  if (ops === null) throw new Refused("an amount is LangCoin above 0, with at most five decimals");
  if (typeof wish.id !== "string" || wish.id.length < 8) throw new Refused("a booking has an id of its own, of 8 characters or more");
  return { accountId, ops, id: `operator ${wish.id}` };
}

async function suspend(site: Site, wish: Wish, suspended: boolean): Promise<unknown> {
  const { id: accountId } = await accountOf(site.db, wish);
  const status = await accountObject(site.env, accountId).setSuspended(suspended);
  await note(site, accountId, suspended ? "suspended" : "resumed");
  return { account: accountId, ...status };
}

async function setAccess(site: Site, wish: Wish): Promise<unknown> {
  const { id: accountId } = await accountOf(site.db, wish);
  const { access } = wish;
  if (access !== "on" && access !== "off") throw new Refused("API access is on or off");
  const status = await accountObject(site.env, accountId).setApiAccess(access === "on");
  await note(site, accountId, `API access ${access}`);
  return { account: accountId, ...status };
}

async function setLimits(site: Site, wish: Wish): Promise<unknown> {
  const { id: accountId } = await accountOf(site.db, wish);
  const { calls, rate, ops } = wish;
  if (calls === undefined && rate === undefined && ops === undefined) throw new Refused("a limit is one of calls, rate and ops");
  if (calls !== undefined && !isWithin(calls, CALLS_AT_ONCE_SETTABLE, true))
    throw new Refused(`calls at once are a whole number from 1 to ${CALLS_AT_ONCE_SETTABLE}`);
  if (rate !== undefined && rate !== DEFAULT && !isWithin(rate, KEY_RATE_SETTABLE, false))
    throw new Refused(`calls a second of one key are a number above 0, up to ${KEY_RATE_SETTABLE}, or ${DEFAULT}`);
  if (ops !== undefined && ops !== DEFAULT && !isWithin(ops, CALL_OPS_MAX, true))
    throw new Refused(`the ops of one call are a whole number from 1 to ${CALL_OPS_MAX}, or ${DEFAULT}`);
  const object = accountObject(site.env, accountId);
  let status: AccountStatus = await object.status();
  if (calls !== undefined) status = await object.setCallsAtOnce(calls);
  if (rate !== undefined || ops !== undefined) {
    const { keyCallsPerSecond, callOpsMax } = status.limits;
    status = await object.setLimits({ keyCallsPerSecond: setTo(rate, keyCallsPerSecond), callOpsMax: setTo(ops, callOpsMax) });
  }
  const said = { "calls at once": calls, "calls a second of one key": rate, "ops a call": ops };
  const detail = Object.entries(said).flatMap(([what, to]) => (to === undefined ? [] : [`${what}: ${to}`]));
  await note(site, accountId, detail.join(", "));
  return { account: accountId, ...status };
}

function isWithin(value: unknown, most: number, whole: boolean): value is number {
  return typeof value === "number" && (whole ? Number.isInteger(value) && value >= 1 : value > 0) && value <= most;
}

/** What a limit is after a wish: as it was where nothing is wished, null for the deployment's own. */
function setTo(wish: unknown, before: number | null): number | null {
  return wish === undefined ? before : wish === DEFAULT ? null : (wish as number);
}

/** The inbox: latest first; `before` is the time of the last of the page before. */
async function readReports({ db }: Site, wish: Wish): Promise<unknown> {
  const before = typeof wish.before === "number" ? wish.before : Number.MAX_SAFE_INTEGER;
  return db.select().from(report).where(lt(report.receivedMs, before)).orderBy(desc(report.receivedMs)).limit(countOf(wish));
}

/** In the account's audit log. */
function note({ db, nowMs }: Site, accountId: string, detail: string): Promise<void> {
  return writeAudit(db, { accountId, act: "operator", subject: accountId, detail, by: "operator" }, nowMs);
}

/** By its id or its address. */
async function accountOf(db: Directory, { account: named }: Wish): Promise<typeof account.$inferSelect> {
  const text = typeof named === "string" ? named : "";
  const [row] = await db
    .select()
    .from(account)
    .where(or(eq(account.id, text), eq(account.email, text.toLowerCase())));
  if (row === undefined) throw new Refused(`there is no account ${text}`);
  return row;
}

function countOf({ count }: Wish): number {
  return typeof count === "number" && Number.isInteger(count) && count > 0 ? Math.min(count, LISTED_MAX) : 50;
}
