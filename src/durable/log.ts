/**
 * One structured line of JSON an event: a call, a fault, the counters. Never a program, a value, a name from a store, or
 * anything of a key but its id.
 */
export type LogField = string | number | boolean | null | undefined;

export function logLine(event: "call" | "counters" | "fault", fields: { readonly [name: string]: LogField }): void {
  console.log(JSON.stringify({ event, ...fields }));
}

/** What a fault leaves in the log: its name, message and stack. A refusal's or a program's text never gets here. */
export function faultFields(error: unknown): { readonly [name: string]: LogField } {
  if (error instanceof Error) return { error: `${error.name}: ${error.message}`, stack: error.stack };
  return { error: String(error) };
}
