/**
 * What a call answers, and what it leaves, depends neither on where it is cut into slices nor on who reads beside it, nor on whether a
 * mark keeps what goes (contract §9.8): drawn calls on pairs of stores.
 */
import { expect, test } from "vitest";
import { seeded } from "../../scripts/seeded.mjs";
import { type DrawnCall, DrawnCalls } from "./drawn-calls";
import { ToolFixture } from "./tool-fixture";

const SEEDS = Number(process.env["DRAWN_SEEDS"] ?? 4);
const FROM = Number(process.env["DRAWN_FROM"] ?? 1);
const CALLS = 24;
const seeds = Array.from({ length: SEEDS }, (_, i) => FROM + i);

/** In one go, and alone. */
function whole(f: ToolFixture, { tool, args, level }: DrawnCall) {
  return f.call(tool, args, { level, slice: Number.MAX_SAFE_INTEGER });
}

test.each(seeds)("[9.8] seed %i: in one go and alone, or in slices and beside one another", (seed) => {
  const calls = new DrawnCalls(seed);
  const { below, pick, chance } = seeded(seed + 1_000_000);
  const [alone, beside] = [new ToolFixture(), new ToolFixture()];
  const together = (drawn: readonly DrawnCall[]) => {
    const answers = drawn.map((call) => whole(alone, call));
    const tasks = drawn.map(({ tool, args, level }) => ({ task: beside.start(tool, args, { level }), steps: pick([1, 20, 400, 5000]) }));
    for (const open = [...tasks]; open.length > 0; ) {
      const i = below(open.length);
      if (open[i]!.task.advance(1 + below(open[i]!.steps))) open.splice(i, 1);
    }
    for (const [i, { task }] of tasks.entries()) expect(task.answer(), JSON.stringify(drawn[i])).toEqual(answers[i]);
  };
  for (const call of calls.beginning()) together([call]);
  for (let i = 0; i < CALLS; i++) {
    together(chance(0.5) ? [calls.writing(true)] : Array.from({ length: 1 + below(6) }, () => calls.reading(true)));
    if (chance(0.1)) beside.reopen();
  }
  alone.reopen();
  together(Array.from({ length: 6 }, () => calls.reading(true)));
});

/** Rows of the store that say something of what stands. */
function rows(f: ToolFixture): number[] {
  const tables = ["claim", "preference", "pin", "lost_rule", "field", "change", "grave_claim", "world_claim"];
  return tables.map((table) => f.sql.exec(`SELECT count(*) FROM ${table}`)[0]![0] as number);
}

test.each(seeds)("[9.4] seed %i: a mark that keeps what goes, and none", (seed) => {
  const calls = new DrawnCalls(seed + 2_000_000);
  const { below, pick } = seeded(seed);
  const [bare, marked] = [new ToolFixture(), new ToolFixture()];
  const both = (call: DrawnCall) => {
    const { status, text } = whole(bare, call);
    const kept = marked.call(call.tool, call.args, { level: call.level, slice: pick([1, 50, 1_000_000]) });
    expect(`${kept.status} ${kept.text}`, JSON.stringify(call)).toBe(`${status} ${text}`);
  };
  const mark = (tool: string) => {
    // A call on either, so that their clocks stay together.
    bare.call("list_modules", {});
    expect(marked.call(tool, { name: "always" }).status).toBe("success");
  };
  mark("checkpoint");
  for (const call of calls.beginning()) both(call);
  for (let i = 0; i < CALLS; i++) {
    both(below(2) === 0 ? calls.writing(false) : calls.reading(false));
    if (below(10) === 0) pick([bare, marked]).reopen();
  }
  mark("forget_checkpoint");
  expect(rows(marked)).toEqual(rows(bare));
  bare.reopen();
  marked.reopen();
  for (let i = 0; i < 6; i++) both(calls.reading(false));
});
