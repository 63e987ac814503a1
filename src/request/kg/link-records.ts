/** Joining two records: the ends looked up, the pair held against the table, the edge made. */
import type { JsonObject } from "../request-json";
import { conflict, invalidInput } from "../verb-failure";
import { type EdgeEnd, type EdgeMutation, type EdgeRef, type EdgeStore, type EdgeWish, kindOfEnd } from "./edge-store";
import type { RecordRef } from "./record-store";
import { DEPENDENCY_KINDS, endpointRefusal, inferredDependency, mayJoin, relationNamed } from "./relation-table";

export interface LinkArguments {
  readonly relation: string;
  readonly weight?: number;
  readonly metadata?: JsonObject;
  readonly dependency_kind?: string;
}

export interface LinkWish extends EdgeWish {
  readonly dependencyKind: string | null;
}

export function linkWish(args: LinkArguments): LinkWish {
  const relation = relationNamed(args.relation);
  const given = args.dependency_kind ?? args.metadata?.["dependency_kind"];
  if (given !== undefined) {
    if (relation !== "depends_on") throw invalidInput(`\`dependency_kind\` belongs to depends_on, not to ${relation}`);
    if (typeof given !== "string" || !(DEPENDENCY_KINDS as readonly string[]).includes(given)) {
      throw invalidInput(`\`dependency_kind\` is one of ${DEPENDENCY_KINDS.join(", ")}`);
    }
  }
  return { relation, weight: args.weight ?? 1, metadata: args.metadata ?? {}, dependencyKind: given ?? null };
}

/** The row echoes the order of the caller. */
export function joinRecords(
  edges: EdgeStore,
  source: RecordRef,
  targetId: string,
  wish: LinkWish,
  resurrect: boolean,
): { readonly row: JsonObject; readonly mutation: EdgeMutation } {
  const target = edges.findEnd(targetId);
  return joinEnds(edges, source, target, wish, resurrect);
}

export function joinEnds(
  edges: EdgeStore,
  source: RecordRef,
  target: EdgeEnd,
  wish: LinkWish,
  resurrect: boolean,
): { readonly row: JsonObject; readonly mutation: EdgeMutation } {
  const made = edges.link(source, target, lawful(edges, source, target, wish), resurrect);
  if (made === null) {
    throw conflict(`this edge was deleted: say \`resurrect=true\` to bring it back`, { reason: "edge_deleted", relation: wish.relation });
  }
  return {
    row: { ...edges.row(made.edge), source_id: source.id, target_id: target.ref.id, mutation: made.mutation },
    mutation: made.mutation,
  };
}

/** An edge under another relation: it keeps its id, its age and the notes about it. */
export function rejoin(edges: EdgeStore, edge: EdgeRef, wish: LinkWish): EdgeRef {
  const [source, target] = [edges.endOf(edge.source), edges.endOf(edge.target)];
  if (source?.tag !== "record" || target === null) throw invalidInput("an end of this edge is no record, so nothing else joins it");
  const moved = edges.move(edge, source.ref, target, lawful(edges, source.ref, target, wish));
  if (moved !== null) return moved;
  throw conflict(`its ends are joined by ${wish.relation} already: change that edge, or delete one of the two`, {
    reason: "edge_exists",
    relation: wish.relation,
  });
}

/** What is wished for, of a pair that may be joined so. */
function lawful(edges: EdgeStore, source: RecordRef, target: EdgeEnd, wish: LinkWish): LinkWish {
  if (target.tag === "record" && target.ref.symbol === source.symbol) throw invalidInput("an edge joins two records, not one to itself");
  const ends = { source: kindOfEnd({ tag: "record", ref: source }), target: kindOfEnd(target) };
  if (!mayJoin(wish.relation, ends.source, ends.target)) throw endpointRefusal(wish.relation, ends.source, ends.target);
  if (wish.relation === "depends_on" && source.kind.kind === "task" && target.tag === "record") refuseCircle(edges, source, target.ref);
  const dependency = wish.dependencyKind ?? (wish.relation === "depends_on" ? inferredDependency(ends.source, ends.target) : null);
  return dependency === null ? wish : { ...wish, metadata: { ...wish.metadata, dependency_kind: dependency } };
}

/** A task that waited for itself, by way of others, would wait for ever. */
function refuseCircle(edges: EdgeStore, task: RecordRef, target: RecordRef): void {
  const seen = new Set<string>();
  const open = [target.id];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === task.id) throw invalidInput("the tasks would wait for each other in a circle", { details: { reason: "dependency_cycle" } });
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...edges.targets(task.kind, id, "depends_on"));
  }
}

export function findSource(edges: EdgeStore, id: string): RecordRef {
  const end = edges.findEnd(id);
  if (end.tag === "record") return end.ref;
  throw invalidInput(`an ${end.tag} is the source of no edge: a note may annotate it`);
}
