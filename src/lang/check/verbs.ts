/**
 * The verbs of DKE Python: what each takes, as data. The lowering checks a call against this table, the machine binds
 * by it (`machine/verbs.ts`), the teaching of unknown names quotes it. language.md §5.2–§5.4.
 */

import type { Level } from "../../engine/claim";

/** What the first argument must be: an address, never a value. */
export type AddressWanted = "cell" | "subject" | "kind" | "target" | "cell_or_field";

export interface VerbSpec {
  readonly address: AddressWanted | null;
  /** Parameters after the address, in order. `required` ones come first. */
  readonly params: readonly VerbParam[];
  /** Further keywords: `qualifiers` of a claim, or `fields` to find by. */
  readonly rest: "qualifiers" | "fields" | null;
  readonly writes: boolean;
  /** It may look at all subjects of a Kind. */
  readonly isLong: boolean;
  /** The least level at which a statement of this verb may change what a store holds. */
  readonly least: Level;
  /** As a person would write it. */
  readonly form: string;
}
export interface VerbParam {
  readonly name: string;
  readonly required: boolean;
  readonly keywordOnly: boolean;
}

const need = (name: string): VerbParam => ({ name, required: true, keywordOnly: false });
const may = (name: string): VerbParam => ({ name, required: false, keywordOnly: false });
const key = (name: string): VerbParam => ({ name, required: false, keywordOnly: true });
const needKey = (name: string): VerbParam => ({ name, required: true, keywordOnly: true });
function spec(
  form: string,
  address: AddressWanted | null,
  params: VerbParam[] = [],
  more: { rest?: VerbSpec["rest"]; writes?: boolean; isLong?: boolean; least?: Level } = {},
): VerbSpec {
  const { rest = null, writes = false, isLong = false, least = "read" } = more;
  return { address, params, rest, writes, isLong, least, form };
}
/** Of what it has written itself. */
const layer = { writes: true };
const add = { writes: true, least: "read-add" as const };
const claimAdd = { ...add, rest: "qualifiers" as const };
const change = { writes: true, least: "read-write" as const };
const remove = { writes: true, least: "read-write-delete" as const };

export const VERBS: ReadonlyMap<string, VerbSpec> = new Map([
  ["current", spec("current(Kind.subject.field, at=None, known_at=None)", "cell", [may("at"), may("known_at")])],
  ["value", spec("value(Kind.subject.field, default=None, at=None, known_at=None)", "cell", [may("default"), key("at"), key("known_at")])],
  ["get", spec("get(Kind.subject.field)", "cell")],
  ["history", spec("history(Kind.subject.field)", "cell")],
  ["values", spec("values(Kind.subject.field, at=None, known_at=None)", "cell", [key("at"), key("known_at")])],
  ["subjects", spec("subjects(Kind, at=None, known_at=None)", "kind", [key("at"), key("known_at")], { isLong: true })],
  ["find", spec("find(Kind, field=value, …)", "kind", [], { rest: "fields", isLong: true })],
  ["fields", spec("fields(Kind.subject)", "subject")],
  ["kinds", spec("kinds()", null)],
  ["list_categories", spec("list_categories()", null)],
  ["sources", spec("sources(Kind.subject.field)", "cell")],
  ["list_scripts", spec("list_scripts()", null)],
  ["absent", spec("absent(Kind.subject.field)", "cell")],
  ["present", spec("present(Kind.subject.field)", "cell")],
  ["changed", spec("changed(Kind.subject.field, since=datetime)", "cell", [needKey("since")])],
  ["now", spec("now()", null)],
  ["why", spec("why(Kind.subject.field, value)", "cell", [may("value")])],
  ["why_not", spec("why_not(Kind.subject.field, value=None)", "cell", [may("value")])],
  ["what_needs", spec("what_needs(Kind.subject.field)", "cell")],
  [
    "remember",
    spec(
      'remember(Kind.subject.field, value, "source", valid_from=None, valid_to=None, …)',
      "cell",
      [need("value"), need("source"), key("valid_from"), key("valid_to")],
      claimAdd,
    ),
  ],
  [
    "update",
    spec(
      'update(Kind.subject.field, value, "source", valid_from=None, valid_to=None, …)',
      "cell",
      [need("value"), need("source"), key("valid_from"), key("valid_to")],
      claimAdd,
    ),
  ],
  [
    "assert_absent",
    spec(
      'assert_absent(Kind.subject.field, "source", valid_from=None, valid_to=None)',
      "cell",
      [need("source"), key("valid_from"), key("valid_to")],
      add,
    ),
  ],
  [
    "forget",
    spec(
      "forget(Kind.subject.field)",
      "target",
      [may("value"), may("source"), key("recorded_before"), key("recorded_at_or_before"), key("valid_before"), key("valid_at_or_before")],
      remove,
    ),
  ],
  ["prefer", spec('prefer(Kind.subject.field, "source")', "cell_or_field", [need("source")], change)],
  ["unprefer", spec("unprefer(Kind.subject.field)", "cell_or_field", [], change)],
  ["pin", spec("pin(Kind.subject.field)", "cell", [], change)],
  ["unpin", spec("unpin(Kind.subject.field)", "cell", [], change)],
  ["commit", spec("commit()", null, [], layer)],
  ["rollback", spec("rollback()", null, [], layer)],
  ["create_world", spec('create_world("name")', null, [need("name")], change)],
  ["merge_world", spec('merge_world("name")', null, [need("name")], change)],
  ["discard_world", spec('discard_world("name")', null, [need("name")], remove)],
  ["worlds", spec("worlds()", null)],
]);

/** Marks are tools, not verbs (rulings, "Marks are tools"). */
export const TOOLS_NOT_VERBS: ReadonlySet<string> = new Set([
  "checkpoint",
  "diff",
  "restore",
  "forget_checkpoint",
  "checkup",
  "forget_rule",
  "forget_module",
  "forget_constraint",
  "info",
  "info_module",
  "list_modules",
  "stores",
  "spec",
  "report",
  "stop",
]);

/** Words that have a meaning only inside a rule or constraint. */
export const RULE_WORDS: ReadonlySet<string> = new Set([
  "when",
  "conclude",
  "require",
  "none",
  "count",
  "avg",
  "trust",
  "source",
  "valid_from",
  "valid_to",
  "not_asserted",
  "many",
]);
