/**
 * Full-text search over documents, ranked by BM25 (Robertson and Zaragoza 2009).
 *
 * An inverted index in SQL. A term is a keyed hash of a stem, so a copied database shows how often unnamed terms occur
 * together and no word. A posting is (document, occurrences, length of the document); postings of a term lie in chunks,
 * ascending by document: new documents have the largest numbers, so writing mostly appends. Beside them each document's own
 * terms, so that it can be taken out without its text. Two terms whose 53-bit hashes agree would be one; among a million terms
 * that is expected once in twenty thousand stores.
 *
 * Documents belong to groups, each ranked by its own statistics. What a document is to the caller is not known here.
 */
import { assert } from "../failure";
import { ByteReader, ByteWriter } from "./byte-writer";
import { SipKey, sipHash, sipResult } from "./siphash";
import type { Sql } from "./sql";
import { termsOf } from "./text-terms";

const TABLES = [
  "CREATE TABLE text_group (id INTEGER PRIMARY KEY, documents INTEGER NOT NULL, length INTEGER NOT NULL)",
  // terms: hash and occurrences of each.
  "CREATE TABLE text_document (id INTEGER PRIMARY KEY, grp INTEGER NOT NULL, length INTEGER NOT NULL, terms BLOB NOT NULL)",
  // first, last: the first and the last document in it.
  `CREATE TABLE text_posting (
     grp INTEGER NOT NULL, term INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, documents INTEGER NOT NULL,
     postings BLOB NOT NULL, PRIMARY KEY (grp, term, first)) WITHOUT ROWID`,
];

/** How fast a term's repetition stops to count, and how much a long text is held against it: the customary values. */
const K1 = 1.2;
const B = 0.75;
const CHUNK_POSTINGS = 128;

/** Texts that are one document. Each word counts as often as its part weighs, a whole number from 1. */
export interface TextDocument {
  readonly document: number;
  readonly group: number;
  readonly parts: readonly { readonly text: string; readonly weight: number }[];
}

/** A document found. `score` is above 0 and grows with relevance; it compares only within one search. */
export interface TextHit {
  readonly document: number;
  readonly score: number;
}

export interface TextQuery {
  readonly group: number;
  readonly text: string;
  /** Whether a document must hold all terms of the query, or any of them. */
  readonly mode: "all" | "any";
  readonly limit: number;
  /** What may be answered; asked in order of score, until `limit` are found. */
  readonly accepts?: (document: number) => boolean;
}

/** A document by its terms. */
interface CountedDocument {
  readonly document: number;
  readonly group: number;
  /** By rising hash. */
  readonly counts: ReadonlyMap<number, number>;
  readonly length: number;
  /** The counts as they are kept. */
  readonly terms: Uint8Array;
}

interface Posting {
  readonly document: number;
  readonly count: number;
  readonly length: number;
}

interface Chunk {
  readonly first: number;
  readonly last: number;
  readonly documents: number;
  readonly bytes: Uint8Array;
}

interface QueryTerm {
  readonly term: number;
  readonly chunks: readonly Chunk[];
  /** Inverse document frequency, times the number of times the query says it. */
  readonly weight: number;
}

export class TextIndex {
  /** Its tables were made just now: whoever fills it has to begin with what there is. */
  readonly isNew: boolean;
  readonly #sql: Sql;
  readonly #key: SipKey;
  readonly #writer = new ByteWriter();

  constructor(sql: Sql, lookupKey: readonly [bigint, bigint]) {
    this.isNew = sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'text_group'").length === 0;
    if (this.isNew) for (const table of TABLES) sql.exec(table);
    this.#sql = sql;
    this.#key = new SipKey(lookupKey);
  }

  /** What is found from now on: these documents as they are here, and none of `gone`. Within the caller's transaction. */
  follow(gone: readonly number[], come: readonly TextDocument[]): void {
    for (const document of gone) this.#remove(document);
    const fresh = come.map((document) => this.#counted(document)).filter((document) => this.#makeRoom(document));
    if (fresh.length > 0) this.#add(fresh);
  }

  /** The best documents, by falling score; equal ones by rising number. A query without a term finds nothing. */
  search(query: TextQuery): TextHit[] {
    const statistics = this.#statistics(query.group);
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

  /** How many documents a group has. */
  count(group: number): number {
    return this.#statistics(group)?.documents ?? 0;
  }

  #counted({ document, group, parts }: TextDocument): CountedDocument {
    const { counts, length } = this.#countsOf(parts);
    return { document, group, counts, length, terms: this.#termBytes(counts) };
  }

  /** Takes out what a document was; false where it is that still, or has no term. */
  #makeRoom({ document, group, length, terms }: CountedDocument): boolean {
    const [known] = this.#sql.exec("SELECT grp, length, terms FROM text_document WHERE id = ?", document) as [number, number, Uint8Array][];
    if (known === undefined) return length > 0;
    const [grp, before, own] = known;
    if (grp === group && before === length && sameBytes(own, terms)) return false;
    this.#remove(document);
    return length > 0;
  }

  #add(documents: readonly CountedDocument[]): void {
    const postings = new Map<number, Map<number, Posting[]>>();
    for (const { document, group, counts, length, terms } of documents) {
      this.#sql.exec("INSERT INTO text_document (id, grp, length, terms) VALUES (?, ?, ?, ?)", document, group, length, terms);
      this.#countGroup(group, 1, length);
      let ofGroup = postings.get(group);
      if (ofGroup === undefined) postings.set(group, (ofGroup = new Map()));
      for (const [term, count] of counts) {
        const ofTerm = ofGroup.get(term);
        if (ofTerm === undefined) ofGroup.set(term, [{ document, count, length }]);
        else ofTerm.push({ document, count, length });
      }
    }
    for (const [group, ofGroup] of postings) {
      for (const [term, ofTerm] of ofGroup) {
        ofTerm.sort((a, b) => a.document - b.document);
        this.#insert(group, term, ofTerm);
      }
    }
  }

  /** Postings ascending by document, all of them new. */
  #insert(group: number, term: number, postings: readonly Posting[]): void {
    const last = this.#sql.exec(
      "SELECT first, last, documents, postings FROM text_posting WHERE grp = ? AND term = ? ORDER BY first DESC LIMIT 1",
      group,
      term,
    ) as [number, number, number, Uint8Array][];
    if (last.length === 0) this.#writeChunks(group, term, postings);
    else if (postings[0].document > last[0][1]) this.#append(group, term, last[0], postings);
    else for (const posting of postings) this.#insertBetween(group, term, posting);
  }

  /** The usual case: newer than all there are. The bytes of the last chunk stay as they are and are added to. */
  #append(
    group: number,
    term: number,
    [first, last, documents, bytes]: [number, number, number, Uint8Array],
    postings: readonly Posting[],
  ): void {
    const fitting = postings.slice(0, Math.max(0, CHUNK_POSTINGS - documents));
    if (fitting.length > 0) {
      this.#writer.clear();
      this.#writer.bytes(bytes);
      this.#sql.exec(
        "UPDATE text_posting SET last = ?, documents = ?, postings = ? WHERE grp = ? AND term = ? AND first = ?",
        fitting[fitting.length - 1].document,
        documents + fitting.length,
        writePostings(this.#writer, last, fitting),
        group,
        term,
        first,
      );
    }
    this.#writeChunks(group, term, postings.slice(fitting.length));
  }

  /** A document older than others that hold the term. */
  #insertBetween(group: number, term: number, posting: Posting): void {
    const chunk = this.#chunkFor(group, term, posting.document);
    if (chunk === null) {
      this.#writeChunks(group, term, [posting]);
      return;
    }
    const merged = [...readChunk(chunk), posting].sort((a, b) => a.document - b.document);
    this.#dropChunk(group, term, chunk.first);
    this.#writeChunks(group, term, merged);
  }

  #remove(document: number): void {
    const [row] = this.#sql.exec("DELETE FROM text_document WHERE id = ? RETURNING grp, length, terms", document) as [
      number,
      number,
      Uint8Array,
    ][];
    if (row === undefined) return;
    const [group, length, terms] = row;
    this.#countGroup(group, -1, length);
    for (const term of readTerms(terms)) {
      const chunk = this.#chunkFor(group, term, document);
      assert(chunk !== null, "each term of a document has its posting");
      const left = readChunk(chunk).filter((posting) => posting.document !== document);
      this.#dropChunk(group, term, chunk.first);
      if (left.length > 0) this.#writeChunks(group, term, left);
    }
  }

  /** The last chunk that begins at or before a document, else the first one there is. */
  #chunkFor(group: number, term: number, document: number): Chunk | null {
    const select = "SELECT first, last, documents, postings FROM text_posting WHERE grp = ? AND term = ?";
    let rows = this.#sql.exec(`${select} AND first <= ? ORDER BY first DESC LIMIT 1`, group, term, document);
    if (rows.length === 0) rows = this.#sql.exec(`${select} ORDER BY first LIMIT 1`, group, term);
    return rows.length === 0 ? null : chunkOf(rows[0] as [number, number, number, Uint8Array]);
  }

  #dropChunk(group: number, term: number, first: number): void {
    this.#sql.exec("DELETE FROM text_posting WHERE grp = ? AND term = ? AND first = ?", group, term, first);
  }

  #writeChunks(group: number, term: number, postings: readonly Posting[]): void {
    for (let at = 0; at < postings.length; at += CHUNK_POSTINGS) {
      const part = postings.slice(at, at + CHUNK_POSTINGS);
      this.#sql.exec(
        "INSERT INTO text_posting (grp, term, first, last, documents, postings) VALUES (?, ?, ?, ?, ?, ?)",
        group,
        term,
        part[0].document,
        part[part.length - 1].document,
        part.length,
        this.#chunkBytes(part),
      );
    }
  }

  #chunkBytes(postings: readonly Posting[]): Uint8Array {
    this.#writer.clear();
    return writePostings(this.#writer, postings[0].document, postings);
  }

  #countGroup(group: number, documents: number, length: number): void {
    this.#sql.exec(
      `INSERT INTO text_group (id, documents, length) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET documents = documents + excluded.documents, length = length + excluded.length`,
      group,
      documents,
      documents * length,
    );
  }

  #statistics(group: number): { documents: number; length: number } | null {
    const rows = this.#sql.exec("SELECT documents, length FROM text_group WHERE id = ?", group);
    if (rows.length === 0 || rows[0][0] === 0) return null;
    return { documents: rows[0][0] as number, length: rows[0][1] as number };
  }

  /** The query's terms, rarest first. Under "all", none when one of them occurs nowhere. */
  #queryTerms(query: TextQuery, documents: number): QueryTerm[] {
    const terms: QueryTerm[] = [];
    for (const [term, count] of this.#countsOf([{ text: query.text, weight: 1 }]).counts) {
      let having = 0;
      const chunks: Chunk[] = [];
      for (const [first, last, inChunk, bytes] of this.#sql.exec(
        "SELECT first, last, documents, postings FROM text_posting WHERE grp = ? AND term = ? ORDER BY first",
        query.group,
        term,
      )) {
        having += inChunk as number;
        chunks.push(chunkOf([first as number, last as number, inChunk as number, bytes as Uint8Array]));
      }
      if (having === 0 && query.mode === "all") return [];
      if (having > 0) terms.push({ term, chunks, weight: count * Math.log(1 + (documents - having + 0.5) / (having + 0.5)) });
    }
    return terms.sort((a, b) => b.weight - a.weight || a.term - b.term);
  }

  #best({ limit, accepts }: TextQuery, scores: Scores): TextHit[] {
    // Mostly the best ones are accepted; where too few are, all are looked at.
    const tried = limit * 2;
    if (scores.count > tried) {
      const hits = accepted(scores, placesFrom(scores, nthBest(scores, tried)), limit, accepts);
      if (hits.length === limit) return hits;
    }
    return accepted(scores, placesFrom(scores, 0), limit, accepts);
  }

  /** Keyed hashes of the terms with how often each counts, by rising hash, and the sum of the counts. */
  #countsOf(parts: TextDocument["parts"]): { counts: Map<number, number>; length: number } {
    const counts = new Map<number, number>();
    let length = 0;
    for (const { text, weight } of parts) {
      for (const term of termsOf(text)) {
        this.#writer.clear();
        this.#writer.utf8(term);
        sipHash(this.#key, this.#writer.take());
        const hash = (sipResult.high & 0x1fffff) * 0x100000000 + sipResult.low;
        counts.set(hash, (counts.get(hash) ?? 0) + weight);
        length += weight;
      }
    }
    return { counts: new Map([...counts].sort((a, b) => a[0] - b[0])), length };
  }

  #termBytes(counts: ReadonlyMap<number, number>): Uint8Array {
    this.#writer.clear();
    let before = 0;
    for (const [term, count] of counts) {
      this.#writer.count(term - before);
      this.#writer.count(count);
      before = term;
    }
    return this.#writer.take();
  }
}

function readTerms(bytes: Uint8Array): number[] {
  const reader = new ByteReader(bytes);
  const terms: number[] = [];
  for (let term = 0; !reader.done; ) {
    term += reader.count();
    reader.count();
    terms.push(term);
  }
  return terms;
}

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, i) => byte === right[i]);
}

function accepted({ documents, values }: Scores, places: readonly number[], limit: number, accepts: TextQuery["accepts"]): TextHit[] {
  const hits: TextHit[] = [];
  for (const place of places) {
    if (accepts?.(documents[place]) === false) continue;
    hits.push({ document: documents[place], score: values[place] });
    if (hits.length === limit) break;
  }
  return hits;
}

/** Documents, ascending, with a score each. */
interface Scores {
  readonly documents: Float64Array;
  readonly values: Float64Array;
  readonly count: number;
}

const NO_SCORES: Scores = { documents: new Float64Array(0), values: new Float64Array(0), count: 0 };

/** What a term adds to each document of these chunks. */
function gains({ weight }: QueryTerm, chunks: readonly Chunk[], averageLength: number): Scores {
  let room = 0;
  for (const { documents } of chunks) room += documents;
  const documents = new Float64Array(room);
  const values = new Float64Array(room);
  let count = 0;
  for (const { first, bytes } of chunks) {
    const reader = new ByteReader(bytes);
    let document = first;
    while (!reader.done) {
      document += reader.count();
      const times = reader.count();
      const length = reader.count();
      documents[count] = document;
      values[count++] = (weight * times * (K1 + 1)) / (times + K1 * (1 - B + (B * length) / averageLength));
    }
  }
  return { documents, values, count };
}

/** Both, added up where a document is in both. */
function united(left: Scores, right: Scores): Scores {
  const documents = new Float64Array(left.count + right.count);
  const values = new Float64Array(left.count + right.count);
  let [i, j, count] = [0, 0, 0];
  while (i < left.count || j < right.count) {
    const a = i < left.count ? left.documents[i] : Number.POSITIVE_INFINITY;
    const b = j < right.count ? right.documents[j] : Number.POSITIVE_INFINITY;
    documents[count] = Math.min(a, b);
    values[count++] = (a <= b ? left.values[i++] : 0) + (b <= a ? right.values[j++] : 0);
  }
  return { documents, values, count };
}

/** Documents of the left, with what the right adds to them; only those in both where `shared`. */
function added(left: Scores, right: Scores, shared: boolean): Scores {
  const documents = new Float64Array(left.count);
  const values = new Float64Array(left.count);
  let [j, count] = [0, 0];
  for (let i = 0; i < left.count; i++) {
    while (j < right.count && right.documents[j] < left.documents[i]) j++;
    const isShared = j < right.count && right.documents[j] === left.documents[i];
    if (shared && !isShared) continue;
    documents[count] = left.documents[i];
    values[count++] = left.values[i] + (isShared ? right.values[j] : 0);
  }
  return { documents, values, count };
}

/** Scores of the documents that hold every term. */
function scoreAll(terms: readonly QueryTerm[], averageLength: number): Scores {
  let scores: Scores | null = null;
  for (const term of terms) {
    if (scores === null) scores = gains(term, term.chunks, averageLength);
    else scores = added(scores, gains(term, chunksWith(term.chunks, scores), averageLength), true);
  }
  return scores ?? NO_SCORES;
}

/**
 * Scores of the documents that hold any term, but those that cannot reach the best `limit`: once the terms left, all together,
 * give less than the worst of those has, they no longer bring in a document by themselves. `leftOutBelow` is above the score of
 * every document left out, 0 where none was.
 */
function scoreAny(terms: readonly QueryTerm[], averageLength: number, limit: number): { scores: Scores; leftOutBelow: number } {
  let scores = NO_SCORES;
  let left = terms.reduce((sum, { weight }) => sum + weight * (K1 + 1), 0);
  let leftOutBelow = 0;
  for (const term of terms) {
    if (leftOutBelow === 0 && scores.count >= limit && left < nthBest(scores, limit)) leftOutBelow = left;
    scores =
      leftOutBelow > 0
        ? added(scores, gains(term, chunksWith(term.chunks, scores), averageLength), false)
        : united(scores, gains(term, term.chunks, averageLength));
    left -= term.weight * (K1 + 1);
  }
  return { scores, leftOutBelow };
}

/** The n-th of the scores, best first; there are as many. */
function nthBest({ values, count }: Scores, n: number): number {
  // The best n so far as a heap, the least of them on top.
  const heap = values.slice(0, n).sort();
  for (let i = n; i < count; i++) {
    const value = values[i];
    if (value <= heap[0]) continue;
    let at = 0;
    for (;;) {
      const child = 2 * at + 1;
      if (child >= n) break;
      const least = child + 1 < n && heap[child + 1] < heap[child] ? child + 1 : child;
      if (heap[least] >= value) break;
      heap[at] = heap[least];
      at = least;
    }
    heap[at] = value;
  }
  return heap[0];
}

/** Places of the documents that score as much, best first; equal ones by rising number. */
function placesFrom({ documents, values, count }: Scores, least: number): number[] {
  const places: number[] = [];
  for (let i = 0; i < count; i++) if (values[i] >= least) places.push(i);
  return places.sort((a, b) => values[b] - values[a] || documents[a] - documents[b]);
}

/** The chunks that may hold one of these documents. */
function chunksWith(chunks: readonly Chunk[], { documents, count }: Scores): Chunk[] {
  let at = 0;
  return chunks.filter(({ first, last }) => {
    while (at < count && documents[at] < first) at++;
    return at < count && documents[at] <= last;
  });
}

function chunkOf([first, last, documents, bytes]: readonly [number, number, number, Uint8Array]): Chunk {
  return { first, last, documents, bytes };
}

/** What the writer holds, with postings added whose first counts from `before`. */
function writePostings(writer: ByteWriter, before: number, postings: readonly Posting[]): Uint8Array {
  let last = before;
  for (const { document, count, length } of postings) {
    assert(document >= last, "postings ascend");
    writer.count(document - last);
    writer.count(count);
    writer.count(length);
    last = document;
  }
  return writer.take();
}

function readChunk({ first, bytes }: Chunk): Posting[] {
  const reader = new ByteReader(bytes);
  const postings: Posting[] = [];
  let document = first;
  while (!reader.done) {
    document += reader.count();
    postings.push({ document, count: reader.count(), length: reader.count() });
  }
  return postings;
}
