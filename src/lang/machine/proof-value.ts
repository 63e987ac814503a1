/** A proof as a value of a program: what `why` gives. Prints as indented text; `.value .rule .premises .to_json()` read it. */
import type { Proof } from "../../engine/proof";
import { proofJson, renderProof } from "../../engine/proof-text";
import { BoundMethod } from "../value/builtin-function";
import { valueOf } from "../value/datum";
import { equal } from "../value/protocol-equal";
import { PyList, PyOpaque, type Value } from "../value/value";
import { cellText } from "./claim-value";

export class ProofValue extends PyOpaque {
  override readonly typeName = "proof_tree";
  #text: string | null = null;
  constructor(readonly proof: Proof) {
    super();
  }
  override repr(): string {
    return (this.#text ??= renderProof(this.proof));
  }
  override attribute(name: string): Value | undefined {
    const p = this.proof;
    switch (name) {
      case "value":
        return valueOf(p.value);
      case "cell":
        return cellText(p.cell.kind, p.cell.subject, p.cell.field);
      case "rule":
        return p.claim.rule;
      case "source":
        return p.claim.source;
      case "trust":
        return p.claim.trust;
      case "premises":
        return new PyList(p.premises.map((x) => (x.tag === "proof" ? new ProofValue(x.proof) : x.text)));
      case "to_json":
        return new BoundMethod(this, "to_json", (self: ProofValue) => JSON.stringify(proofJson(self.proof)));
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
