/**
 * Which symbols are certainly not stored: one bit a hash, so that a new name or value costs no query to find out that
 * it is new. Half of all stores never need it, so it is built from the table only once look-ups have missed often
 * enough to pay for that.
 */
export class SymbolFilter {
  readonly #bits: Uint32Array;
  readonly #mask: number;
  readonly #countMax: number;
  #count = 0;

  /** Roomy for `count` symbols and some more: one stray hit in sixteen at most. */
  constructor(count: number) {
    let bits = 1 << 17;
    while (bits < count * 32 && bits < 1 << 28) bits *= 2;
    this.#bits = new Uint32Array(bits >>> 5);
    this.#mask = bits - 1;
    this.#countMax = bits >>> 4;
  }

  /** Too full to tell much: to be built anew, larger. */
  get isFull(): boolean {
    return this.#count > this.#countMax;
  }

  /** `hash`: 32 bits, unsigned. */
  add(hash: number): void {
    const bit = hash & this.#mask;
    this.#bits[bit >>> 5] |= 1 << (bit & 31);
    this.#count++;
  }

  mayHold(hash: number): boolean {
    const bit = hash & this.#mask;
    return (this.#bits[bit >>> 5] & (1 << (bit & 31))) !== 0;
  }
}
