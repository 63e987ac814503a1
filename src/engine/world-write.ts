/**
 * The verbs of worlds that last: made, ended, and merged into their store as one statement (contract §6; rulings,
 * "Branch, world, merge").
 *
 * What a world holds lands as if it were written now: new ids in the order it was written in, the merge's instant. It
 * lands whole or not at all: where the store has since said otherwise, every such cell is in conflict, and the first is
 * named.
 */
import { Refusal } from "../failure";
import { SUBJECT_NAME_CHARS_MAX } from "../limits";
import { spellCell, spellField } from "./address";
import { refuseJudgedElsewhere } from "./belief";
import { LINE } from "./change";
import { lineOf } from "./change-log";
import type { Effect } from "./claim";
import { type ClaimRow, isPast } from "./claim-row";
import { sameQualifiers, type Writer } from "./claim-write";
import { anotherWay } from "./derived-field";
import { isField } from "./field-check";
import type { LayerKind, Ledger } from "./ledger";
import { requireLevel } from "./level";
import { cellOf } from "./recorded-claim";
import { givesWay, type Rule } from "./rule";
import { covers, overlaps } from "./span";
import { fits } from "./typed-value";
import { compareText } from "./value-order";
import { type Overlay, ofStore, placeKey, revisions, WORLD_IDS_FROM, written } from "./world";
import { standingAs } from "./world-view";

export function createWorld(by: Writer, name: string): Effect {
  const { ledger } = by;
  requireLevel(by.level, "read-write");
  checkName(name);
  refuseInside(ledger, `create_world(${JSON.stringify(name)})`);
  if (ledger.worlds.has(ledger.symbols.findDatumId(name))) {
    throw new Refusal(
      "already_in_effect",
      `a world ${JSON.stringify(name)} exists: \`with world(${JSON.stringify(name)}):\` works in it`,
      name,
    );
  }
  ledger.statement(() => ledger.make({ tag: "world", name: ledger.symbols.datumId(name), before: null, after: ledger.nextId() }));
  return { verb: "create_world", target: { tag: "world", name }, added: 0, removed: 0 };
}

export function discardWorld(by: Writer, name: string): Effect {
  const { ledger } = by;
  requireLevel(by.level, "read-write-delete");
  refuseInside(ledger, `discard_world(${JSON.stringify(name)})`);
  const world = worldOf(ledger, name);
  const removed = written(ledger.overlay(world)).filter(isWhole).length;
  ledger.statement(() => ledger.make({ tag: "world", name: ledger.symbols.findDatumId(name), before: world, after: null }));
  return { verb: "discard_world", target: { tag: "world", name }, added: 0, removed };
}

export function mergeWorld(by: Writer, name: string): Effect {
  const { ledger } = by;
  requireLevel(by.level, "read-write");
  refuseInside(ledger, `merge_world(${JSON.stringify(name)})`);
  const world = worldOf(ledger, name);
  const overlay = ledger.overlay(world);
  refuseUnfit(ledger, overlay);
  refuseJudged(ledger, overlay, world);
  refuseDerived(ledger, overlay);
  const known = refuseConflicts(ledger, overlay);
  let added = 0;
  ledger.statement(() => {
    added = land(by, overlay, known);
    ledger.make({ tag: "world", name: ledger.symbols.findDatumId(name), before: world, after: null });
  });
  return { verb: "merge_world", target: { tag: "world", name }, added, removed: 0 };
}

/** The id of the world of that name. Refuses `not_recorded`. */
export function worldOf(ledger: Ledger, name: string): number {
  const world = ledger.worlds.get(ledger.symbols.findDatumId(name));
  if (world !== undefined) return world;
  throw new Refusal(
    "not_recorded",
    `there is no world ${JSON.stringify(name)}: \`create_world(${JSON.stringify(name)})\` makes it, \`worlds()\` lists those that exist`,
    name,
  );
}

/** Names of the worlds that stand, ascending. */
export function worldNames(ledger: Ledger): string[] {
  return [...ledger.worlds.keys()].map((name) => ledger.symbols.datumOf(name) as string).sort(compareText);
}

function checkName(name: string): void {
  const chars = [...name].length;
  if (chars > 0 && chars <= SUBJECT_NAME_CHARS_MAX) return;
  throw new Refusal(
    "invalid_value",
    `a world's name has 1 to ${SUBJECT_NAME_CHARS_MAX} characters, and this one has ${chars}`,
    'create_world("plan")',
  );
}

/** Worlds are made, entered and ended outside branches and other worlds. */
export function refuseInside(ledger: Ledger, what: string): void {
  const layer = ledger.layers.at(-1);
  if (layer !== undefined) throw insideLayer(layer.kind, what);
  if (ledger.world !== null) throw insideLayer("world", what);
}

export function insideLayer(where: LayerKind | "world", what: string): Refusal {
  const leave = where === "compile" ? "it lands as one, and worlds belong to a `run`" : `leave the ${where} first`;
  return new Refusal("immutable_in_branch", `\`${what}\` does not stand inside a ${where}: ${leave}`, what);
}

/** A branch is not named as a world that exists, so that nobody takes what is discarded for what lasts. */
export function refuseWorldName(ledger: Ledger, name: string): void {
  if (!ledger.worlds.has(ledger.symbols.findDatumId(name))) return;
  const world = `with world(${JSON.stringify(name)})`;
  throw new Refusal("invalid_value", `${JSON.stringify(name)} is a world: \`${world}:\` works in it; give the branch another name`, world);
}

// ---- what stands in the way of a merge ----

/** `cells` in conflict, spelled; the first in order is the hint. */
function refusal(
  reason: "invalid_value" | "asserted_field" | "conflicting_write",
  cells: readonly string[],
  why: string,
  todo: string,
): Refusal {
  const [first] = [...new Set(cells)].sort(compareText);
  const others = new Set(cells).size - 1;
  const where = others === 0 ? first : `${first} and ${others} other ${others === 1 ? "cell" : "cells"}`;
  return new Refusal(reason, `nothing was merged: ${where} ${why}: ${todo}`, first);
}

/** A class that was compiled since does not hold it. */
function refuseUnfit(ledger: Ledger, overlay: Overlay): void {
  const cells: string[] = [];
  for (const row of written(overlay)) {
    const cell = cellOf(ledger, row.field, row.subject);
    const type = ledger.fieldType(row.field);
    const holds = isField(ledger, cell.kind, cell.field) && (type === null || fits(ledger.symbols.datumOf(row.value), type));
    if (!holds) cells.push(spellCell(cell));
  }
  if (cells.length === 0) return;
  throw refusal(
    "invalid_value",
    cells,
    "holds in the world what its class cannot hold",
    "`forget` it in the world, or declare the field so that it can",
  );
}

function refuseJudged(ledger: Ledger, overlay: Overlay, world: number): void {
  const cells: string[] = [];
  for (const { field } of overlay.preferences.values()) {
    const { kind, field: name } = ledger.symbols.fieldOf(field);
    refuseJudgedElsewhere(ledger, spellField(kind, name), field, world);
    if (ledger.belief.preferencesOf(field).length > 0) cells.push(spellField(kind, name));
  }
  if (cells.length === 0) return;
  throw refusal("conflicting_write", cells, "is judged by the store too", "`unprefer` there, or in the world");
}

function refuseDerived(ledger: Ledger, overlay: Overlay): void {
  const cells: string[] = [];
  const rules: Rule[] = [];
  for (const { field, subject } of written(overlay)) {
    const firm = ledger.isDerived(field) ? ledger.reasoner!.concludes(field).filter((rule) => !givesWay(rule)) : [];
    if (firm.length === 0) continue;
    rules.push(...firm);
    cells.push(spellCell(cellOf(ledger, field, subject)));
  }
  if (cells.length === 0) return;
  throw refusal(
    "asserted_field",
    cells,
    "is concluded by a standing rule",
    `\`forget\` the value in the world, ${anotherWay(rules, ledger.modules.rules())}`,
  );
}

/** Gives what the store holds already, by the id of the world's claim: that merges as no change. */
function refuseConflicts(ledger: Ledger, overlay: Overlay): ReadonlyMap<number, ClaimRow> {
  const known = new Map<number, ClaimRow>();
  const cells: string[] = [];
  const conflict = ({ field, subject }: ClaimRow) => cells.push(spellCell(cellOf(ledger, field, subject)));
  /** What of the world stands at a cell that the store has now. */
  const kept = new Map<string, ClaimRow[]>();
  const keep = (row: ClaimRow) => {
    if (isPast(row)) return;
    const key = placeKey(row);
    const others = kept.get(key);
    if (others === undefined) kept.set(key, [row]);
    else others.push(row);
  };
  const revised = new Set<number>();
  for (const [base, said] of revisions(overlay)) {
    const claim = standingAs(ledger, base, said);
    if (claim !== undefined) for (const row of said) keep(ofStore(row, claim));
    // Where what revised it has been taken back, the world asks for nothing there.
    else if (said.some((row) => row.goneBy > 0)) conflict(said[0]);
    revised.add(base);
  }
  for (const row of written(overlay)) {
    if (isPast(row)) continue;
    const { field, subject } = row;
    const rivals = ledger.cells
      .standing(field, subject)
      .filter((one) => !revised.has(one.id) && one.source === row.source && overlaps(one, row));
    const same = rivals.filter((one) => one.value === row.value && sameQualifiers(ledger, one.qualifiers, row.qualifiers));
    if (covers(same, row)) known.set(row.id, same[0]);
    else if (rivals.length > 0 && !ledger.isMany(field)) conflict(row);
    else if (!ledger.isMany(field) && kept.get(placeKey(row))?.some((one) => one.source === row.source && overlaps(one, row)))
      conflict(row);
    else keep(row);
  }
  if (cells.length === 0) return known;
  throw refusal(
    "conflicting_write",
    cells,
    "was changed in the store too, by the same source over the same time",
    "`forget` the value in the world, or `discard_world`",
  );
}

// ---- landing ----

/** A claim as it was written, not what an update left of it. */
function isWhole(row: ClaimRow): boolean {
  return row.id === row.written;
}

/** Inside a statement. How many claims it adds. */
function land(by: Writer, overlay: Overlay, known: ReadonlyMap<number, ClaimRow>): number {
  const { ledger, instant } = by;
  const own = written(overlay).filter((row) => !known.has(row.id));
  const said = revisions(overlay);
  const numbers = newNumbers(ledger, [...own, ...[...said.values()].flat()]);
  for (const [id, { written: at }] of known) numbers.set(id, at);
  const renumbered = (row: ClaimRow): ClaimRow => ({
    ...row,
    id: numbers.get(row.id) ?? row.id,
    position: numbers.get(row.position) ?? row.position,
    written: numbers.get(row.written) ?? row.written,
    goneBy: numbers.get(row.goneBy) ?? row.goneBy,
    goneAt: row.goneBy > 0 ? instant : row.goneAt,
  });
  for (const [base, rows] of said) {
    const claim = standingAs(ledger, base, rows);
    if (claim === undefined) continue;
    ledger.make({ tag: "claim", sign: -1, row: claim });
    for (const row of rows) ledger.make({ tag: "claim", sign: 1, row: renumbered(ofStore({ ...row, knownFrom: instant }, claim)) });
  }
  let added = 0;
  for (const row of own) {
    const landed = renumbered({ ...row, recordedAt: instant, knownFrom: instant });
    ledger.make({ tag: "claim", sign: 1, row: landed });
    if (!isWhole(landed)) continue;
    added++;
    const { field, subject, id, position } = landed;
    if (ledger.isMarked) ledger.log(position, lineOf(LINE.added, { field, subject, claim: id }));
  }
  for (const { field, subject, source } of overlay.preferences.values()) {
    const after = { id: ledger.nextId(), field, subject, source, setAt: instant };
    ledger.make({ tag: "preference", field, subject, before: null, after, at: instant });
  }
  for (const { field, subject, sign } of overlay.pins.values()) {
    if (ledger.belief.isPinned(field, subject) !== sign > 0) ledger.make({ tag: "pin", field, subject, sign });
  }
  return added;
}

/** A fresh number for each that the world gave out, in the same order. */
function newNumbers(ledger: Ledger, rows: readonly ClaimRow[]): Map<number, number> {
  const used = new Set<number>();
  for (const row of rows) for (const number of [row.id, row.position, row.goneBy]) if (number >= WORLD_IDS_FROM) used.add(number);
  return new Map([...used].sort((a, b) => a - b).map((number) => [number, ledger.nextId()]));
}
