/** What changes may come to in the database, and the refusal where they come to too much (contract §9.5). */
import { Refusal } from "../failure";
import type { Change } from "./change";
import { datumBytes } from "./datum-size";
import type { SymbolTable } from "./symbol";

/** Bytes that a change may come to in SQL, indices and fresh symbols included; generous. */
export function bytesOfChange(symbols: SymbolTable, change: Change): number {
  if (change.tag === "module") return 3 * (change.after?.form?.length ?? 0) + 4096;
  if (change.tag === "world_claim" && change.claim.base !== 0) return 256;
  if ((change.tag !== "claim" && change.tag !== "world_claim") || change.sign < 0) return 64;
  const { value, qualifiers } = change.tag === "claim" ? change.row : change.claim.row;
  const named = datumBytes(symbols.datumOf(value)) + (qualifiers === 0 ? 0 : datumBytes(symbols.datumOf(qualifiers)));
  return 512 + named;
}

/** The message names the limit and the store's size, both in bytes. */
export function sizeRefusal(bytesMax: number, bytes: number): Refusal {
  return new Refusal(
    "limit_exceeded",
    `this write would take the store past its size limit of ${bytesMax} bytes (its size is ${bytes} bytes): remove data, or ask for a higher limit`,
    `${bytesMax}`,
  );
}

/** What a mark keeps of a removal may take room; the removal is let through all the same. */
export function onlyRemoves(change: Change): boolean {
  switch (change.tag) {
    case "claim":
    case "pin":
    case "world_claim":
    case "world_preference":
    case "world_pin":
      return change.sign < 0;
    case "module":
    case "mark":
    case "world":
      return change.after === null;
    case "preference":
      return false;
    default:
      return true;
  }
}
