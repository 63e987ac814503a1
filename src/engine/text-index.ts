/**
 * Full-text search over the texts that stand at chosen fields, ranked by BM25 (Robertson and Zaragoza 2009).
 *
 * An inverted index in SQL, kept in the transaction that writes the claims. A term is a keyed hash of a stem, so a copied
 * database shows how often unnamed terms occur together and no word. A posting is (claim, occurrences, length of the text);
 * postings of a field and term lie in chunks, ascending by claim: new claims have the largest ids, so writing appends. Two
 * terms whose 53-bit hashes agree would be one; among a million terms that is expected once in twenty thousand stores.
 *
 * Which fields are followed, and what a claim means to the caller, is not known here.
 */
import { assert } from "../failure";
import { ByteReader, ByteWriter } from "./byte-writer";
import { SipKey, sipHash, sipResult } from "./siphash";
import type { Sql } from "./sql";
import { termsOf } from "./text-terms";

const TABLES = [
  "CREATE TABLE text_field (field INTEGER PRIMARY KEY, documents INTEGER NOT NULL, length INTEGER NOT NULL)",
  "CREATE TABLE text_document (claim INTEGER PRIMARY KEY, field INTEGER NOT NULL, subject INTEGER NOT NULL, length INTEGER NOT NULL)",
  // first, last: claims of the first and last posting in it.
  `CREATE TABLE text_posting (
     field INTEGER NOT NULL, term INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, documents INTEGER NOT NULL,
     postings BLOB NOT NULL, PRIMARY KEY (field, term, first)) WITHOUT ROWID`,
];

/** How fast a term's repetition stops to count, and how much a long text is held against it: the customary values. */
const K1 = 1.2;
const B = 0.75;
const CHUNK_POSTINGS = 128;

/** A text that stands somewhere. */
export interface TextDocument {
  readonly claim: number;
  readonly field: number;
  readonly subject: number;
  readonly text: string;
}

/** A text found. `score` is above 0 and grows with relevance; it compares only within one search. */
export interface TextHit {
  readonly claim: number;
  readonly subject: number;
  readonly score: number;
}

export interface TextQuery {
  readonly field: number;
  readonly text: string;
  /** Whether a text must hold all terms of the query, or any of them. */
  readonly mode: "all" | "any";
  readonly limit: number;
  /** What may be answered; asked in order of score, until `limit` are found. */
  readonly accepts?: (subject: number) => boolean;
}

interface Posting {
  readonly claim: number;
  readonly count: number;
  readonly length: number;
}

interface Chunk {
  readonly first: number;
  readonly last: number;
  readonly bytes: Uint8Array;
}

interface QueryTerm {
  readonly term: number;
  readonly chunks: readonly Chunk[];
  /** Inverse document frequency, times the number of times the query says it. */
  readonly weight: number;
}

export class TextIndex {
  readonly #sql: Sql;
  readonly #key: SipKey;
  readonly #writer = new ByteWriter();

  /** Its tables were made just now: whoever follows claims has to begin with those that stand. */
  readonly isNew: boolean;

  constructor(sql: Sql, lookupKey: readonly [bigint, bigint]) {
    this.isNew = sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'text_field'").length === 0;
    if (this.isNew) for (const table of TABLES) sql.exec(table);
    this.#sql = sql;
    this.#key = new SipKey(lookupKey);
  }

  /** Follows texts that came to stand and texts that ceased to. Within the caller's transaction. */
  follow(gone: readonly TextDocument[], come: readonly TextDocument[]): void {
    for (const document of gone) this.#remove(document);
    if (come.length > 0) this.#add(come);
  }

  /** The best texts, by falling score; equal ones by rising claim. A query without a term finds nothing. */
  search(query: TextQuery): TextHit[] {
    const statistics = this.#statistics(query.field);
    if (statistics === null) return [];
    const terms = this.#queryTerms(query, statistics.documents);
    if (terms.length === 0) return [];
    const averageLength = statistics.length / statistics.documents;
    if (query.mode === "all") return this.#best(query, scoreAll(terms, averageLength));
    const { scores, leftOutBelow } = scoreAny(terms, averageLength, query.limit);
    const found = this.#best(query, scores);
    // A text was left out only because `limit` better ones were known; where the caller refused some of those, it may be needed.
    if (leftOutBelow === 0 || (found.length === query.limit && found[found.length - 1].score >= leftOutBelow)) return found;
    return this.#best(query, scoreAny(terms, averageLength, Number.POSITIVE_INFINITY).scores);
  }

  /** How many texts stand at a field. */
  count(field: number): number {
    return this.#statistics(field)?.documents ?? 0;
  }

  #add(documents: readonly TextDocument[]): void {
    const postings = new Map<number, Map<number, Posting[]>>();
    for (const { claim, field, subject, text } of documents) {
      const { counts, length } = this.#countsOf(text);
      this.#sql.exec("INSERT INTO text_document (claim, field, subject, length) VALUES (?, ?, ?, ?)", claim, field, subject, length);
      this.#countField(field, 1, length);
      let ofField = postings.get(field);
      if (ofField === undefined) postings.set(field, (ofField = new Map()));
      for (const [term, count] of counts) {
        const ofTerm = ofField.get(term);
        if (ofTerm === undefined) ofField.set(term, [{ claim, count, length }]);
        else ofTerm.push({ claim, count, length });
      }
    }
    for (const [field, ofField] of postings) {
      for (const [term, ofTerm] of ofField)
        this.#insert(
          field,
          term,
          ofTerm.sort((a, b) => a.claim - b.claim),
        );
    }
  }

  /** Postings ascending by claim, all of them new. */
  #insert(field: number, term: number, postings: readonly Posting[]): void {
    const last = this.#sql.exec(
      "SELECT first, last, documents, postings FROM text_posting WHERE field = ? AND term = ? ORDER BY first DESC LIMIT 1",
      field,
      term,
    ) as [number, number, number, Uint8Array][];
    if (last.length === 0) this.#writeChunks(field, term, postings);
    else if (postings[0].claim > last[0][1]) this.#append(field, term, last[0], postings);
    else for (const posting of postings) this.#insertBetween(field, term, posting);
  }

  /** The usual case: newer than all there are. The bytes of the last chunk stay as they are and are added to. */
  #append(
    field: number,
    term: number,
    [first, last, documents, bytes]: [number, number, number, Uint8Array],
    postings: readonly Posting[],
  ): void {
    const fitting = postings.slice(0, Math.max(0, CHUNK_POSTINGS - documents));
    if (fitting.length > 0) {
      this.#writer.clear();
      this.#writer.bytes(bytes);
      this.#sql.exec(
        "UPDATE text_posting SET last = ?, documents = ?, postings = ? WHERE field = ? AND term = ? AND first = ?",
        fitting[fitting.length - 1].claim,
        documents + fitting.length,
        writePostings(this.#writer, last, fitting),
        field,
        term,
        first,
      );
    }
    this.#writeChunks(field, term, postings.slice(fitting.length));
  }

  /** A claim older than others that hold the term: one that was brought back. */
  #insertBetween(field: number, term: number, posting: Posting): void {
    const chunk = this.#chunkFor(field, term, posting.claim);
    if (chunk === null) {
      this.#writeChunks(field, term, [posting]);
      return;
    }
    const merged = [...readChunk(chunk), posting].sort((a, b) => a.claim - b.claim);
    this.#dropChunk(field, term, chunk.first);
    this.#writeChunks(field, term, merged);
  }

  #remove(document: TextDocument): void {
    const { claim, field, text } = document;
    const rows = this.#sql.exec("DELETE FROM text_document WHERE claim = ? RETURNING length", claim);
    if (rows.length === 0) return;
    this.#countField(field, -1, rows[0][0] as number);
    for (const term of this.#countsOf(text).counts.keys()) {
      const chunk = this.#chunkFor(field, term, claim);
      if (chunk === null) continue;
      const postings = readChunk(chunk);
      const left = postings.filter((posting) => posting.claim !== claim);
      if (left.length === postings.length) continue;
      this.#dropChunk(field, term, chunk.first);
      if (left.length > 0) this.#writeChunks(field, term, left);
    }
  }

  /** The last chunk that begins at or before a claim, else the first one there is. */
  #chunkFor(field: number, term: number, claim: number): Chunk | null {
    const select = "SELECT first, last, postings FROM text_posting WHERE field = ? AND term = ?";
    let rows = this.#sql.exec(`${select} AND first <= ? ORDER BY first DESC LIMIT 1`, field, term, claim);
    if (rows.length === 0) rows = this.#sql.exec(`${select} ORDER BY first LIMIT 1`, field, term);
    return rows.length === 0 ? null : chunkOf(rows[0] as [number, number, Uint8Array]);
  }

  #dropChunk(field: number, term: number, first: number): void {
    this.#sql.exec("DELETE FROM text_posting WHERE field = ? AND term = ? AND first = ?", field, term, first);
  }

  #writeChunks(field: number, term: number, postings: readonly Posting[]): void {
    for (let at = 0; at < postings.length; at += CHUNK_POSTINGS) {
      const part = postings.slice(at, at + CHUNK_POSTINGS);
      this.#sql.exec(
        "INSERT INTO text_posting (field, term, first, last, documents, postings) VALUES (?, ?, ?, ?, ?, ?)",
        field,
        term,
        part[0].claim,
        part[part.length - 1].claim,
        part.length,
        this.#chunkBytes(part),
      );
    }
  }

  #chunkBytes(postings: readonly Posting[]): Uint8Array {
    this.#writer.clear();
    return writePostings(this.#writer, postings[0].claim, postings);
  }

  #countField(field: number, documents: number, length: number): void {
    this.#sql.exec(
      `INSERT INTO text_field (field, documents, length) VALUES (?, ?, ?)
       ON CONFLICT (field) DO UPDATE SET documents = documents + excluded.documents, length = length + excluded.length`,
      field,
      documents,
      documents * length,
    );
  }

  #statistics(field: number): { documents: number; length: number } | null {
    const rows = this.#sql.exec("SELECT documents, length FROM text_field WHERE field = ?", field);
    if (rows.length === 0 || rows[0][0] === 0) return null;
    return { documents: rows[0][0] as number, length: rows[0][1] as number };
  }

  /** The query's terms, rarest first. Under "all", none when one of them occurs nowhere. */
  #queryTerms(query: TextQuery, documents: number): QueryTerm[] {
    const terms: QueryTerm[] = [];
    for (const [term, count] of this.#countsOf(query.text).counts) {
      let having = 0;
      const chunks: Chunk[] = [];
      for (const [first, last, inChunk, bytes] of this.#sql.exec(
        "SELECT first, last, documents, postings FROM text_posting WHERE field = ? AND term = ? ORDER BY first",
        query.field,
        term,
      )) {
        having += inChunk as number;
        chunks.push(chunkOf([first as number, last as number, bytes as Uint8Array]));
      }
      if (having === 0 && query.mode === "all") return [];
      if (having > 0) terms.push({ term, chunks, weight: count * Math.log(1 + (documents - having + 0.5) / (having + 0.5)) });
    }
    return terms.sort((a, b) => b.weight - a.weight || a.term - b.term);
  }

  #best(query: TextQuery, scores: ReadonlyMap<number, number>): TextHit[] {
    const hits: TextHit[] = [];
    const taken = new Set<number>();
    for (const [claim, score] of [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0])) {
      const rows = this.#sql.exec("SELECT subject FROM text_document WHERE claim = ?", claim);
      if (rows.length === 0) continue;
      const subject = rows[0][0] as number;
      // A subject whose text two sources tell is one answer.
      if (taken.has(subject) || query.accepts?.(subject) === false) continue;
      taken.add(subject);
      hits.push({ claim, subject, score });
      if (hits.length === query.limit) break;
    }
    return hits;
  }

  /** Keyed hashes of a text's terms with how often each occurs, and how many terms it has. */
  #countsOf(text: string): { counts: Map<number, number>; length: number } {
    const counts = new Map<number, number>();
    const terms = termsOf(text);
    for (const term of terms) {
      this.#writer.clear();
      this.#writer.utf8(term);
      sipHash(this.#key, this.#writer.take());
      const hash = (sipResult.high & 0x1fffff) * 0x100000000 + sipResult.low;
      counts.set(hash, (counts.get(hash) ?? 0) + 1);
    }
    return { counts, length: terms.length };
  }
}

function gain(weight: number, { count, length }: Posting, averageLength: number): number {
  return (weight * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / averageLength));
}

/** Scores of the texts that hold every term. */
function scoreAll(terms: readonly QueryTerm[], averageLength: number): Map<number, number> {
  let scores: Map<number, number> | null = null;
  for (const { chunks, weight } of terms) {
    const next = new Map<number, number>();
    for (const chunk of scores === null ? chunks : chunksWith(chunks, scores)) {
      for (const posting of readChunk(chunk)) {
        const before = scores === null ? 0 : scores.get(posting.claim);
        if (before !== undefined) next.set(posting.claim, before + gain(weight, posting, averageLength));
      }
    }
    scores = next;
  }
  return scores ?? new Map();
}

/**
 * Scores of the texts that hold any term, but those that cannot reach the best `limit`: once the terms left, all together,
 * give less than the worst of those has, they no longer bring in a text by themselves. `leftOutBelow` is above the score of
 * every text left out, 0 where none was.
 */
function scoreAny(
  terms: readonly QueryTerm[],
  averageLength: number,
  limit: number,
): { scores: Map<number, number>; leftOutBelow: number } {
  const scores = new Map<number, number>();
  let left = terms.reduce((sum, { weight }) => sum + weight * (K1 + 1), 0);
  let leftOutBelow = 0;
  for (const { chunks, weight } of terms) {
    if (leftOutBelow === 0 && scores.size >= limit && left < nthBest(scores, limit)) leftOutBelow = left;
    const closed = leftOutBelow > 0;
    for (const chunk of closed ? chunksWith(chunks, scores) : chunks) {
      for (const posting of readChunk(chunk)) {
        const before = scores.get(posting.claim);
        if (before === undefined && closed) continue;
        scores.set(posting.claim, (before ?? 0) + gain(weight, posting, averageLength));
      }
    }
    left -= weight * (K1 + 1);
  }
  return { scores, leftOutBelow };
}

function nthBest(scores: ReadonlyMap<number, number>, n: number): number {
  const ordered = Float64Array.from(scores.values()).sort();
  return ordered[ordered.length - n];
}

/** The chunks that may hold one of these claims. */
function chunksWith(chunks: readonly Chunk[], scores: ReadonlyMap<number, number>): Chunk[] {
  const claims = Float64Array.from(scores.keys()).sort();
  let at = 0;
  return chunks.filter(({ first, last }) => {
    while (at < claims.length && claims[at] < first) at++;
    return at < claims.length && claims[at] <= last;
  });
}

function chunkOf([first, last, bytes]: readonly [number, number, Uint8Array]): Chunk {
  return { first, last, bytes };
}

/** What the writer holds, with postings added whose first counts from `before`. */
function writePostings(writer: ByteWriter, before: number, postings: readonly Posting[]): Uint8Array {
  let last = before;
  for (const { claim, count, length } of postings) {
    assert(claim >= last, "postings ascend");
    writer.count(claim - last);
    writer.count(count);
    writer.count(length);
    last = claim;
  }
  return writer.take();
}

function readChunk({ first, bytes }: Chunk): Posting[] {
  const reader = new ByteReader(bytes);
  const postings: Posting[] = [];
  let claim = first;
  while (!reader.done) {
    claim += reader.count();
    postings.push({ claim, count: reader.count(), length: reader.count() });
  }
  return postings;
}
