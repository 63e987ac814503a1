/** The packs of this release, in the order they are told of. All are on. */
import { DKE_VERBS } from "./dke/dke-pack";
import { KG_VERBS } from "./kg/kg-pack";
import { Registry } from "./registry";

export const PACKS = new Registry([
  { name: "kg", verbs: KG_VERBS },
  { name: "dke", verbs: DKE_VERBS },
]);
