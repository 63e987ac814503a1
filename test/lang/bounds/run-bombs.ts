/** Runs each bomb of bombs.txt twice and writes what came of it, one line of JSON each. A process of its own, for its heap is capped. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "../machine/run-program";

const IMPORTS = ["json", "itertools", "collections", "functools", "math", "re", "string", "statistics", "operator"];
/** Below the default, so that a bomb of ops ends in time on a busy machine too. */
const OPS_MAX = 5_000_000;

for (const bomb of readFileSync(join(import.meta.dirname, "bombs.txt"), "utf8").split("\n")) {
  if (bomb === "" || bomb.startsWith("## ")) continue;
  const imports = IMPORTS.filter((m) => bomb.includes(`${m}.`)).map((m) => `import ${m}\n`);
  const source = `${imports.join("")}try:\n    x = ${bomb}\n    print("done")\nexcept Exception as e:\n    print(type(e).__name__)\n`;
  const ran = outcome(source, {});
  const again = outcome(source, { slice: 5_000 });
  console.log(JSON.stringify({ bomb, ended: ran.ended, steps: ran.steps, same: JSON.stringify(ran) === JSON.stringify(again) }));
}

/** What came of a run, as plain data: nothing of the run itself stays alive. */
function outcome(source: string, options: { readonly slice?: number }) {
  const { ending, out, ops, execution } = runProgram(source, { opsMax: OPS_MAX, ...options });
  const ended = ending.tag === "completed" ? out.trim() : ending.tag === "refused" ? ending.reason : ending.tag;
  return { ended, ops, steps: execution?.steps ?? 0 };
}
