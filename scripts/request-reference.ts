/** Writes docs/request-reference.md from the registry: `npx tsx scripts/request-reference.ts`. A test holds the page to it. */
import { writeFileSync } from "node:fs";
import { PACKS } from "../src/request/packs";
import { referencePage } from "../src/request/reference-page";

writeFileSync(new URL("../docs/request-reference.md", import.meta.url), referencePage(PACKS));
