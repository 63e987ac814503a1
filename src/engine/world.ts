/**
 * What a world holds over its store (language.md §4, "with world"), and how it grows by a statement.
 *
 * A world is a layer that lasts. It holds claims it has written, whole; and of claims of the store only what it did to
 * them: that it superseded one, and which parts its updates left standing. Those are kept without the store's value, so
 * that what the store forgets no world remembers, and they say nothing where the store no longer holds that claim.
 *
 * Pure. Rows are world-row.ts, showing a store under a world is world-view.ts.
 */
import type { Change, Preference } from "./change";
import { type ClaimRow, SUCCESSOR_ERASED } from "./claim-row";

/**
 * Ids given out inside a world lie above every id of a store, so that what the world has written comes last, whatever
 * the store writes meanwhile, as it will once it lands. Half of what a safe integer holds.
 */
export const WORLD_IDS_FROM = 2 ** 52;

/** The world wrote it: not the store, and not as a part of what the store wrote. */
export function isOfWorld(row: ClaimRow): boolean {
  return row.position >= WORLD_IDS_FROM;
}

export interface WorldClaim {
  /** Of a claim of the store only place, window, position and what superseded it; the rest is 0. */
  readonly row: ClaimRow;
  /** The id of the store's claim that this is, or is a part of; 0 for one the world wrote. */
  readonly base: number;
}

export interface WorldPin {
  readonly field: number;
  readonly subject: number;
  /** +1: placed; -1: the store's is lifted. */
  readonly sign: 1 | -1;
}

/** A step of what a world holds. */
export type WorldChange =
  | { readonly tag: "world_claim"; readonly world: number; readonly claim: WorldClaim; readonly sign: 1 | -1 }
  | { readonly tag: "world_preference"; readonly world: number; readonly preference: Preference; readonly sign: 1 | -1 }
  | { readonly tag: "world_pin"; readonly world: number; readonly pin: WorldPin; readonly sign: 1 | -1 };

export function isWorldChange(change: Change): change is WorldChange {
  return change.tag === "world_claim" || change.tag === "world_preference" || change.tag === "world_pin";
}

/** All that one world holds. */
export class Overlay {
  /** By id. */
  readonly claims = new Map<number, WorldClaim>();
  readonly preferences = new Map<string, Preference>();
  readonly pins = new Map<string, WorldPin>();
  /** What it says of the store's claims, by the number of what superseded them. */
  readonly revisedBy = new Map<number, Set<WorldClaim>>();

  make(change: WorldChange): void {
    switch (change.tag) {
      case "world_claim": {
        const { claim, sign } = change;
        const before = this.claims.get(claim.row.id);
        put(this.claims, claim.row.id, claim, sign);
        if (claim.base === 0 || claim.row.goneBy <= 0) return;
        const others = this.revisedBy.get(claim.row.goneBy);
        if (sign < 0) others?.delete(before!);
        else if (others === undefined) this.revisedBy.set(claim.row.goneBy, new Set([claim]));
        else others.add(claim);
        return;
      }
      case "world_preference":
        put(this.preferences, placeKey(change.preference), change.preference, change.sign);
        return;
      case "world_pin":
        put(this.pins, placeKey(change.pin), change.pin, change.sign);
    }
  }
}

function put<K, V>(map: Map<K, V>, key: K, value: V, sign: 1 | -1): void {
  if (sign > 0) map.set(key, value);
  else map.delete(key);
}

export function placeKey({ field, subject }: { readonly field: number; readonly subject: number }): string {
  return `${field}/${subject}`;
}

/** A world, what it holds, and whether the store itself pins the cells the world pinned or freed before. */
interface Shown {
  readonly world: number;
  readonly overlay: Overlay;
  readonly storePins: ReadonlyMap<string, boolean>;
}

/** What a statement, or a branch that lands, does to what the world holds: `changes` are those it made in memory, in order. */
export function worldChanges({ world, overlay, storePins }: Shown, changes: readonly Change[]): WorldChange[] {
  const claims = new Map<number, WorldClaim | null>();
  const bases = new Map<number, number>();
  const preferences = new Map<string, Preference | null>();
  const pins = new Map<string, WorldPin | null>();
  const baseOf = (row: ClaimRow): number => {
    if (isOfWorld(row)) return 0;
    if (row.id < WORLD_IDS_FROM) return row.id;
    return bases.get(row.id) ?? overlay.claims.get(row.id)!.base;
  };
  for (const change of changes) {
    switch (change.tag) {
      case "claim": {
        const { row, sign, of, covered } = change;
        if (covered) continue;
        if (of !== undefined) bases.set(row.id, baseOf(of));
        if (sign > 0) claims.set(row.id, worldClaim(row, baseOf(row)));
        else claims.set(row.id, null);
        continue;
      }
      case "preference":
        preferences.set(placeKey(change), change.after);
        continue;
      case "pin": {
        const key = placeKey(change);
        const held = pins.has(key) ? pins.get(key) : overlay.pins.get(key);
        // A first change of the world turns over what the store has.
        const pinnedInStore = storePins.get(key) ?? (held ?? change).sign < 0;
        pins.set(key, pinnedInStore === change.sign > 0 ? null : change);
      }
    }
  }
  const made: WorldChange[] = [];
  // Of what superseded a claim that the store no longer has as it was, nothing shows, and so nothing else tells.
  for (const [id, after] of [...claims]) {
    const before = overlay.claims.get(id);
    if (after !== null || before === undefined || before.base !== 0) continue;
    for (const { row, base } of overlay.revisedBy.get(before.row.written) ?? []) {
      if (claims.has(row.id)) continue;
      claims.set(row.id, { row: { ...row, goneBy: SUCCESSOR_ERASED, goneAt: Number.POSITIVE_INFINITY }, base });
    }
  }
  const replace = <K, V>(wanted: Map<K, V | null>, known: ReadonlyMap<K, V>, change: (value: V, sign: 1 | -1) => WorldChange) => {
    for (const [key, after] of wanted) {
      const before = known.get(key);
      if (before !== undefined) made.push(change(before, -1));
      if (after !== null) made.push(change(after, 1));
    }
  };
  replace(claims, overlay.claims, (claim, sign) => ({ tag: "world_claim", world, claim, sign }));
  replace(preferences, overlay.preferences, (preference, sign) => ({ tag: "world_preference", world, preference, sign }));
  replace(pins, overlay.pins, ({ field, subject, sign: way }, sign) => ({
    tag: "world_pin",
    world,
    pin: { field, subject, sign: way },
    sign,
  }));
  return made;
}

function worldClaim(row: ClaimRow, base: number): WorldClaim {
  if (base === 0) return { row, base };
  const { id, field, subject, from, to, position, knownFrom, goneBy, goneAt } = row;
  const said = { value: 0, source: 0, writer: 0, qualifiers: 0, recordedAt: 0, written: position };
  return { row: { ...said, id, field, subject, from, to, position, knownFrom, goneBy, goneAt }, base };
}

/** What a world says of a claim of the store, said of the claim itself. */
export function ofStore(said: ClaimRow, claim: ClaimRow): ClaimRow {
  const { id, from, to, goneBy, goneAt } = said;
  const knownFrom = id === claim.id ? claim.knownFrom : said.knownFrom;
  return { ...claim, id, from, to, knownFrom, goneBy, goneAt };
}

/** What a world says of the store's claims, by the claim: of each, that it was superseded, and its parts. */
export function revisions(overlay: Overlay): Map<number, ClaimRow[]> {
  const found = new Map<number, ClaimRow[]>();
  for (const { row, base } of overlay.claims.values()) {
    if (base === 0) continue;
    const known = found.get(base);
    if (known === undefined) found.set(base, [row]);
    else known.push(row);
  }
  return found;
}

/** The claims a world has written, in the order of writing. */
export function written(overlay: Overlay): ClaimRow[] {
  const rows: ClaimRow[] = [];
  for (const { row, base } of overlay.claims.values()) if (base === 0) rows.push(row);
  return rows.sort((a, b) => a.position - b.position || a.id - b.id);
}
