/** Types of seeded.mjs, for the tests. */
export interface Chance {
  /** In [0, 1). */
  next(): number;
  /** A whole number in [0, n). */
  below(n: number): number;
  pick<T>(list: readonly T[]): T;
  chance(probability: number): boolean;
}
export function seeded(seed: number): Chance;
