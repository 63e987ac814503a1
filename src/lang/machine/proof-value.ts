/**
 * A proof as a value of a program: what `why` gives. Prints as indented text; `.value .rule .premises .to_json()` read it.
 * Where a cell holds several values it is one tree with a root a value: `.premises` are then those roots.
 */

import { Datetime } from "../../datum";
import { spellCell } from "../../engine/address";
import type { Proof } from "../../engine/proof";
import { type ProofSpelling, proofJson, renderProof } from "../../engine/proof-text";
import { BoundMethod } from "../value/builtin-function";
import { datetimeText } from "../value/datetime";
import { valueOf } from "../value/datum";
import { equal } from "../value/protocol-equal";
import { PyList, PyOpaque, type Value } from "../value/value";
import { elementText } from "./value-text";

const SPELLING: ProofSpelling = {
  value: (datum) => elementText(valueOf(datum)),
  instant: (micros) => datetimeText(new Datetime(micros)),
};

export class ProofValue extends PyOpaque {
  override readonly typeName = "proof_tree";
  #text: string | null = null;
  /** Not empty. */
  constructor(readonly proofs: readonly Proof[]) {
    super();
  }
  override repr(): string {
    return (this.#text ??= this.proofs.map((p) => renderProof(p, SPELLING)).join("\n"));
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
        return new BoundMethod(this, "to_json", (self: ProofValue) =>
          JSON.stringify(self.proofs.length > 1 ? self.proofs.map((x) => proofJson(x, SPELLING)) : proofJson(self.proofs[0]!, SPELLING)),
        );
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
