/**
 * An address as a verb takes it, evaluated: a cell, a subject, or what is written as a Kind's. What is no address is the fault
 * of the verb's statement, so that a key that may not make the statement is told that first.
 */
import type { Level } from "../../engine/claim";
import { unreachable } from "../../failure";
import type { IrAddress } from "../compile/ir";
import { buildExpr } from "./build-expression";
import type { Builder } from "./builder";
import { type Address, askedFirst, cellOf, subjectIn } from "./verbs";
import type { Frame } from "./vm";

/** `least`: what the verb asks for whose address it is. */
export function buildAddress(B: Builder, a: IrAddress, least: Level): (R: Frame) => Address {
  const asked = <T extends readonly unknown[], U>(read: (...of: T) => U) =>
    least === "read" ? read : (...of: T) => askedFirst(least, () => read(...of));
  switch (a.a) {
    case "cell": {
      const cellAt = asked(cellOf);
      const s = buildExpr(B, a.subject);
      const field = a.field;
      if (typeof field === "string") {
        if (a.subject.k === "subject" && a.subject.e.k === "const") {
          const whole: Address = { a: "cell", cell: { kind: a.subject.kind, subject: a.subject.e.v as string, field } };
          return () => whole;
        }
        return (R) => ({ a: "cell", cell: cellAt(s(R), field) });
      }
      const f = buildExpr(B, field);
      return (R) => {
        const subject = s(R);
        return { a: "cell", cell: cellAt(subject, f(R)) };
      };
    }
    case "subject": {
      const subjectAt = asked(subjectIn);
      const s = buildExpr(B, a.subject);
      return (R) => ({ a: "subject", subject: subjectAt(s(R)) });
    }
    case "field":
    case "kind":
    case "either":
      return () => a;
    default:
      return unreachable(a);
  }
}
