/**
 * A store's snapshots: taken, kept for a while, put back, or made a store of their own.
 *
 * Before a restore a person sees what it changes, by counts; with a key pasted into the page (page/snapshot.ts), by kinds and their
 * names. That key comes in a header, is used for the one answer, and is neither kept nor logged.
 */
import { Hono } from "hono";
import { hashOf, readKey } from "../../clients/keys/store-key";
import { type Act, writeAudit } from "../directory/accounts";
import type { Directory } from "../directory/directory";
import { newId } from "../directory/secret";
import {
  addSnapshot,
  dropSnapshot,
  expiredSnapshots,
  finishSnapshot,
  type SnapshotRow,
  setSnapshotExpiry,
  snapshotOf,
  snapshotsOf,
} from "../directory/snapshots";
import { addStore, type StoreRow, storesOf } from "../directory/stores";
import type { Counted, KindChange } from "../durable/snapshot-count";
import { bytesOf, SnapshotFault, SnapshotFolder } from "../durable/snapshot-folder";
import { keyEncryptionKey } from "../durable/vault";
import { formField, proven, signedIn } from "./door";
import { bytesText, Form, Notice, Time } from "./layout";
import { owner, type Page, ROOT, type Site, storeObject } from "./site";
import { onStore, renderStore, storePath } from "./store-frame";
import { cleanName, NAME_CHARS_MAX, STORES_MAX } from "./store-list";
import { Table } from "./table";

const SNAPSHOTS_MAX = 50;
const DAY_MS = 86_400_000;
/** After this a snapshot that has no end was broken off. */
const UNFINISHED_MS = 3_600_000;
const KEPT_DAYS = [7, 30, 90, 365] as const;
const KEPT_DAYS_DEFAULT = 30;
const SWEPT_AT_ONCE = 100;
const BUSY = "A call has held the store for half a minute: try again when it has ended, or stop it.";

const COUNTED_TEXT: Readonly<Record<Counted, string>> = {
  claims: "Claims that stand",
  superseded: "Superseded claims, kept for history",
  modules: "Modules",
  marks: "Marks",
  worlds: "Worlds",
};

export const snapshotPages = new Hono<Site>();

/** A handler of a page of one snapshot of a store of this account. */
function onSnapshot(handle: (c: Page, store: StoreRow, snapshot: SnapshotRow) => Response | Promise<Response>) {
  return onStore(async (c, store) => {
    const row = await snapshotOf(c.get("db"), store.id, c.req.param("snapshot") ?? "");
    const isThere = row !== null && row.bytes > 0 && (row.expiresMs ?? Number.POSITIVE_INFINITY) > c.get("nowMs");
    return isThere ? handle(c, store, row) : c.notFound();
  });
}

snapshotPages.get(
  "/stores/:id/snapshots",
  signedIn,
  onStore((c, store) => listPage(c, store)),
);
snapshotPages.post("/stores/:id/snapshots", signedIn, onStore(take));
snapshotPages.get(
  "/stores/:id/snapshots/:snapshot",
  signedIn,
  onSnapshot((c, store, snapshot) => snapshotPage(c, store, snapshot)),
);
snapshotPages.post("/stores/:id/snapshots/:snapshot/changes", signedIn, onSnapshot(changes));
snapshotPages.post("/stores/:id/snapshots/:snapshot/restore", signedIn, proven, onSnapshot(restore));
snapshotPages.post("/stores/:id/snapshots/:snapshot/copy", signedIn, proven, onSnapshot(copy));
snapshotPages.post("/stores/:id/snapshots/:snapshot/expiry", signedIn, onSnapshot(setExpiry));
snapshotPages.post("/stores/:id/snapshots/:snapshot/delete", signedIn, proven, onSnapshot(remove));

// ---- acts

async function take(c: Page, store: StoreRow): Promise<Response> {
  const [db, nowMs] = [c.get("db"), c.get("nowMs")];
  await sweepSnapshots(db, c.env.FILES, nowMs);
  if ((await snapshotsOf(db, store.id)).length >= SNAPSHOTS_MAX)
    return listPage(c, store, `A store has at most ${SNAPSHOTS_MAX} snapshots: delete one first.`, 409);
  const label = cleanName(await formField(c, "label"));
  const id = await begin(c, store, { label, reason: "asked", expiresMs: expiryOf(await formField(c, "days"), nowMs) });
  const taken = await storeObject(c, store.id).takeSnapshot(id);
  if (taken.tag !== "done") {
    await discard(c.get("db"), c.env.FILES, store.id, id);
    return listPage(c, store, taken.tag === "busy" ? BUSY : `No snapshot was taken: ${taken.why}.`, 409);
  }
  await finishSnapshot(db, id, taken.result.bytes);
  await audit(c, "snapshot.taken", id, store.id);
  return c.redirect(storePath(store, "snapshots"), 303);
}

async function restore(c: Page, store: StoreRow, snapshot: SnapshotRow): Promise<Response> {
  const db = c.get("db");
  const keptAs = await begin(c, store, {
    label: `Before the restore of ${snapshot.label || snapshot.id}`,
    reason: "before_restore",
    expiresMs: c.get("nowMs") + KEPT_DAYS_DEFAULT * DAY_MS,
  });
  const restored = await storeObject(c, store.id).restoreSnapshot(snapshot.id, keptAs);
  if (restored.tag !== "done") {
    await discard(db, c.env.FILES, store.id, keptAs);
    return snapshotPage(c, store, snapshot, restored.tag === "busy" ? BUSY : `Nothing was changed: ${restored.why}.`, 409);
  }
  await finishSnapshot(db, keptAs, restored.result.bytes);
  await audit(c, "snapshot.restored", snapshot.id, `${store.id}, kept as ${keptAs}`);
  return c.redirect(storePath(store, `snapshots?restored=${keptAs}`), 303);
}

/** The new store has no key yet: its first is made with one of the store it is a copy of. */
async function copy(c: Page, store: StoreRow, snapshot: SnapshotRow): Promise<Response> {
  const [who, db, nowMs] = [owner(c), c.get("db"), c.get("nowMs")];
  const name = cleanName(await formField(c, "name"));
  if (name === "") return snapshotPage(c, store, snapshot, "A store has a name.", 400);
  if ((await storesOf(db, who.accountId)).length >= STORES_MAX)
    return snapshotPage(c, store, snapshot, `An account has at most ${STORES_MAX} stores.`, 409);
  const id = c.env.STORE.newUniqueId();
  await c.env.STORE.get(id).provision({ accountId: who.accountId, createdAtMicros: nowMs * 1000, keys: [] });
  const copied = await c.env.STORE.get(id).copySnapshot({ storeId: store.id, snapshotId: snapshot.id });
  if (copied.tag !== "done")
    return snapshotPage(c, store, snapshot, copied.tag === "busy" ? BUSY : `No store was made: ${copied.why}.`, 409);
  await addStore(db, { id: id.toString(), accountId: who.accountId, name, createdMs: nowMs });
  await audit(c, "store.created", id.toString(), `${name}, a copy of ${store.id} as of ${snapshot.id}`);
  return c.redirect(`${ROOT}/stores/${id.toString()}/keys/new`, 303);
}

async function setExpiry(c: Page, store: StoreRow, snapshot: SnapshotRow): Promise<Response> {
  await setSnapshotExpiry(c.get("db"), snapshot.id, expiryOf(await formField(c, "days"), c.get("nowMs")));
  return c.redirect(storePath(store, "snapshots"), 303);
}

async function remove(c: Page, store: StoreRow, snapshot: SnapshotRow): Promise<Response> {
  await discard(c.get("db"), c.env.FILES, store.id, snapshot.id);
  await audit(c, "snapshot.deleted", snapshot.id, store.id);
  return c.redirect(storePath(store, "snapshots"), 303);
}

/** What a restore would change, with kinds by name: for the page's script, under a key that opens the store. */
async function changes(c: Page, store: StoreRow, snapshot: SnapshotRow): Promise<Response> {
  const key = readKey((c.req.header("authorization") ?? "").replace(/^bearer +/i, ""));
  if (key === null || key.storeId !== store.id) return c.json({ error: "This is no key of this store." }, 400);
  const credential = { keyHash: await hashOf(key.text), keyEncryptionKey: keyEncryptionKey(key.secret, store.id) };
  const reply = await storeObject(c, store.id).snapshotChanges(snapshot.id, credential);
  if (reply.tag === "done") return c.json({ kinds: reply.result.kinds as KindChange[] });
  return c.json({ error: reply.tag === "busy" ? BUSY : `${reply.why}.` }, 409);
}

/** Written down before anything is copied. */
async function begin(c: Page, store: StoreRow, how: Pick<SnapshotRow, "label" | "reason" | "expiresMs">): Promise<string> {
  const id = newId("snp");
  await addSnapshot(c.get("db"), { id, storeId: store.id, accountId: store.accountId, createdMs: c.get("nowMs"), ...how });
  return id;
}

async function discard(db: Directory, bucket: R2Bucket | undefined, storeId: string, id: string): Promise<void> {
  await new SnapshotFolder(bucket, storeId, id).delete();
  await dropSnapshot(db, id);
}

/** Takes away what has expired, of any store. */
export async function sweepSnapshots(db: Directory, bucket: R2Bucket | undefined, nowMs: number): Promise<void> {
  for (const { storeId, id } of await expiredSnapshots(db, nowMs, SWEPT_AT_ONCE)) await discard(db, bucket, storeId, id);
}

/** Whatever was broken off: what is whole is finished, what is not goes once it cannot be at work any more. */
async function settleUnfinished(c: Page, row: SnapshotRow): Promise<SnapshotRow> {
  const [db, nowMs] = [c.get("db"), c.get("nowMs")];
  if (row.bytes > 0) return row;
  try {
    const bytes = bytesOf(await new SnapshotFolder(c.env.FILES, row.storeId, row.id).readManifest());
    await finishSnapshot(db, row.id, bytes);
    return { ...row, bytes };
  } catch (error) {
    if (!(error instanceof SnapshotFault)) throw error;
    if (row.createdMs < nowMs - UNFINISHED_MS) await discard(db, c.env.FILES, row.storeId, row.id);
    return row;
  }
}

async function audit(c: Page, act: Act, subject: string, detail: string): Promise<void> {
  const { accountId, sessionId } = owner(c);
  await writeAudit(c.get("db"), { accountId, act, subject, detail, by: sessionId }, c.get("nowMs"));
}

function expiryOf(days: string, nowMs: number): number | null {
  const kept = KEPT_DAYS.find((one) => String(one) === days);
  return kept === undefined ? null : nowMs + kept * DAY_MS;
}

// ---- pages

async function listPage(c: Page, store: StoreRow, said?: string, status: 200 | 409 = 200) {
  const nowMs = c.get("nowMs");
  const live = (await snapshotsOf(c.get("db"), store.id)).filter((row) => (row.expiresMs ?? Number.POSITIVE_INFINITY) > nowMs);
  const rows = await Promise.all(live.map((row) => settleUnfinished(c, row)));
  const keptAs = c.req.query("restored");
  return renderStore(
    c,
    { store, tab: "snapshots", title: "Snapshots" },
    <>
      {said === undefined ? null : <Notice bad>{said}</Notice>}
      {keptAs === undefined || !rows.some((row) => row.id === keptAs) ? null : (
        <Notice good>
          The store is as it was. What it held until now is kept: <a href={storePath(store, `snapshots/${keptAs}`)}>restore that</a> to undo
          this.
        </Notice>
      )}
      {rows.length === 0 ? (
        <p class="empty">There is no snapshot yet. Take one before a client does something you may want undone as a whole.</p>
      ) : (
        <Table
          rows={rows}
          columns={[
            {
              head: "Snapshot",
              cell: ({ id, label }) => (
                <>
                  {label || <span class="muted">no label</span>}
                  <br />
                  <span class="mono muted">{id}</span>
                </>
              ),
            },
            { head: "Taken", cell: ({ createdMs }) => <Time ms={createdMs} /> },
            { head: "Size", number: true, cell: ({ bytes }) => (bytes === 0 ? "being taken" : bytesText(bytes)) },
            { head: "Expires", cell: ({ expiresMs }) => <Time ms={expiresMs} /> },
            {
              head: "",
              cell: ({ id, bytes }) => (bytes === 0 ? null : <a href={storePath(store, `snapshots/${id}`)}>Restore or delete</a>),
            },
          ]}
        />
      )}
      <h2>Take a snapshot</h2>
      <Form c={c} action={`/stores/${store.id}/snapshots`}>
        <label for="label">Label</label>
        <input id="label" name="label" type="text" maxlength={NAME_CHARS_MAX} />
        <DaysSelect />
        <p class="hint">
          Everything the store holds, sealed as it lies: facts and their history, modules, rules, marks, worlds. Keys and the balance are
          not part of it. Calls wait until it is taken.
        </p>
        <p>
          <button type="submit">Take the snapshot</button>
        </p>
      </Form>
    </>,
    status,
  );
}

function DaysSelect() {
  return (
    <>
      <label for="days">Keep it for</label>
      <select id="days" name="days">
        {KEPT_DAYS.map((days) => (
          <option value={String(days)} selected={days === KEPT_DAYS_DEFAULT}>{`${days} days`}</option>
        ))}
        <option value="never">until it is deleted</option>
      </select>
    </>
  );
}

async function snapshotPage(c: Page, store: StoreRow, snapshot: SnapshotRow, said?: string, status: 200 | 400 | 409 = 200) {
  const reply = await storeObject(c, store.id).snapshotChanges(snapshot.id, null);
  const at = `/stores/${store.id}/snapshots/${snapshot.id}`;
  return renderStore(
    c,
    { store, tab: "snapshots", title: "Snapshot", script: "snapshot.js" },
    <>
      {said === undefined ? null : <Notice bad>{said}</Notice>}
      <h2>{snapshot.label || snapshot.id}</h2>
      <p>
        Taken <Time ms={snapshot.createdMs} />, {bytesText(snapshot.bytes)}, expires <Time ms={snapshot.expiresMs} />.
      </p>
      <h2>What a restore changes</h2>
      {reply.tag === "done" ? (
        <Table
          rows={reply.result.counts}
          columns={[
            { head: "What", cell: ({ what }) => COUNTED_TEXT[what] },
            { head: "Now", number: true, cell: ({ now }) => now.toLocaleString("en-US") },
            {
              head: "After the restore",
              number: true,
              cell: ({ now, after }) => (now === after ? "the same" : after.toLocaleString("en-US")),
            },
          ]}
        />
      ) : (
        <Notice bad>{reply.tag === "busy" ? BUSY : `This snapshot cannot be restored: ${reply.why}.`}</Notice>
      )}
      <noscript>
        <p class="hint">With script, a key pasted here shows the kinds that change by their names.</p>
      </noscript>
      <form id="ask" data-path={`${ROOT}${at}/changes`} autocomplete="off" hidden>
        <label for="opener">A key of this store, to see kinds by their names</label>
        <input id="opener" type="password" autocomplete="off" required spellcheck={false} />
        <p class="hint">It is sent for this one answer, and neither kept nor logged.</p>
        <p>
          <button type="submit" class="plain">
            Show kinds
          </button>
        </p>
      </form>
      <div id="said" class="notice" role="status" hidden></div>
      <table id="kinds" hidden>
        <thead>
          <tr>
            <th>Kind</th>
            <th class="number">Claims now</th>
            <th class="number">After the restore</th>
          </tr>
        </thead>
        <tbody></tbody>
      </table>
      <h2>Restore it into this store</h2>
      <p>
        The store becomes what it was, whole. What it holds now is first kept as a snapshot of its own, which undoes this. Keys stay as they
        are: a revoked one stays revoked, levels and the balance do not change. Calls wait meanwhile.
      </p>
      <Form c={c} action={`${at}/restore`}>
        <p>
          <button type="submit" class="danger">
            Restore into this store
          </button>
        </p>
      </Form>
      <h2>Make a new store of it</h2>
      <p>This store stays as it is. The new one's first key is made in your browser with a key that opens this one.</p>
      <Form c={c} action={`${at}/copy`}>
        <label for="name">Name of the new store</label>
        <input id="name" name="name" type="text" required maxlength={NAME_CHARS_MAX} />
        <p>
          <button type="submit">Make the store</button>
        </p>
      </Form>
      <h2>Keep or delete it</h2>
      <Form c={c} action={`${at}/expiry`}>
        <DaysSelect />
        <p>
          <button type="submit" class="plain">
            Keep it from now for so long
          </button>
        </p>
      </Form>
      <Form c={c} action={`${at}/delete`}>
        <p class="hint">A deleted snapshot cannot be had back.</p>
        <p>
          <button type="submit" class="danger">
            Delete the snapshot
          </button>
        </p>
      </Form>
    </>,
    status,
  );
}
