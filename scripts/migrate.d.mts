/** Types of migrate.mjs, for the tests. */
export function migrate(url: string, localToken: string): Promise<void>;
export function askLocal(url: string, localToken: string, what: "store" | "ledger" | "migrate" | "sweep", body: unknown): Promise<unknown>;
