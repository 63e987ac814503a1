/**
 * A store with an account of its own and one key of each access level: for development and tests. Never part of the
 * deployed bundle, where a key is made on the machine of whoever will use it.
 */
import type { AccountObject } from "../durable/account-object";
import { generateDataKey, keyEncryptionKey, keyHash, wrapDataKey } from "../durable/vault";
import type { Level } from "../engine/claim";
import type { StoreNamespace } from "./env";
import { formatStoreKey } from "./key";

/** As the start prints them. */
const KEY_ORDER: readonly Level[] = ["read", "read-add", "read-write", "read-write-delete", "none"];

export interface NewStore {
  readonly id: string;
  readonly keys: Readonly<Record<Level, string>>;
}

export interface Objects {
  readonly STORE: Pick<StoreNamespace, "newUniqueId" | "get">;
  readonly ACCOUNT: DurableObjectNamespace<AccountObject>;
}

/** Not yet in the directory. */
export async function makeStore(
  env: Objects,
  balanceOps: number,
): Promise<NewStore & { readonly accountId: string; readonly createdMs: number }> {
  const accountId = env.ACCOUNT.newUniqueId();
  const storeId = env.STORE.newUniqueId();
  const createdMs = Date.now();
  const dataKey = generateDataKey();
  const keys = KEY_ORDER.map((level) => {
    const secret = crypto.getRandomValues(new Uint8Array(32));
    const text = formatStoreKey({ objectId: storeId.toString(), secret });
    const hash = keyHash(text);
    const wrap = wrapDataKey(dataKey, keyEncryptionKey(secret, storeId.toString()), { storeId: storeId.toString(), keyHash: hash });
    return { text, row: { keyId: `key_${hash.slice(0, 16)}`, hash, wrap, level, label: `local ${level}` } };
  });
  await env.ACCOUNT.get(accountId).open({ balanceOps });
  const provision = { accountId: accountId.toString(), createdAtMicros: createdMs * 1000, keys: keys.map((key) => key.row) };
  await env.STORE.get(storeId).provision(provision);
  const byLevel = Object.fromEntries(keys.map((key) => [key.row.level, key.text])) as Record<Level, string>;
  return { id: storeId.toString(), keys: byLevel, accountId: accountId.toString(), createdMs };
}
