/**
 * What of the state of one set of rules serves the next: relations whose facts a change of rules cannot touch.
 *
 * A field's relation stands on if its recorded facts are read the same way and, where rules conclude it, its component
 * is the same rules over fields that stand on themselves. Decided from the rules, lower components first.
 */
import type { FieldType } from "./claim";
import type { FactSource, Symbols } from "./reasoner";
import type { Relation } from "./relation";
import type { Rule } from "./rule";
import type { Part } from "./rule-clause";
import { componentsOf, type FieldName, readingsOf } from "./rule-order";
import type { Relations } from "./rule-view";

/** What a component's plans would say of it: enough to pass it over while nothing it names changes. */
export interface Reach {
  /** Every field that its rules name, its own among them. */
  readonly fields: ReadonlySet<number>;
  /** Kinds that its parameters range over. */
  readonly kinds: ReadonlySet<string>;
  /** Those of its own fields at which some rule computes a value. */
  readonly computed: ReadonlySet<number>;
}

/** A state's relations, all of them current. */
export interface Standing {
  readonly rules: readonly Rule[];
  readonly relations: Map<number, Relations>;
  /** The type each relation's field had when its facts were read. */
  readonly types: ReadonlyMap<number, string>;
  /** For each concluded field that of its component. */
  readonly reaches: ReadonlyMap<number, Reach>;
}

// Types and rules never change: how each is spelled stays with it.
const TYPE_KEYS = new WeakMap<FieldType, string>();
const SPELLED = new WeakMap<Rule, string>();

export function typeKey(type: FieldType | null): string {
  return type === null ? "null" : kept(TYPE_KEYS, type, () => JSON.stringify(type));
}

/** Where it is declared changes nothing of what it says. */
function spelledRule(rule: Rule): string {
  return kept(SPELLED, rule, () => JSON.stringify({ ...rule, line: 0 }));
}

function kept<K extends object>(known: WeakMap<K, string>, key: K, spell: () => string): string {
  let text = known.get(key);
  if (text === undefined) {
    text = spell();
    known.set(key, text);
  }
  return text;
}

/** Types by Kind and field: of every field that some class declares. */
export type Declared = ReadonlyMap<string, ReadonlyMap<string, string>>;

export function declaredBy(source: FactSource): Declared {
  const types = new Map<string, Map<string, string>>();
  for (const { kind, field, type } of source.declared()) {
    const known = types.get(kind);
    if (known === undefined) types.set(kind, new Map([[field, typeKey(type)]]));
    else known.set(field, typeKey(type));
  }
  return types;
}

/** The fields that one declares and the other not, or otherwise. */
export function* changedBetween(before: Declared, now: Declared): Iterable<FieldName> {
  for (const [kind, fields] of now) {
    for (const [field, type] of fields) if (before.get(kind)?.get(field) !== type) yield { kind, field };
  }
  for (const [kind, fields] of before) for (const field of fields.keys()) if (!now.get(kind)?.has(field)) yield { kind, field };
}

/** @param sameRange  Whether the subjects of a Kind are those they were. */
export function reusableFields(
  standing: Standing,
  rules: readonly Rule[],
  symbols: Symbols,
  typeOf: (field: number) => FieldType | null,
  sameRange: (kind: string) => boolean,
): Set<number> {
  const idOf = (name: FieldName) => symbols.fieldId(name.kind, name.field);
  const keyOf = (fields: readonly FieldName[]) =>
    fields
      .map(idOf)
      .sort((a, b) => a - b)
      .join();
  const spelled = (mine: readonly Rule[]) => mine.map(spelledRule).sort().join("\n");
  const before = new Map(componentsOf(standing.rules).map(({ fields, rules: mine }) => [keyOf(fields), spelled(mine)]));
  const concludedBefore = new Set(standing.rules.map((rule) => idOf(rule.conclusion.cell)));
  const concludedNow = new Set(rules.map((rule) => idOf(rule.conclusion.cell)));
  const stands = new Set<number>();
  for (const [field] of standing.relations) {
    const same = standing.types.get(field) === typeKey(typeOf(field));
    if (same && !concludedBefore.has(field) && !concludedNow.has(field)) stands.add(field);
  }
  for (const { fields, rules: mine } of componentsOf(rules)) {
    if (before.get(keyOf(fields)) !== spelled(mine)) continue;
    const own = new Set(fields.map(idOf));
    const ready = [...own].every((field) => standing.relations.has(field) && standing.types.get(field) === typeKey(typeOf(field)));
    if (!ready || !mine.every((rule) => readingsOf(rule).every((read) => own.has(idOf(read)) || stands.has(idOf(read))))) continue;
    const kinds = [...own].flatMap((field) => [...(standing.reaches.get(field)?.kinds ?? [])]);
    if (kinds.every(sameRange)) for (const field of own) stands.add(field);
  }
  return stands;
}

/** Kinds that the part's parameters range over. */
export function kindsRangedOver(part: Part, into: Set<string>): Set<string> {
  for (const atom of part.atoms) if (atom.from.tag === "range") into.add(atom.from.kind);
  for (const probe of part.probes) {
    if ("atom" in probe && probe.atom.from.tag === "range") into.add(probe.atom.from.kind);
    if ("part" in probe) kindsRangedOver(probe.part, into);
  }
  return into;
}

/** Two ranges hold the same subjects at the same times. */
export function sameSubjects(a: Relation, b: Relation): boolean {
  if (a.liveCount !== b.liveCount) return false;
  for (let row = 0; row < a.rowsEnd; row++) {
    if (!a.isLive(row)) continue;
    const subject = a.subjectOf(row);
    let met = false;
    for (let other = b.pairFirst(subject, subject); other >= 0 && !met; other = b.pairNext(other)) {
      met = b.subjectOf(other) === subject && b.isLive(other) && b.from(other) === a.from(row) && b.to(other) === a.to(row);
    }
    if (!met) return false;
  }
  return true;
}
