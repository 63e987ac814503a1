/**
 * What one request waits for of the embedder: the meaning of an op's question, and texts that are due.
 *
 * Due texts are embedded with the next question, so that it finds them, and at the end of a request that may write, so that the
 * next one need not wait for them. As many at a time as a call of the embedder takes; what is beyond `ROUNDS_MAX` of those stays
 * due, and so does everything where the embedder fails, which is not asked again in this request. No op fails for it.
 */
import { allows } from "../../engine/level";
import type { Session } from "../../engine/session";
import { assert } from "../../failure";
import { EMBEDDED_TEXTS_A_CALL } from "../../limits";
import type { Embedded } from "../../tools/answer";
import { embeddedPart, type Meaning } from "./embedder";
import { type DueText, VectorSearch } from "./vector-search";

const ROUNDS_MAX = 8;

/** What was asked for: a question, if there is one, and then texts that are due. */
interface Asked {
  readonly question: boolean;
  readonly due: readonly DueText[];
  readonly texts: readonly string[];
}

export class VectorsOfRequest {
  readonly #search: VectorSearch | null;
  readonly #session: Session;
  #meaning: Meaning | null = null;
  #asked: Asked | null = null;
  #came: { readonly due: readonly DueText[]; readonly vectors: readonly Float32Array[] } | null = null;
  #rounds = 0;
  #failure: Extract<Embedded, { readonly tag: "failed" }> | null = null;

  /** `session`: of the request. */
  constructor(model: string | null, session: Session) {
    this.#search = model === null ? null : session.ledger.projection(VectorSearch);
    this.#session = session;
  }

  get waitsFor(): readonly string[] | null {
    return this.#asked?.texts ?? null;
  }
  /** Of the question of the op that begins. */
  get meaning(): Meaning | null {
    return this.#meaning;
  }

  /** True where the op that asks this has to wait. */
  asks(question: string | null): boolean {
    if (this.#search === null || question === null || question.trim() === "") return false;
    this.#meaning ??= this.#failure;
    if (this.#failure !== null) return false;
    return this.#wait(this.#search, this.#meaning === null ? question : null);
  }

  forgetQuestion(): void {
    this.#meaning = null;
  }

  /** At the end: true where texts that are due are worth waiting for. */
  leftOver(): boolean {
    return this.#search !== null && this.#failure === null && this.#wait(this.#search, null);
  }

  provide(embedded: Embedded): void {
    const asked = this.#asked;
    assert(asked !== null, "vectors are given to who waits for them");
    this.#asked = null;
    if (embedded.tag === "failed") {
      this.#failure = embedded;
      if (asked.question) this.#meaning = embedded;
      return;
    }
    const { vectors } = embedded;
    assert(vectors.length === asked.texts.length, "each text has its vector");
    if (asked.question) this.#meaning = { tag: "known", vector: vectors[0] };
    this.#came = { due: asked.due, vectors: asked.question ? vectors.slice(1) : vectors };
  }

  /** In the slice after: what came is kept. Gives what that costs, in ops. */
  keep(): number {
    if (this.#came === null) return 0;
    const { due, vectors } = this.#came;
    this.#came = null;
    if (due.length > 0) this.#search!.keep(due, vectors);
    return due.length + (this.#meaning === null ? 0 : 1);
  }

  #wait(search: VectorSearch, question: string | null): boolean {
    this.#session.ledger.landedSql();
    const asked = question === null ? [] : [embeddedPart(question)];
    const mayKeep = allows(this.#session.level, "read-add") && this.#rounds < ROUNDS_MAX;
    const due = mayKeep ? search.due(EMBEDDED_TEXTS_A_CALL - asked.length) : [];
    if (asked.length + due.length === 0) return false;
    this.#rounds++;
    this.#asked = { question: question !== null, due, texts: [...asked, ...due.map((one) => one.text)] };
    return true;
  }
}
