/**
 * Checksums of what is stored as plain integers: a bit that changed on the disk is an error, never another answer.
 *
 * Against chance, not against an attacker: what is secret or must not be forged is sealed (sql.ts, `Cipher`). A sum finds
 * a row that says something else; that a row is missing it cannot find.
 */
import { EngineError } from "../failure";
import type { SqlRow, SqlValue } from "./sql";

export function startSum(): number {
  return 0x2545f491;
}

/** `value`: an integer of magnitude up to 2^63. */
export function addToSum(sum: number, value: number): number {
  sum = Math.imul(sum ^ (value | 0), 0x5bd1e995);
  sum = Math.imul(sum ^ (sum >>> 15) ^ ((value / 0x100000000) | 0), 0x1b873593);
  return sum ^ (sum >>> 13);
}

const double = new Float64Array(1);
const halves = new Uint32Array(double.buffer);

/** Of the first `count` columns of a row, as SQL has them: numbers, texts and NULL. */
export function sumOfRow(row: SqlRow, count = row.length): number {
  let sum = startSum();
  for (let i = 0; i < count; i++) sum = addColumn(sum, row[i]);
  return sum >>> 0;
}

function addColumn(sum: number, value: SqlValue): number {
  if (typeof value === "number") {
    double[0] = value;
    return addToSum(addToSum(sum, halves[0]), halves[1]);
  }
  // No number has such halves.
  if (value === null) return addToSum(addToSum(sum, -1), -1);
  for (const char of value as string) sum = addToSum(sum, char.codePointAt(0)!);
  return sum;
}

/** A row that ends with the sum of its other columns. Refuses one whose bits have changed since it was written. */
export function checkedRow(row: SqlRow, what: string): SqlRow {
  if (row[row.length - 1] !== sumOfRow(row, row.length - 1)) throw damaged(what);
  return row;
}

/** Numbers with the sum of them after the last, as a blob. */
export function summedBlob(numbers: Uint32Array): Uint8Array {
  const words = new Uint32Array(numbers.length + 1);
  words.set(numbers);
  words[numbers.length] = sumOfWords(words);
  return new Uint8Array(words.buffer);
}

/** The numbers of a blob that `summedBlob` made, in its own memory where it lies as words must. */
export function summedWords(blob: Uint8Array): Uint32Array {
  if (blob.length < 4 || blob.length % 4 !== 0) throw damaged("a page of names and values");
  const aligned = blob.byteOffset % 4 === 0 ? blob : blob.slice();
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
  if (words[words.length - 1] !== sumOfWords(words)) throw damaged("a page of names and values");
  return words.subarray(0, words.length - 1);
}

/** Of all words but the last, which holds it: as `addToSum`, where nothing is above 32 bits. */
function sumOfWords(words: Uint32Array): number {
  let sum = startSum();
  for (let i = 0; i < words.length - 1; i++) {
    sum = Math.imul(sum ^ words[i], 0x5bd1e995);
    sum = Math.imul(sum ^ (sum >>> 15), 0x1b873593);
    sum ^= sum >>> 13;
  }
  return sum >>> 0;
}

export function damaged(what: string): EngineError {
  return new EngineError(`the stored data is damaged: ${what} is not what was written; restore a snapshot of the store`);
}
