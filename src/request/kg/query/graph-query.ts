/**
 * A read-only query as both query languages mean it: nodes and edges that must be there, conditions on what is bound, and
 * what is told of each match. Plain data.
 */
import type { RequestJson } from "../../request-json";

/** A record, by a name of the query's own. */
export interface NodePattern {
  readonly variable: string;
  /** `entity`, `note`, or a kind of either; any of them. Empty: any record. */
  readonly kinds: readonly string[];
}

export interface EdgePattern {
  /** Null: not named. */
  readonly variable: string | null;
  readonly from: string;
  readonly to: string;
  /** Empty: any relation. */
  readonly relations: readonly string[];
  /** Also from `to` to `from`. */
  readonly eitherWay: boolean;
}

export type Operand =
  | { readonly tag: "literal"; readonly value: RequestJson }
  | { readonly tag: "field"; readonly variable: string; readonly field: string };

/** What rows are put in order by. */
export type OrderKey = Operand | { readonly tag: "column"; readonly name: string };

export type Comparison = "=" | "<>" | "<" | "<=" | ">" | ">=" | "contains" | "starts_with" | "ends_with" | "in";

export type Condition =
  | { readonly tag: "compare"; readonly op: Comparison; readonly left: Operand; readonly right: Operand }
  | { readonly tag: "is_null"; readonly operand: Operand; readonly negated: boolean }
  | { readonly tag: "and" | "or"; readonly left: Condition; readonly right: Condition }
  | { readonly tag: "not"; readonly condition: Condition };

/** `field` null: the whole record or edge. */
export type Column =
  | { readonly tag: "value"; readonly name: string; readonly variable: string; readonly field: string | null }
  /** `variable` null: matches are counted, not what they bind. */
  | { readonly tag: "count"; readonly name: string; readonly variable: string | null; readonly distinct: boolean };

export interface GraphQuery {
  readonly nodes: readonly NodePattern[];
  readonly edges: readonly EdgePattern[];
  readonly condition: Condition | null;
  readonly columns: readonly Column[];
  readonly distinct: boolean;
  readonly order: readonly { readonly operand: OrderKey; readonly descending: boolean }[];
  readonly skip: number;
  /** Null: as many as there are. */
  readonly limit: number | null;
}
