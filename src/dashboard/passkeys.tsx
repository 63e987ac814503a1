/**
 * Passkeys: made, listed and removed; signing in with one, and showing one again before what cannot be taken back.
 *
 * page/passkey.ts speaks with the authenticator and sends what it signed as JSON; webauthn.ts says whether it holds.
 */
import { Hono } from "hono";
import { accountById, writeAudit } from "../directory/accounts";
import { addPasskey, listPasskeys, PASSKEYS_MAX, removePasskey } from "../directory/passkeys";
import { proveSession } from "../directory/sessions";
import { proven, safeNext, signedIn } from "./door";
import { Form, Notice, render, Time } from "./layout";
import { NotHere, PasskeyAct, passkeysWorkHere } from "./passkey-form";
import { beginAs } from "./sign-in";
import { owner, type Page, ROOT, type Site } from "./site";
import { cleanName } from "./store-list";
import { Table } from "./table";
import { tooMany, waitText } from "./throttled";
import { asserted, assertionOptions, registered, registrationOptions, sentJson } from "./webauthn";

const NOT_HELD = "This passkey is not known here, or its answer came too late: try again.";

export const passkeyPages = new Hono<Site>();
passkeyPages.use("/passkeys/*", signedIn);
passkeyPages.use("/passkeys", signedIn);

// ---- those of an account

passkeyPages.get("/passkeys/new", proven, (c) =>
  render(
    c,
    { title: "Add a passkey", here: "/sessions", script: "passkey.js" },
    <>
      <h1>Add a passkey</h1>
      <p>
        Your device or password manager makes a key pair and keeps the secret half; we are told the public one. It signs you in by itself,
        to this host and no other.
      </p>
      {passkeysWorkHere(c) ? (
        <PasskeyAct act="add" button="Make the passkey">
          <label for="passkey-label">Label: where is it kept?</label>
          <input id="passkey-label" type="text" maxlength={64} required />
        </PasskeyAct>
      ) : (
        <NotHere />
      )}
    </>,
  ),
);
passkeyPages.post("/passkeys/options", proven, async (c) => c.json(await registrationOptions(c, owner(c))));
passkeyPages.post("/passkeys", proven, async (c) => {
  const [who, db, nowMs] = [owner(c), c.get("db"), c.get("nowMs")];
  const sent = await sentJson(c);
  const label = cleanName(String(sent?.["label"] ?? ""));
  if (label === "") return c.json({ error: "A passkey has a label." }, 400);
  if ((await listPasskeys(db, who.accountId)).length >= PASSKEYS_MAX)
    return c.json({ error: `An account has at most ${PASSKEYS_MAX} passkeys: remove one first.` }, 409);
  const made = await registered(c, who.accountId, sent?.["response"]);
  if (made === null || !(await addPasskey(db, { ...made, accountId: who.accountId, label, createdMs: nowMs })))
    return c.json({ error: NOT_HELD }, 403);
  await writeAudit(
    db,
    { accountId: who.accountId, act: "passkey.added", subject: made.credentialId, detail: label, by: who.sessionId },
    nowMs,
  );
  return c.json({ next: `${ROOT}/sessions` }, 201);
});
passkeyPages.post("/passkeys/:id/remove", proven, async (c) => {
  const [who, db, nowMs] = [owner(c), c.get("db"), c.get("nowMs")];
  const id = c.req.param("id");
  const known = await listPasskeys(db, who.accountId);
  const account = await accountById(db, who.accountId);
  if (known.length === 1 && known[0].credentialId === id && account?.password === null) {
    return render(
      c,
      { title: "Sessions and passkeys", here: "/sessions" },
      <Notice bad>
        This passkey is all that opens the account: <a href={`${ROOT}/account`}>set a password</a> first.
      </Notice>,
      409,
    );
  }
  if (!(await removePasskey(db, who.accountId, id))) return c.notFound();
  await writeAudit(db, { accountId: who.accountId, act: "passkey.removed", subject: id, by: who.sessionId }, nowMs);
  return c.redirect(`${ROOT}/sessions`, 303);
});

/** The passkeys of who is signed in, for the page of sessions. */
export async function PasskeyList({ c }: { c: Page }) {
  const rows = await listPasskeys(c.get("db"), owner(c).accountId);
  return (
    <>
      <h2>Passkeys</h2>
      {rows.length === 0 ? (
        <p class="empty">You have none. With one, your device signs you in without a password, and no other site can ask for it.</p>
      ) : (
        <Table
          rows={rows}
          columns={[
            { head: "Label", cell: ({ label }) => label },
            { head: "Added", cell: ({ createdMs }) => <Time ms={createdMs} /> },
            { head: "Last used", cell: ({ lastUsedMs }) => <Time ms={lastUsedMs} /> },
            {
              head: "",
              cell: ({ credentialId, label }) => (
                <Form c={c} action={`/passkeys/${credentialId}/remove`} class="inline">
                  <button type="submit" class="danger" aria-label={`Remove ${label}`}>
                    Remove
                  </button>
                </Form>
              ),
            },
          ]}
        />
      )}
      {rows.length === 0 ? null : (
        <p class="hint">A removed passkey signs in no more; add it again to undo that, and delete it on your device too.</p>
      )}
      <p>
        <a href={`${ROOT}/passkeys/new`}>Add a passkey</a>
      </p>
    </>
  );
}

// ---- signing in, and showing one again

passkeyPages.post("/sign-in/passkey/options", async (c) => {
  const waitS = await tooMany(c);
  return waitS > 0 ? c.json({ error: waitText(waitS) }, 429) : c.json(await assertionOptions(c, null));
});
passkeyPages.post("/sign-in/passkey", async (c) => {
  const waitS = await tooMany(c);
  if (waitS > 0) return c.json({ error: waitText(waitS) }, 429);
  const sent = await sentJson(c);
  const accountId = await asserted(c, null, sent?.["response"]);
  if (accountId === null) return c.json({ error: NOT_HELD }, 403);
  await beginAs(c, accountId, "passkey");
  return c.json({ next: safeNext(String(sent?.["next"] ?? ""), c.req.url) });
});

passkeyPages.post("/prove/passkey/options", signedIn, async (c) => c.json(await assertionOptions(c, owner(c).accountId)));
passkeyPages.post("/prove/passkey", signedIn, async (c) => {
  const who = owner(c);
  const sent = await sentJson(c);
  if ((await asserted(c, who.accountId, sent?.["response"])) === null) return c.json({ error: NOT_HELD }, 403);
  await proveSession(c.get("db"), who.sessionId, c.get("nowMs"));
  return c.json({ next: safeNext(String(sent?.["next"] ?? ""), c.req.url) });
});
