/** Renaming a store, deleting it, and wanting it back. */
import { Hono } from "hono";
import { writeAudit } from "../directory/accounts";
import { renameStore, type StoreRow, setStoreDeleted, storeOf } from "../directory/stores";
import { formField, proven, signedIn } from "./door";
import { bytesText, Form, Notice, Time } from "./layout";
import { owner, type Page, ROOT, type Site, storeObject } from "./site";
import { onStore, renderStore, storePath } from "./store-frame";
import { cleanName, NAME_CHARS_MAX, UNDO_MS } from "./store-list";

export const storeSettingsPages = new Hono<Site>();

storeSettingsPages.get(
  "/stores/:id/settings",
  signedIn,
  onStore((c, store) => settingsPage(c, store)),
);
storeSettingsPages.post(
  "/stores/:id/rename",
  signedIn,
  onStore(async (c, store) => {
    const name = cleanName(await formField(c, "name"));
    if (name === "") return settingsPage(c, store, "A store has a name.", 400);
    await renameStore(c.get("db"), store.id, name);
    await audit(c, store, "store.renamed", name);
    return c.redirect(storePath(store, "settings"), 303);
  }),
);
storeSettingsPages.post(
  "/stores/:id/delete",
  signedIn,
  proven,
  onStore(async (c, store) => {
    if ((await formField(c, "name")).trim() !== store.name) return settingsPage(c, store, "This is not the store's name.", 400);
    const nowMs = c.get("nowMs");
    await storeObject(c, store.id).setDeletion(nowMs + UNDO_MS);
    await setStoreDeleted(c.get("db"), store.id, nowMs);
    await audit(c, store, "store.deleted", store.name);
    return c.redirect(`${ROOT}/stores`, 303);
  }),
);
storeSettingsPages.post("/stores/:id/undelete", signedIn, async (c) => {
  const store = await storeOf(c.get("db"), owner(c).accountId, c.req.param("id"));
  // The object knows whether there is anything left to want back.
  if (store === null || store.deletedMs === null || !(await storeObject(c, store.id).setDeletion(null))) return c.notFound();
  await setStoreDeleted(c.get("db"), store.id, null);
  await audit(c, store, "store.undeleted", store.name);
  return c.redirect(storePath(store, "keys"), 303);
});

async function audit(c: Page, store: StoreRow, act: "store.renamed" | "store.deleted" | "store.undeleted", detail: string): Promise<void> {
  const { accountId, sessionId } = owner(c);
  await writeAudit(c.get("db"), { accountId, act, subject: store.id, detail, by: sessionId }, c.get("nowMs"));
}

async function settingsPage(c: Page, store: StoreRow, said?: string, status: 200 | 400 = 200) {
  const { bytes, keysOpen, lastCallMs } = await storeObject(c, store.id).overview();
  return renderStore(
    c,
    { store, tab: "settings", title: "Settings" },
    <>
      {said === undefined ? null : <Notice bad>{said}</Notice>}
      <h2>Name</h2>
      <Form c={c} action={`/stores/${store.id}/rename`}>
        <label for="name">What you call it</label>
        <input id="name" name="name" type="text" required maxlength={NAME_CHARS_MAX} value={store.name} />
        <p>
          <button type="submit">Rename</button>
        </p>
      </Form>
      <h2>Delete this store</h2>
      <p>
        {`Everything in it goes: ${bytesText(bytes)} of data, its modules and rules, its snapshots, and its ${keysOpen} ${keysOpen === 1 ? "key" : "keys"}.`}{" "}
        Its last call was: <Time ms={lastCallMs} />. For seven days it is closed to every key and can be had back from the list of stores;
        after that nobody can, we included. What its calls have cost stays in the ledger.
      </p>
      <Form c={c} action={`/stores/${store.id}/delete`}>
        <label for="typed">
          Type its name, <strong>{store.name}</strong>, to delete it
        </label>
        <input id="typed" name="name" type="text" required autocomplete="off" />
        <p>
          <button type="submit" class="danger">
            Delete the store
          </button>
        </p>
      </Form>
    </>,
    status,
  );
}
