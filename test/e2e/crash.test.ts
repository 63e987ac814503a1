/** Nothing that was acknowledged is lost when everything is killed in the middle of writing; scripts/kill-writes.mjs does the same at length. */
import { expect, it } from "vitest";
import { killWrites } from "../../scripts/kill-writes.mjs";

const KILLS = 5;
const SEED = 20261130;

it(`[R1] kill -9 ${KILLS} times while four writers write: nothing acknowledged lost, nothing torn, no half compile, and it starts again`, {
  timeout: 400_000,
}, async () => {
  const { kills, acknowledged, restartsMs, problems } = await killWrites({ kills: KILLS, seed: SEED });
  expect(problems).toEqual([]);
  expect(kills).toBe(KILLS);
  expect(restartsMs).toHaveLength(KILLS + 1);
  expect(acknowledged).toBeGreaterThan(KILLS * 5);
});
