/** Instants that callers write: RFC 3339, with the offset that RFC 3339 demands. */
import { invalidInput } from "./verb-failure";

const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:([Zz])|([+-])(\d{2}):(\d{2}))$/;

/** Microseconds UTC. A leap second is the second after it. Throws, naming the argument. */
export function readInstant(text: string, name: string): number {
  const parts = RFC_3339.exec(text);
  if (parts !== null) {
    const [, year, month, day, hour, minute, second, fraction = "", , sign, offsetHours = "0", offsetMinutes = "0"] = parts;
    const millis = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
    const given = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
    const isDay = given.getUTCMonth() === Number(month) - 1 && given.getUTCDate() === Number(day);
    const isTime =
      Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60 && Number(offsetHours) < 24 && Number(offsetMinutes) < 60;
    if (isDay && isTime) {
      const offset = (sign === "-" ? -1 : 1) * (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000_000;
      return millis * 1000 + Number(fraction.slice(0, 6).padEnd(6, "0")) - offset;
    }
  }
  throw invalidInput(
    `\`${name}\` is an instant as RFC 3339 writes it, such as 2026-07-01T09:00:00Z, got ${JSON.stringify(text.slice(0, 64))}`,
  );
}
