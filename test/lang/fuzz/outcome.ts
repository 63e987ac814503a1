/** How a program ends here, in the words CPython's answer is recorded in. */
import type { Diagnostic } from "../../../src/diagnostic";
import { runProgram } from "../machine/run-program";

export interface Outcome {
  readonly out: string;
  /** `completed`, `KeyError: 'k'`, `rejected: <message>` … */
  readonly ending: string;
}

export function outcomeOf(source: string, slice = 200_000): Outcome {
  const ran = runProgram(source, { slice });
  const e = ran.ending;
  switch (e.tag) {
    case "completed":
      return { out: ran.out, ending: "completed" };
    case "refused":
      return { out: ran.out, ending: e.exception === null ? `${e.reason}: ${e.message}` : e.message };
    case "rejected": {
      const d = e.diagnostics[0] as Diagnostic;
      return { out: ran.out, ending: `rejected: ${d.message} (line ${d.line})` };
    }
    case "failed":
      return { out: ran.out, ending: `failed: ${(e.thrown as Error).stack ?? String(e.thrown)}` };
    case "stopped":
      return { out: ran.out, ending: "stopped" };
  }
}
