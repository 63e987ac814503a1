/**
 * A brake on traffic that presents no valid key: HTTP 429 for a flood, nothing for anybody else.
 *
 * It lives in this isolate's memory, costs no I/O and need not be exact: addresses share a fixed number of slots, so a
 * flood from many addresses fills no memory. A caller with a valid key is never counted; its own limit is -32002.
 */
import { RateLimit } from "../durable/rate-limit";
import { crc32 } from "./key";

const SLOTS = 4096;
/** A slot holds this many seconds of its rate: a client that reconnects a few times is not a flood. */
const BURST_S = 10;

/** Keys that were known to their stores a moment ago, as far as this isolate has seen. */
const KEYS_SEEN_MAX = 10_000;

export class FloodBrake {
  readonly #limit: RateLimit;
  constructor(perS: number) {
    this.#limit = new RateLimit({ perSecond: perS, burst: perS * BURST_S });
  }

  /** Counts one request without a valid key. Zero where it is within bounds, else the whole seconds to wait. */
  count(address: string, nowMs: number): number {
    return this.#limit.take(slotOf(address), nowMs);
  }

  /** Whether this address is past its bounds now: as `count`, and counts nothing. */
  waitS(address: string, nowMs: number): number {
    return this.#limit.waitS(slotOf(address), nowMs);
  }
}

function slotOf(address: string): string {
  return String(crc32(address) % SLOTS);
}

/**
 * Hashes of keys that opened their stores. Whoever is among them is let through also from an address under the brake;
 * anything else from there costs no object call. Only a memory of this isolate: it opens nothing.
 */
export class KeysSeen {
  readonly #hashes = new Set<string>();

  has(keyHash: string): boolean {
    return this.#hashes.has(keyHash);
  }

  add(keyHash: string): void {
    if (this.#hashes.has(keyHash)) return;
    if (this.#hashes.size >= KEYS_SEEN_MAX) {
      const [oldest] = this.#hashes;
      this.#hashes.delete(oldest);
    }
    this.#hashes.add(keyHash);
  }

  delete(keyHash: string): void {
    this.#hashes.delete(keyHash);
  }
}
