/**
 * The stored modules, by name, and what they declare together: Kinds, rules, constraints.
 *
 * Records are in memory; forms stay sealed in SQL until asked for. A form is written under an id of its own, so
 * that replacing a module never overwrites what a rolled-back compile still needs.
 */
import { assert } from "../failure";
import { SEALED_PART_BYTES } from "../limits";
import { ByteReader, ByteWriter } from "./byte-writer";
import type { Change } from "./change";
import type { FieldType, KindDeclaration } from "./claim";
import { writeUnit } from "./graveyard";
import { type ModuleRecord, RULE_FORM, type StoredModule, type UnreadableDeclarations } from "./module-record";
import type { Constraint, Rule } from "./rule";
import { cellsNamed } from "./rule-mention";
import type { Cipher, Sql } from "./sql";
import { compareText } from "./value-order";

const RECORD = 0;
const FORM = 1;

export class ModuleTable {
  readonly #sql: Sql;
  readonly #cipher: Cipher;
  readonly #modules = new Map<string, StoredModule>();
  #kinds: ReadonlyMap<string, KindDeclaration> = new Map();
  #rules: readonly Rule[] = [];
  /** Fields that standing rules and constraints read or conclude, by Kind. */
  #named: ReadonlyMap<string, ReadonlySet<string>> = new Map();

  constructor(sql: Sql, cipher: Cipher) {
    this.#sql = sql;
    this.#cipher = cipher;
    for (const [id] of sql.exec("SELECT DISTINCT module FROM module_part") as number[][]) {
      const record = recordFromText(this.#readParts(id, RECORD));
      this.#modules.set(record.name, { id, record, form: null });
    }
    this.#derive();
  }

  get(name: string): StoredModule | undefined {
    return this.#modules.get(name);
  }

  /** Ascending by name. */
  all(): StoredModule[] {
    return [...this.#modules.values()].sort((a, b) => compareText(a.record.name, b.record.name));
  }

  /** The compiled form of a stored module. */
  form(module: StoredModule): string {
    return module.form ?? this.#readParts(module.id, FORM);
  }

  get hasKinds(): boolean {
    return this.#kinds.size > 0;
  }

  /** The declaration of a Kind by its qualified name. */
  kind(name: string): KindDeclaration | undefined {
    return this.#kinds.get(name);
  }

  kinds(): Iterable<KindDeclaration> {
    return this.#kinds.values();
  }

  /** All standing rules, ascending by name. */
  rules(): readonly Rule[] {
    return this.#rules;
  }

  /** A standing rule or constraint reads or concludes the field. */
  isNamedByRules(kind: string, field: string): boolean {
    return this.#named.get(kind)?.has(field) ?? false;
  }

  constraints(): Constraint[] {
    return this.all().flatMap((module) => module.record.constraints);
  }

  /** How many authored rules and constraints stand that this version cannot read. */
  unreadable(): { readonly rules: number; readonly constraints: number } {
    let rules = 0;
    let constraints = 0;
    for (const { record } of this.#modules.values()) {
      rules += record.unreadable?.rules.filter((rule) => rule.computed !== true).length ?? 0;
      constraints += record.unreadable?.constraints.length ?? 0;
    }
    return { rules, constraints };
  }

  set(name: string, module: StoredModule | null): void {
    if (module === null) this.#modules.delete(name);
    else this.#modules.set(name, module);
    this.#derive();
  }

  /** `held`: the removal under which the graveyard keeps the module; 0 where it does not. */
  write(before: StoredModule | null, after: StoredModule | null, held: number): void {
    if (held !== 0) {
      if (before !== null) this.#bury(before.id, held);
      if (after !== null) this.#raise(after.id, held);
      return;
    }
    const kept = before !== null && after !== null && before.id === after.id;
    if (kept) this.#sql.exec("DELETE FROM module_part WHERE module = ? AND form = ?", before.id, RECORD);
    else if (before !== null) this.#sql.exec("DELETE FROM module_part WHERE module = ?", before.id);
    if (after === null) return;
    this.#writeParts(after.id, RECORD, recordToText(after.record));
    if (kept) return;
    assert(after.form !== null, "a new module brings its form");
    this.#writeParts(after.id, FORM, after.form);
  }

  /** The record of a module in the graveyard. */
  buriedRecord(id: number): ModuleRecord {
    return recordFromText(this.#readParts(id, RECORD, "grave_part"));
  }

  #bury(id: number, removal: number): void {
    this.#sql.exec("INSERT INTO grave_part SELECT module, form, part, sealed FROM module_part WHERE module = ?", id);
    this.#sql.exec("DELETE FROM module_part WHERE module = ?", id);
    writeUnit(this.#sql, { removal, module: id });
  }

  #raise(id: number, removal: number): void {
    this.#sql.exec("INSERT INTO module_part SELECT module, form, part, sealed FROM grave_part WHERE module = ?", id);
    this.#sql.exec("DELETE FROM grave_part WHERE module = ?", id);
    this.#sql.exec("DELETE FROM grave_module WHERE removal = ?", removal);
  }

  /** What was written need not stay in memory. */
  settle(landed: readonly Change[]): void {
    for (const change of landed) {
      if (change.tag !== "module" || change.after === null) continue;
      const standing = this.#modules.get(change.name);
      if (standing?.id === change.after.id) this.#modules.set(change.name, { ...standing, form: null });
    }
  }

  #derive(): void {
    const kinds = new Map<string, KindDeclaration>();
    const rules: Rule[] = [];
    const named = new Map<string, Set<string>>();
    for (const { record } of this.#modules.values()) {
      for (const kind of record.kinds) kinds.set(kind.name, kind);
      rules.push(...record.rules);
      for (const declaration of [...record.rules, ...record.constraints]) {
        for (const cell of cellsNamed(declaration)) {
          const fields = named.get(cell.kind);
          if (fields === undefined) named.set(cell.kind, new Set([cell.field]));
          else fields.add(cell.field);
        }
      }
    }
    this.#kinds = kinds;
    this.#named = named;
    this.#rules = rules.sort((a, b) => compareText(a.name, b.name));
  }

  #readParts(id: number, form: number, table = "module_part"): string {
    const parts = this.#sql.exec(`SELECT part, sealed FROM ${table} WHERE module = ? AND form = ? ORDER BY part`, id, form);
    const opened = parts.map(([part, sealed]) => this.#cipher.open(sealed as Uint8Array, contextOf(id, form, part as number)));
    const bytes = new Uint8Array(opened.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of opened) {
      bytes.set(part, at);
      at += part.length;
    }
    return new ByteReader(bytes).utf8(bytes.length);
  }

  #writeParts(id: number, form: number, text: string): void {
    const out = new ByteWriter(text.length + 16);
    out.utf8(text);
    const bytes = out.take();
    let part = 0;
    do {
      const plain = bytes.subarray(part * SEALED_PART_BYTES, (part + 1) * SEALED_PART_BYTES);
      const sealed = this.#cipher.seal(plain, contextOf(id, form, part));
      this.#sql.exec("INSERT INTO module_part (module, form, part, sealed) VALUES (?, ?, ?, ?)", id, form, part, sealed);
      part++;
    } while (part * SEALED_PART_BYTES < bytes.length);
  }
}

function contextOf(id: number, form: number, part: number): string {
  return `module_part/${id}/${form}/${part}`;
}

/** Field order is part of a declaration, so fields travel as pairs. */
function recordToText({ unreadable, ...record }: ModuleRecord): string {
  const kinds = record.kinds.map(({ name, fields }) => ({ name, fields: [...fields] }));
  return JSON.stringify({ ...record, kinds, ...(unreadable ?? { ruleForm: RULE_FORM }) });
}

function recordFromText(text: string): ModuleRecord {
  const { ruleForm = RULE_FORM, ...record } = JSON.parse(text) as Omit<ModuleRecord, "kinds"> &
    Partial<Pick<UnreadableDeclarations, "ruleForm">> & {
      kinds: readonly { readonly name: string; readonly fields: readonly (readonly [string, FieldType])[] }[];
    };
  const kinds = record.kinds.map(({ name, fields }) => ({ name, fields: new Map(fields) }));
  if (ruleForm <= RULE_FORM) return { ...record, kinds };
  const { rules, constraints } = record;
  return { ...record, kinds, rules: [], constraints: [], unreadable: { ruleForm, rules, constraints } };
}
