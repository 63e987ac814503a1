/**
 * The naive twin of marks: every event in one list, every removal in another, each question answered by looking at all
 * of them. Written from contract §9.7 and the rulings, not from the engine; nothing is ever let go but by filtering.
 */
export interface Held {
  /** The write it comes from; parts that an update leaves share it. */
  readonly root: number;
  readonly uid: number;
  readonly cell: string;
  readonly value: number;
  readonly source: string;
  readonly from: number;
  readonly to: number;
  /** Where it was written, and where it stands in the order of things now. */
  readonly written: number;
  readonly position: number;
  /** Writes that superseded it; null while it is in force. */
  over: readonly number[] | null;
}

interface Event {
  readonly position: number;
  readonly uid: number;
  readonly text: string;
}
interface Removal {
  readonly position: number;
  readonly lost: Held[];
}

export class MarkModel {
  held: Held[] = [];
  readonly marks = new Map<string, number>();
  #events: Event[] = [];
  #removals: Removal[] = [];
  #last = 0;
  #branches: { readonly held: Held[]; readonly events: number }[] = [];
  constructor(readonly isMany: (cell: string) => boolean) {}

  remember(cell: string, value: number, source: string, from: number, to: number): void {
    this.#write(cell, value, source, from, to);
  }

  /** Only where the store says that something changed. */
  update(cell: string, value: number, source: string, from: number, to: number): void {
    const mine = this.held.filter((h) => h.over === null && h.cell === cell && h.source === source && h.from < to && from < h.to);
    const same = mine.filter((h) => h.value === value);
    const points = [from, ...same.map((h) => h.to)].filter((p) => p >= from && p < to);
    const restated = points.every((p) => same.some((h) => h.from <= p && p < h.to));
    const gone = restated ? mine.filter((h) => h.value !== value) : mine;
    const parts = gone.flatMap((h) => [
      { ...h, to: from, uid: ++this.#last },
      { ...h, from: to, uid: ++this.#last },
    ]);
    // An update that restates one of many values records nothing for the others to lie beneath.
    const over = restated ? [] : [this.#write(cell, value, source, from, to)];
    for (const h of gone) h.over = over;
    this.held.push(...parts.filter((part) => part.from < part.to));
  }

  forget(text: string, lost: (held: Held) => boolean): void {
    const position = ++this.#last;
    const gone = this.held.filter(lost);
    this.held = this.held.filter((h) => !gone.includes(h));
    // A branch removes only what it wrote: it never reached the store.
    if (this.#branches.length > 0) {
      this.#cutLoose(gone);
      return;
    }
    this.#removals.push({ position, lost: gone });
    this.#events.push({ position, uid: 0, text });
    this.#letGo();
  }

  begin(): void {
    this.#branches.push({ held: this.held.map((h) => ({ ...h })), events: this.#events.length });
  }
  commit(end: boolean): void {
    this.#branches.pop();
    if (!end) this.begin();
  }
  rollback(end: boolean): void {
    const before = this.#branches.pop()!;
    this.held = before.held;
    this.#events.length = before.events;
    if (!end) this.begin();
  }
  get depth(): number {
    return this.#branches.length;
  }

  /** What was taken away before it landed can never come back, and nothing waits for it. */
  #cutLoose(gone: readonly Held[]): void {
    const roots = new Set(gone.map((h) => h.root));
    for (const h of this.held) if (h.over?.some((root) => roots.has(root))) h.over = [0];
  }

  checkpoint(name: string): number {
    this.marks.set(name, this.#last);
    return this.#letGo();
  }
  forgetCheckpoint(name: string): number | null {
    if (!this.marks.delete(name)) return null;
    return this.#letGo();
  }

  diff(since: string): string[] | null {
    const mark = this.marks.get(since);
    if (mark === undefined) return null;
    const shown = this.#events.filter(
      (e) => e.position > mark && (e.uid === 0 || this.held.some((h) => h.uid === e.uid && h.position === e.position)),
    );
    return shown.map((e) => e.text);
  }

  restore(since: string): { restored: number; notRestored: number } {
    const mark = this.marks.get(since)!;
    const reached = this.#removals.filter((r) => r.position > mark);
    const count = reached.reduce((sum, r) => sum + r.lost.length, 0);
    const back: { held: Held; removal: Removal }[] = [];
    for (const removal of reached) {
      for (const held of inOrder(removal.lost.filter((h) => h.over === null))) {
        const beside = [...this.held.filter((h) => h.over === null), ...back.map((b) => b.held)].filter(
          (h) => h.cell === held.cell && h.source === held.source,
        );
        if (beside.some((h) => h.written > removal.position)) continue;
        if (!this.isMany(held.cell) && beside.some((h) => h.from < held.to && held.from < h.to)) continue;
        back.push({ held, removal });
      }
    }
    back.sort((a, b) => compare(a.held, b.held));
    for (const { held, removal } of back) {
      removal.lost.splice(removal.lost.indexOf(held), 1);
      const position = ++this.#last;
      this.held.push({ ...held, position });
      this.#events.push({ position, uid: held.uid, text: added(held) });
    }
    let versions = 0;
    for (let again = true; again; ) {
      again = false;
      for (const removal of reached) {
        for (const held of [...removal.lost]) {
          if (held.over === null || !this.#hasWhatSuperseded(held)) continue;
          removal.lost.splice(removal.lost.indexOf(held), 1);
          this.held.push(held);
          versions++;
          again = true;
        }
      }
    }
    return { restored: back.length + versions, notRestored: count - back.length - versions };
  }

  /** It is there, or was let go for good so that nobody knows of it. */
  #hasWhatSuperseded(held: Held): boolean {
    const there = this.held.filter((h) => h.cell === held.cell);
    if (held.over!.length === 0)
      return there.some((h) => h.over === null && h.source === held.source && h.from < held.to && held.from < h.to);
    if (there.some((h) => held.over!.includes(h.root))) return true;
    return !this.#removals.some((r) => r.lost.some((h) => held.over!.includes(h.root)));
  }

  #write(cell: string, value: number, source: string, from: number, to: number): number {
    const position = ++this.#last;
    const held: Held = { root: position, uid: position, cell, value, source, from, to, written: position, position, over: null };
    this.held.push(held);
    this.#events.push({ position, uid: position, text: added(held) });
    return position;
  }

  /** What no mark holds goes; the number of removed claims among it. */
  #letGo(): number {
    const oldest = Math.min(...this.marks.values());
    const gone = this.#removals.filter((r) => !(r.position > oldest));
    this.#removals = this.#removals.filter((r) => r.position > oldest);
    return gone.reduce((sum, r) => sum + r.lost.length, 0);
  }
}

function compare(a: Held, b: Held): number {
  return a.position - b.position || (a.from < b.from ? -1 : a.from > b.from ? 1 : 0);
}
function inOrder(held: readonly Held[]): Held[] {
  return [...held].sort(compare);
}
function added({ cell, value, source }: Held): string {
  return `added ${cell} = ${value} (per ${source})`;
}
