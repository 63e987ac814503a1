/** [docs] The published tutorial: each example gives what the page shows, in the order it stands, on one store. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { blocksOf } from "./spec-blocks";
import { ToolFixture } from "./tool-fixture";

const BLOCKS = blocksOf(readFileSync(join(import.meta.dirname, "../../src/pages/tutorial.md"), "utf8"));

describe("[docs] examples of the tutorial", () => {
  const f = new ToolFixture();
  for (const { line, how, module, source, expected } of BLOCKS)
    test(`line ${line}: ${how} ${module ?? ""}`, () => {
      const answer = module === null ? f.run(source) : f.compile(module, source);
      expect(answer.status === "success", answer.text).toBe(how !== "refused");
      if (how === "compile") return;
      expect(answer.text.slice(how === "refused" ? 0 : answer.text.indexOf("\n") + 1)).toBe(expected);
    });
  test("there are many", () => expect(BLOCKS.length).toBeGreaterThan(7));
});
