import { describe, expect, test } from "vitest";
import { RateLimit } from "../../src/durable/rate-limit";

const at = (perSecond: number, burst: number, key: string, ...timesMs: number[]): number[] => {
  const limit = new RateLimit({ perSecond, burst });
  return timesMs.map((ms) => limit.take(key, ms));
};

describe("rate limit", () => {
  test.each([
    ["a burst is admitted whole, the call after it is not", 1, 3, [0, 0, 0, 0], [0, 0, 0, 1]],
    ["a token comes back after its time and not before", 2, 1, [0, 499, 500], [0, 1, 0]],
    ["tokens never pass the burst", 10, 2, [0, 100_000, 100_000, 100_000], [0, 0, 0, 1]],
    ["a refused call takes no token", 1, 1, [0, 100, 200, 300, 1000], [0, 1, 1, 1, 0]],
    ["the wait is in whole seconds, rounded up", 0.1, 1, [0, 0, 5000, 9500], [0, 10, 5, 1]],
    ["a clock that steps back gives nothing", 1, 1, [10_000, 5_000, 9_000, 11_000], [0, 1, 1, 0]],
  ])("[6] %s", (_, perSecond, burst, times, waits) => {
    expect(at(perSecond, burst, "k", ...times)).toEqual(waits);
  });

  test("[6] waiting for the time it named is enough [C7.43]", () => {
    for (const perSecond of [0.3, 1, 7, 1000]) {
      const limit = new RateLimit({ perSecond, burst: 5 });
      let now = 1_000;
      for (let call = 0; call < 50; call++) {
        const wait = limit.take("k", now);
        if (wait === 0) continue;
        now += wait * 1000;
        expect(limit.take("k", now)).toBe(0);
      }
    }
  });

  test("[6] each key has a bucket of its own, and full buckets are forgotten without giving anything away", () => {
    const limit = new RateLimit({ perSecond: 1, burst: 1 });
    expect(limit.take("spent", 0)).toBe(0);
    for (let key = 0; key < 3000; key++) expect(limit.take(`k${key}`, 0)).toBe(0);
    expect(limit.take("spent", 10)).toBe(1);
    for (let key = 0; key < 3000; key++) expect(limit.take(`later${key}`, 5000)).toBe(0);
    expect(limit.take("spent", 5000)).toBe(0);
    expect(limit.take("spent", 5000)).toBe(1);
  });
});
