import { describe, expect, test } from "vitest";
import { Newcomers } from "../../src/durable/newcomers";
import { Pace } from "../../src/durable/run-loop";
import {
  NEWCOMER_MS,
  NEWCOMER_SLICES,
  OTHERS_LATELY_MS,
  SLICE_MS,
  SLICE_MS_AMONG_OTHERS,
  SLICE_STEPS,
  TURNS_GIVEN,
  TURNS_GIVEN_MAX,
} from "../../src/limits";

/** How many turns a call gives after so many slices; `at` is called in each. */
async function turnsGiven(newcomers: Newcomers, slices: number, at: (turn: number) => void = () => {}): Promise<number> {
  let turns = 0;
  await newcomers.giveWay(
    "long",
    slices,
    async () => at(++turns),
    () => 0,
  );
  return turns;
}

describe("newcomers", () => {
  test("a call alone gives one turn in its first slices and two in all later ones", async () => {
    const newcomers = new Newcomers();
    newcomers.add("long", "a", 0);
    for (let slices = 1; slices < NEWCOMER_SLICES; slices++) expect(await turnsGiven(newcomers, slices)).toBe(1);
    expect(await turnsGiven(newcomers, NEWCOMER_SLICES)).toBe(TURNS_GIVEN);
    expect(newcomers.has("long")).toBe(false);
    expect(await turnsGiven(newcomers, 1000)).toBe(TURNS_GIVEN);
  });

  test("a long call goes on once the one that came is answered", async () => {
    const newcomers = new Newcomers();
    newcomers.add("short", "b", 0);
    const turns = await turnsGiven(newcomers, 100, (turn) => {
      if (turn === 7) newcomers.delete("short");
    });
    expect(turns).toBe(7);
  });

  test("one that comes during the turns given counts too, and nobody holds a long call up for ever", async () => {
    const newcomers = new Newcomers();
    const turns = await turnsGiven(newcomers, 100, (turn) => {
      newcomers.delete(`short ${turn - 1}`);
      newcomers.add(`short ${turn}`, "b", 0);
    });
    expect(turns).toBe(TURNS_GIVEN_MAX);
  });

  test("who waits for something other than the thread is soon no newcomer", () => {
    const newcomers = new Newcomers();
    newcomers.add("stuck", "b", 1000);
    expect(newcomers.any(1000 + NEWCOMER_MS)).toBe(true);
    expect(newcomers.any(1001 + NEWCOMER_MS)).toBe(false);
    expect(newcomers.has("stuck")).toBe(false);
  });

  test("slices are shorter while calls of other stores come, whatever comes of the same store", () => {
    const newcomers = new Newcomers();
    expect(newcomers.sliceMs("a", 0)).toBe(SLICE_MS);
    newcomers.add("1", "a", 10);
    expect(newcomers.sliceMs("a", 10)).toBe(SLICE_MS);
    newcomers.add("2", "b", 20);
    for (let i = 0; i < 5; i++) newcomers.add(`more ${i}`, "a", 30 + i);
    expect(newcomers.sliceMs("a", 40)).toBe(SLICE_MS_AMONG_OTHERS);
    expect(newcomers.sliceMs("b", 40)).toBe(SLICE_MS_AMONG_OTHERS);
    expect(newcomers.sliceMs("a", 21 + OTHERS_LATELY_MS)).toBe(SLICE_MS);
  });

  test("a pace that may take less time makes smaller slices", () => {
    const stepMs = 0.001;
    const settled = (msMax?: number): number => {
      const pace = new Pace();
      for (let i = 0; i < 30; i++) pace.sliceTook({ computingMs: pace.steps * stepMs, turnMs: pace.steps * stepMs }, msMax);
      return pace.steps * stepMs;
    };
    expect(settled()).toBeLessThanOrEqual(SLICE_MS);
    expect(settled(SLICE_MS_AMONG_OTHERS)).toBeLessThanOrEqual(SLICE_MS_AMONG_OTHERS);
    expect(settled(1000)).toBe(SLICE_STEPS * stepMs);
  });
});
