/**
 * The number kernel: runs loops that are nothing but numbers, and texts made of them (`texts.ts`). AssemblyScript, compiled to WebAssembly ahead of time
 * (`npm run kernel` writes src/lang/machine/numbers.wasm), so that such a loop is fast from its first turn, without the platform
 * having to compile closures first.
 *
 * What the code means, and the layout of memory, stand in kernel-code.ts; what makes the code, and all that happens where
 * the kernel stops, in number-region.ts and run-region.ts. The kernel knows nothing of Python: where the plain operation on
 * doubles might not be Python's answer it stops with UNUSUAL and leaves everything as it was.
 */
import {
  ABS,
  ADD_FLOAT,
  ADD_INT,
  ADD_PRODUCT_FLOAT,
  ADD_PRODUCT_INT,
  AND_INT,
  APPEND,
  AT,
  AT_KEPT,
  AT_LINE,
  AT_OPS_LEFT,
  AT_ORDER,
  AT_PC,
  AT_STEPS_LEFT,
  AT_TEXTS_END,
  BEFORE_APPEND,
  BEFORE_RECORD,
  BEFORE_STEP,
  BOUND_BY,
  BUILD,
  BUILT,
  CALL,
  CHARGE,
  CODE,
  DIV_FLOAT,
  DIV_INT,
  ELEMENTS,
  ELEMENTS_MAX,
  FLOORDIV_INT,
  GET_NUMBER,
  GET_TRUTH,
  GROWTHS,
  JOIN,
  JUMP,
  LEAVE,
  LENGTH,
  LINES,
  LISTS,
  MARK,
  MOD_INT,
  MOVE,
  MUL_FLOAT,
  MUL_INT,
  NEG_FLOAT,
  NEG_INT,
  NEXT_OF_RANGE,
  OPS_SPENT,
  OR_INT,
  PUT_FLOAT,
  PUT_INT,
  PUT_TEXT,
  RANGE,
  RECORD,
  REGISTERS,
  SET_NUMBER,
  SET_TRUTH,
  SHOWN,
  STEP,
  SUB_FLOAT,
  SUB_INT,
  SURVEY_DUE,
  TEXT_LENGTH,
  TEXT_MEASURED,
  TEXT_OF_INT,
  TEXT_ORDER,
  TEXT_REPR,
  TEXTS_LIMIT,
  UNLESS_EQUAL,
  UNLESS_LESS,
  UNLESS_LESS_EQUAL,
  UNUSUAL,
  WHERE_EQUAL,
  WHERE_LESS,
  WHERE_LESS_EQUAL,
  XOR_INT,
} from "../src/lang/machine/kernel-code";
import * as texts from "./texts";

const INT_MAX: f64 = 9007199254740991;
/** Quotients of ints up to here are found by a division of doubles and one correction. */
const QUOTIENT_MAX: f64 = 4503599627370496;

function get(k: i32): f64 {
  return load<f64>(REGISTERS + (k << 3));
}
function set(k: i32, v: f64): void {
  store<f64>(REGISTERS + (k << 3), v);
}
function isInt32(x: f64): bool {
  return x >= -2147483648 && x <= 2147483647;
}

/** Where an element of a shown list stands, each `1 << size` bytes; 0 where there is none. */
function element(list: i32, index: f64, size: i32): i32 {
  const n = <f64>load<i32>(SHOWN + (list << 3), 4);
  const k = index < 0 ? index + n : index;
  if (!(k >= 0 && k < n)) return 0;
  return load<i32>(SHOWN + (list << 3)) + ((<i32>k) << size);
}

/** Counts a text that grew by `n` characters, all of them new where something was kept since; false as `made`. */
function grown(place: i32, n: i32, added: i32): bool {
  const at = GROWTHS + ((place - 1) << 3);
  const kept = load<f64>(AT_KEPT);
  const good = texts.made(load<f64>(at) === kept ? added : n);
  store<f64>(at, kept);
  return good;
}

/** The instruction at `p`, one on texts: UNUSUAL, SURVEY_DUE or TEXT_DONE. */
function text(p: i32): i32 {
  const word = load<i32>(p);
  const a = load<i32>(p, 4);
  const b = load<i32>(p, 8);
  const c = load<i32>(p, 12);
  const dest = word >> 8;
  switch (word & 255) {
    case TEXT_OF_INT:
      return texts.ofInt(dest, get(a)) ? TEXT_DONE : UNUSUAL;
    case TEXT_REPR:
      return texts.quoted(dest, a) ? TEXT_DONE : UNUSUAL;
    case JOIN: {
      const added = texts.size(b);
      const n = texts.size(a) + added;
      if (!texts.join(dest, a, b)) return UNUSUAL;
      return (c === 0 ? texts.made(n) : grown(c, n, added)) ? TEXT_DONE : SURVEY_DUE;
    }
    case TEXT_LENGTH: {
      const n = texts.size(a);
      if (n >= TEXT_MEASURED) return UNUSUAL;
      set(dest, <f64>n);
      return TEXT_DONE;
    }
    case TEXT_ORDER:
      set(dest, texts.order(a, b));
      return TEXT_DONE;
    case BUILD:
      texts.build();
      return TEXT_DONE;
    case PUT_TEXT:
      return texts.putText(a, c) ? TEXT_DONE : UNUSUAL;
    case PUT_INT:
      return texts.putInt(get(a), c) ? TEXT_DONE : UNUSUAL;
    case PUT_FLOAT:
      return texts.putFloat(get(a), c) ? TEXT_DONE : UNUSUAL;
    case BUILT:
      return texts.made(texts.finish(dest)) ? TEXT_DONE : SURVEY_DUE;
    default:
      return UNUSUAL;
  }
}
const TEXT_DONE: i32 = -1;
/** Why `numbers` stops before an instruction on texts. */
const TEXTUAL: i32 = -2;

/** Whether the instruction is one on texts, which have the last numbers. */
function isTextual(pc: i32): bool {
  return (load<i32>(CODE + (pc << 4)) & 255) >= TEXT_OF_INT;
}

/** Runs from instruction `pc` until it stops; says why. */
export function run(pc: i32): i32 {
  texts.setEnd(load<i32>(AT_TEXTS_END));
  let why = numbers(pc);
  let uncounted: i32 = 0;
  while (why === TEXTUAL) {
    const at = load<i32>(AT_PC);
    why = text(CODE + (at << 4));
    if (why === UNUSUAL) break;
    store<i32>(AT_PC, at + 1);
    if (texts.end > TEXTS_LIMIT && uncounted === 0) {
      // The next statement stops, and the machine makes room before it.
      uncounted = load<i32>(AT_STEPS_LEFT) - 1;
      store<i32>(AT_STEPS_LEFT, 1);
    }
    if (why === TEXT_DONE) why = isTextual(at + 1) ? TEXTUAL : numbers(at + 1);
  }
  store<i32>(AT_STEPS_LEFT, load<i32>(AT_STEPS_LEFT) + uncounted);
  store<i32>(AT_TEXTS_END, texts.end);
  return why;
}

/** The same of instructions on numbers; exported so that it stays apart from texts, of which the platform would compile all with it. */
export function numbers(pc: i32): i32 {
  let p: i32 = CODE + (pc << 4);
  let steps: i32 = load<i32>(AT_STEPS_LEFT);
  let ops: i32 = load<i32>(AT_OPS_LEFT);
  let order: i32 = load<i32>(AT_ORDER);
  let line: i32 = load<i32>(AT_LINE);
  let why: i32 = UNUSUAL;
  while (true) {
    const word = load<i32>(p);
    const a = load<i32>(p, 4);
    const b = load<i32>(p, 8);
    switch (word & 255) {
      case STEP: {
        line = a;
        if (--steps <= 0) {
          why = BEFORE_STEP;
          break;
        }
        ops -= b;
        p += 16;
        continue;
      }
      case CHARGE:
        ops -= a;
        p += 16;
        continue;
      case AT:
        line = a;
        p += 16;
        continue;
      case CALL: {
        if (--ops < 0) {
          why = OPS_SPENT;
          break;
        }
        p += 16;
        continue;
      }
      case JUMP:
        p = CODE + (load<i32>(p, 12) << 4);
        continue;
      case MOVE:
        set(word >> 8, get(a));
        p += 16;
        continue;
      case ADD_FLOAT:
        set(word >> 8, get(a) + get(b));
        p += 16;
        continue;
      case SUB_FLOAT:
        set(word >> 8, get(a) - get(b));
        p += 16;
        continue;
      case MUL_FLOAT:
        set(word >> 8, get(a) * get(b));
        p += 16;
        continue;
      case DIV_FLOAT: {
        const y = get(b);
        if (y === 0) break;
        set(word >> 8, get(a) / y);
        p += 16;
        continue;
      }
      case NEG_FLOAT:
        set(word >> 8, -get(a));
        p += 16;
        continue;
      case ADD_PRODUCT_FLOAT:
        set(word >> 8, get(a) + get(b) * get(load<i32>(p, 12)));
        p += 16;
        continue;
      case ADD_INT: {
        const r = get(a) + get(b);
        if (abs(r) > INT_MAX) break;
        set(word >> 8, r);
        p += 16;
        continue;
      }
      case SUB_INT: {
        const r = get(a) - get(b);
        if (abs(r) > INT_MAX) break;
        set(word >> 8, r);
        p += 16;
        continue;
      }
      case MUL_INT: {
        const r = get(a) * get(b);
        if (abs(r) > INT_MAX) break;
        // + 0: a product of zero and a negative int is 0, never -0.
        set(word >> 8, r + 0);
        p += 16;
        continue;
      }
      case DIV_INT: {
        const y = get(b);
        if (y === 0) break;
        set(word >> 8, get(a) / y);
        p += 16;
        continue;
      }
      case FLOORDIV_INT: {
        const x = get(a);
        const y = get(b);
        if (!(y > 0 && y <= QUOTIENT_MAX && abs(x) <= QUOTIENT_MAX)) break;
        const q = floor(x / y);
        const r = x - q * y;
        set(word >> 8, (r < 0 ? q - 1 : r >= y ? q + 1 : q) + 0);
        p += 16;
        continue;
      }
      case MOD_INT: {
        const x = get(a);
        const y = get(b);
        if (!(y > 0 && y <= QUOTIENT_MAX && abs(x) <= QUOTIENT_MAX)) break;
        const r = x - floor(x / y) * y;
        set(word >> 8, r < 0 ? r + y : r >= y ? r - y : r);
        p += 16;
        continue;
      }
      case AND_INT: {
        const x = get(a);
        const y = get(b);
        if (!isInt32(x) || !isInt32(y)) break;
        set(word >> 8, <f64>(<i32>x & <i32>y));
        p += 16;
        continue;
      }
      case OR_INT: {
        const x = get(a);
        const y = get(b);
        if (!isInt32(x) || !isInt32(y)) break;
        set(word >> 8, <f64>(<i32>x | <i32>y));
        p += 16;
        continue;
      }
      case XOR_INT: {
        const x = get(a);
        const y = get(b);
        if (!isInt32(x) || !isInt32(y)) break;
        set(word >> 8, <f64>(<i32>x ^ <i32>y));
        p += 16;
        continue;
      }
      case NEG_INT:
        set(word >> 8, 0 - get(a));
        p += 16;
        continue;
      case ADD_PRODUCT_INT: {
        const m = get(b) * get(load<i32>(p, 12));
        const r = get(a) + m;
        if (abs(m) > INT_MAX || abs(r) > INT_MAX) break;
        set(word >> 8, r + 0);
        p += 16;
        continue;
      }
      case ABS:
        set(word >> 8, abs(get(a)));
        p += 16;
        continue;
      case UNLESS_LESS:
        p = get(a) < get(b) ? p + 16 : CODE + (load<i32>(p, 12) << 4);
        continue;
      case UNLESS_LESS_EQUAL:
        p = get(a) <= get(b) ? p + 16 : CODE + (load<i32>(p, 12) << 4);
        continue;
      case UNLESS_EQUAL:
        p = get(a) === get(b) ? p + 16 : CODE + (load<i32>(p, 12) << 4);
        continue;
      case WHERE_LESS:
        p = get(a) < get(b) ? CODE + (load<i32>(p, 12) << 4) : p + 16;
        continue;
      case WHERE_LESS_EQUAL:
        p = get(a) <= get(b) ? CODE + (load<i32>(p, 12) << 4) : p + 16;
        continue;
      case WHERE_EQUAL:
        p = get(a) === get(b) ? CODE + (load<i32>(p, 12) << 4) : p + 16;
        continue;
      case RANGE: {
        const start = get(a);
        const stop = get(b);
        const step = get(load<i32>(p, 12));
        if (step === 0 || abs(start) > QUOTIENT_MAX / 2 || abs(stop) > QUOTIENT_MAX / 2 || abs(step) > QUOTIENT_MAX) break;
        const stride = abs(step);
        const span = (step > 0 ? stop - start : start - stop) - 1;
        let length: f64 = 0;
        if (span >= 0) {
          const q = floor(span / stride);
          const r = span - q * stride;
          length = (r < 0 ? q - 1 : r >= stride ? q + 1 : q) + 1;
        }
        const k = word >> 8;
        set(k, 0);
        set(k + 1, length);
        set(k + 2, start);
        set(k + 3, step);
        p += 16;
        continue;
      }
      case NEXT_OF_RANGE: {
        const place = get(a);
        if (place >= get(a + 1)) {
          p = CODE + (load<i32>(p, 12) << 4);
          continue;
        }
        const k = word >> 8;
        set(k, get(a + 2) + place * get(a + 3));
        store<u8>(BOUND_BY + k, 1);
        set(a, place + 1);
        if (--ops < 0) {
          why = OPS_SPENT;
          break;
        }
        p += 16;
        continue;
      }
      case RECORD: {
        const at = LINES + (a << 5);
        const left = load<i32>(at, 16);
        if (left > 0) {
          why = BEFORE_RECORD;
          break;
        }
        store<i32>(at, left - 1, 16);
        store<f64>(at, get(b));
        store<i32>(at, order++, 8);
        store<i32>(at, load<i32>(p, 12), 12);
        store<u8>(BOUND_BY + b, 1);
        p += 16;
        continue;
      }
      case MARK:
        store<u8>(BOUND_BY + a, <u8>b);
        p += 16;
        continue;
      case APPEND: {
        const list = LISTS + (a << 3);
        const n = load<i32>(list);
        if (n >= load<i32>(list, 4)) {
          why = BEFORE_APPEND;
          break;
        }
        store<f64>(ELEMENTS + ((a * ELEMENTS_MAX + n) << 3), get(b));
        store<i32>(list, n + 1);
        store<f64>(AT_KEPT, load<f64>(AT_KEPT) + 1);
        p += 16;
        continue;
      }
      case GET_NUMBER: {
        const at = element(a, get(b), 3);
        if (at === 0) break;
        set(word >> 8, load<f64>(at));
        p += 16;
        continue;
      }
      case GET_TRUTH: {
        const at = element(a, get(b), 0);
        if (at === 0) break;
        set(word >> 8, <f64>load<u8>(at));
        p += 16;
        continue;
      }
      case SET_NUMBER: {
        const at = element(a, get(b), 3);
        if (at === 0) break;
        store<f64>(at, get(load<i32>(p, 12)));
        p += 16;
        continue;
      }
      case SET_TRUTH: {
        const at = element(a, get(b), 0);
        if (at === 0) break;
        store<u8>(at, <u8>get(load<i32>(p, 12)));
        p += 16;
        continue;
      }
      case LENGTH:
        set(word >> 8, <f64>load<i32>(SHOWN + (a << 3), 4));
        p += 16;
        continue;
      case LEAVE:
        why = a;
        break;
      default:
        why = TEXTUAL;
        break;
    }
    break;
  }
  store<i32>(AT_PC, (p - CODE) >> 4);
  store<i32>(AT_STEPS_LEFT, steps);
  store<i32>(AT_OPS_LEFT, ops);
  store<i32>(AT_ORDER, order);
  store<i32>(AT_LINE, line);
  return why;
}
