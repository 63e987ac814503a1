/** Cozo in WebAssembly, in memory: Datalog with semi-naive evaluation. `cozo.mjs <workload> <folder>` */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { CLOSURE_COUNTS, GENERATION_COUNT, GRAPHS, ORDER_GROUPS, ORDER_SUM, orders, tree } from "./data.mjs";
import { check, tell, timed } from "./harness.mjs";

const [workload, folder] = process.argv.slice(2);
const at = join(folder, "node_modules/cozo-lib-wasm");
const { CozoDb, initSync } = await import(pathToFileURL(join(at, "cozo_lib_wasm.js")).href);
initSync(readFileSync(join(at, "cozo_lib_wasm_bg.wasm")));
const db = CozoDb.new();

function run(program, params = {}) {
  const answer = JSON.parse(db.run(program, JSON.stringify(params), false));
  if (!answer.ok) throw new Error(answer.message ?? JSON.stringify(answer).slice(0, 500));
  return answer.rows;
}
function put(relation, columns, rows) {
  for (let i = 0; i < rows.length; i += 10_000)
    run(`?[${columns}] <- $rows :put ${relation} {${columns}}`, { rows: rows.slice(i, i + 10_000) });
}

if (workload === "totals") {
  const all = orders();
  run(":create placed {id: Int => customer: Int, amount: Int}");
  run(":create refunded {id: Int}");
  run(":create blocked {customer: Int}");
  put("placed", "id, customer, amount", all.orders);
  put(
    "refunded",
    "id",
    all.refunded.map((id) => [id]),
  );
  put(
    "blocked",
    "customer",
    all.blocked.map((customer) => [customer]),
  );
  const [s, rows] = timed(() =>
    run("?[customer, count(id), sum(amount)] := *placed{id, customer, amount}, not *refunded{id}, not *blocked{customer}"),
  );
  check("groups", rows.length, ORDER_GROUPS);
  check(
    "sum",
    rows.reduce((sum, row) => sum + row[2], 0),
    ORDER_SUM,
  );
  tell({ s });
} else if (workload === "generation") {
  run(":create child {p: Int, c: Int}");
  put("child", "p, c", tree());
  const [s, rows] = timed(() =>
    run(`same[x, y] := *child{p: z, c: x}, *child{p: z, c: y}
same[x, y] := same[p, q], *child{p: p, c: x}, *child{p: q, c: y}
?[count(x)] := same[x, y]`),
  );
  check("same generation", rows[0][0], GENERATION_COUNT);
  tell({ s });
} else {
  run(":create edge {a: Int, b: Int}");
  put("edge", "a, b", GRAPHS[workload]());
  const [s, rows] = timed(() =>
    run(`path[x, y] := *edge{a: x, b: y}
path[x, z] := path[x, y], *edge{a: y, b: z}
?[count(x)] := path[x, y]`),
  );
  check(workload, rows[0][0], CLOSURE_COUNTS[workload][0]);
  tell({ s });
}
