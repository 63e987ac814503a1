/** Reading what a store holds and what the language is: `spec`, `list`, `info`, `list_modules`, `info_module`, `checkup`, `stores` (contract §9.1, §9.2, §9.4 to §9.6). */
import * as z from "zod";
import { edition, language, type Tool, text } from "./tool";

/** Contract §9.1, in document order. */
export const SPEC_TOPICS = ["header", "declarations", "statements", "expressions", "types", "verbs", "scripts"] as const;
export type SpecTopic = (typeof SPEC_TOPICS)[number];

export const INTROSPECTION_TOOLS: readonly Tool[] = [
  {
    name: "spec",
    title: "Language specification",
    description: `Use this before writing DKE Python: serves the language specification, one topic at a time. The whole document is larger than most clients take as one result, so name a topic.

Topics: header (modules, programs, names), declarations (class, @rule, @constraint, computed fields), statements, expressions, types, verbs (remember, update, forget, current, find, why ...), scripts (def, import, calling). Classes, rules and constraints are under declarations. _meta.revision is the revision of the published surface. Works with every key and is not billed.`,
    schema: z.strictObject({ edition, topic: z.enum(SPEC_TOPICS).describe("The part to read. Omit for the whole document.").optional() }),
    readOnly: true,
    longResult: true,
  },
  {
    name: "info",
    title: "A script's provenance",
    description: `Use this to learn how a script came to be: which key compiled it, in which natural language, against which manifest version. For the reason behind a fact, run why(cell) instead.`,
    schema: z.strictObject({ name: text("The script, as module.script."), language }),
    readOnly: true,
  },
  {
    name: "list",
    title: "List scripts, rules, kinds or checkpoints",
    description: `Use this to see what a store offers by name: scripts with their full call signature, standing rules, the kinds that data is stored under, or the marks that stand (see checkpoint). One name a line, in ascending order.

target=kinds tells what is there before you write into a store you did not start from empty: a kind you did not expect is data you did not put there.`,
    schema: z.strictObject({ target: z.enum(["scripts", "rules", "kinds", "checkpoints"]).describe("What to list."), language }),
    readOnly: true,
  },
  {
    name: "info_module",
    title: "A module's record",
    description: `Use this before importing a module you did not just write: its scripts, classes, rules and constraints by their qualified names, its version label, its language, when it was created and when its content last changed. The source text is not kept and cannot be read back.`,
    schema: z.strictObject({ name: text("The bare module name."), language }),
    readOnly: true,
  },
  {
    name: "list_modules",
    title: "List modules",
    description: "Use this to see which modules a store holds: name, number of scripts, created-at, one a line.",
    schema: z.strictObject({ language }),
    readOnly: true,
  },
];

export const DIAGNOSIS_TOOLS: readonly Tool[] = [
  {
    name: "checkup",
    title: "Does the store meet its rules",
    description: `Use this when a query returns nothing and you cannot tell whether the answer is really no: it holds what the standing rules and constraints need against what the store holds. Changes nothing; any key that reads may call it.

One counts line, then one finding a line. unmet Kind.field no-such-kind | no-values | not-in-force: a rule or constraint needs a value there and none is in force. unread Kind: it holds data and nothing reads it. near A ~ B: an unread kind and an unmet one differ by a letter or two; read these first. violated module.constraint n subject ...: n subjects breach it, at most five are named. In the counts: unfirable rules cannot fire as things are, declined ones conclude nothing because a fold cannot take the values it reads, unevaluable constraints could not be tested.`,
    schema: z.strictObject({ language }),
    readOnly: true,
    longResult: true,
  },
];

export const STORE_TOOLS: readonly Tool[] = [
  {
    name: "stores",
    title: "Your store",
    description: "Use this to see which store your key opens: its id, its size in bytes and when it was created.",
    schema: z.strictObject({}),
    readOnly: true,
  },
];
