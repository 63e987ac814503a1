/**
 * The two objects behind a small HTTP face, with an engine whose calls do exactly what the test says.
 *
 * The objects are the product's own; only what they run is ours: a task that writes rows, counts ops, waits for a gate,
 * or fails. So turns, stop, credit, crashes and encryption are tested without the language and the store.
 */
import { AccountObject, type LeaseReply, type LeaseRequest } from "../../src/durable/account-object";
import type { DurableEnv } from "../../src/durable/env";
import { SqlDurable, StorageFailure } from "../../src/durable/sql-durable";
import { StoreObject } from "../../src/durable/store-object";
import { type EngineSession, PARTS, type StoreEngine } from "../../src/durable/store-parts";
import { generateDataKey, keyEncryptionKey, keyHash, wrapDataKey } from "../../src/durable/vault";
import { LEVELS } from "../../src/engine/claim";
import type { Cipher, Sql } from "../../src/engine/sql";
import { InvalidParams, type ToolAnswer, type ToolCall, type ToolTask } from "../../src/tools/answer";
import { SQL_CHECKS } from "./probe-sql";

export interface ProbeArgs {
  /** Statements to run, one a slice; each costs `opsEach` (1) and writes a row where `write`. */
  readonly statements?: number;
  readonly opsEach?: number;
  readonly write?: boolean;
  /** Before the statement of this number, slices pass until the gate is opened. */
  readonly gateAt?: number;
  readonly gate?: string;
  /** True: the gate stands inside the statement, so a stop waits for it. */
  readonly gateIsInside?: boolean;
  readonly failAt?: number;
  /** Begins to read all rows, and breaks off after the first. */
  readonly breakOff?: boolean;
  readonly fail?: "fault" | "storage" | "params" | "fault after writing";
}

const openGates = new Set<string>();

class ProbeTask implements ToolTask {
  readonly #sql: Sql;
  readonly #call: ToolCall;
  readonly #args: ProbeArgs;
  #stopAsked = false;
  #statement = 0;
  #ended: string | null = null;
  stopped = false;
  ops = 0;
  readonly instant: number;

  constructor(sql: Sql, call: ToolCall) {
    this.#sql = sql;
    this.#call = call;
    this.#args = call.args as ProbeArgs;
    this.instant = call.wallMicros + 7;
    if (this.#args.fail === "params") throw new InvalidParams("`source` is missing");
  }

  stop(): void {
    this.#stopAsked = true;
  }

  advance(): boolean {
    const { statements = 1, opsEach = 1, gate, gateAt = -1, gateIsInside = false, failAt = -1, fail } = this.#args;
    const waits = gate !== undefined && this.#statement === gateAt && !openGates.has(gate);
    if (waits && gateIsInside) return false;
    if (this.#statement === statements) return this.#end("completed");
    if (this.#stopAsked) {
      this.stopped = true;
      return this.#end("stopped");
    }
    if (waits) return false;
    if (this.ops + opsEach > this.#call.opsMax) return this.#end("limit");
    if (this.#statement === failAt && fail === "fault") throw new Error("a fault of ours");
    if (this.#statement === failAt && fail === "storage") throw new StorageFailure("SQLITE_IOERR: disk I/O error");
    if (this.#args.breakOff) for (const _ of this.#sql.scan("SELECT * FROM probe")) break;
    if (this.#args.write) this.#sql.exec("INSERT INTO probe VALUES (?, ?)", this.#call.caller.keyId, this.#statement);
    if (this.#statement === failAt && fail === "fault after writing") throw new Error("a fault of ours");
    this.ops += opsEach;
    this.#statement++;
    return false;
  }

  answer(): ToolAnswer {
    const { opsMax, opsMaxIsCredit, caller } = this.#call;
    const meta = { ended: this.#ended, statements: this.#statement, opsMax, opsMaxIsCredit, level: caller.level };
    return { status: this.#ended === "completed" ? "success" : "refuse", text: "probe", meta, mirror: null, ops: this.ops };
  }

  #end(how: string): true {
    this.#ended = how;
    return true;
  }
}

const PROBE_ENGINE: StoreEngine = {
  toolsServed: new Set(["run", "compile", "list", "diff"]),
  open(sql: Sql, cipher: Cipher): EngineSession {
    sql.exec("CREATE TABLE IF NOT EXISTS probe (key_id TEXT NOT NULL, statement INTEGER NOT NULL) STRICT");
    sql.exec("CREATE TABLE IF NOT EXISTS sealed (bytes BLOB NOT NULL) STRICT");
    sql.exec("CREATE TABLE IF NOT EXISTS rest (n INTEGER NOT NULL) STRICT");
    // Whatever an earlier opening sealed must open now: the data key is the same one.
    for (const [bytes] of sql.exec("SELECT bytes FROM sealed")) cipher.open(bytes as Uint8Array, "probe");
    sql.exec("INSERT INTO sealed VALUES (?)", cipher.seal(new TextEncoder().encode("sealed"), "probe"));
    return {
      startTool: (call) => new ProbeTask(sql, call),
      rest: () => {
        sql.exec("INSERT INTO rest VALUES (1)");
      },
    };
  },
};

/** The product's object, and what only a test may do to one. */
class ProbeStore extends StoreObject {
  readonly #ctx: DurableObjectState;
  constructor(ctx: DurableObjectState, env: DurableEnv & { readonly REAL_ENGINE?: number }) {
    // Shorter waits than the contract's, so that a test may sit them out.
    super(ctx, env, {
      ...(env.REAL_ENGINE ? PARTS : { ...PARTS, engine: PROBE_ENGINE }),
      queueWaitMsMax: 1_500,
      stopWaitMs: 700,
      vaultIdleMs: 400,
      settleAfterMs: 400,
    });
    this.#ctx = ctx;
  }

  crash(): void {
    this.#ctx.abort("crash");
  }

  checkSql(check: string): string {
    SQL_CHECKS[check](new SqlDurable(this.#ctx.storage), this.#ctx.storage);
    return "kept";
  }

  /** From now on the statement of this number, counted from 1, fails as a broken disk does. */
  failStatement(number: number): void {
    const sql = this.#ctx.storage.sql;
    const exec = sql.exec.bind(sql);
    let count = 0;
    Object.defineProperty(sql, "exec", {
      configurable: true,
      value: (text: string, ...parameters: SqlStorageValue[]) => {
        if (++count === number) throw new Error("disk I/O error: SQLITE_IOERR");
        return exec(text, ...parameters);
      },
    });
  }

  /** One byte of a file in object storage differs from now on. */
  async spoilFile(key: string): Promise<void> {
    const bytes = new Uint8Array(await (await this.env.FILES!.get(key))!.arrayBuffer());
    bytes[bytes.length >> 1] ^= 1;
    await this.env.FILES!.put(key, bytes);
  }

  async dropFile(key: string): Promise<void> {
    await this.env.FILES!.delete(key);
  }

  /** Bytes of every file under a prefix, as hex, by name. */
  async readFiles(prefix: string): Promise<Record<string, string>> {
    const { objects } = await this.env.FILES!.list({ prefix });
    const files = objects.map(async ({ key }) => [key, toHex(await (await this.env.FILES!.get(key))!.arrayBuffer())]);
    return Object.fromEntries(await Promise.all(files));
  }

  /** What the alarm does, now: the platform lets nobody else call it. */
  override settle(): Promise<void> {
    return this.alarm();
  }

  query(text: string): unknown[] {
    return [...this.#ctx.storage.sql.exec(text).raw()].map((row) =>
      row.map((value) => (value instanceof ArrayBuffer ? toHex(value) : value)),
    );
  }
}

class ProbeAccount extends AccountObject {
  #gate: string | null = null;
  #repliesToLose = 0;
  readonly #ctx: DurableObjectState;
  constructor(ctx: DurableObjectState, env: DurableEnv) {
    super(ctx, env);
    this.#ctx = ctx;
  }

  /** From now on a lease is answered once the gate is open. */
  holdLeases(gate: string): void {
    this.#gate = gate;
  }

  override async lease(request: LeaseRequest): Promise<LeaseReply> {
    while (this.#gate !== null && !openGates.has(this.#gate)) await new Promise((resolve) => setTimeout(resolve, 5));
    const reply = await super.lease(request);
    if (this.#repliesToLose > 0) {
      this.#repliesToLose--;
      throw new Error("the reply is lost");
    }
    return reply;
  }

  loseReplies(count: number): void {
    this.#repliesToLose = count;
  }

  crash(): void {
    this.#ctx.abort("crash");
  }

  tables(): unknown {
    return [...this.#ctx.storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf\\_%' ESCAPE '\\'").raw()].length;
  }

  totals(): unknown[] {
    const sql = new SqlDurable(this.#ctx.storage);
    return [
      sql.exec("SELECT deposited, settled FROM account")[0],
      sql.exec("SELECT coalesce(sum(ops), 0), count(*) FROM ledger")[0],
      sql.exec("SELECT coalesce(sum(granted - settled), 0) FROM lease")[0],
    ].flat();
  }
}

export { ProbeAccount as AccountObject, ProbeStore as StoreObject };

interface ProbeEnv {
  readonly STORE: DurableObjectNamespace<ProbeStore>;
  readonly ACCOUNT: DurableObjectNamespace<ProbeAccount>;
}

/** A key as the worker would pass it on: hash and key-encryption key. */
interface ProbeKey {
  readonly keyId: string;
  readonly hash: string;
  readonly encryptionKey: string;
}

/** Of the stores made here: whoever rotates a key knows its store's data key, by opening the old one. */
const dataKeys = new Map<string, Uint8Array>();

async function makeStore(
  env: ProbeEnv,
  wish: { balanceOps?: number; callsAtOnceMax?: number; accountId?: string; levels?: string[]; expiresInMs?: number; passing?: boolean },
): Promise<unknown> {
  const accountId = wish.accountId ?? env.ACCOUNT.newUniqueId().toString();
  const account = env.ACCOUNT.get(env.ACCOUNT.idFromString(accountId));
  const { balanceOps, callsAtOnceMax, passing } = wish;
  if (balanceOps !== undefined) await account.open({ balanceOps, callsAtOnceMax, passing });
  const id = env.STORE.newUniqueId();
  const storeId = id.toString();
  const dataKey = generateDataKey();
  dataKeys.set(storeId, dataKey);
  const keys: Record<string, ProbeKey> = {};
  const rows = (wish.levels ?? LEVELS).map((name) => {
    const level = name.replace(/\d+$/, "") as (typeof LEVELS)[number];
    const made = makeKey(storeId, `${storeId}/${name}`, dataKey);
    keys[name] = made.key;
    return { ...made.row, level, label: name };
  });
  const expiresAtMs = wish.expiresInMs === undefined ? undefined : Date.now() + wish.expiresInMs;
  await env.STORE.get(id).provision({ accountId, createdAtMicros: Date.now() * 1000, keys: rows, expiresAtMs });
  return { storeId, accountId, keys };
}

/** A key made of a seed, wrapping a data key: the store's own, or a foreign one. */
function makeKey(storeId: string, seed: string, dataKey: Uint8Array) {
  const hash = keyHash(`key ${seed}`);
  const encryptionKey = keyEncryptionKey(new TextEncoder().encode(`secret ${seed}`), storeId);
  const wrap = wrapDataKey(dataKey, encryptionKey, { storeId, keyHash: hash });
  const keyId = `key_${hash.slice(0, 8)}`;
  return { key: { keyId, hash, encryptionKey: toHex(encryptionKey) }, row: { keyId, hash, wrap } };
}

function toHex(bytes: Uint8Array | ArrayBuffer): string {
  return Buffer.from(bytes as Uint8Array).toString("hex");
}

function fromHex(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, "hex"));
}

type Method = (...args: unknown[]) => Promise<unknown>;

export default {
  async fetch(request: Request, env: ProbeEnv): Promise<Response> {
    const body = (await request.json()) as {
      do: string;
      id?: string;
      method?: string;
      args?: unknown[];
      wish?: object;
      gate?: string;
      request?: object;
    };
    try {
      return Response.json({ value: (await answer(body, env)) ?? null });
    } catch (error) {
      return Response.json({ error: String(error) });
    }
  },
};

async function answer(
  body: {
    do: string;
    id?: string;
    method?: string;
    args?: unknown[];
    wish?: object;
    gate?: string;
    request?: object;
    seed?: string;
    keyId?: string;
    check?: string;
  },
  env: ProbeEnv,
): Promise<unknown> {
  const stub = (namespace: DurableObjectNamespace<ProbeStore> | DurableObjectNamespace<ProbeAccount>) =>
    namespace.get(namespace.idFromString(body.id!)) as unknown as Record<string, Method>;
  switch (body.do) {
    case "make":
      return makeStore(env, body.wish!);
    case "open gate":
      openGates.add(body.gate!);
      return null;
    case "call": {
      const request = body.request as { keyEncryptionKey: string };
      return stub(env.STORE).call({ ...request, keyEncryptionKey: fromHex(request.keyEncryptionKey) });
    }
    case "issue foreign key": {
      const made = makeKey(body.id!, `foreign ${body.seed}`, generateDataKey());
      const result = await stub(env.STORE).issueKey({ ...made.row, level: "read-write", label: "foreign" });
      return { result, key: made.key };
    }
    case "rotate key": {
      const { key, row } = makeKey(body.id!, `rotated ${body.seed}`, dataKeys.get(body.id!)!);
      const result = await stub(env.STORE).rotateKey(body.keyId!, { hash: row.hash, wrap: row.wrap });
      return { result, key: { ...key, keyId: body.keyId } };
    }
    case "sql check":
      return env.STORE.get(env.STORE.newUniqueId()).checkSql(body.check!);
    case "store":
      return stub(env.STORE)[body.method!](...(body.args ?? []));
    case "account":
      return stub(env.ACCOUNT)[body.method!](...(body.args ?? []));
    default:
      throw new Error(`unknown: ${body.do}`);
  }
}
