import type { KeyObject } from "node:crypto";
export function developmentKey(): KeyObject;
export function buildDkekey(): Promise<Uint8Array>;
export function releaseFiles(key?: KeyObject): Promise<Map<string, Uint8Array>>;
