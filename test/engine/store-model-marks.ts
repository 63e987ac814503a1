/**
 * Marks of the naive twin (contract §9.7): every event in one list, every removal in another, each question answered by
 * looking at all of them; nothing is ever let go but by filtering.
 */

import { type Believed, byOrder, fieldOf, type Held, type Model, meets, Refused, type State, show } from "./store-model";
import { isMany, type Module, mayLie, READ_BY_READER, refuseAsserted, refuseUnfit, replace } from "./store-model-modules";

export interface Event {
  readonly tag: "added" | "concluded" | "removed" | "rule";
  readonly position: number;
  /** Of a recorded claim: shown while the store holds it where it was recorded. */
  readonly uid: number;
  /** Of a conclusion: which. */
  readonly value: string | null;
  readonly text: string;
}
export function event(
  tag: Event["tag"],
  position: number,
  text: string,
  of: { readonly uid?: number; readonly value?: string } = {},
): Event {
  return { tag, position, uid: of.uid ?? 0, value: of.value ?? null, text };
}

export interface Removal {
  readonly position: number;
  lost: Held[];
  /** The module that went with them. */
  readonly unit: { readonly name: string; readonly module: Module; readonly believed: readonly Believed[] } | null;
  /** It has come back. */
  back?: boolean;
}

/** A version that stayed behind when what superseded it went. */
export interface Link {
  readonly uid: number;
  readonly over: number;
  readonly goneAt: number;
  readonly removal: number;
}

/** Only what a layer leaves behind has happened. */
export function landed(model: Model, base: State): void {
  const { state } = model;
  const isOld = new Set(base.held.map((h) => h.uid));
  const fresh = state.removals.filter((r) => !base.removals.some((old) => old.position === r.position));
  const undone = fresh.flatMap((r) => r.lost).filter((h) => h.uid === h.root && !isOld.has(h.uid));
  for (const removal of fresh) removal.lost = removal.lost.filter((h) => isOld.has(h.uid)).map((h) => asStored(h, state, base, undone));
  state.links = state.links.filter((link) => base.links.includes(link) || !undone.some((h) => h.uid === link.over));
  const before = model.concluded(base);
  const after = model.concluded(state);
  state.events = state.events.filter((one, i) => {
    if (base.events.includes(one)) return true;
    if (one.tag === "removed") return fresh.some((r) => r.position === one.position && r.lost.length > 0);
    if (one.tag !== "concluded") return true;
    const isLast = !state.events.slice(i + 1).some((later) => later.value === one.value);
    return isLast && !before.has(one.value!) && after.has(one.value!);
  });
}

/** A claim as a mark keeps it: superseded by what lands, or else as the store had it before the layer. */
function asStored(h: Held, state: State, base: State, undone: readonly Held[]): Held {
  const before = base.held.find((old) => old.uid === h.uid)!;
  if (h.over === before.over && h.erased === before.erased) return h;
  let { over, goneAt, erased } = h;
  while (over !== null && !erased) {
    const it = state.held.find((o) => o.uid === over);
    if (it !== undefined) return { ...h, over, goneAt };
    const next = undone.find((o) => o.uid === over);
    if (next === undefined) break;
    ({ over, goneAt, erased } = next);
  }
  return before;
}

/** What no mark holds goes; the number of removed claims among it. */
export function letGo(model: Model): number {
  const { state } = model;
  const oldest = Math.min(...model.marks.values());
  const gone = state.removals.filter((r) => !(r.position > oldest));
  state.removals = state.removals.filter((r) => r.position > oldest);
  state.links = state.links.filter((link) => link.removal > oldest);
  return gone.reduce((sum, r) => sum + r.lost.length, 0);
}

export function checkpoint(model: Model, name: string): number {
  model.require("read-add");
  if (model.marks.has(name)) model.require("read-write-delete");
  model.marks.set(name, model.last);
  return letGo(model);
}
export function forgetCheckpoint(model: Model, name: string): number | null {
  model.require("read-write-delete");
  return model.marks.delete(name) ? letGo(model) : null;
}

export function diff(model: Model, since: string): string[] | null {
  const mark = model.marks.get(since);
  if (mark === undefined) return null;
  const { held, events } = model.state;
  const shown = events.filter((e) => e.position > mark && (e.uid === 0 || held.some((h) => h.uid === e.uid && h.position === e.position)));
  return shown.map((e) => e.text);
}

export interface Brought {
  readonly restored: number;
  readonly notRestored: number;
  readonly modules: readonly string[];
}

export function restore(model: Model, since: string): Brought {
  model.require("read-write-delete");
  const mark = model.marks.get(since);
  if (mark === undefined) throw new Refused("engine_error", null);
  let brought: Brought | null = null;
  model.statement(() => {
    brought = bringBack(model, mark);
  });
  return brought!;
}

function bringBack(model: Model, mark: number): Brought {
  const { state } = model;
  const reached = state.removals.filter((r) => r.position > mark);
  const count = reached.reduce((sum, r) => sum + r.lost.length, 0);
  const buried = new Set(state.removals.flatMap((r) => r.lost.map((h) => h.root)));
  const back: { readonly held: Held; readonly removal: Removal }[] = [];

  /** Its source has not written the cell since, and holds nothing there that it could not stand beside. */
  const mayStand = (held: Held, removal: Removal, many: boolean): boolean => {
    const standing = [...state.held.filter((h) => h.over === null), ...back.map((one) => one.held)];
    const beside = standing.filter((h) => h.cell === held.cell && h.source === held.source);
    return beside.every((h) => h.root <= removal.position && (many || !meets(h, held)));
  };
  const comesWhole = (removal: Removal): boolean => {
    const { name, module } = removal.unit!;
    if (state.modules.has(name)) return false;
    if (name === "k") return state.modules.get("m")?.shape.fields?.has(READ_BY_READER[1].split(".").at(-1)!) ?? false;
    const concludes = module.shape.rules.filter((rule) => !rule.givesWay).map((rule) => rule.to);
    if (back.some(({ held }) => concludes.includes(fieldOf(held.cell)))) return false;
    try {
      refuseUnfit(state, module.shape);
      refuseAsserted(state, module.shape);
    } catch {
      return false;
    }
    const many = (held: Held) => module.shape.fields?.get(held.cell.split(".").at(-1)!)?.many ?? false;
    return removal.lost.every((held) => held.over !== null || mayStand(held, removal, many(held)));
  };

  const units = reached.filter((r) => r.unit !== null && !r.back);
  for (let waiting = [...units]; ; waiting = waiting.filter((r) => !r.back)) {
    const first = waiting.filter((r, i) => !waiting.slice(0, i).some((o) => o.unit!.name === r.unit!.name));
    const next = first.find(comesWhole) ?? waiting.find(comesWhole);
    if (next === undefined) break;
    const { name, module, believed } = next.unit!;
    replace(model, name, module, true);
    for (const { place, source } of believed) {
      if (model.preferred(place) === undefined) state.believed.push({ place, source, setAt: model.now, unsetAt: Number.POSITIVE_INFINITY });
    }
    for (const held of next.lost.filter((h) => h.over === null)) back.push({ held, removal: next });
    next.back = true;
  }

  for (const removal of reached) {
    if (removal.unit !== null) continue;
    for (const held of removal.lost.filter((h) => h.over === null).sort(byOrder)) {
      if (mayLie(state, held) && mayStand(held, removal, isMany(state, held.cell))) back.push({ held, removal });
    }
  }
  back.sort((a, b) => byOrder(a.held, b.held));
  for (const { held, removal } of back) {
    removal.lost = removal.lost.filter((h) => h !== held);
    const position = ++model.last;
    state.held.push({ ...held, position, recorded: model.now, known: model.now });
    state.events.push(event("added", position, `added ${held.cell} = ${show(held.value)} (per ${held.source})`, { uid: held.uid }));
  }

  /** What superseded it is in the store, or was an update that recorded nothing and its source still holds something there. */
  const isBeneath = (h: Held, over: number): boolean => {
    const there = state.held.filter((o) => o.cell === h.cell);
    if (there.some((o) => o.root === over)) return true;
    return !buried.has(over) && there.some((o) => o.over === null && o.source === h.source && meets(o, h));
  };
  let versions = 0;
  for (let again = true; again; ) {
    again = false;
    for (const removal of reached) {
      if (removal.unit !== null && !removal.back) continue;
      for (const held of removal.lost.filter((h) => h.over !== null)) {
        const link = state.links.filter((one) => one.uid === held.uid).at(-1);
        const over = held.erased ? (link?.over ?? null) : held.over;
        if (!mayLie(state, held) || (over !== null && !isBeneath(held, over))) continue;
        removal.lost = removal.lost.filter((h) => h !== held);
        state.held.push({ ...held, over: over ?? held.over, erased: over === null, goneAt: model.now, known: model.now });
        versions++;
        again = true;
      }
    }
  }
  const restored = back.length + versions;
  if (restored > 0) {
    for (const link of state.links.filter((one) => one.removal > mark)) {
      const version = state.held.find((h) => h.uid === link.uid && h.erased);
      if (version === undefined || !isBeneath(version, link.over)) continue;
      Object.assign(version, { over: link.over, goneAt: link.goneAt, erased: false });
      state.links = state.links.filter((one) => one !== link);
    }
  }
  const modules = units.map((r) => {
    if (r.back) return `${r.unit!.name} restored`;
    return `${r.unit!.name} ${state.modules.has(r.unit!.name) ? "name_in_use" : "not_whole"}`;
  });
  state.removals = state.removals.filter((r) => !r.back || r.lost.length > 0);
  return { restored, notRestored: count - restored, modules };
}
