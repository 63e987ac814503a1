/**
 * What the clauses of a stratum read, each source with the relation its rows stand in: how the changes of a batch reach
 * the plans that detect what they touch.
 *
 * Most statements touch few of the fields that rules read: a feed whose relation did not change is passed over.
 */
import type { TouchedCell } from "./reasoner";
import { type Relation, ROW_DYING, ROW_NEWBORN } from "./relation";
import type { Atom } from "./rule-clause";
import type { ClausePlans, Conclude, FromRow } from "./rule-plans";
import type { Source } from "./rule-reads";
import type { Sliced } from "./rule-work";

export const NO_SUBJECTS: ReadonlySet<number> = new Set();

export interface Feed {
  readonly plans: ClausePlans;
  readonly source: Source;
  /** Null where only the cell's claims matter. */
  readonly relation: Relation | null;
  /** The field whose derived claims it reads, their rules and windows; null where it reads rows alone. */
  readonly claims: number | null;
}

/** The batch under way, as a stratum sees it. */
export interface Batch {
  readonly noneId: number;
  touchedCells(): readonly TouchedCell[];
  subjectsAt(field: number): readonly number[];
  /** Subjects at which other rules may stand behind what is derived at the field (relation.ts, `backed`). */
  backedAt(field: number): ReadonlySet<number>;
}

export function feedsOf(clauses: readonly ClausePlans[], relationOf: (atom: Atom) => Relation): Feed[] {
  return clauses.flatMap((plans) =>
    plans.sources.map((source) => {
      const { atom } = source;
      const relation = atom.value >= 0 || atom.from.tag === "range" ? relationOf(atom) : null;
      const claims = source.byCell && relation !== null && atom.from.tag === "field" ? atom.from.field : null;
      return { plans, source, relation, claims };
    }),
  );
}

export function isTouched({ source, relation, claims }: Feed, batch: Batch): boolean {
  if (relation !== null && relation.touched.length > 0) return true;
  const { from } = source.atom;
  if (!source.byCell || from.tag !== "field") return false;
  return (claims !== null && batch.backedAt(claims).size > 0) || batch.touchedCells().some((cell) => cell.field === from.field);
}

/** Has the feed's plans detect every change at its source since the batch began, or only what went. */
export function* detectChanges({ plans, source, relation, claims }: Feed, which: "all" | "gone", batch: Batch): Sliced<void> {
  if (relation !== null) {
    const { touched } = relation;
    let detect: FromRow | null = null;
    for (let i = 0; i < touched.length; i++) {
      const row = touched[i]!;
      const now = relation.stateOf(row);
      if (now !== ROW_DYING && (which === "gone" || now !== ROW_NEWBORN)) continue;
      const value = relation.valueOf(row);
      if (value === batch.noneId) continue;
      detect ??= plans.detectFrom(source);
      while (detect(relation.subjectOf(row), value, relation.from(row), relation.to(row), 0)) yield;
    }
  }
  const { from } = source.atom;
  if (!source.byCell || from.tag !== "field") return;
  const subjects = new Set(claims === null ? NO_SUBJECTS : batch.backedAt(claims));
  for (const cell of batch.touchedCells()) {
    if (cell.field !== from.field) continue;
    for (const subject of cell.subject === null ? batch.subjectsAt(cell.field) : [cell.subject]) subjects.add(subject);
  }
  for (const subject of subjects) while (plans.detectCell(source, subject)) yield;
}

/** Every match that the rows give which came to the feed's relation in this batch. */
export function* matchNew({ plans, source, relation }: Feed, batch: Batch, conclude: Conclude): Sliced<void> {
  if (relation === null) return;
  const { touched } = relation;
  for (let i = 0; i < touched.length; i++) {
    const row = touched[i]!;
    const value = relation.valueOf(row);
    if (relation.stateOf(row) !== ROW_NEWBORN || value === batch.noneId) continue;
    while (plans.runFrom(source.atom, relation.subjectOf(row), value, relation.from(row), relation.to(row), 0, conclude)) yield;
  }
}
