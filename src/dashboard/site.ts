/**
 * What a page of the dashboard has at hand: the directory, who is signed in, the objects, and the clock.
 *
 * A page reads and writes the directory and asks objects about stores of the account that is signed in, and of no other.
 */
import type { Context } from "hono";
import type { Directory } from "../directory/directory";
import type { SignedIn } from "../directory/sessions";
import type { AccountObject } from "../durable/account-object";
import type { StoreObject } from "../durable/store-object";

export interface DashboardBindings {
  readonly STORE: DurableObjectNamespace<StoreObject>;
  readonly ACCOUNT: DurableObjectNamespace<AccountObject>;
  readonly DIRECTORY: D1Database;
  readonly FILES?: R2Bucket;
  /** Where letters go: a provider's binding. Absent: they are kept, for the outbox page of a development service. */
  readonly MAIL?: Fetcher;
  /** Where clients connect, where that is another host than the pages'; absent: the root of the pages' own. */
  readonly API_URL?: string;
  /** Where LangCoin is bought: a payment link, which is given the account's id. Absent: no page links there. */
  readonly BUY_URL?: string;
  /** What an account opens with, in ops. */
  readonly OPENING_OPS?: string | number;
  /** Set by the development start: the outbox can be read. */
  readonly LOCAL_TOKEN?: string;
}

export interface DashboardVariables {
  db: Directory;
  nowMs: number;
  /** Null before sign-in. */
  who: SignedIn | null;
  /** Goes into every form, and must come back with it. */
  formToken: string;
}

export type Site = { Bindings: DashboardBindings; Variables: DashboardVariables };
export type Page = Context<Site>;

/** Where all pages of the dashboard hang. */
export const ROOT = "/dashboard";

/** Who is signed in, on a page that only the signed in see. */
export function owner(page: Page): SignedIn {
  const who = page.get("who");
  if (who === null) throw new Error("a page for the signed in was reached without a session");
  return who;
}

/** The object of a store that the caller has made sure belongs to the account. */
export function storeObject(page: Page, storeId: string) {
  return page.env.STORE.get(page.env.STORE.idFromString(storeId));
}

export function accountObject(page: Page, accountId: string) {
  return page.env.ACCOUNT.get(page.env.ACCOUNT.idFromString(accountId));
}

/** Where this account buys LangCoin; null where nothing is sold. The provider hands `client_reference_id` on to our webhook. */
export function buyUrl(page: Page, accountId: string): string | null {
  if (page.env.BUY_URL === undefined || page.env.BUY_URL === "") return null;
  const url = new URL(page.env.BUY_URL);
  url.searchParams.set("client_reference_id", accountId);
  return url.href;
}

/** Where clients connect. */
export function apiUrl(page: Pick<Page, "env" | "req">): string {
  return new URL("/", page.env.API_URL ?? page.req.url).href;
}

/** Whether letters are kept for the outbox page and sent nowhere: on a development service without a mail provider. */
export function keepsLetters(page: Page): boolean {
  return page.env.LOCAL_TOKEN !== undefined && page.env.MAIL === undefined;
}
