/**
 * What `why_not` and `what_needs` give: a tree of lines as a value of a program. `.value .rule .premises .to_json()` read
 * it, as they read a proof; a line that is text and no more is a text among the premises.
 */
import { isRemark, type Reason, reasonJson, renderReason } from "../../engine/reason";
import { BoundMethod } from "../value/builtin-function";
import { valueOf } from "../value/datum";
import { equal } from "../value/protocol-equal";
import { repr } from "../value/protocol-text";
import { PyList, PyOpaque, type Value } from "../value/value";

export class ReasonValue extends PyOpaque {
  override readonly typeName = "proof_tree";
  #text: string | null = null;
  constructor(readonly reason: Reason) {
    super();
  }
  override repr(): string {
    return (this.#text ??= renderReason(this.reason));
  }
  override attribute(name: string): Value | undefined {
    const { reason } = this;
    switch (name) {
      case "value":
        return reason.value === undefined ? null : valueOf(reason.value);
      case "cell":
        return reason.cell;
      case "rule":
        return reason.rule;
      case "premises":
        return new PyList(reason.premises.map((one) => (isRemark(one) ? one.text : new ReasonValue(one))));
      case "to_json":
        return new BoundMethod(this, "to_json", (self: ReasonValue) =>
          JSON.stringify(reasonJson(self.reason, (value) => repr(valueOf(value)))),
        );
      default:
        return undefined;
    }
  }
  override equals(other: Value): boolean {
    return other instanceof ReasonValue && equal(this.repr(), other.repr());
  }
  override hashKey(): string {
    return `proof ${this.repr()}`;
  }
}
