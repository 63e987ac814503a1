/** [0] A loop in the number kernel and the same loop by closures cannot be told apart. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { provideNumberKernel } from "../../../src/lang/machine/number-kernel";
import { KERNEL } from "../number-kernel";
import { kernelTwin } from "./number-kernel-twin";
import { numberProgram } from "./number-programs";
import { runProgram, startProgram } from "./run-program";

const ROOT = join(import.meta.dirname, "../../..");
const PROGRAMS = Number(process.env["NUMBER_PROGRAMS"] ?? 40);
const SEED = Number(process.env["SEED"] ?? 1);

/** All that is left of a run. */
function left(source: string, slice: number, opsMax?: number) {
  const ran = runProgram(source, { slice, ...(opsMax === undefined ? {} : { opsMax }) });
  return { ending: ran.ending, ops: ran.ops, steps: ran.execution?.steps, record: ran.execution?.record().transcript };
}

afterAll(() => provideNumberKernel(KERNEL, 1));

describe("[0] the number kernel", () => {
  test("is what its source compiles to: npm run kernel", async () => {
    const folder = mkdtempSync(join(tmpdir(), "dke-kernel-"));
    try {
      const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
      const [, ...args] = scripts.kernel.split(" ");
      const [from, to] = [args[0], args.at(-1)];
      const asc = join(ROOT, "node_modules/.bin/asc");
      await promisify(execFile)(asc, [from, ...args.slice(1, -1), join(folder, "numbers.wasm")], { cwd: ROOT });
      expect(readFileSync(join(folder, "numbers.wasm"))).toEqual(readFileSync(join(ROOT, to)));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 120_000);
  test("has the lists of one program at a time, and each program its own", () => {
    provideNumberKernel(KERNEL, 1);
    const source = (first: number, step: number): string =>
      `def sieve(n):\n    flags = [True] * n\n    sums = [0] * n\n    for i in range(${first}, n):\n        if flags[i]:\n            for j in range(i * ${step}, n, i):\n                flags[j] = False\n                sums[j] += i\n    return sum(flags), sum(sums), sums[-3:]\nprint(sieve(300))\n`;
    const sources = [source(2, 2), source(3, 1), source(2, 3)];
    const printed = (execution: ReturnType<typeof startProgram>): unknown[] =>
      execution.record().transcript.map((e) => (e.kind === "print" ? e.value : null));
    const alone = sources.map((s) => runProgram(s).execution!);
    const beside = sources.map((s) => startProgram(s));
    const stopped = startProgram(source(2, 2));
    for (let running = true, turn = 0; running; turn++) {
      running = false;
      if (turn < 5) stopped.advance(40);
      else stopped.stop();
      beside.forEach((execution, i) => {
        if (!execution.advance(50 + 9 * i)) running = true;
      });
    }
    expect(beside.map((x) => [printed(x), x.ops, x.steps])).toEqual(alone.map((x) => [printed(x), x.ops, x.steps]));
  });
  test.each(["{s!r}", "{s}", "{s!s}"])("a field with no spec is not measured, whoever writes it: %s", (field) => {
    const source = `def f(n):\n    s = "x" * 63\n    t = ""\n    for i in range(n):\n        t = f"${field}-{s!r}"\n    return t\nprint(f(60))\n`;
    provideNumberKernel(null);
    const plain = left(source, 200_000);
    for (const [every, slice] of [[2, 200_000] as const, [3, 5] as const, [7, 5] as const]) {
      let asked = 0;
      const twin = kernelTwin(() => ++asked % every === 0);
      provideNumberKernel(twin, 1);
      expect([every, left(source, slice)]).toEqual([every, plain]);
      expect(twin.stopped).toBeGreaterThan(3);
    }
  });
  test("leaves what closures leave: output, transcript, ops, steps and ending, for any slice and stopped anywhere", () => {
    let entered = 0;
    let stopped = 0;
    let taken = 0;
    let random = SEED;
    for (let seed = SEED; seed < SEED + PROGRAMS; seed++) {
      const source = numberProgram(seed);
      provideNumberKernel(null);
      const plain = left(source, 200_000);
      const ways: [string, () => ReturnType<typeof left>][] = [
        ["kernel", () => left(source, 200_000)],
        ["kernel, slices of 1", () => left(source, 1)],
        ["kernel, slices of 7", () => left(source, 7)],
      ];
      for (const [name, way] of ways) {
        provideNumberKernel(KERNEL, 1);
        expect([seed, name, way()]).toEqual([seed, name, plain]);
      }
      for (const p of [0, 0.02, 0.3]) {
        const twin = kernelTwin(() => {
          random = (random * 16807) % 2147483647;
          return random / 2147483647 < p;
        });
        provideNumberKernel(twin, 1);
        const slice = p === 0 ? 200_000 : 5;
        expect([seed, p, left(source, slice)]).toEqual([seed, p, plain]);
        entered += twin.entered;
        stopped += twin.stopped;
        if (p === 0 && twin.entered > 0) taken++;
      }
      // The ceiling of ops is met at the same place.
      const most = Math.max(1, plain.ops - (seed % 7) - 1);
      provideNumberKernel(null);
      const cut = left(source, 200_000, most);
      provideNumberKernel(KERNEL, 1);
      expect([seed, "ceiling", left(source, 200_000, most)]).toEqual([seed, "ceiling", cut]);
    }
    // The programs are of the kind it is for.
    expect(taken).toBeGreaterThan(PROGRAMS / 4);
    expect(entered).toBeGreaterThan(PROGRAMS);
    expect(stopped).toBeGreaterThan(PROGRAMS / 4);
  }, 120_000);
});
