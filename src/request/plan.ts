/**
 * `plan: true`: what an `ops` text would do, without doing it (request facts §6). Reads the text and the catalogue, and
 * nothing else.
 */
import { OPS_LIMITS, type OpsCall, type OpsMode, type OpsProgram, prevRefs } from "../lang/ops/ops";
import { parseOps } from "../lang/ops/parse-ops";
import type { Registry } from "./registry";
import { type JsonObject, resolveValue } from "./request-json";

export function planOps(ops: string, registry: Registry): JsonObject {
  const read = parseOps(ops);
  const limits: JsonObject = { ...OPS_LIMITS };
  if (!read.ok) return { parsed: false, error: read.fault.message, syntax: read.fault.kind, limits };
  const { program } = read;
  const mode: OpsMode = program.mode;
  return {
    parsed: true,
    mode,
    stage_count: program.calls.length,
    stages: program.calls.map((call, index) => stage(call, index, unitOf(program, index), registry)),
    units: program.units.map(({ start, end }) => ({ start, end })),
    limits,
  };
}

function stage(call: OpsCall, index: number, unitIndex: number, registry: Registry): JsonObject {
  const verb = registry.get(call.verb);
  return {
    index,
    verb: call.verb,
    pack: verb?.pack ?? null,
    known: verb !== undefined,
    args: Object.fromEntries(call.args.map(([name, value]) => [name, resolveValue(value, (ref) => ref.toString())])),
    prev_refs: prevRefs(call).map((ref) => ref.path),
    unit_index: unitIndex,
  };
}

/** Units ascend and leave no gap. */
function unitOf(program: OpsProgram, index: number): number {
  let low = 0;
  let high = program.units.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (program.units[middle].end <= index) low = middle + 1;
    else high = middle;
  }
  return low;
}
