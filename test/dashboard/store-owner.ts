/** Somebody with a store, and the keys they make in the page. */
import { issueKey } from "../../clients/keys/issue-key";
import type { StoreKey } from "../../clients/keys/store-key";
import type { Level } from "../../src/engine/claim";
import { type BrowserLike, makeStore, type Person, signUp } from "./browser-like";

export interface StoreOwner extends Person {
  readonly storeId: string;
  /** Where the store's pages are. */
  readonly at: string;
}

export async function storeOwner(name = "Test"): Promise<StoreOwner> {
  const person = await signUp();
  return ofStore(person, await makeStore(person, name));
}

/** The same person, with another store. */
export async function withStore(person: Person, name = "Test"): Promise<StoreOwner> {
  return ofStore(person, await makeStore(person, name));
}

function ofStore({ browser, email, password }: Person, storeId: string): StoreOwner {
  return { browser, email, password, storeId, at: `/dashboard/stores/${storeId}` };
}

export interface MadeKey {
  readonly key: StoreKey;
  readonly keyId: string;
}

/** As the page's script makes it. */
export function newKey(
  { browser, storeId }: { readonly browser: BrowserLike; readonly storeId: string },
  { level = "read-write", label = "test", opener = null }: { level?: Level; label?: string; opener?: StoreKey | null } = {},
): Promise<MadeKey> {
  return issueKey(browser.ask, { storeId, level, label, made: "browser", opener });
}
