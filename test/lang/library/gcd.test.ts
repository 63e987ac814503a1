/** [3] `math.gcd` and `math.lcm` of long ints are Euclid's, and the same in slices. */
import { expect, test } from "vitest";
import { seeded } from "../../../scripts/seeded.mjs";
import { runProgram } from "../machine/run-program";

function euclid(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

test("[3] gcd of long ints: common factors, neighbours, multiples, one much longer than the other", () => {
  const { next } = seeded(3);
  const long = (digits: number): bigint =>
    BigInt(`0x1${Array.from({ length: digits }, () => Math.floor(next() * 16).toString(16)).join("")}`);
  const pairs = Array.from({ length: 400 }, (_, i): [bigint, bigint] => {
    const [a, b, g] = [long(next() * 90), long(next() * 90), long(next() * 60)];
    if (i % 5 === 0) return [a * g, a * g + b];
    if (i % 7 === 0) return [a * b * g, b];
    return [a * g, b * g];
  });
  const source = `import math\nfor a, b in [${pairs.map(([a, b]) => `(${a}, -${b})`).join(", ")}]:\n    print(math.gcd(a, b), math.lcm(a, b))\n`;
  const expected = pairs.map(([a, b]) => `${euclid(a, b)} ${(a * b) / euclid(a, b)}`);
  for (const slice of [200_000, 3]) expect(runProgram(source, { slice }).out.trim().split("\n")).toEqual(expected);
});
