/**
 * `math.exp2`, to the last bit of the C library under CPython: a table of 128 powers and a short polynomial, no fused
 * multiply-add (the library has none for this function).
 */
import { fromWords, highWord, lowWord } from "../value/float-bits";
import { EXP_TABLE } from "../value/float-tables.generated";

/** 1.5 * 2**45: adding it rounds to 1/128. */
const SHIFT = 52776558133248;
const C1 = Math.LN2;
const C2 = 0.24022650695909065;
const C3 = 0.0555041086686087;
const C4 = 0.009618131975721055;
const C5 = 0.0013332074570119598;

export function exp2(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x >= 1024) return Number.POSITIVE_INFINITY;
  if (x <= -1075) return 0;
  if (Math.abs(x) < 5.551115123125783e-17) return 1 + x;
  const shifted = x + SHIFT;
  const k = lowWord(shifted) | 0;
  const r = x - (shifted - SHIFT);
  const at = (k & 127) * 2;
  const head = EXP_TABLE[at + 1];
  const r2 = r * r;
  const part = EXP_TABLE[at] + r * C1 + r2 * (C2 + r * C3) + r2 * r2 * (C4 + r * C5);
  const exponent = k >> 7;
  if (Math.abs(x) <= 928) {
    const scale = fromWords(highWord(head) + (exponent << 20), lowWord(head));
    return scale + scale * part;
  }
  if (exponent > 0) {
    const scale = fromWords(highWord(head) + ((exponent - 1) << 20), lowWord(head));
    return 2 * (scale + scale * part);
  }
  // Below 2**-1022 the result is rounded once: added to 1, where its last bits fall off.
  const scale = fromWords(highWord(head) + ((exponent + 1022) << 20), lowWord(head));
  let y = scale + scale * part;
  if (y < 1) {
    const rest = scale - y + scale * part;
    const high = 1 + y;
    y = high + (1 - high + y + rest) - 1;
  }
  return 2.2250738585072014e-308 * y;
}
