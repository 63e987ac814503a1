/** The pack `gtd`: tasks, what is next, and how a task moves. */
import * as z from "zod";
import { type EventSaid, noteEvent } from "../event/event-kind";
import { EdgeStore } from "../kg/edge-store";
import { fullId, idText, tags } from "../kg/kg-params";
import { joinEnds, linkWish } from "../kg/link-records";
import { findNote, noteKindNamed, pageOf } from "../kg/notes-of-kind";
import { RecordStore } from "../kg/record-store";
import type { JsonObject, RequestJson } from "../request-json";
import { describeVerb, type Verb } from "../verb";
import type { VerbSite } from "../verb-site";
import { TaskStore } from "./task-record";
import { PRIORITIES, taskStatus } from "./task-status";

const LIMIT_MAX = 200;
const STATUS_WORDS = "inbox, next, active, waiting, someday, done, cancelled; also todo, in_progress, blocked, later, finished";

const priority = z.enum(PRIORITIES);
const rowsAtMost = (usual: number) =>
  z.int("must be an integer").default(usual).describe(`Rows at most, 1 to ${LIMIT_MAX}; ${usual} unless said otherwise.`);

function tasksAt(site: VerbSite): TaskStore {
  return new TaskStore(new RecordStore(site));
}

function taskMoved(result: RequestJson): EventSaid | null {
  const { id, from, to } = result as JsonObject;
  return from === to ? null : { kind: "task_transitioned", substrate: "note", target: id as string, payload: { from, to } };
}

const ASSIGN: Verb = describeVerb({
  name: "gtd.assign",
  pack: "gtd",
  class: "Directive",
  description: "Makes a task. What it depends on holds it back until that is done.",
  params: z.strictObject({
    title: z.string().describe("What is to be done."),
    status: z.string().default("inbox").describe(`Where it stands: ${STATUS_WORDS}.`),
    priority: priority.default("p2").describe("p0 is the most pressing."),
    assignee: z.string().min(1, "is empty").optional().describe("Who is to do it."),
    due: z.string().optional().describe("By when, ISO 8601."),
    start: z.string().optional().describe("From when, ISO 8601."),
    end: z.string().optional().describe("Until when, ISO 8601."),
    depends_on: z.array(idText("A task to be done before it")).optional().describe("Tasks to be done before it."),
    context_entity_id: fullId("The entity it is about").optional(),
    tags: tags.optional(),
    description: z.string().optional().describe("More about it."),
  }),
  result: "The task: `{id, full_id, title, status, priority, …}`.",
  example: 'gtd.assign(title="Write the report", priority="p1", due="2026-07-01")',
  level: "read-add",
  event: (result) => noteEvent("created", result),
  run: (site, args) => {
    const tasks = tasksAt(site);
    return tasks.row(tasks.create(args));
  },
});

const NEXT: Verb = describeVerb({
  name: "gtd.next",
  pack: "gtd",
  class: "Assertive",
  description:
    "What can be done now: tasks that stand at next or active, the most pressing first. Those that wait for another task are left out.",
  params: z.strictObject({
    limit: rowsAtMost(10),
    assignee: z.string().optional().describe("Only tasks of theirs."),
    include_blocked: z.boolean().default(false).describe("Also tasks that wait for another one."),
  }),
  result: "`{items[], total, …}`, each task with `dependency_state`, `actionable` and `blocked_by[]`.",
  example: "gtd.next(limit=5)",
  level: "read",
  run: (site, { limit, assignee, include_blocked: blockedToo }) => {
    const tasks = tasksAt(site);
    const open = tasks.all().filter((ref) => {
      const status = tasks.status(ref);
      if (status !== "next" && status !== "active") return false;
      if (assignee !== undefined && tasks.records.json(ref, "assignee") !== assignee) return false;
      return blockedToo || tasks.readiness(ref).dependency_state === "ready";
    });
    const page = pageOf<JsonObject>([], limit, LIMIT_MAX);
    const shown = open.slice(0, page["effective_limit"] as number);
    return {
      ...page,
      items: shown.map((ref) => ({ ...tasks.row(ref), ...tasks.readiness(ref) })),
      total: open.length,
      has_more: shown.length < open.length,
      next_offset: null,
    };
  },
});

const TASKS: Verb = describeVerb({
  name: "gtd.tasks",
  pack: "gtd",
  class: "Assertive",
  description: "Tasks, the most pressing first, with what each of them waits for.",
  params: z.strictObject({
    status: z.string().optional().describe(`Only tasks that stand there: ${STATUS_WORDS}.`),
    assignee: z.string().optional().describe("Only tasks of theirs."),
    priority: priority.optional().describe("Only tasks as pressing as that."),
    limit: rowsAtMost(20),
    offset: z.int("must be an integer").min(0, "is at least 0").default(0).describe("Rows to skip."),
  }),
  result: "`{items[], total, offset, has_more, next_offset, …}`, each task with `dependency_state`, `actionable` and `blocked_by[]`.",
  example: 'gtd.tasks(status="next")',
  level: "read",
  run: (site, args) => {
    const tasks = tasksAt(site);
    const status = args.status === undefined ? null : taskStatus(args.status);
    const wanted = tasks.all().filter((ref) => {
      if (status !== null && tasks.status(ref) !== status) return false;
      if (args.priority !== undefined && tasks.priority(ref) !== args.priority) return false;
      return args.assignee === undefined || tasks.records.json(ref, "assignee") === args.assignee;
    });
    const page = pageOf(
      wanted.map((ref) => ref.id),
      args.limit,
      LIMIT_MAX,
      args.offset,
    );
    const shown = wanted.slice(args.offset, args.offset + page.items.length);
    return { ...page, items: shown.map((ref) => ({ ...tasks.row(ref), ...tasks.readiness(ref) })) };
  },
});

const COMPLETE: Verb = describeVerb({
  name: "gtd.complete",
  pack: "gtd",
  class: "Declaration",
  description: "Ends a task, from wherever it stands but the end.",
  params: z.strictObject({
    id: idText("The task"),
    result: z.string().optional().describe("What came of it."),
    status: z.enum(["done", "cancelled", "finished"]).default("done").describe("done or cancelled."),
  }),
  result: "`{completed: true, id, full_id, from, to, audit_persisted}`.",
  example: 'gtd.complete(id="1f0c9a52", result="sent")',
  level: "read-write",
  event: taskMoved,
  run: (site, args) => {
    const tasks = tasksAt(site);
    const ref = findNote(tasks.records, "task", args.id);
    const from = tasks.status(ref);
    const to = taskStatus(args.status);
    tasks.move(ref, to, args.result);
    // The revision is in the claim's history, with its writer and instant.
    return { completed: true, id: ref.id, full_id: ref.id, from, to, audit_persisted: true };
  },
});

const TRANSITION: Verb = describeVerb({
  name: "gtd.transition",
  pack: "gtd",
  class: "Declaration",
  description: "Moves a task to another status. To where it stands already is no move. A note becomes an observation about the task.",
  params: z.strictObject({
    id: idText("The task"),
    status: z.string().describe(`Where to: ${STATUS_WORDS}.`),
    note: z.string().optional().describe("Why."),
  }),
  result: "`{transitioned, id, full_id, from, to}`, with `note_id` where a note was given.",
  example: 'gtd.transition(id="1f0c9a52", status="waiting", note="for the budget")',
  level: "read-write",
  event: taskMoved,
  run: (site, args) => {
    const tasks = tasksAt(site);
    const ref = findNote(tasks.records, "task", args.id);
    const from = tasks.status(ref);
    const to = taskStatus(args.status);
    if (from === to) return { transitioned: false, id: ref.id, full_id: ref.id, from, to };
    tasks.move(ref, to);
    const noteId = args.note === undefined || args.note.trim() === "" ? null : annotate(tasks, ref, args.note);
    return { transitioned: true, id: ref.id, full_id: ref.id, from, to, ...(noteId === null ? {} : { note_id: noteId }) };
  },
});

function annotate(tasks: TaskStore, task: ReturnType<typeof findNote>, content: string): string {
  const { records } = tasks;
  const note = records.create(noteKindNamed("observation"), { content }, task.namespace);
  joinEnds(new EdgeStore(records), note, { tag: "record", ref: task }, linkWish({ relation: "annotates" }), false);
  return note.id;
}

export const GTD_VERBS: readonly Verb[] = [ASSIGN, NEXT, COMPLETE, TASKS, TRANSITION];
