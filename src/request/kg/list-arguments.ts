/** What `list` takes beside the page, and what each filter is a filter of. */
import { invalidInput } from "../verb-failure";
import type { PageArguments } from "./list-page";

export interface ListArguments extends PageArguments {
  readonly kind: string;
  readonly entity_kind?: string;
  readonly entity_type?: string;
  readonly note_kind?: string;
  readonly tags?: readonly string[];
  readonly source_id?: string;
  readonly target_id?: string;
  readonly relations?: readonly string[];
  readonly min_weight?: number;
  readonly max_weight?: number;
  readonly status?: string;
  readonly proposer?: string;
  readonly thread_id?: string;
  readonly direction?: "inbound" | "outbound";
  readonly from?: string;
  readonly to?: string;
  readonly read?: boolean;
  readonly delivered?: boolean;
  readonly event_kind?: string;
  readonly event_kinds?: readonly string[];
  readonly verb?: string;
  readonly verbs?: readonly string[];
  readonly outcome?: string;
  readonly actor?: string;
  readonly substrate?: string;
  readonly since?: string | number;
  readonly until?: string | number;
  readonly session_id?: string;
  readonly observed?: readonly string[];
  readonly selected?: readonly string[];
}

const FILTERS = {
  record: ["entity_kind", "entity_type", "note_kind", "tags"],
  message: ["thread_id", "direction", "from", "to", "read", "delivered"],
  edge: ["source_id", "target_id", "relations", "min_weight", "max_weight"],
  event: [
    "event_kind",
    "event_kinds",
    "verb",
    "verbs",
    "outcome",
    "actor",
    "substrate",
    "since",
    "until",
    "session_id",
    "observed",
    "selected",
  ],
  proposal: ["status", "proposer"],
} as const satisfies { readonly [listed: string]: readonly (keyof ListArguments)[] };

/** A filter of something else than `listed` is refused: it would say nothing. */
export function refuseOtherFilters(args: ListArguments, listed: readonly (keyof typeof FILTERS)[], what: string): void {
  const own = new Set<string>(listed.flatMap((one) => FILTERS[one]));
  const wrong = Object.values(FILTERS)
    .flat()
    .find((name) => args[name] !== undefined && !own.has(name));
  if (wrong !== undefined) throw invalidInput(`\`${wrong}\` does not say anything of ${what}`);
}
