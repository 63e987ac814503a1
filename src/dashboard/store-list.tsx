/** The stores of an account, and making one. The first key is made on the new store's page, in the browser. */
import { Hono } from "hono";
import { writeAudit } from "../directory/accounts";
import { addStore, deletedStoresOf, storesOf } from "../directory/stores";
import { formField, proven, signedIn } from "./door";
import { bytesText, Form, Notice, render, Time } from "./layout";
import { owner, type Page, ROOT, type Site, storeObject } from "./site";
import { Table } from "./table";

export const NAME_CHARS_MAX = 64;
export const STORES_MAX = 100;
/** So that a page stays under 30 KB. */
const STORES_PER_PAGE = 20;
/** For how long a deleted store can be had back. */
export const UNDO_MS = 7 * 86_400_000;

export const storeListPages = new Hono<Site>();

storeListPages.get("/", signedIn, (c) => c.redirect(`${ROOT}/stores`, 303));
storeListPages.get("/stores", signedIn, (c) => listPage(c));
storeListPages.post("/stores", signedIn, proven, async (c) => {
  const [who, db, nowMs] = [owner(c), c.get("db"), c.get("nowMs")];
  const name = cleanName(await formField(c, "name"));
  if (name === "") return listPage(c, "A store has a name.", 400);
  if ((await storesOf(db, who.accountId)).length >= STORES_MAX) return listPage(c, `An account has at most ${STORES_MAX} stores.`, 409);
  const id = c.env.STORE.newUniqueId();
  await c.env.STORE.get(id).provision({ accountId: who.accountId, createdAtMicros: nowMs * 1000, keys: [] });
  await addStore(db, { id: id.toString(), accountId: who.accountId, name, createdMs: nowMs });
  await writeAudit(db, { accountId: who.accountId, act: "store.created", subject: id.toString(), detail: name, by: who.sessionId }, nowMs);
  return c.redirect(`${ROOT}/stores/${id.toString()}/keys`, 303);
});

/** What somebody calls a thing: no controls, no marks that turn the line around, bounded. */
export function cleanName(text: string): string {
  const shown = text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/gu, "").trim();
  return [...shown].slice(0, NAME_CHARS_MAX).join("");
}

async function listPage(c: Page, said?: string, status: 200 | 400 | 409 = 200) {
  const who = owner(c);
  const stores = await storesOf(c.get("db"), who.accountId);
  const deleted = await deletedStoresOf(c.get("db"), who.accountId, c.get("nowMs") - UNDO_MS);
  const page = Math.max(1, Math.trunc(Number(c.req.query("page"))) || 1);
  const listed = stores.slice((page - 1) * STORES_PER_PAGE, page * STORES_PER_PAGE);
  const rows = await Promise.all(listed.map(async (store) => ({ ...store, ...(await storeObject(c, store.id).overview()) })));
  return render(
    c,
    { title: "Stores", here: "/stores" },
    <>
      <h1>Stores</h1>
      {said === undefined ? null : <Notice bad>{said}</Notice>}
      {stores.length === 0 ? (
        <p class="empty">You have no store yet. Make one below; its first key is made right after, in this browser.</p>
      ) : (
        <Table
          rows={rows}
          columns={[
            {
              head: "Name",
              cell: ({ id, name }) => (
                <>
                  <a href={`${ROOT}/stores/${id}/keys`}>{name}</a>
                  <br />
                  <span class="mono muted" title={id}>{`${id.slice(0, 12)}…`}</span>
                </>
              ),
            },
            {
              head: "Size",
              cell: ({ bytes, bytesMax }) => (
                <>
                  <meter class="bar-of" min={0} max={bytesMax} value={bytes}>
                    {`${bytesText(bytes)} of ${bytesText(bytesMax)}`}
                  </meter>
                  <br />
                  <span class="muted">{`${bytesText(bytes)} of ${bytesText(bytesMax)}`}</span>
                </>
              ),
            },
            { head: "Keys", number: true, cell: ({ keysOpen }) => String(keysOpen) },
            { head: "Last call", cell: ({ lastCallMs }) => <Time ms={lastCallMs} /> },
            { head: "Made", cell: ({ createdMs }) => <Time ms={createdMs} /> },
            { head: "", cell: ({ id }) => <a href={`${ROOT}/stores/${id}/connect`}>Connect</a> },
          ]}
        />
      )}
      {stores.length <= STORES_PER_PAGE ? null : (
        <p>
          {page === 1 ? null : <a href={`?page=${page - 1}`}>Newer stores</a>}{" "}
          {stores.length > page * STORES_PER_PAGE ? <a href={`?page=${page + 1}`}>Older stores</a> : null}
        </p>
      )}
      {deleted.length === 0 ? null : (
        <>
          <h2>Deleted</h2>
          <ul>
            {deleted.slice(0, STORES_PER_PAGE).map((store) => (
              <li>
                {`${store.name}, gone for good at `}
                <Time ms={(store.deletedMs ?? 0) + UNDO_MS} />{" "}
                <Form c={c} action={`/stores/${store.id}/undelete`} class="inline">
                  <button type="submit" class="plain" aria-label={`Bring back ${store.name}`}>
                    Bring it back
                  </button>
                </Form>
              </li>
            ))}
          </ul>
        </>
      )}
      <h2>Make a store</h2>
      <Form c={c} action="/stores">
        <label for="name">Name</label>
        <input id="name" name="name" type="text" required maxlength={NAME_CHARS_MAX} />
        <p class="hint">For you alone. What is in the store is encrypted under a key that this browser makes next.</p>
        <p>
          <button type="submit">Make the store</button>
        </p>
      </Form>
    </>,
    status,
  );
}
