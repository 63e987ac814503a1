/** Along the edges of a record: its neighbors, and what lies within some steps of it. */

import type { Subject } from "../../datum";
import type { JsonObject } from "../request-json";
import { VerbFailure } from "../verb-failure";
import { type EdgeRef, EdgeStore } from "./edge-store";
import { EDGE_KIND, EVENT_KIND } from "./record-kind";
import type { RecordRef, RecordStore } from "./record-store";
import { isSymmetric } from "./relation-table";

export type Direction = "outgoing" | "incoming" | "both";

export interface EdgeFilter {
  readonly direction: Direction;
  /** Null: any. */
  readonly relations: readonly string[] | null;
  readonly minWeight: number;
}

/** Edges that one traversal may look at (request facts §7.1). */
const ADJACENCY_ROWS_MAX = 100_000;

/** The edges of a subject that the filter takes, and where each leads. `look` is told of every edge that is looked at. */
function* stepsFrom(
  edges: EdgeStore,
  symbol: number,
  { direction, relations, minWeight }: EdgeFilter,
  look: () => void,
): Iterable<{ readonly edge: EdgeRef; readonly to: Subject }> {
  for (const edge of edges.along(symbol, "both")) {
    look();
    if (relations !== null && !relations.includes(edge.relation)) continue;
    const leaves = edge.row.subject === symbol;
    if (direction !== "both" && leaves !== (direction === "outgoing") && !isSymmetric(edge.relation)) continue;
    if (minWeight > 0 && edges.weight(edge) < minWeight) continue;
    yield { edge, to: leaves ? edge.target : edge.source };
  }
}

export function neighborRows(
  records: RecordStore,
  origin: RecordRef,
  options: EdgeFilter & { readonly limit: number; readonly entityType: boolean },
): JsonObject[] {
  const edges = new EdgeStore(records);
  const rows: JsonObject[] = [];
  for (const { edge, to } of stepsFrom(edges, origin.symbol, options, () => {})) {
    if (rows.length === options.limit) break;
    records.site.meter.count(1);
    rows.push({
      origin_id: origin.id,
      id: to.name,
      edge_id: edge.id,
      relation: edge.relation,
      weight: edges.weight(edge),
      ...described(records, to, options.entityType),
    });
  }
  return rows;
}

function described(records: RecordStore, subject: Subject, entityType: boolean): JsonObject {
  if (subject.kind === EDGE_KIND) return { kind: "edge" };
  if (subject.kind === EVENT_KIND) return { kind: "event" };
  const ref = records.refOfSubject(subject);
  if (ref === null) return {};
  const name = records.json(ref, "name");
  const type = entityType ? records.json(ref, "entity_type") : null;
  return { ...(name === null ? {} : { name }), kind: ref.kind.kind, ...(type === null ? {} : { entity_type: type }) };
}

export interface TraverseOptions extends EdgeFilter {
  readonly depthMax: number;
  readonly limit: number;
  readonly roots: boolean;
  readonly properties: boolean;
}

export function traverseFrom(records: RecordStore, roots: readonly RecordRef[], options: TraverseOptions): JsonObject[] {
  const edges = new EdgeStore(records);
  const budget = { left: ADJACENCY_ROWS_MAX };
  return roots.map((root) => ({ root_id: root.id, ...breadthFirst(records, edges, root, options, budget) }));
}

function breadthFirst(
  records: RecordStore,
  edges: EdgeStore,
  root: RecordRef,
  options: TraverseOptions,
  budget: { left: number },
): { readonly nodes: JsonObject[]; readonly truncated: boolean } {
  const { symbols } = records.session.ledger;
  const nodes: JsonObject[] = [];
  const seen = new Set([root.symbol]);
  const add = (subject: Subject, via: string | null, depth: number): void => {
    records.site.meter.count(1);
    const ref = options.properties ? records.refOfSubject(subject) : null;
    nodes.push({
      id: subject.name,
      via_edge: via,
      depth,
      ...described(records, subject, false),
      ...(ref === null ? {} : { properties: records.properties(ref) }),
    });
  };
  if (options.roots) add(records.subject(root), null, 0);
  let frontier = [root.symbol];
  for (let depth = 1; depth <= options.depthMax && frontier.length > 0; depth++) {
    const next: number[] = [];
    for (const symbol of frontier) {
      const look = (): void => {
        if (--budget.left < 0) throw tooMuch();
      };
      look();
      for (const { edge, to } of stepsFrom(edges, symbol, options, look)) {
        const id = symbols.subjectId(to.kind, to.name);
        if (seen.has(id)) continue;
        seen.add(id);
        if (nodes.length === options.limit) return { nodes, truncated: true };
        add(to, edge.id, depth);
        next.push(id);
      }
    }
    frontier = next;
  }
  return { nodes, truncated: false };
}

function tooMuch(): VerbFailure {
  return new VerbFailure(
    "limit_exceeded",
    `the walk would look at more than ${ADJACENCY_ROWS_MAX} edges: begin with fewer roots, go fewer steps, or name the relations`,
  );
}
