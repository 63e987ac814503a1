/**
 * The account service as `dkekey` asks it (docs/decisions/issuing-keys-anywhere.md): hashes and wraps go out, never a key.
 */
import { type AskService, type IssuedKey, issueKey, NotIssued } from "../keys/issue-key.ts";
import { readKey } from "../keys/store-key.ts";

export const DEFAULT_ACCOUNT = "https://dke.langsyn.net/dashboard/api";
export const LEVELS = ["none", "read", "read-add", "read-write", "read-write-delete"] as const;
export type Level = (typeof LEVELS)[number];

/** The service refused, or could not be reached: `code` as it names it. */
export class Refusal extends Error {
  constructor(
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

export interface Order {
  readonly storeId: string;
  readonly opener: string | null;
  readonly copyOf?: string;
  readonly label: string;
  readonly level: Level;
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

  /**
   * Makes a key here and has it take effect. `opener`: a key that opens the store; null for a store's very first key. Of a store that
   * is a copy and has no key yet, `copyOf` is the store it was copied from, and the opener a key of that one.
   */
  async issue({ storeId, opener, copyOf = storeId, label, level }: Order): Promise<IssuedKey> {
    const held = opener === null ? null : readKey(opener);
    if (opener !== null && held === null) throw new Misuse("the opener is no store key: check that all of it was copied");
    if (held !== null && held.storeId !== copyOf) throw new Misuse("the opener opens another store");
    try {
      return await issueKey(this.#ask, { storeId, level, label, made: "dkekey", opener: held, copyOf });
    } catch (error) {
      throw error instanceof NotIssued ? new Refusal(error.code, error.message) : error;
    }
  }

  /** Where a client connects with a key that was issued here: what the service said, if that is no step down from how it was reached. */
  endpointOf({ endpoint }: IssuedKey): string {
    const own = new URL("/", this.#url);
    const told = endpoint !== null && URL.canParse(endpoint) ? new URL(endpoint) : own;
    return (told.protocol === "https:" || told.origin === own.origin) && told.username === "" ? told.href : own.href;
  }

  /** Every key of a store, revoked ones too; not with a token. */
  async keys(storeId: string): Promise<ListedKey[]> {
    return (await this.#call<{ keys: ListedKey[] }>("GET", `/stores/${storeId}/keys`)).keys;
  }

  /** From its next call on the key opens nothing. True where it was the last one: the store's data cannot be opened any more. */
  async revoke(storeId: string, keyId: string): Promise<boolean> {
    return (await this.#call<{ last: boolean }>("POST", `/stores/${storeId}/keys/${keyId}/revoke`, {})).last;
  }

  async #call<Answer>(...request: Parameters<AskService>): Promise<Answer> {
    const { status, body } = await this.#ask(...request);
    if (status >= 300) throw new Refusal(body.error?.code ?? "http", body.error?.message ?? `HTTP ${status}`);
    return body;
  }

  readonly #ask: AskService = async (method, path, body) => {
    let response: Response;
    let text: string;
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
      text = await response.text();
    } catch (error) {
      const { message, cause } = error as Error & { cause?: Error };
      throw new Refusal("unreachable", `no answer from ${this.#url}: ${cause?.message ?? message}`);
    }
    try {
      return { status: response.status, body: JSON.parse(text) };
    } catch {
      throw new Refusal("http", `${this.#url} answered HTTP ${response.status} without JSON`);
    }
  };
}
