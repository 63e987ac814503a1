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

export class FloodBrake {
  readonly #limit: RateLimit;
  constructor(perS: number) {
    this.#limit = new RateLimit({ perSecond: perS, burst: perS * BURST_S });
  }

  /** Counts one request without a valid key. Zero where it is within bounds, else the whole seconds to wait. */
  count(address: string, nowMs: number): number {
    return this.#limit.take(String(crc32(address) % SLOTS), nowMs);
  }
}
