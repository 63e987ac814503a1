/** Parameters that several verbs take, each said once. */
import * as z from "zod";
import { isJsonObject, type JsonObject } from "../request-json";
import { invalidInput } from "../verb-failure";
import type { VerbSite } from "../verb-site";
import { readId } from "./record-id";

/** Any JSON; what zod would call unknown, with a name in the reference page. */
export const anyJson = z.any();

/** An object with any keys: zod's own record would drop `__proto__` without a word. */
export const jsonObject = (description: string) =>
  z
    .any()
    .refine((value): value is JsonObject => isJsonObject(value), "must be an object")
    .meta({ type: "object", description });
export const idText = (description: string) =>
  z.string().min(1, "is empty").describe(`${description}: an id, or 8 or more digits of its beginning.`);
/** Where a beginning would do today, it might be ambiguous tomorrow: what names its target for good is told whole. */
export const fullId = (description: string) =>
  z
    .string()
    .min(1, "is empty")
    .refine((text) => readId(text).tag !== "prefix", "is a full id; the beginning of one will not do")
    .describe(`${description}: a full id.`);
export const embeddingModel = z
  .string()
  .optional()
  .describe("The model to search by meaning with: the one that is configured, where one is. Any other is refused.");

/** There is one model, or none. */
export function requireModel({ embeddingModel: configured }: VerbSite, asked: string | undefined): void {
  if (asked === undefined || asked === configured) return;
  const have = configured === null ? "none is configured: leave it to the words" : `the one that is configured is ${configured}`;
  throw invalidInput(`\`embedding_model\` chooses among embedding models, and ${have}`);
}
export const tags = z.array(z.string().min(1, "is empty")).describe("Labels.");
export const instant = (description: string) =>
  z
    .union([z.string(), z.int("must be an integer").min(0, "is at least 0")])
    .describe(`${description}: as RFC 3339 writes it, or microseconds since 1970.`);
export const unit = (description: string) => z.number().min(0, "is at least 0").max(1, "is at most 1").describe(description);
export const nonNegative = (description: string) => z.number().min(0, "is at least 0").describe(description);
/** A limit: what is asked beyond the cap is taken as the cap, and the answer says so. */
export const limit = (usual: number, cap: number) =>
  z
    .int("must be an integer")
    .min(1, "is at least 1")
    .default(usual)
    .describe(`Rows at most; ${usual} unless said otherwise, no more than ${cap}.`);
export const offset = z.int("must be an integer").min(0, "is at least 0").optional().describe("Rows to skip.");
export const direction = z
  .enum(["outgoing", "incoming", "both", "out", "in"])
  .default("both")
  .describe("Edges that leave, that arrive, or both.")
  .transform((word) => (word === "out" ? "outgoing" : word === "in" ? "incoming" : word));
export const relations = z.array(z.string()).min(1, "is empty").optional().describe("Only these relations.");

/** As `clamp`, for an answer that is a bare list and so has no room to say it: the op's entry does. */
export function advisedLimit(site: VerbSite, requested: number, cap: number): number {
  const limits = clamp(requested, cap);
  if (limits.limit_clamped) site.advise({ advisories: [{ kind: "limit_clamped", ...limits }] });
  return limits.effective_limit;
}

/** Requested, effective, and whether the one is not the other. */
export function clamp(requested: number, cap: number): { requested_limit: number; effective_limit: number; limit_clamped: boolean } {
  return { requested_limit: requested, effective_limit: Math.min(requested, cap), limit_clamped: requested > cap };
}
