/**
 * The data of a proof: why a value holds at a cell. Built by the reasoner, printed by `renderProof`, read by
 * programs through `.value .rule .premises .to_json()`.
 */
import type { Datum } from "../datum";
import type { Cell, Claim } from "./claim";

/** One node. `claim` is what holds; `premises` are empty for an asserted claim. */
export interface Proof {
  readonly cell: Cell;
  readonly value: Datum;
  readonly claim: Claim;
  /** Premises in the order the rule states them. A `condition` is a premise that reads no claim (a comparison, a text test, an absence): its text with the values put in. */
  readonly premises: readonly ProofPremise[];
  /** True where the same fact is proved earlier in the tree: shown as `see above`. */
  readonly repeated: boolean;
}
export type ProofPremise = { readonly tag: "proof"; readonly proof: Proof } | { readonly tag: "condition"; readonly text: string };
