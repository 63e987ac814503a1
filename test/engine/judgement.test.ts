/** The sweep over a cell's windows against the plain question asked at every instant (language.md §5.2). */
import { describe, expect, it } from "vitest";
import type { ClaimRow } from "../../src/engine/claim-row";
import { comparePieces, factPieces, judgeAt, judgedSpans } from "../../src/engine/judgement";
import { ToolFixture } from "../tools/tool-fixture";

function claimRow(id: number, from: number, to: number, value: number, source: number): ClaimRow {
  return {
    id,
    field: 1,
    subject: 1,
    value,
    source,
    from,
    to,
    position: id,
    written: id,
    recordedAt: id,
    knownFrom: id,
    writer: 1,
    qualifiers: 0,
    goneBy: 0,
    goneAt: Number.POSITIVE_INFINITY,
  };
}

describe("judgement over all time", () => {
  it("[5.2] is at every instant what it is asked at that instant", () => {
    let seed = 20_261_130;
    const random = (n: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return (seed >>> 8) % n;
    };
    let judged = 0;
    for (let round = 0; round < 400; round++) {
      const rows = Array.from({ length: random(12) }, (_, i) => {
        const from = random(8) === 0 ? Number.NEGATIVE_INFINITY : random(20);
        const to = random(8) === 0 ? Number.POSITIVE_INFINITY : Math.max(from, 0) + 1 + random(9);
        return claimRow(i + 1, from, to, random(3), 1 + random(3));
      });
      const preferred = [[], [1 + random(3)], [1 + random(3), 1 + random(3)]][random(3)];
      const spans = judgedSpans(rows, preferred);
      for (let at = -2; at < 32; at++) {
        const found = spans.filter((span) => span.from <= at && at < span.to);
        expect(found.length, `round ${round} at ${at}`).toBeLessThanOrEqual(1);
        expect(found[0]?.row, `round ${round} at ${at}`).toBe(judgeAt(rows, at, preferred));
        judged += found.length;
      }
      for (let i = 1; i < spans.length; i++) {
        expect(spans[i - 1].to).toBeLessThanOrEqual(spans[i].from);
        expect(spans[i - 1].row === spans[i].row && spans[i - 1].to === spans[i].from, "spans are maximal").toBe(false);
      }
      const pieces = factPieces(rows, random(2) === 0, preferred);
      for (let i = 1; i < pieces.length; i++) expect(comparePieces(pieces[i - 1], pieces[i])).toBeLessThan(0);
    }
    expect(judged).toBeGreaterThan(3_000);
  });
});

describe("one cell of thousands of claims under a rule", () => {
  const started = () => performance.now();

  it("[4] takes each value of a many-valued field for itself", () => {
    const f = new ToolFixture();
    const at = started();
    const answer = f.compile(
      "hub",
      'class Hub:\n    port: many[int]\n\n@rule\ndef seen(h: Hub, p: int):\n    when(h.port == p)\n    conclude(h.open, p)\n\nfor i in range(3000):\n    remember(Hub.one.port, i, "s")\nforget(Hub.one.port, 7, "s")\nprint(len(values(Hub.one.open)))',
    );
    expect(answer.text).toContain("2999");
    expect(performance.now() - at).toBeLessThan(30_000);
    expect(f.run("import hub\nprint(8 in values(Hub.one.open), 7 in values(Hub.one.open))").text).toContain("True False");
  }, 60_000);

  it("[5.2] and a long timeline costs its length, not its square, at each write", () => {
    const f = new ToolFixture();
    const at = started();
    const answer = f.compile(
      "meter",
      'class Meter:\n    level: int\n\n@rule\ndef high(m: Meter):\n    when(m.level >= 0)\n    conclude(m.high, True)\n\nstart = datetime("2020-01-01T00:00:00Z")\nhour = duration("PT1H")\nfor i in range(1000):\n    remember(Meter.one.level, i % 7, "s", valid_from=start + i * hour, valid_to=start + (i + 1) * hour)\nprint(value(Meter.one.high, at=start + 999 * hour), value(Meter.one.high, at=start + 1000 * hour))',
    );
    expect(answer.text).toContain("True None");
    expect(performance.now() - at).toBeLessThan(30_000);
  }, 60_000);
});
