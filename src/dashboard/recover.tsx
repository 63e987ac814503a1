/**
 * Getting back in, and changing what lets one in: a link by mail, a recovery code, another password, another address.
 *
 * A link is good for thirty minutes and once; it ends every session. Whether an address has an account is not told.
 */
import { Hono } from "hono";
import { accountByEmail, accountById, setEmail, setPassword, writeAudit } from "../directory/accounts";
import { checkPassword, hashPassword, passwordFault } from "../directory/password";
import { outbox } from "../directory/schema";
import { endAllSessions, PROVEN_MS } from "../directory/sessions";
import { attempt, forgive } from "../directory/throttle";
import { dropTickets, issueTicket, makeRecoveryCodes, recoveryCodesLeft, useRecoveryCode, useTicket } from "../directory/tickets";
import { postOf } from "../durable/letters";
import { LETTERS_AN_HOUR, linkTo, sendConfirmation } from "./confirming";
import { formField, proven, signedIn } from "./door";
import { Form, Notice, render, Time } from "./layout";
import { EMAIL, enter } from "./sign-in";
import { keepsLetters, owner, type Page, ROOT, type Site } from "./site";
import { BY_ACCOUNT, tooMany, waitText } from "./throttled";

const LINK_MS = 30 * 60_000;

export const recoverPages = new Hono<Site>();

// ---- a new password by a link

recoverPages.get("/forgotten", (c) => forgottenPage(c));
recoverPages.post("/forgotten", async (c) => {
  const [db, nowMs] = [c.get("db"), c.get("nowMs")];
  const email = (await formField(c, "email")).trim();
  const waitS = (await tooMany(c)) || (await attempt(db, `letter ${email.toLowerCase()}`, LETTERS_AN_HOUR, nowMs));
  if (waitS > 0) return forgottenPage(c, { bad: waitText(waitS) }, 429);
  const known = await accountByEmail(db, email);
  // The letter is written after the answer, so that it takes no longer for those who have an account.
  if (known !== null) c.executionCtx.waitUntil(sendLink(c, known.id, email));
  return forgottenPage(c, { good: "If this address has an account, a letter is on its way. Its link is good for thirty minutes." });
});

async function sendLink(c: Page, accountId: string, to: string): Promise<void> {
  const [db, nowMs] = [c.get("db"), c.get("nowMs")];
  await dropTickets(db, "reset", accountId);
  const secret = await issueTicket(db, "reset", accountId, nowMs + LINK_MS);
  const link = linkTo(c, "reset", secret);
  const text = `Somebody asked for a new password for your account. If it was you, open this link within thirty minutes:\n\n${link}\n\nIf the page shows no code, copy what stands behind the # into it. If it was not you, nothing has changed.\n`;
  await postOf(c.env, db, nowMs).send({ to, subject: "A new password for your DKE account", text });
}

recoverPages.get("/reset", (c) => resetPage(c));
recoverPages.post("/reset", async (c) => {
  const [db, nowMs] = [c.get("db"), c.get("nowMs")];
  const waitS = await tooMany(c);
  if (waitS > 0) return resetPage(c, waitText(waitS), 429);
  const [code, password] = [(await formField(c, "code")).trim(), await formField(c, "password")];
  // The password is looked at first: a link is not spent on one that cannot be taken.
  const fault = passwordFault(password, "");
  if (fault !== null) return resetPage(c, fault, 400, code);
  const accountId = await useTicket(db, "reset", code, nowMs);
  if (typeof accountId !== "string")
    return resetPage(c, "This link was used before, or its thirty minutes are over: ask for another.", 403);
  await setPassword(db, accountId, await hashPassword(password));
  await endAllSessions(db, accountId);
  await writeAudit(db, { accountId, act: "account.password", subject: accountId, by: "reset link" }, nowMs);
  return enter(c, accountId, "reset link", ROOT);
});

// ---- recovery codes

recoverPages.get("/recover", (c) => recoverPage(c));
recoverPages.post("/recover", async (c) => {
  const [db, nowMs] = [c.get("db"), c.get("nowMs")];
  const [email, code] = [(await formField(c, "email")).trim(), await formField(c, "code")];
  const waitS = (await tooMany(c)) || (await attempt(db, `account ${email.toLowerCase()}`, BY_ACCOUNT, nowMs));
  if (waitS > 0) return recoverPage(c, waitText(waitS), 429);
  const known = await accountByEmail(db, email);
  const isTheirs = await useRecoveryCode(db, known?.id ?? "", code);
  if (known === null || !isTheirs) return recoverPage(c, "This address and code do not belong together.", 403);
  await forgive(db, `account ${email.toLowerCase()}`);
  await writeAudit(db, { accountId: known.id, act: "recovery.used", subject: known.id, by: "recovery code" }, nowMs);
  return enter(c, known.id, "recovery code", `${ROOT}/account`);
});

// ---- password, address, codes

recoverPages.use("/account", signedIn);
recoverPages.use("/account/*", signedIn);
recoverPages.get("/account", (c) => accountPage(c));
// Where a form of that page was answered with the page, and is come back to.
for (const act of ["password", "email", "codes"]) recoverPages.get(`/account/${act}`, (c) => c.redirect(`${ROOT}/account`, 303));
recoverPages.post("/account/password", async (c) => {
  const [who, db, nowMs] = [owner(c), c.get("db"), c.get("nowMs")];
  const [current, password] = [await formField(c, "current"), await formField(c, "password")];
  const waitS = await attempt(db, `prove ${who.accountId}`, BY_ACCOUNT, nowMs);
  if (waitS > 0) return accountPage(c, { bad: waitText(waitS) }, 429);
  const kept = (await accountById(db, who.accountId))?.password ?? null;
  // Who has only passkeys shows one, and gives the account its first password.
  if (kept === null && nowMs - who.provenMs > PROVEN_MS) return c.redirect(`${ROOT}/prove?next=${ROOT}/account`, 303);
  if (kept !== null && !(await checkPassword(current, kept))) return accountPage(c, { bad: "This is not the password you have." }, 403);
  const fault = passwordFault(password, who.email ?? "");
  if (fault !== null) return accountPage(c, { bad: fault }, 400);
  await forgive(db, `prove ${who.accountId}`);
  await setPassword(db, who.accountId, await hashPassword(password));
  await dropTickets(db, "reset", who.accountId);
  await endAllSessions(db, who.accountId);
  await writeAudit(db, { accountId: who.accountId, act: "account.password", subject: who.accountId, by: who.sessionId }, nowMs);
  return enter(c, who.accountId, "password", `${ROOT}/account`);
});
recoverPages.post("/account/email", proven, async (c) => {
  const [who, db, nowMs] = [owner(c), c.get("db"), c.get("nowMs")];
  const email = (await formField(c, "email")).trim().toLowerCase();
  if (!EMAIL.test(email)) return accountPage(c, { bad: "This is no e-mail address." }, 400);
  if (!(await setEmail(db, who.accountId, email))) return accountPage(c, { bad: "This address has an account." }, 409);
  // Links on their way to the old address.
  await dropTickets(db, "reset", who.accountId);
  await dropTickets(db, "confirm", who.accountId);
  const detail = `${masked(who.email ?? "")} to ${masked(email)}`;
  await writeAudit(db, { accountId: who.accountId, act: "account.email", subject: who.accountId, detail, by: who.sessionId }, nowMs);
  if (who.email !== null) {
    const text = `Your DKE account now signs in as ${email}. If it was not you who changed it, answer this letter.\n`;
    c.executionCtx.waitUntil(
      postOf(c.env, db, nowMs).send({ to: who.email, subject: "The address of your DKE account was changed", text }),
    );
  }
  c.executionCtx.waitUntil(sendConfirmation(c, who.accountId, email));
  return c.redirect(`${ROOT}/account`, 303);
});
recoverPages.post("/account/codes", proven, async (c) => {
  const [who, db, nowMs] = [owner(c), c.get("db"), c.get("nowMs")];
  const codes = await makeRecoveryCodes(db, who.accountId);
  await writeAudit(db, { accountId: who.accountId, act: "recovery.made", subject: who.accountId, by: who.sessionId }, nowMs);
  return accountPage(c, { codes });
});

// ---- letters of a development service

recoverPages.get("/outbox", async (c) => {
  if (!keepsLetters(c)) return c.notFound();
  const letters = await c.get("db").select().from(outbox);
  return render(
    c,
    { title: "Outbox" },
    <>
      <h1>Letters this development service would have sent</h1>
      {letters.length === 0 ? <p class="empty">None yet.</p> : null}
      {letters.reverse().map((letter) => (
        <section>
          <h2>{letter.subject}</h2>
          <p class="muted">
            {`to ${letter.toAddress}, `}
            <Time ms={letter.sentMs} />
          </p>
          <pre>{letter.body}</pre>
        </section>
      ))}
    </>,
  );
});

/** For a log from which nothing is ever removed: its owner knows the address by that, and nobody else. */
function masked(email: string): string {
  return email.replace(/^(.)[^@]*/u, "$1…");
}

type Status = 200 | 400 | 403 | 409 | 429;

/** Tells where a letter is to be found that a development service sends nowhere. */
function WhereLettersAre({ c }: { c: Page }) {
  if (!keepsLetters(c)) return null;
  return (
    <p class="hint">
      This development service sends no letters: they are in its <a href={`${ROOT}/outbox`}>outbox</a>.
    </p>
  );
}

function forgottenPage(c: Page, said: { readonly bad?: string; readonly good?: string } = {}, status: Status = 200) {
  return render(
    c,
    { title: "Forgotten password" },
    <>
      <h1>Forgotten the password?</h1>
      {said.bad === undefined ? null : <Notice bad>{said.bad}</Notice>}
      {said.good === undefined ? null : <Notice good>{said.good}</Notice>}
      <WhereLettersAre c={c} />
      <Form c={c} action="/forgotten">
        <label for="email">E-mail address</label>
        <input id="email" name="email" type="email" autocomplete="username" required />
        <p class="hint">It opens the account again. Stores are opened by their keys alone: those we cannot replace.</p>
        <p>
          <button type="submit">Send a link</button>
        </p>
      </Form>
      <p>
        <a href={`${ROOT}/recover`}>Use a recovery code instead</a>
      </p>
    </>,
    status,
  );
}

function resetPage(c: Page, bad?: string, status: Status = 200, code = "") {
  return render(
    c,
    { title: "New password", script: "code.js" },
    <>
      <h1>A new password</h1>
      {bad === undefined ? null : <Notice bad>{bad}</Notice>}
      <Form c={c} action="/reset">
        <label for="code">Code of the link</label>
        <input id="code" name="code" type="text" required autocomplete="off" value={code} />
        <p class="hint">What stands behind the # of the link; with script it is filled in.</p>
        <label for="password">New password</label>
        <input id="password" name="password" type="password" autocomplete="new-password" required minlength={8} maxlength={128} />
        <p>
          <button type="submit">Set it and sign in</button>
        </p>
      </Form>
    </>,
    status,
  );
}

function recoverPage(c: Page, bad?: string, status: Status = 200) {
  return render(
    c,
    { title: "Recovery code" },
    <>
      <h1>Sign in with a recovery code</h1>
      {bad === undefined ? null : <Notice bad>{bad}</Notice>}
      <Form c={c} action="/recover">
        <label for="email">E-mail address</label>
        <input id="email" name="email" type="email" autocomplete="username" required />
        <label for="code">Recovery code</label>
        <input id="code" name="code" type="text" required autocomplete="off" />
        <p class="hint">Each code signs in once.</p>
        <p>
          <button type="submit">Sign in</button>
        </p>
      </Form>
    </>,
    status,
  );
}

async function accountPage(c: Page, said: { readonly bad?: string; readonly codes?: readonly string[] } = {}, status: Status = 200) {
  const who = owner(c);
  const [left, account] = await Promise.all([recoveryCodesLeft(c.get("db"), who.accountId), accountById(c.get("db"), who.accountId)]);
  return render(
    c,
    { title: "Account", here: "/account" },
    <>
      <h1>Account</h1>
      {said.bad === undefined ? null : <Notice bad>{said.bad}</Notice>}
      {said.codes === undefined ? null : (
        <Notice good>
          <p>
            These are your recovery codes. They are shown once: print them, or keep them where you keep such things. Codes made before are
            void.
          </p>
          <pre>{said.codes.join("\n")}</pre>
        </Notice>
      )}
      <h2>Address</h2>
      <Form c={c} action="/account/email">
        <label for="email">E-mail address</label>
        <input id="email" name="email" type="email" autocomplete="username" required value={who.email ?? ""} />
        <p>
          <button type="submit">Change the address</button>
        </p>
      </Form>
      {account?.confirmedMs === null ? (
        <Form c={c} action="/account/confirm">
          <p>
            The address is not confirmed yet: open the link in the letter that was sent there.{" "}
            <button type="submit" class="plain">
              Send it again
            </button>
          </p>
          <WhereLettersAre c={c} />
        </Form>
      ) : (
        <p class="hint">
          Confirmed <Time ms={account?.confirmedMs ?? null} />.
        </p>
      )}
      <h2>Password</h2>
      <Form c={c} action="/account/password">
        <label for="current">The one you have</label>
        <input id="current" name="current" type="password" autocomplete="current-password" />
        <label for="password">The new one</label>
        <input id="password" name="password" type="password" autocomplete="new-password" required minlength={8} maxlength={128} />
        <p class="hint">Every other session ends with it.</p>
        <p>
          <button type="submit">Change the password</button>
        </p>
      </Form>
      <h2>Recovery codes</h2>
      <p>{left === 0 ? "You have none. Without them, a lost password needs your mailbox." : `You have ${left} left.`}</p>
      <Form c={c} action="/account/codes">
        <p>
          <button type="submit">Make ten new codes</button>
        </p>
      </Form>
      <h2>Close the account</h2>
      <p>
        With its stores and what is in them; for seven days it can be brought back. <a href={`${ROOT}/account/close`}>Close it</a>
      </p>
    </>,
    status,
  );
}
