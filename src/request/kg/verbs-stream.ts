/** `stream.append`, `stream.read`, `stream.stat`, `stream.batch`: records in order, with nothing lost between two writers. */
import * as z from "zod";
import { utf8Bytes } from "../../lang/ops/ops-fault";
import { checkMember } from "../check-arguments";
import { noteEvent } from "../event/event-kind";
import type { JsonObject, RequestJson } from "../request-json";
import { describeVerb, type Verb } from "../verb";
import { failureFrom, invalidInput, VerbFailure } from "../verb-failure";
import type { VerbSite } from "../verb-site";
import { FENCES_MAX, fence, fences, version } from "./fence";
import { anyJson, tags } from "./kg-params";
import { RecordStore } from "./record-store";
import { type Fence, requireNoteKind, StreamStore } from "./stream-store";

const MEMBERS_MAX = 1000;
const STREAM_BYTES_MAX = 512;

const streamName = z
  .string()
  .min(1, "is empty")
  .refine((name) => utf8Bytes(name) <= STREAM_BYTES_MAX, `has at most ${STREAM_BYTES_MAX} bytes`)
  .refine((name) => !name.includes("\u0000"), "holds no NUL")
  .describe("The stream's name.");
const expectedSeq = z.int("must be an integer").min(1, "is at least 1").optional().describe("The place the entry must get.");
const embed = z
  .boolean()
  .optional()
  .describe(
    "Whether a search by meaning finds it, where a model is configured: an entry only if true, a document unless false. Words are always searched.",
  );

const APPEND: Verb = describeVerb({
  name: "stream.append",
  pack: "kg",
  class: "Commissive",
  description:
    "Adds a record at the end of a stream. With `expected_seq` only if that is its place: after an answer that was lost, repeat with the same one, and on a conflict read that place and compare.",
  params: z.strictObject({
    stream: streamName,
    record: anyJson.refine((value) => value !== undefined, "is missing").describe("Any JSON, null too."),
    expected_seq: expectedSeq,
    fence: fence.optional(),
    note_kind: z.string().optional().describe("The kind of note an entry is; observation."),
    tags: tags.optional(),
    embed,
  }),
  result: "`{seq, id, created_at}`.",
  example: 'stream.append(stream="log", record={"event": "started"}, expected_seq=1)',
  level: "read-add",
  event: (result, { stream }) => ({ ...noteEvent("created", result), payload: { stream, seq: (result as JsonObject)["seq"] } }),
  run: (site, args) => {
    const streams = new StreamStore(new RecordStore(site));
    streams.hold(fences(args.fence));
    return streams.append({ ...args, record: args.record as RequestJson });
  },
});

const READ: Verb = describeVerb({
  name: "stream.read",
  pack: "kg",
  class: "Assertive",
  description: "Entries of a stream in order, behind a place. A stream nobody wrote to is empty.",
  params: z.strictObject({
    stream: streamName,
    after: z.int("must be an integer").min(0, "is at least 0").default(0).describe("The place behind which to begin."),
    limit: z.int("must be an integer").min(1, "is at least 1").max(1000, "is at most 1000").default(1000).describe("Entries at most."),
  }),
  result: "`{entries[{seq, id, record, created_at}], head_seq, next_after | null}`.",
  example: 'stream.read(stream="log", after=10)',
  level: "read",
  run: (site, args) => new StreamStore(new RecordStore(site)).read(args.stream, args.after, args.limit),
});

const STAT: Verb = describeVerb({
  name: "stream.stat",
  pack: "kg",
  class: "Assertive",
  description: "How long a stream is.",
  params: z.strictObject({ stream: streamName }),
  result: "`{head_seq, count}`, which are equal.",
  example: 'stream.stat(stream="log")',
  level: "read",
  run: (site, args) => {
    const head = new StreamStore(new RecordStore(site)).head(args.stream);
    return { head_seq: head, count: head };
  },
});

const appendMember = z.strictObject({
  op: z.literal("append"),
  stream: streamName,
  record: anyJson.refine((value) => value !== undefined, "is missing"),
  expected_seq: expectedSeq,
  fence: fence.nullable().optional(),
});
const writeMember = z.strictObject({
  op: z.literal("write"),
  key: z.string().min(1, "is empty"),
  kind: z.string(),
  doc: anyJson.refine((value) => value !== undefined, "is missing"),
  tags: tags.optional(),
  embed,
  expected_version: version.optional(),
});

const BATCH: Verb = describeVerb({
  name: "stream.batch",
  pack: "kg",
  class: "Commissive",
  description:
    "Appends and writes in one go, in the order of the list. Atomic where `fence` or `atomic` says so: one refusal refuses all. Otherwise each member lands on its own, and a refusal is that member's value.",
  params: z.strictObject({
    ops: z
      .array(anyJson)
      .min(1, "is empty")
      .max(MEMBERS_MAX, `has at most ${MEMBERS_MAX} members`)
      .describe('`{op: "append", stream, record, expected_seq?, fence?}` or `{op: "write", key, kind, doc, tags?, expected_version?}`.'),
    fence: fence.nullable().optional().describe("Documents that must be at these versions before any of it is done."),
    observed: z
      .array(z.strictObject({ key: z.string(), kind: z.string(), version }))
      .max(FENCES_MAX, `has at most ${FENCES_MAX} entries`)
      .nullable()
      .optional()
      .describe("Documents that were read, and the versions they had; null: absent."),
    atomic: z.boolean().optional().describe("One refusal refuses all; true exactly where there is a `fence`, unless said otherwise."),
  }),
  result: "`{results[…in list order], committed: true}`.",
  example:
    'stream.batch(ops=[{"op": "append", "stream": "log", "record": 1}, {"op": "write", "key": "state", "kind": "reference", "doc": {"n": 1}}], atomic=true)',
  level: "read-add",
  ownSession: true,
  run: (site, args) => {
    const held = fences(args.fence);
    const observed = (args.observed ?? []).map(({ version: seen, ...rest }) => ({ ...rest, expected_version: seen }));
    const atomic = args.atomic ?? held.length > 0;
    if (!atomic && held.length > 0) throw invalidInput("a `fence` is for the whole batch: leave `atomic=false` out");
    if (!atomic && args.observed !== undefined && args.observed !== null)
      throw invalidInput("`observed` is for the whole batch: say `atomic=true`");
    const members = (args.ops as readonly RequestJson[]).map(readMember);
    const total = members.reduce((sum, member) => sum + (member.tag === "append" ? member.fences.length : 0), held.length);
    if (total > FENCES_MAX) throw invalidInput(`the batch holds ${total} fence entries, and at most ${FENCES_MAX} are looked up`);
    return { results: atomic ? allOrNothing(site, members, held, observed) : eachForItself(site, members), committed: true };
  },
});

type Member =
  | { readonly tag: "append"; readonly wish: z.infer<typeof appendMember>; readonly fences: readonly Fence[] }
  | { readonly tag: "write"; readonly wish: z.infer<typeof writeMember> }
  | { readonly tag: "unknown"; readonly op: string };

function readMember(member: RequestJson, index: number): Member {
  const op = typeof member === "object" && member !== null && !Array.isArray(member) ? (member as JsonObject)["op"] : undefined;
  if (typeof op !== "string") throw invalidInput(`ops[${index}] is an object with an \`op\``);
  if (op !== "append" && op !== "write") return { tag: "unknown", op };
  try {
    if (op === "append") {
      const wish = checkMember(appendMember, member);
      return { tag: "append", wish, fences: fences(wish.fence) };
    }
    const wish = checkMember(writeMember, member);
    requireNoteKind(wish.kind);
    return { tag: "write", wish };
  } catch (thrown) {
    throw thrown instanceof VerbFailure ? invalidInput(`ops[${index}]: ${thrown.message}`) : thrown;
  }
}

function carryOut(streams: StreamStore, member: Member): JsonObject {
  switch (member.tag) {
    case "append":
      streams.hold(member.fences);
      return streams.append({ ...member.wish, record: member.wish.record as RequestJson });
    case "write":
      return streams.write({ ...member.wish, doc: member.wish.doc as RequestJson });
    case "unknown":
      throw invalidInput(`there is no member op ${JSON.stringify(member.op.slice(0, 64))}: append or write`, {
        details: { reason: "unknown_op", op: member.op },
      });
  }
}

function allOrNothing(site: VerbSite, members: readonly Member[], held: readonly Fence[], observed: readonly Fence[]): JsonObject[] {
  const streams = new StreamStore(new RecordStore(site));
  site.session.layerPush("compile");
  streams.hold(held);
  streams.hold(observed, "observed_conflict");
  const results = members.map((member, index) => {
    try {
      return carryOut(streams, member);
    } catch (thrown) {
      throw ofMember(thrown, index);
    }
  });
  site.session.layerCommit();
  return results;
}

/** A refusal says which member it is of. */
function ofMember(thrown: unknown, index: number): unknown {
  const failure = failureFrom(thrown);
  if (failure === null) return thrown;
  const details = { ...(failure.more.members?.["details"] as JsonObject | undefined), member: String(index) };
  return new VerbFailure(failure.kind ?? "runtime_error", failure.message, {
    ...failure.more,
    members: { ...failure.more.members, details },
  });
}

function eachForItself(site: VerbSite, members: readonly Member[]): JsonObject[] {
  return members.map((member) => {
    // Looks for what landed see the members before it.
    const streams = new StreamStore(new RecordStore(site));
    site.session.layerPush("compile");
    try {
      const result = carryOut(streams, member);
      site.session.layerCommit();
      return result;
    } catch (thrown) {
      site.session.abandonLayers();
      const failure = failureFrom(thrown);
      if (failure === null) throw thrown;
      return { error: failure.error };
    } finally {
      site.session.flush();
    }
  });
}

export const STREAM_VERBS: readonly Verb[] = [APPEND, READ, STAT, BATCH];
