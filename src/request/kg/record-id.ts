/**
 * Ids of records: UUIDs of version 8 (RFC 9562), made from the store's id and a number it gives out once.
 *
 * So the same requests on the same store give the same ids, and no two stores share one. The first eight digits, which
 * people write, are spread evenly; the instant of making stands in the digits after them, so that a record's age needs
 * no claim of its own.
 *
 *     hhhhhhhh-tttt-8ttt-vrrr-tttttttrrrrr     h, r hashed; t 56 bits of microseconds since 1970; v variant
 */

import type { Subject } from "../../datum";
import { SipKey, sipHash, sipResult } from "../../engine/siphash";

/** Nothing secret: it only spreads. */
const SPREAD = new SipKey([0x646b_6520_7265_636fn, 0x7264_2069_6473_2e31n]);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** @param number  Given out once in this store. */
export function recordId(storeId: string, number: number, micros: number): string {
  sipHash(SPREAD, bytesOf(`${storeId}/${number}`));
  const { low, high } = sipResult;
  const time = micros.toString(16).padStart(14, "0");
  const rest = hex(high);
  const variant = "89ab"[(high >>> 30) & 3];
  return `${hex(low)}-${time.slice(0, 4)}-8${time.slice(4, 7)}-${variant}${rest.slice(1, 4)}-${time.slice(7, 14)}${rest.slice(3, 8)}`;
}

/** Of an edge: its claim's number is all that stays the same when the claim is removed and brought back. All of it is hashed. */
export function edgeId(storeId: string, claim: number): string {
  const key = `${storeId}/${claim}`;
  let id = EDGE_IDS.get(key);
  if (id !== undefined) return id;
  if (EDGE_IDS.size === EDGE_IDS_KEPT) EDGE_IDS.clear();
  EDGE_IDS.set(key, (id = hashedEdgeId(storeId, claim)));
  return id;
}

/** An edge is named where it is made, where it is told of and where it is saved. */
const EDGE_IDS = new Map<string, string>();
const EDGE_IDS_KEPT = 4096;

function hashedEdgeId(storeId: string, claim: number): string {
  const halves: number[] = [];
  for (const part of ["edge", "egde"]) {
    sipHash(SPREAD, bytesOf(`${storeId}/${part}/${claim}`));
    halves.push(sipResult.low, sipResult.high);
  }
  const [a, b, c, d] = halves.map(hex);
  return `${a}-${b.slice(0, 4)}-8${b.slice(5)}-${"89ab"[halves[2] >>> 30]}${c.slice(1, 4)}-${c.slice(4)}${d}`;
}

/** The instant a record's id was made at, in microseconds; null where it is not one of ours. */
export function idMicros(id: string): number | null {
  if (id[14] !== "8" || !UUID.test(id) || !"89ab".includes(id[19])) return null;
  return Number.parseInt(id.slice(9, 13) + id.slice(15, 18) + id.slice(24, 31), 16);
}

/** The first eight digits as a number, by which ids are found; of a name that is no UUID, a number made from all of it. */
export function headOf(name: string): number {
  if (UUID.test(name)) return Number.parseInt(name.slice(0, 8), 16);
  sipHash(SPREAD, bytesOf(name));
  return sipResult.low;
}

/** An id as a caller may write it. */
export type IdText =
  | { readonly tag: "full"; readonly id: string }
  | { readonly tag: "prefix"; readonly digits: string }
  /** No UUID and no part of one: it can only be the name a program gave a subject. */
  | { readonly tag: "name"; readonly id: string };

export function readId(text: string): IdText {
  const lower = text.toLowerCase();
  if (UUID.test(lower)) return { tag: "full", id: lower };
  const digits = lower.replaceAll("-", "");
  if (!/^[0-9a-f]{8,32}$/.test(digits)) return { tag: "name", id: text };
  if (digits.length < 32) return { tag: "prefix", digits };
  const id = `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
  return { tag: "full", id };
}

export function hasPrefix(subject: Subject, digits: string): boolean {
  return subject.name.replaceAll("-", "").startsWith(digits);
}

function hex(value: number): string {
  return value.toString(16).padStart(8, "0");
}

/** Of the characters ids are made from; others spread as well as they need to. */
function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    bytes[2 * i] = unit & 0xff;
    bytes[2 * i + 1] = unit >> 8;
  }
  return bytes;
}
