/**
 * The account service as `dkekey` asks it (docs/decisions/issuing-keys-anywhere.md): hashes and wraps go out, never a key.
 */
import { hashOf, type KeyRecord, makeFirstKey, makeFurtherKey, readKey, type StoreKey } from "../keys/store-key.ts";

export const DEFAULT_ACCOUNT = "https://dke.langsyn.net/dashboard/api";
export const LEVELS = ["none", "read", "read-add", "read-write", "read-write-delete"] as const;
export type Level = (typeof LEVELS)[number];

/** The service refused: `code` as it names it. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** What was asked for makes no sense here; nothing was sent. */
export class Misuse extends Error {}

export type SignIn = { readonly token: string } | { readonly email: string; readonly password: string };

export interface ListedKey {
  readonly key_id: string;
  readonly level: Level;
  readonly label: string;
  readonly made: string;
  readonly issued_at: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

export class Account {
  readonly #authorization: string;
  readonly #url: string;

  constructor(signIn: SignIn, url = DEFAULT_ACCOUNT) {
    if ("token" in signIn && /^dke_[sc]_/.test(signIn.token)) throw new Misuse("this is a store key: an account token begins with dke_t_");
    this.#authorization =
      "token" in signIn
        ? `Bearer ${signIn.token}`
        : `Basic ${Buffer.from(`${signIn.email}:${signIn.password}`, "utf8").toString("base64")}`;
    this.#url = url.replace(/\/+$/, "");
  }

  async stores(): Promise<{ id: string; name: string }[]> {
    return (await this.#call<{ stores: { id: string; name: string }[] }>("GET", "/stores")).stores;
  }

  /** Makes a key here and has it take effect. `opener`: a key that opens the store; null for a store's very first key. */
  async issue(storeId: string, opener: string | null, label: string, level: Level): Promise<StoreKey> {
    const { key, record } = opener === null ? await makeFirstKey(storeId) : await this.#further(storeId, opener);
    await this.#call("POST", `/stores/${storeId}/keys`, { ...record, level, label, made: "dkekey" });
    return key;
  }

  async #further(storeId: string, opener: string): Promise<{ key: StoreKey; record: KeyRecord }> {
    const held = readKey(opener);
    if (held === null) throw new Misuse("the opener is no store key: check that all of it was copied");
    if (held.storeId !== storeId) throw new Misuse("the opener opens another store");
    const { wrap } = await this.#call<{ wrap: string }>("GET", `/stores/${storeId}/wraps/${await hashOf(opener)}`);
    return makeFurtherKey(held, wrap);
  }

  /** Every key of a store, revoked ones too; not with a token. */
  async keys(storeId: string): Promise<ListedKey[]> {
    return (await this.#call<{ keys: ListedKey[] }>("GET", `/stores/${storeId}/keys`)).keys;
  }

  /** From its next call on the key opens nothing. True where it was the last one: the store's data cannot be opened any more. */
  async revoke(storeId: string, keyId: string): Promise<boolean> {
    return (await this.#call<{ last: boolean }>("POST", `/stores/${storeId}/keys/${keyId}/revoke`, {})).last;
  }

  async #call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    let response: Response;
    try {
      response = await fetch(this.#url + path, {
        method,
        headers: {
          Authorization: this.#authorization,
          Accept: "application/json",
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        // A redirect would carry the sign-in to another address than the one given.
        redirect: "error",
        signal: AbortSignal.timeout(30_000),
      });
    } catch (error) {
      const { message, cause } = error as Error & { cause?: Error };
      throw new Refusal(0, "unreachable", `no answer from ${this.#url}: ${cause?.message ?? message}`);
    }
    const text = await response.text();
    let said: { error?: { code?: string; message?: string } } = {};
    try {
      said = JSON.parse(text);
    } catch {
      if (response.ok) throw new Refusal(response.status, "http", `${this.#url} did not answer with JSON`);
    }
    if (!response.ok) throw new Refusal(response.status, said.error?.code ?? "http", said.error?.message ?? `HTTP ${response.status}`);
    return said as Answer;
  }
}
