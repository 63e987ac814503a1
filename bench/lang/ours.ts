/** Runs one program on our machine in this process, as a call would: compile, then slices; prints one line of JSON. */
import { readFileSync } from "node:fs";
import { EMPTY_ENVIRONMENT } from "../../src/lang/check/environment";
import { compileSource } from "../../src/lang/compile/compile";
import type { Host } from "../../src/lang/host";
import { Execution } from "../../src/lang/machine/driver";
import { type KernelExports, provideNumberKernel } from "../../src/lang/machine/number-kernel";
// The bundler makes bytes of the file; Node compiles them as the platform does for the service.
import numbers from "../../src/lang/machine/numbers.wasm";
import { SLICE_STEPS, SLICE_STEPS_FIRST } from "../../src/limits";

const Module = WebAssembly.Module as unknown as new (bytes: unknown) => WebAssembly.Module;
const decoder = new TextDecoder();
provideNumberKernel(new WebAssembly.Instance(new Module(numbers)).exports as unknown as KernelExports, undefined, (bytes) =>
  decoder.decode(bytes),
);

const source = readFileSync(process.argv[2]!, "utf8");
const slice = Number(process.argv[3] ?? SLICE_STEPS);
/** The round that is told: later ones find the machine compiled by the platform, as in an isolate that lives on. */
const rounds = Number(process.argv[4] ?? 1);

function run() {
  const before = process.cpuUsage();
  const compiled = compileSource(source, { mode: "compile", module: "bench", environment: EMPTY_ENVIRONMENT });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled));
  const execution = new Execution({
    unit: compiled.compiled.unit,
    module: "",
    host: {} as Host,
    link: () => undefined,
    opsMax: Number.MAX_SAFE_INTEGER,
    opsMaxMessage: "",
  });
  let slices = 1;
  // As the service begins: a small slice first.
  for (let steps = Math.min(slice, SLICE_STEPS_FIRST); !execution.advance(steps); steps = slice) slices++;
  return { used: process.cpuUsage(before), execution, slices };
}
for (let i = 1; i < rounds; i++) run();
const { used, execution, slices } = run();
const out = execution
  .record()
  .transcript.map((e) => (e.kind === "print" ? e.value + (e.end ?? "\n") : ""))
  .join("");
process.stdout.write(`${JSON.stringify({ cpuMs: (used.user + used.system) / 1000, out, slices, ending: execution.ending!.tag })}\n`);
