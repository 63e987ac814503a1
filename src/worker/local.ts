/**
 * The development entry: the deployed worker, and beside it a way to make stores and bring the directory up to date. Never part of the deployed bundle.
 *
 * `/__local/*` answers only to the token that this start of the service drew; without it the path is like any other.
 * A store made here has an account of its own, opened with the balance it is given, and one key of each access level.
 * The keys are answered once and kept nowhere on this side; scripts/start.mjs writes them to its state folder.
 */

import { sweepSnapshots } from "../dashboard/snapshots";
import { UNDO_MS } from "../dashboard/store-list";
import { forgetClosed } from "../directory/accounts";
import { openDirectory } from "../directory/directory";
import { recordStore } from "../directory/stores";
import type { AccountObject } from "../durable/account-object";
import { sameSecret } from "../durable/vault";
import { COUNTERS } from "./counters";
import type { Env, StoreNamespace, StoreStub } from "./env";
import app from "./index";
import { makeStore, type NewStore } from "./new-store";
import { type SweepEnv, sweep } from "./sweep";

export { AccountObject, StoreObject } from "./index";

interface LocalStub extends StoreStub {
  settle(): Promise<unknown>;
  listKeys(): Promise<unknown>;
}

interface LocalEnv extends Omit<Env, "STORE">, SweepEnv {
  readonly STORE: Omit<StoreNamespace, "get"> & { get(id: DurableObjectId): LocalStub };
  readonly ACCOUNT: DurableObjectNamespace<AccountObject>;
  readonly DIRECTORY: D1Database;
  readonly LOCAL_TOKEN: string;
}

export default {
  async fetch(request: Request, env: LocalEnv, context: ExecutionContext): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/__local/") && request.method === "POST" && mayProvision(request, env)) {
      const answer = await answerLocal(env, pathname.slice("/__local/".length), await request.json());
      if (answer !== null) return Response.json(answer);
    }
    return app.fetch(request, env, context);
  },
};

async function answerLocal(env: LocalEnv, what: string, wish: unknown): Promise<unknown> {
  switch (what) {
    case "store":
      return openStore(env, wish as { readonly balanceOps: number });
    case "ledger":
      return readLedger(env, (wish as { readonly storeId: string }).storeId);
    case "keys":
      return env.STORE.get(env.STORE.idFromString((wish as { readonly storeId: string }).storeId)).listKeys();
    case "sweep":
      return sweepAhead(env, wish as AheadOfTime);
    case "counters":
      return COUNTERS.read();
    case "migrate":
      return migrateDirectory(env.DIRECTORY, (wish as { readonly files: readonly Migration[] }).files);
    default:
      return null;
  }
}

/** What may be swept as if it were later: sessions and tickets are everybody's at this service, and are not. */
interface AheadOfTime {
  readonly snapshotsAtMs?: number;
  readonly closedAtMs?: number;
}

async function sweepAhead(env: LocalEnv, { snapshotsAtMs, closedAtMs }: AheadOfTime): Promise<unknown> {
  const db = openDirectory(env.DIRECTORY);
  await sweep(env, Date.now());
  if (snapshotsAtMs !== undefined) await sweepSnapshots(db, env.FILES, snapshotsAtMs);
  if (closedAtMs !== undefined) await forgetClosed(db, closedAtMs - UNDO_MS, 1000);
  return {};
}

/** What a store's account has been billed, up to the calls that have ended: its balance, and this store's settled calls. */
async function readLedger(env: LocalEnv, storeId: string): Promise<unknown> {
  const row = await env.DIRECTORY.prepare("SELECT account_id FROM store WHERE id = ?").bind(storeId).first<{ account_id: string }>();
  if (row === null) return { balanceOps: 0, calls: [] };
  await env.STORE.get(env.STORE.idFromString(storeId)).settle();
  const account = env.ACCOUNT.get(env.ACCOUNT.idFromString(row.account_id));
  const { balanceOps } = await account.status();
  return { balanceOps, calls: await account.ledger(storeId, LEDGER_ROWS_MAX) };
}

/** More calls than a test makes. */
const LEDGER_ROWS_MAX = 100_000;

interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
}

/** Keeps wrangler's own table, so that either may have applied a file. */
async function migrateDirectory(d1: D1Database, files: readonly Migration[]): Promise<readonly string[]> {
  await d1.exec(
    "CREATE TABLE IF NOT EXISTS d1_migrations(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)",
  );
  const { results } = await d1.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  const fresh = files.filter((file) => !results.some((row) => row.name === file.name));
  for (const { name, statements } of fresh) {
    await d1.batch([...statements.map((text) => d1.prepare(text)), d1.prepare("INSERT INTO d1_migrations(name) VALUES (?)").bind(name)]);
  }
  return fresh.map((file) => file.name);
}

function mayProvision(request: Request, env: LocalEnv): boolean {
  const encoder = new TextEncoder();
  const token = env.LOCAL_TOKEN ?? "";
  return token.length >= 32 && sameSecret(encoder.encode(request.headers.get("x-local-token") ?? ""), encoder.encode(token));
}

async function openStore(env: LocalEnv, wish: { readonly balanceOps: number }): Promise<NewStore> {
  const { accountId, createdMs, ...store } = await makeStore(env, wish.balanceOps);
  await recordStore(env.DIRECTORY, { storeId: store.id, accountId, createdMs });
  return store;
}
