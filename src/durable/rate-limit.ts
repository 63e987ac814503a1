/**
 * A token bucket for each key: `burst` calls at once, `perSecond` on average.
 *
 * Pure: the clock comes in, milliseconds. Buckets live in memory; an object that lost its memory was idle
 * long enough for every bucket to have filled again. A full bucket is forgotten, so the table stays as
 * small as the set of keys that called within the last refill.
 */
import { assert } from "../failure";

interface Bucket {
  tokens: number;
  atMs: number;
}

/** Buckets kept before full ones are looked for and dropped. */
const BUCKETS_BEFORE_SWEEP = 1024;

export class RateLimit {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(rate: { readonly perSecond: number; readonly burst: number }) {
    assert(rate.perSecond > 0 && Number.isFinite(rate.perSecond), "a rate is a positive number");
    assert(rate.burst >= 1, "a burst admits at least one call");
    this.#perSecond = rate.perSecond;
    this.#burst = rate.burst;
  }

  /** Takes one token and gives 0, or gives the whole seconds after which a token will be there, at least 1. */
  take(key: string, nowMs: number): number {
    const waitS = this.waitS(key, nowMs);
    if (waitS === 0) this.#refilled(key, nowMs).tokens -= 1;
    return waitS;
  }

  /** As `take`, and takes nothing. */
  waitS(key: string, nowMs: number): number {
    const { tokens } = this.#refilled(key, nowMs);
    return tokens >= 1 ? 0 : Math.max(1, Math.ceil((1 - tokens) / this.#perSecond));
  }

  #refilled(key: string, nowMs: number): Bucket {
    const known = this.#buckets.get(key);
    if (known !== undefined) {
      // A clock that steps back gives nothing and takes nothing.
      const elapsedMs = Math.max(0, nowMs - known.atMs);
      known.tokens = Math.min(this.#burst, known.tokens + (elapsedMs * this.#perSecond) / 1000);
      known.atMs = Math.max(known.atMs, nowMs);
      return known;
    }
    if (this.#buckets.size >= BUCKETS_BEFORE_SWEEP) this.#sweep(nowMs);
    const fresh = { tokens: this.#burst, atMs: nowMs };
    this.#buckets.set(key, fresh);
    return fresh;
  }

  #sweep(nowMs: number): void {
    for (const [key, bucket] of this.#buckets) {
      if (bucket.tokens + ((nowMs - bucket.atMs) * this.#perSecond) / 1000 >= this.#burst) this.#buckets.delete(key);
    }
  }
}
