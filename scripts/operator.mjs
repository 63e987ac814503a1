/**
 * What the operator of a service does to accounts, from a terminal: `npm run operator -- help`.
 *
 * Every request is signed with the deployment's secret (src/directory/signature.ts): a local service wrote its own to the state
 * folder, for a deployed one it is in the environment. Answers are JSON on standard output; what was refused is told on standard
 * error, with exit code 1.
 */
import { createHmac, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const HELP = `usage: npm run operator -- COMMAND [ACCOUNT] [options]        ACCOUNT is an id or an e-mail address

  accounts [ACCOUNT] [--count N]     accounts with their balances in ops (1 LCN = 100,000 ops), latest first
  credit ACCOUNT LCN [--id ID]       adds LangCoin; the same ID twice is one credit (a new one is drawn where none is given)
  debit ACCOUNT LCN [--id ID]        takes as much of its balance: a credit by mistake, or what is paid out; the same ID twice is one
  suspend ACCOUNT                    from now on no call of the account starts
  resume ACCOUNT                     undoes that
  access ACCOUNT on|off              whether calls belong to what the account includes
  limits ACCOUNT [--calls N]         how many calls of the account may be at work at once
         [--rate N|default]          how many calls a second one key may make
         [--ops N|default]           how many ops one call may use; default: what the deployment has for all
  reports [--count N] [--before MS]  what callers reported, latest first; MS: received_ms of the last one seen
  help                               this

  --state DIR   the state folder of a local service that runs (.dke)
  --url URL     a deployed service; its secret is DKE_OPERATOR_SECRET in the environment

Production: draw a secret once, keep it offline, and give it to the Worker:
  openssl rand -hex 32 > operator-secret && wrangler secret put OPERATOR_SECRET < operator-secret
  DKE_OPERATOR_SECRET=$(cat operator-secret) npm run operator -- accounts --url https://dke.langsyn.net
Without OPERATOR_SECRET a deployment has no operator's path at all. The directory alone can also be read without it:
  wrangler d1 execute dke-directory --remote --command "SELECT id, kind, text FROM report ORDER BY received_ms DESC LIMIT 20"
Payments: \`wrangler secret put STRIPE_WEBHOOK_SECRET\`, and an endpoint POST /payments/stripe for checkout.session.completed and
checkout.session.async_payment_succeeded; a checkout carries metadata dke_account and dke_lcn. Or a payment link with metadata dke_lcn, its
address in the variable BUY_URL: the page of usage links there, with the account as client_reference_id. The quantity must not be the
buyer's to choose: dke_lcn is what is booked, whatever was paid. With the events charge.refunded, charge.dispute.funds_withdrawn and
charge.dispute.funds_reinstated, the same share of the LangCoin is taken back, and given again where a dispute is won.
Closing an account keeps its balance under its id: \`debit\` what you pay out, or \`debit\` it there and \`credit\` it to another account.
`;

const { values: flags, positionals } = readArguments();
const [command = "help", accountName, amount] = positionals;

const WISHES = {
  accounts: () => ({ account: accountName, count: whole("count") }),
  credit: () => ({ account: accountName, lcn: amount, id: flags.id ?? randomUUID() }),
  debit: () => ({ account: accountName, lcn: amount, id: flags.id ?? randomUUID() }),
  suspend: () => ({ account: accountName }),
  resume: () => ({ account: accountName }),
  access: () => ({ account: accountName, access: amount }),
  limits: () => ({ account: accountName, calls: whole("calls"), rate: numberOrDefault("rate"), ops: numberOrDefault("ops") }),
  reports: () => ({ count: whole("count"), before: whole("before") }),
};
const ACCOUNT_NEEDED = ["credit", "debit", "suspend", "resume", "access", "limits"];

if (command === "help" || flags.help) {
  process.stdout.write(HELP);
} else if (!Object.hasOwn(WISHES, command)) {
  fail(`there is no command ${command}; see: npm run operator -- help`);
} else if (ACCOUNT_NEEDED.includes(command) && accountName === undefined) {
  fail(`${command} needs an account`);
} else {
  await ask(command, WISHES[command]());
}

async function ask(what, wish) {
  const { url, secret } = place();
  const body = JSON.stringify(wish);
  const atS = Math.floor(Date.now() / 1000);
  const mac = createHmac("sha256", secret).update(`${atS}.${what}\n${body}`).digest("hex");
  let response;
  try {
    response = await fetch(new URL(`/operator/${what}`, url), {
      method: "POST",
      headers: { "content-type": "application/json", "operator-signature": `t=${atS},v1=${mac}` },
      body,
    });
  } catch (error) {
    return fail(`no service answers at ${url}: ${error.cause?.code ?? error.message}`);
  }
  const text = await response.text();
  if (response.status === 200) process.stdout.write(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
  else if (response.status === 404) fail(`the service at ${url} takes no operator's requests: it has no OPERATOR_SECRET`);
  else fail(`${response.status}: ${text}`);
}

function place() {
  if (flags.url !== undefined) {
    const secret = process.env.DKE_OPERATOR_SECRET;
    if (!secret) fail("DKE_OPERATOR_SECRET is not set");
    return { url: flags.url, secret };
  }
  try {
    return JSON.parse(readFileSync(join(flags.state, "operator.json"), "utf8"));
  } catch {
    return fail(`no service has run with the state folder ${flags.state}: npm start, or name one with --state or --url`);
  }
}

function whole(name) {
  if (flags[name] === undefined) return undefined;
  if (!/^\d{1,15}$/.test(flags[name])) fail(`--${name}: got ${flags[name]}, want a whole number`);
  return Number(flags[name]);
}

function numberOrDefault(name) {
  const text = flags[name];
  if (text === undefined || text === "default") return text;
  if (!/^\d{1,15}(\.\d{1,6})?$/.test(text)) fail(`--${name}: got ${text}, want a number, or default`);
  return Number(text);
}

function readArguments() {
  const text = { type: "string" };
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        state: { type: "string", default: ".dke" },
        url: text,
        id: text,
        calls: text,
        rate: text,
        ops: text,
        count: text,
        before: text,
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    return fail(error.message);
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
