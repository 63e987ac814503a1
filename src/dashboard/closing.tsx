/**
 * Closing an account, and wanting it back (docs/decisions/closing-an-account.md).
 *
 * Its stores are deleted as one deletes a store, so no key opens anything from the next call on; for seven days whoever signs in finds
 * one page, which brings all of it back. The hourly sweep then forgets who it was.
 */
import { Hono } from "hono";
import { setClosed, writeAudit } from "../directory/accounts";
import { endAllSessions } from "../directory/sessions";
import { deletedStoresOf, type StoreRow, setStoreDeleted, storesOf } from "../directory/stores";
import { revokeAllTokens } from "../directory/tokens";
import { postOf } from "../durable/letters";
import { dropSession, formField, proven, signedIn, signedInToClosed } from "./door";
import { Form, lcnText, Notice, render, Time } from "./layout";
import { accountObject, owner, type Page, ROOT, type Site, storeObject } from "./site";
import { UNDO_MS } from "./store-list";

export const closingPages = new Hono<Site>();

closingPages.get("/account/close", signedIn, (c) => closePage(c));
closingPages.post("/account/close", signedIn, proven, async (c) => {
  const [who, db, nowMs] = [owner(c), c.get("db"), c.get("nowMs")];
  const typed = (await formField(c, "email")).trim().toLowerCase();
  if (who.email === null || typed !== who.email) return closePage(c, "This is not the address of the account.", 400);
  // The stores first: broken off in between, the account is open, shows them as deleted, and is closed by doing this again.
  const stores = await storesOf(db, who.accountId);
  await Promise.all(stores.map((store) => setDeletion(c, store, nowMs)));
  await revokeAllTokens(db, who.accountId, nowMs);
  if (!(await setClosed(db, who.accountId, nowMs))) return c.notFound();
  await writeAudit(db, { accountId: who.accountId, act: "account.closed", subject: who.accountId, by: who.sessionId }, nowMs);
  await endAllSessions(db, who.accountId);
  const until = new Date(nowMs + UNDO_MS).toISOString();
  const text = `Your DKE account is closed. No key opens any of its stores any more.\n\nUntil ${until} you can sign in at ${new URL(c.req.url).origin}${ROOT}/sign-in and bring all of it back. After that what the stores held is gone for good, for us too.\n\nThe account's id is ${who.accountId}: it is all by which what is left of the balance is found afterwards.\n\nIf it was not you who closed it, sign in, bring it back, and change the password.\n`;
  c.executionCtx.waitUntil(postOf(c.env, db, nowMs).send({ to: who.email, subject: "Your DKE account is closed", text }));
  dropSession(c);
  c.set("who", null);
  return closedPage(c, nowMs);
});

closingPages.get("/closed", signedInToClosed, (c) => closedPage(c, owner(c).closedMs ?? c.get("nowMs")));
closingPages.post("/closed/reopen", signedInToClosed, async (c) => {
  const [who, db, nowMs] = [owner(c), c.get("db"), c.get("nowMs")];
  const closedMs = who.closedMs ?? nowMs;
  if (nowMs >= closedMs + UNDO_MS || !(await setClosed(db, who.accountId, null))) return c.notFound();
  // Those that closing deleted; others keep their own time.
  const stores = (await deletedStoresOf(db, who.accountId, nowMs - UNDO_MS)).filter(({ deletedMs }) => deletedMs === closedMs);
  await Promise.all(stores.map((store) => setDeletion(c, store, null)));
  await writeAudit(db, { accountId: who.accountId, act: "account.reopened", subject: who.accountId, by: who.sessionId }, nowMs);
  return c.redirect(`${ROOT}/stores`, 303);
});

async function setDeletion(c: Page, { id }: StoreRow, deletedMs: number | null): Promise<void> {
  await storeObject(c, id).setDeletion(deletedMs === null ? null : deletedMs + UNDO_MS);
  await setStoreDeleted(c.get("db"), id, deletedMs);
}

async function closePage(c: Page, said?: string, status: 200 | 400 = 200) {
  const who = owner(c);
  const [stores, { balanceOps }] = await Promise.all([storesOf(c.get("db"), who.accountId), accountObject(c, who.accountId).status()]);
  return render(
    c,
    { title: "Close the account", here: "/account" },
    <>
      <h1>Close the account</h1>
      {said === undefined ? null : <Notice bad>{said}</Notice>}
      <ul>
        <li>
          {stores.length === 0
            ? "It has no stores."
            : `Its ${stores.length} ${stores.length === 1 ? "store is" : "stores are"} deleted, with everything in them and their snapshots: no key opens them from its next call on.`}
        </li>
        <li>Account tokens are revoked, and every session ends, this one too.</li>
        <li>
          {`What is left of the balance, ${lcnText(balanceOps)}, can be spent by nobody any more. `}
          Whoever runs this service can pay it out or move it to another account, also afterwards: they need the account's id,{" "}
          <span class="mono id">{who.accountId}</span>
        </li>
        <li>
          For seven days you can sign in and bring it back: the stores with their keys and what was in them, and the balance; not the
          tokens.
        </li>
        <li>
          After that the address, the password, passkeys, recovery codes and reports are forgotten, and what the stores held is gone, for us
          too. What was paid, what calls have cost and the audit log are kept under the account's id.
        </li>
      </ul>
      <Form c={c} action="/account/close">
        <label for="typed">
          Type the account's address, <strong>{who.email}</strong>, to close it
        </label>
        <input id="typed" name="email" type="text" required autocomplete="off" spellcheck={false} />
        <p>
          <button type="submit" class="danger">
            Close the account
          </button>{" "}
          <a href={`${ROOT}/account`}>Keep it</a>
        </p>
      </Form>
    </>,
    status,
  );
}

function closedPage(c: Page, closedMs: number) {
  const mayReopen = c.get("nowMs") < closedMs + UNDO_MS;
  return render(
    c,
    { title: "Account closed" },
    <>
      <h1>This account is closed</h1>
      {!mayReopen ? (
        <p>It can be brought back no more.</p>
      ) : c.get("who") === null ? (
        <p>
          Until <Time ms={closedMs + UNDO_MS} /> you can <a href={`${ROOT}/sign-in`}>sign in</a> and bring it back, with its stores and
          their keys. We have written that to you too.
        </p>
      ) : (
        <>
          <p>
            Until <Time ms={closedMs + UNDO_MS} /> it can be brought back, with its stores and their keys. After that nobody can, we
            included.
          </p>
          <Form c={c} action="/closed/reopen">
            <p>
              <button type="submit">Bring the account back</button>
            </p>
          </Form>
        </>
      )}
    </>,
  );
}
