import { serialize } from "node:v8";
import { describe, expect, test } from "vitest";
import { busyAnswer, carriableAnswer, neverBegunAnswer, paymentMessage, scopeAnswer, stopAnswer } from "../../src/durable/store-answers";
import type { Json, ToolAnswer } from "../../src/tools/answer";

function answerWith(transcript: Json): ToolAnswer {
  const meta = { invoke_status: "completed", transcript };
  return { status: "success", text: "OK program: no change", meta, mirror: meta, ops: 5 };
}

describe("answers of the store object", () => {
  test.each([
    ["one long text", ["x".repeat(400_000)]],
    ["a text beyond Latin-1", ["ж".repeat(200_000)]],
    ["many short entries", Array.from({ length: 8_000 }, (_, line) => ({ kind: "print", type: "int", value: String(line), line }))],
    ["nothing", []],
  ])("[5] an answer is carried where it fits, by an estimate that errs to the safe side: %s", (_, transcript) => {
    const answer = answerWith(transcript as Json);
    const taken = serialize([answer.text, answer.meta, structuredClone(answer.mirror)]).length;
    expect(carriableAnswer("run", answer, Math.ceil(taken * 1.3) + 1_000)).toBe(answer);
    if (taken < 10_000) return;
    const refused = carriableAnswer("run", answer, Math.floor(taken * 0.95));
    expect(refused).toMatchObject({ status: "engine_error", ops: 5, meta: { invoke_status: "failed" } });
    expect(refused.text).toMatch(/is saved/);
  });

  test.each(["run", "compile", "diff"])("[5] every failing answer of %s opens as the tool's own do, and says so on its status", (tool) => {
    const head = tool === "run" ? "error: program failed — " : `error: ${tool} failed — `;
    for (const answer of [busyAnswer(tool), scopeAnswer(tool), neverBegunAnswer(tool)]) {
      expect(answer.text.startsWith(head)).toBe(true);
      expect(answer.status).not.toBe("success");
      expect(answer.ops).toBe(0);
      expect(answer.mirror === null).toBe(tool !== "run");
    }
    expect(neverBegunAnswer(tool).text).toContain("the run was stopped before this statement");
  });

  test("[6] a scope refusal says only that this key may not do this", () => {
    expect(scopeAnswer("stop")).toMatchObject({
      text: "error: stop failed — this key may not do this",
      meta: { refuse_reason: "scope_forbidden" },
    });
  });

  test("[9.8] each outcome of stop is a success that names it", () => {
    for (const outcome of ["stopped", "finished", "idle", "stopping"] as const) {
      expect(stopAnswer(outcome)).toMatchObject({ status: "success", meta: { outcome }, ops: 0 });
      expect(stopAnswer(outcome).text.startsWith(`OK stop: ${outcome}.`)).toBe(true);
    }
  });

  test("[6] every payment message says what clears it", () => {
    for (const why of ["balance", "suspended", "no_account"] as const)
      expect(paymentMessage(why)).toMatch(/^Payment required: .*dke\.langsyn\.com\/buy\//);
  });
});
