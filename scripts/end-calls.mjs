/**
 * Ends running calls at random moments, in each way in which a call can be ended, and holds what is left against what
 * the contract says (§4.1, §4.2, §7, §9.8): the outcome, nothing written after the end, no handler run, nothing kept of
 * a branch or a compile, and billed what was executed.
 *
 *   node scripts/end-calls.mjs [--count N] [--seed S]      N of each way (300)
 */
import { connect } from "node:net";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { seeded } from "./seeded.mjs";

/** stop: from another key. cancelled: the client's notification. fin, rst: the connection goes, orderly or not. */
export const WAYS = ["stop", "cancelled", "fin", "rst"];

const BALANCE = 1e12;
const MODULE = 'def go(n: int):\n    for i in range(n):\n        update(Beat.b.n, i, "w")\n    return n\n';
/** Programs that would go on for minutes. `n` is how far each goes. */
const SHAPES = {
  plain: (n) => `for i in range(${n}):\n    update(Beat.b.n, i, "w")`,
  handlers: (n) =>
    `try:\n    for i in range(${n}):\n        update(Beat.b.n, i, "w")\nexcept Exception:\n    remember(After.a.handler, 1, "w")\nfinally:\n    remember(After.a.finally_, 1, "w")`,
  script: (n) => `import m\nm.go(${n})\nremember(After.a.rest, 1, "w")`,
  branch: (n) => `with branch("b"):\n    for i in range(${n}):\n        update(Beat.b.n, i, "w")`,
  compile: (n) => `def kept():\n    return 1\n\nfor i in range(${n}):\n    update(Beat.b.n, i, "w")\n`,
};
const KEEPS_NOTHING = ["branch", "compile"];
const ENDLESS = 10_000_000;
const STOPPED = "the run was stopped before this statement";

/** A call's line is kept alive from half a second on: callers leave before it and after. */
const LATE_FROM_MS = 600;
const LATE_SHARE = { stop: 0.05, cancelled: 0.05, fin: 0.3, rst: 0.3 };

/** @returns what was found wrong, a sentence each; nothing where all is well. */
export async function endCalls({ service, way, count, seed, atOnce = 8 }) {
  const chance = seeded(seed);
  const prices = await measure(service);
  const trials = Array.from({ length: count }, (_, index) => ({
    index,
    shape: Object.keys(SHAPES)[index % Object.keys(SHAPES).length],
    delayMs: chance.below(80) + (chance.chance(LATE_SHARE[way]) ? LATE_FROM_MS : 0),
  }));
  const problems = [];
  const waiting = [...trials];
  const work = async () => {
    for (let trial = waiting.shift(); trial !== undefined; trial = waiting.shift()) {
      const where = `${way} ${trial.index} (${trial.shape}, after ${trial.delayMs} ms, seed ${seed})`;
      try {
        const ended = await endOne(service, way, trial, (problem) => problems.push(`${where}: ${problem}`));
        problems.push(...(await compareBill(service, { where, ...ended }, prices)));
      } catch (error) {
        problems.push(`${where}: ${error.stack}`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return problems;
}

async function endOne(service, way, { shape, delayMs }, problem) {
  const store = await service.newStore(BALANCE);
  const key = store.keys["read-write"];
  const other = store.keys["read-write-delete"];
  let othersOps = 0;
  const ask = async (name, args) => {
    const { result } = await call(service.url, other, name, args);
    if (result === undefined) throw new Error(`${name} was not answered by a result`);
    othersOps += result._meta.ops;
    return result;
  };
  await ask("compile", { name: "m", source: MODULE });
  const source = SHAPES[shape](ENDLESS);
  const [tool, args] = shape === "compile" ? ["compile", { name: "kept", source }] : ["run", { source }];
  const id = `id-${shape}`;
  let answered = false;
  const running =
    way === "fin" || way === "rst"
      ? overSocket(service.url, key, message(id, tool, args))
      : { answer: call(service.url, key, tool, args, id).finally(() => (answered = true)) };
  await pause(delayMs);
  const beganMs = Date.now();
  if (way === "stop") {
    let outcome;
    do outcome = (await ask("stop", {}))._meta.outcome;
    while (outcome === "idle" && Date.now() - beganMs < 5000);
    if (outcome !== "stopped") problem(`stop answered ${outcome}`);
  } else if (way === "cancelled") {
    // The first may come before the call does; it is then ignored.
    while (!answered && Date.now() - beganMs < 10_000) {
      await post(service.url, key, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
      await pause(20);
    }
  } else running.leave(way);
  const answer = running.answer === undefined ? null : await running.answer;
  if (answer !== null) checkAnswer(answer.result, shape, problem);

  const SEEN = "print(value(Beat.b.n))\nprint(value(After.a.handler), value(After.a.finally_), value(After.a.rest))\nprint(list_scripts())";
  let first = printed(await ask("run", { source: SEEN }));
  if (answer === null && first[0] === "None") {
    // The read may have come before the call did; an orderly close is noticed within a second of the call's begin.
    await pause(1500);
    first = printed(await ask("run", { source: SEEN }));
  }
  if (Date.now() - beganMs > 10_000) problem(`the store came free only after ${Date.now() - beganMs} ms`);
  await pause(50);
  const second = printed(await ask("run", { source: SEEN }));
  if (first.join() !== second.join()) problem(`something was written after the end: ${first} became ${second}`);
  if (first[1] !== "None None None") problem(`something ran after the stopped statement: ${first[1]}`);
  if (first[2] !== "['m.go']") problem(`stored scripts: ${first[2]}`);
  if (KEEPS_NOTHING.includes(shape) && first[0] !== "None") problem(`kept ${first[0]} of what keeps nothing`);
  return {
    store,
    shape,
    othersOps,
    answeredOps: answer === null ? null : answer.result._meta.ops,
    turns: first[0] === "None" ? 0 : Number(first[0]) + 1,
  };
}

function checkAnswer(result, shape, problem) {
  const { status, invoke_status: invoke, refuse_reason: reason } = result._meta;
  if (!result.isError || status !== "refuse" || typeof reason !== "string")
    problem(`answered ${JSON.stringify(result._meta).slice(0, 300)}`);
  if (shape !== "compile" && invoke !== "stopped") problem(`invoke_status is ${invoke}`);
  const text = result.content[0].text;
  const line = /(?:failed — )(line \d+(?: of module `m`)?: )?/.exec(text)?.[1];
  if (!text.includes(STOPPED)) problem(`says ${text.slice(0, 200)}`);
  // A call that was ended before it began has no line.
  if (result._meta.ops > 3 && line === undefined) problem(`says no line: ${text.slice(0, 200)}`);
  if (shape === "script" && result._meta.ops > 10 && !line.includes("of module `m`")) problem(`says ${line}`);
}

/** Ops of each shape as `base + turns * each`, from two runs that end by themselves. */
async function measure(service) {
  const prices = {};
  for (const shape of ["plain", "handlers", "script"]) {
    const ops = [];
    for (const turns of [10, 20]) {
      const store = await service.newStore();
      await call(service.url, store.keys["read-write-delete"], "compile", { name: "m", source: MODULE });
      // What comes after the loop does not run in an ended call.
      const source =
        SHAPES[shape](turns).split("\nexcept")[0].split("\nremember")[0] + (shape === "handlers" ? "\nfinally:\n    pass" : "");
      ops.push((await call(service.url, store.keys["read-write-delete"], "run", { source })).result._meta.ops);
    }
    const each = (ops[1] - ops[0]) / 10;
    prices[shape] = { base: ops[0] - 10 * each, each };
  }
  return prices;
}

/** The account was billed what the calls say, and a call whose caller left what its writes show. */
async function compareBill(service, { where, store, shape, othersOps, answeredOps, turns }, prices) {
  let own = -1;
  const wanted = (ops) => {
    if (answeredOps !== null) return ops === answeredOps;
    if (prices[shape] === undefined) return ops >= 0;
    const { base, each } = prices[shape];
    // One element more may have been taken; of a call that wrote nothing, any part of what comes first.
    return turns === 0 ? ops >= 0 && ops <= base + 1 : ops === base + each * turns || ops === base + each * turns + 1;
  };
  for (let i = 0; i < 80 && !wanted(own); i++) {
    if (i > 0) await pause(100);
    own = BALANCE - (await service.ledger(store.id)).balanceOps - othersOps;
  }
  if (wanted(own)) return [];
  return [`${where}: billed ${own} ops; answered ${answeredOps}, ${turns} writes, price ${JSON.stringify(prices[shape])}`];
}

const message = (id, name, args) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } });
const printed = (result) => result._meta.transcript.filter((entry) => entry.kind === "print").map((entry) => entry.value);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function post(url, key, body) {
  return fetch(url, { method: "POST", headers: { authorization: `Bearer ${key}` }, body: JSON.stringify(body) });
}
async function call(url, key, name, args, id = 1) {
  return (await post(url, key, message(id, name, args))).json();
}

/** A call on a connection of its own, which can be closed (FIN) or reset (RST) at any moment. */
function overSocket(url, key, body) {
  const { port, hostname } = new URL(url);
  const text = JSON.stringify(body);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {}); // reset by the other side: gone either way
  socket.resume();
  socket.write(
    `POST / HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\nAccept-Encoding: gzip, deflate\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
  return { leave: (way) => (way === "rst" ? socket.resetAndDestroy() : socket.destroy()) };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({ options: { count: { type: "string", default: "300" }, seed: { type: "string", default: "1" } } });
  const { startTrial } = await import("./trial-service.mjs");
  const service = await startTrial();
  let wrong = 0;
  for (const way of WAYS) {
    const beganMs = Date.now();
    const problems = await endCalls({ service, way, count: Number(values.count), seed: Number(values.seed) });
    process.stdout.write(
      `${way}: ${values.count} calls ended, ${problems.length} problems, ${Date.now() - beganMs} ms, seed ${values.seed}\n`,
    );
    for (const problem of problems) process.stdout.write(`  ${problem}\n`);
    wrong += problems.length;
  }
  await service.end();
  process.exit(wrong === 0 ? 0 : 1);
}
