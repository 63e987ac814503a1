/** The directory as its readers and writers have it: drizzle over D1. */
import { drizzle } from "drizzle-orm/d1";

export function openDirectory(d1: D1Database) {
  return drizzle(d1);
}

export type Directory = ReturnType<typeof openDirectory>;
