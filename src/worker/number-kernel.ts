/** Gives the machine its number kernel: here the platform hands over code it has compiled, once for each isolate. */
import { type KernelExports, provideNumberKernel } from "../lang/machine/number-kernel";
import numbers from "../lang/machine/numbers.wasm";

const decoder = new TextDecoder();
provideNumberKernel(new WebAssembly.Instance(numbers).exports as unknown as KernelExports, undefined, (bytes) => decoder.decode(bytes));
