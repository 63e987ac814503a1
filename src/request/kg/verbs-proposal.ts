/** `propose`, `review`, `withdraw`: a change asked for, decided about, carried out at once when it is approved. */
import * as z from "zod";
import { checkVerbArguments } from "../check-arguments";
import type { EventSaid } from "../event/event-kind";
import { isJsonObject, type JsonObject, type RequestJson } from "../request-json";
import { describeVerb, isVerbTask, type Verb } from "../verb";
import { conflict, invalidInput, VerbFailure } from "../verb-failure";
import type { VerbSite } from "../verb-site";
import { fullId, idText, jsonObject } from "./kg-params";
import { type LinkArguments, linkWish } from "./link-records";
import { type ProposalStatus, ProposalStore } from "./proposal-store";
import { readId } from "./record-id";
import { RecordStore } from "./record-store";
import { kindOf } from "./verbs-create";

const CHANGES_MAX = 100;

function proposalEvent(change: "created" | "reviewed" | "withdrawn", result: RequestJson): EventSaid {
  const { id, decision, status } = result as JsonObject;
  const aggregate = { kind: "proposal", id: id as string };
  return {
    kind: `proposal_${change}`,
    substrate: "proposal",
    target: aggregate.id,
    aggregate,
    payload: { status, ...(decision === undefined ? {} : { decision }) },
  };
}

const PROPOSE: Verb = describeVerb({
  name: "propose",
  pack: "kg",
  class: "Commissive",
  description:
    "Asks for a change instead of making it. The changeset is held against the verbs that would carry it out now, and carried out when somebody else approves. Nested objects are easier to write in the JSON form.",
  params: z.strictObject({
    title: z.string().min(1, "is empty").describe("What it is about."),
    description: z.string().describe("Why."),
    changeset: jsonObject(
      "`{kind, …}`: add_entity and add_note with the arguments of create; update_entity of update; add_edge of link; merge_entities of merge; supersede_entity {old_id, new_id}; compound {changes: […]}. Ids are full ids.",
    ),
    reviewers: z.array(z.string().min(1, "is empty")).default([]).describe("Who is asked to decide."),
    expiry: z.int("must be an integer").optional().describe("Until when it may be decided, in microseconds since 1970."),
    parent_id: fullId("The proposal it comes from").optional(),
  }),
  result: '`{id, full_id, parent_id, status: "open", proposer, title}`.',
  example:
    '{"tool": "propose", "args": {"title": "Add LoRA", "description": "It is missing", "changeset": {"kind": "add_entity", "entity_kind": "concept", "name": "LoRA"}}}',
  level: "read-add",
  event: (result) => proposalEvent("created", result),
  run: (site, args) => {
    const records = new RecordStore(site);
    const proposals = new ProposalStore(records);
    const changeset = args.changeset as JsonObject;
    callsOf(changeset, site);
    if (args.parent_id !== undefined) proposals.find(args.parent_id);
    const id = proposals.open({ ...args, changeset, parent: args.parent_id });
    return { id, full_id: id, parent_id: args.parent_id ?? null, status: "open", proposer: site.actor, title: args.title };
  },
});

const DECISIONS = ["approve", "reject", "comment", "request_changes"] as const;
const BECOMES: { readonly [decision in Exclude<(typeof DECISIONS)[number], "comment">]: ProposalStatus } = {
  approve: "applied",
  reject: "rejected",
  request_changes: "changes_requested",
};

const REVIEW: Verb = describeVerb({
  name: "review",
  pack: "kg",
  class: "Declaration",
  description:
    "Decides about a proposal. An approval carries the change out at once, all of it or, where something stands in its way, none; nobody approves their own.",
  params: z.strictObject({
    id: idText("The proposal"),
    decision: z.enum(DECISIONS).describe("What is decided."),
    comment: z.string().optional().describe("Why."),
  }),
  result: "`{id, reviewer, decision, status}`; of an approval also `applied[]`, what each change gave.",
  example: 'review(id="1f0c9a52", decision="approve")',
  level: "read-write",
  event: (result) => proposalEvent("reviewed", result),
  run: (site, args) => {
    const proposals = new ProposalStore(new RecordStore(site));
    const id = proposals.find(args.id);
    proposals.requireUndecided(id, "review");
    const { decision } = args;
    if (decision === "approve" && proposals.json(id, "proposer") === site.actor && site.actor !== "local") {
      throw conflict("a proposal is approved by somebody other than its proposer", { reason: "self_approval" });
    }
    const applied = decision === "approve" ? apply(proposals.changeset(id), site) : null;
    const status = decision === "comment" ? proposals.status(id) : BECOMES[decision];
    proposals.decide(id, decision, args.comment ?? null, status);
    return { id, reviewer: site.actor, decision, status, ...(applied === null ? {} : { applied }) };
  },
});

const WITHDRAW: Verb = describeVerb({
  name: "withdraw",
  pack: "kg",
  class: "Commissive",
  description: "Takes a proposal back. Only its proposer may, and only while it is not carried out.",
  params: z.strictObject({ id: idText("The proposal"), rationale: z.string().optional().describe("Why.") }),
  result: '`{id, status: "withdrawn"}`.',
  example: 'withdraw(id="1f0c9a52", rationale="overtaken")',
  level: "read-write",
  event: (result) => proposalEvent("withdrawn", result),
  run: (site, args) => {
    const proposals = new ProposalStore(new RecordStore(site));
    const id = proposals.find(args.id);
    const status = proposals.status(id);
    if (proposals.json(id, "proposer") !== site.actor)
      throw conflict("a proposal is withdrawn by its proposer", { reason: "not_proposer" });
    if (status === "applied" || status === "applying" || status === "withdrawn") {
      throw conflict(`the proposal is ${status}, so there is nothing to withdraw`, { reason: "proposal_closed", status });
    }
    proposals.withdraw(id, args.rationale ?? null);
    return { id, status: "withdrawn" };
  },
});

// ---- changes as calls

interface Change {
  readonly verb: Verb;
  readonly args: JsonObject;
}

const ID_ARGUMENTS = ["id", "source_id", "target_id", "into_id", "from_id", "winner_id", "loser_id"];

/** The calls that carry a changeset out. Throws where one would be refused as it is written. */
function callsOf(changeset: JsonObject, site: VerbSite): Change[] {
  const { kind, ...rest } = changeset;
  if (kind === "compound") {
    const { changes, ...more } = rest;
    if (!Array.isArray(changes) || changes.length === 0 || Object.keys(more).length > 0)
      throw invalidInput("a compound changeset is {kind, changes: […]}");
    if (changes.length > CHANGES_MAX) throw invalidInput(`a compound changeset has at most ${CHANGES_MAX} changes`);
    return (changes as readonly RequestJson[]).flatMap((change, index) => {
      if (!isJsonObject(change) || change["kind"] === "compound")
        throw invalidInput(`changes[${index}] is a change of its own, and no compound`);
      return callsOf(change, site);
    });
  }
  const [name, args] = asCall(kind, rest);
  for (const argument of ID_ARGUMENTS) {
    const id = args[argument];
    if (typeof id === "string" && readId(id).tag !== "full") throw invalidInput(`${String(kind)}: \`${argument}\` is a full id`);
  }
  const verb = site.registry.get(name)!;
  const own = checkVerbArguments(verb, { ...args }).own;
  // What these would refuse whatever the store holds is refused before anybody is asked.
  if (name === "create") kindOf(own);
  if (name === "link") linkWish(own as unknown as LinkArguments);
  return [{ verb, args: own }];
}

function asCall(kind: RequestJson | undefined, rest: JsonObject): readonly [verb: string, args: JsonObject] {
  switch (kind) {
    case "add_entity":
      return ["create", { kind: "entity", ...rest }];
    case "add_note":
      return ["create", { kind: "note", ...rest }];
    case "update_entity":
      return ["update", rest];
    case "add_edge":
      requireAll(kind, rest, ["source_id", "target_id", "relation"]);
      return ["link", rest];
    case "merge_entities":
      return ["merge", rest];
    case "supersede_entity": {
      requireAll(kind, rest, ["old_id", "new_id"]);
      const { old_id: old, new_id: now, ...more } = rest;
      return ["link", { ...more, source_id: now, target_id: old, relation: "supersedes" }];
    }
    default:
      throw invalidInput(
        `a changeset's \`kind\` is add_entity, update_entity, add_edge, add_note, merge_entities, supersede_entity or compound, got ${JSON.stringify(kind ?? null)}`,
      );
  }
}

function requireAll(kind: string, change: JsonObject, names: readonly string[]): void {
  const missing = names.find((name) => typeof change[name] !== "string");
  if (missing !== undefined) throw invalidInput(`${kind}: \`${missing}\` is missing, or no text`);
}

function apply(changeset: JsonObject, site: VerbSite): RequestJson[] {
  return callsOf(changeset, site).map(({ verb, args }) => {
    const result = verb.run(site, args);
    if (isVerbTask(result)) throw new VerbFailure(null, `${verb.name} is not carried out by a proposal`);
    return result;
  });
}

export const PROPOSAL_VERBS: readonly Verb[] = [PROPOSE, REVIEW, WITHDRAW];
