/** Types of bundle.mjs, for the tests. */

import type { Readable } from "node:stream";
import type { Miniflare, MiniflareOptions } from "miniflare";

export function bundle(entry?: string): Promise<string>;
export function urlOf(miniflare: Miniflare): Promise<string>;
export function outputToStderr(stdout: Readable, stderr: Readable): void;
export function runtimeOptions(
  script: string,
  place: {
    readonly port: number;
    readonly stateFolder: string;
    readonly bindings: Readonly<Record<string, string | number>>;
    readonly onOutput: (stdout: Readable, stderr: Readable) => void;
  },
): MiniflareOptions;
