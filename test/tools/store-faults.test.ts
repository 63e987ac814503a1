/**
 * [R15] The n-th SQL call of a tool call fails: the store is then as it was before the call or as it is after it, at
 * once and in an object opened anew, and the next call works.
 *
 * Here of each script a few n, by seed; `FAULTS=all` takes every n (minutes).
 */
import { describe, expect, test } from "vitest";
import { seeded } from "../../scripts/seeded.mjs";
import { fill, SCRIPTS, type Script, told } from "./store-scripts";
import { ToolFixture } from "./tool-fixture";

const ALL = process.env["FAULTS"] === "all";
const SAMPLE = 4;

function filled(): ToolFixture {
  const f = new ToolFixture();
  fill(f);
  return f;
}

/** As the service drives it: what a slice writes stands or falls with the slice. */
function work(f: ToolFixture, script: Script): void {
  f.sql.transaction(() => f.call(script.tool, script.args));
}

describe("[R15] the n-th SQL call fails", () => {
  test("there are fifty-eight scripts, and all but the failing compile change what the store says", () => {
    expect(SCRIPTS).toHaveLength(58);
    const untouched = filled();
    untouched.clock += untouched.clockStep;
    const before = told(untouched);
    const idle = SCRIPTS.filter((script) => {
      const f = filled();
      work(f, script);
      return told(f) === before;
    });
    expect(idle.map(({ name }) => name)).toEqual(["compile a body that fails"]);
  });

  test.each(SCRIPTS)("$name", (script) => {
    const wanted = [false, true].map((done) => {
      const f = filled();
      if (done) work(f, script);
      else f.clock += f.clockStep;
      return told(f);
    });
    const whole = filled();
    const before = whole.sql.calls;
    work(whole, script);
    const calls = whole.sql.calls - before;
    const chance = seeded(calls);
    const tried = ALL ? Array.from({ length: calls }, (_, i) => i + 1) : Array.from({ length: SAMPLE }, () => 1 + chance.below(calls));
    for (const n of new Set(tried)) {
      const f = filled();
      f.sql.calls = 0;
      f.sql.failAt = n;
      expect(() => work(f, script), `call ${n}`).toThrow("fails");
      f.sql.failAt = 0;
      const after = told(f);
      expect(wanted.indexOf(after), `call ${n} of ${calls}: neither the old state nor the new one\n${after}`).toBeGreaterThanOrEqual(0);
      expect(f.run('remember(Next.call.works, 1, "s")').status, `call ${n}`).toBe("success");
      f.reopen();
      const reopened = f.run("print(value(Next.call.works), value(P.a.x), kinds())", { level: "read" });
      expect(reopened.status).toBe("success");
    }
  });
});
