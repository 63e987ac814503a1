/**
 * How often a key may call, and how many ops one call may use: what the operator set for the account, and where nothing is set what
 * the deployment has for all.
 *
 * The account's object owns what was set (account-object.ts); a store keeps what it was last told, so that a call asks nobody.
 */
import type { Sql } from "../engine/sql";
import { CALL_OPS_MAX, KEY_CALLS_PER_SECOND_DEFAULT } from "../limits";
import { type DurableEnv, positiveSetting } from "./env";
import { RateLimit } from "./rate-limit";

/** Null: as the deployment has it. */
export interface AccountLimits {
  /** On average, and as many at once. */
  readonly keyCallsPerSecond: number | null;
  readonly callOpsMax: number | null;
}

/** Not among the tables that an object is made with: some were made before it was. */
export function prepareLimits(sql: Sql): void {
  sql.exec(
    "CREATE TABLE IF NOT EXISTS service_limits (one INTEGER PRIMARY KEY CHECK (one = 1), key_calls_per_s REAL, call_ops_max INTEGER) STRICT",
  );
}

export function readLimits(sql: Sql): AccountLimits {
  const [row] = sql.exec("SELECT key_calls_per_s, call_ops_max FROM service_limits");
  return { keyCallsPerSecond: (row?.[0] as number | null) ?? null, callOpsMax: (row?.[1] as number | null) ?? null };
}

export function writeLimits(sql: Sql, { keyCallsPerSecond, callOpsMax }: AccountLimits): void {
  sql.exec("INSERT OR REPLACE INTO service_limits VALUES (1, ?, ?)", keyCallsPerSecond, callOpsMax);
}

/** A store's side. */
export class CallLimits {
  readonly #sql: Sql;
  readonly #env: DurableEnv;
  #limits: AccountLimits;
  #rate: RateLimit;

  constructor(sql: Sql, env: DurableEnv) {
    this.#sql = sql;
    this.#env = env;
    prepareLimits(sql);
    this.#limits = readLimits(sql);
    this.#rate = this.#newRate();
  }

  get callOpsMax(): number {
    return this.#limits.callOpsMax ?? Math.floor(positiveSetting(this.#env.CALL_OPS_MAX, CALL_OPS_MAX));
  }

  /** Counts a call; the whole seconds to wait where it is one too many, else 0. */
  take(keyId: string, nowMs: number): number {
    return this.#rate.take(keyId, nowMs);
  }

  /** Holds from the next call on. */
  set(limits: AccountLimits): void {
    const { keyCallsPerSecond, callOpsMax } = this.#limits;
    if (limits.keyCallsPerSecond === keyCallsPerSecond && limits.callOpsMax === callOpsMax) return;
    writeLimits(this.#sql, limits);
    this.#limits = limits;
    if (limits.keyCallsPerSecond !== keyCallsPerSecond) this.#rate = this.#newRate();
  }

  #newRate(): RateLimit {
    const set = this.#limits.keyCallsPerSecond;
    const perSecond = set ?? positiveSetting(this.#env.KEY_CALLS_PER_SECOND, KEY_CALLS_PER_SECOND_DEFAULT);
    const burst = Math.max(1, Math.ceil(perSecond));
    return new RateLimit({ perSecond, burst: set === null ? positiveSetting(this.#env.KEY_CALLS_BURST, burst) : burst });
  }
}
