/**
 * SipHash-2-4 of bytes under a 128-bit key (Aumasson and Bernstein 2012), the 64-bit result in two 32-bit halves.
 *
 * Sixty-four-bit words are pairs of 32-bit ints: BigInt would cost ten times as much, and this runs once for
 * every new name or value.
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

// v0..v3 as (low, high); module-level so that a round allocates nothing.
let a0 = 0;
let a1 = 0;
let b0 = 0;
let b1 = 0;
let c0 = 0;
let c1 = 0;
let d0 = 0;
let d1 = 0;

/** Halves of the last hash, unsigned. */
export const sipResult = { low: 0, high: 0 };

/** Leaves the hash of `bytes` in `sipResult`. */
export function sipHash(key: SipKey, bytes: Uint8Array): void {
  a0 = key.low0 ^ 0x70736575;
  a1 = key.high0 ^ 0x736f6d65;
  b0 = key.low1 ^ 0x6e646f6d;
  b1 = key.high1 ^ 0x646f7261;
  c0 = key.low0 ^ 0x6e657261;
  c1 = key.high0 ^ 0x6c796765;
  d0 = key.low1 ^ 0x79746573;
  d1 = key.high1 ^ 0x74656462;
  const whole = bytes.length & ~7;
  for (let i = 0; i < whole; i += 8) compress(word(bytes, i), word(bytes, i + 4));
  let low = 0;
  let high = (bytes.length & 0xff) << 24;
  for (let i = whole; i < bytes.length; i++) {
    const shift = (i & 7) * 8;
    if (shift < 32) low |= bytes[i] << shift;
    else high |= bytes[i] << (shift - 32);
  }
  compress(low, high);
  c0 ^= 0xff;
  round();
  round();
  round();
  round();
  sipResult.low = (a0 ^ b0 ^ c0 ^ d0) >>> 0;
  sipResult.high = (a1 ^ b1 ^ c1 ^ d1) >>> 0;
}

function word(bytes: Uint8Array, at: number): number {
  return bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
}

function compress(low: number, high: number): void {
  d0 ^= low;
  d1 ^= high;
  round();
  round();
  a0 ^= low;
  a1 ^= high;
}

function round(): void {
  // v0 += v1; v1 = rotl(v1, 13) ^ v0; v0 = rotl(v0, 32)
  let sum = (a0 >>> 0) + (b0 >>> 0);
  let high = (a1 + b1 + (sum > 0xffffffff ? 1 : 0)) | 0;
  let low = sum | 0;
  let turned = (b0 << 13) | (b1 >>> 19);
  b1 = ((b1 << 13) | (b0 >>> 19)) ^ high;
  b0 = turned ^ low;
  a0 = high;
  a1 = low;
  // v2 += v3; v3 = rotl(v3, 16) ^ v2
  sum = (c0 >>> 0) + (d0 >>> 0);
  c1 = (c1 + d1 + (sum > 0xffffffff ? 1 : 0)) | 0;
  c0 = sum | 0;
  turned = (d0 << 16) | (d1 >>> 16);
  d1 = ((d1 << 16) | (d0 >>> 16)) ^ c1;
  d0 = turned ^ c0;
  // v0 += v3; v3 = rotl(v3, 21) ^ v0
  sum = (a0 >>> 0) + (d0 >>> 0);
  a1 = (a1 + d1 + (sum > 0xffffffff ? 1 : 0)) | 0;
  a0 = sum | 0;
  turned = (d0 << 21) | (d1 >>> 11);
  d1 = ((d1 << 21) | (d0 >>> 11)) ^ a1;
  d0 = turned ^ a0;
  // v2 += v1; v1 = rotl(v1, 17) ^ v2; v2 = rotl(v2, 32)
  sum = (c0 >>> 0) + (b0 >>> 0);
  high = (c1 + b1 + (sum > 0xffffffff ? 1 : 0)) | 0;
  low = sum | 0;
  turned = (b0 << 17) | (b1 >>> 15);
  b1 = ((b1 << 17) | (b0 >>> 15)) ^ high;
  b0 = turned ^ low;
  c0 = high;
  c1 = low;
}
