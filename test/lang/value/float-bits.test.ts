/** Exactness of the helpers under the float functions, against a naive twin in integers. */
import { describe, expect, it } from "vitest";
import { decompose, fma, powerOfTwo, scaleByPowerOfTwo } from "../../../src/lang/value/float-bits";
import { ratioToDouble } from "../../../src/lang/value/int";

const SHIFT = 400n;
/** A double with exponent above -400 as an exact integer multiple of 2**-400. */
function fixed(x: number): bigint {
  const { m, e } = decompose(x);
  const v = m << (BigInt(e) + SHIFT);
  return x < 0 ? -v : v;
}

/** The same sequence on every run: a failure names its operands. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

describe("[float-bits.ts] exact helpers", () => {
  it("fma rounds a*b + c once, also where the sum cancels or lies near a tie", () => {
    const next = sequence(7);
    const whole = (n: number): number => Math.floor(next() * n);
    const operand = (spread: number): number => {
      const heads = [whole(2 ** 53), 2 ** 53 - whole(4), whole(2 ** 27), 2 ** 52 + whole(3), whole(1e6)];
      return (next() < 0.5 ? -1 : 1) * heads[whole(5)]! * powerOfTwo(whole(spread) - spread / 2 - 30);
    };
    const wrong: unknown[] = [];
    for (let i = 0; i < 8000; i++) {
      const a = operand(30);
      const b = operand(30);
      const c = [operand(60), -a * b * (1 + (next() - 0.5) * 1e-15), a * b * powerOfTwo(whole(60)), -(a * b) + operand(10)][i % 4]!;
      const exact = fixed(a) * fixed(b) + (fixed(c) << SHIFT);
      const wanted = exact === 0n ? 0 : ratioToDouble(exact, 1n << (2n * SHIFT));
      if (fma(a, b, c) !== wanted) wrong.push([a, b, c, wanted]);
    }
    expect(wrong).toEqual([]);
  });

  it("powers of two over the whole range", () => {
    let p = 1;
    for (let e = 0; e <= 1023; e++, p *= 2) expect(powerOfTwo(e)).toBe(p);
    p = 1;
    for (let e = 0; e >= -1075; e--, p /= 2) expect(powerOfTwo(e)).toBe(p);
    expect(powerOfTwo(1024)).toBe(Number.POSITIVE_INFINITY);
  });

  it("scaling rounds at most once", () => {
    expect(scaleByPowerOfTwo(Number.MAX_VALUE, -2098)).toBe(Number.MIN_VALUE);
    expect(scaleByPowerOfTwo(Number.MIN_VALUE, 2097)).toBe(powerOfTwo(1023));
    expect(scaleByPowerOfTwo(3, -1075)).toBe(2 * Number.MIN_VALUE);
    expect(scaleByPowerOfTwo(1, -5000)).toBe(0);
    expect(scaleByPowerOfTwo(-1, 5000)).toBe(Number.NEGATIVE_INFINITY);
  });

  it.each([
    [1n, 3n, 1 / 3],
    [(1n << 53n) + 1n, 1n, 9007199254740992],
    [(1n << 53n) + 3n, 1n, 9007199254740996],
    [1n, 1n << 1075n, 0],
    [3n, 1n << 1076n, Number.MIN_VALUE],
    [-(10n ** 400n), 1n, Number.NEGATIVE_INFINITY],
    [10n ** 400n, 10n ** 399n * 3n, 10 / 3],
  ])("the double nearest to %s / %s", (n, d, wanted) => {
    expect(ratioToDouble(n, d)).toBe(wanted);
  });
});
