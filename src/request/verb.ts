/**
 * A verb, described once: its name, what it takes and gives, and what it does. Everything that is said of verbs
 * (plan, `help=true`, `verbs()`, the reference page, how an overlong answer is recovered) is read off this.
 *
 * A verb is done at once, or gives a `VerbTask` that is driven slice by slice. It throws `VerbFailure`, or lets a refusal
 * of the store pass: either fails this op alone, and nothing that it wrote is kept.
 */
import type * as z from "zod";
import type { Level } from "../engine/claim";
import type { EventSaid } from "./event/event-kind";
import type { JsonObject, RequestJson } from "./request-json";
import type { VerbSite } from "./verb-site";

/** What a call of the verb is as an act: Assertive reads, Commissive commits, Declaration changes a status, Directive asks someone. */
export type VerbClass = "Assertive" | "Commissive" | "Declaration" | "Directive";

export interface VerbDescription<Params extends z.ZodObject> {
  /** `pack.verb`; of the pack `kg`, bare. */
  readonly name: string;
  readonly pack: string;
  readonly class: VerbClass;
  /** One or two sentences: when to use it, and what is particular about it. */
  readonly description: string;
  /** Strict: an argument it does not list is refused by name. `namespace` is always taken and need not be listed. */
  readonly params: Params;
  /** The shape of the result, in words. */
  readonly result: string;
  /** One call, as it would be written. */
  readonly example: string;
  /** Least level that may call it at all; what it writes asks for more by itself. */
  readonly level: Level;
  /** A read that writes something of its own each time, so that an answer that was lost is not simply asked for again. */
  readonly writesOnRead?: true;
  /** What the log of events says of an op that succeeded; null: nothing. Unsaid: that it was done, to the `id` of its result. */
  readonly event?: (result: RequestJson, args: JsonObject) => EventSaid | null;
  /** The text by whose meaning it searches, where a model is configured; null: by none. */
  readonly meaning?: (args: JsonObject) => string | null;
  /** How many milliseconds this answer may wait for another call to write something, and be asked for again then; unsaid: none. */
  readonly waits?: (result: RequestJson, args: JsonObject) => number;
  /** Its answers are not shortened, whatever presentation is asked for. */
  readonly alwaysVerbose?: true;
  /** It may stand in a batch that is kept whole or not at all: it only writes, and is done at once. */
  readonly inUnit?: true;
  /** It opens sessions of its own (the tools of the reasoning endpoint): no layer is put under it. */
  readonly ownSession?: true;
  readonly run: (site: VerbSite, args: z.infer<Params>) => RequestJson | VerbTask;
}

/** A description whose parameters' types are known only to itself. */
export type Verb = VerbDescription<z.ZodObject>;

/** Gives `args` of `run` the type of `params`. */
export function describeVerb<Params extends z.ZodObject>(description: VerbDescription<Params>): Verb {
  return description as unknown as Verb;
}

/** A verb at work. Throws as a verb does. */
export interface VerbTask {
  /** True once `result` stands. Leaves nothing half done on disk. */
  advance(stepsMax: number): boolean;
  stop(): void;
  /** It ended at a statement before which it was told to. */
  readonly stopped: boolean;
  readonly ops: number;
  result(): RequestJson;
}

export function isVerbTask(value: unknown): value is VerbTask {
  return typeof value === "object" && value !== null && typeof (value as VerbTask).advance === "function";
}
