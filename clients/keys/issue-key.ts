/**
 * Issuing a store key through the account service (docs/decisions/issuing-keys-anywhere.md): the key is made here, and what is
 * sent of it is its hash, its wrap, its level and its label.
 *
 * How a request reaches the service, and as whom, is the caller's: a page has its cookie, a program a token or a password.
 */
import { hashOf, machineRandom, makeFirstKey, makeFurtherKey, type NewKey, type RandomBytes, type StoreKey } from "./store-key";

export interface ServiceAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of the service.
  readonly body: any;
}

/** One request to the service; `path` is relative to `/dashboard/api`. */
export type AskService = (method: "GET" | "POST", path: string, body?: object) => Promise<ServiceAnswer>;

export interface KeyOrder {
  readonly storeId: string;
  readonly level: string;
  readonly label: string;
  readonly made: "browser" | "dkekey" | "dke.keys";
  /** A key that opens the store; null for the first key of a store. */
  readonly opener: StoreKey | null;
  /** The store that this one is a copy of, for its first key: the opener is a key of that one. */
  readonly copyOf?: string;
}

export interface IssuedKey {
  readonly key: StoreKey;
  readonly keyId: string;
  /** Where clients connect with it, as the service says; null where it says nothing. */
  readonly endpoint: string | null;
}

/** What the service, or the key that was to open the store, said no to. `code` is the service's. */
export class NotIssued extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Throws `NotIssued`, or what `ask` throws. */
export async function issueKey(ask: AskService, order: KeyOrder, random: RandomBytes = machineRandom): Promise<IssuedKey> {
  const { key, record } = await makeKey(ask, order, random);
  const { level, label, made } = order;
  const { key_id: keyId, endpoint } = await asked(ask, "POST", `/stores/${order.storeId}/keys`, { ...record, level, label, made });
  return { key, keyId, endpoint: typeof endpoint === "string" ? endpoint : null };
}

async function makeKey(ask: AskService, { storeId, opener, copyOf = storeId }: KeyOrder, random: RandomBytes): Promise<NewKey> {
  if (opener === null) return makeFirstKey(storeId, random);
  if (opener.storeId !== copyOf) throw new NotIssued("other_store", "This key is of another store.");
  const { wrap } = await asked(ask, "GET", `/stores/${copyOf}/wraps/${await hashOf(opener.text)}`);
  try {
    return await makeFurtherKey(opener, wrap, random, storeId);
  } catch {
    throw new NotIssued("not_opened", "This key does not open the store.");
  }
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of the service.
async function asked(ask: AskService, ...request: Parameters<AskService>): Promise<any> {
  const { status, body } = await ask(...request);
  if (status < 300) return body;
  throw new NotIssued(body?.error?.code ?? "unknown", body?.error?.message ?? `The service answered ${status}.`);
}
