/** [R7] A small store filled and freed again and again: one refusal, reads always answered, freed space used again. */
import { expect, test } from "vitest";
import { ToolFixture } from "./tool-fixture";

const CYCLES = process.env["CYCLES"] === undefined ? 25 : Number(process.env["CYCLES"]);
const LIMIT = 1 << 20;
/** Facts of 20,000 characters that a program tries to write: twice what fits. */
const FILL = 100;

const filling = (cycle: number) =>
  `for i in range(${FILL}):\n    remember(P["s" + str(i)].x, str(i) + "${"abcdefghij"[cycle % 10]}" * 20000, "s")\n`;

test(`[R7, 9.5] ${CYCLES} times filled to its limit and freed`, { timeout: 1_200_000 }, () => {
  const f = new ToolFixture({ bytesMax: LIMIT });
  expect(f.run('remember(Kept.k.x, "kept", "s")').status).toBe("success");
  const held: number[] = [];
  const sizes: number[] = [];
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const full = f.run(filling(cycle), { slice: 2000 });
    expect(full).toMatchObject({ status: "refuse", meta: { refuse_reason: "limit_exceeded" } });
    // Its size where the write was refused, by its own word, in bytes beside the limit.
    const [, limit, size] = /size limit of (\d+) bytes \(its size is (\d+) bytes\)/.exec(full.text) ?? [];
    expect(Number(limit)).toBe(LIMIT);
    expect(Number(size)).toBe(f.sql.databaseBytes());
    expect(Number(size)).toBeLessThanOrEqual(LIMIT);
    // The same again, in this object and in one opened anew.
    if (cycle % 10 === 0) f.reopen();
    const again = f.run('remember(P.more.x, "y" * 60000, "s")');
    expect(again).toMatchObject({ status: "refuse", meta: { refuse_reason: "limit_exceeded" } });
    expect(again.text).toContain(`size limit of ${LIMIT} bytes (its size is ${f.sql.databaseBytes()} bytes)`);
    const read = f.run("print(len(subjects(P)), len(value(P.s0.x)), value(Kept.k.x))", { level: "read" });
    expect(read.status).toBe("success");
    const [entry] = read.meta["transcript"] as unknown as { value: string }[];
    const [count, length, kept] = entry!.value.split(" ");
    expect([length, kept]).toEqual(["20001", "kept"]);
    held.push(Number(count));
    sizes.push(Number(size));
    const freeing = f.run("for s in subjects(P):\n    forget(s)\n");
    expect(freeing.status, freeing.text).toBe("success");
    expect(f.sql.databaseBytes()).toBeLessThan(LIMIT / 4);
  }
  // What fits does not shrink: nothing of a cycle stays behind.
  expect(Math.min(...held)).toBeGreaterThan(FILL / 4);
  expect(held.at(-1)).toBeGreaterThanOrEqual(held[0]! - 1);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(LIMIT);
});
