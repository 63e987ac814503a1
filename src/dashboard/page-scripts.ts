/** The scripts of pages, by the name they are asked for under `/dashboard/page/`: see scripts/page-scripts.mjs. */
import connect from "./page/connect.generated";
import explore from "./page/explore.generated";
import keys from "./page/keys.generated";
import passkey from "./page/passkey.generated";
import playground from "./page/playground.generated";
import reset from "./page/reset.generated";
import snapshot from "./page/snapshot.generated";

export const PAGE_SCRIPTS: ReadonlyMap<string, string> = new Map([
  ["connect.js", connect],
  ["explore.js", explore],
  ["keys.js", keys],
  ["passkey.js", passkey],
  ["playground.js", playground],
  ["reset.js", reset],
  ["snapshot.js", snapshot],
]);
