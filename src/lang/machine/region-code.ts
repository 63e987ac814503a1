/**
 * The code of a loop in the number kernel while it is made: its instructions with the step that each belongs to and what was
 * charged since that step began, its registers, its constants, and the lines it names. What the code means is not known here.
 */
import * as K from "./kernel-code";
import { Unfit } from "./region";
import type { Emission } from "./region-texts";
import type { At } from "./vm";

export class RegionCode implements Emission {
  #code: number[] = [];
  #stepOf: number[] = [];
  #charged: number[] = [];
  #lines: At[] = [];
  readonly #constants = new Map<number, number>();
  readonly textConstants = new Map<string, number>();
  #used = 0;
  #scratch = 0;

  /** The step that is emitted. */
  step = 0;
  /** Ops charged since the step began; unknown where several ways meet. */
  sum = 0;
  sumKnown = true;

  /** Begins anew. Registers and constants stay: the code is made once more. */
  reset(): void {
    this.#code = [];
    this.#stepOf = [];
    this.#charged = [];
    this.#lines = [];
  }
  /** A step begins, with all its scratch registers free. */
  begin(step: number): void {
    this.step = step;
    this.sum = 0;
    this.sumKnown = true;
    this.#scratch = K.SCRATCH;
  }
  /** How many instructions there are. */
  get length(): number {
    return this.#stepOf.length;
  }
  made() {
    return {
      code: Int32Array.from(this.#code),
      stepOf: this.#stepOf,
      charged: this.#charged,
      lines: this.#lines,
      registers: this.#used,
      constants: [...this.#constants].map(([v, k]) => [k, v] as const),
      texts: [...this.textConstants].map(([v, k]) => [k, v] as const),
    };
  }

  // ---- instructions -------------------------------------------------------------------------------------------------
  /** Gives where it stands. */
  emit(op: number, dest: number, a = 0, b = 0, c = 0): number {
    const at = this.length;
    if (at >= K.CODE_MAX) throw new Unfit();
    this.#code.push(op | (dest << 8), a, b, c);
    this.#stepOf.push(this.step);
    this.#charged.push(this.sum);
    return at;
  }
  /** Takes the last of these jumps back: it is the last instruction. */
  drop(jumps: number[]): void {
    jumps.pop();
    this.#code.length -= 4;
    this.#stepOf.pop();
    this.#charged.pop();
  }
  /** An operation that may stop with UNUSUAL. */
  risk(op: number, dest: number, a: number, b: number, c = 0): void {
    if (!this.sumKnown) throw new Unfit();
    this.emit(op, dest, a, b, c);
  }
  /** The instruction `at` goes on to what is emitted next. */
  land(at: number, to = this.length): void {
    this.#code[4 * at + 3] = to;
  }
  charge(ops: number): void {
    if (ops === 0) return;
    this.sum += ops;
    const last = this.length - 1;
    if (last >= 0 && this.#code[4 * last] === K.STEP && this.#stepOf[last] === this.step) this.#code[4 * last + 2]! += ops;
    else this.emit(K.CHARGE, 0, ops);
  }
  lineOf(at: At): number {
    let i = this.#lines.indexOf(at);
    if (i < 0) i = this.#lines.push(at) - 1;
    if (i >= K.LINES_MAX) throw new Unfit();
    return i;
  }

  // ---- registers ----------------------------------------------------------------------------------------------------
  /** One for the whole loop. */
  fresh(): number {
    if (this.#used >= K.SCRATCH) throw new Unfit();
    return this.#used++;
  }
  /** One for the step. */
  temporary(): number {
    if (this.#scratch >= K.REGISTERS_MAX) throw new Unfit();
    return this.#scratch++;
  }
  constant(v: number): number {
    if (Object.is(v, -0)) throw new Unfit();
    let k = this.#constants.get(v);
    if (k === undefined) this.#constants.set(v, (k = this.fresh()));
    return k;
  }
  text(v: string): number {
    if (!/^[\x00-\x7f]*$/.test(v)) throw new Unfit();
    let k = this.textConstants.get(v);
    if (k === undefined) this.textConstants.set(v, (k = this.fresh()));
    return k;
  }
}
