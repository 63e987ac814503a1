/**
 * Full-text search by the names callers use: which fields are searched, and the index kept in step with their claims.
 *
 * A text is found while its claim stands: superseded versions, texts that are not in the store itself (branches, worlds) and
 * values that are no text are not. Ranking is text-index.ts.
 */
import type { Subject } from "../datum";
import type { NetClaim } from "./claim-row";
import { isPast } from "./claim-row";
import type { Projection, ProjectionSite } from "./projection";
import type { Sql } from "./sql";
import type { SymbolTable } from "./symbol";
import { type TextDocument, TextIndex } from "./text-index";

/** A field whose texts can be searched. */
export interface SearchedField {
  readonly kind: string;
  readonly field: string;
}

export interface TextSearchQuery extends SearchedField {
  readonly text: string;
  /** Whether a text must hold all words of the query, or any of them. */
  readonly mode: "all" | "any";
  readonly limit: number;
  /** What may be answered; asked by falling score until `limit` are found. */
  readonly accepts?: (subject: string) => boolean;
}

/** `score` is above 0 and grows with relevance; it compares only within one search. */
export interface TextFound {
  readonly subject: string;
  readonly score: number;
}

export class TextSearch implements Projection {
  readonly #index: TextIndex;
  readonly #symbols: SymbolTable;
  readonly #searched: ReadonlySet<string>;
  /** Whether a field is searched, by its id. */
  readonly #known = new Map<number, boolean>();

  /** `searched`: the fields, the same at every opening of a store. */
  constructor({ sql, cipher, symbols }: ProjectionSite, searched: readonly SearchedField[]) {
    this.#index = new TextIndex(sql, cipher.lookupKey);
    this.#symbols = symbols;
    this.#searched = new Set(searched.map(({ kind, field }) => `${kind}.${field}`));
    if (this.#index.isNew) for (const { kind, field } of searched) this.#fill(sql, symbols.findFieldId(kind, field));
  }

  follow(claims: readonly NetClaim[]): void {
    const gone: TextDocument[] = [];
    const come: TextDocument[] = [];
    for (const { before, after } of claims) {
      const row = after ?? before;
      if (row === null || !this.#isSearched(row.field)) continue;
      const stood = before !== null && !isPast(before);
      const stands = after !== null && !isPast(after);
      if (stood === stands) continue;
      const text = this.#symbols.datumOf(row.value);
      if (typeof text !== "string") continue;
      (stands ? come : gone).push({ claim: row.id, field: row.field, subject: row.subject, text });
    }
    this.#index.follow(gone, come);
  }

  /** The best texts at a field, by falling score; equal ones, the earlier claim first. Only what has been saved is found. */
  find(query: TextSearchQuery): TextFound[] {
    const field = this.#symbols.findFieldId(query.kind, query.field);
    if (field === 0) return [];
    const { accepts } = query;
    const nameOf = (subject: number): string => (this.#symbols.datumOf(subject) as Subject).name;
    return this.#index
      .search({
        field,
        text: query.text,
        mode: query.mode,
        limit: query.limit,
        accepts: accepts && ((subject) => accepts(nameOf(subject))),
      })
      .map(({ subject, score }) => ({ subject: nameOf(subject), score }));
  }

  /** Claims older than the index. */
  #fill(sql: Sql, field: number): void {
    const come: TextDocument[] = [];
    for (const [claim, subject, value] of sql.exec(
      "SELECT id, subject, value FROM claim WHERE field = ? AND past = 0 ORDER BY id",
      field,
    )) {
      const text = this.#symbols.datumOf(value as number);
      if (typeof text === "string") come.push({ claim: claim as number, field, subject: subject as number, text });
    }
    this.#index.follow([], come);
  }

  #isSearched(field: number): boolean {
    let searched = this.#known.get(field);
    if (searched === undefined) {
      const { kind, field: name } = this.#symbols.fieldOf(field);
      this.#known.set(field, (searched = this.#searched.has(`${kind}.${name}`)));
    }
    return searched;
  }
}
