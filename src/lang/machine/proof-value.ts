/**
 * A proof as a value of a program: what `why` gives. Prints as indented text; `.value .rule .premises .to_json()` read it.
 * Where a cell holds several values it is one tree with a root a value: `.premises` are then those roots.
 */

import { Datetime } from "../../datum";
import { spellCell } from "../../engine/address";
import type { Proof } from "../../engine/proof";
import { ProofRoom, type ProofSpelling, proofJson, renderProof } from "../../engine/proof-text";
import { Refusal } from "../../failure";
import { BoundMethod } from "../value/builtin-function";
import { datetimeText } from "../value/datetime";
import { valueOf } from "../value/datum";
import { equal } from "../value/protocol-equal";
import { repr } from "../value/protocol-text";
import { PyList, PyOpaque, type Value } from "../value/value";

const spelling = (text: (held: Value) => string): ProofSpelling => ({
  value: (datum) => text(valueOf(datum)),
  instant: (micros) => datetimeText(new Datetime(micros)),
});

export class ProofValue extends PyOpaque {
  override readonly typeName = "proof_tree";
  #text: string | null = null;
  /** Not empty. */
  constructor(readonly proofs: readonly Proof[]) {
    super();
  }
  /** Refuses `limit_exceeded`. */
  override repr(): string {
    return (this.#text ??= this.spelled(repr));
  }
  override spelled(text: (held: Value) => string): string {
    const room = new ProofRoom();
    return this.proofs.map((p) => renderProof(p, spelling(text), room)).join("\n");
  }
  override get isShort(): boolean {
    if (this.#text !== null) return true;
    try {
      this.repr();
      return true;
    } catch (problem) {
      if (problem instanceof Refusal) return false;
      throw problem;
    }
  }
  override attribute(name: string): Value | undefined {
    const several = this.proofs.length > 1;
    const p = this.proofs[0]!;
    switch (name) {
      case "value":
        return several ? new PyList(this.proofs.map((x) => valueOf(x.value))) : valueOf(p.value);
      case "cell":
        return spellCell(p.cell);
      case "rule":
        return several ? null : p.claim.rule;
      case "source":
        return several ? null : p.claim.source;
      case "trust":
        return several ? null : p.claim.trust;
      case "premises":
        return new PyList(
          several
            ? this.proofs.map((x) => new ProofValue([x]))
            : p.premises.map((x) => (x.tag === "proof" ? new ProofValue([x.proof]) : x.text)),
        );
      case "to_json":
        return new BoundMethod(this, "to_json", (self: ProofValue) => {
          const room = new ProofRoom();
          const told = self.proofs.map((x) => proofJson(x, spelling(repr), room));
          return JSON.stringify(told.length > 1 ? told : told[0]);
        });
      default:
        return undefined;
    }
  }
  override equals(other: Value): boolean {
    return other instanceof ProofValue && equal(this.repr(), other.repr());
  }
  override hashKey(): string {
    return `proof ${this.repr()}`;
  }
}
