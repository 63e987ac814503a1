/** `datetime` and `duration` (rulings, "datetime and duration", "Durations print"): a table of expressions. */
import { describe, expect, it } from "vitest";
import { outcome } from "./evaluate";

const D = (text: string): string => `datetime(${JSON.stringify(text)})`;

const CASES: readonly (readonly [source: string, wanted: string])[] = [
  // reading and printing
  [`str(${D("2026-01-01T00:00:00Z")})`, "'2026-01-01T00:00:00Z'"],
  [`str(${D("2026-01-01T02:30:00+02:30")})`, "'2026-01-01T00:00:00Z'"],
  [`str(${D("2025-12-31T19:00:00.5-05:00")})`, "'2026-01-01T00:00:00.500000Z'"],
  [`str(${D("2024-02-29T23:59:59.999999Z")})`, "'2024-02-29T23:59:59.999999Z'"],
  [`str(${D("0001-01-01T00:00:00Z")})`, "'0001-01-01T00:00:00Z'"],
  [`str(${D("9999-12-31T23:59:59Z")})`, "'9999-12-31T23:59:59Z'"],
  // what is refused
  [`${D("2026-01-01T00:00:00")}`, "ValueError: datetime '2026-01-01T00:00:00' has no offset: end it with Z or with an offset like +02:00"],
  [
    `${D("2025-02-29T00:00:00Z")}`,
    "ValueError: datetime '2025-02-29T00:00:00Z' has a month, day, hour, minute, second or offset out of range",
  ],
  [`${D("0000-01-01T00:00:00Z")}`, "ValueError: datetime '0000-01-01T00:00:00Z' is outside the years 1 to 9999"],
  [`${D("0001-01-01T00:00:00+01:00")}`, "ValueError: datetime '0001-01-01T00:00:00+01:00' is outside the years 1 to 9999"],
  [
    `${D("2026-01-01T00:00:00.1234567Z")}`,
    "ValueError: invalid datetime '2026-01-01T00:00:00.1234567Z': write it like 2026-01-01T00:00:00Z",
  ],
  // parts
  [
    `(lambda d: (d.year, d.month, d.day, d.hour, d.minute, d.second, d.microsecond))(${D("2026-03-04T05:06:07.000008Z")})`,
    "(2026, 3, 4, 5, 6, 7, 8)",
  ],
  [`${D("2026-11-30T00:00:00Z")}.weekday()`, "0"],
  [`${D("1969-12-31T23:59:59Z")}.date()`, "'1969-12-31'"],
  // arithmetic
  [`str(${D("2026-03-01T00:00:00Z")} - ${D("2026-02-28T00:00:00Z")})`, "'P1D'"],
  [`str(${D("2026-01-01T00:00:00Z")} + duration("PT1H30M"))`, "'2026-01-01T01:30:00Z'"],
  [`str(duration("P1D") + ${D("1970-01-01T00:00:00Z")})`, "'1970-01-02T00:00:00Z'"],
  [`str(${D("1970-01-01T00:00:00Z")} - duration("PT0.000001S"))`, "'1969-12-31T23:59:59.999999Z'"],
  [`${D("9999-12-31T00:00:00Z")} + duration("P1D")`, "OverflowError: date value out of range"],
  [`${D("2026-01-01T00:00:00Z")} + 1`, "TypeError: unsupported operand type(s) for +: 'datetime' and 'int'"],
  [`duration("P1D") - ${D("2026-01-01T00:00:00Z")}`, "TypeError: unsupported operand type(s) for -: 'duration' and 'datetime'"],
  [`str(${D("9999-12-31T00:00:00Z")} - ${D("0001-01-01T00:00:00Z")})`, "'P3652058D'"],
  // durations
  [`str(duration("PT0S"))`, "'PT0S'"],
  [`str(duration("P1DT1H30M"))`, "'P1DT1H30M'"],
  [`str(duration("PT90M"))`, "'PT1H30M'"],
  [`str(duration("-PT1H"))`, "'-PT1H'"],
  [`str(duration("P2W"))`, "'P14D'"],
  [`str(duration("PT1.5H"))`, "'PT1H30M'"],
  [`str(duration("PT0.25S"))`, "'PT0.25S'"],
  [`str(duration(weeks=1, days=1, hours=2, minutes=3, seconds=4, milliseconds=5, microseconds=6))`, "'P8DT2H3M4.005006S'"],
  [`str(duration(seconds=0.1) * 3)`, "'PT0.3S'"],
  [`str(duration(microseconds=2.5))`, "'PT0.000002S'"],
  [`duration("P1M")`, "ValueError: duration 'P1M' has years or months, which have no fixed length: write weeks, days or less"],
  [`duration("P")`, "ValueError: invalid duration 'P': write it like PT1H or P1DT30M"],
  [`duration("PT")`, "ValueError: invalid duration 'PT': write it like PT1H or P1DT30M"],
  [`str(-duration("PT1H"))`, "'-PT1H'"],
  [`str(abs(duration("-PT1H")))`, "'PT1H'"],
  [`duration("PT1H") / duration("PT40M")`, "1.5"],
  [`duration("PT1H") // duration("PT40M")`, "1"],
  [`str(duration("-PT1H") // 7)`, "'-PT8M34.285715S'"],
  [`str(duration("PT1H") % duration("PT40M"))`, "'PT20M'"],
  [`str(duration("PT1H") / 3)`, "'PT20M'"],
  [`str(0.5 * duration("PT1H"))`, "'PT30M'"],
  [`duration("PT1H") / 0`, "ZeroDivisionError: division by zero"],
  [`duration("PT1H") * "a"`, "TypeError: can't multiply sequence by non-int of type 'duration'"],
  [`duration("P1DT0.5S").total_seconds()`, "86400.5"],
  [`duration(days=10**9)`, "OverflowError: duration out of range"],
  // a microsecond far from 1970 is refused by name, never rounded
  [
    `${D("9999-12-31T23:59:59.000001Z")}`,
    "InvalidValue: '9999-12-31T23:59:59.000001Z' needs microseconds that cannot be kept so far from 1970 (whole seconds can)",
  ],
];

describe("[rulings: datetime and duration] instants and lengths of time", () => {
  it.each(CASES)("%s", (source, wanted) => {
    expect(outcome(source)).toBe(wanted);
  });
});
