/**
 * The pack `dke`: every tool of the reasoning endpoint that works on a store, as a verb, so that one request can record,
 * reason and read.
 */
import * as z from "zod";
import type { Level } from "../../engine/claim";
import { declarationFault } from "../../tools/declared-language";
import type { JsonObject } from "../request-json";
import { describeVerb, type Verb, type VerbClass } from "../verb";
import { invalidInput } from "../verb-failure";
import { programResult, startToolVerb, toolResult } from "./tool-verb";

const sourceText = z.string().describe("DKE Python, with real line breaks or \\n.");
const edition = z.enum(["python"]).optional().describe("The concrete language; python.");
const language = z.enum(["eng"]).optional().describe("The keyword surface; eng.");
const PROGRAM_RESULT =
  "`{status, printed[], text, ops}`: what each print wrote, the whole answer as text, operations used. A program that is refused is a failed op.";

const program = (name: string, verbClass: VerbClass, level: Level, description: string, example: string, params: z.ZodObject): Verb =>
  describeVerb({
    name: `dke.${name}`,
    pack: "dke",
    class: verbClass,
    description,
    params,
    result: PROGRAM_RESULT,
    example,
    level,
    ownSession: true,
    run: (site, args) => {
      const fault = declarationFault(args);
      if (fault !== null) throw invalidInput(fault);
      return startToolVerb(site, name, args as JsonObject, programResult);
    },
  });

const tool = (
  name: string,
  verbClass: VerbClass,
  level: Level,
  description: string,
  example: string,
  params: { [name: string]: z.ZodType } = {},
): Verb =>
  describeVerb({
    name: `dke.${name}`,
    pack: "dke",
    class: verbClass,
    description,
    params: z.strictObject(params),
    result: "`{status, text, ops, …}`: the tool's answer as text, and its parts as members.",
    example,
    level,
    ownSession: true,
    run: (site, args) => startToolVerb(site, name, args as JsonObject, toolResult),
  });

const moduleName = z.string().describe("The module's name, without a dot.");
const qualifiedName = (what: string) => z.string().describe(`\`module.${what}\`.`);
const markName = z.string().describe("The mark's name.");

export const DKE_VERBS: readonly Verb[] = [
  program(
    "run",
    "Commissive",
    "read",
    "Runs a DKE Python program once: records, revises, reads, asks why. It sees everything that the other verbs wrote, as Kinds of the module `kg`.",
    'dke.run(source="remember(Sensor.s1.room, \\"kitchen\\", \\"survey\\")\\nprint(why(Sensor.s1.room))")',
    z.strictObject({ source: sourceText, edition, language }),
  ),
  program(
    "compile",
    "Commissive",
    "read-write",
    "Keeps a module: classes, standing rules, constraints, scripts. Without `source` the stored module's body runs again.",
    'dke.compile(name="watch", source="import kg\\n\\n@rule\\ndef reaches(a: Concept, b: Concept):\\n    when(a.extends == b)\\n    conclude(a.builds_on, b)\\n")',
    z.strictObject({
      name: moduleName,
      source: sourceText.optional(),
      version: z.string().optional().describe("A label of your own."),
      edition,
      language,
    }),
  ),
  tool("list", "Assertive", "read", "Names of what is stored: scripts, rules, kinds or checkpoints.", 'dke.list(target="kinds")', {
    target: z.enum(["scripts", "rules", "kinds", "checkpoints"]).describe("What to list."),
  }),
  tool("info", "Assertive", "read", "Signature and origin of a stored script.", 'dke.info(name="inventory.ingest")', {
    name: qualifiedName("script"),
  }),
  tool("list_modules", "Assertive", "read", "The stored modules.", "dke.list_modules()"),
  tool("info_module", "Assertive", "read", "What a stored module declares.", 'dke.info_module(name="kg")', { name: moduleName }),
  tool("checkup", "Assertive", "read", "What the rules lack, what nothing reads, which constraints are breached.", "dke.checkup()"),
  tool("stores", "Assertive", "read", "The store behind this key: its id, size and limit.", "dke.stores()"),
  tool(
    "checkpoint",
    "Commissive",
    "read-add",
    "Marks where the store is, for `dke.diff` and `dke.restore`.",
    'dke.checkpoint(name="before_import")',
    {
      name: markName,
    },
  ),
  tool("diff", "Assertive", "read", "What changed since a mark, one line a change.", 'dke.diff(since="before_import")', {
    since: markName,
  }),
  tool("restore", "Declaration", "read-write-delete", "Brings back what was removed since a mark.", 'dke.restore(since="before_import")', {
    since: markName,
  }),
  tool(
    "forget_checkpoint",
    "Declaration",
    "read-write-delete",
    "Drops a mark, and what was kept for it alone.",
    'dke.forget_checkpoint(name="before_import")',
    {
      name: markName,
    },
  ),
  tool("forget", "Declaration", "read-write-delete", "Removes a stored script.", 'dke.forget(name="inventory.ingest")', {
    name: qualifiedName("script"),
  }),
  tool(
    "forget_rule",
    "Declaration",
    "read-write-delete",
    "Removes a standing rule, and what it concluded.",
    'dke.forget_rule(name="watch.reaches")',
    {
      name: qualifiedName("rule"),
    },
  ),
  tool(
    "forget_constraint",
    "Declaration",
    "read-write-delete",
    "Removes a standing constraint.",
    'dke.forget_constraint(name="watch.born_first")',
    {
      name: qualifiedName("constraint"),
    },
  ),
  tool(
    "forget_module",
    "Declaration",
    "read-write-delete",
    "Removes a module with its data.",
    'dke.forget_module(name="watch", confirm=true)',
    {
      name: moduleName,
      confirm: z.literal(true).describe("Says that you mean it."),
    },
  ),
];
