/** An unexpected error: written to the log under an id; its caller is told "engine error" and nothing else. */
import { faultFields, logLine } from "../durable/log";

export function logFault(where: string, error: unknown): string {
  const id = crypto.randomUUID();
  logLine("fault", { id, where, ...faultFields(error) });
  return id;
}
