/**
 * What an account has, what it has used, and how long the rest lasts: balance, bars of thirty days with their text beside, alert,
 * top-ups, and the ledger by call id.
 *
 * All amounts are the ledger's, whole ops; LangCoin is how they are shown.
 */
import { Hono } from "hono";
import { raw } from "hono/html";
import { writeAudit } from "../directory/accounts";
import { paymentsOf } from "../directory/payments";
import { storesOf } from "../directory/stores";
import { type AccountCall, DAY_MS, type DayUsage } from "../durable/account-object";
import type { Withdrawal } from "../durable/taken-back";
import { OPS_PER_LCN } from "../limits";
import { barChart } from "../picture/bar-chart";
import { cut } from "../picture/svg";
import { csvAnswer } from "./csv";
import { formField, signedIn } from "./door";
import { Form, lcnText, Notice, render, Time } from "./layout";
import { accountObject, buyUrl, owner, type Page, ROOT, type Site, storeObject } from "./site";
import { cursorOf } from "./store-activity";
import { Table } from "./table";

const DAYS_SHOWN = 30;
/** The rate that the estimate goes by. */
const RATE_DAYS = 7;
/** So that a page stays under 30 KB, with a month of bars and their words. */
const CALLS_PER_PAGE = 10;
const PAYMENTS_SHOWN = 10;
const WITHDRAWALS_SHOWN = 5;
const SERIES_SHOWN = 4;
const SERIES_COLUMNS = 18;
/** Of a key's id, in the bars. */
const KEY_CHARS = "key_".length + 8;
/** Of one file: an answer between objects carries 32 MiB. */
const CSV_CALLS_MAX = 100_000;

export const usagePages = new Hono<Site>();

usagePages.get("/usage", signedIn, (c) => usagePage(c));
usagePages.post("/usage/alert", signedIn, async (c) => {
  const who = owner(c);
  const typed = (await formField(c, "below")).trim();
  if (typed !== "" && !/^\d{1,10}(\.\d{1,5})?$/.test(typed)) return usagePage(c, "A threshold is a number of LangCoin, or nothing.", 400);
  const belowOps = typed === "" ? null : Math.round(Number(typed) * OPS_PER_LCN);
  await accountObject(c, who.accountId).setAlert(belowOps);
  const detail = belowOps === null ? "none" : lcnText(belowOps);
  await writeAudit(
    c.get("db"),
    { accountId: who.accountId, act: "account.alert", subject: who.accountId, detail, by: who.sessionId },
    c.get("nowMs"),
  );
  return c.redirect(`${ROOT}/usage`, 303);
});
usagePages.get("/usage.csv", signedIn, async (c) => {
  await settleAll(c);
  const calls: AccountCall[] = await accountObject(c, owner(c).accountId).ledgerOfAll(CSV_CALLS_MAX);
  const head = ["time", "store_id", "key_id", "tool", "ops", "call_id", "status", "ms"];
  const rows = calls.map((call) => [
    new Date(call.endedAtMs).toISOString(),
    call.storeId,
    call.keyId,
    call.tool,
    String(call.ops),
    call.callId,
    call.status,
    String(call.ms),
  ]);
  return csvAnswer(c, "usage.csv", head, rows);
});

/** The ledger knows what stores have told it: each is asked to tell the rest. */
async function settleAll(c: Page): Promise<void> {
  const stores = await storesOf(c.get("db"), owner(c).accountId);
  await Promise.all(stores.map(({ id }) => storeObject(c, id).settle()));
}

async function usagePage(c: Page, said?: string, status: 200 | 400 = 200) {
  const [who, db, nowMs] = [owner(c), c.get("db"), c.get("nowMs")];
  await settleAll(c);
  const object = accountObject(c, who.accountId);
  const today = Math.floor(nowMs / DAY_MS);
  const before = cursorOf(c.req.query("before"));
  const [account, withdrawals, usage, found, payments, stores] = await Promise.all([
    object.status(),
    object.withdrawals(WITHDRAWALS_SHOWN) as Promise<Withdrawal[]>,
    object.usageByDay((today - DAYS_SHOWN + 1) * DAY_MS) as Promise<DayUsage[]>,
    object.ledgerOfAll(CALLS_PER_PAGE + 1, before) as Promise<AccountCall[]>,
    paymentsOf(db, who.accountId, PAYMENTS_SHOWN),
    storesOf(db, who.accountId),
  ]);
  const buy = buyUrl(c, who.accountId);
  const names = new Map(stores.map(({ id, name }) => [id, name]));
  const nameOf = (storeId: string): string => names.get(storeId) ?? `deleted ${storeId.slice(0, 8)}`;
  const byKey = c.req.query("by") === "key";
  const labels = labelsOf([...new Set(usage.map(({ storeId }) => storeId))], nameOf);
  const storeLabel = ({ storeId }: DayUsage) => labels.get(storeId) ?? storeId;
  const chart = chartOf(usage, today, byKey ? (one) => `${storeLabel(one)} ${one.keyId.slice(0, KEY_CHARS)}` : storeLabel);
  const calls = found.slice(0, CALLS_PER_PAGE);
  const [last] = calls.slice(-1);
  const received = payments.reduce((sum, payment) => sum + payment.ops, 0);
  const takenBack = withdrawals.reduce((sum, { ops }) => sum + ops, 0) - account.owedOps;
  const openedWith = account.depositedOps + takenBack - received;
  const isAllShown = payments.length < PAYMENTS_SHOWN && withdrawals.length < WITHDRAWALS_SHOWN;
  return render(
    c,
    { title: "Usage and billing", here: "/usage" },
    <>
      <h1>Usage and billing</h1>
      {said === undefined ? null : <Notice bad>{said}</Notice>}
      {account.suspended ? <Notice bad>This account is suspended: no call starts. Paying clears it.</Notice> : null}
      {account.apiAccess ? null : <Notice bad>This account does not include API access: no call starts.</Notice>}
      <h2>Balance</h2>
      <p>
        <strong>{lcnText(account.balanceOps)}</strong> of {lcnText(account.depositedOps)} that came in.{" "}
        {runOutText(usage, account.balanceOps, nowMs)}
      </p>
      {account.owedOps === 0 ? null : (
        <Notice bad>{`${lcnText(account.owedOps)} more was taken back than the balance had: the next payment covers that first.`}</Notice>
      )}
      <p class="hint">{`1 LCN buys ${OPS_PER_LCN.toLocaleString("en-US")} ops. A call is never run on credit.`}</p>
      {buy === null ? null : (
        <p>
          <a href={buy}>Buy LangCoin</a>
        </p>
      )}
      <h2>{`The last ${DAYS_SHOWN} days`}</h2>
      <p>
        By{" "}
        <a href={`${ROOT}/usage`} aria-current={byKey ? undefined : "true"}>
          store
        </a>{" "}
        or{" "}
        <a href={`${ROOT}/usage?by=key`} aria-current={byKey ? "true" : undefined}>
          key
        </a>
      </p>
      <figure>
        <div class="picture-frame" tabindex={0}>
          {raw(chart.svg)}
        </div>
        <figcaption>
          <details>
            <summary>The same in words</summary>
            <pre>{chart.text}</pre>
          </details>
        </figcaption>
      </figure>
      <h2>Tell me</h2>
      <Form c={c} action="/usage/alert">
        <label for="below">A letter when the balance falls below so many LangCoin</label>
        <input
          id="below"
          name="below"
          type="text"
          inputmode="decimal"
          value={account.alertBelowOps === null ? "" : String(account.alertBelowOps / OPS_PER_LCN)}
        />
        <p class="hint">Nothing: never. It goes to {who.email}, if that is confirmed, once each time it falls below.</p>
        <p>
          <button type="submit" class="plain">
            Keep
          </button>
        </p>
      </Form>
      <h2>Top-ups</h2>
      {payments.length === 0 ? (
        <p class="empty">Nothing has come in since the account was opened with {lcnText(openedWith)}.</p>
      ) : (
        <Table
          rows={payments}
          columns={[
            { head: "Received", cell: ({ receivedMs }) => <Time ms={receivedMs} /> },
            { head: "From", cell: ({ origin }) => origin },
            { head: "Amount", number: true, cell: ({ ops }) => lcnText(ops) },
            { head: "Id", class: "mono muted id", cell: ({ id }) => id },
          ]}
        />
      )}
      {isAllShown && payments.length > 0 ? <p class="hint">{`The account was opened with ${lcnText(openedWith)}.`}</p> : null}
      {withdrawals.length === 0 ? null : (
        <>
          <h2>Taken back</h2>
          <p class="hint">Payments that were refunded or disputed, and what the operator has put right.</p>
          <Table
            rows={withdrawals}
            columns={[
              { head: "When", cell: ({ atMs }) => <Time ms={atMs} /> },
              { head: "Amount", number: true, cell: ({ ops }) => lcnText(ops) },
              { head: "Id", class: "mono muted id", cell: ({ id }) => id },
            ]}
          />
        </>
      )}
      <h2>Ledger</h2>
      {calls.length === 0 ? (
        <p class="empty">{before === undefined ? "No call has used anything yet." : "Nothing before that."}</p>
      ) : (
        <Table
          rows={calls}
          columns={[
            { head: "Ended", cell: ({ endedAtMs }) => <Time ms={endedAtMs} /> },
            { head: "Store", cell: ({ storeId }) => nameOf(storeId) },
            { head: "Key", class: "mono id", cell: ({ keyId }) => keyId },
            { head: "Tool", cell: ({ tool }) => tool },
            { head: "Ops", number: true, cell: ({ ops }) => ops.toLocaleString("en-US") },
            { head: "Call", class: "mono muted id", cell: ({ callId }) => callId },
          ]}
        />
      )}
      <p>
        {found.length <= CALLS_PER_PAGE ? null : (
          <a href={`${ROOT}/usage?before=${encodeURIComponent(`${last.endedAtMs} ${last.callId}`)}`}>Older calls</a>
        )}{" "}
        {calls.length === 0 ? null : <a href={`${ROOT}/usage.csv`}>All as CSV</a>}
      </p>
    </>,
    status,
  );
}

/** Names of stores cut for the bars; where two are the same then, the beginning of their ids tells them apart. */
function labelsOf(storeIds: readonly string[], nameOf: (storeId: string) => string): ReadonlyMap<string, string> {
  const short = (storeId: string) => cut(nameOf(storeId), SERIES_COLUMNS);
  const isShared = (storeId: string) => storeIds.some((other) => other !== storeId && short(other) === short(storeId));
  return new Map(storeIds.map((id) => [id, isShared(id) ? `${short(id)} ${id.slice(0, 8)}` : short(id)]));
}

/** Bars of days; what is small among the series stands together, so that the legend has room. */
function chartOf(usage: readonly DayUsage[], today: number, seriesOf: (one: DayUsage) => string) {
  const totals = new Map<string, number>();
  for (const one of usage) totals.set(seriesOf(one), (totals.get(seriesOf(one)) ?? 0) + one.ops);
  const shown = new Set(
    [...totals]
      .sort((a, b) => b[1] - a[1])
      .slice(0, SERIES_SHOWN)
      .map(([name]) => name),
  );
  const bars = Array.from({ length: DAYS_SHOWN }, (_, i) => {
    const day = today - DAYS_SHOWN + 1 + i;
    const amounts: Record<string, number> = {};
    for (const one of usage) {
      if (one.day !== day) continue;
      const series = shown.has(seriesOf(one)) ? seriesOf(one) : "all others";
      amounts[series] = (amounts[series] ?? 0) + one.ops;
    }
    return { name: new Date(day * DAY_MS).toISOString().slice(5, 10), amounts };
  });
  return barChart(`Ops of the last ${DAYS_SHOWN} days`, bars, (ops) => `${Math.round(ops).toLocaleString("en-US")} ops`);
}

/** At the rate of the last days, the one that runs counted as far as it has come. */
export function runOutText(usage: readonly DayUsage[], balanceOps: number, nowMs: number): string {
  const first = Math.floor(nowMs / DAY_MS) - RATE_DAYS + 1;
  const used = usage.filter(({ day }) => day >= first).reduce((sum, { ops }) => sum + ops, 0);
  if (balanceOps <= 0) return "Calls are refused until something comes in.";
  if (used === 0) return "Nothing was used in the last seven days.";
  const days = nowMs / DAY_MS - first;
  const left = balanceOps / (used / days);
  if (left > 3650) return "At the rate of the last seven days it lasts more than ten years.";
  const at = new Date(nowMs + left * DAY_MS).toISOString().slice(0, 10);
  return `At the rate of the last seven days it lasts ${left < 2 ? `${Math.floor(left * 24)} hours` : `${Math.floor(left)} days`}, until ${at}.`;
}
