import { describe, expect, test } from "vitest";
import { drive, Pace } from "../../src/durable/run-loop";
import { SLICE_MS, SLICE_STEPS, SLICE_STEPS_FIRST, SLICE_STEPS_MIN } from "../../src/limits";
import type { ToolTask } from "../../src/tools/answer";

/** A task of so many steps, each taking so long on a clock of our own. */
function workOf(stepsTotal: number, stepMs: (step: number) => number) {
  const slices: { steps: number; ms: number }[] = [];
  let now = 0;
  let step = 0;
  const task = {
    advance(stepsMax: number): boolean {
      const began = now;
      const end = Math.min(step + stepsMax, stepsTotal);
      slices.push({ steps: end - step, ms: 0 });
      while (step < end) now += stepMs(step++);
      slices[slices.length - 1].ms = now - began;
      return step === stepsTotal;
    },
  } as ToolTask;
  return { task, slices, nowMs: () => Math.floor(now) };
}

async function drivenSlices(stepsTotal: number, stepMs: (step: number) => number, clock: "runs" | "stands" = "runs") {
  const work = workOf(stepsTotal, stepMs);
  let shown = 0;
  await drive(work.task, {
    atomically: (body) => body(),
    sliceEnded: () => {},
    // A clock that stands while we compute moves on at the turn.
    giveTurn: async () => {
      shown = work.nowMs();
    },
    nowMs: () => (clock === "runs" ? work.nowMs() : shown),
  });
  return work.slices;
}

describe("run loop", () => {
  test("a program of quick steps soon runs in whole slices", async () => {
    const slices = await drivenSlices(2_000_000, () => 0.00004);
    expect(slices[0].steps).toBe(SLICE_STEPS_FIRST);
    expect(slices.filter((slice) => slice.steps === SLICE_STEPS).length).toBeGreaterThan(30);
    expect(slices.length).toBeLessThan(60);
  });

  test.each(["runs", "stands"] as const)("where every step takes a millisecond, slices stay short (the clock %s)", async (clock) => {
    const slices = await drivenSlices(20_000, () => 1, clock);
    const late = slices.slice(20, -1);
    expect(late.length).toBeGreaterThan(20);
    for (const slice of late) expect(slice.ms).toBeLessThanOrEqual(8 * SLICE_MS);
  });

  test("a program that turns slow is cut smaller at once, and larger again when it is quick", async () => {
    const slices = await drivenSlices(900_000, (step) => (step > 300_000 && step < 301_000 ? 1 : 0.00004));
    const slow = slices.findIndex((slice) => slice.ms > 100);
    expect(slices[slow].steps).toBe(SLICE_STEPS);
    expect(slices[slow + 1].steps).toBeLessThanOrEqual(SLICE_STEPS / 10);
    expect(slices.at(-2)!.steps).toBe(SLICE_STEPS);
  });

  test("no slice is without a step, and none is larger than a slice may be", () => {
    const pace = new Pace();
    for (let i = 0; i < 20; i++) pace.sliceTook({ computingMs: 10_000, turnMs: 10_000 });
    expect(pace.steps).toBe(SLICE_STEPS_MIN);
    for (let i = 0; i < 30; i++) pace.sliceTook({ computingMs: 0, turnMs: 0 });
    expect(pace.steps).toBe(SLICE_STEPS);
  });

  test("the work of others between two turns does not make slices small where the clock runs", () => {
    const pace = new Pace();
    for (let i = 0; i < 20; i++) pace.sliceTook({ computingMs: 1, turnMs: 500 });
    expect(pace.steps).toBe(SLICE_STEPS);
  });

  test("what a slice throws ends the drive, inside the slice's unit", async () => {
    const seen: string[] = [];
    const task = {
      advance() {
        throw new Error("ours");
      },
    } as unknown as ToolTask;
    const rim = {
      atomically: <T>(body: () => T): T => {
        try {
          return body();
        } catch (error) {
          seen.push("undone");
          throw error;
        }
      },
      sliceEnded: () => seen.push("ended"),
      giveTurn: async () => {},
      nowMs: () => 0,
    };
    await expect(drive(task, rim)).rejects.toThrow("ours");
    expect(seen).toEqual(["undone"]);
  });
});
