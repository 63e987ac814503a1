/**
 * Installing a module and taking modules, scripts, rules and constraints away (contract §9.2–9.4).
 *
 * A module is held against what the store already has: recorded values its classes cannot hold, recorded values at a
 * field its rules would conclude, and other modules that read what it no longer declares.
 */

import type { Subject } from "../datum";
import { EngineError, Refusal } from "../failure";
import { spellCell, spellField } from "./address";
import { LINE } from "./change";
import { lineOf } from "./change-log";
import type { FieldType, KindDeclaration } from "./claim";
import { claimsOf, refusePinned, removingClaims } from "./claim-remove";
import { type ClaimRow, countOfField } from "./claim-row";
import type { Writer } from "./claim-write";
import { anotherWay } from "./derived-field";
import type { Ledger } from "./ledger";
import { fieldsNaming } from "./ledger-facts";
import { requireLevel } from "./level";
import type { ModuleRecord, ScriptRecord, StoredModule } from "./module-record";
import { cellOf } from "./recorded-claim";
import { type Constraint, givesWay, type Rule } from "./rule";
import { replaceModule } from "./rule-history";
import { cellsNamed, kindsNamed } from "./rule-mention";
import type { Sliced } from "./rule-work";
import { overlaps } from "./span";
import { fits } from "./typed-value";
import { compareText } from "./value-order";

/** What a compile gives. */
export interface ModuleInstallation {
  readonly name: string;
  /** The compiled form: opaque text. */
  readonly form: string;
  /** The label; undefined leaves the one recorded. */
  readonly version?: string;
  readonly language: string;
  readonly kinds: readonly KindDeclaration[];
  readonly scripts: readonly ScriptRecord[];
  readonly rules: readonly Rule[];
  readonly constraints: readonly Constraint[];
  /** Stored modules it imports. */
  readonly imports: readonly string[];
  /** What its scripts and its body name of other modules: `module.Kind` and `module.Kind.field`, as stored. */
  readonly uses?: readonly string[];
}

export interface ModuleInstalled {
  readonly record: ModuleRecord;
  /** False where the store held exactly this. */
  readonly changed: boolean;
}

export function installModule(by: Writer, module: ModuleInstallation): ModuleInstalled {
  const { ledger } = by;
  requireLevel(by.level, "read-write");
  const before = ledger.modules.get(module.name) ?? null;
  const version = module.version ?? before?.record.version ?? null;
  const record: ModuleRecord = {
    name: module.name,
    version,
    language: module.language,
    kinds: module.kinds,
    scripts: module.scripts,
    rules: module.rules,
    constraints: module.constraints,
    imports: module.imports,
    uses: module.uses ?? [],
    compiledBy: by.keyId,
    createdAt: before?.record.createdAt ?? by.instant,
    updatedAt: by.instant,
  };
  if (before !== null && ledger.modules.form(before) === module.form && declares(before.record) === declares(record)) {
    labelModule(by, module.name, version);
    return { record: ledger.modules.get(module.name)!.record, changed: before.record.version !== version };
  }
  refuseUnfit(ledger, record);
  refuseAsserted(ledger, record);
  if (before !== null) refuseStillRead(ledger, before.record, record);
  ledger.statement(() => {
    const position = ledger.nextId();
    replaceModule(ledger, { name: module.name, before, after: { id: position, record, form: module.form } }, by.instant);
    if (before !== null) logRemovedRules(ledger, position, before.record, record);
  });
  return { record, changed: true };
}

/** Gives a stored module another label and nothing else. A label is compared and never ordered (contract §4.1). */
export function labelModule(by: Writer, name: string, version: string | null): void {
  const { ledger } = by;
  requireLevel(by.level, "read-write");
  const before = ledger.modules.get(name);
  if (before === undefined || before.record.version === version) return;
  const record: ModuleRecord = { ...before.record, version, updatedAt: by.instant };
  ledger.statement(() => {
    replaceModule(ledger, { name, before, after: { ...before, record } }, by.instant);
  });
}

export function forgetScript(by: Writer, name: string): boolean {
  return amend(by, name, (record, script) => ({ ...record, scripts: record.scripts.filter((one) => one.name !== script) }));
}

export function forgetRule(by: Writer, name: string): boolean {
  return amend(by, name, ({ unreadable, ...record }) => ({
    ...record,
    rules: record.rules.filter((rule) => rule.computed || rule.name !== name),
    ...(unreadable && { unreadable: { ...unreadable, rules: unreadable.rules.filter((rule) => rule.computed || rule.name !== name) } }),
  }));
}

export function forgetConstraint(by: Writer, name: string): boolean {
  return amend(by, name, ({ unreadable, ...record }) => ({
    ...record,
    constraints: record.constraints.filter((one) => one.name !== name),
    ...(unreadable && { unreadable: { ...unreadable, constraints: unreadable.constraints.filter((one) => one.name !== name) } }),
  }));
}

/** The module, its scripts, rules and Kinds, and all data under them: a step a claim that a mark keeps or a rule may hear of, none for the others. */
export function* forgettingModule(by: Writer, name: string): Sliced<{ readonly removed: number }> {
  const { ledger } = by;
  requireLevel(by.level, "read-write-delete");
  const module = ledger.modules.get(name);
  if (module === undefined) throw new EngineError(`no module named \`${name}\` is stored: \`list_modules\` gives the names`);
  refuseReferenced(ledger, module.record);
  const kinds = kindsUnder(ledger, module.record);
  refuseHeldByWorld(ledger, kinds);
  const fields = kinds.flatMap((kind) => [...ledger.symbols.fieldsOf(kind)].map(({ id }) => id));
  refusePinned(ledger, pinnedRows(ledger, fields));
  // No rule that stays reads these fields, but some may range over subjects that their claims name.
  const named = fieldsNamingForOthers(ledger, module.record);
  const whole = ledger.mayEmpty() ? fields.filter((field) => !named.has(field)) : [];
  const rows: ClaimRow[] = [];
  for (const field of fields) if (!whole.includes(field)) for (const row of yield* claimsOf(ledger, field)) rows.push(row);
  const removed = whole.reduce((count, field) => count + countOfField(ledger.storedSql(), field), rows.length);
  yield* ledger.statementInSlices(function* () {
    const position = ledger.nextId();
    for (const field of whole) ledger.make({ tag: "emptied", field, sign: 1 });
    yield* removingClaims(ledger, rows, { position, unit: true });
    for (const kind of kinds) dropBelief(by, kind, position);
    replaceModule(ledger, { name, before: module, after: null, held: ledger.isMarked ? position : undefined }, by.instant);
    if (!ledger.isMarked) return;
    for (const subject of subjectsOf(ledger, rows)) ledger.log(position, lineOf(LINE.removed, { subject }));
    logRemovedRules(ledger, position, module.record, null);
  });
  return { removed };
}

/** Fields whose claims may name subjects of a Kind that a rule of another module speaks of. */
function fieldsNamingForOthers(ledger: Ledger, { rules }: ModuleRecord): ReadonlySet<number> {
  const own = new Set(rules.map(({ name }) => name));
  const kinds = new Set<string>();
  for (const rule of ledger.modules.rules()) if (!own.has(rule.name)) for (const kind of kindsNamed(rule)) kinds.add(kind);
  return new Set([...kinds].flatMap((kind) => [...fieldsNaming(ledger, kind)]));
}

/** Claims at cells that are pinned. */
function pinnedRows(ledger: Ledger, fields: readonly number[]): ClaimRow[] {
  const { cells } = ledger;
  return fields.flatMap((field) =>
    [...ledger.belief.pinsOf(field)].flatMap((subject) => [...cells.past(field, subject), ...cells.standing(field, subject)]),
  );
}

/** The Kinds a module declares, and those whose class it has left out since: nobody else could reach their data. */
function kindsUnder({ symbols }: Ledger, { name, kinds }: ModuleRecord): string[] {
  const under = [...symbols.allFields()].map(({ kind }) => kind).filter((kind) => kind.startsWith(`${name}.`));
  return [...new Set([...kinds.map((kind) => kind.name), ...under])].sort(compareText);
}

/** True where something was there to take away. */
function amend(by: Writer, name: string, without: (record: ModuleRecord, bare: string) => ModuleRecord): boolean {
  const { ledger } = by;
  requireLevel(by.level, "read-write-delete");
  const dot = name.indexOf(".");
  const module = ledger.modules.get(name.slice(0, dot));
  if (module === undefined) return false;
  const record = { ...without(module.record, name.slice(dot + 1)), updatedAt: by.instant };
  if (declares(record) === declares(module.record)) return false;
  const after: StoredModule = { ...module, record };
  ledger.statement(() => {
    const position = ledger.nextId();
    replaceModule(ledger, { name: record.name, before: module, after }, by.instant);
    logRemovedRules(ledger, position, module.record, record);
  });
  return true;
}

/** The authored rules that `after` no longer has, by name. Computed fields are rules nobody named. */
function logRemovedRules(ledger: Ledger, position: number, before: ModuleRecord, after: ModuleRecord | null): void {
  if (!ledger.isMarked) return;
  const kept = new Set(after?.rules.map((rule) => rule.name));
  const gone = before.rules.filter((rule) => !rule.computed && !kept.has(rule.name)).map((rule) => rule.name);
  for (const name of gone.sort(compareText)) ledger.log(position, lineOf(LINE.removed_rule, { symbol: ledger.symbols.datumId(name) }));
}

/** Each once, by Kind, then by name. */
function subjectsOf(ledger: Ledger, rows: readonly ClaimRow[]): number[] {
  const named = [...new Set(rows.map((row) => row.subject))].map((id) => ({ id, subject: ledger.symbols.datumOf(id) as Subject }));
  named.sort((a, b) => compareText(a.subject.kind, b.subject.kind) || compareText(a.subject.name, b.subject.name));
  return named.map(({ id }) => id);
}

/** Preferences and pins on a Kind whose data is gone. A preference returns with its module. */
function dropBelief(by: Writer, kind: string, removal: number): void {
  const { ledger } = by;
  for (const { id: field } of ledger.symbols.fieldsOf(kind)) {
    for (const before of ledger.belief.preferencesOf(field)) {
      ledger.make({ tag: "preference", field, subject: before.subject, before, after: null, at: by.instant });
      if (ledger.isMarked) ledger.make({ tag: "grave_preference", removal, preference: before, sign: 1 });
    }
    for (const subject of [...ledger.belief.pinsOf(field)]) ledger.make({ tag: "pin", field, subject, sign: -1 });
  }
}

/** All that a record declares, as one text; not when, nor under which label. */
function declares(record: ModuleRecord): string {
  const { language, scripts, rules, constraints, imports, uses, unreadable } = record;
  return JSON.stringify([
    unreadable ?? null,
    language,
    record.kinds.map(({ name, fields }) => [name, [...fields]]),
    scripts,
    rules,
    constraints,
    imports,
    uses,
  ]);
}

/** A class that could no longer hold what is recorded, superseded versions included (rulings, "Compiling again over data"). */
export function refuseUnfit(ledger: Ledger, record: ModuleRecord): void {
  const unfit: string[] = [];
  for (const kind of record.kinds) {
    for (const [name, type] of kind.fields) {
      const field = ledger.symbols.findFieldId(kind.name, name);
      if (field === 0 || sameType(ledger.fieldType(field), type)) continue;
      const isUnfit = (row: ClaimRow) => !fits(ledger.symbols.datumOf(row.value), type);
      const note = (rows: readonly ClaimRow[]) => unfit.push(spellCell(cellOf(ledger, field, rows[0].subject)));
      for (const rows of ledger.cells.scan(field)) if (rows.some(isUnfit) || (!type.many && disagrees(rows))) note(rows);
      for (const rows of ledger.cells.scanPast(field)) if (rows.some(isUnfit)) note(rows);
    }
  }
  if (unfit.length === 0) return;
  const first = unfit.sort(compareText)[0];
  throw new Refusal(
    "invalid_value",
    `${first} holds a recorded value that the class in this source could not hold: declare the field so that it can, or forget the value`,
    first,
  );
}

function sameType(a: FieldType | null, b: FieldType): boolean {
  return a !== null && a.type === b.type && a.kind === b.kind && a.many === b.many;
}

/** One source holds two claims at one time. */
function disagrees(rows: readonly ClaimRow[]): boolean {
  return rows.some((row, i) => rows.slice(0, i).some((other) => other.source === row.source && overlaps(other, row)));
}

export function refuseAsserted(ledger: Ledger, record: ModuleRecord): void {
  const cells: { readonly cell: string; readonly rule: Rule }[] = [];
  for (const rule of record.rules) {
    if (givesWay(rule)) continue;
    const { kind, field: name } = rule.conclusion.cell;
    const field = ledger.symbols.findFieldId(kind, name);
    if (field === 0) continue;
    for (const rows of ledger.cells.scan(field)) cells.push({ cell: spellCell(cellOf(ledger, field, rows[0].subject)), rule });
  }
  if (cells.length === 0) return;
  const { cell, rule } = cells.sort((a, b) => compareText(a.cell, b.cell))[0];
  throw new Refusal(
    "asserted_field",
    `\`${rule.name}\` would conclude over values recorded at ${cell}: forget them, ${anotherWay([rule], [...ledger.modules.rules(), ...record.rules])}`,
    cell,
  );
}

/** Another module reads a Kind or a declared field that this one no longer has. */
function refuseStillRead(ledger: Ledger, before: ModuleRecord, after: ModuleRecord): void {
  const kinds = new Map(after.kinds.map((kind) => [kind.name, kind]));
  const concluded = new Set(after.rules.map((rule) => spellField(rule.conclusion.cell.kind, rule.conclusion.cell.field)));
  const gone = new Set<string>();
  for (const kind of before.kinds) {
    const now = kinds.get(kind.name);
    if (now === undefined) gone.add(kind.name);
    for (const field of kind.fields.keys()) {
      const spelled = spellField(kind.name, field);
      if (!now?.fields.has(field) && !concluded.has(spelled)) gone.add(spelled);
    }
  }
  const scripts = new Set(after.scripts.map((script) => script.name));
  for (const script of before.scripts) if (!scripts.has(script.name)) gone.add(`${before.name}.${script.name}`);
  if (gone.size === 0) return;
  for (const { record } of ledger.modules.all()) {
    if (record.name === before.name) continue;
    for (const { reader, name } of namesUsed(record)) {
      if (!gone.has(name)) continue;
      throw new Refusal(
        "still_referenced",
        `\`${reader}\` still reads ${name}, which this source no longer declares: compile or forget it first`,
        reader,
      );
    }
  }
}

/** Another module imports this one, or reads its Kinds. */
function refuseReferenced(ledger: Ledger, module: ModuleRecord): void {
  const kinds = new Set(module.kinds.map((kind) => kind.name));
  for (const { record } of ledger.modules.all()) {
    if (record.name === module.name) continue;
    const reads = [...namesUsed(record)].some(({ name }) => kinds.has(name));
    if (!record.imports.includes(module.name) && !reads) continue;
    throw new Refusal(
      "still_referenced",
      `module \`${record.name}\` still references \`${module.name}\`: forget \`${record.name}\` first`,
      record.name,
    );
  }
}

/** What a world holds under Kinds that go would belong to nothing. */
function refuseHeldByWorld(ledger: Ledger, kinds: readonly string[]): void {
  for (const kind of kinds) {
    const worlds = [...ledger.symbols.fieldsOf(kind)].map(({ id }) => ledger.worldHolding(id)).filter((world) => world !== 0);
    if (worlds.length === 0) continue;
    const name = JSON.stringify(ledger.worldName(Math.min(...worlds)));
    throw new Refusal(
      "still_referenced",
      `world ${name} holds something under ${kind}: \`merge_world(${name})\` or \`discard_world(${name})\` first`,
      `merge_world(${name}) or discard_world(${name})`,
    );
  }
}

export function* namesUsed(record: ModuleRecord): Iterable<{ readonly reader: string; readonly name: string }> {
  for (const declaration of [...record.rules, ...record.constraints]) {
    for (const name of kindsNamed(declaration)) yield { reader: declaration.name, name };
    for (const cell of cellsNamed(declaration)) yield { reader: declaration.name, name: spellField(cell.kind, cell.field) };
  }
  for (const name of record.uses) yield { reader: record.name, name };
}
