/**
 * The arithmetic of rules: the language's own, so that a rule and a program can never compute two different things.
 *
 * What Python would raise, and what passes a size limit, is no value. Rule work is not billed: the ops meter is put
 * back to where it stood.
 */
import type { Datum } from "../../datum";
import type { Arithmetic, Comparison } from "../../engine/rule";
import type { RuleCalculus } from "../../engine/rule-calculus";
import { Refusal } from "../../failure";
import { datumOf as datumOfValue, valueOf as valueOfDatum } from "../value/datum";
import { format } from "../value/format";
import { meter } from "../value/meter";
import { binary, invert, neg, pos } from "../value/protocol-arith";
import { equal } from "../value/protocol-equal";
import { compare } from "../value/protocol-order";
import { ascii, repr, str } from "../value/protocol-text";
import { Raised, type Value } from "../value/value";

export const RULE_CALCULUS: RuleCalculus = {
  unary(op: "-" | "+" | "~", operand: Datum): Datum | undefined {
    return computed(() => {
      const value = valueOfDatum(operand);
      return datumOfValue(op === "-" ? neg(value) : op === "+" ? pos(value) : invert(value));
    });
  },
  binary(op: Arithmetic, left: Datum, right: Datum): Datum | undefined {
    return computed(() => datumOfValue(binary(op, valueOfDatum(left), valueOfDatum(right))));
  },
  compare(op: Comparison, left: Datum, right: Datum): boolean | undefined {
    return computed(() => {
      const a: Value = valueOfDatum(left);
      const b: Value = valueOfDatum(right);
      if (op === "==") return equal(a, b);
      if (op === "!=") return !equal(a, b);
      return compare(op, a, b);
    });
  },
  format(value: Datum, conversion: "s" | "r" | "a" | null, spec: string): string | undefined {
    return computed(() => {
      const held = valueOfDatum(value);
      if (conversion === null) return format(held, spec);
      return format(conversion === "s" ? str(held) : conversion === "r" ? repr(held) : ascii(held), spec);
    });
  },
};

function computed<T>(work: () => T): T | undefined {
  const { ops } = meter;
  try {
    return work();
  } catch (problem) {
    if (problem instanceof Raised || (problem instanceof Refusal && problem.catchable)) return undefined;
    throw problem;
  } finally {
    meter.ops = ops;
  }
}
