/** What every page of one store has: whose store it is, its name, and the tabs. */
import type { Child } from "hono/jsx";
import { formatKey } from "../../clients/keys/store-key";
import { type StoreRow, storeOf } from "../directory/stores";
import { type Frame, render } from "./layout";
import { owner, type Page, ROOT } from "./site";

const TABS = [
  ["connect", "Connect"],
  ["keys", "Keys"],
  ["snapshots", "Snapshots"],
  ["activity", "Activity"],
  ["explore", "Explore"],
  ["settings", "Settings"],
] as const;

export type StoreTab = (typeof TABS)[number][0];

/** A handler of `/stores/:id/…`: what is not a store of this account, or is deleted, is as absent as what never was. */
export function onStore(handle: (c: Page, store: StoreRow) => Response | Promise<Response>) {
  return async (c: Page): Promise<Response> => {
    const store = await storeOf(c.get("db"), owner(c).accountId, c.req.param("id") ?? "");
    return store === null || store.deletedMs !== null ? c.notFound() : handle(c, store);
  };
}

export function storePath(store: StoreRow, tab: string): string {
  return `${ROOT}/stores/${store.id}/${tab}`;
}

/** How every key of a store begins: prefix, and the first of its store's id. */
export function keyPrefix(storeId: string): string {
  return formatKey(storeId, new Uint8Array(32)).slice(0, 10);
}

interface StoreFrame extends Omit<Frame, "here"> {
  readonly store: StoreRow;
  readonly tab: StoreTab;
}

export function renderStore(c: Page, { store, tab, title, script }: StoreFrame, body: Child, status: 200 | 400 | 403 | 409 | 429 = 200) {
  return render(
    c,
    { title: `${title} · ${store.name}`, here: "/stores", script },
    <>
      <h1>{store.name}</h1>
      <p class="muted">
        Store <span class="mono id">{store.id}</span>
      </p>
      <nav class="tabs" aria-label="Store">
        <ul>
          {TABS.map(([path, label]) => (
            <li>
              <a href={storePath(store, path)} aria-current={path === tab ? "page" : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {body}
    </>,
    status,
  );
}
