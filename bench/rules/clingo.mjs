/**
 * clingo in WebAssembly, an answer-set solver: its time is of the whole run, parsing of the facts included, since a
 * program comes as one text. `clingo.mjs <workload> <folder>`
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { CLOSURE_COUNTS, GENERATION_COUNT, GRAPHS, ORDER_GROUPS, ORDER_SUM, orders, tree } from "./data.mjs";
import { check, tell } from "./harness.mjs";

const [workload, folder] = process.argv.slice(2);
const clingo = createRequire(join(folder, "package.json"))("clingo-wasm");

function program() {
  if (workload === "generation") {
    const facts = tree().map(([p, c]) => `child(${p},${c}).`);
    return `${facts.join("\n")}
same(X,Y) :- child(P,X), child(P,Y).
same(X,Y) :- same(P,Q), child(P,X), child(Q,Y).
n(N) :- N = #count { X,Y : same(X,Y) }.
#show n/1.`;
  }
  if (workload === "totals") {
    const all = orders();
    const facts = [
      ...all.orders.map(([id, customer, amount]) => `placed(${id},${customer},${amount}).`),
      ...all.refunded.map((id) => `refunded(${id}).`),
      ...all.blocked.map((customer) => `blocked(${customer}).`),
    ];
    return `${facts.join("\n")}
good(I,C,A) :- placed(I,C,A), not refunded(I), not blocked(C).
total(C,N,S) :- good(_,C,_), N = #count { I : good(I,C,_) }, S = #sum { A,I : good(I,C,A) }.
n(N,S) :- N = #count { C : total(C,_,_) }, S = #sum { T,C : total(C,_,T) }.
#show n/2.`;
  }
  const facts = GRAPHS[workload]().map(([a, b]) => `edge(${a},${b}).`);
  return `${facts.join("\n")}
path(X,Y) :- edge(X,Y).
path(X,Z) :- path(X,Y), edge(Y,Z).
n(N) :- N = #count { X,Y : path(X,Y) }.
#show n/1.`;
}

const text = program();
const cpuBefore = process.cpuUsage();
const before = performance.now();
const answer = await clingo.run(text);
const wall = (performance.now() - before) / 1000;
const cpu = process.cpuUsage(cpuBefore);
const shown = answer.Call?.[0]?.Witnesses?.[0]?.Value?.join(" ");
const want =
  workload === "totals"
    ? `n(${ORDER_GROUPS},${ORDER_SUM})`
    : `n(${workload === "generation" ? GENERATION_COUNT : CLOSURE_COUNTS[workload][0]})`;
check(workload, shown, want);
tell({ s: Math.min(wall, (cpu.user + cpu.system) / 1e6) });
process.exit(0);
