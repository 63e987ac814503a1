/** [6] An f-string's spec, read once beforehand, gives what `format` gives, which is held against CPython. */
import { describe, expect, test } from "vitest";
import { Float } from "../../../src/datum";
import { format, formatBy } from "../../../src/lang/value/format";
import { Raised, type Value } from "../../../src/lang/value/value";

const INTS = [0, 1, -1, 7, 42, -999, 1000, -1000, 123456, 1234567, -98765432, 2 ** 53 - 1, 10n ** 30n, -(2n ** 70n)];
const FLOATS = [0, -0, 0.5, 1.5, 2.5, -0.125, 2.675, 1e16, 1e21, 1e22, -1e-9, 123456.789, 1 / 3, Number.NaN, 1 / 0, -1 / 0, 5e-324];
const VALUES: Value[] = [...INTS, ...FLOATS.map((x) => new Float(x)), "", "abc", "naïve", "😀x", "x".repeat(70), true, null];
const SPECS = [
  ...["d", "x", "X", "b", "c", "8d", "08d", "-8d", "+d", " d", "<8d", "^8d", ">8d", "=8d", "*>8d", "*<8d", "0>8d", "0<8d", "0=8d", "😀>6d"],
  ...[
    ",",
    ",d",
    "12,",
    "012,",
    "<12,d",
    "*>12,d",
    "_d",
    "_x",
    "12_d",
    "#x",
    "08x",
    ">8x",
    "8",
    "08",
    "<8",
    ">8",
    "^9",
    "*^9",
    "s",
    "10s",
    ">10s",
  ],
  ...[
    ".2f",
    "8.2f",
    "08.2f",
    "<8.2f",
    "*>9.1f",
    "+.2f",
    ".0f",
    "#.0f",
    ",.2f",
    "z.1f",
    ".3",
    ".3s",
    "f",
    "F",
    "e",
    "g",
    "%",
    ".1%",
    "0.3f",
    "99d",
  ],
  ...["100d", "65d", "64d", ".64f", ".65f", ".100f", ".101f", "q", "5q", ",x", "0<5", "é>5", "=8s", "08s"],
];
function outcome(f: () => string): string {
  try {
    return f();
  } catch (thrown) {
    if (thrown instanceof Raised) return `${thrown.exception.className}: ${thrown.exception.args[0]}`;
    throw thrown;
  }
}

describe("[6] formatBy", () => {
  test.each(SPECS)("%s", (spec) => {
    const by = formatBy(spec);
    for (const v of [...VALUES, ...VALUES]) expect([v, outcome(() => by(v))]).toEqual([v, outcome(() => format(v, spec))]);
  });
});
