/** Types of state-lock.mjs, for the tests. */
export function claimStateFolder(stateFolder: string): Promise<() => void>;
export function guardChildren(stateFolder: string): void;
