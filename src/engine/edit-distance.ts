/**
 * How many letters two names differ by: the least number of insertions, deletions and replacements.
 */

/** `max + 1` for anything above `max`. In code points. */
export function editDistance(a: string, b: string, max: number): number {
  const x = [...a];
  const y = [...b];
  if (Math.abs(x.length - y.length) > max) return max + 1;
  let row = y.map((_, j) => j + 1);
  row.unshift(0);
  for (let i = 1; i <= x.length; i++) {
    const next = [i];
    for (let j = 1; j <= y.length; j++) {
      const replaced = row[j - 1]! + (x[i - 1] === y[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
    if (Math.min(...row) > max) return max + 1;
  }
  return Math.min(row[y.length]!, max + 1);
}
