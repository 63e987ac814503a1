/**
 * The catalogue: every tool this release serves, in contract order, and nothing that does not work.
 *
 * `tools/list` is one page of bytes that never change between calls, at most 20 KB; a tool not here is -32601.
 */
import { RELEASE } from "./release";
import { listEntry, type Tool } from "./tool";
import { CHANGE_TOOLS } from "./tool-change";
import { COMPUTE_TOOLS } from "./tool-compute";
import { FEEDBACK_TOOLS } from "./tool-feedback";
import { DIAGNOSIS_TOOLS, INTROSPECTION_TOOLS, STORE_TOOLS } from "./tool-introspection";
import { LIFECYCLE_TOOLS } from "./tool-lifecycle";

export const TOOLS: readonly Tool[] = [
  ...COMPUTE_TOOLS,
  ...INTROSPECTION_TOOLS,
  ...DIAGNOSIS_TOOLS,
  ...CHANGE_TOOLS,
  ...LIFECYCLE_TOOLS,
  ...STORE_TOOLS,
  ...FEEDBACK_TOOLS,
];

const BY_NAME = new Map(TOOLS.map((tool) => [tool.name, tool]));

export function toolNamed(name: string): Tool | undefined {
  return BY_NAME.get(name);
}

/** The `tools/list` result. */
export const CATALOGUE = { tools: TOOLS.map(listEntry), _meta: RELEASE };
