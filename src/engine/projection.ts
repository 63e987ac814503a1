/**
 * Tables beside the claims that answer what the claims alone answer slowly: an id by its beginning, what points at a
 * subject, a text by its words. Derived data, written in the very transaction that writes the claims it follows from, so
 * that whatever wrote those (a program, a restore, a merge) it is right.
 *
 * A projection keeps nothing in memory that a transaction undone would leave wrong. Columns are integers, keyed hashes or
 * sealed blobs, as everywhere in a store.
 */
import type { NetClaim } from "./claim-row";
import type { Cipher, Sql } from "./sql";
import type { SymbolTable } from "./symbol";

export interface Projection {
  /** Inside the transaction, after the rows themselves. */
  follow(claims: readonly NetClaim[]): void;
}

export interface ProjectionSite {
  readonly sql: Sql;
  readonly cipher: Cipher;
  readonly symbols: SymbolTable;
}

/** Makes its tables where they are not there, and fills them where the claims are older than they are. */
export type ProjectionFactory = (site: ProjectionSite) => Projection;
