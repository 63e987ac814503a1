/** The scripts of pages, by the name they are asked for under `/dashboard/page/`: see scripts/page-scripts.mjs. */
import code from "./page/code.generated";
import connect from "./page/connect.generated";
import explore from "./page/explore.generated";
import keys from "./page/keys.generated";
import passkey from "./page/passkey.generated";
import playground from "./page/playground.generated";
import published from "./page/published.generated";
import snapshot from "./page/snapshot.generated";

export const PAGE_SCRIPTS: ReadonlyMap<string, string> = new Map([
  ["code.js", code],
  ["connect.js", connect],
  ["explore.js", explore],
  ["keys.js", keys],
  ["passkey.js", passkey],
  ["playground.js", playground],
  ["published.js", published],
  ["snapshot.js", snapshot],
]);
