/**
 * Showing that an address is one's own: a link that is sent there when an account is made, and when its address is changed.
 *
 * The account works meanwhile; letters that nobody asked for at that moment (a balance that runs low) go to confirmed addresses only.
 */
import { Hono } from "hono";
import { accountById, setConfirmed, writeAudit } from "../directory/accounts";
import { attempt } from "../directory/throttle";
import { dropTickets, issueTicket, useTicket } from "../directory/tickets";
import { postOf } from "../durable/letters";
import { formField, signedIn } from "./door";
import { Form, Notice, render } from "./layout";
import { owner, type Page, ROOT, type Site } from "./site";
import { addressOf, BY_ADDRESS, waitText } from "./throttled";

const LINK_DAYS = 7;
export const LETTERS_AN_HOUR = { max: 5, seconds: 3600 };

export const confirmingPages = new Hono<Site>();

/** Links sent before to this account are void. */
export async function sendConfirmation(c: Page, accountId: string, to: string): Promise<void> {
  const [db, nowMs] = [c.get("db"), c.get("nowMs")];
  await dropTickets(db, "confirm", accountId);
  const secret = await issueTicket(db, "confirm", accountId, nowMs + LINK_DAYS * 86_400_000);
  const text = `This address was given for a DKE account. If that was you, open this link within ${LINK_DAYS} days to confirm it:\n\n${linkTo(c, "confirm", secret)}\n\nIf the page shows no code, copy what stands behind the # into it. If it was not you, you need do nothing: this address then gets no letter about the account's balance.\n`;
  await postOf(c.env, db, nowMs).send({ to, subject: "Confirm the address of your DKE account", text });
}

/** The secret stands behind the mark: it is not sent to any server, nor kept in a log on the way. */
export function linkTo(c: Page, path: string, secret: string): string {
  return `${new URL(c.req.url).origin}${ROOT}/${path}#${secret}`;
}

confirmingPages.get("/confirm", (c) => confirmPage(c));
confirmingPages.post("/confirm", async (c) => {
  const [db, nowMs] = [c.get("db"), c.get("nowMs")];
  const waitS = await attempt(db, `confirm ${addressOf(c)}`, BY_ADDRESS, nowMs);
  if (waitS > 0) return confirmPage(c, { bad: waitText(waitS) }, 429);
  const accountId = await useTicket(db, "confirm", (await formField(c, "code")).trim(), nowMs);
  if (typeof accountId !== "string")
    return confirmPage(c, { bad: `This link was used before, another was sent since, or its ${LINK_DAYS} days are over.` }, 403);
  await setConfirmed(db, accountId, nowMs);
  await writeAudit(db, { accountId, act: "account.confirmed", subject: accountId, by: "link" }, nowMs);
  return confirmPage(c, { good: "The address is confirmed." });
});
confirmingPages.post("/account/confirm", signedIn, async (c) => {
  const [who, db, nowMs] = [owner(c), c.get("db"), c.get("nowMs")];
  const account = await accountById(db, who.accountId);
  const isDue = who.email !== null && account?.confirmedMs === null;
  if (isDue && (await attempt(db, `letter ${who.email}`, LETTERS_AN_HOUR, nowMs)) === 0)
    c.executionCtx.waitUntil(sendConfirmation(c, who.accountId, who.email ?? ""));
  return c.redirect(`${ROOT}/account`, 303);
});

function confirmPage(c: Page, said: { readonly bad?: string; readonly good?: string } = {}, status: 200 | 403 | 429 = 200) {
  return render(
    c,
    { title: "Confirm the address", script: "code.js" },
    <>
      <h1>Confirm the address</h1>
      {said.bad === undefined ? null : <Notice bad>{said.bad}</Notice>}
      {said.good === undefined ? (
        <Form c={c} action="/confirm">
          <label for="code">Code of the link</label>
          <input id="code" name="code" type="text" required autocomplete="off" />
          <p class="hint">What stands behind the # of the link; with script it is filled in.</p>
          <p>
            <button type="submit">Confirm</button>
          </p>
        </Form>
      ) : (
        <Notice good>{said.good}</Notice>
      )}
      <p>
        <a href={ROOT}>To your stores</a>
      </p>
    </>,
    status,
  );
}
