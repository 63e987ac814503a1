/**
 * CPython 3.11's listsort over an array of indices and a `less` that may raise or be partial. The sequence of
 * comparisons is CPython's, so the result is CPython's even where the order is not total, and so is what is left where one raises.
 *
 * It can be left between two comparisons: finding runs and merging are generators, which ask the pace now and then.
 * What takes a few dozen comparisons (an insertion, a gallop) is not cut.
 */
import type { Work } from "./pending";
import { type SortPace, STRETCH } from "./sort-pace";

type Less = (a: number, b: number) => boolean;
interface Run {
  base: number;
  length: number;
  power: number;
}

const MIN_GALLOP = 7;
/** What two gallops compare, about. */
const GALLOP = 8;

/** Below this there is nothing to merge. */
const MERGED_MIN = 64;

/** Sorts in place, in one go. */
export function listSort(a: number[], less: Less): void {
  const sort = new ListSort(a, less, null);
  if (a.length < MERGED_MIN) sort.short();
  else sort.sorting().next();
}
/** The same, waiting where the pace says so. */
export function listSorting(a: number[], less: Less, pace: SortPace): Work<void> {
  return new ListSort(a, less, pace).sorting();
}

class ListSort {
  private minGallop = MIN_GALLOP;
  private readonly pending: Run[] = [];
  /** Comparisons since the pace was asked. */
  private compared = 0;
  /** Puts what a merge has set aside behind what it has merged: all that is left then is in its place. */
  private putBack: () => void = () => {};
  constructor(
    private readonly a: number[],
    private readonly less: Less,
    /** Null: in one go. */
    private readonly pace: SortPace | null,
  ) {}

  /** Few elements: one run. */
  short(): void {
    const { a, less } = this;
    const n = a.length;
    if (n < 2) return;
    const falls = less(a[1], a[0]);
    const end = this.runEnd(2, n, falls);
    if (falls) this.turn(0, end);
    this.binarySort(0, n, end);
  }

  *sorting(): Work<void> {
    let left = this.a.length;
    if (left < 2) return;
    let low = 0;
    const minRun = minRunOf(left);
    while (left > 0) {
      let n = yield* this.countRun(low, low + left);
      if (n < minRun) {
        const forced = Math.min(left, minRun);
        this.binarySort(low, low + forced, low + n);
        n = forced;
        if ((this.compared += 6 * forced) >= STRETCH && this.due()) yield;
      }
      yield* this.foundRun(n);
      this.pending.push({ base: low, length: n, power: 0 });
      low += n;
      left -= n;
    }
    while (this.pending.length > 1) {
      let n = this.pending.length - 2;
      if (n > 0 && this.pending[n - 1].length < this.pending[n + 1].length) n--;
      yield* this.mergeAt(n);
    }
  }

  /** Whether to wait, asked where enough was compared. */
  private due(): boolean {
    const n = this.compared;
    this.compared = 0;
    return this.pace?.mustWait(n) === true;
  }

  /** Length of the run at `low`, ascending or (strictly) descending; the latter is reversed. */
  private *countRun(low: number, high: number): Work<number> {
    const { a, less } = this;
    if (low + 1 === high) return 1;
    const falls = less(a[low + 1], a[low]);
    let end = low + 2;
    for (;;) {
      const begin = end;
      const stop = Math.min(begin + STRETCH, high);
      end = this.runEnd(begin, stop, falls);
      this.compared += end - begin;
      if (end < stop || end === high) break;
      if (this.due()) yield;
    }
    if (falls) this.turn(low, end);
    return end - low;
  }
  /** From `from` on, where the run that holds what is before it ends; `high` at most. */
  private runEnd(from: number, high: number, falls: boolean): number {
    const { a, less } = this;
    let i = from;
    while (i < high && less(a[i], a[i - 1]) === falls) i++;
    return i;
  }
  private turn(low: number, end: number): void {
    const { a } = this;
    for (let i = low, j = end - 1; i < j; i++, j--) [a[i], a[j]] = [a[j], a[i]];
  }

  /** [low, start) is sorted; sorts [low, high). */
  private binarySort(low: number, high: number, start: number): void {
    const { a, less } = this;
    for (let at = low === start ? start + 1 : start; at < high; at++) {
      const pivot = a[at];
      let l = low;
      let r = at;
      do {
        const p = l + ((r - l) >> 1);
        if (less(pivot, a[p])) r = p;
        else l = p + 1;
      } while (l < r);
      a.copyWithin(l + 1, l, at);
      a[l] = pivot;
    }
  }

  /** Merges earlier runs while their boundary is deeper in the tree of merges (powersort). */
  private *foundRun(n2: number): Work<void> {
    const { pending } = this;
    if (pending.length === 0) return;
    const last = pending[pending.length - 1];
    const power = powerLoop(last.base, last.length, n2, this.a.length);
    while (pending.length > 1 && pending[pending.length - 2].power > power) yield* this.mergeAt(pending.length - 2);
    pending[pending.length - 1].power = power;
  }

  private *mergeAt(i: number): Work<void> {
    const { a, pending } = this;
    let { base: baseA, length: lengthA } = pending[i];
    const baseB = pending[i + 1].base;
    let lengthB = pending[i + 1].length;
    pending[i].length = lengthA + lengthB;
    if (i === pending.length - 3) pending[i + 1] = pending[i + 2];
    pending.pop();
    const k = this.gallopRight(a[baseB], a, baseA, lengthA, 0);
    baseA += k;
    lengthA -= k;
    if (lengthA === 0) return;
    lengthB = this.gallopLeft(a[baseA + lengthA - 1], a, baseB, lengthB, lengthB - 1);
    if (lengthB <= 0) return;
    try {
      if (lengthA <= lengthB) yield* this.mergeLow(baseA, lengthA, baseB, lengthB);
      else yield* this.mergeHigh(baseA, lengthA, baseB, lengthB);
    } catch (thrown) {
      // Whatever a comparison raises, no element is lost.
      this.putBack();
      throw thrown;
    }
  }

  /** Where `key` goes in the sorted a[base, base+n), left of its equals; the search begins at `hint`. */
  private gallopLeft(key: number, a: readonly number[], base: number, n: number, hint: number): number {
    const { less } = this;
    const at = base + hint;
    let last = 0;
    let offset = 1;
    if (less(a[at], key)) {
      const most = n - hint;
      while (offset < most && less(a[at + offset], key)) {
        last = offset;
        offset = offset * 2 + 1;
      }
      if (offset > most) offset = most;
      last += hint;
      offset += hint;
    } else {
      const most = hint + 1;
      while (offset < most && !less(a[at - offset], key)) {
        last = offset;
        offset = offset * 2 + 1;
      }
      if (offset > most) offset = most;
      [last, offset] = [hint - offset, hint - last];
    }
    last++;
    while (last < offset) {
      const m = last + ((offset - last) >> 1);
      if (less(a[base + m], key)) last = m + 1;
      else offset = m;
    }
    return offset;
  }

  /** The same, right of its equals. */
  private gallopRight(key: number, a: readonly number[], base: number, n: number, hint: number): number {
    const { less } = this;
    const at = base + hint;
    let last = 0;
    let offset = 1;
    if (less(key, a[at])) {
      const most = hint + 1;
      while (offset < most && less(key, a[at - offset])) {
        last = offset;
        offset = offset * 2 + 1;
      }
      if (offset > most) offset = most;
      [last, offset] = [hint - offset, hint - last];
    } else {
      const most = n - hint;
      while (offset < most && !less(key, a[at + offset])) {
        last = offset;
        offset = offset * 2 + 1;
      }
      if (offset > most) offset = most;
      last += hint;
      offset += hint;
    }
    last++;
    while (last < offset) {
      const m = last + ((offset - last) >> 1);
      if (less(key, a[base + m])) offset = m;
      else last = m + 1;
    }
    return offset;
  }

  /** Left to right, the left run (the shorter) set aside. */
  private *mergeLow(baseA: number, lengthA: number, baseB: number, lengthB: number): Work<void> {
    const { a, less } = this;
    const t = a.slice(baseA, baseA + lengthA);
    let pa = 0;
    let na = lengthA;
    let pb = baseB;
    let nb = lengthB;
    let dest = baseA;
    this.putBack = () => {
      for (let i = 0; i < na; i++) a[dest + i] = t[pa + i];
    };
    a[dest++] = a[pb++];
    nb--;
    // biome-ignore lint/suspicious/noConfusingLabels: three loops deep, the way out is one copy of what is left
    merging: {
      if (nb === 0) break merging;
      if (na === 1) {
        a.copyWithin(dest, pb, pb + nb);
        a[dest + nb] = t[pa];
        return;
      }
      for (;;) {
        let countA = 0;
        let countB = 0;
        for (;;) {
          if (++this.compared >= STRETCH && this.due()) yield;
          if (less(a[pb], t[pa])) {
            a[dest++] = a[pb++];
            countB++;
            countA = 0;
            if (--nb === 0) break merging;
            if (countB >= this.minGallop) break;
          } else {
            a[dest++] = t[pa++];
            countA++;
            countB = 0;
            if (--na === 1) {
              a.copyWithin(dest, pb, pb + nb);
              a[dest + nb] = t[pa];
              return;
            }
            if (countA >= this.minGallop) break;
          }
        }
        this.minGallop++;
        do {
          if ((this.compared += GALLOP) >= STRETCH && this.due()) yield;
          if (this.minGallop > 1) this.minGallop--;
          countA = this.gallopRight(a[pb], t, pa, na, 0);
          if (countA > 0) {
            for (let i = 0; i < countA; i++) a[dest++] = t[pa++];
            na -= countA;
            if (na === 1) {
              a.copyWithin(dest, pb, pb + nb);
              a[dest + nb] = t[pa];
              return;
            }
            // Only where the order is not consistent.
            if (na === 0) return;
          }
          a[dest++] = a[pb++];
          if (--nb === 0) break merging;
          countB = this.gallopLeft(t[pa], a, pb, nb, 0);
          if (countB > 0) {
            a.copyWithin(dest, pb, pb + countB);
            dest += countB;
            pb += countB;
            nb -= countB;
            if (nb === 0) break merging;
          }
          a[dest++] = t[pa++];
          if (--na === 1) {
            a.copyWithin(dest, pb, pb + nb);
            a[dest + nb] = t[pa];
            return;
          }
        } while (countA >= MIN_GALLOP || countB >= MIN_GALLOP);
        this.minGallop++;
      }
    }
    this.putBack();
  }

  /** Right to left, the right run (the shorter) set aside. */
  private *mergeHigh(baseA: number, lengthA: number, baseB: number, lengthB: number): Work<void> {
    const { a, less } = this;
    const t = a.slice(baseB, baseB + lengthB);
    let na = lengthA;
    let nb = lengthB;
    let dest = baseB + nb - 1;
    let pb = nb - 1;
    let pa = baseA + na - 1;
    const copyB = (): void => {
      // What is left of A moves up as a block, then the last of B goes below it.
      a.copyWithin(dest - na + 1, pa - na + 1, pa + 1);
      a[dest - na] = t[pb];
    };
    this.putBack = () => {
      for (let i = 0; i < nb; i++) a[dest - nb + 1 + i] = t[i];
    };
    a[dest--] = a[pa--];
    na--;
    // biome-ignore lint/suspicious/noConfusingLabels: three loops deep, the way out is one copy of what is left
    merging: {
      if (na === 0) break merging;
      if (nb === 1) return copyB();
      for (;;) {
        let countA = 0;
        let countB = 0;
        for (;;) {
          if (++this.compared >= STRETCH && this.due()) yield;
          if (less(t[pb], a[pa])) {
            a[dest--] = a[pa--];
            countA++;
            countB = 0;
            if (--na === 0) break merging;
            if (countA >= this.minGallop) break;
          } else {
            a[dest--] = t[pb--];
            countB++;
            countA = 0;
            if (--nb === 1) return copyB();
            if (countB >= this.minGallop) break;
          }
        }
        this.minGallop++;
        do {
          if ((this.compared += GALLOP) >= STRETCH && this.due()) yield;
          if (this.minGallop > 1) this.minGallop--;
          countA = na - this.gallopRight(t[pb], a, baseA, na, na - 1);
          if (countA > 0) {
            dest -= countA;
            pa -= countA;
            a.copyWithin(dest + 1, pa + 1, pa + 1 + countA);
            na -= countA;
            if (na === 0) break merging;
          }
          a[dest--] = t[pb--];
          if (--nb === 1) return copyB();
          countB = nb - this.gallopLeft(a[pa], t, 0, nb, nb - 1);
          if (countB > 0) {
            for (let i = 0; i < countB; i++) a[dest--] = t[pb--];
            nb -= countB;
            if (nb === 1) return copyB();
            // Only where the order is not consistent.
            if (nb === 0) return;
          }
          a[dest--] = a[pa--];
          if (--na === 0) break merging;
        } while (countA >= MIN_GALLOP || countB >= MIN_GALLOP);
        this.minGallop++;
      }
    }
    this.putBack();
  }
}

/** At most 64, such that n / minRun is a power of two or a bit less. */
function minRunOf(length: number): number {
  let n = length;
  let r = 0;
  while (n >= 64) {
    r |= n & 1;
    n >>= 1;
  }
  return n + r;
}

/** Depth at which the boundary between two neighbouring runs stands in the ideal tree of merges. */
function powerLoop(s1: number, n1: number, n2: number, n: number): number {
  let a = 2 * s1 + n1;
  let b = a + n1 + n2;
  for (let result = 1; ; result++) {
    if (a >= n) {
      a -= n;
      b -= n;
    } else if (b >= n) {
      return result;
    }
    a *= 2;
    b *= 2;
  }
}
