/**
 * What is known of a loop in the number kernel: its code, and for each instruction the step it belongs to, so that the machine
 * can leave before any step. Data only: made in number-region.ts, used in run-region.ts.
 */
import type { NumberType } from "../compile/infer-numbers";
import type { IrStep } from "../compile/ir";
import type { Code, MachineFunction } from "./function";
import type { ShownList } from "./region-lists";
import type { Growing } from "./region-texts";
import type { At, Frame } from "./vm";

/** What a register holds. */
export type KernelType = NumberType | "text";

/** A name, or a lifted value, of one activation. */
export interface Variable {
  readonly slot: number;
  /** Its register. */
  readonly k: number;
  type: KernelType | "none";
  /** A value that a step put aside: nobody reads it after the loop. */
  lifted: boolean;
  assigned: boolean;
  /** It may be a float that another name has too. */
  shared: boolean;
}

/** The activation of a function, taken in at one call; or the code of the loop itself. */
export class Activation {
  readonly variables = new Map<number, Variable>();
  /** Functions put aside by a step, by slot. */
  readonly functions = new Map<number, MachineFunction>();
  /** Lists put aside by a step, by slot: which of the loop's (`Region.shown`). */
  readonly lists = new Map<number, number>();
  readonly calls = new Map<IrStep, Activation>();
  constructor(
    readonly code: Code,
    /** Null for the code of the loop. */
    readonly fn: MachineFunction | null,
    readonly caller: Activation | null,
  ) {}
}

/** How a step is reached from the loop. */
export type Place =
  | { readonly tag: "block"; readonly pc: number; readonly i: number }
  | { readonly tag: "arm"; readonly a: number; readonly b: number; readonly taken: "a" | "b" }
  | { readonly tag: "loop"; readonly is: number; readonly k: number }
  | { readonly tag: "call"; readonly fs: number; readonly into: Activation };

export interface Region {
  readonly code: Int32Array;
  /** Registers below this are names and constants. */
  readonly registers: number;
  readonly constants: readonly (readonly [k: number, v: number])[];
  readonly texts: readonly (readonly [k: number, v: string])[];
  /** Specs of f-strings, by number. */
  readonly specs: readonly string[];
  /** Whether any text is in it. */
  readonly hasTexts: boolean;
  /** Lines that bind texts, by number. */
  readonly textLines: readonly number[];
  /** Places where texts grow. */
  readonly growing: readonly Growing[];
  /** Registers of names that hold texts. */
  readonly named: readonly Variable[];
  /** Constants a name may be bound to, from mark 2 on. */
  readonly floats: readonly number[];
  readonly root: Activation;
  /** First of the four registers of the loop itself. */
  readonly loop: number;
  /** Names of other frames that are read: `frame[slot]`. */
  readonly globals: readonly { readonly frame: Frame; readonly variable: Variable }[];
  /** What the code was made for: `frame[slot]` is `fn`. */
  readonly callees: readonly { readonly frame: Frame; readonly slot: number; readonly fn: MachineFunction }[];
  /** Lists that numbers or texts come to the end of, by slot of the loop's own frame. */
  readonly lists: readonly { readonly slot: number; readonly type: KernelType }[];
  /** Lists read and written by subscript. */
  readonly shown: readonly ShownList[];
  /** Whether there are loops in it. */
  readonly nested: boolean;
  readonly depth: number;
  readonly lines: readonly At[];
  readonly names: readonly { readonly name: string; readonly type: KernelType }[];
  /** By step. */
  readonly places: readonly (readonly Place[])[];
  /** By instruction. */
  readonly stepOf: readonly number[];
  readonly charged: readonly number[];
}

/** The loop is not one for the kernel. */
export class Unfit extends Error {}
