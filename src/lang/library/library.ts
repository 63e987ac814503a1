/**
 * The modules of Python that the language serves, and their members. A module or a member stands here only when it is
 * whole; the checker refuses by name what is not listed.
 */
import type { Value } from "../value/value";
import { COLLECTIONS } from "./collections";
import { FUNCTOOLS } from "./functools";
import { ITERTOOLS } from "./itertools";
import { JSON_MODULE } from "./json";
import { MATH } from "./math";
import { OPERATOR } from "./operator";
import { RE } from "./re";
import { STATISTICS } from "./statistics";
import { STRING } from "./string";

export const LIBRARY: ReadonlyMap<string, ReadonlyMap<string, Value>> = new Map([
  ["collections", COLLECTIONS],
  ["functools", FUNCTOOLS],
  ["itertools", ITERTOOLS],
  ["json", JSON_MODULE],
  ["math", MATH],
  ["operator", OPERATOR],
  ["re", RE],
  ["statistics", STATISTICS],
  ["string", STRING],
]);
