/** Windows as the engine computes with them: `[from, to)` in microseconds, infinite where open. */
import type { Window } from "./claim";

export interface Bounds {
  readonly from: number;
  readonly to: number;
}

export function boundsOf(window: Window): Bounds {
  return { from: window.from ?? Number.NEGATIVE_INFINITY, to: window.to ?? Number.POSITIVE_INFINITY };
}

export function overlaps(a: Bounds, b: Bounds): boolean {
  return a.from < b.to && b.from < a.to;
}

export function holds(span: Bounds, at: number): boolean {
  return span.from <= at && at < span.to;
}

/** True where the parts together cover the whole. */
export function covers(parts: readonly Bounds[], whole: Bounds): boolean {
  let reached = whole.from;
  for (const part of [...parts].sort((a, b) => (a.from < b.from ? -1 : 1))) {
    if (part.from > reached) return false;
    if (part.to > reached) reached = part.to;
    if (reached >= whole.to) return true;
  }
  return false;
}
