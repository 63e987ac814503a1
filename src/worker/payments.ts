/**
 * Money that comes in by itself, and goes back: the payment provider's webhook, in Stripe's scheme (docs/decisions/money.md).
 *
 * A checkout that is paid names the LangCoin in its metadata, and the account there or as the reference that our page gave a payment
 * link; all of it is signed by the provider. It is deposited under the id of the checkout, so that the same event again, or another
 * event of the same checkout, adds nothing. A refund, or a dispute that took the money away, takes the same share of the LangCoin back,
 * once. What is not for us, or not paid yet, is answered 200; what we cannot book is answered 422 and logged, and the provider sends it
 * again.
 */
import { accountById, writeAudit } from "../directory/accounts";
import { type Directory, openDirectory } from "../directory/directory";
import { type PaymentRow, paymentOfReference, recordPayment } from "../directory/payments";
import { isSigned } from "../directory/signature";
import type { AccountObject } from "../durable/account-object";
import { logLine } from "../durable/log";
import { OPS_PER_LCN } from "../limits";

export interface MoneyEnv {
  readonly ACCOUNT: DurableObjectNamespace<AccountObject>;
  readonly DIRECTORY?: D1Database;
  /** The webhook's signing secret; absent: no payment is taken. */
  readonly STRIPE_WEBHOOK_SECRET?: string;
}

const BODY_CHARS_MAX = 1 << 18;

/** Of the object an event is about, what is looked at. All of it is the provider's, and none of it is believed to be there. */
interface About {
  readonly id?: unknown;
  readonly payment_intent?: unknown;
  readonly amount?: unknown;
  readonly currency?: unknown;
  // A checkout.
  readonly payment_status?: unknown;
  readonly amount_total?: unknown;
  readonly client_reference_id?: unknown;
  readonly metadata?: { readonly dke_account?: unknown; readonly dke_lcn?: unknown };
  // A charge.
  readonly amount_refunded?: unknown;
}
interface Event {
  readonly id?: unknown;
  readonly type?: unknown;
  readonly data?: { readonly object?: About };
}
interface Site {
  readonly env: MoneyEnv;
  readonly db: Directory;
  readonly nowMs: number;
}

/** What is done about an event; whether it changed anything, or null where it cannot be booked. */
const EVENTS: ReadonlyMap<string, (site: Site, about: About) => Promise<boolean | null>> = new Map([
  ["checkout.session.completed", bookCheckout],
  ["checkout.session.async_payment_succeeded", bookCheckout],
  ["charge.refunded", takeRefundBack],
  ["charge.dispute.funds_withdrawn", takeDisputeBack],
  ["charge.dispute.funds_reinstated", giveDisputeBack],
]);

/** Null where this service takes no payments. */
export async function takePayment(request: Request, env: MoneyEnv, nowMs: number): Promise<Response | null> {
  const secret = env.STRIPE_WEBHOOK_SECRET ?? "";
  if (secret === "" || env.DIRECTORY === undefined) return null;
  const body = await request.text();
  if (body.length > BODY_CHARS_MAX || !isSigned(request.headers.get("stripe-signature") ?? "", body, secret, nowMs))
    return Response.json({ error: "the signature does not fit" }, { status: 400 });
  let event: Event;
  try {
    event = JSON.parse(body) as Event;
  } catch {
    return Response.json({ error: "this is no event" }, { status: 400 });
  }
  const book = EVENTS.get(String(event.type));
  const taken = await book?.({ env, db: openDirectory(env.DIRECTORY), nowMs }, event.data?.object ?? {});
  if (taken !== null) return Response.json({ taken: taken ?? false });
  logLine("fault", { where: "payment", payment: String(event.id), error: "a payment that names no account or no amount" });
  return Response.json({ error: "no such account, or no amount" }, { status: 422 });
}

async function bookCheckout({ env, db, nowMs }: Site, checkout: About): Promise<boolean | null> {
  // The whole of it may have been taken off by a coupon: then nothing is to be paid, and it is sold.
  if (checkout.payment_status !== "paid" && checkout.payment_status !== "no_payment_required") return false;
  const ops = opsOf(checkout.metadata?.dke_lcn);
  const accountId = String(checkout.metadata?.dke_account ?? checkout.client_reference_id ?? "");
  if (typeof checkout.id !== "string" || ops === null || (await accountById(db, accountId)) === null) return null;
  const paid = { reference: textOf(checkout.payment_intent), amount: amountOf(checkout.amount_total), currency: textOf(checkout.currency) };
  return credit(env, { id: `stripe ${checkout.id}`, accountId, ops, origin: "stripe", ...paid }, nowMs);
}

/** A charge says how much of it was refunded in all. */
async function takeRefundBack(site: Site, charge: About): Promise<boolean> {
  const payment = await paymentOf(site, charge);
  const [refunded, whole] = [amountOf(charge.amount_refunded), amountOf(charge.amount)];
  if (payment === null || refunded === null || whole === null) return false;
  return takeBack(site, payment, `refund of ${payment.id}`, shareOf(payment.ops, refunded, whole));
}

async function takeDisputeBack(site: Site, dispute: About): Promise<boolean> {
  const payment = await paymentOf(site, dispute);
  return payment !== null && takeBack(site, payment, `dispute ${textOf(dispute.id)}`, disputedOps(payment, dispute));
}

/** The dispute was won. */
async function giveDisputeBack(site: Site, dispute: About): Promise<boolean> {
  const payment = await paymentOf(site, dispute);
  if (payment === null) return false;
  const { accountId, origin } = payment;
  return credit(site.env, { id: `won dispute ${textOf(dispute.id)}`, accountId, ops: disputedOps(payment, dispute), origin }, site.nowMs);
}

/** Of a payment of ours; null of any other that the same provider's account takes. */
async function paymentOf({ db }: Site, { payment_intent: reference }: About): Promise<PaymentRow | null> {
  return typeof reference === "string" ? paymentOfReference(db, reference) : null;
}

/** Where the dispute is in another currency than the payment, all of it. */
function disputedOps(payment: PaymentRow, dispute: About): number {
  const disputed = amountOf(dispute.amount);
  if (disputed === null || payment.amount === null || payment.currency !== dispute.currency) return payment.ops;
  return shareOf(payment.ops, disputed, payment.amount);
}

function shareOf(ops: number, part: number, whole: number): number {
  return part >= whole ? ops : Number((BigInt(ops) * BigInt(part)) / BigInt(whole));
}

async function takeBack({ env, db, nowMs }: Site, { accountId, origin }: PaymentRow, id: string, totalOps: number): Promise<boolean> {
  const added = await accountObject(env, accountId).takeBack(id, totalOps, true);
  if (added === null || added === 0) return false;
  await writeAudit(db, { accountId, act: "money.taken_back", subject: id, detail: `${added / OPS_PER_LCN} LCN`, by: origin }, nowMs);
  return true;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function amountOf(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;
}

export function accountObject({ ACCOUNT }: MoneyEnv, accountId: string): DurableObjectStub<AccountObject> {
  return ACCOUNT.get(ACCOUNT.idFromString(accountId));
}

export interface Credit {
  readonly id: string;
  readonly accountId: string;
  readonly ops: number;
  readonly origin: string;
  readonly reference?: string | null;
  readonly amount?: number | null;
  readonly currency?: string | null;
}

/** Books it once. The deposit comes first: what fails after it is repeated, and adds nothing. */
export async function credit(env: MoneyEnv, credited: Credit, nowMs: number): Promise<boolean> {
  const { id, accountId, ops, origin, reference = null, amount = null, currency = null } = credited;
  const db = openDirectory(env.DIRECTORY!);
  await accountObject(env, accountId).deposit(id, ops);
  const isNew = await recordPayment(db, { id, accountId, ops, receivedMs: nowMs, origin, reference, amount, currency });
  if (isNew) await writeAudit(db, { accountId, act: "money.received", subject: id, detail: `${ops / OPS_PER_LCN} LCN`, by: origin }, nowMs);
  return isNew;
}

/** Whole ops of a decimal number of LangCoin written as text; null where it is none, or not above 0. */
export function opsOf(lcn: unknown): number | null {
  if (typeof lcn !== "string" || !/^\d{1,10}(\.\d{1,5})?$/.test(lcn)) return null;
  const [whole, part = ""] = lcn.split(".");
  const ops = Number(whole) * OPS_PER_LCN + Number(part.padEnd(5, "0"));
  return ops > 0 ? ops : null;
}
