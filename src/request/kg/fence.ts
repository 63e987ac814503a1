/** Fences as callers write them: documents that must be at the versions the caller saw, or nothing is done. */
import * as z from "zod";
import type { Fence } from "./stream-store";

/** Looked up under the writer, so there is an end to them. */
export const FENCES_MAX = 100;

export const version = z.int("must be an integer").min(1, "is at least 1").nullable();
const fenceEntry = z.strictObject({ key: z.string().min(1, "is empty"), kind: z.string(), expected_version: version });
export const fence = z
  .union([fenceEntry, z.array(fenceEntry).max(FENCES_MAX, `has at most ${FENCES_MAX} entries`)])
  .describe("Documents that must be at these versions, `{key, kind, expected_version}`; null: absent. One, or a list.");

export function fences(given: z.infer<typeof fence> | null | undefined): readonly Fence[] {
  return given === undefined || given === null ? [] : Array.isArray(given) ? given : [given];
}
