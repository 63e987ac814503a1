/** Types of served-programs.mjs: Programs that are served, with their signed lists of digests. */
import type { KeyObject } from "node:crypto";
export const SERVED_FILE: string;
export function developmentKey(): KeyObject;
export type ServedFiles = Readonly<Record<string, string | { readonly base64: string }>>;
export function servedPrograms(key?: KeyObject): Promise<{ readonly dkekey: ServedFiles; readonly dkepy: ServedFiles }>;
export function fingerprintOf(key: KeyObject | string): string;
export function servedText(key?: KeyObject): Promise<string>;
