/**
 * Tells an account's holder by mail that the balance has fallen below what they named: once, until it was above it again.
 *
 * The threshold lies in the account's object, beside the balance that it is about; the address is asked of the directory when there
 * is something to write.
 */
import { accountById } from "../directory/accounts";
import { openDirectory } from "../directory/directory";
import type { Sql } from "../engine/sql";
import { OPS_PER_LCN } from "../limits";
import type { DurableEnv } from "./env";
import { postOf } from "./letters";

export class BalanceAlert {
  readonly #sql: Sql;
  #belowOps: number | null;
  #toldAtMs: number | null;

  constructor(sql: Sql) {
    this.#sql = sql;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS alert (one INTEGER PRIMARY KEY CHECK (one = 1), below INTEGER NOT NULL, told_at_ms INTEGER) STRICT",
    );
    const [row] = sql.exec("SELECT below, told_at_ms FROM alert");
    this.#belowOps = (row?.[0] as number | undefined) ?? null;
    this.#toldAtMs = (row?.[1] as number | null | undefined) ?? null;
  }

  get belowOps(): number | null {
    return this.#belowOps;
  }

  set(belowOps: number | null): void {
    if (belowOps === null) this.#sql.exec("DELETE FROM alert");
    else this.#sql.exec("INSERT OR REPLACE INTO alert VALUES (1, ?, NULL)", belowOps);
    this.#belowOps = belowOps;
    this.#toldAtMs = null;
  }

  /** A balance that is not below the threshold makes it count again. */
  isDue(balanceOps: number): boolean {
    if (this.#belowOps === null) return false;
    if (balanceOps < this.#belowOps) return this.#toldAtMs === null;
    if (this.#toldAtMs !== null) this.told(null);
    return false;
  }

  told(atMs: number | null): void {
    this.#sql.exec("UPDATE alert SET told_at_ms = ?", atMs);
    this.#toldAtMs = atMs;
  }
}

export interface LowBalance {
  readonly accountId: string;
  readonly balanceOps: number;
  readonly belowOps: number;
}

export async function tellLowBalance(env: DurableEnv, low: LowBalance, nowMs: number): Promise<void> {
  const db = openDirectory(env.DIRECTORY!);
  const { email: to = null, confirmedMs = null } = (await accountById(db, low.accountId)) ?? {};
  // An address that somebody else may have given is not written to by itself.
  if (to === null || confirmedMs === null) return;
  const lcn = (ops: number): string => `${ops / OPS_PER_LCN} LCN`;
  const text = `The balance of your DKE account is ${lcn(low.balanceOps)}, below the ${lcn(low.belowOps)} that you wished to be told of.\n\nWhen it is used up, calls are refused, and no call runs on credit. What your stores hold stays as it is.\n\nYou are told again once the balance has been above that and falls below it.\n`;
  await postOf(env, db, nowMs).send({ to, subject: "The balance of your DKE account is low", text });
}
