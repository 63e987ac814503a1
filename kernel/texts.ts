/**
 * Texts in the number kernel: ASCII, a byte a character, one behind the other. A register holds where a text begins and how long
 * it is; a text never changes, and its bytes are let go all together when the machine keeps only those that are still named.
 *
 * What a text costs is counted as value/meter.ts does. What is not done here exactly (digits of most floats, escapes, long texts
 * that have to be measured, anything there is no room for) stops with UNUSUAL, and the value layer does it.
 */
import {
  AT_MADE,
  AT_MADE_CHARS,
  AT_SURVEY_AT,
  DIGITS,
  REGISTERS,
  TEXT_MAX,
  TEXT_MEASURED,
  TEXTS_MAX,
} from "../src/lang/machine/kernel-code";

/** As ELEMENT_BYTES of value/meter.ts. */
const ELEMENT_BYTES: f64 = 48;

/** Where the next text begins. */
export let end: i32 = 0;
export function setEnd(to: i32): void {
  end = to;
}
/** Where the text being built began. */
let built: i32 = 0;

export function start(k: i32): i32 {
  return load<i32>(REGISTERS + (k << 3));
}
export function size(k: i32): i32 {
  return load<i32>(REGISTERS + (k << 3), 4);
}
function name(k: i32, at: i32, n: i32): void {
  store<i32>(REGISTERS + (k << 3), at);
  store<i32>(REGISTERS + (k << 3), n, 4);
}

/** From here on the platform's own copy is quicker than a loop: it is a call out of the module. */
const LONG: i32 = 64;
/** Copies a text to behind it. */
function copy(to: i32, from: i32, n: i32): void {
  if (n >= LONG) {
    memory.copy(to, from, n);
    return;
  }
  let k = 0;
  for (; k + 8 <= n; k += 8) store<u64>(to + k, load<u64>(from + k));
  if (n & 4) {
    store<u32>(to + k, load<u32>(from + k));
    k += 4;
  }
  for (; k < n; k++) store<u8>(to + k, load<u8>(from + k));
}

/** Counts a text of `n` characters made; false where what the program holds is to be counted. */
export function made(n: i32): bool {
  store<f64>(AT_MADE_CHARS, load<f64>(AT_MADE_CHARS) + <f64>n);
  const m = load<f64>(AT_MADE) + ELEMENT_BYTES + <f64>n;
  store<f64>(AT_MADE, m);
  return m <= load<f64>(AT_SURVEY_AT);
}

/** The digits of `n` in front of `to`; where they begin. */
function digits(n: u64, to: i32, base: u64): i32 {
  let p = to;
  let left = n;
  while (left >= 0x100000000) {
    const q = left / base;
    digit(--p, <i32>(left - q * base));
    left = q;
  }
  let few = <u32>left;
  const by = <u32>base;
  do {
    const q = few / by;
    digit(--p, <i32>(few - q * by));
    few = q;
  } while (few !== 0);
  return p;
}
function digit(at: i32, d: i32): void {
  store<u8>(at, <u8>(d < 10 ? 48 + d : 87 + d));
}
/** The same with a separator after each three. */
function grouped(n: u64, to: i32, separator: i32): i32 {
  let p = to;
  let left = n;
  let count = 0;
  do {
    if (count === 3) {
      store<u8>(--p, <u8>separator);
      count = 0;
    }
    const q = left / 10;
    digit(--p, <i32>(left - q * 10));
    left = q;
    count++;
  } while (left !== 0);
  return p;
}

/** dest = the decimal digits of `x`. */
export function ofInt(dest: i32, x: f64): bool {
  if (end + 24 > TEXTS_MAX) return false;
  let p = digits(<u64>abs(x), DIGITS + 256, 10);
  if (x < 0) store<u8>(--p, 45);
  const n = DIGITS + 256 - p;
  copy(end, p, n);
  name(dest, end, n);
  end += n;
  return true;
}

/** A longer text is not copied to grow elsewhere: that would take its length each time, and closures have ropes. */
const COPIED_MAX: i32 = 1024;
/** dest = a + b. The text that was made last grows where it stands. */
export function join(dest: i32, a: i32, b: i32): bool {
  const at = start(a);
  const m = size(a);
  const n = size(b);
  if (m + n > TEXT_MAX) return false;
  const grows = at + m === end;
  if (!grows && m > COPIED_MAX) return false;
  if (end + n + (grows ? 0 : m) > TEXTS_MAX) return false;
  let from = at;
  if (!grows) {
    from = end;
    copy(end, at, m);
    end += m;
  }
  copy(end, start(b), n);
  end += n;
  name(dest, from, m + n);
  return true;
}

/** `repr` of a text that needs no escape. */
export function quoted(dest: i32, a: i32): bool {
  const at = start(a);
  const n = size(a);
  if (end + n + 2 > TEXTS_MAX || n + 2 > TEXT_MAX) return false;
  for (let i = at; i < at + n; i++) {
    const c = <i32>load<u8>(i);
    if (c < 32 || c === 127 || c === 92 || c === 39) return false;
  }
  store<u8>(end, 39);
  copy(end + 1, at, n);
  store<u8>(end + 1 + n, 39);
  name(dest, end, n + 2);
  end += n + 2;
  return true;
}

export function order(a: i32, b: i32): f64 {
  const m = size(a);
  const n = size(b);
  const c = memory.compare(start(a), start(b), min(m, n));
  return c !== 0 ? (c < 0 ? -1 : 1) : m === n ? 0 : m < n ? -1 : 1;
}

export function build(): void {
  built = end;
}
/** dest = the text that was built; its size. */
export function finish(dest: i32): i32 {
  const n = end - built;
  name(dest, built, n);
  return n;
}

/** Writes `n` bytes from `from` behind what is built, filled as `how` says; `sign`: how many of them zeros stand behind. */
function put(from: i32, n: i32, how: i32, sign: i32): bool {
  const width = how & 127;
  const count = width > n ? width - n : 0;
  if (end + n + count > TEXTS_MAX || end - built + n + count > TEXT_MAX) return false;
  const fill = <u8>((how >> 7) & 127);
  const where = (how >> 14) & 3;
  const before = where === 0 ? n : where === 1 ? 0 : sign;
  copy(end, from, before);
  for (let i = end + before; i < end + before + count; i++) store<u8>(i, fill);
  copy(end + before + count, from + before, n - before);
  end += n + count;
  return true;
}
export function putText(a: i32, how: i32): bool {
  const n = size(a);
  if (how !== 0 && n >= TEXT_MEASURED) return false;
  return put(start(a), n, how, 0);
}
export function putInt(x: f64, how: i32): bool {
  const separator = (how >> 17) & 127;
  const to = DIGITS + 256;
  const n = <u64>abs(x);
  let p = separator !== 0 ? grouped(n, to, separator) : digits(n, to, (how & 65536) !== 0 ? 16 : 10);
  if (x < 0) store<u8>(--p, 45);
  return put(p, to - p, how, x < 0 ? 1 : 0);
}

/** Digits after the point that fit. */
const PLACES_MAX = 18;
/** The float `x` with a fixed number of digits after the point, rounded as its exact value is, halves to even. */
export function putFloat(x: f64, how: i32): bool {
  const places = (how >> 24) & 127;
  const bits = reinterpret<u64>(x);
  const field = <i32>(bits >> 52) & 2047;
  if (places > PLACES_MAX || field === 2047) return false;
  let whole: u64 = 0;
  let part: u64 = 0;
  let least: u64 = 1;
  for (let i = 0; i < places; i++) least *= 10;
  if (bits << 1 !== 0) {
    if (field === 0) return false;
    let m = (bits & 0xfffffffffffff) | 0x10000000000000;
    let e = field - 1075;
    const zeros = <i32>ctz(m);
    m >>= zeros;
    e += zeros;
    if (e >= 0) {
      if (<i32>clz(m) <= e) return false;
      whole = m << e;
    } else {
      const s = -e;
      if (s > 60) return false;
      const mask = ((<u64>1) << s) - 1;
      whole = m >> s;
      let left = m & mask;
      for (let i = 0; i < places; i++) {
        left *= 10;
        part = part * 10 + (left >> s);
        left &= mask;
      }
      const half = (<u64>1) << (s - 1);
      const last = places === 0 ? whole : part;
      if (left > half || (left === half && (last & 1) !== 0)) {
        part++;
        if (part >= least) {
          part -= least;
          whole++;
        }
      }
    }
  }
  let p = DIGITS + 256;
  if (places > 0) {
    const from = p - places;
    const first = digits(part, p, 10);
    memory.fill(from, 48, first - from);
    p = from;
    store<u8>(--p, 46);
  }
  p = digits(whole, p, 10);
  const negative = bits >> 63 !== 0;
  if (negative) store<u8>(--p, 45);
  return put(p, DIGITS + 256 - p, how, negative ? 1 : 0);
}
