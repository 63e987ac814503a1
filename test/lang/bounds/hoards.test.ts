/**
 * [3] Many values together end the call as one too large does, within an isolate's memory, and always at the same step.
 *
 * They run in a process whose heap is capped at 100 MB over what the language itself takes: one that holds more ends it.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const HEAP_MB = 190;

test("[3] what a program holds together is bounded", { timeout: 600_000 }, () => {
  const node = spawnSync(
    process.execPath,
    [`--max-old-space-size=${HEAP_MB}`, "--import", "tsx", join(import.meta.dirname, "run-hoards.ts")],
    { encoding: "utf8" },
  );
  const ran = node.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly source: string; readonly ended: string; readonly same: boolean });
  expect([node.status, ran.length]).toEqual([0, 27]);
  expect(ran.filter((r) => r.ended !== "limit_exceeded" || !r.same)).toEqual([]);
});
