/** Types of fuzz-wire.mjs, for the tests. */
export function fuzzWire(draw: {
  readonly url: string;
  readonly keys: readonly string[];
  /** As `tools/list` gives them. */
  readonly tools: readonly object[];
  readonly requests: number;
  readonly seed: number;
  readonly atOnce?: number;
}): Promise<{ readonly problems: readonly string[]; readonly kinds: Readonly<Record<string, number>> }>;
