/** Methods and attributes of the number types, datetime and duration, by CPython's name of the type (attribute.ts). */
import type { TypeTables } from "./attribute";

export const NUMBER_TABLES: readonly (readonly [string, TypeTables])[] = [];
