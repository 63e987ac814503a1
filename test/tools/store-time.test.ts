/** [R18] Instants strictly increase whatever the clock does, and what was known at one never changes. */
import { describe, expect, test } from "vitest";
import { seeded } from "../../scripts/seeded.mjs";
import { ToolFixture } from "./tool-fixture";

const HOUR = 3_600_000_000;
const CLOCKS: readonly (readonly [string, (call: number, below: (n: number) => number) => number])[] = [
  ["frozen", () => 0],
  ["stepping back a little each time", () => -7],
  ["jumping an hour either way", (_, below) => (below(3) - 1) * HOUR],
  ["back by a day once, then on", (call) => (call === 20 ? -24 * HOUR : 1)],
];

describe("[R18] instants", () => {
  test.each(CLOCKS)("the clock is %s: every writing call is later than the one before, over reopenings too", (_, step) => {
    const f = new ToolFixture();
    const { below } = seeded(18);
    const instants: string[] = [];
    for (let i = 0; i < 120; i++) {
      f.clockStep = step(i, below);
      if (i % 17 === 16) f.reopen();
      const answer = f.run(`update(P.a.x, ${i}, "s")\nprint(now(), current(P.a.x).recorded_at == now())`);
      const [entry] = answer.meta["transcript"] as unknown as { kind: string; value: string }[];
      const [instant, same] = entry!.value.split(" ");
      expect(same).toBe("True");
      instants.push(instant!);
    }
    for (let i = 1; i < instants.length; i++)
      expect(comparable(instants[i]!) > comparable(instants[i - 1]!), `${instants[i - 1]}, ${instants[i]}`).toBe(true);
    const history = f.run("print([c.value for c in history(P.a.x)] == list(range(120)))").text;
    expect(history).toContain("True");
  });

  test("a known_at answer is the same after 1,000 later writes, at every moment that was noted", { timeout: 120_000 }, () => {
    const f = new ToolFixture();
    const { below } = seeded(81);
    const noted: { readonly at: string; readonly said: string }[] = [];
    const said = (at: string) => {
      const point = "known_at=k";
      const source = `k = datetime("${at}")\nprint([[value(P[s].x, ${point}), value(P[s].y, at=k, ${point})] for s in ["a", "b", "c"]], len(subjects(P, ${point})))`;
      const answer = f.run(source);
      expect(answer.status, answer.text).toBe("success");
      return answer.text;
    };
    let done = 0;
    for (let i = 0; i < 1030; i++) {
      f.clockStep = [0, 1, -HOUR, HOUR, 1000][below(5)]!;
      const subject = ["a", "b", "c", `n${i}`][below(4)]!;
      const field = ["x", "y"][below(2)]!;
      const write = [
        `update(P.${subject}.${field}, ${below(9)}, "s")`,
        `update(P.${subject}.${field}, ${below(9)}, "t")`,
        `assert_absent(P.${subject}.z, "s")`,
        `prefer(P.${subject}.${field}, "${["s", "t"][below(2)]}")`,
        `update(P.${subject}.${field}, ${below(9)}, "s", valid_from=now())`,
      ][below(5)]!;
      const answer = f.run(`print(now())\n${write}`);
      if (answer.status === "success") done++;
      if (i % 90 !== 5) continue;
      const at = (answer.meta["transcript"] as unknown as { kind: string; value: string }[]).find((e) => e.kind === "print")!.value;
      noted.push({ at, said: said(at) });
    }
    f.reopen();
    expect(done).toBeGreaterThan(900);
    expect(noted.length).toBeGreaterThan(10);
    expect(new Set(noted.map((one) => one.said)).size).toBeGreaterThan(6);
    for (const { at, said: before } of noted) expect(said(at), at).toBe(before);
  });
});

/** ISO texts of different lengths in their fraction. */
function comparable(instant: string): string {
  const [whole, fraction = ""] = instant.replace("Z", "").split(".");
  return `${whole}.${fraction.padEnd(6, "0")}`;
}
