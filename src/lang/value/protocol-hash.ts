/**
 * Two hashes with two purposes.
 *
 * `hashKey` gives the canonical key under which dicts and sets find a value in a JavaScript Map: equal values have one
 * key (`1`, `1.0`, `True` and `1+0j`), unequal ones never share one. It needs no arithmetic for ints and texts.
 * `pyHash` gives the number CPython 3.11 gives under PYTHONHASHSEED=0, which decides the order of sets and what `hash`
 * prints. What CPython hashes by address (None, functions, NaN …) has a fixed hash of ours here (rulings, "Sets holding None").
 */
import { Bytes, Complex, Datetime, Duration, Float, type Int, Subject } from "../../datum";
import { Refusal } from "../../failure";
import { TEXT_CHARS_MAX, VALUE_DEPTH_MAX } from "../../limits";
import { BoundMethod } from "./builtin-function";
import { PyDict, PyDictView } from "./dict";
import { raise } from "./exception";
import { checkChars, spendSteps } from "./meter";
import { typeName } from "./protocol-type";
import { PyFrozenSet, PySet } from "./set";
import { sip, sipBytes, sipText } from "./siphash";
import { PyException, PyFunction, PyIterator, PyList, PyModule, PyNative, PyOpaque, PyRange, PySlice, PyTuple, type Value } from "./value";

/** Opens every key that is a text but stands for something else than that text. */
const MARK = "\u0001";

/** Canonical Map key. TypeError for what is unhashable. */
export function hashKey(v: Value): unknown {
  switch (typeof v) {
    case "number":
    case "bigint":
      return v;
    case "string":
      return v.charCodeAt(0) === 1 ? `${MARK}s${v}` : v;
    case "boolean":
      return v ? 1 : 0;
  }
  if (v === null) return null;
  if (v instanceof Float) return floatKey(v);
  if (v instanceof PyTuple) return tupleKey(v);
  return otherKey(v, 0);
}

function floatKey(v: Float): unknown {
  const x = v.v;
  if (Number.isInteger(x)) return Number.isSafeInteger(x) ? x + 0 : BigInt(x);
  // NaN equals nothing, so it is found by identity only.
  return Number.isNaN(x) ? v : x;
}

/** Spelled as `spell` does, with a short way for the usual elements: ints and texts. */
function tupleKey(v: PyTuple): string {
  const { a } = v;
  let key = `${MARK}t${a.length}:`;
  for (let i = 0; i < a.length; i++) {
    const e = a[i];
    if (typeof e === "number") key += `i${e};`;
    else if (typeof e === "string" && e.charCodeAt(0) !== 1) key += `s${e.length}:${e}`;
    else {
      const parts: string[] = [];
      spell(v, parts, 0);
      key = parts.join("");
      break;
    }
  }
  if (key.length > 64) checkChars(key.length);
  return key;
}

function otherKey(v: Value, depth: number): unknown {
  if (v instanceof Subject) return `${MARK}S${v.kind}\u0000${v.name}`;
  if (v instanceof Bytes) return `${MARK}b${latin1(v.b)}`;
  if (v instanceof Datetime) return `${MARK}D${v.micros}`;
  if (v instanceof Duration) return `${MARK}d${v.micros}`;
  if (v instanceof Complex) {
    if (v.im === 0) return Number.isNaN(v.re) ? v : floatKey(new Float(v.re));
    if (Number.isNaN(v.re) || Number.isNaN(v.im)) return v;
    return `${MARK}c${v.re + 0},${v.im + 0}`;
  }
  if (v instanceof PyFrozenSet) return frozenKey(v, depth);
  if (v instanceof PyRange) {
    // Equal as sequences: length, then start, then step where they matter.
    if (v.length === 0) return `${MARK}r`;
    return v.length === 1 ? `${MARK}r1,${v.start}` : `${MARK}r${v.length},${v.start},${v.step}`;
  }
  if (v instanceof PyOpaque) return `${MARK}o${v.typeName}\u0000${v.hashKey()}`;
  if (v instanceof PyNative) {
    const key = v.hashKey();
    if (key === undefined) unhashable(v);
    // A text would be found as that very text.
    return typeof key === "string" ? `${MARK}N${v.typeName}\u0000${key}` : key;
  }
  if (v instanceof BoundMethod) {
    return `${MARK}m${identity(v.self as object)},${v.name}`;
  }
  if (isUnhashable(v)) unhashable(v);
  return v;
}

function isUnhashable(v: Value): boolean {
  return (
    v instanceof PyList ||
    v instanceof PyDict ||
    v instanceof PySet ||
    v instanceof PySlice ||
    (v instanceof PyDictView && v.kind !== "values")
  );
}

function unhashable(v: Value): never {
  raise("TypeError", `unhashable type: '${typeName(v)}'`);
}

/** The key of a set's content; also of a plain `set` where CPython looks it up as if frozen. */
export function frozenKey(v: PySet | PyFrozenSet, depth: number): string {
  const parts: string[] = [];
  for (const element of v.map.values()) {
    const one: string[] = [];
    spell(element, one, depth + 1);
    parts.push(one.join(""));
  }
  parts.sort();
  return `${MARK}f${parts.join("")}`;
}

/** Writes a self-delimiting spelling of the canonical key. */
/** Pieces of one key: a tuple may have as many elements. */
const KEY_PIECES_MAX = TEXT_CHARS_MAX >> 2;

function spell(v: Value, out: string[], depth: number): void {
  if (depth > VALUE_DEPTH_MAX) throw new Refusal("limit_exceeded", `a value nested deeper than ${VALUE_DEPTH_MAX} is past the limit`);
  if (v instanceof PyTuple) {
    spendSteps(v.a.length);
    // Every piece has characters, so past this the text would be refused in any case: better before the memory is spent.
    if (out.length + v.a.length > KEY_PIECES_MAX) checkChars(TEXT_CHARS_MAX + 1);
    out.push(`${MARK}t${v.a.length}:`);
    for (const e of v.a) spell(e, out, depth + 1);
    return;
  }
  const key = v instanceof PyFrozenSet ? frozenKey(v, depth) : hashKey(v);
  switch (typeof key) {
    case "number":
    case "bigint":
      out.push(`i${key};`);
      return;
    case "string":
      out.push(`s${key.length}:`, key);
      return;
    case "object":
      if (key === null) {
        out.push("n;");
        return;
      }
  }
  out.push(`o${identity(key as object)};`);
}

const identities = new WeakMap<object, number>();
let identityCount = 0;
/** Tells objects apart inside a key. Never printed and never an order, so it may count for ever. */
function identity(o: object): number {
  if (o === null || (typeof o !== "object" && typeof o !== "function")) return 0;
  let id = identities.get(o);
  if (id === undefined) {
    id = ++identityCount;
    identities.set(o, id);
  }
  return id;
}

function latin1(b: Uint8Array): string {
  let out = "";
  for (let i = 0; i < b.length; i += 8192) out += String.fromCharCode(...b.subarray(i, i + 8192));
  return out;
}

// ---------------------------------------------------------------------------------------------------------------- pyHash

const M64 = (1n << 64n) - 1n;
const P = (1n << 61n) - 1n;

/** CPython's `hash(v)` with zero seed. TypeError for what is unhashable. */
export function pyHash(v: Value): Int {
  pyHashHalves(v);
  const lo = hashed.lo >>> 0;
  const hi = hashed.hi | 0;
  // Within ±2^53 the number is exact.
  if (hi >= -0x200000 && hi < 0x200000) {
    const n = hi * 4294967296 + lo;
    if (Number.isSafeInteger(n)) return n;
  }
  return (BigInt(hi) << 32n) | BigInt(lo);
}

/** The result of `pyHashHalves`: two's complement halves. */
export const hashed = { lo: 0, hi: 0 };

/** `pyHash` without making a number: what set-order.ts calls per element. */
export function pyHashHalves(v: Value): void {
  switch (typeof v) {
    case "number":
      hashNumber(v);
      return;
    case "string":
      sipText(v);
      hashed.lo = sip.lo;
      hashed.hi = sip.hi;
      return;
    case "boolean":
      hashed.lo = v ? 1 : 0;
      hashed.hi = 0;
      return;
    case "bigint":
      fromSigned(hashBig(v));
      return;
  }
  if (v instanceof Float) {
    const x = v.v;
    if (Number.isSafeInteger(x)) hashNumber(x);
    else fromSigned(hashDouble(x));
    return;
  }
  if (v instanceof PyTuple) {
    hashTupleHalves(v.a, 0);
    return;
  }
  if (v instanceof Bytes) {
    sipBytes(v.b);
    hashed.lo = sip.lo;
    hashed.hi = sip.hi;
    return;
  }
  fromSigned(hashOther(v, 0));
}

function hashNumber(n: number): void {
  if (n === -1) {
    hashed.lo = -2;
    hashed.hi = -1;
    return;
  }
  hashed.lo = n | 0;
  hashed.hi = Math.floor(n / 4294967296) | 0;
}

function fromSigned(h: bigint): void {
  hashed.lo = Number(h & 0xffffffffn) | 0;
  hashed.hi = Number((h >> 32n) & 0xffffffffn) | 0;
}

function hashBig(n: bigint): bigint {
  const h = n < 0n ? -(-n % P) : n % P;
  return h === -1n ? -2n : h;
}

const doubleBits = new DataView(new ArrayBuffer(8));

function hashDouble(x: number): bigint {
  if (x === Number.POSITIVE_INFINITY) return 314159n;
  if (x === Number.NEGATIVE_INFINITY) return -314159n;
  // By identity in CPython; a fixed hash of ours.
  if (Number.isNaN(x)) return 271828n;
  doubleBits.setFloat64(0, Math.abs(x));
  const bits = doubleBits.getBigUint64(0);
  const field = Number(bits >> 52n);
  const mantissa = (bits & ((1n << 52n) - 1n)) | (field === 0 ? 0n : 1n << 52n);
  const exponent = (field === 0 ? 1 : field) - 1075;
  // 2^61 ≡ 1 modulo P, so a negative exponent is a positive one.
  const shift = BigInt(((exponent % 61) + 61) % 61);
  const h = (mantissa << shift) % P;
  const signed = x < 0 ? -h : h;
  return signed === -1n ? -2n : signed;
}

const signed64 = (h: bigint): bigint => BigInt.asIntN(64, h);

function hashOf(v: Value, depth: number): bigint {
  if (v instanceof PyTuple || v instanceof PyFrozenSet) return hashOther(v, depth);
  pyHashHalves(v);
  return (BigInt(hashed.hi) << 32n) | BigInt(hashed.lo >>> 0);
}

function hashOther(v: Value, depth: number): bigint {
  if (depth > VALUE_DEPTH_MAX) throw new Refusal("limit_exceeded", `a value nested deeper than ${VALUE_DEPTH_MAX} is past the limit`);
  if (v === null) return ownHash("None");
  if (v instanceof PyTuple) return hashTuple(v.a, depth);
  if (v instanceof PyFrozenSet) return hashFrozen(v, depth);
  if (v instanceof Complex) {
    const h = (hashDouble(v.re) + 1000003n * hashDouble(v.im)) & M64;
    const s = signed64(h);
    return s === -1n ? -2n : s;
  }
  if (v instanceof PyRange) {
    if (v.length === 0) return hashTuple([0, null, null], depth);
    return hashTuple(v.length === 1 ? [1, v.start, null] : [v.length, v.start, v.step], depth);
  }
  if (isUnhashable(v)) unhashable(v);
  if (v instanceof Subject) return ownHash(`${v.kind}\u0000${v.name}`);
  if (v instanceof Datetime) return hashBig(BigInt(v.micros));
  if (v instanceof Duration) return hashBig(BigInt(v.micros));
  if (v instanceof PyOpaque) return ownHash(v.hashKey());
  if (v instanceof PyNative) {
    const key = v.hashKey();
    if (key === undefined) unhashable(v);
    if (typeof key === "number") return hashBig(BigInt(key));
    return ownHash(typeof key === "string" ? key : v.typeName);
  }
  if (v instanceof PyFunction || v instanceof PyModule) return ownHash(v.name);
  if (v instanceof PyException) return ownHash(v.className);
  if (v instanceof PyIterator) return ownHash(v.typeName);
  return ownHash(typeName(v));
}

/** For what CPython hashes by address: by what the value is called, so that runs agree. Equal for several values is fine. */
function ownHash(text: string): bigint {
  sipText(text);
  return (BigInt(sip.hi) << 32n) | BigInt(sip.lo >>> 0);
}

// 11400714785074694791, 14029467366897019727, 2870177450012600261 and the last xor 3527539, as halves.
const XX1_HI = Number(11400714785074694791n >> 32n) | 0;
const XX1_LO = Number(11400714785074694791n & 0xffffffffn) | 0;
const XX2_HI = Number(14029467366897019727n >> 32n) | 0;
const XX2_LO = Number(14029467366897019727n & 0xffffffffn) | 0;
const XX5_HI = Number(2870177450012600261n >> 32n) | 0;
const XX5_LO = Number(2870177450012600261n & 0xffffffffn) | 0;
const XX_TAIL_LO = XX5_LO ^ 3527539;

/** `tuplehash`: xxHash over the element hashes. 64-bit words are halves here too. */
function hashTuple(elements: readonly Value[], depth: number): bigint {
  hashTupleHalves(elements, depth);
  return (BigInt(hashed.hi) << 32n) | BigInt(hashed.lo >>> 0);
}

function hashTupleHalves(elements: readonly Value[], depth: number): void {
  if (depth > VALUE_DEPTH_MAX) throw new Refusal("limit_exceeded", `a value nested deeper than ${VALUE_DEPTH_MAX} is past the limit`);
  spendSteps(elements.length);
  let lo = XX5_LO;
  let hi = XX5_HI;
  for (let i = 0; i < elements.length; i++) {
    const e = elements[i];
    if (e instanceof PyTuple) hashTupleHalves(e.a, depth + 1);
    else if (e instanceof PyFrozenSet) fromSigned(hashFrozen(e, depth + 1));
    else pyHashHalves(e);
    // acc += lane * XX2; acc = rotl(acc, 31); acc *= XX1
    multiply(hashed.lo, hashed.hi, XX2_LO, XX2_HI);
    const sum = (lo >>> 0) + (product.lo >>> 0);
    hi = (hi + product.hi + (sum > 0xffffffff ? 1 : 0)) | 0;
    lo = sum | 0;
    const turned = (lo << 31) | (hi >>> 1);
    hi = (hi << 31) | (lo >>> 1);
    lo = turned;
    multiply(lo, hi, XX1_LO, XX1_HI);
    lo = product.lo;
    hi = product.hi;
  }
  const tail = (elements.length ^ XX_TAIL_LO) >>> 0;
  const sum = (lo >>> 0) + tail;
  hi = (hi + XX5_HI + (sum > 0xffffffff ? 1 : 0)) | 0;
  lo = sum | 0;
  const error = lo === -1 && hi === -1;
  hashed.lo = error ? 1546275796 : lo;
  hashed.hi = error ? 0 : hi;
}

const product = { lo: 0, hi: 0 };

/** The low 64 bits of a product, by 16-bit digits. */
function multiply(alo: number, ahi: number, blo: number, bhi: number): void {
  const a0 = alo & 0xffff;
  const a1 = alo >>> 16;
  const b0 = blo & 0xffff;
  const b1 = blo >>> 16;
  const low = a0 * b0;
  const middle = a1 * b0 + (low >>> 16);
  const middle2 = a0 * b1 + (middle & 0xffff);
  product.lo = (low & 0xffff) | (middle2 << 16);
  // The sum is below 2^34, so the divisions are exact.
  const carry = a1 * b1 + Math.floor(middle / 65536) + Math.floor(middle2 / 65536);
  product.hi = (Math.imul(alo, bhi) + Math.imul(ahi, blo) + carry) | 0;
}

/** `frozenset_hash`: independent of order. */
function hashFrozen(set: PyFrozenSet, depth: number): bigint {
  spendSteps(set.map.size);
  let h = 0n;
  for (const e of set.map.values()) {
    const one = hashOf(e, depth + 1) & M64;
    h ^= ((one ^ 89869747n ^ ((one << 16n) & M64)) * 3644798167n) & M64;
  }
  h ^= (BigInt(set.map.size + 1) * 1927868237n) & M64;
  h ^= (h >> 11n) ^ (h >> 25n);
  h = (h * 69069n + 907133923n) & M64;
  return h === M64 ? 590923713n : signed64(h);
}
