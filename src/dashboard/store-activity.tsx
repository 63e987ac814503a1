/** What was called on a store: time, key, client, tool, status, ops and duration, as the ledger has it. No program and no value: we do not have them. */
import { Hono } from "hono";
import type { StoreRow } from "../directory/stores";
import type { LedgerPart } from "../durable/account-object";
import type { KeyListing } from "../durable/key-ring";
import type { SettledCall } from "../durable/settled-call";
import { csvAnswer } from "./csv";
import { signedIn } from "./door";
import { Time } from "./layout";
import { accountObject, type Page, type Site, storeObject } from "./site";
import { onStore, renderStore, storePath } from "./store-frame";
import { Table } from "./table";

/** So that a page stays under 30 KB. */
const CALLS_PER_PAGE = 40;
/** To choose from; of any other key, its calls are one click away. */
const KEYS_LISTED = 50;
/** Of one file: an answer between objects carries 32 MiB, and a row is some 200 bytes. */
const CSV_CALLS_MAX = 100_000;

export const storeActivityPages = new Hono<Site>();

storeActivityPages.get("/stores/:id/activity", signedIn, onStore(activityPage));
storeActivityPages.get(
  "/stores/:id/activity.csv",
  signedIn,
  onStore(async (c, store) => {
    const { calls, keys } = await callsOf(c, store, CSV_CALLS_MAX);
    const head = ["time", "key_id", "label", "client", "tool", "status", "ops", "ms", "call_id"];
    const rows = calls.map((call) => {
      const key = keys.get(call.keyId);
      const client = clientAt(key, call.endedAtMs);
      const [ended, label] = [new Date(call.endedAtMs).toISOString(), key?.label ?? ""];
      return [ended, call.keyId, label, client, call.tool, call.status, String(call.ops), String(call.ms), call.callId];
    });
    return csvAnswer(c, `activity-${store.id.slice(0, 12)}.csv`, head, rows);
  }),
);

interface Calls {
  readonly calls: readonly SettledCall[];
  readonly keys: ReadonlyMap<string, KeyListing>;
}

async function callsOf(c: Page, store: StoreRow, countMax: number, before?: LedgerPart["before"]): Promise<Calls> {
  const object = storeObject(c, store.id);
  await object.settle();
  const part = { keyId: c.req.query("key") || undefined, before };
  const [calls, keys] = await Promise.all([accountObject(c, store.accountId).ledger(store.id, countMax, part), object.listKeys()]);
  return { calls, keys: new Map(keys.map((key) => [key.keyId, key])) };
}

/** Which client of the key was the newest known at that time: what it said of itself. */
function clientAt(key: KeyListing | undefined, ms: number): string {
  const known = (key?.clients ?? []).filter((client) => client.firstSeenAtMs <= ms).sort((a, b) => b.firstSeenAtMs - a.firstSeenAtMs);
  return known.length === 0 ? "" : `${known[0].name} ${known[0].version}`.trim();
}

/** Of the address: where the page before ended. */
export function cursorOf(text: string | undefined): LedgerPart["before"] {
  const [ms, callId] = (text ?? "").split(" ");
  return /^\d{1,15}$/.test(ms) && callId !== undefined ? { endedAtMs: Number(ms), callId } : undefined;
}

async function activityPage(c: Page, store: StoreRow) {
  const asked = c.req.query("key") ?? "";
  const before = cursorOf(c.req.query("before"));
  const { calls: found, keys } = await callsOf(c, store, CALLS_PER_PAGE + 1, before);
  const calls = found.slice(0, CALLS_PER_PAGE);
  const [last] = calls.slice(-1);
  const of = asked === "" ? "" : `key=${encodeURIComponent(asked)}&`;
  return renderStore(
    c,
    { store, tab: "activity", title: "Activity" },
    <>
      <form method="get" action={storePath(store, "activity")}>
        <label for="key">Calls of</label>
        <select id="key" name="key">
          <option value="">every key</option>
          {[...keys.values()].slice(-KEYS_LISTED).map((key) => (
            <option value={key.keyId} selected={key.keyId === asked}>
              {key.label || key.keyId}
            </option>
          ))}
        </select>{" "}
        <button type="submit" class="plain">
          Show
        </button>
      </form>
      {calls.length === 0 ? (
        <p class="empty">
          {before === undefined ? (
            <>
              No call has used anything yet. <a href={storePath(store, "connect")}>Connect a client</a>, and what it does is listed here.
            </>
          ) : (
            "Nothing before that."
          )}
        </p>
      ) : (
        <Table
          rows={calls}
          columns={[
            { head: "Ended", cell: ({ endedAtMs }) => <Time ms={endedAtMs} /> },
            {
              head: "Key",
              cell: ({ keyId }) => <a href={`?key=${encodeURIComponent(keyId)}`}>{keys.get(keyId)?.label || keyId}</a>,
            },
            { head: "Client", cell: ({ keyId, endedAtMs }) => clientAt(keys.get(keyId), endedAtMs) },
            { head: "Tool", cell: ({ tool }) => tool },
            { head: "Status", cell: ({ status }) => status },
            { head: "Ops", number: true, cell: ({ ops }) => ops.toLocaleString("en-US") },
            { head: "ms", number: true, cell: ({ ms }) => ms.toLocaleString("en-US") },
            { head: "Call", class: "mono muted id", cell: ({ callId }) => <span title={callId}>{callId.slice(0, 8)}</span> },
          ]}
        />
      )}
      <p>
        {found.length <= CALLS_PER_PAGE ? null : (
          <a href={storePath(store, `activity?${of}before=${encodeURIComponent(`${last.endedAtMs} ${last.callId}`)}`)}>Older calls</a>
        )}{" "}
        {calls.length === 0 ? null : <a href={storePath(store, `activity.csv${of === "" ? "" : `?${of.slice(0, -1)}`}`)}>All as CSV</a>}
      </p>
      <p class="hint">
        Calls that use no ops, such as reading the specification, are not listed. A client's name is what it says of itself. The
        milliseconds are from when a call came to the store until it had ended, waiting for others included.
      </p>
    </>,
  );
}
