/** Removing what was compiled, and marks: `forget`, `forget_rule`, `forget_constraint`, `forget_module`, `forget_checkpoint` (contract §9.2 to §9.4, §9.7). */
import * as z from "zod";
import { language, type Tool, text } from "./tool";

export const LIFECYCLE_TOOLS: readonly Tool[] = [
  {
    name: "forget",
    title: "Remove a script",
    description: `Use this to remove one script of a module; the rest of the module stays. Removing one that is not there succeeds. To remove facts, run forget(cell) in a program instead. Needs a read-write-delete key.`,
    schema: z.strictObject({ name: text("The script, as module.script."), language }),
    destructive: true,
    idempotent: true,
  },
  {
    name: "forget_rule",
    title: "Remove a standing rule",
    description: `Use this to withdraw one standing rule and every fact it concluded. The facts it concluded from stay, and a conclusion another rule supports survives; compiling the module again brings the rule back. See the names with list(target=rules). Needs a read-write-delete key.`,
    schema: z.strictObject({ name: text("The rule, as module.rule."), language }),
    destructive: true,
    idempotent: true,
  },
  {
    name: "forget_constraint",
    title: "Remove a standing constraint",
    description: `Use this to stop watching one standing constraint. It concluded nothing, so no fact changes, and subjects that breach it still do. Compiling the module again brings it back. Needs a read-write-delete key.`,
    schema: z.strictObject({ name: text("The constraint, as module.constraint."), language }),
    destructive: true,
    idempotent: true,
  },
  {
    name: "forget_module",
    title: "Remove a module",
    description: `Use this to remove a module as a unit: its scripts, rules, kinds and their data. Refused while another stored module refers to it, naming that module. confirm must be true. There is no way back unless a checkpoint stands. Needs a read-write-delete key.`,
    schema: z.strictObject({ name: text("The bare module name."), confirm: z.literal(true).describe("Must be true."), language }),
    destructive: true,
  },
  {
    name: "forget_checkpoint",
    title: "Drop a mark",
    description: `Use this when a mark is no longer needed: it lets go of the removals that only this mark was holding, which then stop taking storage and can no longer be restored. Answers how many removed values it let go, or none where there is no such mark. Needs a read-write-delete key.`,
    schema: z.strictObject({ name: text("The mark's name."), language }),
    destructive: true,
    idempotent: true,
  },
];
