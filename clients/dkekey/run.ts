/** Starts `dkekey`: what is bundled into the one file. */
import { main, terminal } from "./dkekey.ts";

main(process.argv.slice(2), terminal()).then((code) => {
  process.exitCode = code;
});
