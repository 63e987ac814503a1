/**
 * The naive twin of the store: every claim in one list, every question answered by looking at all of them, layers by
 * copying everything. Written from the contract, the language and the rulings, not from the engine.
 *
 * This file owns claims, belief, layers and reads; store-model-marks.ts marks and what comes back, store-model-modules.ts
 * classes and rules. Slow on purpose.
 */
import { Complex, type Datum, Float, Subject } from "../../src/datum";
import type { Level, RangeKeyword } from "../../src/engine/claim";
import { compareDatums, compareText } from "../../src/engine/value-order";
import { type Event, event, type Link, landed, letGo, type Removal } from "./store-model-marks";
import { checkField, concluding, derivedAt, fieldType, isMany, type Lost, type Module, storedAs } from "./store-model-modules";

/** `kind.subject.field`, the kind perhaps with a dot of its own. */
export type CellName = string;

export interface Held {
  readonly uid: number;
  /** The write it comes from; the parts that an update leaves share it. */
  readonly root: number;
  readonly cell: CellName;
  readonly value: Datum;
  readonly source: string;
  readonly from: number;
  readonly to: number;
  /** Qualifiers as they print, whatever order they were written in. */
  readonly qualifiers: string;
  /** Where it stands in the order of things. */
  readonly position: number;
  readonly recorded: number;
  readonly known: number;
  readonly writer: string;
  /** The write that superseded it; null while it stands. */
  over: number | null;
  goneAt: number;
  /** What superseded it is gone, so nobody can tell until when it was in force. */
  erased: boolean;
}

export interface Believed {
  readonly place: string;
  readonly source: string;
  readonly setAt: number;
  unsetAt: number;
}

export interface State {
  held: Held[];
  believed: Believed[];
  pins: Set<CellName>;
  modules: Map<string, Module>;
  lost: Lost[];
  events: Event[];
  removals: Removal[];
  links: Link[];
}

export interface Span {
  readonly from: number;
  readonly to: number;
}
export interface Point {
  readonly at: number;
  readonly known?: number;
}
/** What a read sees: the claims that stand, who is believed, in order, and the rules. */
export interface View {
  readonly held: readonly Held[];
  readonly believed: (cell: CellName) => readonly string[];
  readonly state: State;
  readonly known: number | null;
}

export class Refused extends Error {
  constructor(
    readonly reason: string,
    readonly hint: string | null,
  ) {
    super(reason);
  }
}

const LEVELS: readonly Level[] = ["none", "read", "read-add", "read-write", "read-write-delete"];
const FOREVER = Number.POSITIVE_INFINITY;

export class Model {
  state: State = { held: [], believed: [], pins: new Set(), modules: new Map(), lost: [], events: [], removals: [], links: [] };
  readonly layers: { readonly kind: "branch" | "compile"; before: State; floor: number }[] = [];
  /** The store beneath all layers. */
  base: State = copy(this.state);
  readonly marks = new Map<string, number>();
  last = 0;
  now = 0;
  key = "key-1";
  level: Level = "read-write-delete";

  allows(level: Level): boolean {
    return LEVELS.indexOf(this.level) >= LEVELS.indexOf(level);
  }
  require(level: Level): void {
    if (!this.allows(level)) throw new Refused("scope_forbidden", null);
  }

  // ---- writing: the number of claims added or removed, null for no change ----

  remember(cell: CellName, value: Datum, source: string, span: Span, qualifiers: string, absence = false): number | null {
    const stored = this.#storable(cell, value, source, span, absence);
    const mine = this.standing(cell).filter((h) => h.source === source && meets(h, span));
    const alike = (h: Held) => same(h.value, stored) && h.source === source && h.qualifiers === qualifiers;
    if (mine.length > 0) {
      if (covered(mine.filter(alike), span)) return null;
      if (this.#at(cell).some((h) => h.over !== null && alike(h) && h.from === span.from && h.to === span.to)) return null;
    }
    const conflict = mine.length > 0 && !isMany(this.state, cell) ? new Refused("conflicting_write", cell) : null;
    if (!this.allows("read-add")) throw conflict ?? new Refused("scope_forbidden", null);
    this.#refuseDerived(cell);
    if (conflict !== null) throw conflict;
    this.statement(() => this.#write(cell, stored, source, span, qualifiers, ++this.last));
    return 1;
  }

  update(cell: CellName, value: Datum, source: string, span: Span, qualifiers: string): number | null {
    const stored = this.#storable(cell, value, source, span, false);
    const mine = this.standing(cell).filter((h) => h.source === source && meets(h, span));
    const alike = mine.filter((h) => same(h.value, stored) && h.qualifiers === qualifiers);
    const restated = covered(alike, span);
    const gone = restated ? mine.filter((h) => !alike.includes(h)) : mine;
    if (restated && gone.length === 0) return null;
    this.require(gone.length === 0 ? "read-add" : "read-write");
    this.#refuseDerived(cell);
    this.statement(() => {
      const position = ++this.last;
      for (const h of gone) {
        const parts = [
          { ...h, to: span.from },
          { ...h, from: span.to },
        ];
        for (const part of parts) if (part.from < part.to) this.state.held.push({ ...part, uid: ++this.last, known: this.now });
        h.over = position;
        h.goneAt = this.now;
      }
      if (!restated) this.#write(cell, stored, source, span, qualifiers, position);
    });
    return restated ? 0 : 1;
  }

  forget(target: string, covers: (cell: CellName) => boolean): number | null {
    return this.#remove(target, `removed ${target}`, (h) => covers(h.cell));
  }
  forgetValue(cell: CellName, value: Datum, source: string): number | null {
    return this.#remove(cell, `removed a value of ${cell}`, (h) => h.cell === cell && same(h.value, value) && h.source === source);
  }
  forgetAt(cell: CellName, at: number): number | null {
    const hit = this.standing(cell).filter((h) => holds(h, at));
    const version = (h: Held) => h.over !== null && hit.some((o) => same(o.value, h.value) && o.source === h.source);
    return this.#remove(
      cell,
      `removed the values of ${cell} in force at ${stamp(at)}`,
      (h) => h.cell === cell && (hit.includes(h) || version(h)),
    );
  }
  forgetRange(target: string, covers: (cell: CellName) => boolean, keyword: RangeKeyword, at: number): number | null {
    const time = (h: Held) => (keyword.startsWith("recorded") ? h.recorded : h.from);
    const reached = (h: Held) => (keyword.includes("_at_or_") ? time(h) <= at : time(h) < at);
    const older = (h: Held) => h.over !== null || h.to <= this.now;
    const words = keyword.replaceAll("_", " ");
    return this.#remove(target, `removed values of ${target} ${words} ${stamp(at)}`, (h) => covers(h.cell) && older(h) && reached(h));
  }
  /** A whole Kind or field is not forgotten at once. */
  forgetWhole(target: string): never {
    this.require("read-write-delete");
    throw new Refused("invalid_value", target);
  }

  #remove(target: string, line: string, which: (h: Held) => boolean): number | null {
    const gone = this.state.held.filter(which);
    if (gone.length === 0) return null;
    this.require("read-write-delete");
    const layer = this.layers.at(-1);
    if (layer?.kind === "branch" && gone.some((h) => h.position <= layer.floor)) throw new Refused("immutable_in_branch", target);
    this.refusePinned(gone);
    this.statement(() => {
      const position = ++this.last;
      this.bury(gone, position, null);
      this.state.events.push(event("removed", position, line));
    });
    return gone.length;
  }

  refusePinned(gone: readonly Held[]): void {
    const pinned = gone.map((h) => h.cell).filter((cell) => this.state.pins.has(cell));
    if (pinned.length > 0) throw new Refused("pinned_address", pinned.sort(compareText)[0]);
  }

  /** Takes claims out of the store; versions that stay behind can no longer tell until when they were in force. */
  bury(gone: readonly Held[], position: number, unit: Removal["unit"]): void {
    const { state } = this;
    state.held = state.held.filter((h) => !gone.includes(h));
    state.removals.push({ position, unit, lost: gone.map((h) => ({ ...h })) });
    for (const h of state.held) {
      if (h.over === null || h.erased || !gone.some((g) => g.cell === h.cell && g.root === h.over)) continue;
      h.erased = true;
      state.links.push({ uid: h.uid, over: h.over, goneAt: h.goneAt, removal: position });
    }
  }

  // ---- belief ----

  prefer(place: string, source: string): number {
    this.require("read-write");
    this.#refuseMany(place);
    const standing = this.preferred(place);
    if (standing?.source === source) throw new Refused("already_in_effect", spelledPlace(place));
    const recorded = this.state.held.some((h) => h.over === null && h.source === source && isAt(place, h.cell));
    if (!recorded && !this.#concludes(place, source)) throw new Refused("not_recorded", spelledPlace(place));
    this.statement(() => {
      this.last++;
      if (standing !== undefined) this.unset(standing);
      this.state.believed.push({ place, source, setAt: this.now, unsetAt: FOREVER });
    });
    return 0;
  }
  unprefer(place: string): number {
    this.require("read-write");
    this.#checkLifted(place);
    if (isMany(this.state, place)) throw new Refused("invalid_value", spelledPlace(place));
    const standing = this.preferred(place);
    if (standing === undefined) throw this.#nothingToLift(place);
    this.statement(() => {
      this.last++;
      this.unset(standing);
    });
    return 0;
  }
  pin(cell: CellName): number {
    this.require("read-write");
    checkField(this.state, cell);
    if (this.state.pins.has(cell)) throw new Refused("already_in_effect", cell);
    if (this.#at(cell).length === 0) throw new Refused("not_recorded", cell);
    this.last++;
    this.state.pins.add(cell);
    return this.#land();
  }
  unpin(cell: CellName): number {
    this.require("read-write");
    this.#checkLifted(cell);
    if (!this.state.pins.has(cell)) throw this.#nothingToLift(cell);
    this.last++;
    this.state.pins.delete(cell);
    return this.#land();
  }

  preferred(place: string): Believed | undefined {
    return this.state.believed.find((one) => one.place === place && one.unsetAt === FOREVER);
  }
  unset(one: Believed): void {
    one.unsetAt = this.now;
  }
  #refuseMany(place: string): void {
    checkField(this.state, place);
    if (isMany(this.state, place)) throw new Refused("invalid_value", spelledPlace(place));
  }
  /** Where somebody is preferred or a cell pinned, the field can be named to lift it, though its class has dropped it. */
  #checkLifted(place: string): void {
    const isThere = (name: string) => fieldOf(name) === fieldOf(place);
    const standing = this.state.believed.filter((one) => one.unsetAt === FOREVER);
    if (![...this.state.pins].some(isThere) && !standing.some((one) => isThere(one.place))) checkField(this.state, place);
  }
  #nothingToLift(place: string): Refused {
    const recorded = this.state.held.some((h) => isAt(place, h.cell));
    return new Refused(recorded ? "already_in_effect" : "not_recorded", spelledPlace(place));
  }
  /** A rule that concludes there now, at a declared single-valued field. */
  #concludes(place: string, rule: string): boolean {
    if (fieldType(this.state, place) === null) return false;
    const cells = subjectsOf(this.state, kindOf(place)).map((s) => `${kindOf(place)}.${s}.${fieldName(place)}`);
    return cells.some((cell) => isAt(place, cell) && INSTANTS.some((at) => derivedAt(this.view(null), cell, at)?.rule === rule));
  }

  // ---- layers ----

  begin(kind: "branch" | "compile"): void {
    this.layers.push({ kind, before: copy(this.state), floor: this.last });
  }
  commit(end: boolean): void {
    const layer = this.layers.pop()!;
    if (this.layers.length === 0) {
      landed(this, layer.before);
      this.#settle();
    }
    if (!end) this.begin(layer.kind);
  }
  rollback(end: boolean): void {
    const layer = this.layers.pop()!;
    this.state = copy(layer.before);
    if (!end) this.begin(layer.kind);
  }

  /** One statement, and what the rules come to conclude by it. */
  statement(work: () => void): void {
    const before = this.concluded();
    work();
    for (const [key, { cell, value }] of this.concluded()) {
      if (!before.has(key)) this.state.events.push(event("concluded", this.last, `added ${cell} = ${show(value)}`, { value: key }));
    }
    this.#land();
  }

  /** What rules conclude, at whatever time: by Kind, subject, field and value. */
  concluded(state: State = this.state): Map<string, { readonly cell: CellName; readonly value: Datum }> {
    const found: { readonly cell: CellName; readonly value: Datum }[] = [];
    const view = this.view(null, state);
    for (const field of concluding(state).keys()) {
      for (const subject of subjectsOf(state, kindOf(field))) {
        const cell = `${kindOf(field)}.${subject}.${fieldName(field)}`;
        for (const at of INSTANTS) {
          const one = derivedAt(view, cell, at);
          if (one !== null && !found.some((f) => f.cell === cell && same(f.value, one.value))) found.push({ cell, value: one.value });
        }
      }
    }
    found.sort((a, b) => compareText(a.cell, b.cell) || compareDatums(a.value, b.value));
    return new Map(found.map((one) => [`${one.cell} ${show(one.value)}`, one]));
  }

  #land(): number {
    if (this.layers.length === 0) this.#settle();
    return 0;
  }
  #settle(): void {
    // Where nothing is recorded any longer nobody may learn who was believed there.
    this.state.believed = this.state.believed.filter(
      (one) => one.unsetAt === FOREVER || (one.setAt < one.unsetAt && this.state.held.some((h) => isAt(one.place, h.cell))),
    );
    letGo(this);
    this.base = copy(this.state);
  }

  // ---- reads ----

  get(cell: CellName): string[] {
    checkField(this.state, cell);
    return this.standing(cell)
      .sort(byOrder)
      .map((h) => this.#text(h));
  }
  history(cell: CellName): string[] {
    checkField(this.state, cell);
    return this.#at(cell)
      .sort(byOrder)
      .map((h) => this.#text(h));
  }
  changed(cell: CellName, since: number): string[] {
    checkField(this.state, cell);
    return this.#at(cell)
      .filter((h) => h.recorded > since)
      .sort(byOrder)
      .map((h) => this.#text(h));
  }
  /** Value and source of the one claim that answers; null for none. */
  current(cell: CellName, point: Point): string | null {
    checkField(this.state, cell);
    const found = this.inForce(cell, point);
    if (found.length === 0) return null;
    if (new Set(found.map((one) => show(one.value))).size > 1) throw new Refused("ambiguous", `values(${cell})`);
    const recorded = found.filter((one) => one.asserted);
    const one = recorded.at(-1) ?? found[0];
    return `${show(one.value)} ${one.source}`;
  }
  values(cell: CellName, point: Point): string[] {
    checkField(this.state, cell);
    const view = this.view(point.known ?? null);
    const derived = derivedAt(view, cell, point.at);
    const rows = recordedIn(view, cell, point.at).filter((h) => h.value !== null);
    const values = [...rows.map((h) => h.value), ...(derived === null ? [] : [derived.value])];
    return [...new Map(values.map((value) => [show(value), value])).values()].sort(compareDatums).map(show);
  }
  absent(cell: CellName): boolean {
    checkField(this.state, cell);
    return this.inForce(cell, { at: this.now }).every((one) => one.value === null);
  }
  subjects(kind: string, point: Point): string[] {
    return this.#subjectsWhere(kind, point, (subject) =>
      fieldsOf(this.state, kind).some((field) => this.inForce(`${kind}.${subject}.${field}`, point).length > 0),
    );
  }
  find(kind: string, field: string, value: Datum, point: Point): string[] {
    checkField(this.state, `${kind}.*.${field}`);
    return this.#subjectsWhere(kind, point, (subject) =>
      this.inForce(`${kind}.${subject}.${field}`, point).some((one) => equal(one.value, value)),
    );
  }
  fields(kind: string, subject: string): string[] {
    return fieldsOf(this.state, kind)
      .filter((field) => this.#shows(`${kind}.${subject}.${field}`))
      .sort(compareText);
  }
  kinds(): string[] {
    const cells = [
      ...this.state.held.filter((h) => h.over === null).map((h) => h.cell),
      ...[...this.concluded().values()].map((c) => c.cell),
    ];
    return [...new Set(cells.map(kindOf))].sort(compareText);
  }
  sources(cell: CellName): string[] {
    checkField(this.state, cell);
    const rules = INSTANTS.flatMap((at) => derivedAt(this.view(null), cell, at)?.rule ?? []);
    return [...new Set([...this.standing(cell).map((h) => h.source), ...rules])].sort(compareText);
  }

  /** Everything in force at a cell: one where there is a judge (language.md §5.2). */
  inForce(cell: CellName, point: Point): { readonly value: Datum; readonly source: string; readonly asserted: boolean }[] {
    const view = this.view(point.known ?? null);
    const derived = derivedAt(view, cell, point.at);
    const concluded = derived === null ? [] : [{ value: derived.value, source: derived.rule, asserted: false }];
    const rows = recordedIn(view, cell, point.at).map((h) => ({ value: h.value, source: h.source, asserted: true }));
    if (isMany(this.state, cell)) return [...rows, ...concluded];
    const all = [...concluded, ...rows];
    for (const source of view.believed(cell)) {
      const preferred = all.filter((one) => one.source === source);
      if (preferred.length > 0) return [preferred.at(-1)!];
    }
    return all.slice(-1);
  }

  /** What there is to see now, or as it was known at a moment. */
  view(known: number | null, state: State = this.state): View {
    const shown = known === null ? state : this.base;
    const stood = (one: Believed) => (known === null ? one.unsetAt === FOREVER : one.setAt <= known && known < one.unsetAt);
    const believed = (cell: CellName) =>
      [cell, fieldOf(cell)].flatMap((place) => shown.believed.filter((one) => one.place === place && stood(one)).map((one) => one.source));
    return { held: shown.held, believed, state: shown, known };
  }

  standing(cell: CellName): Held[] {
    return this.#at(cell).filter((h) => h.over === null);
  }

  #subjectsWhere(kind: string, point: Point, passes: (subject: string) => boolean): string[] {
    return subjectsOf(point.known === undefined ? this.state : this.base, kind)
      .filter(passes)
      .sort(compareText);
  }
  #shows(cell: CellName): boolean {
    return this.standing(cell).length > 0 || INSTANTS.some((at) => derivedAt(this.view(null), cell, at) !== null);
  }
  #at(cell: CellName): Held[] {
    return this.state.held.filter((h) => h.cell === cell);
  }
  #storable(cell: CellName, value: Datum, source: string, span: Span, absence: boolean): Datum {
    try {
      if (span.from >= span.to || (value === null && !absence) || source === "") throw new Refused("invalid_value", cell);
      checkField(this.state, cell);
      return value === null ? null : storedAs(this.state, cell, value);
    } catch (fault) {
      this.require("read-add");
      throw fault;
    }
  }
  #refuseDerived(cell: CellName): void {
    const rule = concluding(this.state).get(fieldOf(cell));
    if (rule !== undefined && !rule.givesWay) throw new Refused("derived_field", rule.reads);
  }
  #write(cell: CellName, value: Datum, source: string, { from, to }: Span, qualifiers: string, position: number): void {
    const { now, key } = this;
    this.state.held.push({
      ...{ uid: position, root: position, position, cell, value, source, from, to, qualifiers },
      ...{ recorded: now, known: now, writer: key, over: null, goneAt: FOREVER, erased: false },
    });
    this.state.events.push(event("added", position, `added ${cell} = ${show(value)} (per ${source})`, { uid: position }));
  }
  #text(h: Held): string {
    const bound = (t: number) => (Number.isFinite(t) ? t : "-");
    const pinned = this.state.pins.has(h.cell) ? " pinned" : "";
    return `${show(h.value)} ${h.source} [${bound(h.from)},${bound(h.to)})${h.over === null ? "" : "*"} ${h.qualifiers} ${h.recorded} ${h.writer}${pinned}`;
  }
}

/** Window ends in the tests are among 0, 10, 20, 30: nothing changes between two of these. */
export const INSTANTS = [-5, 5, 15, 25, 35];

/** The recorded claims whose window holds an instant, as known; refuses what rests on a version nobody can tell the end of. */
export function recordedIn(view: View, cell: CellName, at: number): Held[] {
  const here = view.held.filter((h) => h.cell === cell);
  const { known } = view;
  if (known === null) return here.filter((h) => h.over === null && holds(h, at)).sort(byOrder);
  const told = here.filter((h) => h.known <= known);
  for (const h of told) {
    if (!h.erased || !holds(h, at)) continue;
    if (!told.some((o) => o.source === h.source && o.position > h.position && holds(o, at))) throw new Refused("not_recorded", cell);
  }
  return told.filter((h) => holds(h, at) && (h.over === null || (!h.erased && h.goneAt > known))).sort(byOrder);
}

export function kindOf(name: CellName): string {
  return name.split(".").slice(0, -2).join(".");
}
export function subjectOf(name: CellName): string {
  return name.split(".").at(-2)!;
}
export function fieldName(name: CellName): string {
  return name.split(".").at(-1)!;
}
/** `kind.*.field`: the whole field, as a place. */
export function fieldOf(name: CellName): string {
  return `${kindOf(name)}.*.${fieldName(name)}`;
}
export function spelledPlace(place: string): string {
  return place.replace(".*.", ".");
}
function isAt(place: string, cell: CellName): boolean {
  return place === cell || place === fieldOf(cell);
}
export function fieldsOf(state: State, kind: string): string[] {
  const named = [...state.held.map((h) => h.cell), ...concluding(state).keys()].filter((name) => kindOf(name) === kind);
  return [...new Set(named.map(fieldName))];
}
export function subjectsOf(state: State, kind: string): string[] {
  return [...new Set(state.held.filter((h) => kindOf(h.cell) === kind).map((h) => subjectOf(h.cell)))];
}

/** Identity of stored values: type and canonical form. */
export function same(a: Datum, b: Datum): boolean {
  return show(a) === show(b);
}
/** Python's `==`, for the values used here; an asserted absence is never found. */
function equal(a: Datum, b: Datum): boolean {
  const number = (value: Datum) => (value instanceof Float ? value.v : typeof value === "boolean" ? Number(value) : value);
  return a !== null && (same(a, b) || (typeof number(a) === "number" && number(a) === number(b)));
}
/** As `diff` shows it. */
export function show(value: Datum): string {
  if (value === null) return "null";
  if (value instanceof Float) return Number.isInteger(value.v) ? `${value.v}.0` : `${value.v}`;
  if (value instanceof Subject) return `${value.kind}.${value.name}`;
  if (typeof value === "boolean") return value ? "True" : "False";
  if (value instanceof Complex) throw new Error("no such value in these tests");
  return typeof value === "string" ? `'${value}'` : String(value);
}

export function holds(span: Span, at: number): boolean {
  return span.from <= at && at < span.to;
}
export function meets(a: Span, b: Span): boolean {
  return a.from < b.to && b.from < a.to;
}
function covered(parts: readonly Span[], span: Span): boolean {
  const points = [span.from, ...parts.flatMap((p) => [p.from, p.to])].filter((t) => t >= span.from && t < span.to);
  return points.every((t) => parts.some((p) => p.from <= t && t < p.to));
}
export function byOrder(a: Held, b: Held): number {
  return a.position - b.position || (a.from < b.from ? -1 : a.from > b.from ? 1 : a.uid - b.uid);
}
/** Instants of the tests lie in the first seconds of 1970 or at a call. */
export function stamp(micros: number): string {
  const ms = Math.floor(micros / 1000);
  const rest = micros - ms * 1000;
  const text = new Date(ms).toISOString().slice(0, 19);
  const fraction = `${String(((ms % 1000) + 1000) % 1000).padStart(3, "0")}${String(rest).padStart(3, "0")}`;
  return `${text}${fraction === "000000" ? "" : `.${fraction}`}Z`;
}

export function copy(state: State): State {
  return {
    held: state.held.map((h) => ({ ...h })),
    believed: state.believed.map((one) => ({ ...one })),
    pins: new Set(state.pins),
    modules: new Map([...state.modules].map(([name, module]) => [name, { ...module, since: new Map(module.since) }])),
    lost: state.lost.map((one) => ({ ...one })),
    events: [...state.events],
    removals: state.removals.map((r) => ({ ...r, lost: r.lost.map((h) => ({ ...h })) })),
    links: [...state.links],
  };
}
