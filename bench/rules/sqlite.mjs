/** SQLite in WebAssembly: one recursive query for a closure, one grouped query for the totals. `sqlite.mjs <workload>` */
import { createRequire } from "node:module";
import { CLOSURE_COUNTS, GENERATION_COUNT, GRAPHS, ORDER_GROUPS, ORDER_SUM, orders, tree } from "./data.mjs";
import { check, tell, timed } from "./harness.mjs";

const { Database } = createRequire(import.meta.url)("node-sqlite3-wasm");
const db = new Database();
const workload = process.argv[2];
const fill = (table, columns, rows) => {
  db.exec(`CREATE TABLE ${table} (${columns})`);
  const insert = db.prepare(`INSERT INTO ${table} VALUES (${rows[0].map(() => "?").join()})`);
  db.exec("BEGIN");
  for (const row of rows) insert.run(row);
  db.exec("COMMIT");
  insert.finalize();
};

if (workload === "generation") {
  fill("child", "p INT, c INT", tree());
  db.exec("CREATE INDEX child_p ON child (p, c)");
  const [s, row] = timed(() =>
    db.get(`WITH RECURSIVE same (x, y) AS (SELECT a.c, b.c FROM child a JOIN child b ON a.p = b.p
      UNION SELECT a.c, b.c FROM same JOIN child a ON a.p = same.x JOIN child b ON b.p = same.y) SELECT count(*) AS n FROM same`),
  );
  check("same generation", row.n, GENERATION_COUNT);
  tell({ s });
} else if (workload === "totals") {
  const all = orders();
  fill("ord", "id INTEGER PRIMARY KEY, c INT, amount INT", all.orders);
  fill(
    "refunded",
    "id INTEGER PRIMARY KEY",
    all.refunded.map((id) => [id]),
  );
  fill(
    "blocked",
    "c INTEGER PRIMARY KEY",
    all.blocked.map((c) => [c]),
  );
  const [s, rows] = timed(() =>
    db.all(`SELECT c, count(*) AS n, sum(amount) AS s FROM ord WHERE NOT EXISTS (SELECT 1 FROM refunded r WHERE r.id = ord.id)
      AND NOT EXISTS (SELECT 1 FROM blocked b WHERE b.c = ord.c) GROUP BY c`),
  );
  check("groups", rows.length, ORDER_GROUPS);
  check(
    "sum",
    rows.reduce((sum, row) => sum + row.s, 0),
    ORDER_SUM,
  );
  tell({ s });
} else {
  fill("edge", "a INT, b INT, PRIMARY KEY (a, b)", GRAPHS[workload]());
  const [s, row] = timed(() =>
    db.get(`WITH RECURSIVE path (x, y) AS (SELECT a, b FROM edge UNION SELECT p.x, e.b FROM path p JOIN edge e ON e.a = p.y)
      SELECT count(*) AS n FROM path`),
  );
  check(workload, row.n, CLOSURE_COUNTS[workload][0]);
  tell({ s });
}
