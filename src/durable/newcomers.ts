/**
 * Which calls of this isolate have only just come: a call that has worked for some time gives way to them.
 *
 * All objects of an isolate share one thread, and a short call crosses it several times: to its object, to its turn, into
 * its answer, back. Waiting each time for a slice of a long call, it would take many times what it takes alone. So the
 * long one goes on once those that have just come are answered, have turned out to be long themselves, or wait for
 * something else; and in any case after `TURNS_GIVEN_MAX` turns, so that nobody holds it up by coming again and again.
 * Its slices are shorter while calls of other stores come. Nothing of what a call answers depends on any of this.
 */
import { NEWCOMER_MS, NEWCOMER_SLICES, OTHERS_LATELY_MS, SLICE_MS, SLICE_MS_AMONG_OTHERS, TURNS_GIVEN, TURNS_GIVEN_MAX } from "../limits";

interface Coming {
  readonly storeId: string;
  readonly atMs: number;
}
const NOBODY: Coming = { storeId: "", atMs: Number.NEGATIVE_INFINITY };

export class Newcomers {
  /** By the token of the call, since when. */
  readonly #sinceMs = new Map<string, number>();
  /** The latest, and the latest of another store than that one's. */
  #latest = NOBODY;
  #latestOfOthers = NOBODY;

  /** It has come, or goes on after it waited. */
  add(token: string, storeId: string, nowMs: number): void {
    this.#sinceMs.set(token, nowMs);
    if (storeId !== this.#latest.storeId) this.#latestOfOthers = this.#latest;
    this.#latest = { storeId, atMs: nowMs };
  }
  delete(token: string): void {
    this.#sinceMs.delete(token);
  }
  has(token: string): boolean {
    return this.#sinceMs.has(token);
  }
  /** Whether there are any. Whoever has been one for long is none any more: what it waits for is not the thread. */
  any(nowMs: number): boolean {
    for (const [token, sinceMs] of this.#sinceMs) {
      if (nowMs - sinceMs <= NEWCOMER_MS) return true;
      this.#sinceMs.delete(token);
    }
    return false;
  }

  /** After so many slices of a call: lets others go on. */
  async giveWay(token: string, slices: number, giveTurn: () => Promise<void>, nowMs: () => number): Promise<void> {
    if (slices < NEWCOMER_SLICES) return giveTurn();
    this.delete(token);
    for (let given = 0; given < TURNS_GIVEN || (given < TURNS_GIVEN_MAX && this.any(nowMs())); given++) await giveTurn();
  }

  /** What a slice of a call on this store may take now. */
  sliceMs(storeId: string, nowMs: number): number {
    const others = this.#latest.storeId === storeId ? this.#latestOfOthers : this.#latest;
    return nowMs - others.atMs <= OTHERS_LATELY_MS ? SLICE_MS_AMONG_OTHERS : SLICE_MS;
  }
}

export const NEWCOMERS = new Newcomers();
