/**
 * When a repeated event is due again: an interval, or a cron line of five fields, both in UTC.
 *
 * `daily`, `weekly`, `monthly`, `every:<N><s|m|h|d>`, or `minute hour day-of-month month day-of-week`. A month without the
 * day gets its last one. As cron has it, where both day fields are restricted either of them is enough.
 */
import { type Civil, civilOf, daysInMonth, daysOf } from "../../lang/value/instant-text";
import { invalidInput } from "../verb-failure";

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const UNITS: { readonly [unit: string]: number } = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };
/** How far ahead a cron line is followed: 29 February comes round in eight years at most. */
const CRON_DAYS_MAX = 8 * 366 + 2;

interface CronField {
  readonly values: ReadonlySet<number>;
  readonly isAll: boolean;
}

export type Repeat =
  | { readonly tag: "every"; readonly micros: number }
  | { readonly tag: "monthly" }
  | {
      readonly tag: "cron";
      readonly minute: CronField;
      readonly hour: CronField;
      readonly day: CronField;
      readonly month: CronField;
      readonly weekday: CronField;
    };

/** Throws where the text is none of these. */
export function readRepeat(text: string): Repeat {
  if (text === "daily") return { tag: "every", micros: DAY };
  if (text === "weekly") return { tag: "every", micros: 7 * DAY };
  if (text === "monthly") return { tag: "monthly" };
  const every = /^every:(\d{1,9})([smhd])$/.exec(text);
  if (every !== null && Number(every[1]) > 0) return { tag: "every", micros: Number(every[1]) * UNITS[every[2]] };
  const fields = text.trim().split(/\s+/);
  if (fields.length === 5) return readCron(fields);
  throw invalidInput("`repeat` is daily, weekly, monthly, every:<N><s|m|h|d>, or a cron line of five fields in UTC");
}

function readCron([minute, hour, day, month, weekday]: readonly string[]): Repeat {
  return {
    tag: "cron",
    minute: cronField(minute, 0, 59, "minute"),
    hour: cronField(hour, 0, 23, "hour"),
    day: cronField(day, 1, 31, "day of the month"),
    month: cronField(month, 1, 12, "month"),
    // 7 is Sunday too.
    weekday: cronField(weekday, 0, 7, "day of the week", (value) => value % 7),
  };
}

function cronField(text: string, least: number, most: number, what: string, fold: (value: number) => number = (value) => value): CronField {
  const values = new Set<number>();
  const bad = invalidInput(
    `\`repeat\`: the ${what} of a cron line is \`*\`, a number from ${least} to ${most}, a range, a list or a step, got ${JSON.stringify(text)}`,
  );
  for (const part of text.split(",")) {
    const read = /^(\*|\d{1,2}(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part);
    if (read === null) throw bad;
    const [, range, last, step] = read;
    const from = range === "*" ? least : Number.parseInt(range, 10);
    // A single number with a step runs to the end of the field.
    const to = range === "*" || (last === undefined && step !== undefined) ? most : Number(last ?? from);
    const by = Number(step ?? 1);
    if (from < least || to > most || from > to || by < 1) throw bad;
    for (let value = from; value <= to; value += by) values.add(fold(value));
  }
  return { values, isAll: text === "*" };
}

/**
 * The first time after `after` that the event is due again, microseconds; null where it never is. `start` is when it was first
 * due: intervals count from there, so a late run does not shift the later ones.
 */
export function nextDue(repeat: Repeat, start: number, after: number): number | null {
  switch (repeat.tag) {
    case "every":
      return start > after ? start : start + (Math.floor((after - start) / repeat.micros) + 1) * repeat.micros;
    case "monthly":
      return nextMonth(start, after);
    case "cron":
      return nextCron(repeat, after);
  }
}

function nextMonth(start: number, after: number): number {
  const first = civilOf(start);
  const then = civilOf(after);
  const timeOfDay = start - daysOf(first.year, first.month, first.day) * DAY;
  let months = Math.max(0, (then.year - first.year) * 12 + then.month - first.month);
  for (; ; months++) {
    const year = first.year + Math.floor((first.month - 1 + months) / 12);
    const month = ((first.month - 1 + months) % 12) + 1;
    const due = daysOf(year, month, Math.min(first.day, daysInMonth(year, month))) * DAY + timeOfDay;
    if (due > after) return due;
  }
}

function nextCron(repeat: Repeat & { readonly tag: "cron" }, after: number): number | null {
  const from = Math.floor(after / MINUTE) * MINUTE + MINUTE;
  const firstDay = Math.floor(from / DAY) * DAY;
  const hours = [...repeat.hour.values].sort((a, b) => a - b);
  const minutes = [...repeat.minute.values].sort((a, b) => a - b);
  for (let ahead = 0; ahead < CRON_DAYS_MAX; ahead++) {
    const day = firstDay + ahead * DAY;
    if (!isCronDay(repeat, civilOf(day))) continue;
    for (const hour of hours) {
      for (const minute of minutes) {
        const due = day + hour * HOUR + minute * MINUTE;
        if (due >= from) return due;
      }
    }
  }
  return null;
}

function isCronDay({ day, month, weekday }: Repeat & { readonly tag: "cron" }, date: Civil): boolean {
  if (!month.values.has(date.month)) return false;
  const byDay = day.values.has(date.day);
  // Cron's week begins on Sunday.
  const byWeekday = weekday.values.has((date.weekday + 1) % 7);
  if (day.isAll) return byWeekday;
  return weekday.isAll ? byDay : byDay || byWeekday;
}
