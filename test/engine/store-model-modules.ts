/**
 * Classes and rules of the naive twin: a handful of shapes a module may be compiled to, and what they mean, spelled out
 * for these very rules. One module `m` declares the Kind; one module `k` imports it and reads a field of it.
 */
import { type Datum, Float, Subject } from "../../src/datum";
import type { FieldType } from "../../src/engine/claim";
import { compareText } from "../../src/engine/value-order";
import {
  fieldName,
  fieldOf,
  type Held,
  kindOf,
  type Model,
  meets,
  Refused,
  recordedIn,
  type State,
  subjectOf,
  type View,
} from "./store-model";
import { event } from "./store-model-marks";

/** A rule that concludes what another field of the same subject holds. */
export interface CopyRule {
  readonly name: string;
  /** Places, `kind.*.field`. */
  readonly from: string;
  readonly to: string;
  /** `not_asserted`: it gives way to recorded values. */
  readonly givesWay: boolean;
}
export interface Shape {
  readonly id: string;
  /** Of the Kind `m.M`; null where there is no such class. */
  readonly fields: ReadonlyMap<string, FieldType> | null;
  readonly rules: readonly CopyRule[];
}
export interface Module {
  readonly shape: Shape;
  /** Since when each rule stands as it is. */
  readonly since: Map<string, number>;
}
/** Some rule whose text is not kept concluded at the field from when until when. */
export interface Lost {
  readonly field: string;
  readonly from: number;
  readonly until: number;
}

const INT: FieldType = { type: "int", many: false };
const INTS: FieldType = { type: "int", many: true };
const REAL: FieldType = { type: "real", many: false };
const ANY: FieldType = { type: "any", many: false };
const ANYS: FieldType = { type: "any", many: true };
const REF: FieldType = { type: "subject", kind: "P", many: false };
const COPY: CopyRule = { name: "m.copy", from: "m.M.*.n", to: "m.M.*.c", givesWay: false };
const GIVES: CopyRule = { name: "m.gives", from: "m.M.*.n", to: "m.M.*.g", givesWay: true };
/** The same rule of another text: what it concluded before is not known. */
const COPY_REF: CopyRule = { ...COPY, from: "m.M.*.r" };

function shape(id: string, fields: { readonly [name: string]: FieldType } | null, rules: readonly CopyRule[]): Shape {
  return { id, fields: fields === null ? null : new Map(Object.entries(fields)), rules };
}
export const SHAPES: readonly Shape[] = [
  shape("plain", { n: INT, f: REAL, t: INTS, r: REF }, []),
  shape("loose", { n: ANY, f: ANY, t: ANYS, r: ANY }, [COPY]),
  shape("strict", { n: INT, t: INT, g: INT, r: REF }, [GIVES]),
  shape("both", { n: INT, f: REAL, t: INTS, g: INT, r: REF }, [COPY, GIVES]),
  shape("other", { n: ANY, f: ANY, t: ANYS, r: ANY }, [COPY_REF]),
  shape("bare", null, []),
];
/** What `k` needs of `m` and reads. */
export const READER: Shape = shape("reader", null, []);
export const READ_BY_READER = ["m.M", "m.M.n"];

// ---- what a field is ----

function declared(state: State, kind: string): Shape["fields"] {
  return kind === "m.M" ? (state.modules.get("m")?.shape.fields ?? null) : null;
}
export function fieldType(state: State, place: string): FieldType | null {
  return declared(state, kindOf(place))?.get(fieldName(place)) ?? null;
}
export function isMany(state: State, place: string): boolean {
  return fieldType(state, place)?.many ?? false;
}
/** By field, the rule that concludes there. */
export function concluding(state: State): Map<string, CopyRule & { readonly reads: string }> {
  const rules = state.modules.get("m")?.shape.rules ?? [];
  return new Map(rules.map((rule) => [rule.to, { ...rule, reads: rule.from.replace(".*.", ".") }]));
}

/** A class has the fields it declares, those that rules conclude or read, and those that lost their rule. */
export function isField(state: State, place: string): boolean {
  const fields = declared(state, kindOf(place));
  if (fields === null || fields.has(fieldName(place))) return true;
  const named = [...concluding(state).values()].flatMap((rule) => [rule.from, rule.to]);
  return named.includes(fieldOf(place)) || state.lost.some((one) => one.field === fieldOf(place));
}
export function checkField(state: State, place: string): void {
  if (isField(state, place)) return;
  throw new Refused("invalid_value", `${kindOf(place)}.${[...declared(state, kindOf(place))!.keys()][0]}`);
}

/** The value as the field takes it. */
export function storedAs(state: State, cell: string, value: Datum): Datum {
  const type = fieldType(state, cell);
  if (type?.type === "real" && typeof value === "number") return new Float(value);
  if (type !== null && !fits(value, type)) throw new Refused("invalid_value", cell);
  return value;
}
export function fits(value: Datum, { type, kind }: FieldType): boolean {
  if (value === null || type === "any") return true;
  if (type === "int") return typeof value === "number";
  if (type === "real") return value instanceof Float;
  return value instanceof Subject && value.kind === kind;
}

// ---- what rules conclude ----

/** What the rule at a cell's field concludes there at an instant. */
export function derivedAt(view: View, cell: string, at: number): { readonly value: Datum; readonly rule: string } | null {
  const { state, known } = view;
  if (known !== null && state.lost.some((one) => one.field === fieldOf(cell) && one.from <= known && known < one.until)) {
    throw new Refused("derived_field", `${kindOf(cell)}.${fieldName(cell)}`);
  }
  const rule = concluding(state).get(fieldOf(cell));
  if (rule === undefined || (known !== null && state.modules.get("m")!.since.get(rule.name)! > known)) return null;
  if (rule.givesWay && recordedIn(view, cell, at).length > 0) return null;
  const read = `${kindOf(rule.from)}.${subjectOf(cell)}.${fieldName(rule.from)}`;
  const rows = recordedIn(view, read, at);
  const sources = view.believed(read);
  const believed = sources.map((source) => rows.filter((h) => h.source === source)).find((found) => found.length > 0) ?? rows;
  const value = believed.at(-1)?.value ?? null;
  return value === null ? null : { value, rule: rule.name };
}

// ---- modules ----

/** True where something changed. */
export function install(model: Model, name: string, shape: Shape): boolean {
  model.require("read-write");
  const { state } = model;
  const before = state.modules.get(name);
  if (before?.shape.id === shape.id) return false;
  if (name === "m") {
    refuseUnfit(state, shape);
    refuseAsserted(state, shape);
    if (before !== undefined) refuseStillRead(state, before.shape, shape);
  }
  model.statement(() => {
    const position = ++model.last;
    replace(model, name, { shape, since: new Map() });
    logRemovedRules(model, position, before?.shape ?? null, shape);
  });
  return true;
}

export function forgetModule(model: Model, name: string): number {
  model.require("read-write-delete");
  const { state } = model;
  const module = state.modules.get(name);
  if (module === undefined) throw new Refused("engine_error", null);
  if (name === "m" && state.modules.has("k")) throw new Refused("still_referenced", "k");
  // A class that was left out since has left its data to the module.
  const ofKind = (place: string) => name === "m" && kindOf(place) === "m.M";
  const gone = state.held.filter((h) => ofKind(h.cell));
  model.refusePinned(gone);
  model.statement(() => {
    const position = ++model.last;
    const believed = state.believed.filter((one) => one.unsetAt === Number.POSITIVE_INFINITY && ofKind(one.place));
    const unit = { name, module: { ...module, since: new Map(module.since) }, believed: believed.map((one) => ({ ...one })) };
    model.bury(gone, position, unit);
    for (const one of believed) model.unset(one);
    for (const cell of [...state.pins]) if (ofKind(cell)) state.pins.delete(cell);
    const subjects = [...new Set(gone.map((h) => `${kindOf(h.cell)}.${subjectOf(h.cell)}`))].sort(compareText);
    for (const subject of subjects) state.events.push(event("removed", position, `removed ${subject}`));
    replace(model, name, null);
    logRemovedRules(model, position, module.shape, null);
  });
  return gone.length;
}

export function forgetRule(model: Model, name: string): boolean {
  model.require("read-write-delete");
  const module = model.state.modules.get("m");
  if (!module?.shape.rules.some((rule) => rule.name === name)) return false;
  const rules = module.shape.rules.filter((rule) => rule.name !== name);
  const shape = { ...module.shape, id: `${module.shape.id} without ${name}`, rules };
  model.statement(() => {
    const position = ++model.last;
    replace(model, "m", { shape, since: new Map() });
    logRemovedRules(model, position, module.shape, shape);
  });
  return true;
}

/** Puts a module in another's place and keeps since when each rule stands, and until when the others stood. */
export function replace(model: Model, name: string, after: Module | null, back = false): void {
  const { state, now } = model;
  const before = state.modules.get(name);
  const gone = new Map(before?.shape.rules.map((rule) => [rule.name, rule]));
  const since = new Map<string, number>();
  for (const rule of after?.shape.rules ?? []) {
    const known = gone.get(rule.name);
    if (known !== undefined && JSON.stringify(known) === JSON.stringify(rule)) {
      gone.delete(rule.name);
      since.set(rule.name, before!.since.get(rule.name)!);
    } else if (back) {
      since.set(rule.name, after!.since.get(rule.name)!);
      state.lost.push({ field: rule.to, from: after!.since.get(rule.name)!, until: now });
    } else since.set(rule.name, now);
  }
  for (const rule of gone.values()) state.lost.push({ field: rule.to, from: before!.since.get(rule.name)!, until: now });
  // What stood for no time at all leaves no record.
  state.lost = state.lost.filter((one) => one.from < one.until);
  if (after === null) state.modules.delete(name);
  else state.modules.set(name, { shape: after.shape, since });
}

function logRemovedRules(model: Model, position: number, before: Shape | null, after: Shape | null): void {
  const kept = after?.rules.map((rule) => rule.name) ?? [];
  const gone = (before?.rules ?? []).map((rule) => rule.name).filter((name) => !kept.includes(name));
  for (const name of gone.sort(compareText)) model.state.events.push(event("rule", position, `removed rule ${name}`));
}

export function refuseUnfit(state: State, { fields }: Shape): void {
  const cells = new Set<string>();
  for (const [name, type] of fields ?? []) {
    const here = state.held.filter((h) => fieldOf(h.cell) === `m.M.*.${name}`);
    for (const h of here) {
      const twice = here.some(
        (o) => o !== h && o.over === null && h.over === null && o.cell === h.cell && o.source === h.source && meets(o, h),
      );
      if (!fits(h.value, type) || (!type.many && twice)) cells.add(h.cell);
    }
  }
  if (cells.size > 0) throw new Refused("invalid_value", [...cells].sort(compareText)[0]);
}

export function refuseAsserted(state: State, { rules }: Shape): void {
  const standing = state.held.filter((h) => h.over === null && rules.some((rule) => !rule.givesWay && rule.to === fieldOf(h.cell)));
  if (standing.length > 0) throw new Refused("asserted_field", standing.map((h) => h.cell).sort(compareText)[0]);
}

function refuseStillRead(state: State, before: Shape, after: Shape): void {
  if (!state.modules.has("k")) return;
  const gone = before.fields !== null && after.fields === null;
  if (gone) throw new Refused("still_referenced", "k");
}

/** Whether a claim may lie at its field at all, restored: the field is there, nothing concludes it, its type holds the value. */
export function mayLie(state: State, h: Held): boolean {
  const rule = concluding(state).get(fieldOf(h.cell));
  const type = fieldType(state, h.cell);
  return isField(state, h.cell) && (rule === undefined || rule.givesWay) && (type === null || fits(h.value, type));
}
