/**
 * Vectors at rest, and the nearest of them: sealed pages, gone through from the first to the last.
 *
 * A vector is kept at unit length, a byte a number, which costs a search about a hundredth of its order and a page a quarter
 * of its size. Going through all is exact, and ten thousand of a thousand numbers each take a tenth of a second;
 * an index of neighbours would show a copied file which records are alike.
 */
import type { Cipher, Sql } from "../../engine/sql";
import { assert } from "../../failure";

const TABLES = [
  // subjects: the subject of each place, four bytes; 0: free. used: how many are not.
  "CREATE TABLE IF NOT EXISTS kg_vector_page (id INTEGER PRIMARY KEY, grp INTEGER NOT NULL, used INTEGER NOT NULL, subjects BLOB NOT NULL, sealed BLOB NOT NULL)",
  "CREATE TABLE IF NOT EXISTS kg_vector (subject INTEGER PRIMARY KEY, page INTEGER NOT NULL, place INTEGER NOT NULL)",
];
const PAGE_VECTORS = 64;

export interface KeptVector {
  readonly subject: number;
  readonly group: number;
  readonly vector: Float32Array;
}

export interface NearVector {
  readonly subject: number;
  /** Cosine. */
  readonly similarity: number;
}

interface Page {
  readonly id: number;
  readonly group: number;
  readonly subjects: Uint32Array;
  readonly numbers: Int8Array;
}

export class VectorTable {
  readonly #sql: Sql;
  readonly #cipher: Cipher;

  constructor(sql: Sql, cipher: Cipher) {
    this.#sql = sql;
    this.#cipher = cipher;
    for (const table of TABLES) sql.exec(table);
  }

  static isThere(sql: Sql): boolean {
    return sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'kg_vector_page'").length > 0;
  }

  clear(): void {
    for (const name of ["kg_vector_page", "kg_vector"]) this.#sql.exec(`DELETE FROM ${name}`);
  }

  /** In the place of those that their subjects had. */
  keep(vectors: readonly KeptVector[]): void {
    for (const { subject } of vectors) this.remove(subject);
    for (const group of new Set(vectors.map((one) => one.group))) {
      const left = vectors.filter((one) => one.group === group);
      while (left.length > 0) {
        const page = this.#pageWithRoom(group, left[0].vector.length);
        for (let place = 0; place < PAGE_VECTORS && left.length > 0; place++) {
          if (page.subjects[place] !== 0) continue;
          const { subject, vector } = left.shift()!;
          page.subjects[place] = subject;
          page.numbers.set(asBytes(vector), place * vector.length);
          this.#sql.exec("INSERT INTO kg_vector (subject, page, place) VALUES (?, ?, ?)", subject, page.id, place);
        }
        this.#write(page);
      }
    }
  }

  remove(subject: number): void {
    const rows = this.#sql.exec("DELETE FROM kg_vector WHERE subject = ? RETURNING page, place", subject) as number[][];
    for (const [page, place] of rows) {
      const [[used, bytes]] = this.#sql.exec("SELECT used, subjects FROM kg_vector_page WHERE id = ?", page);
      const subjects = words(bytes as Uint8Array);
      subjects[place] = 0;
      if (used === 1) this.#sql.exec("DELETE FROM kg_vector_page WHERE id = ?", page);
      else this.#sql.exec("UPDATE kg_vector_page SET used = used - 1, subjects = ? WHERE id = ?", bytesOf(subjects), page);
    }
  }

  /** All that are like the question at all, by falling likeness; equal ones, the subject named first before. */
  nearest(group: number, question: Float32Array): NearVector[] {
    const wanted = asBytes(question);
    const found: NearVector[] = [];
    for (const row of this.#sql.exec("SELECT id, grp, subjects, sealed FROM kg_vector_page WHERE grp = ? ORDER BY id", group)) {
      const { subjects, numbers } = this.#page(row);
      // Of another model; it is embedded anew before long.
      if (numbers.length !== wanted.length * PAGE_VECTORS) continue;
      for (let place = 0; place < PAGE_VECTORS; place++) {
        if (subjects[place] === 0) continue;
        let sum = 0;
        for (let i = 0, at = place * wanted.length; i < wanted.length; i++, at++) sum += wanted[i] * numbers[at];
        if (sum > 0) found.push({ subject: subjects[place], similarity: Math.min(1, sum / (ONE * ONE)) });
      }
    }
    return found.sort((a, b) => b.similarity - a.similarity || a.subject - b.subject);
  }

  #pageWithRoom(group: number, length: number): Page {
    const rows = this.#sql.exec(
      `SELECT id, grp, subjects, sealed FROM kg_vector_page WHERE grp = ? AND used < ${PAGE_VECTORS} ORDER BY id DESC LIMIT 1`,
      group,
    );
    const page = rows.length === 0 ? null : this.#page(rows[0]);
    if (page !== null && page.numbers.length === length * PAGE_VECTORS) return page;
    const id = ((this.#sql.exec("SELECT max(id) FROM kg_vector_page")[0][0] as number | null) ?? 0) + 1;
    return { id, group, subjects: new Uint32Array(PAGE_VECTORS), numbers: new Int8Array(length * PAGE_VECTORS) };
  }

  #page([id, group, subjects, sealed]: readonly unknown[]): Page {
    const numbers = this.#cipher.open(sealed as Uint8Array, contextOf(id as number));
    return {
      id: id as number,
      group: group as number,
      subjects: words(subjects as Uint8Array),
      numbers: new Int8Array(numbers.buffer, numbers.byteOffset, numbers.length),
    };
  }

  #write({ id, group, subjects, numbers }: Page): void {
    const used = subjects.reduce((sum, subject) => sum + (subject === 0 ? 0 : 1), 0);
    assert(used > 0, "a page has a vector");
    const plain = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.length);
    this.#sql.exec(
      "INSERT OR REPLACE INTO kg_vector_page (id, grp, used, subjects, sealed) VALUES (?, ?, ?, ?, ?)",
      id,
      group,
      used,
      bytesOf(subjects),
      this.#cipher.seal(plain, contextOf(id)),
    );
  }
}

function contextOf(page: number): string {
  return `vectors/${page}`;
}

/** What stands for 1. */
const ONE = 127;

/** At unit length, a byte a number. */
function asBytes(vector: Float32Array): Int8Array {
  let length = 0;
  for (const number of vector) length += number * number;
  const scale = length > 0 && Number.isFinite(length) ? ONE / Math.sqrt(length) : 0;
  return Int8Array.from(vector, (number) => Math.round(number * scale));
}

function words(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.slice().buffer);
}

function bytesOf(subjects: Uint32Array): Uint8Array {
  return new Uint8Array(subjects.buffer, subjects.byteOffset, subjects.byteLength);
}
