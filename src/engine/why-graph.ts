/**
 * The facts a goal can rest on, each once, and the ways to conclude them: numbers only, since there are many and few are
 * shown. Heights grow from the recorded facts upwards, level by level: a fact stands one above the highest premise of its
 * lowest derivation.
 *
 * Knows nothing of rules: why.ts fills it, one fact's derivations after another's, and reads the heights. A fact's ints lie
 * together in one column, and a derivation's: a proof is mostly asked for before any of this is compiled, and what it would
 * cost then is calls and garbage.
 */

/** No height is known. */
export const UNPROVED = -1;

/** Of each fact, besides what it is: the last derivation that named it, so that it names it once, and where its own begin. */
const FACT_INTS = 6;
const SUBJECT = 1;
const VALUE = 2;
const ONLY = 3;
const NAMED_BY = 4;
const FIRST = 5;
/** Of each derivation: what it concludes, in which way, and where its premises begin. */
const DERIVATION_INTS = 3;
const WAY = 1;
const PREMISES = 2;

export class ProofGraph {
  /** Of each fact; 0 for recorded ones. */
  heights: Int32Array = new Int32Array(128);
  factCount = 0;
  derivationCount = 0;
  #facts: Int32Array = new Int32Array(128 * FACT_INTS);
  #recorded = new Uint8Array(128);
  #derivations: Int32Array = new Int32Array(128 * DERIVATION_INTS);
  #premises: Int32Array = new Int32Array(256);
  #premiseCount = 0;
  /** Open addressing: a fact plus one, or 0; its length is a power of two. */
  #table = new Int32Array(256);

  fieldOf(fact: number): number {
    return this.#facts[fact * FACT_INTS]!;
  }
  subjectOf(fact: number): number {
    return this.#facts[fact * FACT_INTS + SUBJECT]!;
  }
  valueOf(fact: number): number {
    return this.#facts[fact * FACT_INTS + VALUE]!;
  }
  /** Which rule alone may be shown, as `why.ts` numbers them; -1: any. */
  onlyOf(fact: number): number {
    return this.#facts[fact * FACT_INTS + ONLY]!;
  }
  isRecorded(fact: number): boolean {
    return this.#recorded[fact] === 1;
  }

  /** The fact's number, or -1. */
  find(field: number, subject: number, value: number, only: number): number {
    return this.#table[this.#place(field, subject, value, only)]! - 1;
  }

  add(field: number, subject: number, value: number, only: number, recorded: boolean): number {
    const fact = this.factCount++;
    if (fact === this.heights.length) this.#growFacts();
    this.#table[this.#place(field, subject, value, only)] = fact + 1;
    const facts = this.#facts;
    const at = fact * FACT_INTS;
    facts[at] = field;
    facts[at + SUBJECT] = subject;
    facts[at + VALUE] = value;
    facts[at + ONLY] = only;
    facts[at + NAMED_BY] = -1;
    facts[at + FIRST] = -1;
    this.heights[fact] = recorded ? 0 : UNPROVED;
    this.#recorded[fact] = recorded ? 1 : 0;
    return fact;
  }

  /** Begins a derivation of a fact; `premise` says what it rests on. `way`: how it is concluded, as the caller numbers it. */
  derive(fact: number, way: number): void {
    const derivation = this.derivationCount++;
    if (this.derivationCount * DERIVATION_INTS > this.#derivations.length) this.#derivations = longer(this.#derivations);
    const at = derivation * DERIVATION_INTS;
    this.#derivations[at] = fact;
    this.#derivations[at + WAY] = way;
    this.#derivations[at + PREMISES] = this.#premiseCount;
    if (this.#facts[fact * FACT_INTS + FIRST] === -1) this.#facts[fact * FACT_INTS + FIRST] = derivation;
  }
  premise(fact: number): void {
    const derivation = this.derivationCount - 1;
    const at = fact * FACT_INTS + NAMED_BY;
    if (this.#facts[at] === derivation) return;
    this.#facts[at] = derivation;
    if (this.#premiseCount === this.#premises.length) this.#premises = longer(this.#premises);
    this.#premises[this.#premiseCount++] = fact;
  }

  /** The first derivation of a fact, or -1; its others follow. */
  firstOf(fact: number): number {
    return this.#facts[fact * FACT_INTS + FIRST]!;
  }
  concludes(derivation: number, fact: number): boolean {
    return derivation < this.derivationCount && this.#derivations[derivation * DERIVATION_INTS] === fact;
  }
  wayOf(derivation: number): number {
    return this.#derivations[derivation * DERIVATION_INTS + WAY]!;
  }
  /** Each once, in order. */
  premisesOf(derivation: number): Int32Array {
    return this.#premises.subarray(this.#derivations[derivation * DERIVATION_INTS + PREMISES]!, this.#end(derivation));
  }

  /** Every height anew. */
  measure(): void {
    const { heights, factCount, derivationCount } = this;
    const derivations = this.#derivations;
    const open = new Int32Array(derivationCount);
    const users = this.#users();
    // Facts by ascending height: each is written once, and looked at once.
    const level = new Int32Array(factCount);
    let end = 0;
    for (let fact = 0; fact < factCount; fact++) {
      heights[fact] = this.#recorded[fact] === 1 ? 0 : UNPROVED;
      if (this.#recorded[fact] === 1) level[end++] = fact;
    }
    for (let d = 0, at = 0; d < derivationCount; d++, at += DERIVATION_INTS) {
      open[d] = this.#end(d) - derivations[at + PREMISES]!;
      const fact = derivations[at]!;
      if (open[d] !== 0 || heights[fact] !== UNPROVED) continue;
      heights[fact] = 1;
      level[end++] = fact;
    }
    for (let i = 0; i < end; i++) {
      const fact = level[i]!;
      for (let use = users.starts[fact]!; use < users.starts[fact + 1]!; use++) {
        const derivation = users.derivations[use]!;
        if (--open[derivation]! > 0) continue;
        const above = derivations[derivation * DERIVATION_INTS]!;
        if (heights[above] !== UNPROVED) continue;
        heights[above] = heights[fact]! + 1;
        level[end++] = above;
      }
    }
  }

  #end(derivation: number): number {
    return derivation + 1 < this.derivationCount ? this.#derivations[(derivation + 1) * DERIVATION_INTS + PREMISES]! : this.#premiseCount;
  }

  /** The derivations that rest on each fact, those of fact `f` from `starts[f]` on. */
  #users(): { readonly starts: Int32Array; readonly derivations: Int32Array } {
    const premises = this.#premises;
    const count = this.#premiseCount;
    const starts = new Int32Array(this.factCount + 2);
    for (let i = 0; i < count; i++) starts[premises[i]! + 2]!++;
    for (let at = 2; at < starts.length; at++) starts[at]! += starts[at - 1]!;
    const derivations = new Int32Array(count);
    for (let d = 0, i = 0; d < this.derivationCount; d++) {
      // What begins at `starts[f + 1]` ends there once all of it is written.
      for (const end = this.#end(d); i < end; i++) derivations[starts[premises[i]! + 1]!++] = d;
    }
    return { starts, derivations };
  }

  /** Where the fact stands in the table, or would. */
  #place(field: number, subject: number, value: number, only: number): number {
    const facts = this.#facts;
    const table = this.#table;
    const mask = table.length - 1;
    let hash = Math.imul(subject, 0x9e3779b1) ^ Math.imul(value, 0x85ebca6b) ^ Math.imul(field, 0xc2b2ae35) ^ only;
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    let place = (hash ^ (hash >>> 13)) & mask;
    for (let fact = table[place]! - 1; fact >= 0; fact = table[place]! - 1) {
      const at = fact * FACT_INTS;
      if (facts[at + SUBJECT] === subject && facts[at + VALUE] === value && facts[at] === field && facts[at + ONLY] === only) return place;
      place = (place + 1) & mask;
    }
    return place;
  }

  #growFacts(): void {
    this.heights = longer(this.heights);
    this.#facts = longer(this.#facts);
    const recorded = new Uint8Array(this.#recorded.length * 2);
    recorded.set(this.#recorded);
    this.#recorded = recorded;
    this.#table = new Int32Array(this.#table.length * 2);
    for (let fact = 0; fact < this.factCount - 1; fact++)
      this.#table[this.#place(this.fieldOf(fact), this.subjectOf(fact), this.valueOf(fact), this.onlyOf(fact))] = fact + 1;
  }
}

function longer(column: Int32Array): Int32Array {
  const out = new Int32Array(column.length * 2);
  out.set(column);
  return out;
}
