/** Types of judge-log.mjs, for the tests. */
export function judgeLog(names: { readonly tools: readonly object[] }): {
  readonly problems: readonly string[];
  lines(): number;
  end(): void;
};
