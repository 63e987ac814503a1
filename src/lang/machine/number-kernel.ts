/**
 * The number kernel as the machine sees it: one small machine with a memory of its own, given by whoever knows the platform
 * (`provideNumberKernel`). Without one every loop runs by closures, with the same result and the same counts.
 */
import { BOUND_BY, CODE, ELEMENTS, LINES, LISTS, REGISTERS, REGISTERS_MAX, SHOWN } from "./kernel-code";
import { KernelTexts, plainText } from "./region-texts";

/** What `kernel/numbers.ts` exports. */
export interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): unknown };
  run(pc: number): number;
}

/** The kernel and views of its memory (`kernel-code.ts` has the layout). */
export class NumberKernel {
  words!: Int32Array;
  code!: Int32Array;
  registers!: Float64Array;
  boundBy!: Uint8Array;
  /** Lines as doubles and as ints: the value is double 0, order, name and what is left are ints 2, 3 and 4. */
  lineValues!: Float64Array;
  lineWords!: Int32Array;
  lists!: Int32Array;
  elements!: Float64Array;
  shown!: Int32Array;
  /** All of it. */
  bytes!: Uint8Array;
  doubles!: Float64Array;
  readonly run: (pc: number) => number;
  readonly texts = new KernelTexts(this);
  readonly #memory: KernelExports["memory"];

  constructor(
    exports: KernelExports,
    /** Loops of fewer turns are not worth the way in. */
    readonly turnsMin: number,
    /** A text of ASCII. */
    readonly decode: (bytes: Uint8Array) => string,
  ) {
    this.run = exports.run;
    this.#memory = exports.memory;
    this.#view();
  }

  /** Memory up to `end`, a byte. It is never given back: the platform has no way to. */
  reserve(end: number): void {
    const missing = end - this.#memory.buffer.byteLength;
    if (missing <= 0) return;
    this.#memory.grow(Math.ceil(missing / PAGE));
    this.#view();
  }

  /** A memory that has grown is another buffer. */
  #view(): void {
    const { buffer } = this.#memory;
    this.words = new Int32Array(buffer);
    this.code = new Int32Array(buffer, CODE);
    this.registers = new Float64Array(buffer, REGISTERS, REGISTERS_MAX);
    this.boundBy = new Uint8Array(buffer, BOUND_BY, REGISTERS_MAX);
    this.lineValues = new Float64Array(buffer, LINES);
    this.lineWords = new Int32Array(buffer, LINES);
    this.lists = new Int32Array(buffer, LISTS);
    this.elements = new Float64Array(buffer, ELEMENTS);
    this.shown = new Int32Array(buffer, SHOWN);
    this.bytes = new Uint8Array(buffer);
    this.doubles = new Float64Array(buffer);
  }
}

const PAGE = 65536;

export let numberKernel: NumberKernel | null = null;

const TURNS_MIN = 24;

export function provideNumberKernel(exports: KernelExports | null, turnsMin = TURNS_MIN, decode = plainText): void {
  numberKernel = exports === null ? null : new NumberKernel(exports, turnsMin, decode);
}
