/**
 * A store as it shows under what one world holds.
 *
 * What the world holds is made once more, in memory, on top of the store as it is now, as the changes of a layer: so
 * every read and every rule sees both, and to leave the world is to undo them. What the store has done since to a claim
 * that the world revised wins over what the world said of it; and a claim that the world has written covers each of the
 * store's of that cell and source whose window it overlaps, at a single-valued field (rulings, "A world whose store
 * moved").
 *
 * Nothing of it is written: world-row.ts keeps what the world holds.
 */
import type { Change } from "./change";
import type { ClaimRow } from "./claim-row";
import { isPast } from "./claim-row";
import type { Ledger } from "./ledger";
import { overlaps } from "./span";
import { isOfWorld, type Overlay, ofStore, placeKey, revisions, written } from "./world";

export class WorldView {
  readonly world: number;
  readonly overlay: Overlay;
  /** All that was made in memory to show it, and what statements made since, in order. */
  readonly changes: Change[] = [];
  /** Whether the store itself pins the cells that the world pinned or freed before it showed. */
  readonly storePins = new Map<string, boolean>();
  /** The claims of the store that are covered, by cell. */
  readonly #covered = new Map<string, Map<number, ClaimRow>>();

  constructor(world: number, overlay: Overlay) {
    this.world = world;
    this.overlay = overlay;
  }

  /** Makes what the world holds, on top of the store. */
  replay(ledger: Ledger): void {
    for (const [base, said] of revisions(this.overlay)) {
      const claim = standingAs(ledger, base, said);
      if (claim === undefined) continue;
      ledger.make({ tag: "claim", sign: -1, row: claim });
      for (const row of said) ledger.make({ tag: "claim", sign: 1, row: ofStore(row, claim) });
    }
    for (const row of written(this.overlay)) {
      if (!isPast(row)) this.#cover(ledger, row);
      ledger.make({ tag: "claim", sign: 1, row });
    }
    for (const after of this.overlay.preferences.values()) {
      const { field, subject } = after;
      ledger.make({ tag: "preference", field, subject, before: ledger.belief.preference(field, subject), after, at: after.setAt });
    }
    for (const [key, { field, subject, sign }] of this.overlay.pins) {
      const pinned = ledger.belief.isPinned(field, subject);
      this.storePins.set(key, pinned);
      if (pinned !== sign > 0) ledger.make({ tag: "pin", field, subject, sign });
    }
  }

  /** Inside a statement: what `changes` took away covers nothing any longer. */
  uncover(ledger: Ledger, changes: readonly Change[]): void {
    if (this.#covered.size === 0) return;
    for (const change of changes) {
      if (change.tag !== "claim" || change.sign > 0 || change.covered || !isOfWorld(change.row) || isPast(change.row)) continue;
      const { field, subject } = change.row;
      const covered = this.#covered.get(placeKey(change.row));
      if (covered === undefined) continue;
      const rows = ledger.cells.standing(field, subject);
      for (const claim of [...covered.values()]) {
        if (!rows.some((row) => isOfWorld(row) && covers(row, claim))) ledger.make({ tag: "claim", sign: 1, row: claim, covered: true });
      }
    }
  }

  /** A claim was covered (-1) or is no longer: both as a change is made and as it is undone. */
  noteCovered(claim: ClaimRow, sign: 1 | -1): void {
    const key = placeKey(claim);
    const known = this.#covered.get(key);
    if (sign < 0) {
      if (known === undefined) this.#covered.set(key, new Map([[claim.id, claim]]));
      else known.set(claim.id, claim);
      return;
    }
    known?.delete(claim.id);
    if (known?.size === 0) this.#covered.delete(key);
  }

  #cover(ledger: Ledger, row: ClaimRow): void {
    if (ledger.isMany(row.field)) return;
    for (const claim of [...ledger.cells.standing(row.field, row.subject)]) {
      if (!isOfWorld(claim) && covers(row, claim)) ledger.make({ tag: "claim", sign: -1, row: claim, covered: true });
    }
  }
}

/** The claim of the store that a world revised, where it still stands as it was. */
export function standingAs(ledger: Ledger, id: number, said: readonly ClaimRow[]): ClaimRow | undefined {
  const { field, subject, position } = said[0];
  return ledger.cells.standing(field, subject).find((row) => row.id === id && row.position === position);
}

function covers(row: ClaimRow, claim: ClaimRow): boolean {
  return row.source === claim.source && overlaps(row, claim);
}
