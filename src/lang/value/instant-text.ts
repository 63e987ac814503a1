/**
 * Instants and lengths of time as numbers and as ISO 8601 text. Own civil calendar (proleptic Gregorian, UTC).
 *
 * Both are counted in microseconds, in a JavaScript number. That is exact for every whole second of the years 1–9999 and
 * for every microsecond within 285 years of 1970; a value that a number cannot hold exactly is not given (null), never
 * rounded. Nothing is thrown here: datetime.ts words the refusals.
 */

export const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** 0001-01-01T00:00:00Z and the end of 9999, in seconds since 1970. */
const FIRST_SECOND = -62_135_596_800;
const LAST_SECOND = 253_402_300_799;
/** Ten thousand years of days: above the distance of any two instants. */
export const LENGTH_MICROS_MAX = 3_652_500 * DAY;

/** seconds * 10**6 + micros where a number holds it exactly, else null. */
export function exactMicros(seconds: number, micros: number): number | null {
  const sum = seconds * SECOND + micros;
  if (Number.isSafeInteger(sum)) return sum;
  return exactNumber(BigInt(seconds) * 1_000_000n + BigInt(micros));
}

/** The number of exactly this value, or null. */
export function exactNumber(value: bigint): number | null {
  const n = Number(value);
  return BigInt(n) === value ? n : null;
}

export function isInstant(micros: number): boolean {
  return micros >= FIRST_SECOND * SECOND && micros < (LAST_SECOND + 1) * SECOND;
}

/** Days since 1970-01-01 of a civil date. */
export function daysOf(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return era * 146097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719468;
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

export interface Civil {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly microsecond: number;
  /** 0 is Monday. */
  readonly weekday: number;
}

export function civilOf(micros: number): Civil {
  const microsecond = positiveRest(micros, SECOND);
  const seconds = (micros - microsecond) / SECOND;
  const secondOfDay = positiveRest(seconds, 86400);
  const days = (seconds - secondOfDay) / 86400;
  const shifted = days + 719468;
  const era = Math.floor(shifted / 146097);
  const dayOfEra = shifted - era * 146097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const m = Math.floor((5 * dayOfYear + 2) / 153);
  const month = m < 10 ? m + 3 : m - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * m + 2) / 5) + 1,
    hour: Math.floor(secondOfDay / 3600),
    minute: Math.floor(secondOfDay / 60) % 60,
    second: secondOfDay % 60,
    microsecond,
    weekday: positiveRest(days + 3, 7),
  };
}

function positiveRest(a: number, b: number): number {
  const r = a % b;
  return (r < 0 ? r + b : r) + 0;
}

const two = (n: number): string => (n < 10 ? `0${n}` : String(n));

/** `2026-01-01` */
export function dateText(c: Civil): string {
  return `${String(c.year).padStart(4, "0")}-${two(c.month)}-${two(c.day)}`;
}

/** `2026-01-01T00:00:00Z`; six digits of fraction where it is not zero. */
export function instantText(micros: number): string {
  const c = civilOf(micros);
  const fraction = c.microsecond === 0 ? "" : `.${String(c.microsecond).padStart(6, "0")}`;
  return `${dateText(c)}T${two(c.hour)}:${two(c.minute)}:${two(c.second)}${fraction}Z`;
}

const INSTANT =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,6}))?)?(Z|z|[+-][0-9]{2}(?::?[0-9]{2})?)$/;

/** Why a text is no instant, for the message. */
export type InstantFault = "form" | "no offset" | "field" | "years" | "inexact";

/** Microseconds since 1970 of an ISO 8601 instant with `Z` or an offset, or what is wrong with it. */
export function parseInstant(text: string): number | InstantFault {
  const m = INSTANT.exec(text);
  if (m === null) return INSTANT.test(`${text}Z`) ? "no offset" : "form";
  const [year, month, day, hour, minute] = [Number(m[1]), Number(m[2]), Number(m[3]), Number(m[4]), Number(m[5])];
  const second = m[6] === undefined ? 0 : Number(m[6]);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month) || hour > 23 || minute > 59 || second > 59) return "field";
  if (year < 1) return "years";
  let offset = 0;
  const zone = m[8]!;
  if (zone !== "Z" && zone !== "z") {
    const minutes = zone.length > 3 ? Number(zone.slice(-2)) : 0;
    const hours = Number(zone.slice(1, 3));
    if (hours > 23 || minutes > 59) return "field";
    offset = (zone[0] === "-" ? -1 : 1) * (hours * 3600 + minutes * 60);
  }
  const seconds = daysOf(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - offset;
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND) return "years";
  return exactMicros(seconds, m[7] === undefined ? 0 : Number(m[7].padEnd(6, "0"))) ?? "inexact";
}

/** `P1DT1H30M`, `PT0.5S`, `-PT1H`, `PT0S`: days, hours, minutes, seconds, each only if not zero. */
export function lengthText(micros: number): string {
  if (micros === 0) return "PT0S";
  const size = Math.abs(micros);
  const rest = size % DAY;
  const days = (size - rest) / DAY;
  const hours = Math.floor(rest / HOUR);
  const minutes = Math.floor((rest % HOUR) / MINUTE);
  const secondMicros = rest % MINUTE;
  const seconds = Math.floor(secondMicros / SECOND);
  const fraction = secondMicros % SECOND;
  let time = "";
  if (hours !== 0) time += `${hours}H`;
  if (minutes !== 0) time += `${minutes}M`;
  if (fraction !== 0) time += `${seconds}.${String(fraction).padStart(6, "0").replace(/0+$/, "")}S`;
  else if (seconds !== 0) time += `${seconds}S`;
  return `${micros < 0 ? "-" : ""}P${days !== 0 ? `${days}D` : ""}${time === "" ? "" : `T${time}`}`;
}

const COUNT = "([0-9]+(?:\\.[0-9]{1,6})?)";
const LENGTH = new RegExp(`^([+-]?)P(?:${COUNT}W)?(?:${COUNT}D)?(T(?:${COUNT}H)?(?:${COUNT}M)?(?:${COUNT}S)?)?$`);
const CALENDAR = /^[+-]?P[0-9.]*[0-9][YM]/;
const UNITS: readonly number[] = [7 * DAY, DAY, HOUR, MINUTE, SECOND];

export type LengthFault = "form" | "calendar" | "too long" | "inexact";

/** Microseconds of an ISO 8601 duration of weeks to seconds; the last part may have up to six digits of fraction. */
export function parseLength(text: string): number | LengthFault {
  if (CALENDAR.test(text)) return "calendar";
  const m = text.length <= 200 ? LENGTH.exec(text) : null;
  if (m === null || m[4] === "T") return "form";
  const counts = [m[2], m[3], m[5], m[6], m[7]];
  const last = counts.findLastIndex((c) => c !== undefined);
  if (last < 0 || counts.some((c, i) => i < last && c?.includes("."))) return "form";
  let total = 0n;
  counts.forEach((count, i) => {
    if (count === undefined) return;
    const [whole, fraction = ""] = count.split(".");
    // Each unit is a whole number of millionths.
    total += (BigInt(whole! + fraction.padEnd(6, "0")) * BigInt(UNITS[i]!)) / 1_000_000n;
  });
  if (total > BigInt(LENGTH_MICROS_MAX)) return "too long";
  return exactNumber(m[1] === "-" ? -total : total) ?? "inexact";
}
