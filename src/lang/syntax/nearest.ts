/** What a misspelt word may have meant: the nearest by the letters that change. */

/**
 * The nearest of `candidates` to a misspelt name: edit distance at most 2 (1 for up to 4 letters), least distance, then least
 * name. More of the letters stand than change: of `y` no `x` is near, and a client that applied it as a `fix` would run
 * another program than was meant.
 */
export function nearest(name: string, candidates: Iterable<string>): string | null {
  let best: string | null = null;
  let bestDistance = name.length <= 4 ? 2 : 3;
  for (const c of candidates) {
    const d = editDistance(name, c, bestDistance + 1);
    if (2 * d >= Math.max(name.length, c.length) && name.toLowerCase() !== c.toLowerCase()) continue;
    if (d < bestDistance || (d === bestDistance && best !== null && c < best)) {
      best = c;
      bestDistance = d;
    }
  }
  return best;
}

/** Optimal string alignment distance, or `bound` where it is that or more. */
export function editDistance(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) >= bound) return bound;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      let d = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) d = Math.min(d, before[j - 2]! + 1);
      next.push(d);
    }
    before = row;
    row = next;
  }
  return Math.min(row[b.length]!, bound);
}
