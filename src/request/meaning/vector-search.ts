/**
 * Search by meaning: which records have a vector, which are due for one, and which are nearest to a question.
 *
 * A projection of the claims (engine/projection.ts). What a record's text becomes is not known when it is written, so a record
 * whose text changed is due: its old vector goes at once, and its text waits until somebody has it embedded. Tables are made
 * when a model is first configured; another model asks for all anew. The text of a record: its searched fields, heaviest first,
 * as far as a model reads; of a note less where its `embed_chars` says so, and of an entry of a stream nothing unless it does.
 */
import { Subject } from "../../datum";
import type { NetClaim } from "../../engine/claim-row";
import type { Projection, ProjectionSite } from "../../engine/projection";
import type { Sql } from "../../engine/sql";
import { readMeta, writeMeta } from "../../engine/store-schema";
import type { SymbolTable } from "../../engine/symbol";
import type { SearchedKind } from "../../engine/text-search";
import { fingerprint } from "../kg/fingerprint";
import { EMBED_CHARS, embeddedPart } from "./embedder";
import { type NearVector, VectorTable } from "./vector-table";

/** A text that waits for its vector. */
export interface DueText {
  readonly subject: number;
  readonly text: string;
}

const MODEL_NAME = "kg_vectors";
const DUE = "CREATE TABLE IF NOT EXISTS kg_vector_due (subject INTEGER PRIMARY KEY)";
export class VectorSearch implements Projection {
  /** Null: none is configured now, and what there is is kept in step all the same. */
  readonly model: string | null;
  readonly #sql: Sql;
  readonly #symbols: SymbolTable;
  readonly #searched: ReadonlyMap<string, SearchedKind>;
  /** Null: no model was ever configured. */
  readonly #table: VectorTable | null;
  readonly #fields = new Map<number, boolean>();

  /** `searched`: the same at every opening of a store. */
  constructor({ sql, cipher, symbols }: ProjectionSite, searched: readonly SearchedKind[], model: string | null) {
    this.model = model;
    this.#sql = sql;
    this.#symbols = symbols;
    this.#searched = new Map(searched.map((one) => [one.kind, one]));
    this.#table = model !== null || VectorTable.isThere(sql) ? new VectorTable(sql, cipher) : null;
    if (this.#table !== null) sql.exec(DUE);
    if (model !== null && readMeta(sql, MODEL_NAME) !== fingerprint(model)) sql.transaction(() => this.#begin(model));
  }

  follow(claims: readonly NetClaim[]): void {
    if (this.#table === null) return;
    const changed = new Set<number>();
    for (const { before, after } of claims) {
      const row = after ?? before;
      if (row !== null && this.#isRead(row.field)) changed.add(row.subject);
    }
    for (const subject of changed) {
      this.#table.remove(subject);
      if (this.#textOf(subject) === "") this.#sql.exec("DELETE FROM kg_vector_due WHERE subject = ?", subject);
      else this.#sql.exec("INSERT OR IGNORE INTO kg_vector_due (subject) VALUES (?)", subject);
    }
  }

  /** Those whose subjects were named first. Asked once what is due has landed. */
  due(limit: number): DueText[] {
    if (this.#table === null) return [];
    const rows = this.#sql.exec("SELECT subject FROM kg_vector_due ORDER BY subject LIMIT ?", limit) as number[][];
    return rows.map(([subject]) => ({ subject, text: this.#textOf(subject) }));
  }

  dueCount(): number {
    return this.#table === null ? 0 : (this.#sql.exec("SELECT count(*) FROM kg_vector_due")[0][0] as number);
  }

  /** Inside a slice. A text that has changed since stays due. */
  keep(texts: readonly DueText[], vectors: readonly Float32Array[]): void {
    const kept = texts.flatMap(({ subject, text }, index) =>
      this.#textOf(subject) === text ? [{ subject, group: this.#groupOf(subject), vector: vectors[index] }] : [],
    );
    this.#table!.keep(kept);
    for (const { subject } of kept) this.#sql.exec("DELETE FROM kg_vector_due WHERE subject = ?", subject);
  }

  /** By falling likeness. */
  nearest(group: number, question: Float32Array): { readonly subject: Subject; readonly similarity: number }[] {
    const near: NearVector[] = this.#table === null ? [] : this.#table.nearest(group, question);
    return near.map(({ subject, similarity }) => ({ subject: this.#symbols.datumOf(subject) as Subject, similarity }));
  }

  /** Everything is due. */
  #begin(model: string): void {
    this.#table!.clear();
    this.#sql.exec("DELETE FROM kg_vector_due");
    for (const { kind, fields } of this.#searched.values()) {
      for (const { field } of fields) {
        const id = this.#symbols.findFieldId(kind, field);
        if (id !== 0)
          this.#sql.exec("INSERT OR IGNORE INTO kg_vector_due SELECT DISTINCT subject FROM claim WHERE field = ? AND past = 0", id);
      }
    }
    const silent = this.#sql.exec("SELECT subject FROM kg_vector_due").filter(([subject]) => this.#textOf(subject as number) === "");
    for (const [subject] of silent) this.#sql.exec("DELETE FROM kg_vector_due WHERE subject = ?", subject);
    writeMeta(this.#sql, MODEL_NAME, fingerprint(model));
  }

  #isRead(field: number): boolean {
    let read = this.#fields.get(field);
    if (read === undefined) {
      const { kind, field: name } = this.#symbols.fieldOf(field);
      const searched = this.#searched.get(kind);
      read = searched !== undefined && (name === EMBED_CHARS || searched.fields.some((one) => one.field === name));
      this.#fields.set(field, read);
    }
    return read;
  }

  #groupOf(subject: number): number {
    return this.#searched.get((this.#symbols.datumOf(subject) as Subject).kind)!.group;
  }

  #textOf(subject: number): string {
    const named = this.#symbols.datumOf(subject);
    const searched = named instanceof Subject ? this.#searched.get(named.kind) : undefined;
    if (searched === undefined) return "";
    const { kind } = searched;
    const chars = this.#standing(kind, EMBED_CHARS, subject).at(-1);
    if (chars === 0 || (chars === undefined && this.#standing(kind, "stream", subject).length > 0)) return "";
    const texts = searched.fields.map(({ field }, index) => {
      const text = this.#standing(kind, field, subject)
        .filter((value) => typeof value === "string")
        .join("\n");
      return index === searched.fields.length - 1 && typeof chars === "number" ? text.slice(0, chars) : text;
    });
    return embeddedPart(texts.filter((text) => text !== "").join("\n"));
  }

  #standing(kind: string, field: string, subject: number): unknown[] {
    const id = this.#symbols.findFieldId(kind, field);
    if (id === 0) return [];
    return this.#sql
      .exec("SELECT value FROM claim WHERE field = ? AND subject = ? AND past = 0 ORDER BY id", id, subject)
      .map(([value]) => this.#symbols.datumOf(value as number));
  }
}
