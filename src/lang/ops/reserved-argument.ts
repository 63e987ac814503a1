/** The argument names that a call may not have in either form, because they belong to the request (request facts §1.2). */
import type { OpsCall } from "./ops";
import { reservedArgument } from "./ops-fault";

const RESERVED = new Set(["presentation", "presentation_per_op"]);

export function refuseReserved(call: OpsCall): void {
  for (const [name] of call.args) if (RESERVED.has(name)) throw reservedArgument(name, call.verb);
}
