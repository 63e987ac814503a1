/** Which kinds of record a caller means by `kind`, with `entity_kind` or `note_kind` beside it where those narrow it. */
import { invalidInput } from "../verb-failure";
import { RECORD_KINDS, type RecordKind } from "./record-kind";
import { kindsNamed } from "./record-store";

export interface KindArguments {
  readonly kind: string;
  readonly entity_kind?: string;
  readonly note_kind?: string;
}

/** One substrate's kinds, at least one. `besides`: what else the verb lists and is no record. */
export function wantedKinds(
  { kind, entity_kind: entityKind, note_kind: noteKind }: KindArguments,
  besides: readonly string[] = [],
): readonly RecordKind[] {
  const named = kindsNamed(kind);
  if (named === null) {
    const known = ["entity", "note", ...besides, ...RECORD_KINDS.map((one) => one.kind)];
    throw invalidInput(`unknown kind ${JSON.stringify(kind.slice(0, 64))}: ${known.join(", ")}`);
  }
  const [{ substrate }] = named;
  const beside = substrate === "entity" ? entityKind : noteKind;
  if (substrate === "entity" && noteKind !== undefined) throw invalidInput(`\`note_kind\` chooses among notes, and \`kind\` says ${kind}`);
  if (substrate === "note" && entityKind !== undefined)
    throw invalidInput(`\`entity_kind\` chooses among entities, and \`kind\` says ${kind}`);
  if (beside === undefined) return named;
  const narrowed = named.filter((one) => one.kind === beside);
  if (narrowed.length === 0) throw invalidInput(`${JSON.stringify(beside.slice(0, 64))} is no kind of ${kind}`);
  return narrowed;
}
