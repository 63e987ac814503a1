/**
 * CPython's hash of text and bytes under PYTHONHASHSEED=0: SipHash-1-3 with a zero key over the characters, stored one,
 * two or four bytes wide by the widest of them. 64-bit words are pairs of 32-bit halves, because BigInt is ten times slower.
 *
 * The result is left in `sip` (two's complement, low and high half), so that no object is made a hash.
 */

export const sip = { lo: 0, hi: 0 };

let v0l = 0,
  v0h = 0,
  v1l = 0,
  v1h = 0,
  v2l = 0,
  v2h = 0,
  v3l = 0,
  v3h = 0;

function start(): void {
  v0l = 0x70736575;
  v0h = 0x736f6d65;
  v1l = 0x6e646f6d;
  v1h = 0x646f7261;
  v2l = 0x6e657261;
  v2h = 0x6c796765;
  v3l = 0x79746573;
  v3h = 0x74656462;
}

function round(): void {
  // v0 += v1; v1 = rotl(v1, 13) ^ v0; v0 = rotl(v0, 32)
  let l = (v0l >>> 0) + (v1l >>> 0);
  v0h = (v0h + v1h + (l > 0xffffffff ? 1 : 0)) | 0;
  v0l = l | 0;
  let t = (v1l << 13) | (v1h >>> 19);
  v1h = ((v1h << 13) | (v1l >>> 19)) ^ v0h;
  v1l = t ^ v0l;
  t = v0l;
  v0l = v0h;
  v0h = t;
  // v2 += v3; v3 = rotl(v3, 16) ^ v2
  l = (v2l >>> 0) + (v3l >>> 0);
  v2h = (v2h + v3h + (l > 0xffffffff ? 1 : 0)) | 0;
  v2l = l | 0;
  t = (v3l << 16) | (v3h >>> 16);
  v3h = ((v3h << 16) | (v3l >>> 16)) ^ v2h;
  v3l = t ^ v2l;
  // v0 += v3; v3 = rotl(v3, 21) ^ v0
  l = (v0l >>> 0) + (v3l >>> 0);
  v0h = (v0h + v3h + (l > 0xffffffff ? 1 : 0)) | 0;
  v0l = l | 0;
  t = (v3l << 21) | (v3h >>> 11);
  v3h = ((v3h << 21) | (v3l >>> 11)) ^ v0h;
  v3l = t ^ v0l;
  // v2 += v1; v1 = rotl(v1, 17) ^ v2; v2 = rotl(v2, 32)
  l = (v2l >>> 0) + (v1l >>> 0);
  v2h = (v2h + v1h + (l > 0xffffffff ? 1 : 0)) | 0;
  v2l = l | 0;
  t = (v1l << 17) | (v1h >>> 15);
  v1h = ((v1h << 17) | (v1l >>> 15)) ^ v2h;
  v1l = t ^ v2l;
  t = v2l;
  v2l = v2h;
  v2h = t;
}

function word(lo: number, hi: number): void {
  v3l ^= lo;
  v3h ^= hi;
  round();
  v0l ^= lo;
  v0h ^= hi;
}

function finish(): void {
  v2l ^= 0xff;
  round();
  round();
  round();
  sip.lo = v0l ^ v1l ^ v2l ^ v3l;
  sip.hi = v0h ^ v1h ^ v2h ^ v3h;
  // -1 means an error in CPython and becomes -2.
  if (sip.lo === -1 && sip.hi === -1) sip.lo = -2;
}

/** Hash of bytes; empty is 0. */
export function sipBytes(b: Uint8Array): void {
  const n = b.length;
  if (n === 0) {
    sip.lo = 0;
    sip.hi = 0;
    return;
  }
  start();
  let i = 0;
  for (; i + 8 <= n; i += 8)
    word(b[i] | (b[i + 1] << 8) | (b[i + 2] << 16) | (b[i + 3] << 24), b[i + 4] | (b[i + 5] << 8) | (b[i + 6] << 16) | (b[i + 7] << 24));
  let lo = 0;
  let hi = (n & 0xff) << 24;
  for (let k = 0; i + k < n; k++) {
    if (k < 4) lo |= b[i + k] << (8 * k);
    else hi |= b[i + k] << (8 * (k - 4));
  }
  word(lo, hi);
  finish();
}

/** Hash of a well-formed text; empty is 0. */
export function sipText(text: string): void {
  const n = text.length;
  let widest = 0;
  for (let i = 0; i < n; i++) widest |= text.charCodeAt(i);
  if (widest >= 0x100 || n === 0) {
    sipBytes(wideBytes(text));
    return;
  }
  start();
  let i = 0;
  for (; i + 8 <= n; i += 8)
    word(
      text.charCodeAt(i) | (text.charCodeAt(i + 1) << 8) | (text.charCodeAt(i + 2) << 16) | (text.charCodeAt(i + 3) << 24),
      text.charCodeAt(i + 4) | (text.charCodeAt(i + 5) << 8) | (text.charCodeAt(i + 6) << 16) | (text.charCodeAt(i + 7) << 24),
    );
  let lo = 0;
  let hi = (n & 0xff) << 24;
  for (let k = 0; i + k < n; k++) {
    if (k < 4) lo |= text.charCodeAt(i + k) << (8 * k);
    else hi |= text.charCodeAt(i + k) << (8 * (k - 4));
  }
  word(lo, hi);
  finish();
}

function wideBytes(text: string): Uint8Array {
  if (!/[\ud800-\udfff]/.test(text)) {
    const b = new Uint8Array(text.length * 2);
    for (let i = 0; i < text.length; i++) {
      const c = text.charCodeAt(i);
      b[2 * i] = c;
      b[2 * i + 1] = c >> 8;
    }
    return b;
  }
  const codes = [...text];
  const b = new Uint8Array(codes.length * 4);
  codes.forEach((ch, i) => {
    const c = ch.codePointAt(0)!;
    b[4 * i] = c;
    b[4 * i + 1] = c >> 8;
    b[4 * i + 2] = c >> 16;
  });
  return b;
}
