/** A long source is compiled piece by piece, so that others have their turns meanwhile; what comes of it is the same. */
import { describe, expect, it } from "vitest";
import type { Level } from "../../src/engine/claim";
import type { ToolTask } from "../../src/tools/answer";
import { ToolFixture } from "./tool-fixture";

const LONG = Array.from({ length: 1200 }, (_, i) => `def f${i}(a: int):\n    return a + ${i}\n`).join("\n");

/** How many slices it took. */
function driven(task: ToolTask): number {
  let slices = 1;
  while (!task.advance(50_000)) slices++;
  return slices;
}

describe("a long source", () => {
  it("[architecture] is compiled, stored and run in many slices, a short one in one", () => {
    const f = new ToolFixture();
    const task = f.start("compile", { name: "long", source: LONG });
    expect(driven(task)).toBeGreaterThan(12);
    expect(task.answer().status).toBe("success");
    expect(
      task
        .answer()
        .text.split("\n")
        .filter((line) => line.startsWith("installed script")),
    ).toHaveLength(1200);
    expect(f.run("import long\nprint(long.f1199(1))").text).toContain("1200");
    const lines = f.start("run", { source: Array.from({ length: 3000 }, (_, i) => `x${i} = ${i}`).join("\n") });
    expect(driven(lines)).toBeGreaterThan(10);
    expect(driven(f.start("compile", { name: "short", source: LONG.slice(0, LONG.indexOf("def f90")) }))).toBe(1);
    expect(driven(f.start("run", { source: "x = 1\nprint(x)" }))).toBe(1);
  });

  it("[6.1] tells all its faults, wherever the pieces end", () => {
    const f = new ToolFixture();
    const answer = f.compile("long", `${LONG}\nx = nowhere\n${LONG.replaceAll("def f", "def g")}\ny = nobody\n`);
    const places = (answer.meta["diagnostics"] as { line: number }[]).map(({ line }) => line);
    expect(answer.status).toBe("compile_error");
    expect(places).toEqual([3601, 7202]);
  });

  it("[9.8] is stopped before its first statement, and nothing is stored", () => {
    const f = new ToolFixture();
    const task = f.start("compile", { name: "long", source: `remember(K.a.x, 1, "s")\n${LONG}` });
    for (let i = 0; i < 4; i++) expect(task.advance(50_000)).toBe(false);
    task.stop();
    driven(task);
    expect(task.stopped).toBe(true);
    expect(task.answer().text).toContain("the run was stopped before this statement");
    expect(f.call("list_modules", {}).text).toContain("0 modules");
    expect(f.run("print(K.a.x)").text).toContain("None");
  });

  it("[C7.13] meets a level that is lowered while it is compiled", () => {
    const f = new ToolFixture();
    const caller: { keyId: string; level: Level } = { keyId: "key_1", level: "read-write" };
    const call = { tool: "compile", args: { name: "long", source: LONG }, caller, wallMicros: 1_767_300_000_000_000 };
    const task = f.store.startTool({ ...call, opsMax: 50_000_000, opsMaxIsCredit: false });
    for (let i = 0; i < 4; i++) expect(task.advance(50_000)).toBe(false);
    caller.level = "read";
    driven(task);
    expect(task.answer().meta["refuse_reason"]).toBe("scope_forbidden");
    expect(f.call("list_modules", {}).text).toContain("0 modules");
  });
});
