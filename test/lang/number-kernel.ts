/** Gives the machine its number kernel, as the service does; every test of the pure layers runs with it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type KernelExports, provideNumberKernel } from "../../src/lang/machine/number-kernel";

// The types are those of Workers, where code comes compiled; Node compiles it here.
const Module = WebAssembly.Module as unknown as new (bytes: Uint8Array) => WebAssembly.Module;
const module = new Module(readFileSync(join(import.meta.dirname, "../../src/lang/machine/numbers.wasm")));
export const KERNEL = new WebAssembly.Instance(module).exports as unknown as KernelExports;
// Loops of any length: short ones are most of what the tests have.
provideNumberKernel(KERNEL, 1);
