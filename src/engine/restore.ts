/**
 * Bringing back what was removed since a mark (contract §9.7; rulings, "Restore", "Skips and waits of a restore").
 *
 * All of it is one statement. Modules come first, each whole or not at all; then the values that were in force, in the
 * order of their removal; then older versions, beneath the values they were older than. Nothing that was written after
 * a removal is overwritten: what would do so stays in the graveyard, for the next restore.
 */
import { Refusal } from "../failure";
import { spellField } from "./address";
import { LINE } from "./change";
import { lineOf } from "./change-log";
import { byPosition, type ClaimRow, isPast, SUCCESSOR_ERASED } from "./claim-row";
import type { Writer } from "./claim-write";
import { isField } from "./field-check";
import {
  type GraveClaim,
  type GraveLink,
  type GraveUnit,
  readGraves,
  readLinks,
  readUnitPreferences,
  readUnits,
  supersededBy,
} from "./graveyard";
import type { Ledger } from "./ledger";
import type { ModuleRecord } from "./module-record";
import { namesUsed, refuseAsserted, refuseUnfit } from "./module-write";
import { givesWay, type Rule } from "./rule";
import { replaceModule } from "./rule-history";
import { cellsNamed } from "./rule-mention";
import { cycleFault } from "./rule-order";
import type { Sliced } from "./rule-work";
import { overlaps } from "./span";
import type { Sql } from "./sql";
import { fits } from "./typed-value";

export interface Restored {
  /** Claims that came back, and those that did not. */
  readonly restored: number;
  readonly notRestored: number;
  /** Modules removed since the mark, in the order of their removal. */
  readonly modules: readonly { readonly name: string; readonly outcome: UnitOutcome }[];
}

export type UnitOutcome = "restored" | "name_in_use" | "not_whole";

interface Unit extends GraveUnit {
  readonly record: ModuleRecord;
  readonly graves: readonly GraveClaim[];
}

/** `since`: the position of the mark. Yields after each claim that was looked at. */
export function* restoringSince(by: Writer, since: number): Sliced<Restored> {
  const sql = by.ledger.landedSql();
  const graves = readGraves(sql, since);
  const units = readUnits(sql, since).map((unit) => ({
    ...unit,
    record: by.ledger.modules.buriedRecord(unit.module),
    graves: graves.filter((grave) => grave.unit && grave.removal === unit.removal),
  }));
  return yield* by.ledger.statementInSlices(() => new Restore(by, sql, since, graves).make(units));
}

class Restore {
  readonly #by: Writer;
  readonly #ledger: Ledger;
  readonly #sql: Sql;
  readonly #since: number;
  readonly #graves: readonly GraveClaim[];
  /** What stands at a cell, with what is about to come back. */
  readonly #present = new Map<string, ClaimRow[]>();
  readonly #returning: GraveClaim[] = [];
  readonly #unitsBack = new Set<number>();
  #concluded: ReadonlySet<string> = new Set();
  #buried: ReadonlySet<number> | null = null;

  constructor(by: Writer, sql: Sql, since: number, graves: readonly GraveClaim[]) {
    this.#by = by;
    this.#since = since;
    this.#ledger = by.ledger;
    this.#sql = sql;
    this.#graves = graves;
    this.#readConcluded();
  }

  *make(units: readonly Unit[]): Sliced<Restored> {
    this.#bringModules(units);
    for (const grave of this.#graves) {
      yield;
      if (grave.unit || isPast(grave.row)) continue;
      const { field } = grave.row;
      if (this.#isHeldBy(grave.row) && this.#mayStand(grave, this.#ledger.isMany(field))) this.#take(grave);
    }
    this.#returning.sort((a, b) => byPosition(a.row, b.row));
    for (const grave of this.#returning) {
      yield;
      this.#bringValue(grave);
    }
    const older = this.#graves.filter((grave) => isPast(grave.row) && (!grave.unit || this.#unitsBack.has(grave.removal)));
    older.sort((a, b) => byPosition(b.row, a.row));
    let restored = this.#returning.length;
    for (const grave of older) {
      yield;
      if (this.#bringVersion(grave)) restored++;
    }
    for (const link of restored > 0 ? readLinks(this.#sql, this.#since) : []) {
      yield;
      this.#mendLink(link);
    }
    return {
      restored,
      notRestored: this.#graves.length - restored,
      modules: units.map((unit) => ({ name: unit.record.name, outcome: this.#outcome(unit) })),
    };
  }

  // ---- modules ----

  /** One of a name at a time, the one removed first before the others; one that imports another after it. */
  #bringModules(units: readonly Unit[]): void {
    let waiting = [...units];
    for (;;) {
      const first = waiting.filter((unit, i) => !waiting.slice(0, i).some((other) => other.record.name === unit.record.name));
      const next = first.find((unit) => this.#comesWhole(unit)) ?? waiting.find((unit) => this.#comesWhole(unit));
      if (next === undefined) return;
      this.#bringModule(next);
      waiting = waiting.filter((unit) => unit !== next);
    }
  }

  #outcome(unit: Unit): UnitOutcome {
    if (this.#unitsBack.has(unit.removal)) return "restored";
    return this.#ledger.modules.get(unit.record.name) === undefined ? "not_whole" : "name_in_use";
  }

  #comesWhole({ record, graves }: Unit): boolean {
    const { modules } = this.#ledger;
    if (modules.get(record.name) !== undefined) return false;
    if (!record.imports.every((name) => modules.get(name) !== undefined) || this.#isDangling(record)) return false;
    if (cycleFault([...modules.rules(), ...record.rules], (kind, field) => this.#typeWith(record, kind, field)) !== null) return false;
    const concludes = fieldsConcluded(record.rules);
    if (this.#returning.some(({ row }) => concludes.has(this.#spelled(row.field)))) return false;
    try {
      refuseUnfit(this.#ledger, record);
      refuseAsserted(this.#ledger, record);
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
    return graves.every((grave) => {
      const { row } = grave;
      if (this.#concluded.has(this.#spelled(row.field))) return false;
      const { kind, field } = this.#ledger.symbols.fieldOf(row.field);
      return isPast(row) || this.#mayStand(grave, this.#typeWith(record, kind, field)?.many ?? false);
    });
  }

  /** It names what the modules it imports no longer have. */
  #isDangling(record: ModuleRecord): boolean {
    const { modules } = this.#ledger;
    const known = new Set<string>();
    for (const name of record.imports) {
      const imported = modules.get(name)!.record;
      for (const script of imported.scripts) known.add(`${name}.${script.name}`);
      for (const kind of imported.kinds) {
        known.add(kind.name);
        for (const field of kind.fields.keys()) known.add(spellField(kind.name, field));
      }
    }
    for (const other of modules.all()) {
      for (const declaration of [...other.record.rules, ...other.record.constraints]) {
        for (const cell of cellsNamed(declaration)) known.add(spellField(cell.kind, cell.field));
      }
    }
    for (const rule of record.rules) known.add(spellField(rule.conclusion.cell.kind, rule.conclusion.cell.field));
    for (const { name } of namesUsed(record)) {
      const module = name.slice(0, Math.max(0, name.indexOf(".")));
      if (record.imports.includes(module) && !known.has(name)) return true;
    }
    return false;
  }

  #bringModule({ record, module, removal, graves }: Unit): void {
    const ledger = this.#ledger;
    replaceModule(ledger, { name: record.name, before: null, after: { id: module, record, form: null }, held: removal }, this.#by.instant);
    for (const preference of readUnitPreferences(this.#sql, removal)) {
      const { field, subject, source } = preference;
      ledger.make({ tag: "grave_preference", removal, preference: { ...preference, id: 0, setAt: 0 }, sign: -1 });
      if (ledger.belief.preference(field, subject) !== null) continue;
      const after = { id: ledger.nextId(), field, subject, source, setAt: this.#by.instant };
      ledger.make({ tag: "preference", field, subject, before: null, after, at: this.#by.instant });
    }
    for (const grave of graves) if (!isPast(grave.row)) this.#take(grave);
    this.#unitsBack.add(removal);
    this.#readConcluded();
  }

  #readConcluded(): void {
    this.#concluded = fieldsConcluded(this.#ledger.modules.rules());
  }

  #typeWith(record: ModuleRecord, kind: string, field: string) {
    const declared = record.kinds.find(({ name }) => name === kind) ?? this.#ledger.modules.kind(kind);
    return declared?.fields.get(field) ?? null;
  }

  #spelled(id: number): string {
    const { kind, field } = this.#ledger.symbols.fieldOf(id);
    return spellField(kind, field);
  }

  // ---- values that were in force ----

  /** The field is still there, is not concluded now, and holds such a value. */
  #isHeldBy({ field, value }: ClaimRow): boolean {
    const { symbols } = this.#ledger;
    const named = symbols.fieldOf(field);
    if (!isField(this.#ledger, named.kind, named.field) || this.#concluded.has(spellField(named.kind, named.field))) return false;
    const type = this.#ledger.fieldType(field);
    return type === null || fits(symbols.datumOf(value), type);
  }

  /** Its source has not written the cell again since, and holds nothing there that it could not stand beside. */
  #mayStand({ row, removal }: GraveClaim, many: boolean): boolean {
    const others = this.#at(row).filter((other) => other.source === row.source);
    // A restore moves a claim and writes nothing.
    if (others.some((other) => other.written > removal)) return false;
    return many || !others.some((other) => overlaps(other, row));
  }

  #at({ field, subject }: ClaimRow): ClaimRow[] {
    const key = `${field}/${subject}`;
    let rows = this.#present.get(key);
    if (rows === undefined) this.#present.set(key, (rows = [...this.#ledger.cells.standing(field, subject)]));
    return rows;
  }

  #take(grave: GraveClaim): void {
    this.#returning.push(grave);
    this.#at(grave.row).push(grave.row);
  }

  /** In force again, and as recorded now: its source, window, qualifiers and writer are what they were. */
  #bringValue({ removal, unit, row }: GraveClaim): void {
    const ledger = this.#ledger;
    const position = ledger.nextId();
    const { field, subject } = row;
    ledger.make({ tag: "grave_claim", removal, row, unit, sign: -1 });
    ledger.log(position, lineOf(LINE.added, { field, subject, claim: row.id }));
    const { instant } = this.#by;
    ledger.make({ tag: "claim", sign: 1, row: { ...row, position, recordedAt: instant, knownFrom: instant } });
  }

  // ---- older versions ----

  /** Into the history, where it was; false while what it was older than is not there. */
  #bringVersion({ removal, unit, row }: GraveClaim): boolean {
    if (!this.#isHeldBy(row)) return false;
    const goneBy = row.goneBy > 0 ? row.goneBy : supersededBy(this.#sql, row.id);
    if (goneBy !== 0 && !this.#isBeneath(row, goneBy)) return false;
    const { instant } = this.#by;
    this.#ledger.make({ tag: "grave_claim", removal, row, unit, sign: -1 });
    // Nobody was told of it between its removal and now, and by now it is superseded: no read of what was known finds it.
    const superseded = goneBy === 0 ? { goneBy: SUCCESSOR_ERASED, goneAt: Number.POSITIVE_INFINITY } : { goneBy, goneAt: instant };
    this.#ledger.make({ tag: "claim", sign: 1, row: { ...row, ...superseded, knownFrom: instant } });
    return true;
  }

  /** A version that stayed in the store: what had superseded it is back, so until when it was in force is recorded again. */
  #mendLink({ claim, removal, field, subject, goneBy, goneAt }: GraveLink): void {
    const ledger = this.#ledger;
    const row = ledger.cells.past(field, subject).find((one) => one.id === claim && one.goneBy === SUCCESSOR_ERASED);
    if (row === undefined || !this.#isBeneath(row, goneBy)) return;
    ledger.make({ tag: "grave_link", removal, row, sign: -1 });
    ledger.make({ tag: "claim", sign: -1, row });
    ledger.make({ tag: "claim", sign: 1, row: { ...row, goneBy, goneAt } });
  }

  /** What superseded a version, or a part that an update left of it, is in the store. */
  #isBeneath(row: ClaimRow, goneBy: number): boolean {
    const { cells } = this.#ledger;
    const standing = cells.standing(row.field, row.subject);
    const isIt = (other: ClaimRow) => other.written === goneBy;
    if (standing.some(isIt) || cells.past(row.field, row.subject).some(isIt)) return true;
    this.#buried ??= new Set((this.#sql.exec("SELECT coalesce(written, position) FROM grave_claim") as number[][]).flat());
    if (this.#buried.has(goneBy)) return false;
    // An update that restated one of many values superseded the others and recorded nothing.
    return standing.some((other) => other.source === row.source && overlaps(other, row));
  }
}

/** Fields where some rule concludes that does not give way to what is recorded. */
function fieldsConcluded(rules: readonly Rule[]): Set<string> {
  return new Set(rules.filter((rule) => !givesWay(rule)).map(({ conclusion: { cell } }) => spellField(cell.kind, cell.field)));
}
