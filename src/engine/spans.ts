/**
 * Sets of instants, as flat sorted lists of disjoint, non-touching spans: `[from, to, from, to, …]`, each `[from, to)`
 * in microseconds, `-Infinity` and `Infinity` where open. The empty list is never; `ALWAYS_SPANS` is always.
 */
export type Spans = readonly number[];

export const NEVER_SPANS: Spans = [];
export const ALWAYS_SPANS: Spans = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

/** Sorts, and joins what overlaps or touches. `pieces` is a flat list in any order and is not kept. */
export function normalSpans(pieces: readonly number[]): Spans {
  if (pieces.length <= 2) return pieces.length === 0 || pieces[0]! < pieces[1]! ? pieces : NEVER_SPANS;
  const pairs: [number, number][] = [];
  for (let i = 0; i < pieces.length; i += 2) if (pieces[i]! < pieces[i + 1]!) pairs.push([pieces[i]!, pieces[i + 1]!]);
  pairs.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0));
  const out: number[] = [];
  for (const [from, to] of pairs) {
    const last = out.length - 1;
    if (last >= 0 && from <= out[last]!) {
      if (to > out[last]!) out[last] = to;
    } else out.push(from, to);
  }
  return out;
}

/** The least instant above one; the grain of a double above 2^53. */
export function instantAfter(at: number): number {
  let step = 1;
  while (at + step === at) step *= 2;
  return at + step;
}

export function sameSpans(a: Spans, b: Spans): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

export function holdsAt(spans: Spans, at: number): boolean {
  for (let i = 0; i < spans.length; i += 2) if (spans[i]! <= at && at < spans[i + 1]!) return true;
  return false;
}

/** `a` without `b`. */
export function minusSpans(a: Spans, b: Spans): Spans {
  if (b.length === 0 || a.length === 0) return a;
  const out: number[] = [];
  let j = 0;
  for (let i = 0; i < a.length; i += 2) {
    let from = a[i]!;
    const to = a[i + 1]!;
    while (j < b.length && b[j + 1]! <= from) j += 2;
    for (let k = j; k < b.length && b[k]! < to && from < to; k += 2) {
      if (b[k]! > from) out.push(from, b[k]!);
      if (b[k + 1]! > from) from = b[k + 1]!;
    }
    if (from < to) out.push(from, to);
  }
  return out;
}

export function meetSpans(a: Spans, b: Spans): Spans {
  const out: number[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const from = Math.max(a[i]!, b[j]!);
    const to = Math.min(a[i + 1]!, b[j + 1]!);
    if (from < to) out.push(from, to);
    if (a[i + 1]! < b[j + 1]!) i += 2;
    else j += 2;
  }
  return out;
}

/** Collects spans one at a time; cheap while one span covers all the others. */
export class SpanGather {
  #pieces: number[] = [];

  add(from: number, to: number): void {
    const pieces = this.#pieces;
    for (let i = 0; i < pieces.length; i += 2) {
      if (pieces[i]! <= from && to <= pieces[i + 1]!) return;
    }
    pieces.push(from, to);
    if (pieces.length > 32) this.#pieces = [...normalSpans(pieces)];
  }

  covers(from: number, to: number): boolean {
    const pieces = this.#pieces;
    if (pieces.length === 0) return false;
    if (pieces.length === 2) return pieces[0]! <= from && to <= pieces[1]!;
    const spans = normalSpans(pieces);
    this.#pieces = [...spans];
    for (let i = 0; i < spans.length; i += 2) if (spans[i]! <= from && to <= spans[i + 1]!) return true;
    return false;
  }

  spans(): Spans {
    return normalSpans(this.#pieces);
  }
}
