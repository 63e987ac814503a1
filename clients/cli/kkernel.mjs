#!/usr/bin/env node
/** The `kkernel` command: loads the TypeScript beside it and runs it. */
import { tsImport } from "tsx/esm/api";

const { main } = await tsImport("./exec.ts", import.meta.url);
process.exitCode = await main(process.argv.slice(2), process.env);
