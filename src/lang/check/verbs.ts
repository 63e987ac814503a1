/**
 * The verbs of DKE Python: what each takes, as data. The lowering checks a call against this table, the machine binds
 * by it (`machine/verbs.ts`), the teaching of unknown names quotes it. language.md §5.2–§5.4.
 */

/** What the first argument must be: an address, never a value. */
export type AddressWanted = "cell" | "subject" | "kind" | "target" | "cell_or_field";

export interface VerbSpec {
  readonly address: AddressWanted | null;
  /** Parameters after the address, in order. `required` ones come first. */
  readonly params: readonly VerbParam[];
  /** Further keywords: `qualifiers` of a claim, or `fields` to find by. */
  readonly rest: "qualifiers" | "fields" | null;
  readonly writes: boolean;
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
  more: { rest?: VerbSpec["rest"]; writes?: boolean } = {},
): VerbSpec {
  return { address, params, rest: more.rest ?? null, writes: more.writes ?? false, form };
}
const write = { writes: true };
const claimWrite = { writes: true, rest: "qualifiers" as const };

export const VERBS: ReadonlyMap<string, VerbSpec> = new Map([
  ["current", spec("current(Kind.subject.field, at=None, known_at=None)", "cell", [may("at"), may("known_at")])],
  ["value", spec("value(Kind.subject.field, default=None, at=None, known_at=None)", "cell", [may("default"), key("at"), key("known_at")])],
  ["get", spec("get(Kind.subject.field)", "cell")],
  ["history", spec("history(Kind.subject.field)", "cell")],
  ["values", spec("values(Kind.subject.field, at=None, known_at=None)", "cell", [key("at"), key("known_at")])],
  ["subjects", spec("subjects(Kind, at=None, known_at=None)", "kind", [key("at"), key("known_at")])],
  ["find", spec("find(Kind, field=value, …)", "kind", [], { rest: "fields" })],
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
      claimWrite,
    ),
  ],
  [
    "update",
    spec(
      'update(Kind.subject.field, value, "source", valid_from=None, valid_to=None, …)',
      "cell",
      [need("value"), need("source"), key("valid_from"), key("valid_to")],
      claimWrite,
    ),
  ],
  [
    "assert_absent",
    spec(
      'assert_absent(Kind.subject.field, "source", valid_from=None, valid_to=None)',
      "cell",
      [need("source"), key("valid_from"), key("valid_to")],
      write,
    ),
  ],
  [
    "forget",
    spec(
      "forget(Kind.subject.field)",
      "target",
      [may("value"), may("source"), key("recorded_before"), key("recorded_at_or_before"), key("valid_before"), key("valid_at_or_before")],
      write,
    ),
  ],
  ["prefer", spec('prefer(Kind.subject.field, "source")', "cell_or_field", [need("source")], write)],
  ["unprefer", spec("unprefer(Kind.subject.field)", "cell_or_field", [], write)],
  ["pin", spec("pin(Kind.subject.field)", "cell", [], write)],
  ["unpin", spec("unpin(Kind.subject.field)", "cell", [], write)],
  ["commit", spec("commit()", null, [], write)],
  ["rollback", spec("rollback()", null, [], write)],
  ["create_world", spec('create_world("name")', null, [need("name")], write)],
  ["merge_world", spec('merge_world("name")', null, [need("name")], write)],
  ["discard_world", spec('discard_world("name")', null, [need("name")], write)],
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
