/**
 * What standing rules cost a program that records facts: the same program under no rule, and under a negation, a count
 * and a sum. `npx tsx bench/rules/writes.ts <bare|ruled> [facts] [customers]`, one process a measurement, since what ran
 * before has compiled the store's code; prints one JSON line.
 */
import { ToolFixture } from "../../test/tools/tool-fixture";
// @ts-expect-error plain JavaScript, shared with the other rows
import { timed } from "./harness.mjs";
import { COUNT_OF_ORDERS, OPEN_ORDERS, TOTAL_OF_ORDERS } from "./rule-texts";

const RULES = OPEN_ORDERS + COUNT_OF_ORDERS + TOTAL_OF_ORDERS;
const facts = Number(process.argv[3] ?? 100_000);
const customers = Number(process.argv[4] ?? 1000);
/** Two facts an order, a tenth of a fact more for those refunded. */
const program = `
for i in range(${Math.floor(facts / 2.1)}):
    order = f"o{i}"
    remember(Order[order].customer, Customer[f"c{i % ${customers}}"], "bench")
    remember(Order[order].amount, i % 500, "bench")
    if i % 10 == 0:
        remember(Order[order].refunded, True, "bench")
`;

function seconds(rules: string | null): number {
  const store = new ToolFixture();
  if (rules !== null) {
    const compiled = store.compile("m", rules);
    if (compiled.status !== "success") throw new Error(JSON.stringify(compiled));
  }
  const [time, answer] = timed(() => store.run(program, { opsMax: 2_000_000_000 }));
  const text = JSON.stringify(answer);
  if (!text.startsWith(`{"status":"success"`)) throw new Error(text.slice(0, 500));
  return time;
}

console.log(JSON.stringify({ facts, seconds: seconds(process.argv[2] === "ruled" ? RULES : null) }));
