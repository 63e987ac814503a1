/**
 * The subjects of a Kind that recorded claims in force name, as a relation: what a parameter that no premise binds
 * ranges over (rulings, "What a rule's parameter ranges over").
 *
 * A subject may be named by many facts, so mentions are counted by span; the relation holds one row a maximal span,
 * the subject standing in both columns.
 */
import { assert } from "../failure";
import { Relation } from "./relation";
import { NEVER_SPANS, normalSpans, sameSpans } from "./spans";

interface Mention {
  readonly from: number;
  readonly to: number;
  count: number;
}

export class SubjectRange {
  readonly relation = new Relation();
  readonly #mentions = new Map<number, Mention[]>();
  readonly #journal: { readonly subject: number; readonly from: number; readonly to: number; readonly sign: number }[] = [];
  readonly #changed = new Set<number>();

  change(subject: number, from: number, to: number, sign: 1 | -1): void {
    this.#count(subject, from, to, sign);
    this.#journal.push({ subject, from, to, sign });
    this.#changed.add(subject);
  }

  /** Brings the relation up to the counts; once a batch. */
  refresh(): void {
    const { relation } = this;
    for (const subject of this.#changed) {
      const mentions = this.#mentions.get(subject);
      const spans = mentions === undefined ? NEVER_SPANS : normalSpans(mentions.flatMap((m) => [m.from, m.to]));
      if (sameSpans(relation.derivedSpans(subject, subject, subject, false), spans)) continue;
      for (let row = relation.pairFirst(subject, subject); row >= 0; row = relation.pairNext[row]!) {
        if (relation.subject[row] === subject && relation.isLive(row)) relation.kill(row);
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

  #count(subject: number, from: number, to: number, sign: number): void {
    let mentions = this.#mentions.get(subject);
    if (mentions === undefined) {
      mentions = [];
      this.#mentions.set(subject, mentions);
    }
    const at = mentions.findIndex((m) => m.from === from && m.to === to);
    if (at < 0) {
      mentions.push({ from, to, count: sign });
      return;
    }
    const mention = mentions[at]!;
    mention.count += sign;
    if (mention.count !== 0) return;
    mentions.splice(at, 1);
    if (mentions.length === 0) this.#mentions.delete(subject);
  }

  check(): void {
    for (const mentions of this.#mentions.values()) for (const m of mentions) assert(m.count > 0, "a mention that goes has come");
  }
}
