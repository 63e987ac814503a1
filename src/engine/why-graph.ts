/**
 * The facts a goal can rest on, each once, and the ways to conclude them: numbers only, since there are many and few are
 * shown. Heights grow from the recorded facts upwards, level by level: a fact stands one above the highest premise of its
 * lowest derivation.
 *
 * Knows nothing of rules: why.ts fills it and reads the heights.
 */

/** No height is known. */
export const UNPROVED = -1;

export class ProofGraph {
  readonly fields: number[] = [];
  readonly subjects: number[] = [];
  readonly values: number[] = [];
  /** Which rule alone may be shown, as `why.ts` numbers them; -1: any. */
  readonly onlys: number[] = [];
  /** 0 for recorded facts. */
  readonly heights: number[] = [];
  readonly #recorded: boolean[] = [];
  /** By derivation: what it concludes, and where its premises begin. */
  readonly #concluded: number[] = [];
  readonly #starts: number[] = [];
  readonly #premises: number[] = [];
  /** The last derivation that named the fact, so that it names it once. */
  readonly #namedBy: number[] = [];
  /** Open addressing: a fact plus one, or 0; its length is a power of two. */
  #table = new Int32Array(256);

  get factCount(): number {
    return this.fields.length;
  }
  get derivationCount(): number {
    return this.#starts.length;
  }

  /** The fact's number, or -1. */
  find(field: number, subject: number, value: number, only: number): number {
    return this.#table[this.#place(field, subject, value, only)]! - 1;
  }

  add(field: number, subject: number, value: number, only: number, recorded: boolean): number {
    const fact = this.fields.length;
    this.#table[this.#place(field, subject, value, only)] = fact + 1;
    this.fields.push(field);
    this.subjects.push(subject);
    this.values.push(value);
    this.onlys.push(only);
    this.heights.push(recorded ? 0 : UNPROVED);
    this.#recorded.push(recorded);
    this.#namedBy.push(-1);
    if (this.fields.length * 2 > this.#table.length) this.#grow();
    return fact;
  }

  isRecorded(fact: number): boolean {
    return this.#recorded[fact]!;
  }

  /** Begins a derivation of a fact; `premise` says what it rests on. */
  derive(fact: number): void {
    this.#concluded.push(fact);
    this.#starts.push(this.#premises.length);
  }
  premise(fact: number): void {
    const derivation = this.#starts.length - 1;
    if (this.#namedBy[fact] === derivation) return;
    this.#namedBy[fact] = derivation;
    this.#premises.push(fact);
  }

  /** Every height anew. */
  measure(): void {
    const { heights } = this;
    const count = this.derivationCount;
    const open = new Int32Array(count);
    const users = this.#users();
    let level: number[] = [];
    let next: number[] = [];
    for (let fact = 0; fact < heights.length; fact++) {
      heights[fact] = this.#recorded[fact] ? 0 : UNPROVED;
      if (this.#recorded[fact]) level.push(fact);
    }
    for (let d = 0; d < count; d++) {
      open[d] = this.#end(d) - this.#starts[d]!;
      const fact = this.#concluded[d]!;
      if (open[d] !== 0 || heights[fact] !== UNPROVED) continue;
      heights[fact] = 1;
      next.push(fact);
    }
    for (let height = 1; level.length > 0 || next.length > 0; height++) {
      for (const fact of level) {
        for (let i = users.starts[fact]!; i < users.starts[fact + 1]!; i++) {
          const derivation = users.derivations[i]!;
          if (--open[derivation]! > 0) continue;
          const above = this.#concluded[derivation]!;
          if (heights[above] !== UNPROVED) continue;
          heights[above] = height;
          next.push(above);
        }
      }
      level = next;
      next = [];
    }
  }

  #end(derivation: number): number {
    return this.#starts[derivation + 1] ?? this.#premises.length;
  }

  /** The derivations that rest on each fact, those of fact `f` from `starts[f]` on. */
  #users(): { readonly starts: Int32Array; readonly derivations: Int32Array } {
    const starts = new Int32Array(this.fields.length + 1);
    for (const fact of this.#premises) starts[fact + 1]!++;
    for (let fact = 0; fact < this.fields.length; fact++) starts[fact + 1]! += starts[fact]!;
    const at = starts.slice();
    const derivations = new Int32Array(this.#premises.length);
    for (let d = 0; d < this.derivationCount; d++) {
      for (let i = this.#starts[d]!; i < this.#end(d); i++) derivations[at[this.#premises[i]!]!++] = d;
    }
    return { starts, derivations };
  }

  /** Where the fact stands in the table, or would. */
  #place(field: number, subject: number, value: number, only: number): number {
    const mask = this.#table.length - 1;
    let hash = Math.imul(subject, 0x9e3779b1) ^ Math.imul(value, 0x85ebca6b) ^ Math.imul(field, 0xc2b2ae35) ^ only;
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    let place = (hash ^ (hash >>> 13)) & mask;
    for (let fact = this.#table[place]! - 1; fact >= 0; fact = this.#table[place]! - 1) {
      if (this.subjects[fact] === subject && this.values[fact] === value && this.fields[fact] === field && this.onlys[fact] === only)
        return place;
      place = (place + 1) & mask;
    }
    return place;
  }

  #grow(): void {
    this.#table = new Int32Array(this.#table.length * 2);
    for (let fact = 0; fact < this.fields.length; fact++) {
      this.#table[this.#place(this.fields[fact]!, this.subjects[fact]!, this.values[fact]!, this.onlys[fact]!)] = fact + 1;
    }
  }
}
