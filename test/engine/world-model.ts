/**
 * The naive twin of worlds: what a world shows is worked out whole, from two lists, after every statement. Written from
 * the rulings ("Branch, world, merge", "A world whose store moved"), not from the engine.
 */

/** Orders given out inside a world lie above all others. */
const INSIDE = 1e9;

export interface TwinClaim {
  readonly id: number;
  /** The claim of the store that this is, or is a part of, as a world revised it; 0 otherwise. */
  base: number;
  cell: string;
  value: number | null;
  source: string;
  from: number;
  to: number;
  order: number;
  known: number;
  goneAt: number;
  /** The order of what superseded it; 0 while it stands. */
  goneBy: number;
  erased: boolean;
}

interface State {
  claims: TwinClaim[];
  preferences: Map<string, string>;
  pins: Set<string>;
}

interface Held {
  claims: TwinClaim[];
  preferences: Map<string, string>;
  pins: Map<string, boolean>;
}

export type Outcome = number | null | string;

export class WorldTwin {
  now = 0;
  world: string | null = null;
  readonly worlds = new Map<string, Held>();
  #store: State = { claims: [], preferences: new Map(), pins: new Set() };
  /** What statements see and change. */
  #seen: State = this.#store;
  #branches: { seen: State; store: State; floor: number }[] = [];
  #count = 0;

  constructor(readonly isMany: (cell: string) => boolean) {
    pushed = new Set();
  }

  get depth(): number {
    return this.#branches.length;
  }

  // ---- worlds ----

  create(name: string): Outcome {
    if (this.depth > 0 || this.world !== null) return "immutable_in_branch";
    if (this.worlds.has(name)) return "already_in_effect";
    this.worlds.set(name, { claims: [], preferences: new Map(), pins: new Map() });
    return 0;
  }

  enter(name: string): Outcome {
    if (this.depth > 0 || this.world !== null) return "immutable_in_branch";
    if (!this.worlds.has(name)) return "not_recorded";
    this.world = name;
    this.#seen = this.#view(this.worlds.get(name)!);
    return 0;
  }

  leave(): void {
    this.world = null;
    this.#seen = this.#store;
  }

  discard(name: string): Outcome {
    if (this.depth > 0 || this.world !== null) return "immutable_in_branch";
    const held = this.worlds.get(name);
    if (held === undefined) return "not_recorded";
    this.worlds.delete(name);
    return whole(held.claims).length;
  }

  merge(name: string): Outcome {
    if (this.depth > 0 || this.world !== null) return "immutable_in_branch";
    const held = this.worlds.get(name);
    if (held === undefined) return "not_recorded";
    for (const place of held.preferences.keys()) if (this.#judged(place)) return "conflicting_write";
    const store = this.#store.claims;
    const same = new Map<number, TwinClaim>();
    for (const c of held.claims) {
      if (c.base !== 0) {
        const gone = !this.#stands(c);
        if (gone && held.claims.some((o) => o.base === c.base && o.goneBy !== 0 && !o.erased)) return "conflicting_write";
        continue;
      }
      if (c.goneBy !== 0) continue;
      const rivals = store.filter(
        (o) =>
          o.cell === c.cell &&
          o.source === c.source &&
          o.goneBy === 0 &&
          o.from < c.to &&
          c.from < o.to &&
          !held.claims.some((h) => h.base === o.id),
      );
      const alike = rivals.filter((o) => o.value === c.value);
      if (covered(alike, c.from, c.to)) same.set(c.id, alike.sort(byOrder)[0]);
      else if (rivals.length > 0 && !this.isMany(c.cell)) return "conflicting_write";
    }
    const numbers = new Map<number, number>();
    const used = held.claims.filter((c) => !same.has(c.id)).flatMap((c) => [c.order, c.goneBy]);
    for (const n of [...new Set(used)].sort((a, b) => a - b)) if (n >= INSIDE) numbers.set(n, ++this.#count);
    let added = 0;
    const standing = held.claims.filter((c) => this.#stands(c));
    for (const c of held.claims) {
      if (same.has(c.id)) continue;
      const landed = { ...c, base: 0, order: numbers.get(c.order) ?? c.order, goneBy: numbers.get(c.goneBy) ?? c.goneBy };
      if (c.goneBy !== 0) landed.goneAt = this.now;
      if (c.base === 0) landed.known = this.now;
      if (c.base !== 0) {
        if (!standing.includes(c)) continue;
        if (c.id !== c.base) landed.known = this.now;
      } else if (whole([c]).length > 0) added++;
      const at = store.findIndex((o) => o.id === c.id);
      if (at < 0) store.push(landed);
      else store[at] = landed;
    }
    for (const [place, source] of held.preferences) this.#store.preferences.set(place, source);
    for (const [cell, pinned] of held.pins) {
      if (pinned) this.#store.pins.add(cell);
      else this.#store.pins.delete(cell);
    }
    this.worlds.delete(name);
    return added;
  }

  // ---- branches ----

  begin(): void {
    this.#branches.push({ seen: copy(this.#seen), store: copy(this.#store), floor: this.#order() });
  }
  end(commit: boolean): void {
    const { seen, store } = this.#branches.pop()!;
    if (!commit && this.world === null) {
      this.#store = store;
      this.#seen = store;
    } else if (!commit) this.#seen = seen;
    this.#settle();
  }

  // ---- statements ----

  remember(cell: string, value: number | null, source: string, from: number, to: number): Outcome {
    if (from >= to) return "invalid_value";
    const overlapping = this.#standing(cell).filter((c) => c.source === source && c.from < to && from < c.to);
    const alike = overlapping.filter((c) => c.value === value);
    if (covered(alike, from, to)) return null;
    const before = this.#at(cell).some((c) => c.goneBy !== 0 && c.source === source && c.value === value && c.from === from && c.to === to);
    if (before && overlapping.length > 0) return null;
    if (overlapping.length > 0 && !this.isMany(cell)) return "conflicting_write";
    this.#push(cell, value, source, from, to, this.#next());
    return this.#settle(1);
  }

  update(cell: string, value: number, source: string, from: number, to: number): Outcome {
    if (from >= to) return "invalid_value";
    const held = this.#standing(cell).filter((c) => c.source === source && c.from < to && from < c.to);
    const alike = held.filter((c) => c.value === value);
    const restated = covered(alike, from, to);
    const gone = held.filter((c) => !restated || c.value !== value);
    if (restated && gone.length === 0) return null;
    const order = this.#next();
    for (const c of gone) {
      const base = this.world !== null && c.order < INSIDE ? c.base || c.id : 0;
      for (const part of [
        { from: c.from, to: from },
        { from: to, to: c.to },
      ]) {
        if (part.from < part.to) this.#seen.claims.push({ ...c, ...part, id: ++ids, base, known: this.now });
      }
      Object.assign(c, { base, goneBy: order, goneAt: this.now });
    }
    if (!restated) this.#push(cell, value, source, from, to, order);
    return this.#settle(restated ? 0 : 1);
  }

  forget(cell: string, which: (claim: TwinClaim) => boolean): Outcome {
    const gone = this.#at(cell).filter(which);
    if (gone.length === 0) return null;
    const floor = this.#branches.at(-1)?.floor ?? (this.world === null ? -1 : INSIDE - 1);
    if (gone.some((c) => c.order <= floor)) return "immutable_in_branch";
    if (this.#seen.pins.has(cell)) return "pinned_address";
    this.#next();
    this.#seen.claims = this.#seen.claims.filter((c) => !gone.includes(c));
    for (const c of this.#at(cell)) if (gone.some((g) => g.order === c.goneBy)) c.erased = true;
    return this.#settle(gone.length);
  }

  prefer(place: string, source: string): Outcome {
    const refused = this.#beliefRefused(place, true);
    if (refused !== null) return refused;
    if (this.#seen.preferences.get(place) === source) return "already_in_effect";
    if (!this.#seen.claims.some((c) => c.goneBy === 0 && c.source === source && c.cell === place)) return "not_recorded";
    this.#seen.preferences.set(place, source);
    return this.#settle(0);
  }

  unprefer(place: string): Outcome {
    const refused = this.#beliefRefused(place, false);
    if (refused !== null) return refused;
    if (!this.#seen.preferences.has(place)) return this.#at(place).length > 0 ? "already_in_effect" : "not_recorded";
    this.#seen.preferences.delete(place);
    return this.#settle(0);
  }

  pin(cell: string): Outcome {
    if (this.#seen.pins.has(cell)) return "already_in_effect";
    if (this.#at(cell).length === 0) return "not_recorded";
    this.#seen.pins.add(cell);
    return this.#settle(0);
  }

  unpin(cell: string): Outcome {
    if (!this.#seen.pins.has(cell)) return this.#at(cell).length === 0 ? "not_recorded" : "already_in_effect";
    this.#seen.pins.delete(cell);
    return this.#settle(0);
  }

  // ---- reads ----

  get(cell: string): string[] {
    return this.#standing(cell).sort(byOrder).map(text);
  }
  history(cell: string): string[] {
    return this.#at(cell).sort(byOrder).map(text);
  }
  current(cell: string, at: number): string | null {
    const there = this.#standing(cell)
      .filter((c) => c.from <= at && at < c.to)
      .sort(byOrder);
    if (there.length === 0) return null;
    if (this.isMany(cell) && new Set(there.map((c) => c.value)).size > 1) return "ambiguous";
    const preferred = this.isMany(cell) ? undefined : this.#seen.preferences.get(cell);
    const chosen = there.filter((c) => c.source === preferred);
    const { value, source } = (chosen.length > 0 ? chosen : there).at(-1)!;
    return `${value} ${source}`;
  }
  /** The values known then, of the store beneath, where no preference ever stood; `not_recorded`. */
  knownValues(cell: string, at: number, known: number): string {
    const store = this.#branches[0]?.store ?? this.#store;
    const all = store.claims.filter((c) => c.cell === cell && c.known <= known);
    for (const c of all) {
      if (!c.erased || c.from > at || at >= c.to) continue;
      if (!all.some((o) => o.source === c.source && o.order > c.order && o.from <= at && at < o.to)) return "not_recorded";
    }
    const there = all.filter((c) => (c.goneBy === 0 || (!c.erased && c.goneAt > known)) && c.from <= at && at < c.to && c.value !== null);
    return [...new Set(there.map((c) => c.value))].sort().join(" ");
  }

  // ---- beneath ----

  #judged(place: string): boolean {
    return [...this.#store.preferences.keys()].some((other) => fieldOf(other) === fieldOf(place));
  }

  #beliefRefused(place: string, elsewhere: boolean): string | null {
    if (this.isMany(place)) return "invalid_value";
    if (this.world !== null && this.#judged(place)) return "immutable_in_branch";
    if (!elsewhere) return null;
    for (const [name, held] of this.worlds) {
      if (name === this.world) continue;
      if ([...held.preferences.keys()].some((other) => fieldOf(other) === fieldOf(place))) return "still_referenced";
    }
    return null;
  }

  /** The claim of the store that `c` revises stands as the world met it. */
  #stands(c: TwinClaim): boolean {
    return this.#store.claims.some((o) => o.id === c.base && o.goneBy === 0);
  }

  /** The store as it is now, under what a world holds. */
  #view(held: Held): State {
    const claims: TwinClaim[] = held.claims.filter((c) => c.base === 0 || this.#stands(c)).map((c) => ({ ...c }));
    const revised = new Set(held.claims.map((c) => c.base));
    const own = held.claims.filter((c) => c.base === 0 && c.goneBy === 0);
    for (const c of this.#store.claims) {
      if (revised.has(c.id) && c.goneBy === 0) continue;
      const covers = (o: TwinClaim) => o.cell === c.cell && o.source === c.source && o.from < c.to && c.from < o.to;
      if (c.goneBy === 0 && !this.isMany(c.cell) && own.some(covers)) continue;
      claims.push({ ...c });
    }
    const preferences = new Map([...this.#store.preferences, ...held.preferences]);
    const pins = new Set(this.#store.pins);
    for (const [cell, pinned] of held.pins) {
      if (pinned) pins.add(cell);
      else pins.delete(cell);
    }
    return { claims, preferences, pins };
  }

  /** What of the state seen is the world's. */
  #held(before: Held): Held {
    const claims = this.#seen.claims.filter((c) => c.order >= INSIDE || c.base !== 0);
    for (const c of before.claims) {
      if (c.base === 0 || this.#stands(c)) continue;
      const takenBack = pushed.has(c.goneBy) && !claims.some((o) => o.order === c.goneBy);
      claims.push(takenBack ? { ...c, erased: true } : c);
    }
    const preferences = new Map([...this.#seen.preferences].filter(([place]) => !this.#store.preferences.has(place)));
    const pins = new Map<string, boolean>();
    for (const cell of new Set([...this.#seen.pins, ...this.#store.pins, ...before.pins.keys()])) {
      const was = before.pins.get(cell);
      if (this.#seen.pins.has(cell) !== this.#store.pins.has(cell)) pins.set(cell, this.#seen.pins.has(cell));
      else if (was !== undefined && was === this.#seen.pins.has(cell)) pins.set(cell, was);
    }
    return { claims, preferences, pins };
  }

  #settle(count = 0): number {
    if (this.world === null) return count;
    const held = this.#held(this.worlds.get(this.world)!);
    if (this.depth === 0) this.worlds.set(this.world, held);
    this.#seen = this.#view(held);
    return count;
  }

  #order(): number {
    return this.#count + (this.world === null ? 0 : INSIDE);
  }
  #next(): number {
    this.#count++;
    return this.#order();
  }
  #at(cell: string): TwinClaim[] {
    return this.#seen.claims.filter((c) => c.cell === cell);
  }
  #standing(cell: string): TwinClaim[] {
    return this.#at(cell).filter((c) => c.goneBy === 0);
  }
  #push(cell: string, value: number | null, source: string, from: number, to: number, order: number): void {
    const fresh = { id: ++ids, base: 0, known: this.now, goneAt: Number.POSITIVE_INFINITY, goneBy: 0, erased: false };
    this.#seen.claims.push({ ...fresh, cell, value, source, from, to, order });
    wholes.add(ids);
    pushed.add(order);
  }
}

let ids = 0;
/** Claims as they were written, not what an update left of them. */
const wholes = new Set<number>();
/** Orders at which a claim was written. */
let pushed = new Set<number>();

function whole(claims: readonly TwinClaim[]): TwinClaim[] {
  return claims.filter((c) => c.base === 0 && wholes.has(c.id));
}

function fieldOf(cell: string): string {
  const [kind, , field] = cell.split(".");
  return `${kind}.${field}`;
}

function covered(claims: readonly TwinClaim[], from: number, to: number): boolean {
  const points = [from, ...claims.flatMap((c) => [c.from, c.to])].filter((p) => p >= from && p < to);
  return points.every((p) => claims.some((c) => c.from <= p && p < c.to));
}

function byOrder(a: TwinClaim, b: TwinClaim): number {
  return a.order - b.order || (a.from < b.from ? -1 : a.from > b.from ? 1 : Number(a.goneBy === 0) - Number(b.goneBy === 0));
}

function text(c: TwinClaim): string {
  const end = (t: number) => (Number.isFinite(t) ? t : "-");
  return `${c.value} ${c.source} [${end(c.from)},${end(c.to)})${c.goneBy === 0 ? "" : "*"}`;
}

function copy(state: State): State {
  return { claims: state.claims.map((c) => ({ ...c })), preferences: new Map(state.preferences), pins: new Set(state.pins) };
}
