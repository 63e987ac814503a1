/** What a call that ended inside a branch says it did: rulings "A stop or lost credit inside a branch", contract §4.2. */
import { describe, expect, it } from "vitest";
import { ToolFixture } from "./tool-fixture";

const SOURCE = [
  'remember(K.a.before, 1, "s")',
  'with branch("outer"):',
  '    remember(K.a.x, 1, "s")',
  '    with branch("inner"):',
  '        remember(K.a.y, 1, "s")',
  "    for i in range(10**9):",
  "        z = i",
].join("\n");

describe("a call that ends inside a branch", () => {
  it("[rulings] stopped: only what landed is told, and only that is kept", () => {
    const f = new ToolFixture();
    const task = f.store.startTool({
      tool: "run",
      args: { source: SOURCE },
      caller: { keyId: "key_1", level: "read-write-delete" },
      wallMicros: 1_767_225_600_000_000,
      opsMax: 50_000_000,
      opsMaxIsCredit: false,
    });
    for (let i = 0; i < 5; i++) expect(task.advance(1_000)).toBe(false);
    task.stop();
    expect(task.advance(1_000)).toBe(true);
    const answer = task.answer();
    expect(answer.meta).toMatchObject({ invoke_status: "stopped", refuse_reason: "limit_exceeded" });
    expect(answer.text.split("\n").slice(1)).toEqual(["remember K.a.before = 1 (per s)"]);
    expect(f.run("print(K.a.before, K.a.x, K.a.y)").text).toContain("1 None None");
  });

  it("[rulings] at the ceiling of its ops: the same", () => {
    const f = new ToolFixture();
    const answer = f.run(SOURCE, { opsMax: 5_000 });
    expect(answer.meta).toMatchObject({ refuse_reason: "limit_exceeded" });
    expect(answer.text.split("\n").slice(1)).toEqual(["remember K.a.before = 1 (per s)"]);
    expect(f.run("print(K.a.before, K.a.x, K.a.y)").text).toContain("1 None None");
  });

  it("[rulings] by an exception: the same", () => {
    const f = new ToolFixture();
    const answer = f.run(SOURCE.replace("10**9", "3").replace("z = i", "z = 1 // i"));
    expect(answer.meta).toMatchObject({ refuse_reason: "invalid_value" });
    expect(answer.text.split("\n").slice(1)).toEqual(["remember K.a.before = 1 (per s)"]);
  });
});
