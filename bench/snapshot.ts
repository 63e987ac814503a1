/** A large store's snapshot: taken, listed, previewed, restored, as its owner does it through the pages. */
import { startTrial } from "../scripts/trial-service.mjs";
import { makeStore, signUp } from "../test/dashboard/browser-like";
import { newKey } from "../test/dashboard/store-owner";

/** Of text in the store: some 30 KB a document. */
const MIB = 120;
const DOCUMENTS_A_CALL = 100;
const TEXT_REPEATS = 700;

interface ToolAnswer {
  readonly result?: { readonly isError: boolean; readonly content: readonly { readonly text: string }[] };
  readonly error?: { readonly message: string };
}

const trial = await startTrial();
const steps: (readonly [what: string, ms: number, note: string])[] = [];
async function timed<R>(what: string, work: () => Promise<R>, note: (result: R) => string = () => ""): Promise<R> {
  const began = performance.now();
  const result = await work();
  steps.push([what, performance.now() - began, note(result)]);
  return result;
}

try {
  const person = await signUp(trial.url);
  const { browser } = person;
  const storeId = await makeStore(person, "Large");
  const { key } = await newKey({ browser, storeId }, { level: "read-write-delete" });
  const run = async (source: string): Promise<string> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "run", arguments: { source } } });
    const headers = { authorization: `Bearer ${key.text}`, "content-type": "application/json" };
    const { result, error } = (await (await fetch(trial.url, { method: "POST", headers, body })).json()) as ToolAnswer;
    if (result === undefined || result.isError) throw new Error(error?.message ?? result?.content[0].text);
    return result.content[0].text;
  };
  const calls = Math.ceil((MIB << 20) / (DOCUMENTS_A_CALL * TEXT_REPEATS * 44));
  await timed("filled", async () => {
    for (let at = 0; at < calls; at++)
      await run(`for i in range(${DOCUMENTS_A_CALL}):
    n = ${at * DOCUMENTS_A_CALL} + i
    remember(Doc[f"d{n}"].text, f"document {n} " + "the quick brown fox jumps over the lazy dog " * ${TEXT_REPEATS}, "bench")`);
  });
  const at = `/dashboard/stores/${storeId}/snapshots`;
  await browser.get(at);
  await timed("snapshot taken", async () => {
    const { status, text } = await browser.post(at, { label: "large" });
    if (status !== 303) throw new Error(text);
  });
  const list = await timed(
    "listed",
    () => browser.get(at),
    ({ text }) => /[\d.]+ MiB/.exec(text)?.[0] ?? "",
  );
  const id = /snapshots\/(snp_[\w-]+)/.exec(list.text)?.[1];
  const first = 'print(len(subjects(Doc)), Doc["d0"].text[:10])';
  const before = await run(first);
  await timed("all of it deleted", () => run("for s in subjects(Doc):\n    forget(s)"));
  await timed("preview", () => browser.get(`${at}/${id}`));
  await timed("restored, what was there kept first", async () => {
    const { status, text } = await browser.post(`${at}/${id}/restore`);
    if (status !== 303) throw new Error(text);
  });
  const after = await timed("the first call afterwards", () => run(first));
  if (after.replace(/answered.*/g, "") !== before.replace(/answered.*/g, ""))
    throw new Error(`it came back otherwise: ${before} / ${after}`);
  process.stdout.write(`## A large store's snapshot\n\n| step | ms | |\n| --- | --: | --- |\n`);
  for (const [what, ms, note] of steps) process.stdout.write(`| ${what} | ${Math.round(ms).toLocaleString("en-US")} | ${note} |\n`);
} finally {
  await trial.end();
}
process.exit(0);
