/** Types of trial-service.mjs, for the tests. */
import type { Level } from "../src/engine/claim";

export interface Trial {
  readonly url: string;
  newStore(balanceOps?: number): Promise<{ readonly id: string; readonly keys: Readonly<Record<Level, string>> }>;
  ledger(
    storeId: string,
  ): Promise<{ readonly balanceOps: number; readonly calls: readonly { readonly tool: string; readonly ops: number }[] }>;
}
export function trialOf(url: string, localToken: string): Trial;
export function startTrial(): Promise<Trial & { directory(): Promise<D1Database>; end(): Promise<void> }>;
