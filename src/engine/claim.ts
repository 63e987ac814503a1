/**
 * The data types of the store: cells, windows, claims, effects, levels. Plain data; no behaviour.
 *
 * Times are integers, microseconds since 1970-01-01T00:00:00Z. A window is `[from, to)`, `null` = open.
 */
import type { Datum, DatumType } from "../datum";

/** `kind` as stored: `module.Kind` where declared, else bare. */
export interface Cell {
  readonly kind: string;
  readonly subject: string;
  readonly field: string;
}

export interface Window {
  readonly from: number | null;
  readonly to: number | null;
}
export const ALWAYS: Window = { from: null, to: null };

export type Qualifiers = ReadonlyMap<string, Datum>;

/** A claim as a read gives it. */
export interface Claim {
  readonly cell: Cell;
  /** `null` is an asserted absence. */
  readonly value: Datum;
  /** The source's name, or for a derived claim the rule's. */
  readonly source: string;
  readonly trust: "asserted" | "derived";
  /** `module.rule` of a derived claim. */
  readonly rule: string | null;
  /** Id of the key that wrote it; null for a derived claim. */
  readonly writtenBy: string | null;
  /** The recording call's instant; null for a derived claim that rests on no recorded one. */
  readonly recordedAt: number | null;
  readonly window: Window;
  readonly qualifiers: Qualifiers;
  /** Order of everything that ever happened in this store; 0 for a derived claim. */
  readonly position: number;
  readonly superseded: boolean;
  readonly pinned: boolean;
}

/** A read's point in the two times; both default to the call's instant. */
export interface ReadPoint {
  readonly at?: number;
  readonly knownAt?: number;
}

/** What a removal or a mark of belief is aimed at. */
export type Target =
  | { readonly tag: "cell"; readonly cell: Cell }
  | { readonly tag: "field"; readonly kind: string; readonly field: string }
  | { readonly tag: "subject"; readonly kind: string; readonly subject: string }
  | { readonly tag: "kind"; readonly kind: string };

/** What an effect is of. */
export type EffectTarget = Target | { readonly tag: "world"; readonly name: string };

export type RangeKeyword = "recorded_before" | "recorded_at_or_before" | "valid_before" | "valid_at_or_before";

/** What one write statement changed. Returned only where something changed; `null` means no change. */
export interface Effect {
  readonly verb:
    | "remember"
    | "update"
    | "assert_absent"
    | "forget"
    | "prefer"
    | "unprefer"
    | "pin"
    | "unpin"
    | "create_world"
    | "merge_world"
    | "discard_world";
  readonly target: EffectTarget;
  /** The world it happened in; the store knows nothing of it yet. */
  readonly world?: string;
  /** For remember/update: what was written; undefined otherwise. */
  readonly value?: Datum;
  readonly source?: string;
  /** The bounds the statement gave (not those it left open by silence). */
  readonly window?: { readonly from?: number; readonly to?: number };
  readonly qualifierNames?: readonly string[];
  /** Claims added / removed by this statement. */
  readonly added: number;
  readonly removed: number;
}

/** Contract §3: the five access levels, least first. */
export const LEVELS = ["none", "read", "read-add", "read-write", "read-write-delete"] as const;
export type Level = (typeof LEVELS)[number];

/** A declared field's type. `kind` only with `type: "subject"`: the very Kind its values must be of. */
export interface FieldType {
  readonly type: "any" | Exclude<DatumType, "none" | "range">;
  readonly kind?: string;
  readonly many: boolean;
}

/** A Kind that a module's `class` declares. `name` is qualified. `fields` in declaration order. */
export interface KindDeclaration {
  readonly name: string;
  readonly fields: ReadonlyMap<string, FieldType>;
}
