/**
 * Signing up, in and out with an address and a password, and showing the password again before what cannot be taken back.
 *
 * At sign-in, whether an address has an account is told to nobody who does not have its password: the same words, after the same
 * work. (Sign-up has to say when an address is taken; it costs a hash and an attempt each time.)
 * Attempts are counted by address, by account and altogether before any password is hashed.
 */
import { Hono } from "hono";
import { accountByEmail, accountById, createAccount, writeAudit } from "../directory/accounts";
import { listPasskeys } from "../directory/passkeys";
import { checkPassword, hashPassword, passwordFault } from "../directory/password";
import { beginSession, endSession, proveSession } from "../directory/sessions";
import { attempt, forgive } from "../directory/throttle";
import { OPS_PER_LCN } from "../limits";
import { sendConfirmation } from "./confirming";
import { dropSession, formField, keepSession, safeNext, signedIn } from "./door";
import { Form, Notice, render } from "./layout";
import { PasskeyAct, passkeysWorkHere } from "./passkey-form";
import { owner, type Page, ROOT, type Site } from "./site";
import { BY_ACCOUNT, tooMany, waitText } from "./throttled";

export const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/;
/** What an account opens with where the deployment says nothing: enough to try everything. */
const OPENING_OPS_DEFAULT = 100 * OPS_PER_LCN;
const NOT_KNOWN = "This address and password do not belong together.";

export const signInPages = new Hono<Site>();

signInPages.get("/sign-up", (c) => signUpPage(c));
signInPages.post("/sign-up", async (c) => {
  const [email, password] = [(await formField(c, "email")).trim(), await formField(c, "password")];
  const waitS = await tooMany(c);
  if (waitS > 0) return signUpPage(c, { email, said: waitText(waitS) }, 429);
  if (!EMAIL.test(email)) return signUpPage(c, { email, said: "This is no e-mail address." }, 400);
  const fault = passwordFault(password, email);
  if (fault !== null) return signUpPage(c, { email, said: fault }, 400);
  const [db, nowMs] = [c.get("db"), c.get("nowMs")];
  const kept = await hashPassword(password);
  const object = c.env.ACCOUNT.newUniqueId();
  if (!(await createAccount(db, { id: object.toString(), email, password: kept, nowMs }))) {
    return signUpPage(c, { email, said: "This address has an account: sign in, or ask for a new password." }, 409);
  }
  await c.env.ACCOUNT.get(object).open({ balanceOps: Number(c.env.OPENING_OPS ?? OPENING_OPS_DEFAULT) });
  await writeAudit(db, { accountId: object.toString(), act: "account.created", subject: object.toString(), by: "sign-up" }, nowMs);
  c.executionCtx.waitUntil(sendConfirmation(c, object.toString(), email));
  return enter(c, object.toString(), "password", ROOT);
});

signInPages.get("/sign-in", (c) => signInPage(c, { next: c.req.query("next") ?? "" }));
signInPages.post("/sign-in", async (c) => {
  const [email, password, next] = [(await formField(c, "email")).trim(), await formField(c, "password"), await formField(c, "next")];
  const waitS = (await tooMany(c)) || (await attempt(c.get("db"), `account ${email.toLowerCase()}`, BY_ACCOUNT, c.get("nowMs")));
  if (waitS > 0) return signInPage(c, { email, next, said: waitText(waitS) }, 429);
  const account = await accountByEmail(c.get("db"), email);
  const isTheirs = await checkPassword(password, account?.password ?? null);
  if (account === null || !isTheirs) return signInPage(c, { email, next, said: NOT_KNOWN }, 403);
  await forgive(c.get("db"), `account ${email.toLowerCase()}`);
  return enter(c, account.id, "password", safeNext(next, c.req.url));
});

signInPages.post("/sign-out", async (c) => {
  const who = c.get("who");
  if (who !== null) {
    await endSession(c.get("db"), who.accountId, who.sessionId);
    await writeAudit(
      c.get("db"),
      { accountId: who.accountId, act: "session.ended", subject: who.sessionId, by: who.sessionId },
      c.get("nowMs"),
    );
  }
  dropSession(c);
  return c.redirect(`${ROOT}/sign-in`, 303);
});

signInPages.get("/prove", signedIn, (c) => provePage(c, { next: c.req.query("next") ?? "" }));
signInPages.post("/prove", signedIn, async (c) => {
  const [password, next] = [await formField(c, "password"), await formField(c, "next")];
  const who = owner(c);
  const waitS = await attempt(c.get("db"), `prove ${who.accountId}`, BY_ACCOUNT, c.get("nowMs"));
  if (waitS > 0) return provePage(c, { next, said: waitText(waitS) }, 429);
  const account = await accountById(c.get("db"), who.accountId);
  if (!(await checkPassword(password, account?.password ?? null))) return provePage(c, { next, said: "This is not the password." }, 403);
  await forgive(c.get("db"), `prove ${who.accountId}`);
  await proveSession(c.get("db"), who.sessionId, c.get("nowMs"));
  return c.redirect(safeNext(next, c.req.url), 303);
});

/** A session of its own for whoever was let in, by what they showed; what was there before is over. */
export async function beginAs(c: Page, accountId: string, by: ShownAtSignIn): Promise<void> {
  const [db, nowMs, before] = [c.get("db"), c.get("nowMs"), c.get("who")];
  if (before !== null) await endSession(db, before.accountId, before.sessionId);
  keepSession(c, await beginSession(db, accountId, c.req.header("user-agent") ?? "", nowMs));
  await writeAudit(db, { accountId, act: "session.begun", subject: accountId, by }, nowMs);
}

type ShownAtSignIn = "password" | "passkey" | "reset link" | "recovery code";

export async function enter(c: Page, accountId: string, by: ShownAtSignIn, next: string) {
  await beginAs(c, accountId, by);
  return c.redirect(next, 303);
}

interface Filled {
  readonly email?: string;
  readonly next?: string;
  readonly said?: string;
}

type Status = 200 | 400 | 403 | 409 | 429;

function signUpPage(c: Page, { email = "", said }: Filled = {}, status: Status = 200) {
  return render(
    c,
    { title: "Sign up" },
    <>
      <h1>Make an account</h1>
      {said === undefined ? null : <Notice bad>{said}</Notice>}
      <Form c={c} action="/sign-up">
        <label for="email">E-mail address</label>
        <input id="email" name="email" type="email" autocomplete="username" required value={email} />
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="new-password" required minlength={8} maxlength={128} />
        <p class="hint">
          Eight characters or more. It opens the account; what is in a store is opened by the store's keys alone, which we never see.
        </p>
        <p>
          <button type="submit">Make the account</button>
        </p>
      </Form>
      <p>
        You have one? <a href={`${ROOT}/sign-in`}>Sign in</a>.
      </p>
    </>,
    status,
  );
}

function signInPage(c: Page, { email = "", next = "", said }: Filled = {}, status: Status = 200) {
  return render(
    c,
    { title: "Sign in", script: passkeysWorkHere(c) ? "passkey.js" : undefined },
    <>
      <h1>Sign in</h1>
      {said === undefined ? null : <Notice bad>{said}</Notice>}
      <Form c={c} action="/sign-in">
        <input type="hidden" name="next" value={next} />
        <label for="email">E-mail address</label>
        <input id="email" name="email" type="email" autocomplete="username" required value={email} />
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required />
        <p>
          <button type="submit">Sign in</button>
        </p>
      </Form>
      {passkeysWorkHere(c) ? <PasskeyAct act="sign-in" button="Sign in with a passkey" next={next} /> : null}
      <p>
        <a href={`${ROOT}/sign-up`}>Make an account</a> · <a href={`${ROOT}/forgotten`}>Forgotten the password?</a>
      </p>
    </>,
    status,
  );
}

async function provePage(c: Page, { next = "", said }: Filled = {}, status: Status = 200) {
  const byPasskey = passkeysWorkHere(c) && (await listPasskeys(c.get("db"), owner(c).accountId)).length > 0;
  return render(
    c,
    { title: "Confirm it is you", script: byPasskey ? "passkey.js" : undefined },
    <>
      <h1>Confirm it is you</h1>
      <p>What you are about to do cannot simply be taken back, so we ask for your password once more.</p>
      {said === undefined ? null : <Notice bad>{said}</Notice>}
      <Form c={c} action="/prove">
        <input type="hidden" name="next" value={next} />
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required />
        <p>
          <button type="submit">Go on</button>
        </p>
      </Form>
      {byPasskey ? <PasskeyAct act="prove" button="Use a passkey instead" next={next} /> : null}
    </>,
    status,
  );
}
