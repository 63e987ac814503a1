export interface Installed {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly license: string | null;
  readonly requires: readonly string[];
}
/** Everything a lockfile installs, the root first, then by name. */
export function installedPackages(lock: unknown): Installed[];
/** The programs that record all of it, each at most `factsMax` facts. */
export function lockfilePrograms(packages: readonly Installed[], source?: string, factsMax?: number): string[];
