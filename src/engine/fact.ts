/**
 * The boundary between the claims and the rules: facts, as integers.
 *
 * The store resolves each cell's claims into facts in force: for a single-valued field the judged claim,
 * cut into maximal spans; for a many-valued one every value. It hands the rules only differences. The rules
 * hand back derived facts the same way. Ids are of `SymbolTable` (symbol.ts): `field` is the id of the pair
 * (kind, field), `subject` and `value` are ids of datums (a subject is the datum `Subject`), so that a value
 * that is a subject joins with a parameter that ranges over subjects.
 *
 * Spans are `[from, to)` in microseconds, `-Infinity` / `Infinity` where open.
 */
export interface Fact {
  readonly field: number;
  readonly subject: number;
  readonly value: number;
  readonly from: number;
  readonly to: number;
}

/** `sign` +1: the fact came to hold; -1: it ceased. A change of span is both. */
export interface FactChange extends Fact {
  readonly sign: 1 | -1;
}
