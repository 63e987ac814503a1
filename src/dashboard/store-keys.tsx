/**
 * The keys of a store: which there are, who uses them, at which level; and the page in which one is made.
 *
 * A key is made by page/keys.ts in the browser; nothing here ever sees one. Everything else works without script.
 */
import { Hono } from "hono";
import { PROVEN_MS } from "../directory/sessions";
import type { StoreRow } from "../directory/stores";
import type { KeyListing } from "../durable/key-ring";
import { LEVELS } from "../engine/claim";
import { STORE_KEYS_MAX } from "../limits";
import { LEVEL_SENTENCES, LevelSelect } from "./account-pages";
import { formField, proven, signedIn } from "./door";
import { changeLevel, type KeyActor, levelOf, revokeKey } from "./key-acts";
import { Form, Notice, Time } from "./layout";
import { accountObject, owner, type Page, ROOT, type Site, storeObject } from "./site";
import { keyPrefix, onStore, renderStore, storePath } from "./store-frame";
import { Table } from "./table";

/** So that a page stays under 30 KB. */
const KEYS_PER_PAGE = 15;
const DAY_MS = 86_400_000;

const MADE_WITH: Readonly<Record<string, string>> = {
  browser: "made in a browser",
  dkekey: "made with dkekey",
  "dke.keys": "made with dke.keys",
};

export const storeKeyPages = new Hono<Site>();

storeKeyPages.get(
  "/stores/:id/keys",
  signedIn,
  onStore((c, store) => keysPage(c, store)),
);
storeKeyPages.get("/stores/:id/keys/new", signedIn, proven, onStore(newKeyPage));
storeKeyPages.post(
  "/stores/:id/keys/:key/level",
  signedIn,
  onStore(async (c, store) => {
    const level = levelOf(await formField(c, "level"));
    if (level === null) return keysPage(c, store, `A level is one of ${LEVELS.join(", ")}.`, 400);
    const done = await changeLevel(actorOf(c, store), c.req.param("key") ?? "", level);
    if (done === "unknown") return c.notFound();
    const page = storePath(store, "keys");
    return c.redirect(done === "changed" ? page : `${ROOT}/prove?next=${encodeURIComponent(page)}`, 303);
  }),
);
storeKeyPages.get(
  "/stores/:id/keys/:key/revoke",
  signedIn,
  onStore((c, store) => revokePage(c, store)),
);
storeKeyPages.post(
  "/stores/:id/keys/:key/revoke",
  signedIn,
  onStore(async (c, store) => {
    const keyId = c.req.param("key") ?? "";
    if ((await isLast(c, store, keyId)) && (await formField(c, "lost")) !== "yes") return revokePage(c, store, 400);
    if (!(await revokeKey(actorOf(c, store), keyId))) return c.notFound();
    return c.redirect(storePath(store, "keys"), 303);
  }),
);

function actorOf(c: Page, store: StoreRow): KeyActor {
  const { sessionId, provenMs } = owner(c);
  const nowMs = c.get("nowMs");
  return { db: c.get("db"), nowMs, object: storeObject(c, store.id), store, by: sessionId, proven: nowMs - provenMs <= PROVEN_MS };
}

async function openKeys(c: Page, store: StoreRow): Promise<KeyListing[]> {
  return (await storeObject(c, store.id).listKeys()).filter((key) => key.revokedAtMs === null);
}

async function isLast(c: Page, store: StoreRow, keyId: string): Promise<boolean> {
  const open = await openKeys(c, store);
  return open.length === 1 && open[0].keyId === keyId;
}

// ---- the list

async function keysPage(c: Page, store: StoreRow, said?: string, status: 200 | 400 = 200) {
  const object = storeObject(c, store.id);
  await object.settle();
  const [keys, { opened, copiedFrom }, usage] = await Promise.all([
    object.listKeys(),
    object.overview(),
    accountObject(c, store.accountId).usageOfKeys(store.id, c.get("nowMs") - DAY_MS),
  ]);
  const revoked = c.req.query("revoked") !== undefined;
  const listed = keys.filter((key) => (key.revokedAtMs !== null) === revoked).reverse();
  const openCount = keys.filter((key) => key.revokedAtMs === null).length;
  const page = Math.max(1, Math.trunc(Number(c.req.query("page"))) || 1);
  const rows = listed.slice((page - 1) * KEYS_PER_PAGE, page * KEYS_PER_PAGE);
  const used = new Map(usage.map((one) => [one.keyId, one]));
  return renderStore(
    c,
    { store, tab: "keys", title: "Keys" },
    <>
      {said === undefined ? null : <Notice bad>{said}</Notice>}
      {openCount > 0 ? null : <NoKey store={store} lost={opened && copiedFrom === null} />}
      {openCount === 0 ? null : (
        <p>
          Every key of this store begins with <code>{`${keyPrefix(store.id)}…`}</code>. One key, one client: a key is the name under which
          its writes are recorded. <a href={storePath(store, "keys/new")}>Make a key</a>
        </p>
      )}
      {rows.length === 0 ? null : (
        <Table
          rows={rows}
          columns={[
            { head: "Key", cell: (key) => <Named listed={key} /> },
            { head: "Level", cell: (key) => (revoked ? key.level : <LevelForm c={c} store={store} listed={key} />) },
            { head: "Client seen", cell: (key) => <Clients listed={key} /> },
            { head: "Last used", cell: ({ lastUsedAtMs }) => <Time ms={lastUsedAtMs} /> },
            {
              head: "Last 24 h",
              number: true,
              cell: ({ keyId }) => (
                <span class="whole">
                  {`${(used.get(keyId)?.calls ?? 0).toLocaleString("en-US")} calls`}
                  <br />
                  <span class="muted">{`${(used.get(keyId)?.ops ?? 0).toLocaleString("en-US")} ops`}</span>
                </span>
              ),
            },
            {
              head: "",
              cell: ({ keyId, label, revokedAtMs }) =>
                revokedAtMs !== null ? (
                  <>
                    revoked <Time ms={revokedAtMs} />
                  </>
                ) : (
                  <a class="danger" href={storePath(store, `keys/${keyId}/revoke`)} aria-label={`Revoke ${label || keyId}`}>
                    Revoke
                  </a>
                ),
            },
          ]}
        />
      )}
      <Pager store={store} page={page} more={listed.length > page * KEYS_PER_PAGE} revoked={revoked} />
      <p>
        {revoked ? (
          <a href={storePath(store, "keys")}>Keys that open the store</a>
        ) : keys.length === openCount ? null : (
          <a href={storePath(store, "keys?revoked=1")}>{`Revoked keys (${keys.length - openCount})`}</a>
        )}
      </p>
      <h2>What a level lets a key do</h2>
      <ul>
        {LEVELS.map((level) => (
          <li>
            <strong>{level}</strong>: {LEVEL_SENTENCES[level]}
          </li>
        ))}
      </ul>
      <p class="hint">
        A lowered level holds from the key's next statement on, also in a call that runs; a raised one from its next call on. A revoked key
        opens nothing from its next call on. {`A store has at most ${STORE_KEYS_MAX} keys, revoked ones included.`}
      </p>
    </>,
    status,
  );
}

function NoKey({ store, lost }: { store: StoreRow; lost: boolean }) {
  if (lost)
    return (
      <Notice bad>
        The last key of this store is revoked. What is in it is sealed under a key that nobody has any more, we included: it cannot be read
        again. <a href={storePath(store, "settings")}>Delete the store</a>, and make another.
      </Notice>
    );
  return (
    <p class="empty">
      This store has no key yet. <a href={storePath(store, "keys/new")}>Make its first key</a> in this browser; it is what a client connects
      with.
    </p>
  );
}

function Named({ listed: { keyId, label, made, issuedAtMs } }: { listed: KeyListing }) {
  return (
    <>
      {label === "" ? <span class="muted">no label</span> : label}
      <br />
      <span class="mono muted">{keyId}</span>
      <br />
      <span class="muted">
        {MADE_WITH[made] ?? "made by the service's start"}, <Time ms={issuedAtMs} />
      </span>
    </>
  );
}

function LevelForm({ c, store, listed }: { c: Page; store: StoreRow; listed: KeyListing }) {
  const name = `Level of ${listed.label || listed.keyId}`;
  return (
    <Form c={c} action={`/stores/${store.id}/keys/${listed.keyId}/level`} class="inline">
      <select name="level" aria-label={name}>
        {LEVELS.map((level) => (
          <option selected={level === listed.level}>{level}</option>
        ))}
      </select>
      <button type="submit" class="plain" aria-label={`Set: ${name}`}>
        Set
      </button>
    </Form>
  );
}

function Clients({ listed }: { listed: KeyListing }) {
  if (listed.clients.length === 0) return <span class="muted">none yet</span>;
  const [latest, ...others] = listed.clients;
  return (
    <>
      {`${latest.name} ${latest.version}`.trim()}
      <br />
      <span class="muted">
        <Time ms={latest.firstSeenAtMs} /> to <Time ms={latest.lastSeenAtMs} />
      </span>
      {others.length === 0 ? null : (
        <details>
          <summary>{`${others.length} more`}</summary>
          {others.map((client) => (
            <div>
              {`${client.name} ${client.version}, last seen `}
              <Time ms={client.lastSeenAtMs} />
            </div>
          ))}
        </details>
      )}
    </>
  );
}

function Pager({ store, page, more, revoked }: { store: StoreRow; page: number; more: boolean; revoked: boolean }) {
  const to = (number: number): string => storePath(store, `keys?page=${number}${revoked ? "&revoked=1" : ""}`);
  if (page === 1 && !more) return null;
  return (
    <p>
      {page === 1 ? null : <a href={to(page - 1)}>Newer keys</a>} {more ? <a href={to(page + 1)}>Older keys</a> : null}
    </p>
  );
}

// ---- revoking one

async function revokePage(c: Page, store: StoreRow, status: 200 | 400 = 200) {
  const keyId = c.req.param("key");
  const open = await openKeys(c, store);
  const key = open.find((one) => one.keyId === keyId);
  if (key === undefined) return c.notFound();
  const last = open.length === 1;
  return renderStore(
    c,
    { store, tab: "keys", title: "Revoke a key" },
    <>
      <h2>{`Revoke ${key.label || key.keyId}`}</h2>
      <p>
        The key opens nothing from its next call on; a call that runs with it is stopped at its next statement. This cannot be undone:
        instead, a new key is made with another that opens the store. To keep the key and let it do nothing, set its level to{" "}
        <strong>none</strong>.
      </p>
      {last ? (
        <Notice bad>
          This is the last key of the store. Without it, what is in the store can never be read again, by anybody, and no further key can be
          made.
        </Notice>
      ) : null}
      <Form c={c} action={`/stores/${store.id}/keys/${key.keyId}/revoke`}>
        {last ? (
          <label>
            <input type="checkbox" name="lost" value="yes" required /> I give up everything in this store
          </label>
        ) : null}
        <p>
          <button type="submit" class="danger">
            Revoke the key
          </button>{" "}
          <a href={storePath(store, "keys")}>Keep it</a>
        </p>
      </Form>
    </>,
    status,
  );
}

// ---- making one

async function newKeyPage(c: Page, store: StoreRow) {
  const { keysOpen, opened, copiedFrom } = await storeObject(c, store.id).overview();
  if (keysOpen === 0 && opened && copiedFrom === null) return keysPage(c, store);
  const first = keysOpen === 0;
  // Of a copy, the first key is made with a key of the store it is a copy of.
  const copyOf = first ? copiedFrom : null;
  return renderStore(
    c,
    { store, tab: "keys", title: "Make a key", script: "keys.js" },
    <>
      <h2>{first ? "Make the first key" : "Make a key"}</h2>
      <p>
        The key is made in this page, from your browser's own random source, and never sent: we are told its hash, and the store's data key
        wrapped under it. It is shown once.{" "}
        {first ? "Whoever has no key of this store can never read it, we included: keep it where you keep passwords." : null}
      </p>
      <noscript>
        <Notice bad>
          Making a key needs this page's script. Without it, <code>dkekey</code> or <code>dke.keys</code> makes one on your own machine.
        </Notice>
      </noscript>
      <div id="said" class="notice bad" role="alert" hidden></div>
      <form id="make" data-store={store.id} data-root={ROOT} data-copy-of={copyOf ?? undefined} autocomplete="off">
        <label for="label">Label: which client is it for?</label>
        <input id="label" name="label" type="text" maxlength={64} required />
        <label for="level">Level</label>
        <LevelSelect chosen={first ? "read-write" : "read"} />
        {first && copyOf === null ? null : (
          <>
            <label for="opener">
              {copyOf === null ? "A key that opens this store" : `A key that opens the store ${copyOf}, which this one is a copy of`}
            </label>
            <input id="opener" type="password" autocomplete="off" required spellcheck={false} />
            <p class="hint">It unwraps the store's data key in this page, and is not sent either.</p>
          </>
        )}
        <p>
          <button id="make-button" type="submit" disabled>
            Make the key
          </button>
        </p>
      </form>
      <section id="made" tabindex={-1} aria-label="The new key" hidden>
        <Notice good>This is the key. It is shown this once: save it now.</Notice>
        <pre id="key"></pre>
        <p>
          <button id="copy" type="button" class="plain">
            Copy
          </button>
        </p>
        <label>
          <input id="saved" type="checkbox" /> I have saved it
        </label>
        <p>
          <button id="done" type="button" disabled>
            Connect a client
          </button>
        </p>
      </section>
    </>,
  );
}
