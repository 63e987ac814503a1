/**
 * Full-text search over subjects: which fields make up the text of a subject, and the index kept in step with its claims.
 *
 * A subject's text is what stands at its searched fields, in the order of the fields and of the claims; superseded versions,
 * what stands only in a branch or a world, and values that are no text are not part of it. Ranking is text-index.ts.
 */
import type { Subject } from "../datum";
import type { NetClaim } from "./claim-row";
import type { Projection, ProjectionSite } from "./projection";
import type { Sql } from "./sql";
import type { SymbolTable } from "./symbol";
import { type TextDocument, TextIndex } from "./text-index";

/** A Kind that is searched. */
export interface SearchedKind {
  readonly kind: string;
  /** Kinds of one group are searched and ranked together. */
  readonly group: number;
  /** A word counts as often as its field weighs, a whole number from 1. */
  readonly fields: readonly { readonly field: string; readonly weight: number }[];
}

export interface TextSearchQuery {
  readonly group: number;
  readonly text: string;
  /** Whether a subject's text must hold all words of the query, or any of them. */
  readonly mode: "all" | "any";
  readonly limit: number;
  /** What may be answered; asked by falling score until `limit` are found. */
  readonly accepts?: (subject: Subject) => boolean;
}

/** `score` is above 0 and grows with relevance; it compares only within one search. */
export interface TextFound {
  readonly subject: Subject;
  readonly score: number;
}

export class TextSearch implements Projection {
  readonly #index: TextIndex;
  readonly #sql: Sql;
  readonly #symbols: SymbolTable;
  readonly #searched: ReadonlyMap<string, SearchedKind>;
  /** Whether a field is searched, by its id. */
  readonly #known = new Map<number, boolean>();

  /** `searched`: the same at every opening of a store. */
  constructor({ sql, cipher, symbols }: ProjectionSite, searched: readonly SearchedKind[]) {
    this.#index = new TextIndex(sql, cipher.lookupKey);
    this.#sql = sql;
    this.#symbols = symbols;
    this.#searched = new Map(searched.map((one) => [one.kind, one]));
    if (this.#index.isNew) this.#fill();
  }

  follow(claims: readonly NetClaim[]): void {
    const changed = new Set<number>();
    for (const { before, after } of claims) {
      const row = after ?? before;
      if (row !== null && this.#isSearched(row.field)) changed.add(row.subject);
    }
    this.#reread(changed);
  }

  /** The best subjects, by falling score; equal ones, the one named first before. Only what has been saved is found. */
  find({ accepts, ...query }: TextSearchQuery): TextFound[] {
    const subjectOf = (document: number): Subject => this.#symbols.datumOf(document) as Subject;
    return this.#index
      .search({ ...query, accepts: accepts && ((document) => accepts(subjectOf(document))) })
      .map(({ document, score }) => ({ subject: subjectOf(document), score }));
  }

  #reread(subjects: Iterable<number>): void {
    const gone: number[] = [];
    const come: TextDocument[] = [];
    for (const subject of subjects) {
      const document = this.#document(subject);
      if (document.parts.length === 0) gone.push(subject);
      else come.push(document);
    }
    this.#index.follow(gone, come);
  }

  #document(subject: number): TextDocument {
    const { kind } = this.#symbols.datumOf(subject) as Subject;
    const { group, fields } = this.#searched.get(kind)!;
    const parts = fields.flatMap(({ field, weight }) =>
      this.#sql
        .exec(
          "SELECT value FROM claim WHERE field = ? AND subject = ? AND past = 0 ORDER BY id",
          this.#symbols.findFieldId(kind, field),
          subject,
        )
        .map(([value]) => this.#symbols.datumOf(value as number))
        .filter((text) => typeof text === "string")
        .map((text) => ({ text, weight })),
    );
    return { document: subject, group, parts };
  }

  /** Claims older than the index. */
  #fill(): void {
    const subjects = new Set<number>();
    for (const { kind, fields } of this.#searched.values()) {
      for (const { field } of fields) {
        const id = this.#symbols.findFieldId(kind, field);
        for (const [subject] of this.#sql.exec("SELECT DISTINCT subject FROM claim WHERE field = ? AND past = 0", id))
          subjects.add(subject as number);
      }
    }
    this.#reread([...subjects].sort((a, b) => a - b));
  }

  #isSearched(field: number): boolean {
    let searched = this.#known.get(field);
    if (searched === undefined) {
      const { kind, field: name } = this.#symbols.fieldOf(field);
      searched = this.#searched.get(kind)?.fields.some((one) => one.field === name) ?? false;
      this.#known.set(field, searched);
    }
    return searched;
  }
}
