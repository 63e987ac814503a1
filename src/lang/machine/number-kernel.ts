/**
 * The number kernel as the machine sees it: one small machine with a memory of its own, given by whoever knows the platform
 * (`provideNumberKernel`). Without one every loop runs by closures, with the same result and the same counts.
 */
import { BOUND_BY, CODE, ELEMENTS, LINES, LISTS, REGISTERS, REGISTERS_MAX } from "./kernel-code";

/** What `kernel/numbers.ts` exports. */
export interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  run(pc: number): number;
}

/** The kernel and views of its memory (`kernel-code.ts` has the layout). */
export interface NumberKernel {
  run(pc: number): number;
  /** Loops of fewer turns are not worth the way in. */
  readonly turnsMin: number;
  readonly words: Int32Array;
  readonly code: Int32Array;
  readonly registers: Float64Array;
  readonly boundBy: Uint8Array;
  /** Lines as doubles and as ints: the value is double 0, order, name and what is left are ints 2, 3 and 4. */
  readonly lineValues: Float64Array;
  readonly lineWords: Int32Array;
  readonly lists: Int32Array;
  readonly elements: Float64Array;
}

export let numberKernel: NumberKernel | null = null;

const TURNS_MIN = 24;

export function provideNumberKernel(exports: KernelExports | null, turnsMin = TURNS_MIN): void {
  if (exports === null) {
    numberKernel = null;
    return;
  }
  const { buffer } = exports.memory;
  numberKernel = {
    run: exports.run,
    turnsMin,
    words: new Int32Array(buffer),
    code: new Int32Array(buffer, CODE),
    registers: new Float64Array(buffer, REGISTERS, REGISTERS_MAX),
    boundBy: new Uint8Array(buffer, BOUND_BY, REGISTERS_MAX),
    lineValues: new Float64Array(buffer, LINES),
    lineWords: new Int32Array(buffer, LINES),
    lists: new Int32Array(buffer, LISTS),
    elements: new Float64Array(buffer, ELEMENTS),
  };
}
