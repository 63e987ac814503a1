/** The pack `kg`: the graph of entities, notes and edges. */
import type { Verb } from "../verb";
import { CONTEXT_VERBS } from "./verbs-context";
import { CREATE } from "./verbs-create";
import { GRAPH_VERBS } from "./verbs-graph";
import { MERGE } from "./verbs-merge";
import { META_VERBS } from "./verbs-meta";
import { PROPOSAL_VERBS } from "./verbs-proposal";
import { QUERY } from "./verbs-query";
import { RECORD_VERBS } from "./verbs-record";
import { SEARCH } from "./verbs-search";
import { STREAM_VERBS } from "./verbs-stream";

export const KG_VERBS: readonly Verb[] = [
  CREATE,
  ...RECORD_VERBS,
  MERGE,
  SEARCH,
  ...GRAPH_VERBS,
  ...CONTEXT_VERBS,
  QUERY,
  ...PROPOSAL_VERBS,
  ...META_VERBS,
  ...STREAM_VERBS,
];
