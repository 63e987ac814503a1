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
  const before = process.cpuUsage();
  const ran = runProgram(source, { opsMax: OPS_MAX });
  const seconds = process.cpuUsage(before).user / 1e6;
  const again = runProgram(source, { opsMax: OPS_MAX, slice: 5_000 });
  const ended = ran.ending.tag === "completed" ? ran.out.trim() : ran.ending.tag === "refused" ? ran.ending.reason : ran.ending.tag;
  const same = again.out === ran.out && again.ops === ran.ops && again.execution?.steps === ran.execution?.steps;
  console.log(JSON.stringify({ bomb, ended, seconds, same }));
}
