/** Types of migrate.mjs, for the tests. */
export function migrate(d1: unknown): Promise<void>;
