/** Types of kill-writes.mjs, for the tests. */
export interface Kills {
  readonly kills: number;
  /** Calls that were answered before a kill. */
  readonly acknowledged: number;
  /** From each start to its first right answer. */
  readonly restartsMs: readonly number[];
  /** What was found wrong, a sentence each. */
  readonly problems: readonly string[];
}
export function killWrites(trial: {
  readonly kills: number;
  readonly seed: number;
  readonly writers?: number;
  readonly tell?: (line: string) => void;
}): Promise<Kills>;
