/** How large a value is, about and not below: for limits that must not be passed, not for what is told. */
import { Bytes, type Datum, StoredCollection } from "../datum";

/** Bytes of its stored form. */
export function datumBytes(datum: Datum): number {
  if (typeof datum === "string") return datum.length * 3;
  if (typeof datum === "bigint") return datum.toString(16).length;
  if (datum instanceof Bytes) return datum.b.length;
  if (datum instanceof StoredCollection) return datum.items.reduce<number>((sum, item) => sum + 16 + datumBytes(item), 0);
  return 32;
}
