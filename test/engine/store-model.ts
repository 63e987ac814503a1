/**
 * The naive twin of the store: every claim in one list, every question answered by looking at all of them, layers by
 * copying everything. Written from the contract and the rulings, not from the engine.
 */
import { compareDatums } from "../../src/engine/value-order";

export interface ModelClaim {
  cell: string;
  value: number | null;
  source: string;
  from: number;
  to: number;
  order: number;
  recorded: number;
  known: number;
  /** When and by which statement it was superseded; `erased` once nobody can tell. */
  goneAt: number;
  goneBy: number | null;
  erased: boolean;
}

interface State {
  claims: ModelClaim[];
  preferences: Map<string, string>;
  pins: Set<string>;
}

export type Outcome = number | null | string;

const LAST = Number.POSITIVE_INFINITY;

export class Model {
  #state: State = { claims: [], preferences: new Map(), pins: new Set() };
  #layers: { before: State; floor: number }[] = [];
  #order = 0;
  /** Preferences over known time, as landed. */
  #log: { at: number; preferences: Map<string, string> }[] = [];
  /** Claims as landed, for `known_at`. */
  #landed: State = copy(this.#state);
  now = 0;

  constructor(readonly isMany: (cell: string) => boolean) {}

  get depth(): number {
    return this.#layers.length;
  }

  // ---- statements: the number of claims added or removed, null for no change, a reason for a refusal ----

  remember(cell: string, value: number | null, source: string, from: number, to: number): Outcome {
    if (from >= to) return "invalid_value";
    const mine = this.#standing(cell).filter((c) => c.source === source);
    const overlapping = mine.filter((c) => c.from < to && from < c.to);
    if (
      covered(
        overlapping.filter((c) => c.value === value),
        from,
        to,
      )
    )
      return null;
    const before = this.#at(cell).some(
      (c) => c.goneBy !== null && c.source === source && c.value === value && c.from === from && c.to === to,
    );
    if (before && overlapping.length > 0) return null;
    if (overlapping.length > 0 && !this.isMany(cell)) return "conflicting_write";
    this.#add(cell, value, source, from, to);
    return this.#land(1);
  }

  update(cell: string, value: number, source: string, from: number, to: number): Outcome {
    if (from >= to) return "invalid_value";
    const held = this.#standing(cell).filter((c) => c.source === source && c.from < to && from < c.to);
    const restated = covered(
      held.filter((c) => c.value === value),
      from,
      to,
    );
    const gone = held.filter((c) => !restated || c.value !== value);
    if (restated && gone.length === 0) return null;
    const order = ++this.#order;
    for (const c of gone) {
      const parts = [
        { from: c.from, to: from },
        { from: to, to: c.to },
      ].filter((part) => part.from < part.to);
      for (const part of parts) this.#state.claims.push({ ...c, ...part, known: this.now });
      c.goneBy = order;
      c.goneAt = this.now;
    }
    if (!restated) this.#push(cell, value, source, from, to, order);
    return this.#land(restated ? 0 : 1);
  }

  forget(cells: (cell: string) => boolean, which: (claim: ModelClaim) => boolean): Outcome {
    const gone = this.#state.claims.filter((c) => cells(c.cell) && which(c));
    if (gone.length === 0) return null;
    const layer = this.#layers.at(-1);
    if (layer !== undefined && gone.some((c) => c.order <= layer.floor)) return "immutable_in_branch";
    if (gone.some((c) => this.#state.pins.has(c.cell))) return "pinned_address";
    this.#order++;
    this.#state.claims = this.#state.claims.filter((c) => !gone.includes(c));
    for (const c of this.#state.claims) {
      if (c.goneBy === null || !gone.some((g) => g.cell === c.cell && g.order === c.goneBy)) continue;
      c.erased = true;
    }
    return this.#land(gone.length);
  }

  forgetAt(cell: string, at: number): Outcome {
    const hit = this.#standing(cell).filter((c) => c.from <= at && at < c.to);
    return this.forget(
      (other) => other === cell,
      (c) => hit.includes(c) || (c.goneBy !== null && hit.some((h) => h.value === c.value && h.source === c.source)),
    );
  }

  prefer(place: string, source: string): Outcome {
    if (!place.endsWith("*") && this.isMany(place)) return "invalid_value";
    if (this.#state.preferences.get(place) === source) return "already_in_effect";
    const there = (c: ModelClaim) => (place.endsWith("*") ? fieldOf(c.cell) === place : c.cell === place);
    if (!this.#state.claims.some((c) => c.goneBy === null && c.source === source && there(c))) return "not_recorded";
    this.#order++;
    this.#state.preferences.set(place, source);
    return this.#land(0);
  }

  unprefer(place: string): Outcome {
    if (!place.endsWith("*") && this.isMany(place)) return "invalid_value";
    const there = (c: ModelClaim) => (place.endsWith("*") ? fieldOf(c.cell) === place : c.cell === place);
    if (!this.#state.preferences.has(place)) return this.#state.claims.some(there) ? "already_in_effect" : "not_recorded";
    this.#order++;
    this.#state.preferences.delete(place);
    return this.#land(0);
  }

  pin(cell: string): Outcome {
    if (this.#state.pins.has(cell)) return "already_in_effect";
    if (this.#at(cell).length === 0) return "not_recorded";
    this.#order++;
    this.#state.pins.add(cell);
    return this.#land(0);
  }

  unpin(cell: string): Outcome {
    if (!this.#state.pins.has(cell)) return this.#at(cell).length === 0 ? "not_recorded" : "already_in_effect";
    this.#order++;
    this.#state.pins.delete(cell);
    return this.#land(0);
  }

  // ---- layers ----

  begin(): void {
    this.#layers.push({ before: copy(this.#state), floor: this.#order });
  }
  commit(end: boolean): void {
    const layer = this.#layers.pop()!;
    if (!end) this.#layers.push({ before: copy(this.#state), floor: this.#order });
    // What a nested branch lands is the outer one's to discard.
    void layer;
    if (this.#layers.length === (end ? 0 : 1)) this.#settle();
  }
  rollback(end: boolean): void {
    const layer = this.#layers.pop()!;
    this.#state = copy(layer.before);
    if (!end) this.#layers.push({ before: copy(this.#state), floor: this.#order });
  }

  // ---- reads ----

  get(cell: string): string[] {
    return this.#standing(cell).sort(byOrder).map(text);
  }
  history(cell: string): string[] {
    return this.#at(cell).sort(byOrder).map(text);
  }
  /** `value source`, null for nothing, `ambiguous`. */
  current(cell: string, at: number): string | null {
    return this.#judge(cell, this.#standing(cell), this.#state.preferences, at);
  }
  known(cell: string, at: number, known: number): string | null {
    const all = this.#landed.claims.filter((c) => c.cell === cell && c.known <= known);
    for (const c of all) {
      if (!c.erased || c.from > at || at >= c.to) continue;
      if (!all.some((o) => o.source === c.source && o.order > c.order && o.from <= at && at < o.to)) return "not_recorded";
    }
    let preferences = new Map<string, string>();
    for (const entry of this.#log) if (entry.at <= known) preferences = entry.preferences;
    return this.#judge(
      cell,
      all.filter((c) => c.goneBy === null || (!c.erased && c.goneAt > known)),
      preferences,
      at,
    );
  }
  values(cell: string, at: number): (number | null)[] {
    const values = this.#standing(cell).filter((c) => c.from <= at && at < c.to && c.value !== null);
    return [...new Set(values.map((c) => c.value))].sort(compareDatums);
  }
  subjects(kind: string, at: number): string[] {
    const held = this.#state.claims.filter((c) => c.goneBy === null && c.cell.startsWith(`${kind}.`) && c.from <= at && at < c.to);
    return [...new Set(held.map((c) => c.cell.split(".").at(-2)!))].sort();
  }

  #judge(cell: string, claims: readonly ModelClaim[], preferences: ReadonlyMap<string, string>, at: number): string | null {
    const there = claims.filter((c) => c.from <= at && at < c.to).sort(byOrder);
    if (there.length === 0) return null;
    if (this.isMany(cell) && new Set(there.map((c) => c.value)).size > 1) return "ambiguous";
    const preferred = this.isMany(cell) ? undefined : (preferences.get(cell) ?? preferences.get(fieldOf(cell)));
    const chosen = there.filter((c) => c.source === preferred);
    const { value, source } = (chosen.length > 0 ? chosen : there).at(-1)!;
    return `${value} ${source}`;
  }

  #at(cell: string): ModelClaim[] {
    return this.#state.claims.filter((c) => c.cell === cell);
  }
  #standing(cell: string): ModelClaim[] {
    return this.#at(cell).filter((c) => c.goneBy === null);
  }
  #add(cell: string, value: number | null, source: string, from: number, to: number): void {
    this.#push(cell, value, source, from, to, ++this.#order);
  }
  #push(cell: string, value: number | null, source: string, from: number, to: number, order: number): void {
    const { now } = this;
    this.#state.claims.push({ cell, value, source, from, to, order, recorded: now, known: now, goneAt: LAST, goneBy: null, erased: false });
  }
  #land(count: number): number {
    if (this.#layers.length === 0) this.#settle();
    return count;
  }
  #settle(): void {
    this.#landed = copy(this.#state);
    this.#log = this.#log.filter((entry) => entry.at !== this.now);
    this.#log.push({ at: this.now, preferences: new Map(this.#state.preferences) });
    // Where nothing is recorded any longer nobody may learn who was believed there.
    for (const entry of this.#log) {
      for (const place of [...entry.preferences.keys()]) {
        const left = this.#state.claims.some((c) => (place.endsWith("*") ? fieldOf(c.cell) === place : c.cell === place));
        if (!left && !this.#state.preferences.has(place)) entry.preferences.delete(place);
      }
    }
  }
}

export function fieldOf(cell: string): string {
  const parts = cell.split(".");
  parts.splice(-2, 1);
  return `${parts.join(".")}*`;
}

function covered(claims: readonly ModelClaim[], from: number, to: number): boolean {
  // Window ends in the tests are whole numbers or infinite: look at every point that could be uncovered.
  const points = [from, ...claims.flatMap((c) => [c.from, c.to])].filter((p) => p >= from && p < to);
  return points.every((p) => claims.some((c) => c.from <= p && p < c.to));
}

function byOrder(a: ModelClaim, b: ModelClaim): number {
  return a.order - b.order || (a.from < b.from ? -1 : a.from > b.from ? 1 : Number(a.goneBy === null) - Number(b.goneBy === null));
}

function text(c: ModelClaim): string {
  const end = (t: number) => (Number.isFinite(t) ? t : "-");
  return `${c.value} ${c.source} [${end(c.from)},${end(c.to)})${c.goneBy === null ? "" : "*"}`;
}

function copy(state: State): State {
  return { claims: state.claims.map((c) => ({ ...c })), preferences: new Map(state.preferences), pins: new Set(state.pins) };
}
