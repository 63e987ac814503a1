/**
 * What a statement does to a store, one small fact at a time, each with its inverse.
 *
 * A layer is a list of changes already made in memory: to commit it is to append the list to its parent's, to roll
 * it back is to undo the list from its end, to land is to write it to SQL. Statements, branches and compiles are
 * all layers, and so is a world, whose list is folded into what it holds as each statement in it ends.
 */
import type { ClaimRow } from "./claim-row";
import type { StoredModule } from "./module-record";
import type { LostRule } from "./rule-history";
import type { WorldChange } from "./world";

/** Who is believed at a cell, or (subject 0) at a whole field. */
export interface Preference {
  readonly id: number;
  readonly field: number;
  readonly subject: number;
  /** Symbol of the source's name. */
  readonly source: number;
  readonly setAt: number;
}

export type Change =
  | {
      readonly tag: "claim";
      readonly row: ClaimRow;
      readonly sign: 1 | -1;
      /** The claim of which this is what an update left standing. */
      readonly of?: ClaimRow;
      /** A world covers the claim (-1), or does so no longer: nothing the world has written. */
      readonly covered?: true;
    }
  /** All claims of a field, in force or superseded, are gone (+1): none of them is here or in a layer alone. */
  | { readonly tag: "emptied"; readonly field: number; readonly sign: 1 | -1 }
  | {
      readonly tag: "preference";
      readonly field: number;
      readonly subject: number;
      readonly before: Preference | null;
      readonly after: Preference | null;
      /** The call's instant: when `before` ended. */
      readonly at: number;
    }
  | { readonly tag: "pin"; readonly field: number; readonly subject: number; readonly sign: 1 | -1 }
  | {
      readonly tag: "module";
      readonly name: string;
      readonly before: StoredModule | null;
      readonly after: StoredModule | null;
      /** The removal under which a mark keeps it, where it goes into the graveyard or comes out of it. */
      readonly held?: number;
    }
  /** Where, and when, a rule stood whose text is not kept. */
  | { readonly tag: "lost_rule"; readonly lost: LostRule; readonly sign: 1 | -1 }
  /** A mark that was set, moved or dropped. `name` is the symbol of its name. */
  | { readonly tag: "mark"; readonly name: number; readonly before: number | null; readonly after: number | null }
  /** What no mark can ask for any longer: the log up to a position, and what was removed up to it. */
  | { readonly tag: "let_go"; readonly upTo: number }
  /** A line of the change log. Of a conclusion -1 says that it ceased, which only a layer that is open wants to know. */
  | { readonly tag: "line"; readonly position: number; readonly line: Line; readonly sign: 1 | -1 }
  | Grave
  /** A world that was made or ended; numbers are its id, `name` the symbol of its name. What it held goes with it. */
  | { readonly tag: "world"; readonly name: number; readonly before: number | null; readonly after: number | null }
  | WorldChange;

/** What a line of the log tells, in ids. Zero where there is nothing. */
export interface Line {
  readonly code: LineCode;
  readonly field: number;
  readonly subject: number;
  /** Symbol: a conclusion's value, a Kind's or a rule's name. */
  readonly symbol: number;
  /** Of a recorded claim its id; the position stands with the line. */
  readonly claim: number;
  /** Microseconds: of a removal by time. */
  readonly instant: number;
}

/** As stored. A recorded claim's line says nothing but where to look: it holds while the store holds the claim. */
export const LINE = {
  added: 1,
  concluded: 3,
  removed: 10,
  removed_value: 11,
  removed_at: 12,
  recorded_before: 13,
  recorded_at_or_before: 14,
  valid_before: 15,
  valid_at_or_before: 16,
  removed_rule: 17,
} as const;
export type LineCode = (typeof LINE)[keyof typeof LINE];

/** What a removal under a mark keeps (+1), and what a restore takes back (-1). `removal` is the position of the statement. */
export type Grave =
  | { readonly tag: "grave_claim"; readonly removal: number; readonly row: ClaimRow; readonly unit: boolean; readonly sign: 1 | -1 }
  | { readonly tag: "grave_preference"; readonly removal: number; readonly preference: Preference; readonly sign: 1 | -1 }
  /** A version that stayed behind when what superseded it went, as it was before. */
  | { readonly tag: "grave_link"; readonly removal: number; readonly row: ClaimRow; readonly sign: 1 | -1 };

export function inverse(change: Change): Change {
  switch (change.tag) {
    case "preference":
      return { ...change, before: change.after, after: change.before };
    case "claim":
    case "emptied":
    case "pin":
    case "lost_rule":
    case "line":
    case "grave_claim":
    case "grave_preference":
    case "grave_link":
    case "world_claim":
    case "world_preference":
    case "world_pin":
      return { ...change, sign: change.sign === 1 ? -1 : 1 };
    case "module":
    case "mark":
    case "world":
      return { ...change, before: change.after, after: change.before } as Change;
    case "let_go":
      return change;
  }
}
