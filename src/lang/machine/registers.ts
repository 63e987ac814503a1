/**
 * Where code keeps numbers whose type is known: a register a slot, a constant, an intermediate result.
 *
 * A register is a raw double `D[k]`: no box is made for a value, and closures read and write it without a frame. An int
 * register holds the int where a double does exactly; for one beyond, `D[k]` is NaN and `X[k]` has the bigint. NaN fails
 * every range check, so the one check after an operation catches overflow and big operands alike. A float register
 * holds the float; `X[k]` is the object that stands for it once one was wanted, because a float is the same object
 * wherever it was passed on (`nan in [nan]`, `is`).
 *
 * Registers belong to the code, not to a frame: code is active once at a time, DKE Python having no recursion. Where two
 * functions made of one `def` do call each other, `vm.ts` saves the outer one's.
 */
import { Float } from "../../datum";
import type { NumberType } from "../compile/infer-numbers";
import type { Value } from "../value/value";

export class Registers {
  readonly D: Float64Array;
  readonly X: (bigint | Float | undefined)[];
  /** Activations of the code. */
  live = 0;
  #used: number;
  readonly #constants = new Map<number, number>();

  constructor(
    /** By slot; a slot's register has the slot's number. */
    readonly types: readonly (NumberType | null)[],
    more: number,
  ) {
    this.D = new Float64Array(types.length + more);
    this.X = new Array(types.length + more).fill(undefined);
    this.#used = types.length;
  }

  fresh(): number {
    return this.#used++;
  }
  constant(v: number): number {
    if (Object.is(v, -0)) return this.#fixed(v);
    let k = this.#constants.get(v);
    if (k === undefined) this.#constants.set(v, (k = this.#fixed(v)));
    return k;
  }
  #fixed(v: number): number {
    const k = this.fresh();
    this.D[k] = v;
    return k;
  }

  /** The value of an int register. */
  int(k: number): number | bigint {
    const v = this.D[k]!;
    // biome-ignore lint/suspicious/noSelfCompare: NaN says that the int is a big one
    return v === v ? v : (this.X[k] as bigint);
  }
  setInt(k: number, v: Value): void {
    if (typeof v === "number") this.D[k] = v;
    else {
      this.D[k] = Number.NaN;
      this.X[k] = v as bigint;
    }
  }
  float(k: number): Float {
    return (this.X[k] as Float | undefined) ?? ((this.X[k] = new Float(this.D[k]!)) as Float);
  }
  set(k: number, type: NumberType, v: Value): void {
    if (type === "int") this.setInt(k, v);
    else {
      this.D[k] = (v as Float).v;
      this.X[k] = v as Float;
    }
  }
  get(k: number, type: NumberType): Value {
    return type === "float" ? this.float(k) : this.int(k);
  }

  /** The value of a register that is no name's: a float there is an object of its own. */
  temporary(k: number, type: NumberType): Value {
    return type === "float" ? new Float(this.D[k]!) : this.int(k);
  }

  save(): SavedRegisters {
    return { D: this.D.slice(), X: this.X.slice() };
  }
  restore(saved: SavedRegisters): void {
    this.D.set(saved.D);
    for (let i = 0; i < saved.X.length; i++) this.X[i] = saved.X[i];
  }
}

export interface SavedRegisters {
  readonly D: Float64Array;
  readonly X: readonly (bigint | Float | undefined)[];
}
