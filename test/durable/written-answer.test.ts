import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isLong, writtenAnswer } from "../../src/durable/written-answer";
import { jsonText, type RequestJson } from "../../src/request/request-json";
import type { Json, ToolAnswer } from "../../src/tools/answer";
import { toolResult } from "../../src/tools/envelope";
import { resultOfPieces, resultText } from "../../src/worker/mcp/message";

const TOLD = { tenantId: "t", keyId: "k", answeredAt: "2026-12-01T00:00:00.000000Z" };

function written(answer: ToolAnswer, bytesMax?: number): { pieces: string[] | null; pauses: number } {
  const work = writtenAnswer(TOLD, answer, bytesMax);
  for (let pauses = 0; ; pauses++) {
    const { done, value } = work.next();
    if (done === true) return { pieces: value, pauses };
  }
}
const inWhole = (answer: ToolAnswer): string => jsonText(toolResult(TOLD, answer) as unknown as RequestJson);

function answerOf(text: string, entries: readonly Json[], more: { readonly [name: string]: Json } = {}): ToolAnswer {
  const meta = { invoke_status: "completed", transcript: entries, ...more };
  return { status: "success", text, meta, mirror: { ...meta, transcript_omitted: 3 }, ops: 7 };
}

describe("a long answer, written in pieces", () => {
  test("[5] it is the text of the whole result, whatever stands in it and wherever it is cut", () => {
    const anyText = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), fc.constant('"\\\u0000\u2028'));
    const entry = fc.record({ kind: fc.constant("print"), value: anyText, line: fc.nat() });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 6 }), anyText, fc.nat(700), fc.boolean(), (entries, text, times, mirrored) => {
        const many = Array.from({ length: times }, () => entries).flat();
        const answer = answerOf(text.repeat(times), many, { notes: [], big: 2n ** 70n, "a name": { deep: [text] } });
        const given = mirrored ? { ...answer, mirror: { transcript: many } } : { ...answer, mirror: null };
        expect(written(given).pieces!.join("")).toBe(inWhole(given));
      }),
      { numRuns: 60 },
    );
  });

  test("[5] a pair is not cut in two, at any place", () => {
    for (const offset of [0, 1]) {
      const answer = answerOf("x".repeat(offset) + "😀".repeat(40_000), []);
      expect(written(answer).pieces!.join("")).toBe(inWhole(answer));
    }
  });

  test("it pauses often: no piece is long", () => {
    const entries = Array.from({ length: 20_000 }, (_, line) => ({ kind: "print", type: "str", value: `line ${line}`, line }));
    const { pieces, pauses } = written(answerOf("y".repeat(400_000), entries));
    expect(pauses).toBeGreaterThan(150);
    for (const piece of pieces!) expect(piece.length).toBeLessThan(66_000);
  });

  test("a value of many characters is long too, and is cut within its entry", () => {
    const bound = (value: string) => ({ kind: "assign", name: "s", type: "str", value, line: 1 });
    const entries = [bound("a"), bound("😀".repeat(100_000)), bound("b"), bound('"'.repeat(200_000))];
    for (const some of [entries, entries.slice(1, 3), entries.slice(0, 2), [entries[1]]]) {
      const answer = answerOf("OK", some);
      expect(isLong(answer)).toBe(true);
      const { pieces } = written(answer);
      expect(pieces!.join("")).toBe(inWhole(answer));
      for (const piece of pieces!) expect(piece.length).toBeLessThan(150_000);
    }
    expect(isLong(answerOf("OK", [entries[0], entries[2]]))).toBe(false);
  });

  test("what an object call does not carry is not written", () => {
    const answer = answerOf("ж".repeat(100_000), []);
    const bytes = 2 * inWhole(answer).length;
    expect(written(answer, bytes + 1000).pieces).not.toBeNull();
    expect(written(answer, 200_000).pieces).toBeNull();
  });

  test("short answers are left as they are; a long text or a long transcript is long", () => {
    expect(isLong(answerOf("short", []))).toBe(false);
    expect(isLong(answerOf("x".repeat(40_000), []))).toBe(true);
    expect(
      isLong(
        answerOf(
          "",
          Array.from({ length: 501 }, () => null),
        ),
      ),
    ).toBe(true);
  });

  test("the reply around it is the one of a result that is given whole", () => {
    const answer = answerOf("a", [{ kind: "print", value: "b" }]);
    for (const id of [3, "3", 'x"y']) expect(resultOfPieces(id, written(answer).pieces!)).toBe(resultText(id, toolResult(TOLD, answer)));
  });
});
