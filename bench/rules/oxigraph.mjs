/** Oxigraph in WebAssembly: a property path for a closure, a grouped query for the totals. `oxigraph.mjs <workload> <folder>` */
import { createRequire } from "node:module";
import { join } from "node:path";
import { CLOSURE_COUNTS, GRAPHS, ORDER_GROUPS, ORDER_SUM, orders } from "./data.mjs";
import { check, tell, timed } from "./harness.mjs";

const [workload, folder] = process.argv.slice(2);
const { Store, quad, namedNode, defaultGraph } = createRequire(join(folder, "package.json"))("oxigraph");
const store = new Store();
const add = (s, p, o) => store.add(quad(namedNode(`urn:${s}`), namedNode(`urn:${p}`), o, defaultGraph()));
const name = (text) => namedNode(`urn:${text}`);

if (workload === "totals") {
  const all = orders();
  const lines = all.orders.flatMap(([id, customer, amount]) => [
    `<urn:o${id}> <urn:customer> <urn:c${customer}> .`,
    `<urn:o${id}> <urn:amount> "${amount}"^^<http://www.w3.org/2001/XMLSchema#integer> .`,
  ]);
  for (const id of all.refunded) lines.push(`<urn:o${id}> <urn:refunded> "1" .`);
  for (const id of all.blocked) lines.push(`<urn:c${id}> <urn:blocked> "1" .`);
  store.load(lines.join("\n"), { format: "application/n-triples" });
  const [s, rows] = timed(() =>
    store.query(`SELECT ?c (COUNT(?o) AS ?n) (SUM(?a) AS ?s) WHERE { ?o <urn:customer> ?c ; <urn:amount> ?a .
      FILTER NOT EXISTS { ?o <urn:refunded> ?r } FILTER NOT EXISTS { ?c <urn:blocked> ?b } } GROUP BY ?c`),
  );
  check("groups", rows.length, ORDER_GROUPS);
  check(
    "sum",
    rows.reduce((sum, row) => sum + Number(row.get("s").value), 0),
    ORDER_SUM,
  );
  tell({ s });
} else {
  for (const [from, to] of GRAPHS[workload]()) add(`n${from}`, "edge", name(`n${to}`));
  const [s, rows] = timed(() => store.query("SELECT (COUNT(*) AS ?n) WHERE { ?x <urn:edge>+ ?y }"));
  check(workload, Number(rows[0].get("n").value), CLOSURE_COUNTS[workload][0]);
  tell({ s });
}
