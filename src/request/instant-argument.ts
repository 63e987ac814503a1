/** Instants that callers write: RFC 3339, with the offset that it demands. */
import { parseInstant } from "../lang/value/instant-text";
import { invalidInput } from "./verb-failure";

/** Microseconds UTC. Throws, naming the argument. */
export function readInstant(text: string, name: string): number {
  const micros = parseInstant(text);
  if (typeof micros === "number") return micros;
  throw invalidInput(
    `\`${name}\` is an instant as RFC 3339 writes it, such as 2026-07-01T09:00:00Z, got ${JSON.stringify(text.slice(0, 64))}`,
  );
}
