/**
 * [0] Every bomb ends within bounded work and within an isolate's memory, as what can be caught or at the ceiling, and the
 * same each time.
 *
 * They run in a process whose heap is capped at 100 MB over what the language itself takes: one that needs more ends it.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const HEAP_MB = 190;
/** Internal steps, which stand for the work done whatever the machine: the longest of these took about two seconds. */
const STEPS_MAX = 300_000_000;

interface Ran {
  readonly bomb: string;
  readonly ended: string;
  readonly steps: number;
  readonly same: boolean;
}

test("[0] bombs end within bounded work and memory, and the same each time [C7.40] [C7.41]", { timeout: 300_000 }, () => {
  const node = spawnSync(
    process.execPath,
    [`--max-old-space-size=${HEAP_MB}`, "--import", "tsx", join(import.meta.dirname, "run-bombs.ts")],
    {
      encoding: "utf8",
    },
  );
  const ran = node.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Ran);
  expect([node.status, ran[ran.length - 1]?.bomb]).toEqual([0, "operator.pow(10, 10**9)"]);
  expect(ran.length).toBeGreaterThan(90);
  const faults = ran.filter(
    (r) => !/^(LimitExceeded|OverflowError|ValueError|done|limit_exceeded)$/.test(r.ended) || !r.same || r.steps > STEPS_MAX,
  );
  expect(faults).toEqual([]);
  // Nearly all are caught by the program, not by a ceiling.
  expect(ran.filter((r) => r.ended === "limit_exceeded").length).toBeLessThan(15);
});
