/**
 * What a growing collection weighs, by sample: a limit of elements alone lets millions of tuples or long texts through, and
 * an isolate holds 128 MB.
 *
 * A few elements, evenly spaced, stand for all; one object in several places counts once. The estimate is a pure
 * function of the collection. Ints and bools weigh nothing beside their slot.
 */
import { Bytes } from "../../datum";
import { Refusal } from "../../failure";
import { COLLECTION_BYTES_MAX } from "../../limits";
import { PyDict } from "./dict";
import { checkGrown, ELEMENT_BYTES, making, meter, SLOT_BYTES } from "./meter";
import { isSet } from "./set";
import { PyList, PyTuple, type Value } from "./value";

const SAMPLE = 8;
/** Below this many elements only the elements themselves are limited. */
const LEAST = 15;
/** An entry of a Map with its slots, canonical key included. */
const ENTRY_BYTES = 88;

/** How many elements a list of `n` takes before `checkGrowing` looks at it again. */
export function growsUnweighed(n: number): number {
  return Math.min(n | 0xfff, 2 ** (32 - Math.clz32(n)) - 1) - n;
}
/** Before an element joins: looked at when the size reaches a power of two, and every 4,096. */
export function checkGrowing(items: readonly unknown[]): void {
  const n = items.length;
  meter.kept++;
  if ((n & 0xfff) !== 0xfff && (n < LEAST || (n & (n + 1)) !== 0)) return;
  making(Math.min(n, 0x1000) * ELEMENT_BYTES);
  checkGrown(n + 1);
  checkWeight(items);
}

/** Refuses a list (or the elements of a tuple, a deque) that weighs more than a collection may. */
export function checkWeight(items: readonly unknown[]): void {
  const n = items.length;
  if (n < LEAST) return;
  refuseAbove(n, n * SLOT_BYTES + (sampled(items, 1) * n) / SAMPLE);
}

/** The same for a dict or set of `n` entries that takes in `key` and `value`. */
export function checkEntryWeight(n: number, key: Value, value: Value): void {
  // Twice the key: a tuple's canonical form is a text of about its size.
  refuseAbove(n, n * (ENTRY_BYTES + 2 * weigh(key, 1) + weigh(value, 1)));
}

function refuseAbove(n: number, bytes: number): void {
  if (bytes > COLLECTION_BYTES_MAX)
    throw new Refusal(
      "limit_exceeded",
      `a collection of ${n} elements would take about ${Math.round(bytes / 1e6)} MB, past the limit of ${COLLECTION_BYTES_MAX >> 20} MiB`,
    );
}

/** Bytes of `SAMPLE` elements. */
function sampled(items: readonly unknown[], depth: number): number {
  let bytes = 0;
  const seen: unknown[] = [];
  for (let i = 0; i < SAMPLE; i++) {
    const v = items[Math.floor(((items.length - 1) * i) / (SAMPLE - 1))] as Value;
    if (typeof v === "number" || typeof v === "boolean" || v === null) continue;
    // Equal texts are most often one text in several places.
    if (seen.includes(v)) continue;
    seen.push(v);
    bytes += weigh(v, depth);
  }
  return bytes;
}

function weigh(v: Value, depth: number): number {
  if (typeof v === "number" || typeof v === "boolean" || v === null) return 0;
  if (typeof v === "string") return 24 + v.length;
  if (typeof v === "bigint") return 24;
  if (v instanceof PyTuple || v instanceof PyList) {
    const n = v.a.length;
    if (n === 0) return 96;
    const inside = depth > 0 ? (sampled(v.a, depth - 1) * n) / SAMPLE : 0;
    return 96 + n * SLOT_BYTES + inside;
  }
  if (v instanceof PyDict || isSet(v)) return 200 + v.size * ENTRY_BYTES;
  if (v instanceof Bytes) return 120 + v.b.length;
  return 40;
}
