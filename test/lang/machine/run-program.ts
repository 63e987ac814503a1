/** Runs a source on the machine with a host that has no store: for tests of the language alone. */
import { EMPTY_ENVIRONMENT } from "../../../src/lang/check/environment";
import { compileSource } from "../../../src/lang/compile/compile";
import type { Host } from "../../../src/lang/host";
import { type Ending, Execution } from "../../../src/lang/machine/driver";

export interface Ran {
  readonly out: string;
  readonly ending: Ending | { readonly tag: "rejected"; readonly diagnostics: readonly unknown[] };
  readonly ops: number;
  readonly execution: Execution | null;
}

const NO_STORE = new Proxy({} as Host, {
  get(_t, name) {
    if (name === "instant") return 1_767_225_600_000_000;
    if (name === "isConcluding") return false;
    if (name === "inSlices") return (_units: number, work: () => unknown) => work();
    return () => {
      throw new Error(`this test has no store: ${String(name)}`);
    };
  },
});

/** A program ready to run. */
export function startProgram(source: string, options: { opsMax?: number; mode?: "run" | "compile" } = {}): Execution {
  const started = start(source, options);
  if (!(started instanceof Execution)) throw new Error(JSON.stringify(started.ending));
  return started;
}

interface Options {
  slice?: number;
  opsMax?: number;
  stepsMax?: number;
  mode?: "run" | "compile";
}

function start(source: string, options: Options): Execution | Ran {
  const result = compileSource(source, {
    mode: options.mode ?? "compile",
    module: options.mode === "run" ? "" : "m",
    environment: EMPTY_ENVIRONMENT,
  });
  if (!result.ok)
    return {
      out: "",
      ending: { tag: "rejected", diagnostics: "diagnostics" in result ? result.diagnostics : [result] },
      ops: 0,
      execution: null,
    };
  // What a store keeps is JSON: the form must survive it.
  const unit = JSON.parse(JSON.stringify(result.compiled.unit));
  return new Execution({
    unit,
    module: options.mode === "run" ? "" : "m",
    host: NO_STORE,
    link: () => undefined,
    opsMax: options.opsMax ?? 50_000_000,
    opsMaxMessage: "",
    ...(options.stepsMax === undefined ? {} : { stepsMax: options.stepsMax }),
  });
}

export function runProgram(source: string, options: Options = {}): Ran {
  const x = start(source, options);
  if (!(x instanceof Execution)) return x;
  while (!x.advance(options.slice ?? 200_000));
  const out = x
    .record()
    .transcript.map((e) => (e.kind === "print" ? e.value + (e.end ?? "\n") : ""))
    .join("");
  return { out, ending: x.ending!, ops: x.ops, execution: x };
}
