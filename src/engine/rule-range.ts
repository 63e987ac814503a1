/**
 * The subjects of a Kind that recorded claims in force name, as a relation: what a parameter that no premise binds
 * ranges over (rulings, "What a rule's parameter ranges over").
 *
 * A subject may be named by many facts, so mentions are counted by span; the relation holds one row a maximal span,
 * the subject standing in both columns.
 */
import { assert } from "../failure";
import { Relation } from "./relation";
import { ALWAYS_SPANS, NEVER_SPANS, normalSpans, type Spans, sameSpans } from "./spans";

interface Mention {
  readonly from: number;
  readonly to: number;
  count: number;
}

export class SubjectRange {
  readonly relation = new Relation();
  /** How many facts without a window name a subject: nearly all do, and cost no object. */
  readonly #always = new Map<number, number>();
  readonly #windowed = new Map<number, Mention[]>();
  readonly #journal: { readonly subject: number; readonly from: number; readonly to: number; readonly sign: number }[] = [];
  readonly #changed = new Set<number>();

  /** Mentions of the state as it stands when the range is made. */
  load(subject: number, from: number, to: number, count: number): void {
    this.#count(subject, from, to, count);
    this.#changed.add(subject);
  }

  change(subject: number, from: number, to: number, sign: 1 | -1): void {
    this.#count(subject, from, to, sign);
    this.#journal.push({ subject, from, to, sign });
    this.#changed.add(subject);
  }

  /** Brings the relation up to the counts; once a batch. */
  refresh(): void {
    const { relation } = this;
    for (const subject of this.#changed) {
      const spans = this.#spans(subject);
      if (sameSpans(relation.derivedSpans(subject, subject, subject, false), spans)) continue;
      for (let row = relation.pairFirst(subject, subject); row >= 0; row = relation.pairNext(row)) {
        if (relation.subjectOf(row) === subject && relation.isLive(row)) relation.kill(row);
      }
      for (let i = 0; i < spans.length; i += 2) relation.add(subject, subject, subject, spans[i]!, spans[i + 1]!, 1);
    }
    this.#changed.clear();
  }

  settle(): void {
    this.#journal.length = 0;
    this.relation.settle();
  }

  revert(): void {
    for (const { subject, from, to, sign } of this.#journal) this.#count(subject, from, to, -sign);
    this.#journal.length = 0;
    this.#changed.clear();
    this.relation.revert();
  }

  #spans(subject: number): Spans {
    if ((this.#always.get(subject) ?? 0) > 0) return ALWAYS_SPANS;
    const mentions = this.#windowed.get(subject);
    return mentions === undefined ? NEVER_SPANS : normalSpans(mentions.flatMap((m) => [m.from, m.to]));
  }

  #count(subject: number, from: number, to: number, by: number): void {
    if (from === Number.NEGATIVE_INFINITY && to === Number.POSITIVE_INFINITY) {
      const count = (this.#always.get(subject) ?? 0) + by;
      assert(count >= 0, "a mention that goes has come");
      if (count === 0) this.#always.delete(subject);
      else this.#always.set(subject, count);
      return;
    }
    let mentions = this.#windowed.get(subject);
    if (mentions === undefined) {
      mentions = [];
      this.#windowed.set(subject, mentions);
    }
    const at = mentions.findIndex((m) => m.from === from && m.to === to);
    if (at < 0) {
      assert(by > 0, "a mention that goes has come");
      mentions.push({ from, to, count: by });
      return;
    }
    const mention = mentions[at]!;
    mention.count += by;
    if (mention.count !== 0) return;
    mentions.splice(at, 1);
    if (mentions.length === 0) this.#windowed.delete(subject);
  }
}
