/**
 * SipHash-2-4 of bytes under a 128-bit key (Aumasson and Bernstein 2012), the 64-bit result in two 32-bit halves.
 *
 * Sixty-four-bit words are pairs of 32-bit ints: BigInt would cost ten times as much, and this runs once for
 * every new name or value. All rounds are one loop over local variables: kept
 * between calls, a half that takes all 32 bits would be a box of its own where the platform's small ints have 31.
 */

/** State words of one key, ready to start a hash. */
export class SipKey {
  readonly low0: number;
  readonly high0: number;
  readonly low1: number;
  readonly high1: number;
  constructor(key: readonly [bigint, bigint]) {
    this.low0 = Number(key[0] & 0xffffffffn) | 0;
    this.high0 = Number((key[0] >> 32n) & 0xffffffffn) | 0;
    this.low1 = Number(key[1] & 0xffffffffn) | 0;
    this.high1 = Number((key[1] >> 32n) & 0xffffffffn) | 0;
  }
}

/** Halves of the last hash, unsigned. */
export const sipResult = { low: 0, high: 0 };

/** Leaves the hash of `bytes` in `sipResult`. */
export function sipHash(key: SipKey, bytes: Uint8Array): void {
  // v0..v3 as (low, high).
  let a0 = key.low0 ^ 0x70736575;
  let a1 = key.high0 ^ 0x736f6d65;
  let b0 = key.low1 ^ 0x6e646f6d;
  let b1 = key.high1 ^ 0x646f7261;
  let c0 = key.low0 ^ 0x6e657261;
  let c1 = key.high0 ^ 0x6c796765;
  let d0 = key.low1 ^ 0x79746573;
  let d1 = key.high1 ^ 0x74656462;
  const whole = bytes.length & ~7;
  // The words of eight bytes, the rest with the length above it, and then what ends the hash.
  for (let i = 0; i <= whole + 8; i += 8) {
    const isEnd = i > whole;
    let low = 0;
    let high = 0;
    if (i < whole) {
      low = bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
      high = bytes[i + 4] | (bytes[i + 5] << 8) | (bytes[i + 6] << 16) | (bytes[i + 7] << 24);
    } else if (!isEnd) {
      high = (bytes.length & 0xff) << 24;
      for (let at = whole; at < bytes.length; at++) {
        const shift = (at & 7) * 8;
        if (shift < 32) low |= bytes[at] << shift;
        else high |= bytes[at] << (shift - 32);
      }
    }
    d0 ^= low;
    d1 ^= high;
    if (isEnd) c0 ^= 0xff;
    for (let rounds = isEnd ? 4 : 2; rounds > 0; rounds--) {
      // v0 += v1; v1 = rotl(v1, 13) ^ v0; v0 = rotl(v0, 32)
      let sum = (a0 + b0) | 0;
      let other = (a1 + b1 + carry(sum, b0)) | 0;
      let turned = (b0 << 13) | (b1 >>> 19);
      b1 = ((b1 << 13) | (b0 >>> 19)) ^ other;
      b0 = turned ^ sum;
      a0 = other;
      a1 = sum;
      // v2 += v3; v3 = rotl(v3, 16) ^ v2
      sum = (c0 + d0) | 0;
      c1 = (c1 + d1 + carry(sum, d0)) | 0;
      c0 = sum;
      turned = (d0 << 16) | (d1 >>> 16);
      d1 = ((d1 << 16) | (d0 >>> 16)) ^ c1;
      d0 = turned ^ c0;
      // v0 += v3; v3 = rotl(v3, 21) ^ v0
      sum = (a0 + d0) | 0;
      a1 = (a1 + d1 + carry(sum, d0)) | 0;
      a0 = sum;
      turned = (d0 << 21) | (d1 >>> 11);
      d1 = ((d1 << 21) | (d0 >>> 11)) ^ a1;
      d0 = turned ^ a0;
      // v2 += v1; v1 = rotl(v1, 17) ^ v2; v2 = rotl(v2, 32)
      sum = (c0 + b0) | 0;
      other = (c1 + b1 + carry(sum, b0)) | 0;
      turned = (b0 << 17) | (b1 >>> 15);
      b1 = ((b1 << 17) | (b0 >>> 15)) ^ other;
      b0 = turned ^ sum;
      c0 = other;
      c1 = sum;
    }
    a0 ^= low;
    a1 ^= high;
  }
  sipResult.low = (a0 ^ b0 ^ c0 ^ d0) >>> 0;
  sipResult.high = (a1 ^ b1 ^ c1 ^ d1) >>> 0;
}

/** Of a sum of two 32-bit halves, by what came out and one of them. */
function carry(sum: number, part: number): number {
  return sum >>> 0 < part >>> 0 ? 1 : 0;
}
