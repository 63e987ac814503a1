/**
 * Recorded facts as the rules read them: a field's as a relation, and a Kind's named subjects as a range. A step a fact, so
 * that whoever loads may give way between.
 */
import { Subject } from "../datum";
import type { FactSource, Symbols } from "./reasoner";
import { type Relation, SUBJECT, VALUE } from "./relation";
import { countRecorded } from "./row-counts";
import type { SubjectRange } from "./rule-range";
import type { Sliced } from "./rule-work";

export interface Recorded {
  readonly symbols: Symbols;
  readonly source: FactSource;
}

/** Adds the recorded facts of a field to a relation that is new. */
export function* loadFacts(relation: Relation, { symbols, source }: Recorded, field: number): Sliced<void> {
  for (const fact of source.scan(field)) {
    relation.add(fact.subject, fact.value, symbols.equalityId(fact.value), fact.from, fact.to, 0);
    yield;
  }
}

/**
 * Adds to a range that is new every subject of the Kind that facts name.
 * @param known  The relation that holds a field's facts already, if one does.
 */
export function* loadRange(
  range: SubjectRange,
  { symbols, source }: Recorded,
  kind: string,
  known: (field: number) => Relation | undefined,
): Sliced<void> {
  const isNamed = (value: number) => {
    const datum = symbols.datumOf(value);
    return datum instanceof Subject && datum.kind === kind;
  };
  for (const field of source.fieldsNaming(kind)) {
    const isOwn = symbols.fieldOf(field).kind === kind;
    const mention = (subject: number, value: number, from: number, to: number) => {
      if (isOwn) range.load(subject, from, to, 1);
      if (isNamed(value)) range.load(value, from, to, 1);
    };
    const raw = known(field);
    if (raw === undefined) {
      for (const { subject, value, from, to } of source.scan(field)) {
        mention(subject, value, from, to);
        yield;
      }
    } else if (!raw.windowed) {
      const always = (id: number, count: number) => range.load(id, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, count);
      if (isOwn) countRecorded(raw, SUBJECT, always);
      countRecorded(raw, VALUE, (id, count) => {
        if (isNamed(id)) always(id, count);
      });
    } else {
      for (let row = 0; row < raw.rowsEnd; row++) {
        if (raw.rankOf(row) === 0 && raw.isLive(row)) mention(raw.subjectOf(row), raw.valueOf(row), raw.from(row), raw.to(row));
      }
    }
  }
  range.refresh();
  range.relation.loading = false;
}
