/**
 * Answers that a call was given and that are not worked out yet: they are before what they rest on changes, so that a
 * claim once read says the same whenever it is asked.
 *
 * Kept a call: what it does itself (a write, a rollback, going in or out of a world) decides, never another call beside
 * it. The last ones given out are worked out, up to a bound; one further back than that refuses once it is too late.
 */
import { OWED_ANSWERS_MAX, PROOF_NODES_MAX } from "../limits";

export interface Owed {
  /** Works it out, if it is not yet. How many nodes of proof that took. */
  settle(): number;
}

export class OwedAnswers {
  /** How often what shows has changed since the call began. */
  era = 0;
  #owed: Owed[] = [];

  add(answer: Owed): void {
    this.#owed.push(answer);
    if (this.#owed.length >= 2 * OWED_ANSWERS_MAX) this.#owed = this.#owed.slice(-OWED_ANSWERS_MAX);
  }

  /** What shows is about to change. */
  settle(): void {
    if (this.#owed.length === 0) return;
    const owed = this.#owed.slice(-OWED_ANSWERS_MAX);
    this.#owed = [];
    let nodes = 0;
    for (let answer = owed.pop(); answer !== undefined && nodes < PROOF_NODES_MAX; answer = owed.pop()) nodes += answer.settle();
    this.era++;
  }
}
