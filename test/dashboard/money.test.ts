/** Money: what comes in is booked once, what goes out is the ops of the calls, and both are what the pages show. */
import { execFile } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { issueKey } from "../../clients/keys/issue-key";
import { runOutText } from "../../src/dashboard/usage";
import { isSigned, signatureOf } from "../../src/directory/signature";
import { DAY_MS } from "../../src/durable/account-object";
import { opsOf } from "../../src/worker/payments";
import { BUY_URL, MONEY_SECRETS } from "../service";
import { callTool } from "../worker/fresh-store";
import { confirmAddress, makeStore, type Person, signUp } from "./browser-like";

const SECRET = MONEY_SECRETS.STRIPE_WEBHOOK_SECRET;

async function send(path: string, body: string, headers: Record<string, string>) {
  const response = await fetch(new URL(path, inject("serviceUrl")), { method: "POST", headers, body });
  return { status: response.status, body: await response.json().catch(() => null) };
}

const nowS = (): number => Math.floor(Date.now() / 1000);
const pay = (event: object, { secret = SECRET, atS = nowS() } = {}) => {
  const body = JSON.stringify(event);
  return send("payments/stripe", body, { "stripe-signature": signatureOf(body, secret, atS) });
};
const paid = (account: string, lcn: string, checkout = `cs_${randomUUID()}`) => ({
  id: `evt_${randomUUID()}`,
  type: "checkout.session.completed",
  data: { object: { id: checkout, payment_status: "paid", metadata: { dke_account: account, dke_lcn: lcn } } },
});

/** As a terminal runs it, against the service of the tests. */
function operator(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const folder = mkdtempSync(join(tmpdir(), "dke-operator-"));
  writeFileSync(join(folder, "operator.json"), JSON.stringify({ url: inject("serviceUrl"), secret: MONEY_SECRETS.OPERATOR_SECRET }));
  return new Promise((resolve) =>
    execFile(process.execPath, ["scripts/operator.mjs", ...args, "--state", folder], (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    ),
  );
}

interface Account {
  readonly id: string;
  readonly balanceOps: number;
  readonly owedOps: number;
  readonly suspended: boolean;
  readonly callsAtOnceMax: number;
}

async function accountOf(person: Person): Promise<Account> {
  return JSON.parse((await operator("accounts", person.email)).out)[0];
}

async function keyOf(person: Person, name = "Money"): Promise<{ storeId: string; key: string }> {
  const storeId = await makeStore(person, name);
  const order = { storeId, level: "read-write", label: "t", made: "browser", opener: null } as const;
  return { storeId, key: (await issueKey(person.browser.ask, order)).key.text };
}

describe("signatures", () => {
  it("[C] fit the body, the secret and five minutes, and nothing else", () => {
    const nowMs = 1_800_000_000_000;
    const good = signatureOf("body", "secret", nowMs / 1000);
    // Stripe's scheme, spelled out.
    expect(good).toBe(`t=1800000000,v1=${createHmac("sha256", "secret").update("1800000000.body").digest("hex")}`);
    const cases: [string, boolean][] = [
      [good, true],
      [`${good},v1=${"0".repeat(64)}`, true],
      [good.replace(",v1=", `,v1=${"0".repeat(64)},v1=`), true],
      [good.replace("v1=", "v0="), false],
      [good.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")), false],
      [good.replace("t=1800000000", "t=1800000001"), false],
      [good.replace("t=1800000000,", ""), false],
      ["", false],
      ["t=,v1=", false],
      [signatureOf("body", "secret", nowMs / 1000 - 300), true],
      [signatureOf("body", "secret", nowMs / 1000 - 301), false],
      [signatureOf("body", "secret", nowMs / 1000 + 301), false],
      [signatureOf("other", "secret", nowMs / 1000), false],
      [signatureOf("body", "other", nowMs / 1000), false],
    ];
    for (const [header, fits] of cases) expect(isSigned(header, "body", "secret", nowMs), header).toBe(fits);
  });

  it("[7] an amount of LangCoin is exact ops, or no amount", () => {
    const cases: [unknown, number | null][] = [
      ["1", 100_000],
      ["0.00001", 1],
      ["12.34567", 1_234_567],
      ["0.1", 10_000],
      ["9999999999.99999", 999_999_999_999_999],
      ["0", null],
      ["0.000001", null],
      ["-1", null],
      ["1e3", null],
      ["", null],
      [1, null],
      [null, null],
    ];
    for (const [lcn, ops] of cases) expect(opsOf(lcn), String(lcn)).toBe(ops);
  });
});

describe("payments and the operator", () => {
  let person: Person;
  let id: string;
  beforeAll(async () => {
    person = await signUp();
    id = (await accountOf(person)).id;
  });

  it("[7] a payment is booked once, however often it or another event of its checkout comes", async () => {
    const { balanceOps } = await accountOf(person);
    const event = paid(id, "2.5");
    expect(await pay(event)).toEqual({ status: 200, body: { taken: true } });
    expect(await pay(event)).toEqual({ status: 200, body: { taken: false } });
    expect(await pay({ ...event, id: "evt_other", type: "checkout.session.async_payment_succeeded" })).toMatchObject({ status: 200 });
    await Promise.all(Array.from({ length: 8 }, () => pay(event)));
    expect((await accountOf(person)).balanceOps).toBe(balanceOps + 250_000);
    const page = (await person.browser.get("/dashboard/usage")).text;
    expect(page.split(`stripe ${event.data.object.id}`).length).toBe(2);
    expect((await person.browser.get("/dashboard/audit")).text).toContain("money.received");
  });

  it("[7] what is not signed, not paid, not ours or names nobody adds nothing", async () => {
    const { balanceOps } = await accountOf(person);
    const event = paid(id, "1");
    expect((await pay(event, { secret: "whsec_other" })).status).toBe(400);
    expect((await pay(event, { atS: nowS() - 400 })).status).toBe(400);
    expect((await send("payments/stripe", JSON.stringify(event), {})).status).toBe(400);
    const unpaid = { ...event, data: { object: { ...event.data.object, payment_status: "unpaid" } } };
    expect(await pay(unpaid)).toEqual({ status: 200, body: { taken: false } });
    // Of payments that are none of ours, the same provider's account may take many.
    for (const type of ["charge.refunded", "charge.dispute.funds_withdrawn", "charge.dispute.funds_reinstated", "constructor"])
      for (const object of [event.data.object, { payment_intent: "pi_other", amount: 5, amount_refunded: 5 }, { payment_intent: 7 }, null])
        expect(await pay({ ...event, type, data: { object } })).toEqual({ status: 200, body: { taken: false } });
    for (const wrong of [paid("f".repeat(64), "1"), paid(id, "0"), paid(id, "-3"), paid(id, "1e9")])
      expect((await pay(wrong)).status).toBe(422);
    const body = "no json";
    expect((await send("payments/stripe", body, { "stripe-signature": signatureOf(body, SECRET, nowS()) })).status).toBe(400);
    expect((await fetch(new URL("payments/stripe", inject("serviceUrl")))).status).toBe(404);
    expect((await accountOf(person)).balanceOps).toBe(balanceOps);
  });

  it("[7] a refund takes its share of the LangCoin back, once, whatever comes again or late; a lost dispute too, and one that is won gives it again", async () => {
    const buyer = await signUp();
    const { id: buyerId, balanceOps: opened } = await accountOf(buyer);
    const [intent, dispute] = [`pi_${randomUUID()}`, `dp_${randomUUID()}`];
    const bought = paid(buyerId, "3");
    Object.assign(bought.data.object, { payment_intent: intent, amount_total: 900, currency: "eur" });
    expect(await pay(bought)).toEqual({ status: 200, body: { taken: true } });
    const told = (type: string, object: object) =>
      pay({ id: `evt_${randomUUID()}`, type, data: { object: { payment_intent: intent, ...object } } });
    const refunded = (amount: number) => told("charge.refunded", { id: "ch_1", amount: 900, amount_refunded: amount, currency: "eur" });
    expect((await refunded(100)).body).toEqual({ taken: true });
    expect((await accountOf(buyer)).balanceOps).toBe(opened + 300_000 - 33_333);
    expect((await refunded(100)).body).toEqual({ taken: false });
    expect((await refunded(300)).body).toEqual({ taken: true });
    expect((await refunded(100)).body).toEqual({ taken: false });
    await Promise.all(Array.from({ length: 5 }, () => refunded(300)));
    expect((await accountOf(buyer)).balanceOps).toBe(opened + 200_000);
    const disputed = (type: string) => told(`charge.dispute.funds_${type}`, { id: dispute, amount: 600, currency: "eur" });
    expect((await disputed("withdrawn")).body).toEqual({ taken: true });
    expect((await disputed("withdrawn")).body).toEqual({ taken: false });
    expect((await accountOf(buyer)).balanceOps).toBe(opened);
    const page = (await buyer.browser.get("/dashboard/usage")).text;
    for (const shown of ["Taken back", `refund of stripe ${bought.data.object.id}`, `dispute ${dispute}`]) expect(page).toContain(shown);
    expect(page).toContain(`The account was opened with ${opened / 100_000} LCN`);
    expect((await buyer.browser.get("/dashboard/audit")).text).toContain("money.taken_back");
    expect((await disputed("reinstated")).body).toEqual({ taken: true });
    expect((await disputed("reinstated")).body).toEqual({ taken: false });
    expect((await accountOf(buyer)).balanceOps).toBe(opened + 200_000);
    expect((await buyer.browser.get("/dashboard/usage")).text).toContain(`The account was opened with ${opened / 100_000} LCN`);
  });

  it("[7] what was spent before it was refunded is owed: the page says so, no call starts, and the next payment covers it first", async () => {
    const buyer = await signUp();
    const { id: buyerId, balanceOps: opened } = await accountOf(buyer);
    const { key } = await keyOf(buyer, "Refunded");
    const intent = `pi_${randomUUID()}`;
    const bought = paid(buyerId, "1");
    Object.assign(bought.data.object, { payment_intent: intent, amount_total: 100, currency: "eur" });
    await pay(bought);
    expect((await operator("debit", buyerId, String(opened / 100_000))).code).toBe(0);
    const loop = { source: "for i in range(20000):\n    pass" };
    const { ops } = (await callTool(key, "run", loop)).result._meta;
    await buyer.browser.get("/dashboard/usage"); // settles
    await pay({ id: "evt_r", type: "charge.refunded", data: { object: { payment_intent: intent, amount: 100, amount_refunded: 100 } } });
    expect(await accountOf(buyer)).toMatchObject({ balanceOps: 0, owedOps: ops });
    expect((await callTool(key, "run", { source: "print(1)" })).error).toMatchObject({ code: -32001 });
    expect((await buyer.browser.get("/dashboard/usage")).text).toContain("more was taken back than the balance had");
    await pay(paid(buyerId, "1"));
    expect(await accountOf(buyer)).toMatchObject({ balanceOps: 100_000 - ops, owedOps: 0 });
    expect((await callTool(key, "run", { source: "print(1)" })).error).toBe(undefined);
  });

  it("[7] a checkout of which a coupon took all is booked; a payment in whatever currency is what its maker said it buys", async () => {
    const { balanceOps } = await accountOf(person);
    const free = paid(id, "0.5");
    Object.assign(free.data.object, { payment_status: "no_payment_required", payment_intent: null, amount_total: 0, currency: "jpy" });
    expect((await pay(free)).body).toEqual({ taken: true });
    expect((await accountOf(person)).balanceOps).toBe(balanceOps + 50_000);
  });

  it("[D.7] the page of usage leads to where LangCoin is bought, and what is paid there is this account's", async () => {
    const { text } = await person.browser.get("/dashboard/usage");
    const link = /href="([^"]+)">Buy LangCoin</.exec(text)?.[1].replaceAll("&amp;", "&") ?? "";
    expect(link).toBe(`${BUY_URL}&client_reference_id=${id}`);
    const { balanceOps } = await accountOf(person);
    const bought = paid(id, "2");
    const { dke_lcn } = bought.data.object.metadata;
    const event = { ...bought, data: { object: { ...bought.data.object, client_reference_id: id, metadata: { dke_lcn } } } };
    expect((await pay(event)).status).toBe(200);
    expect((await accountOf(person)).balanceOps).toBe(balanceOps + 200_000);
  });

  it("[7] the operator credits by id once, suspends, resumes and sets limits, and each is in the audit log", async () => {
    const { key } = await keyOf(person);
    const { balanceOps } = await accountOf(person);
    const credit = ["credit", person.email, "0.00007", "--id", `invoice-${randomUUID()}`];
    expect(JSON.parse((await operator(...credit)).out)).toMatchObject({ account: id, booked: true, balanceOps: balanceOps + 7 });
    expect(JSON.parse((await operator(...credit)).out)).toMatchObject({ booked: false, balanceOps: balanceOps + 7 });
    const debit = ["debit", person.email, "0.00007", "--id", `mistake-${randomUUID()}`];
    expect(JSON.parse((await operator(...debit)).out)).toMatchObject({ account: id, booked: true, balanceOps });
    expect(JSON.parse((await operator(...debit)).out)).toMatchObject({ booked: false, balanceOps });
    expect((await operator("debit", id, "9999999")).err).toContain("no more can be taken");
    expect(JSON.parse((await operator("suspend", id)).out)).toMatchObject({ suspended: true });
    expect((await callTool(key, "run", { source: "print(1)" })).error).toMatchObject({ code: -32001 });
    expect((await person.browser.get("/dashboard/usage")).text).toContain("This account is suspended");
    expect(JSON.parse((await operator("resume", id)).out)).toMatchObject({ suspended: false });
    expect((await callTool(key, "run", { source: "print(1)" })).error).toBe(undefined);
    expect(JSON.parse((await operator("access", id, "off")).out)).toMatchObject({ apiAccess: false });
    expect((await callTool(key, "run", { source: "print(1)" })).error?.message).toContain("API access");
    expect((await person.browser.get("/dashboard/usage")).text).toContain("does not include API access");
    expect(JSON.parse((await operator("access", id, "on")).out)).toMatchObject({ apiAccess: true });
    expect(JSON.parse((await operator("limits", id, "--calls", "3")).out)).toMatchObject({ callsAtOnceMax: 3 });
    const audit = (await person.browser.get("/dashboard/audit")).text;
    for (const detail of ["suspended", "resumed", "API access off", "calls at once: 3"]) expect(audit).toContain(detail);
  });

  it("[C7.43] the operator sets an account's calls a second of a key and ops of a call; they hold from the next call on, in stores made later too", async () => {
    const { key } = await keyOf(person, "Before the limits");
    const loop = { source: "for i in range(2000):\n    pass" };
    expect((await callTool(key, "run", loop)).result.isError).toBe(false);
    expect(JSON.parse((await operator("limits", id, "--ops", "1000", "--rate", "0.2")).out)).toMatchObject({
      limits: { keyCallsPerSecond: 0.2, callOpsMax: 1000 },
    });
    expect((await callTool(key, "run", loop)).result._meta).toMatchObject({ refuse_reason: "limit_exceeded", ops: 1000 });
    const soon = await callTool(key, "run", loop).catch((error: Error) => error);
    expect(JSON.stringify(soon instanceof Error ? soon.message : soon)).toMatch(/-32002|429|RATE/);
    const later = await keyOf(person, "After the limits");
    expect((await callTool(later.key, "run", loop)).result._meta).toMatchObject({ refuse_reason: "limit_exceeded", ops: 1000 });
    expect(JSON.parse((await operator("limits", id, "--ops", "default", "--rate", "default")).out)).toMatchObject({
      limits: { keyCallsPerSecond: null, callOpsMax: null },
    });
    for (const opened of [key, later.key]) expect((await callTool(opened, "run", loop)).result.isError).toBe(false);
    expect((await person.browser.get("/dashboard/audit")).text).toContain("calls a second of one key: 0.2, ops a call: 1000");
  });

  it("[9.9] the operator reads what callers reported", async () => {
    const { key } = await keyOf(person, "Reports");
    const text = `The hall is dark ${randomUUID()}`;
    expect((await callTool(key, "report", { kind: "bug", text })).error).toBe(undefined);
    const inbox = JSON.parse((await operator("reports", "--count", "5")).out);
    expect(inbox).toContainEqual(expect.objectContaining({ accountId: id, kind: "bug", text }));
  });

  it("[C] the operator's path takes a wish only as it was signed, and for the command it was signed for", async () => {
    const wish = JSON.stringify({ account: id });
    const sign = (command: string, body = wish, secret = MONEY_SECRETS.OPERATOR_SECRET, atS = nowS()) => ({
      "operator-signature": signatureOf(`${command}\n${body}`, secret, atS),
    });
    expect((await send("operator/accounts", wish, sign("accounts"))).status).toBe(200);
    expect((await send("operator/suspend", wish, sign("accounts"))).status).toBe(403);
    expect((await send("operator/suspend", `${wish} `, sign("suspend"))).status).toBe(403);
    expect((await send("operator/suspend", wish, sign("suspend", wish, "x".repeat(40)))).status).toBe(403);
    expect((await send("operator/suspend", wish, sign("suspend", wish, undefined, nowS() - 301))).status).toBe(403);
    expect((await send("operator/suspend", wish, {})).status).toBe(403);
    expect((await send("operator/nothing", wish, sign("nothing"))).status).toBe(404);
    expect((await send("operator/constructor", wish, sign("constructor"))).status).toBe(404);
    expect((await accountOf(person)).suspended).toBe(false);
    expect(JSON.stringify((await send("operator/accounts", "{}", sign("accounts", "{}"))).body)).not.toMatch(/scrypt|password/);
  });

  it("[7] the command tells what is wrong, with exit code 1, and help names every command", async () => {
    const help = (await operator("help")).out;
    for (const command of ["accounts", "credit", "debit", "suspend", "resume", "access", "limits", "reports"])
      expect(help).toContain(`  ${command}`);
    for (const [args, said] of [
      [["credit", "nobody@example.org", "1"], "no account nobody@example.org"],
      [["credit", id, "none"], "an amount is LangCoin"],
      [["limits", id, "--calls", "0"], "whole number from 1"],
      [["limits", id, "--rate", "0"], "above 0"],
      [["limits", id, "--rate=-1"], "--rate: got -1"],
      [["limits", id, "--ops", "1.5"], "whole number from 1"],
      [["limits", id, "--ops", "50000001"], "whole number from 1 to 50000000"],
      [["limits", id], "one of calls, rate and ops"],
      [["limits", id, "--calls", "x"], "--calls: got x"],
      [["access", id, "maybe"], "on or off"],
      [["suspend"], "needs an account"],
      [["dance"], "no command dance"],
    ] as const) {
      const { code, err, out } = await operator(...args);
      expect([code, out], args.join(" ")).toEqual([1, ""]);
      expect(err).toContain(said);
    }
  });
});

describe("usage and billing", () => {
  it("[7] the ledger's ops are the calls' ops exactly, the balance is what came in less them, and the CSV holds every call once", async () => {
    const person = await signUp();
    const opened = (await accountOf(person)).balanceOps;
    const stores = [await keyOf(person, "One"), await keyOf(person, "Two")];
    let ops = 0;
    let calls = 0;
    for (let i = 0; i < 40; i++) {
      const source = i % 7 === 3 ? "print(1 / 0)" : `x = 0\nfor i in range(${i * 9}):\n    x += i\nprint(x)`;
      const { result } = await callTool(stores[i % 2].key, "run", { source });
      ops += result._meta.ops;
      calls += result._meta.ops > 0 ? 1 : 0;
    }
    expect(ops).toBeGreaterThan(1000);
    const page = (await person.browser.get("/dashboard/usage")).text;
    const csv = await (await person.browser.send("GET", "/dashboard/usage.csv")).text();
    const rows = csv.trim().split("\r\n").slice(1);
    expect(rows.length).toBe(calls);
    expect(new Set(rows.map((row) => row.split(",")[5])).size).toBe(calls);
    expect(rows.reduce((sum, row) => sum + Number(row.split(",")[4].replaceAll('"', "")), 0)).toBe(ops);
    expect((await accountOf(person)).balanceOps).toBe(opened - ops);
    const today = new Date().toISOString().slice(5, 10);
    expect(page).toContain(`${ops.toLocaleString("en-US")} ops`);
    expect(page).toContain(`${today}: ${ops.toLocaleString("en-US")} ops (One `);
    expect(page.length).toBeLessThan(30_000);
    const byKey = (await person.browser.get("/dashboard/usage?by=key")).text;
    expect(byKey).toMatch(/One key_[0-9a-f]{8} /);
    expect(byKey.length).toBeLessThan(30_000);
    // Older calls, a page at a time: each once.
    const seen: string[] = [];
    for (let path: string | undefined = "/dashboard/usage"; path !== undefined; ) {
      const { text } = await person.browser.get(path);
      seen.push(...[...text.matchAll(/class="mono muted id">([0-9a-f-]{36})</g)].map((match) => match[1]));
      path = /href="([^"]*before=[^"]*)">Older calls/.exec(text)?.[1].replaceAll("&amp;", "&");
    }
    expect([seen.length, new Set(seen).size]).toEqual([calls, calls]);
    // Another account sees nothing of it.
    const stranger = await signUp();
    expect((await stranger.browser.get("/dashboard/usage")).text).toContain("No call has used anything yet");
    expect((await (await stranger.browser.send("GET", "/dashboard/usage.csv")).text()).trim().split("\r\n").length).toBe(1);
  });

  it("[D.9] with much of everything the page leaves its bars, which a test of pictures measures, the room they take of 30 KB", async () => {
    const person = await signUp();
    const { id } = await accountOf(person);
    const names = ["a long name of a store, the first ", "a long name of a store, another "].map(
      (name) => name + "x".repeat(64 - name.length),
    );
    const stores = [await keyOf(person, names[0]), await keyOf(person, names[1])];
    for (let i = 0; i < 24; i++) await callTool(stores[i % 2].key, "run", { source: "print(1)" });
    for (let i = 0; i < 12; i++) await pay(paid(id, "1", `cs_live_${"b".repeat(58)}${i + 10}`));
    for (let i = 0; i < 6; i++) await operator("debit", id, "0.5", "--id", `${"a".repeat(60)}${i}`);
    const { text } = await person.browser.get("/dashboard/usage?by=key");
    for (const { storeId } of stores) expect(text).toContain(`a long name of a … ${storeId.slice(0, 8)} key_`);
    const withoutBars = text.replace(/<svg[\s\S]*<\/svg>/, "").replace(/<pre>[\s\S]*?<\/pre>/, "");
    expect(withoutBars.length).toBeLessThan(30_000 - 2 * 8_500);
  });

  it("[D] a letter goes out once when the balance falls below the threshold, and again after it was above; to a confirmed address", async () => {
    const person = await signUp();
    await confirmAddress(person);
    const { key } = await keyOf(person);
    const letters = async () => {
      const { text } = await person.browser.get("/dashboard/outbox");
      return text.split("The balance of your DKE account is low").length - 1;
    };
    const { balanceOps, id } = await accountOf(person);
    const before = await letters();
    const until = async (count: number) => {
      for (let i = 0; i < 100 && (await letters()) < before + count; i++) await new Promise((resolve) => setTimeout(resolve, 50));
      expect((await letters()) - before).toBe(count);
    };
    await person.browser.get("/dashboard/usage");
    expect((await person.browser.post("/dashboard/usage/alert", { below: String(balanceOps / 100_000) })).status).toBe(303);
    expect((await person.browser.get("/dashboard/usage")).text).toContain(`value="${balanceOps / 100_000}"`);
    await until(0);
    await callTool(key, "run", { source: "print(1)" });
    await person.browser.get("/dashboard/usage");
    await until(1);
    await callTool(key, "run", { source: "print(1)" });
    await person.browser.get("/dashboard/usage");
    await new Promise((resolve) => setTimeout(resolve, 300));
    await until(1);
    await pay(paid(id, "1"));
    await callTool(key, "run", { source: "for i in range(120000):\n    pass" });
    await person.browser.get("/dashboard/usage");
    await until(2);
    await person.browser.get("/dashboard/usage");
    for (const below of ["-1", "ten", "1e3", "0.000001"])
      expect((await person.browser.post("/dashboard/usage/alert", { below })).status, below).toBe(400);
    expect((await person.browser.post("/dashboard/usage/alert", { below: "" })).status).toBe(303);
  });

  it("[D] the estimate goes by the last seven days", () => {
    const nowMs = 20_000 * DAY_MS + DAY_MS / 2;
    const used = (day: number, ops: number) => ({ day, ops, storeId: "s", keyId: "k", calls: 1 });
    // 6.5 days, 65 ops: ten a day.
    const usage = [used(19_994, 15), used(20_000, 50), used(19_993, 1e9)];
    expect(runOutText(usage, 100, nowMs)).toBe("At the rate of the last seven days it lasts 10 days, until 2024-10-14.");
    expect(runOutText(usage, 15, nowMs)).toBe("At the rate of the last seven days it lasts 36 hours, until 2024-10-06.");
    expect(runOutText(usage, 1e9, nowMs)).toContain("more than ten years");
    expect(runOutText(usage, 0, nowMs)).toBe("Calls are refused until something comes in.");
    expect(runOutText([used(19_000, 5)], 10, nowMs)).toBe("Nothing was used in the last seven days.");
  });
});
