/**
 * Proofs: why a value holds at a cell, at an instant. Chosen when asked.
 */
import type { Proof } from "./proof";
import type { ProofClaims } from "./reasoner";
import type { RuleState } from "./rule-state";

export interface Goal {
  readonly field: number;
  readonly subject: number;
  readonly value: number;
  readonly at: number;
}

export function prove(_state: RuleState, _goal: Goal, _claims: ProofClaims): Proof | null {
  throw new Error("not yet");
}
