/** What belongs to the account rather than to a store: tokens, sessions, the audit log, reports sent. */
import { desc, eq } from "drizzle-orm";
import { Hono } from "hono";
import { readAudit, writeAudit } from "../directory/accounts";
import { report } from "../directory/schema";
import { endSession, listSessions } from "../directory/sessions";
import { everyStoreOf } from "../directory/stores";
import { issueToken, listTokens, revokeToken, TOKENS_MAX } from "../directory/tokens";
import { LEVELS, type Level } from "../engine/claim";
import { formField, proven, signedIn } from "./door";
import { Form, Notice, render, Time } from "./layout";
import { PasskeyList } from "./passkeys";
import { owner, type Page, ROOT, type Site } from "./site";
import { cleanName } from "./store-list";
import { Table } from "./table";

/** So that a page stays under 30 KB. */
const AUDIT_ROWS = 75;
const REPORT_ROWS = 200;

/** What each level lets a key do, in one sentence. */
export const LEVEL_SENTENCES: { readonly [level in Level]: string } = {
  none: "does nothing until it is given a level again; only the specification and reports are open to it",
  read: "reads and reasons, and changes nothing",
  "read-add": "records new facts, and changes or removes nothing that is recorded",
  "read-write": "records and revises, compiles modules, and removes nothing",
  "read-write-delete": "does everything, removal included",
};

export const accountPages = new Hono<Site>();
accountPages.use("/tokens", signedIn);
accountPages.use("/tokens/*", signedIn);
accountPages.use("/sessions", signedIn);
accountPages.use("/sessions/*", signedIn);
accountPages.use("/audit", signedIn);
accountPages.use("/reports", signedIn);

// ---- account tokens

accountPages.get("/tokens", (c) => tokensPage(c));
accountPages.post("/tokens", proven, async (c) => {
  const [who, db, nowMs] = [owner(c), c.get("db"), c.get("nowMs")];
  const label = cleanName(await formField(c, "label"));
  const level = await askedLevel(c);
  if (label === "" || level === null) return tokensPage(c, { bad: "A token has a label and a level." }, 400);
  const issued = await issueToken(db, { accountId: who.accountId, label, level, nowMs });
  if (issued === null) return tokensPage(c, { bad: `An account has at most ${TOKENS_MAX} tokens: revoke one first.` }, 409);
  await writeAudit(db, { accountId: who.accountId, act: "token.issued", subject: issued.id, detail: level, by: who.sessionId }, nowMs);
  return tokensPage(c, { issued: issued.text });
});
accountPages.post("/tokens/:id/revoke", async (c) => {
  const [who, db, nowMs] = [owner(c), c.get("db"), c.get("nowMs")];
  const id = c.req.param("id");
  if (!(await revokeToken(db, who.accountId, id, nowMs))) return c.notFound();
  await writeAudit(db, { accountId: who.accountId, act: "token.revoked", subject: id, by: who.sessionId }, nowMs);
  return c.redirect(`${ROOT}/tokens`, 303);
});

async function askedLevel(c: Page): Promise<Level | null> {
  const asked = await formField(c, "level");
  return LEVELS.find((level) => level === asked) ?? null;
}

async function tokensPage(c: Page, said: { readonly bad?: string; readonly issued?: string } = {}, status: 200 | 400 | 409 = 200) {
  const tokens = await listTokens(c.get("db"), owner(c).accountId);
  return render(
    c,
    { title: "Account tokens", here: "/tokens" },
    <>
      <h1>Account tokens</h1>
      <p>
        A token lets <code>dkekey</code> or <code>dke.keys</code> (<a href="/tools/">both are here</a>) add keys to your stores from a
        machine without a browser, up to the token's level. It opens no store and lists no data.
      </p>
      {said.bad === undefined ? null : <Notice bad>{said.bad}</Notice>}
      {said.issued === undefined ? null : (
        <Notice good>
          <p>This is the token. It is shown once, and we do not keep it: copy it now.</p>
          <pre>{said.issued}</pre>
        </Notice>
      )}
      {tokens.length === 0 ? (
        <p class="empty">You have no token. Make one below for a machine that is to make keys by itself.</p>
      ) : (
        <Table
          rows={tokens}
          columns={[
            { head: "Label", cell: ({ label }) => label },
            { head: "Up to", cell: ({ level }) => level },
            { head: "Made", cell: ({ createdMs }) => <Time ms={createdMs} /> },
            { head: "Last used", cell: ({ lastUsedMs }) => <Time ms={lastUsedMs} /> },
            {
              head: "",
              cell: ({ id, label, revokedMs }) =>
                revokedMs === null ? (
                  <Form c={c} action={`/tokens/${id}/revoke`} class="inline">
                    <button type="submit" class="danger" aria-label={`Revoke ${label}`}>
                      Revoke
                    </button>
                  </Form>
                ) : (
                  <>
                    revoked <Time ms={revokedMs} />
                  </>
                ),
            },
          ]}
        />
      )}
      <p class="hint">Keys that a revoked token has added stay: revoke them on their store's page.</p>
      <h2>Make a token</h2>
      <Form c={c} action="/tokens">
        <label for="label">Label</label>
        <input id="label" name="label" type="text" required maxlength={64} />
        <label for="level">Up to which level</label>
        <LevelSelect chosen="read" />
        <p>
          <button type="submit">Make the token</button>
        </p>
      </Form>
    </>,
    status,
  );
}

/** The five levels, each with what it lets a key do. */
export function LevelSelect({ chosen, label }: { chosen: Level; label?: string }) {
  return (
    <select id={label === undefined ? "level" : undefined} name="level" aria-label={label}>
      {LEVELS.map((level) => (
        <option value={level} selected={level === chosen}>
          {`${level}: ${LEVEL_SENTENCES[level]}`}
        </option>
      ))}
    </select>
  );
}

// ---- sessions

accountPages.get("/sessions", (c) => sessionsPage(c));
accountPages.post("/sessions/:id/end", async (c) => {
  const [who, db, nowMs] = [owner(c), c.get("db"), c.get("nowMs")];
  const id = c.req.param("id");
  if (!(await endSession(db, who.accountId, id))) return c.notFound();
  await writeAudit(db, { accountId: who.accountId, act: "session.ended", subject: id, by: who.sessionId }, nowMs);
  return c.redirect(`${ROOT}/sessions`, 303);
});
accountPages.post("/sessions/end-others", async (c) => {
  const [who, db, nowMs] = [owner(c), c.get("db"), c.get("nowMs")];
  for (const { id } of await listSessions(db, who.accountId, nowMs)) {
    if (id === who.sessionId) continue;
    await endSession(db, who.accountId, id);
    await writeAudit(db, { accountId: who.accountId, act: "session.ended", subject: id, by: who.sessionId }, nowMs);
  }
  return c.redirect(`${ROOT}/sessions`, 303);
});

async function sessionsPage(c: Page) {
  const who = owner(c);
  const sessions = await listSessions(c.get("db"), who.accountId, c.get("nowMs"));
  return render(
    c,
    { title: "Sessions and passkeys", here: "/sessions" },
    <>
      <h1>Sessions</h1>
      <p>Browsers that are signed in to this account. A session ends after twelve hours without use, and after thirty days in any case.</p>
      <Table
        rows={sessions}
        columns={[
          { head: "Browser", cell: ({ agent }) => (agent === "" ? "unknown" : agent) },
          { head: "Began", cell: ({ createdMs }) => <Time ms={createdMs} /> },
          { head: "Last seen", cell: ({ lastSeenMs }) => <Time ms={lastSeenMs} /> },
          {
            head: "",
            cell: ({ id }) =>
              id === who.sessionId ? (
                "this one"
              ) : (
                <Form c={c} action={`/sessions/${id}/end`} class="inline">
                  <button type="submit" class="danger">
                    End
                  </button>
                </Form>
              ),
          },
        ]}
      />
      {sessions.length < 2 ? null : (
        <Form c={c} action="/sessions/end-others">
          <p>
            <button type="submit" class="danger">
              End all others
            </button>
          </p>
        </Form>
      )}
      <PasskeyList c={c} />
    </>,
  );
}

// ---- what was done, and what was reported

/** An id of 64 digits as its owner knows it: a store's name, and of any the first of its digits; the whole of it on hover. */
function Ids({ text, names }: { text: string; names: ReadonlyMap<string, string> }) {
  const parts = text.split(/([0-9a-f]{64})/);
  return (
    <>
      {parts.map((part, i) =>
        i % 2 === 0 ? part : <span title={part}>{`${names.has(part) ? `${names.get(part)} ` : ""}${part.slice(0, 8)}…`}</span>,
      )}
    </>
  );
}

accountPages.get("/audit", async (c) => {
  const { accountId } = owner(c);
  const before = Number(c.req.query("before"));
  const [rows, stores] = await Promise.all([
    readAudit(c.get("db"), accountId, AUDIT_ROWS, Number.isSafeInteger(before) && before > 0 ? before : undefined),
    everyStoreOf(c.get("db"), accountId),
  ]);
  const names = new Map([[accountId, "this account"], ...stores.map(({ id, name }) => [id, name] as const)]);
  return render(
    c,
    { title: "Audit log", here: "/audit" },
    <>
      <h1>Audit log</h1>
      <p>What was done to this account, its stores and their keys, latest first. Nothing in it can be changed or removed.</p>
      {rows.length === 0 ? (
        <p class="empty">Nothing {Number.isSafeInteger(before) && before > 0 ? "before that" : "yet"}.</p>
      ) : (
        <Table
          rows={rows}
          columns={[
            { head: "When", cell: ({ atMs }) => <Time ms={atMs} /> },
            { head: "What", cell: ({ act }) => act },
            { head: "To", class: "mono id", cell: ({ subject }) => <Ids text={subject} names={names} /> },
            { head: "Detail", class: "id", cell: ({ detail }) => <Ids text={detail} names={names} /> },
            { head: "By", class: "mono id", cell: ({ by }) => by },
          ]}
        />
      )}
      {rows.length < AUDIT_ROWS ? null : (
        <p>
          <a href={`${ROOT}/audit?before=${rows.at(-1)?.id}`}>Older</a>
        </p>
      )}
    </>,
  );
});

accountPages.get("/reports", async (c) => {
  const rows = await c
    .get("db")
    .select({ id: report.id, kind: report.kind, receivedMs: report.receivedMs })
    .from(report)
    .where(eq(report.accountId, owner(c).accountId))
    .orderBy(desc(report.receivedMs))
    .limit(REPORT_ROWS);
  return render(
    c,
    { title: "Reports", here: "/reports" },
    <>
      <h1>Reports sent</h1>
      <p>
        What clients of your stores have told us with the tool <code>report</code>. Name the id when you write to us about one.
      </p>
      {rows.length === 0 ? (
        <p class="empty">None yet. A client sends one when something went wrong, or when it wishes for something.</p>
      ) : (
        <Table
          rows={rows}
          columns={[
            { head: "Id", class: "mono id", cell: ({ id }) => id },
            { head: "Kind", cell: ({ kind }) => kind },
            { head: "Received", cell: ({ receivedMs }) => <Time ms={receivedMs} /> },
          ]}
        />
      )}
    </>,
  );
});
