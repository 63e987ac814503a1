/** Types of dkekey-executables.mjs: dkekey inside the platform's own Node. */
import type { KeyObject } from "node:crypto";
export const EXECUTABLES: Readonly<
  Record<
    "linux-x64" | "win-x64" | "darwin-arm64",
    { readonly file: string; readonly node: string; readonly binary: string; readonly packed: string }
  >
>;
export function buildExecutable(
  platform: keyof typeof EXECUTABLES,
  where: { readonly out: string; readonly cache: string },
): Promise<string>;
export function signList(files: readonly string[], out: string, key: KeyObject): void;
