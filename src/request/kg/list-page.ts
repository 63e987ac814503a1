/**
 * A page of rows, newest first: by offset, or as a walk from one row to the next (request facts §7.1, `list`).
 *
 * A walk goes on behind the row it names, so what is written meanwhile moves no page. A page that would take too many tries
 * ends early and says so.
 */
import type { JsonObject } from "../request-json";
import { invalidInput } from "../verb-failure";
import { clamp } from "./kg-params";

export interface PageArguments {
  readonly limit: number;
  readonly offset?: number;
  readonly after?: string;
}

/** Rows looked at for one page. */
const SCAN_ROWS_MAX = 20_000;
const NEWEST = Number.MAX_SAFE_INTEGER;

export interface Placed<T> {
  readonly place: number;
  readonly item: T;
}

export interface Listing<T> {
  /** What lies before a place, newest first. */
  from(after: number): Iterable<Placed<T>>;
  /** Of a row that was deleted since, where it stood; undefined: the id is of no row of this list. */
  place(id: string): number | undefined;
  accepts(item: T): boolean;
  row(item: T): JsonObject;
  id(item: T): string;
}

export interface Page {
  readonly rows: readonly JsonObject[];
  readonly nextAfter: string | null;
  readonly limits: JsonObject;
  readonly scanIncomplete: boolean;
}

export function collect<T>(args: PageArguments, cap: number, listing: Listing<T>): Page {
  if (args.after !== undefined && args.offset !== undefined) throw invalidInput("`offset` and `after` are two ways to page: give one");
  const limits = clamp(args.limit, cap);
  let after = NEWEST;
  if (args.after !== undefined && args.after !== "") {
    const place = listing.place(args.after);
    if (place === undefined)
      throw invalidInput(`\`after\` is the full id of a row of this list: got ${JSON.stringify(args.after.slice(0, 64))}`);
    after = place;
  }
  const rows: JsonObject[] = [];
  let skip = args.offset ?? 0;
  let looked = 0;
  let last: T | null = null;
  let more = false;
  for (const { item } of listing.from(after)) {
    if (rows.length === limits.effective_limit) {
      more = true;
      break;
    }
    if (looked++ === SCAN_ROWS_MAX) return { rows, nextAfter: last === null ? null : listing.id(last), limits, scanIncomplete: true };
    last = item;
    if (!listing.accepts(item)) continue;
    if (skip > 0) skip--;
    else rows.push(listing.row(item));
  }
  return { rows, nextAfter: more && last !== null ? listing.id(last) : null, limits, scanIncomplete: false };
}

export function envelope(args: PageArguments, page: Page, rowsKey: string): JsonObject {
  const incomplete: JsonObject = page.scanIncomplete ? { scan_incomplete: true } : {};
  if (args.after !== undefined) return { [rowsKey]: page.rows, next_after: page.nextAfter, ...page.limits, ...incomplete };
  return { items: page.rows, ...page.limits, ...incomplete };
}
