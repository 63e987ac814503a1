/**
 * A conclusion as a claim (rulings, "Derived claims as claims"): its source is the rule, and it was recorded when the
 * latest asserted claim of its proof was. That needs the proof, so it is worked out when asked for, or before what it
 * rests on changes (owed-answers.ts).
 */
import type { Datum } from "../datum";
import { Refusal } from "../failure";
import { spellCell } from "./address";
import type { Cell, Claim, Qualifiers, Window } from "./claim";
import type { ClaimRow } from "./claim-row";
import { judgeAt } from "./judgement";
import type { Ledger } from "./ledger";
import type { OwedAnswers } from "./owed-answers";
import type { Proof } from "./proof";
import type { DerivedFact, ProofClaims } from "./reasoner";
import { cellOf, recordedClaim } from "./recorded-claim";
import { holds } from "./span";

export class DerivedClaim implements Claim {
  readonly trust = "derived";
  readonly writtenBy = null;
  readonly qualifiers: Qualifiers = new Map();
  readonly position = 0;
  readonly superseded = false;
  readonly pinned: boolean;
  readonly cell: Cell;
  readonly value: Datum;
  readonly source: string;
  readonly rule: string;
  readonly window: Window;
  readonly #fact: DerivedFact;
  readonly #at: number;
  readonly #why: (fact: DerivedFact, at: number) => Proof | null;
  readonly #owed: OwedAnswers;
  readonly #era: number;
  #recordedAt: number | null | Refusal | undefined;

  constructor(ledger: Ledger, owed: OwedAnswers, fact: DerivedFact, at: number, why?: (fact: DerivedFact, at: number) => Proof | null) {
    this.#why = why ?? (({ field, subject, value }) => ledger.reasoner!.why(field, subject, value, this.#at, proofClaims(ledger)));
    this.#fact = fact;
    this.#at = holds(fact, at) ? at : Number.isFinite(fact.from) ? fact.from : fact.to - 1;
    this.cell = cellOf(ledger, fact.field, fact.subject);
    this.value = ledger.symbols.datumOf(fact.value);
    this.source = fact.rule;
    this.rule = fact.rule;
    this.window = { from: Number.isFinite(fact.from) ? fact.from : null, to: Number.isFinite(fact.to) ? fact.to : null };
    this.pinned = ledger.belief.isPinned(fact.field, fact.subject);
    this.#owed = owed;
    this.#era = owed.era;
    owed.add(this);
  }

  get recordedAt(): number | null {
    this.settle();
    if (this.#recordedAt instanceof Refusal) throw this.#recordedAt;
    return this.#recordedAt!;
  }

  /** While the claims it rests on still show. */
  settle(): number {
    if (this.#recordedAt !== undefined) return 0;
    if (this.#owed.era !== this.#era) {
      this.#recordedAt = tooLate(this.cell);
      return 0;
    }
    try {
      const proof = this.#why(this.#fact, this.#at);
      this.#recordedAt = proof === null ? null : latestRecorded(proof);
      return proof === null ? 1 : nodesOf(proof);
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
      this.#recordedAt = problem;
      return 1;
    }
  }
}

function tooLate(cell: Cell): Refusal {
  return new Refusal(
    "limit_exceeded",
    `when this conclusion at ${spellCell(cell)} was recorded is not known any longer: the call was given more conclusions before it changed what they rest on; read \`.recorded_at\` before the change`,
    spellCell(cell),
  );
}

function nodesOf(proof: Proof): number {
  let nodes = 1;
  for (const premise of proof.premises) if (premise.tag === "proof") nodes += nodesOf(premise.proof);
  return nodes;
}

export function isDerivedFact(one: ClaimRow | DerivedFact): one is DerivedFact {
  return "rule" in one;
}

/** The recorded claims a proof shows as its leaves. */
export function proofClaims(ledger: Ledger): ProofClaims {
  return {
    asserted(field, subject, value, at) {
      const rows = ledger.cells.standing(field, subject);
      const row = ledger.isMany(field)
        ? rows.filter((candidate) => candidate.value === value && holds(candidate, at)).at(-1)
        : judgeAt(rows, at, ledger.belief.preferredAt(field, subject));
      return row === undefined || row.value !== value ? null : recordedClaim(ledger, row);
    },
  };
}

function latestRecorded(proof: Proof): number | null {
  if (proof.claim.trust === "asserted") return proof.claim.recordedAt;
  let latest: number | null = null;
  for (const premise of proof.premises) {
    const at = premise.tag === "proof" ? latestRecorded(premise.proof) : null;
    if (at !== null && (latest === null || at > latest)) latest = at;
  }
  return latest;
}
