/**
 * Conclusions at past moments, worked out on demand: one read a call, beside a call that reads a recorded value. What the
 * store is asked for is a fold over a group of fifty, one step of a rule, and a closure of a thousand.
 * `npx tsx bench/rules/moments.ts [orders]`; prints one JSON line, ms a read (median of the runs).
 */
import { ToolFixture } from "../../test/tools/tool-fixture";
// @ts-expect-error plain JavaScript, shared with the other rows
import { timed } from "./harness.mjs";
import { CLOSURE, OPEN_ORDERS, TOTAL_OF_ORDERS } from "./rule-texts";

const RULES = OPEN_ORDERS + TOTAL_OF_ORDERS + CLOSURE;
const orders = Number(process.argv[2] ?? 50_000);
const customers = Math.ceil(orders / 50);
const store = new ToolFixture();
const ok = (answer: { readonly status: string; readonly text: string }): string => {
  if (answer.status !== "success") throw new Error(answer.text);
  return answer.text;
};
const run = (source: string) => ok(store.run(source, { opsMax: 2_000_000_000 }));
run(`
for i in range(${orders}):
    remember(Order[f"o{i}"].customer, Customer[f"c{i % ${customers}}"], "bench")
    remember(Order[f"o{i}"].amount, i % 500, "bench")
    if i % 10 == 0:
        remember(Order[f"o{i}"].refunded, True, "bench")
for i in range(999):
    remember(P[f"n{i}"].edge, P[f"n{i + 1}"], "bench")
`);
ok(store.compile("m", RULES));
const then = store.clock / 1e6;
run(`update(Order.o7.amount, 1000, "bench")`);

const known = `known_at=datetime("${new Date(then * 1000 + 1).toISOString()}")`;
const earlier = `at=datetime("2020-01-01T00:00:00Z")`;
const READS = {
  recorded: "print(value(Order.o11.amount))",
  total: "print(value(Customer.c7.total))",
  "total at=": `print(value(Customer.c7.total, ${earlier}))`,
  "total known_at=": `print(value(Customer.c7.total, ${known}))`,
  "open known_at=": `print(value(Order.o11.open, ${known}))`,
  "path known_at=": `print(len(values(P.n0.path, ${known})))`,
};
const RUNS = 15;
const ms: { [read: string]: number[] } = {};
for (let i = 0; i < RUNS; i++)
  for (const [read, source] of Object.entries(READS)) {
    const [seconds] = timed(() => run(source));
    (ms[read] ??= []).push(seconds * 1000);
  }
const first = Object.fromEntries(Object.entries(ms).map(([read, all]) => [read, all[0]!]));
const median = Object.fromEntries(Object.entries(ms).map(([read, all]) => [read, all.sort((a, b) => a - b)[RUNS >> 1]!]));
if (process.env.SHOW) for (const source of Object.values(READS)) console.error(run(source));
console.log(JSON.stringify({ orders, first, median }));
