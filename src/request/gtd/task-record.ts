/**
 * Tasks as records: a task is a note of kind `task` whose name is its title, and what it waits for are its `depends_on` edges.
 *
 * A dependency holds a task back while it stands and is not done; one that was cancelled or is gone can never be done, and so
 * the task is broken rather than blocked.
 */
import { Datetime, Subject } from "../../datum";
import { parseInstant } from "../../lang/value/instant-text";
import { EdgeStore } from "../kg/edge-store";
import { joinRecords, linkWish } from "../kg/link-records";
import { noteKindNamed, notesOfKind } from "../kg/notes-of-kind";
import { storeKind } from "../kg/record-kind";
import { type RecordRef, type RecordStore, realDatum } from "../kg/record-store";
import type { JsonObject } from "../request-json";
import { invalidInput } from "../verb-failure";
import { isFinal, PRIORITIES, type Priority, requireMove, salienceOf, type TaskStatus, taskStatus } from "./task-status";

export interface TaskWish {
  readonly title: string;
  readonly status?: string;
  readonly priority?: Priority;
  readonly assignee?: string;
  readonly due?: string;
  readonly start?: string;
  readonly end?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly depends_on?: readonly string[];
  readonly context_entity_id?: string;
}

export type DependencyFault = "pending" | "cancelled" | "soft_deleted" | "missing" | "different_namespace" | "wrong_kind";

export interface Dependency {
  readonly id: string;
  readonly title: string | null;
  /** What keeps it from being done; null where it is. */
  readonly state: DependencyFault | null;
}

export class TaskStore {
  readonly records: RecordStore;
  readonly #edges: EdgeStore;

  constructor(records: RecordStore) {
    this.records = records;
    this.#edges = new EdgeStore(records);
  }

  create(wish: TaskWish): RecordRef {
    if (wish.title.trim() === "") throw invalidInput("`title` is blank: a task has one");
    const priority = wish.priority ?? "p2";
    const status = taskStatus(wish.status ?? "inbox");
    const context = wish.context_entity_id === undefined ? undefined : this.#contextOf(wish.context_entity_id);
    const ref = this.records.create(noteKindNamed("task"), {
      name: wish.title,
      content: wish.description === undefined || wish.description.trim() === "" ? wish.title : wish.description,
      description: wish.description,
      status,
      priority,
      salience: realDatum(salienceOf(priority)),
      assignee: wish.assignee,
      due: isoDay(wish.due, "due"),
      start: isoDay(wish.start, "start"),
      end: isoDay(wish.end, "end"),
      tags: wish.tags === undefined ? undefined : [...new Set(wish.tags)],
      context_entity: context,
      completed_at: isFinal(status) ? new Datetime(this.records.session.instant) : undefined,
    });
    for (const id of wish.depends_on ?? []) joinRecords(this.#edges, ref, id, linkWish({ relation: "depends_on" }), false);
    return ref;
  }

  #contextOf(id: string): Subject {
    const ref = this.records.find(id);
    if (ref.kind.substrate !== "entity")
      throw invalidInput(`\`context_entity_id\` is of a ${ref.kind.kind}: a task stands in the context of an entity`);
    return new Subject(storeKind(ref.kind), ref.id);
  }

  /** One of `TASK_STATUSES`, unless a program wrote another: that is shown, and moves nothing else. */
  status(ref: RecordRef): string {
    const status = this.records.json(ref, "status");
    return typeof status === "string" ? status : "inbox";
  }

  priority(ref: RecordRef): Priority {
    const priority = this.records.json(ref, "priority");
    return PRIORITIES.find((one) => one === priority) ?? "p2";
  }

  /** Tasks of the namespace asked for, the most pressing first, the older first among equals. */
  all(): RecordRef[] {
    const tasks = notesOfKind(this.records, "task").map((ref) => ({ ref, rank: PRIORITIES.indexOf(this.priority(ref)) }));
    // Sorting keeps the order of equals.
    return tasks.sort((a, b) => a.rank - b.rank).map(({ ref }) => ref);
  }

  /** Throws where a task does not go from where it stands to there. */
  move(ref: RecordRef, to: TaskStatus, result?: string): void {
    requireMove(this.status(ref), to);
    this.records.update(ref, {
      status: to,
      ...(result === undefined ? {} : { result }),
      ...(isFinal(to) ? { completed_at: new Datetime(this.records.session.instant) } : {}),
    });
  }

  dependencies(ref: RecordRef): Dependency[] {
    return [...this.#dependsOn(ref).map((target) => this.#dependency(ref, target)), ...this.#lost(ref)];
  }

  #dependsOn(ref: RecordRef): Subject[] {
    const { symbols } = this.records.session.ledger;
    return this.records.rows(ref, "depends_on").map((row) => symbols.datumOf(row.value) as Subject);
  }

  #dependency(task: RecordRef, target: Subject): Dependency {
    const { name: id } = target;
    const ref = this.records.refOfSubject(target);
    if (ref === null) return { id, title: null, state: "missing" };
    const title = this.records.json(ref, "name") as string | null;
    if (ref.kind.kind !== "task") return { id, title, state: "wrong_kind" };
    if (ref.namespace !== task.namespace) return { id, title, state: "different_namespace" };
    const status = this.status(ref);
    return { id, title, state: status === "done" ? null : status === "cancelled" ? "cancelled" : "pending" };
  }

  /** Dependencies whose edge went with the task it led to: both were deleted at one instant. */
  #lost(ref: RecordRef): Dependency[] {
    const buried = this.records.session.ledger.symbols.findSubjectId(storeKind(ref.kind, true), ref.id);
    if (buried === 0) return [];
    return this.#edges.incident(buried, "outgoing", true).flatMap((edge) => {
      if (edge.relation !== "depends_on" || this.records.refOfSubject(edge.target) !== null) return [];
      const gone = this.records.refOfSubject(new Subject(storeKind(noteKindNamed("task"), true), edge.target.name));
      if (gone === null || this.#edges.row(edge)["deleted_at"] !== this.records.json(gone, "deleted_at")) return [];
      return [{ id: gone.id, title: this.records.json(gone, "name") as string | null, state: "soft_deleted" } as const];
    });
  }

  /** The task as the verbs show it. `full_id` stays whole where `id` is shortened. */
  row(ref: RecordRef): JsonObject {
    const { records } = this;
    const row = records.row(ref);
    const context = records.value(ref, "context_entity");
    return {
      id: ref.id,
      full_id: ref.id,
      namespace: ref.namespace,
      title: row["name"],
      description: records.json(ref, "description"),
      status: this.status(ref),
      priority: this.priority(ref),
      assignee: records.json(ref, "assignee"),
      due: records.json(ref, "due"),
      start: records.json(ref, "start"),
      end: records.json(ref, "end"),
      tags: records.tags(ref),
      depends_on: this.#dependsOn(ref).map(({ name }) => name),
      context_entity_id: context instanceof Subject ? context.name : null,
      result: records.json(ref, "result"),
      completed_at: records.json(ref, "completed_at"),
      created_at: row["created_at"],
      updated_at: row["updated_at"],
    };
  }

  /** How far what it depends on lets it be done. */
  readiness(ref: RecordRef): {
    readonly dependency_state: "ready" | "blocked" | "broken";
    readonly actionable: boolean;
    readonly blocked_by: readonly JsonObject[];
  } {
    const faults = this.dependencies(ref).filter(({ state }) => state !== null);
    const broken = faults.some(({ state }) => state !== "pending");
    const status = this.status(ref);
    return {
      dependency_state: broken ? "broken" : faults.length > 0 ? "blocked" : "ready",
      actionable: faults.length === 0 && (status === "next" || status === "active"),
      blocked_by: faults.map(({ id, title, state }) => ({ id, full_id: id, title, state })),
    };
  }
}

/** A day or an instant as ISO 8601 has it, with or without its offset; it is kept as it was written. */
function isoDay(text: string | undefined, name: string): string | undefined {
  if (text === undefined) return undefined;
  const readings = [text, `${text}Z`, `${text}T00:00Z`];
  if (readings.some((reading) => typeof parseInstant(reading) === "number")) return text;
  throw invalidInput(`\`${name}\` is a day or an instant in ISO 8601, such as 2026-07-01 or 2026-07-01T09:00:00Z`);
}
