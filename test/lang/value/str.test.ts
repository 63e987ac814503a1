/** Text by code point, against a naive twin over arrays of characters. */
import { describe, expect, test } from "vitest";
import { Refusal } from "../../../src/failure";
import {
  checkConcat,
  chrText,
  positionOf,
  strCompare,
  strIndex,
  strLength,
  strRange,
  strRepeat,
  strSlice,
  unitOf,
  wellFormed,
} from "../../../src/lang/value/str";
import { TEXT_CHARS_MAX } from "../../../src/limits";

const TEXTS = [
  "",
  "a",
  "abc",
  "a😀b",
  "😀",
  "é\u0301😀x",
  "x".repeat(200),
  `${"ab😀".repeat(50)}z`,
  "😀".repeat(65),
  `${"y".repeat(100)}😀`,
];

describe("[2] str counts, indexes and slices code points", () => {
  test.each(TEXTS)("[2] length, index, positions of %j", (text) => {
    const twin = [...text];
    expect(strLength(text)).toBe(twin.length);
    for (let i = -twin.length - 2; i < twin.length + 2; i++) expect(strIndex(text, i)).toBe(twin.at(Math.min(i, twin.length)));
    let unit = 0;
    for (let i = 0; i <= twin.length; i++) {
      expect(unitOf(text, i)).toBe(unit);
      expect(positionOf(text, unit)).toBe(i);
      unit += twin[i]?.length ?? 0;
    }
  });
  test.each(TEXTS)("[2] slices of %j", (text) => {
    const twin = [...text];
    const ends = [0, 1, 2, 31, 32, 33, 64, twin.length].filter((n) => n <= twin.length);
    for (const from of ends)
      for (const to of ends) {
        expect(strRange(text, from, to)).toBe(twin.slice(from, to).join(""));
        for (const step of [1, 2, 7, -1, -3]) {
          const count = Math.max(0, Math.ceil((to - from) / step));
          if (step < 0 && from >= twin.length) continue;
          const want = Array.from({ length: count }, (_, i) => twin[from + i * step]).join("");
          expect(strSlice(text, from, step, count)).toBe(want);
        }
      }
  });
});

describe("[2] str orders by code point, not by UTF-16 unit", () => {
  const ascending = ["", "\x00", "a", "aa", "ab", "b", "\ud7ff", "\ue000", "\uffff", "\u{10000}", "\u{10000}a", "\u{10ffff}"];
  test("[2] every pair", () => {
    for (let i = 0; i < ascending.length; i++)
      for (let j = 0; j < ascending.length; j++) {
        expect(Math.sign(strCompare(ascending[i], ascending[j]))).toBe(Math.sign(i - j));
        expect(Math.sign(strCompare(`😀${ascending[i]}`, `😀${ascending[j]}`))).toBe(Math.sign(i - j));
      }
  });
});

describe("[2] lone surrogates are refused by name", () => {
  test.each(["\ud800", "a\udfff", "\udc00\ud800", "\ud83d", "😀\ude00"])("[2] %j", (text) => {
    expect(() => wellFormed(text)).toThrow(Refusal);
    expect(() => wellFormed(text)).toThrow(/lone surrogate '\\ud[89a-f]/);
  });
  test("[2] well-formed texts pass, chr refuses the range and nothing beside it", () => {
    expect(wellFormed("a😀\ue000")).toBe("a😀\ue000");
    expect([0xd7ff, 0xe000, 0x10ffff].map((c) => chrText(c).codePointAt(0))).toEqual([0xd7ff, 0xe000, 0x10ffff]);
    for (const code of [0xd800, 0xdbff, 0xdc00, 0xdfff]) expect(() => chrText(code)).toThrow(/lone surrogate/);
  });
});

describe("[8] a text past its limit is refused before it is built", () => {
  test("[8] repetition at the limit and past it", () => {
    expect(strRepeat("ab", TEXT_CHARS_MAX / 2).length).toBe(TEXT_CHARS_MAX);
    expect(() => strRepeat("ab", TEXT_CHARS_MAX / 2 + 1)).toThrow(/past the limit/);
    expect(() => strRepeat("a", 2 ** 53)).toThrow(/past the limit/);
  });
  test("[8] the limit counts code points", () => {
    expect(strRepeat("😀", TEXT_CHARS_MAX / 2 + 1).length).toBe(TEXT_CHARS_MAX + 2);
    const half = "a".repeat(TEXT_CHARS_MAX / 2);
    checkConcat(half, half);
    expect(() => checkConcat(half, `${half}b`)).toThrow(/past the limit/);
  });
});

test("[2] a loop over an index is linear in the text", () => {
  const text = "ab😀".repeat(40_000);
  const before = Date.now();
  let seen = 0;
  for (let i = 0; i < strLength(text); i++) if (strIndex(text, i) === "😀") seen++;
  expect(seen).toBe(40_000);
  // A scan at each index would be 10^10 steps.
  expect(Date.now() - before).toBeLessThan(5_000);
});
