/** [3] exp, erf, erfc, gamma, lgamma, asin and acos give CPython's bits (recorded by scripts/special-cases.py). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runProgram } from "../machine/run-program";

const RECORDED = JSON.parse(readFileSync(join(import.meta.dirname, "../../testdata/special-functions.json"), "utf8")) as Record<
  string,
  [string, string][]
>;

test.each(Object.entries(RECORDED))("%s", (name, cases) => {
  const source = [
    "import math",
    `xs = "${cases.map(([x]) => x).join(" ")}".split()`,
    "for x in xs:",
    "    try:",
    `        print(math.${name}(float.fromhex(x)).hex())`,
    "    except Exception as e:",
    '        print(f"{type(e).__name__}: {e}")',
  ].join("\n");
  const { out } = runProgram(`${source}\n`);
  expect(out.trim().split("\n")).toEqual(cases.map(([, y]) => y));
});
