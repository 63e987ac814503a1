/**
 * The service in this process: the worker and both object classes as they are, over a WebAssembly SQLite and Node's timers.
 *
 * For tests that need very many requests, or a look at what is logged. The platform's own part (isolation, the disk,
 * connections, eviction) is what the tests over HTTP are for; here it is the least that the objects ask of it. Arguments
 * and answers of an object call are cloned, as they are there.
 */
import { randomBytes } from "node:crypto";
import { AccountObject } from "../../src/durable/account-object";
import { StoreObject } from "../../src/durable/store-object";
import type { Level } from "../../src/engine/claim";
import { createApp } from "../../src/worker/app";
import { formatStoreKey, parseStoreKey } from "../../src/worker/key";
import { makeStore } from "../../src/worker/new-store";
import type { SpecDocument } from "../../src/worker/spec-document";
import { SqlNode } from "../engine/sql-node";

export interface ServiceInNode {
  /** One request through the worker; the body is a string of JSON or of anything else. */
  fetch(request: Request): Promise<Response>;
  newStore(balanceOps?: number): Promise<{ readonly id: string; readonly keys: Readonly<Record<Level, string>> }>;
  /** A store's object, to be called as its account's side would. */
  // biome-ignore lint/suspicious/noExplicitAny: a test names the method it calls.
  object(storeId: string): any;
  /** A key of good form for one store with the secret of another's: nobody issued it. */
  keyOf(storeId: string, other: string): string;
  /** SQL statements that the store's object has run. */
  statements(storeId: string): number;
  /** Objects that exist, of both classes. */
  objectCount(): number;
  /** Calls that reached an object. */
  objectCalls(): number;
  /** Ends every timer of every object. */
  end(): void;
}

type ObjectClass = new (context: DurableObjectState, env: never) => object;

export function startInNode(spec: SpecDocument, settings: Readonly<Record<string, unknown>> = {}): ServiceInNode {
  const env: Record<string, unknown> = { OWN_ORIGINS: "", FLOOD_PER_S: 1_000_000, KEY_CALLS_PER_SECOND: 1_000_000, ...settings };
  const spaces = { STORE: new Namespace(StoreObject as ObjectClass, env), ACCOUNT: new Namespace(AccountObject as ObjectClass, env) };
  Object.assign(env, spaces);
  const app = createApp(spec);
  const working = new Set<Promise<unknown>>();
  const context = { waitUntil: (work: Promise<unknown>) => void working.add(work.finally(() => working.delete(work))) };
  return {
    fetch: async (request) => app.fetch(request, env as never, context as never),
    newStore: async (balanceOps = 1e14) => {
      const { id, keys } = await makeStore(env as never, balanceOps);
      return { id, keys };
    },
    object: (storeId) => spaces.STORE.get(spaces.STORE.idFromString(storeId)),
    keyOf: (storeId, other) => formatStoreKey({ objectId: storeId, secret: parseStoreKey(other)!.secret }),
    statements: (storeId) => spaces.STORE.statements(storeId),
    objectCount: () => spaces.STORE.size + spaces.ACCOUNT.size,
    objectCalls: () => spaces.STORE.calls + spaces.ACCOUNT.calls,
    end: () => {
      for (const space of Object.values(spaces)) space.end();
    },
  };
}

class Namespace {
  readonly #objectClass: ObjectClass;
  readonly #env: object;
  readonly #ids = new Set<string>();
  readonly #objects = new Map<string, { readonly object: object; readonly sql: SqlNode; readonly end: () => void }>();
  calls = 0;

  constructor(objectClass: ObjectClass, env: object) {
    this.#objectClass = objectClass;
    this.#env = env;
  }
  get size(): number {
    return this.#objects.size;
  }
  newUniqueId() {
    const id = randomBytes(32).toString("hex");
    this.#ids.add(id);
    return idOf(id);
  }
  idFromString(id: string) {
    if (!this.#ids.has(id)) throw new TypeError("an id that this namespace did not make");
    return idOf(id);
  }
  get(id: { toString(): string }): object {
    const text = id.toString();
    return new Proxy(
      {},
      {
        get:
          (_, method) =>
          async (...args: unknown[]) => {
            this.calls++;
            const object = this.#objectOf(text) as Record<PropertyKey, (...args: unknown[]) => unknown>;
            return structuredClone(await object[method](...structuredClone(args)));
          },
      },
    );
  }
  statements(id: string): number {
    return this.#objects.get(id)?.sql.calls ?? 0;
  }
  end(): void {
    for (const { end } of this.#objects.values()) end();
  }

  #objectOf(id: string): object {
    let known = this.#objects.get(id);
    if (known === undefined) {
      const sql = new SqlNode();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const storage = {
        sql: {
          exec: (text: string, ...parameters: never[]) => ({
            // Iterators of the platform have it; Node 20 has not.
            raw: () => withAll(sql.exec(text, ...parameters)),
            rowsWritten: /^\s*(INSERT|UPDATE|DELETE|CREATE|DROP|ALTER)/i.test(text) ? 1 : 0,
          }),
          get databaseSize() {
            return sql.databaseBytes();
          },
        },
        transactionSync: <T>(body: () => T): T => sql.transaction(body),
        setAlarm: async (atMs: number) => {
          clearTimeout(timer);
          timer = setTimeout(() => (object as { alarm(): Promise<void> }).alarm(), atMs - Date.now()).unref();
        },
        sync: async () => {},
      };
      const context = { id: idOf(id), storage, abort: () => this.#objects.delete(id) };
      const object = new this.#objectClass(context as never, this.#env as never);
      known = { object, sql, end: () => clearTimeout(timer) };
      this.#objects.set(id, known);
    }
    return known.object;
  }
}

function withAll<T>(rows: readonly T[]): IterableIterator<T> & { toArray(): T[] } {
  return Object.assign(rows[Symbol.iterator](), { toArray: () => [...rows] });
}
function idOf(text: string): DurableObjectId {
  return { toString: () => text, equals: (other) => other.toString() === text } as DurableObjectId;
}
