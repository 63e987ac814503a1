/**
 * Money that comes in by itself: the payment provider's webhook, in Stripe's scheme (docs/decisions/money.md).
 *
 * A checkout that is paid names the LangCoin in its metadata, and the account there or as the reference that our page gave a payment
 * link; all of it is signed by the provider. It is
 * deposited under the id of the checkout, so that the same event again, or another event of the same checkout, adds nothing. What is
 * not for us, or not paid yet, is answered 200; what we cannot book is answered 422 and logged, and the provider sends it again.
 */
import { accountById, writeAudit } from "../directory/accounts";
import { openDirectory } from "../directory/directory";
import { recordPayment } from "../directory/payments";
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
const PAID_EVENTS = new Set(["checkout.session.completed", "checkout.session.async_payment_succeeded"]);

interface Event {
  readonly id?: unknown;
  readonly type?: unknown;
  readonly data?: {
    readonly object?: {
      readonly id?: unknown;
      readonly payment_status?: unknown;
      readonly metadata?: Metadata;
      readonly client_reference_id?: unknown;
    };
  };
}
type Metadata = { readonly dke_account?: unknown; readonly dke_lcn?: unknown };

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
  const checkout = event.data?.object;
  if (!PAID_EVENTS.has(String(event.type)) || checkout?.payment_status !== "paid") return Response.json({ taken: false });
  const ops = opsOf(checkout.metadata?.dke_lcn);
  const accountId = String(checkout.metadata?.dke_account ?? checkout.client_reference_id ?? "");
  const db = openDirectory(env.DIRECTORY);
  if (typeof checkout.id !== "string" || ops === null || (await accountById(db, accountId)) === null) {
    logLine("fault", { where: "payment", payment: String(event.id), error: "a payment that names no account or no amount" });
    return Response.json({ error: "no such account, or no amount" }, { status: 422 });
  }
  const taken = await credit(env, { id: `stripe ${checkout.id}`, accountId, ops, origin: "stripe" }, nowMs);
  return Response.json({ taken });
}

export interface Credit {
  readonly id: string;
  readonly accountId: string;
  readonly ops: number;
  readonly origin: string;
}

/** Books it once. The deposit comes first: what fails after it is repeated, and adds nothing. */
export async function credit(env: MoneyEnv, { id, accountId, ops, origin }: Credit, nowMs: number): Promise<boolean> {
  const db = openDirectory(env.DIRECTORY!);
  await env.ACCOUNT.get(env.ACCOUNT.idFromString(accountId)).deposit(id, ops);
  const isNew = await recordPayment(db, { id, accountId, ops, receivedMs: nowMs, origin });
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
