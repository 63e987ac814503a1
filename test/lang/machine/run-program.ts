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
    return () => {
      throw new Error(`this test has no store: ${String(name)}`);
    };
  },
});

export function runProgram(source: string, options: { slice?: number; opsMax?: number; mode?: "run" | "compile" } = {}): Ran {
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
  const x = new Execution({
    unit,
    module: options.mode === "run" ? "" : "m",
    host: NO_STORE,
    link: () => undefined,
    opsMax: options.opsMax ?? 50_000_000,
    opsMaxMessage: "",
  });
  while (!x.advance(options.slice ?? 200_000));
  const out = x
    .record()
    .transcript.map((e) => (e.kind === "print" ? e.value + (e.end ?? "\n") : ""))
    .join("");
  return { out, ending: x.ending!, ops: x.ops, execution: x };
}
