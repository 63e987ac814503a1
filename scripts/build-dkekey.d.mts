/** Types of build-dkekey.mjs: dkekey, built to one file. */
export function buildDkekey(into?: {
  readonly executable?: string;
}): Promise<{ readonly program: Uint8Array; readonly sources: readonly string[] }>;
