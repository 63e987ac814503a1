/**
 * What a statement does to a store, one small fact at a time, each with its inverse.
 *
 * A layer is a list of changes already made in memory: to commit it is to append the list to its parent's, to roll
 * it back is to undo the list from its end, to land is to write it to SQL. Statements, branches and compiles are
 * all layers.
 */
import type { ClaimRow } from "./claim-row";
import type { StoredModule } from "./module-record";

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
  | { readonly tag: "claim"; readonly row: ClaimRow; readonly sign: 1 | -1 }
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
  | { readonly tag: "module"; readonly name: string; readonly before: StoredModule | null; readonly after: StoredModule | null };

export function inverse(change: Change): Change {
  switch (change.tag) {
    case "claim":
      return { tag: "claim", row: change.row, sign: change.sign === 1 ? -1 : 1 };
    case "preference":
      return { ...change, before: change.after, after: change.before };
    case "pin":
      return { ...change, sign: change.sign === 1 ? -1 : 1 };
    case "module":
      return { ...change, before: change.after, after: change.before };
  }
}
