/**
 * A stored module: what it declares, and its compiled form.
 *
 * The record is in memory while the store is open; the form, which can be large and only the language reads, stays
 * in SQL, sealed, until it is asked for. Both are cut into parts below a row's size.
 */
import type { KindDeclaration } from "./claim";
import type { Constraint, Rule } from "./rule";

export interface ScriptRecord {
  /** Bare name; its address is `module.name`. */
  readonly name: string;
  /** `inventory.ingest(id: int, dry_run: bool)`. */
  readonly signature: string;
}

export interface ModuleRecord {
  readonly name: string;
  readonly version: string | null;
  readonly language: string;
  readonly kinds: readonly KindDeclaration[];
  readonly scripts: readonly ScriptRecord[];
  readonly rules: readonly Rule[];
  readonly constraints: readonly Constraint[];
  /** Stored modules that it imports, by name. */
  readonly imports: readonly string[];
  /** What its scripts and its body name of other modules: `module.Kind`, `module.Kind.field`, `module.script`. */
  readonly uses: readonly string[];
  /** Id of the key that compiled this content. */
  readonly compiledBy: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Since when each rule stands in its present form, microseconds; missing in records from before this was kept (rule-history.ts). */
  readonly ruleSince?: { readonly [rule: string]: number };
  /** Rules and constraints in a form of a later version, kept as they are: they never fire (contract §9.6, `unreadable`). */
  readonly unreadable?: UnreadableDeclarations;
}

/** The form in which this version stores rules and constraints. A version that changes rule.ts so that an older one would misread it moves this. */
export const RULE_FORM = 1;

export interface UnreadableDeclarations {
  readonly ruleForm: number;
  readonly rules: readonly { readonly name: string; readonly computed?: boolean }[];
  readonly constraints: readonly { readonly name: string }[];
}

/** `form` is null where it lies in SQL under `id`. */
export interface StoredModule {
  readonly id: number;
  readonly record: ModuleRecord;
  readonly form: string | null;
}
