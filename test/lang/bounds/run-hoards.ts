/** Runs each program of hoards.txt and writes where it ended, one line of JSON each. A process of its own, for its heap is capped. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "../machine/run-program";

const HOARDS = readFileSync(join(import.meta.dirname, "hoards.txt"), "utf8")
  .replace(/^##.*\n/, "")
  .split("---\n");

HOARDS.forEach((source, i) => {
  const ran = where(source, 50_000);
  // Where it ends does not depend on how the run is cut: shown of every sixth, for each takes a second.
  console.log(JSON.stringify({ source, ...ran, same: i % 6 > 0 || JSON.stringify(where(source, 7_001)) === JSON.stringify(ran) }));
});

/** As plain data: nothing of the run itself stays alive. */
function where(source: string, slice: number) {
  const { ending, ops, execution } = runProgram(source, { slice });
  return { ended: ending.tag === "refused" ? ending.reason : ending.tag, ops, steps: execution?.steps ?? 0 };
}
