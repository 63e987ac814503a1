/** SWI-Prolog in WebAssembly, tabled. `swipl.mjs <workload> <folder>` */
import { createRequire } from "node:module";
import { join } from "node:path";
import { CLOSURE_COUNTS, GENERATION_COUNT, GRAPHS, tree } from "./data.mjs";
import { check, tell, timed } from "./harness.mjs";

const [workload, folder] = process.argv.slice(2);
const SWIPL = createRequire(join(folder, "package.json"))("swipl-wasm/dist/swipl-node.js");
const swipl = await SWIPL({ arguments: ["-q", "--stack-limit=2g", "--table-space=2g"] });
const generation = workload === "generation";
const facts = generation ? tree().map(([p, c]) => `child(${p},${c}).`) : GRAPHS[workload]().map(([a, b]) => `edge(${a},${b}).`);
const rules = generation
  ? ":- table same/2.\nsame(X,Y) :- child(P,X), child(P,Y).\nsame(X,Y) :- same(P,Q), child(P,X), child(Q,Y).\n"
  : ":- table path/2.\npath(X,Y) :- edge(X,Y).\npath(X,Z) :- path(X,Y), edge(Y,Z).\n";
swipl.FS.writeFile("/facts.pl", `${rules}${facts.join("\n")}\n`);
swipl.prolog.call("consult('/facts.pl')");
const goal = generation ? "same(_,_)" : "path(_,_)";
const [s, row] = timed(() => swipl.prolog.query(`aggregate_all(count,${goal},N)`).once());
check(workload, Number(row.N), generation ? GENERATION_COUNT : CLOSURE_COUNTS[workload][0]);
tell({ s });
process.exit(0);
