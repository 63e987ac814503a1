/** The packs of this release, in the order they are told of. All are on. */
import { COMM_VERBS } from "./comm/comm-pack";
import { DKE_VERBS } from "./dke/dke-pack";
import { GTD_VERBS } from "./gtd/gtd-pack";
import { KG_VERBS } from "./kg/kg-pack";
import { MEMORY_VERBS } from "./memory/memory-pack";
import { Registry } from "./registry";
import { SCHEDULE_VERBS } from "./schedule/schedule-pack";
import { SESSION_VERBS } from "./session/session-pack";

export const PACKS = new Registry([
  { name: "kg", verbs: KG_VERBS },
  { name: "gtd", verbs: GTD_VERBS },
  { name: "memory", verbs: MEMORY_VERBS },
  { name: "comm", verbs: COMM_VERBS },
  { name: "schedule", verbs: SCHEDULE_VERBS },
  { name: "session", verbs: SESSION_VERBS },
  { name: "dke", verbs: DKE_VERBS },
]);
