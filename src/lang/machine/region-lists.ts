/**
 * Lists that a loop in the number kernel reads and writes by subscript: they stand in the kernel's memory while it runs, and
 * are given back before anything else can look at them.
 *
 * A list is taken where all its elements are ints, all truths or all floats, and where the loop has turns enough to pay for
 * the way in and out. Its length does not change in the loop. Floats are only read: a list holds objects, and one written
 * would be another one.
 *
 * A loop that is suspended leaves its lists in the kernel's memory, for nothing of its program runs before it goes on; the next loop
 * with lists, of whichever program, gives them back first (`Seating`). What a program holds weighs the same meanwhile: ints
 * and truths weigh nothing beside their slots.
 */
import { Float } from "../../datum";
import { PyList, type Value } from "../value/value";
import * as K from "./kernel-code";
import type { NumberKernel } from "./number-kernel";
import type { Frame } from "./vm";

export type ElementType = "int" | "float" | "truth";

/** A list of a loop: `frame[slot]`, or a slot of the loop's own frame where `frame` is null. */
export interface ShownList {
  readonly frame: Frame | null;
  readonly slot: number;
  readonly type: ElementType;
  written: boolean;
}
export function listAt(R: Frame, { frame, slot }: ShownList): unknown {
  return (frame ?? R)[slot];
}

/** What its elements are, by the first; null where a loop cannot have it. */
export function elementTypeOf(list: unknown): ElementType | null {
  if (!(list instanceof PyList) || list.a.length === 0) return null;
  const first = list.a[0];
  return typeof first === "number" ? "int" : typeof first === "boolean" ? "truth" : first instanceof Float ? "float" : null;
}

/** Elements that may be moved without a thought, and for each turn of a loop, or of one with loops in it. */
const FREE = 64;
const FOR_A_TURN = 2;
const FOR_A_NESTED_TURN = 16;

/** Whether the way in and out is worth the turns. */
export function worthSeating(lists: readonly PyList[], turns: number, nested: boolean): boolean {
  let elements = 0;
  for (const list of lists) elements += list.a.length;
  return elements <= FREE + turns * (nested ? FOR_A_NESTED_TURN : FOR_A_TURN);
}

/** The lists of one loop at work. */
export class Seating {
  #seated = false;
  constructor(
    private readonly kernel: NumberKernel,
    private readonly shown: readonly ShownList[],
    private readonly lists: readonly PyList[],
  ) {}

  /** Puts them into the kernel's memory where they are not; false where they are not all of their type, or too large. */
  seat(): boolean {
    if (this.#seated) return true;
    const { kernel, lists, shown } = this;
    let end = K.SHOWN_ELEMENTS;
    const places = lists.map((list, i) => {
      const place = end;
      const size = list.a.length * (shown[i]!.type === "truth" ? 1 : 8);
      end += (size + 7) & ~7;
      return place;
    });
    if (end - K.SHOWN_ELEMENTS > K.SHOWN_BYTES_MAX) return false;
    vacate();
    kernel.reserve(end);
    for (let i = 0; i < lists.length; i++) {
      const { a } = lists[i]!;
      const { type } = shown[i]!;
      const place = places[i]!;
      kernel.shown[2 * i] = place;
      kernel.shown[2 * i + 1] = a.length;
      const taken =
        type === "truth" ? takeTruths(a, kernel.bytes, place) : (type === "int" ? takeInts : takeFloats)(a, kernel.doubles, place >> 3);
      if (!taken) return false;
    }
    this.#seated = true;
    tenant = new WeakRef<Seating>(this);
    return true;
  }

  /** The lists have their elements again. */
  giveBack(): void {
    if (!this.#seated) return;
    this.#seated = false;
    tenant = null;
    const { kernel, lists, shown } = this;
    for (let i = 0; i < lists.length; i++) {
      if (!shown[i]!.written) continue;
      const { a } = lists[i]!;
      const place = kernel.shown[2 * i]!;
      if (shown[i]!.type === "truth") giveTruths(a, kernel.bytes, place);
      else giveInts(a, kernel.doubles, place >> 3);
    }
  }
}

/** Whose lists stand in the kernel's memory. Weak: a program that was stopped does not come back for them. */
let tenant: WeakRef<Seating> | null = null;
function vacate(): void {
  tenant?.deref()?.giveBack();
}

function takeInts(a: readonly Value[], to: Float64Array, place: number): boolean {
  for (let i = 0; i < a.length; i++) {
    const v = a[i];
    if (typeof v !== "number") return false;
    to[place + i] = v;
  }
  return true;
}
function takeFloats(a: readonly Value[], to: Float64Array, place: number): boolean {
  for (let i = 0; i < a.length; i++) {
    const v = a[i];
    if (!(v instanceof Float)) return false;
    to[place + i] = v.v;
  }
  return true;
}
function takeTruths(a: readonly Value[], to: Uint8Array, place: number): boolean {
  for (let i = 0; i < a.length; i++) {
    const v = a[i];
    if (v === true) to[place + i] = 1;
    else if (v === false) to[place + i] = 0;
    else return false;
  }
  return true;
}
function giveInts(a: Value[], from: Float64Array, place: number): void {
  for (let i = 0; i < a.length; i++) {
    const x = from[place + i]!;
    // Small ones stay what the platform holds without a box.
    const small = x | 0;
    a[i] = small === x ? small : x;
  }
}
function giveTruths(a: Value[], from: Uint8Array, place: number): void {
  for (let i = 0; i < a.length; i++) a[i] = from[place + i] === 1;
}
