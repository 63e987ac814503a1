/** The number kernel in plain steps, slow and plain to read; it can be told to stop with UNUSUAL where it need not. */
import * as K from "../../../src/lang/machine/kernel-code";
import type { KernelExports } from "../../../src/lang/machine/number-kernel";
import { ELEMENT_BYTES } from "../../../src/lang/value/meter";

const INT_MAX = Number.MAX_SAFE_INTEGER;
const QUOTIENT_MAX = 2 ** 52;
const isInt32 = (x: number): boolean => (x | 0) === x;
/** Operations that may stop with UNUSUAL. */
const RISKY: ReadonlySet<number> = new Set([
  ...[K.DIV_FLOAT, K.ADD_INT, K.SUB_INT, K.MUL_INT, K.DIV_INT, K.FLOORDIV_INT, K.MOD_INT],
  ...[K.GET_NUMBER, K.GET_TRUTH, K.SET_NUMBER, K.SET_TRUTH],
  ...[K.TEXT_OF_INT, K.TEXT_REPR, K.JOIN, K.TEXT_LENGTH, K.PUT_TEXT, K.PUT_INT, K.PUT_FLOAT],
  ...[K.AND_INT, K.OR_INT, K.XOR_INT, K.ADD_PRODUCT_INT, K.RANGE],
]);

/** Python's quotient and remainder of ints, by BigInt. */
function divided(x: number, y: number): [number, number] {
  const [a, b] = [BigInt(x), BigInt(y)];
  const r = ((a % b) + b) % b;
  return [Number((a - r) / b), Number(r)];
}

/** `unusual`: whether a risky operation stops although it need not. */
export function kernelTwin(unusual: () => boolean): KernelExports & { entered: number; stopped: number } {
  const buffer = new ArrayBuffer(K.SHOWN_ELEMENTS + 65536);
  const words = new Int32Array(buffer);
  const D = new Float64Array(buffer, K.REGISTERS, K.REGISTERS_MAX);
  const boundBy = new Uint8Array(buffer, K.BOUND_BY, K.REGISTERS_MAX);
  const code = new Int32Array(buffer, K.CODE);
  const lineValues = new Float64Array(buffer, K.LINES);
  const lineWords = new Int32Array(buffer, K.LINES);
  const lists = new Int32Array(buffer, K.LISTS);
  const shown = new Int32Array(buffer, K.SHOWN);
  const bytes = new Uint8Array(buffer);
  const doubles = new Float64Array(buffer);
  const elements = new Float64Array(buffer, K.ELEMENTS);
  let jump = -1;
  let built = 0;
  let uncounted = 0;
  let surveyDue = false;
  const grow = (): never => {
    throw new Error("a program of the tests has no lists of that size");
  };
  const twin = { memory: { buffer, grow }, run, entered: 0, stopped: 0 };
  return twin;

  function run(from: number): number {
    twin.entered++;
    uncounted = 0;
    const why = runOn(from);
    words[K.AT_STEPS_LEFT >> 2]! += uncounted;
    return why;
  }
  function runOn(from: number): number {
    let pc = from;
    for (;;) {
      const [word, a, b, c] = code.slice(4 * pc, 4 * pc + 4) as unknown as [number, number, number, number];
      const [op, dest] = [word & 255, word >> 8];
      words[K.AT_PC >> 2] = pc;
      if (RISKY.has(op) && unusual()) {
        twin.stopped++;
        return K.UNUSUAL;
      }
      const why = one(op, dest, a, b, c);
      if (why !== null) return why;
      const to = jump;
      jump = -1;
      pc = to >= 0 ? to : pc + 1;
      if (op >= K.TEXT_OF_INT && words[K.AT_TEXTS_END >> 2]! > K.TEXTS_LIMIT && uncounted === 0) {
        uncounted = words[K.AT_STEPS_LEFT >> 2]! - 1;
        words[K.AT_STEPS_LEFT >> 2] = 1;
      }
      if (surveyDue) {
        surveyDue = false;
        words[K.AT_PC >> 2] = pc;
        return K.SURVEY_DUE;
      }
    }
  }
  function textAt(k: number): string {
    const [at, n] = [words[(K.REGISTERS >> 2) + 2 * k]!, words[(K.REGISTERS >> 2) + 2 * k + 1]!];
    return String.fromCharCode(...bytes.subarray(at, at + n));
  }
  function write(text: string): boolean {
    const at = words[K.AT_TEXTS_END >> 2]!;
    if (at + text.length > K.TEXTS_MAX) return false;
    for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i);
    words[K.AT_TEXTS_END >> 2] = at + text.length;
    return true;
  }
  /** A text of its own; `counted` characters of it are counted. */
  function name(dest: number, text: string, counted = 0): number | null {
    const at = words[K.AT_TEXTS_END >> 2]!;
    if (text.length > K.TEXT_MAX || !write(text)) return K.UNUSUAL;
    return named(dest, at, text.length, counted);
  }
  function named(dest: number, at: number, n: number, counted: number): null {
    words[(K.REGISTERS >> 2) + 2 * dest] = at;
    words[(K.REGISTERS >> 2) + 2 * dest + 1] = n;
    if (counted > 0) {
      doubles[K.AT_MADE >> 3]! += counted;
      doubles[K.AT_MADE_CHARS >> 3]! += counted - ELEMENT_BYTES;
      surveyDue = doubles[K.AT_MADE >> 3]! > doubles[K.AT_SURVEY_AT >> 3]!;
    }
    return null;
  }
  /** How many characters count where a text grows by `added` to `n`. */
  function growth(place: number, n: number, added: number): number {
    if (place === 0) return n;
    const at = (K.GROWTHS >> 3) + place - 1;
    const same = doubles[at] === doubles[K.AT_KEPT >> 3];
    doubles[at] = doubles[K.AT_KEPT >> 3]!;
    return same ? added : n;
  }
  /** A part written as `how` says. */
  function put(text: string, how: number): number | null {
    const fill = String.fromCharCode((how >> 7) & 127);
    const count = Math.max(0, (how & 127) - text.length);
    const sign = text.startsWith("-") ? 1 : 0;
    const where = (how >> 14) & 3;
    const before = where === 0 ? text.length : where === 1 ? 0 : sign;
    return write(text.slice(0, before) + fill.repeat(count) + text.slice(before)) ? null : K.UNUSUAL;
  }
  function elementAt(list: number, index: number): number | null {
    const length = shown[2 * list + 1]!;
    const at = index < 0 ? index + length : index;
    return at >= 0 && at < length ? at : null;
  }
  function int(dest: number, r: number, ...parts: number[]): number | null {
    if ([r, ...parts].some((x) => !(Math.abs(x) <= INT_MAX))) return K.UNUSUAL;
    D[dest] = r === 0 ? 0 : r;
    return null;
  }
  function one(op: number, dest: number, a: number, b: number, c: number): number | null {
    const [x, y] = [D[a]!, D[b]!];
    const spend = (): number | null => (--words[K.AT_OPS_LEFT >> 2]! < 0 ? K.OPS_SPENT : null);
    switch (op) {
      case K.STEP:
        words[K.AT_LINE >> 2] = a;
        if (--words[K.AT_STEPS_LEFT >> 2]! <= 0) return K.BEFORE_STEP;
        words[K.AT_OPS_LEFT >> 2]! -= b;
        return null;
      case K.CHARGE:
        words[K.AT_OPS_LEFT >> 2]! -= a;
        return null;
      case K.AT:
        words[K.AT_LINE >> 2] = a;
        return null;
      case K.CALL:
        return spend();
      case K.JUMP:
        jump = c;
        return null;
      case K.MOVE:
        D[dest] = x;
        return null;
      case K.ADD_FLOAT:
        D[dest] = x + y;
        return null;
      case K.SUB_FLOAT:
        D[dest] = x - y;
        return null;
      case K.MUL_FLOAT:
        D[dest] = x * y;
        return null;
      case K.DIV_FLOAT:
      case K.DIV_INT:
        if (y === 0) return K.UNUSUAL;
        D[dest] = x / y;
        return null;
      case K.NEG_FLOAT:
        D[dest] = -x;
        return null;
      case K.ADD_PRODUCT_FLOAT: {
        const m = y * D[c]!;
        D[dest] = x + m;
        return null;
      }
      case K.ADD_INT:
        return int(dest, x + y);
      case K.SUB_INT:
        return int(dest, x - y);
      case K.MUL_INT:
        return int(dest, x * y);
      case K.ADD_PRODUCT_INT:
        return int(dest, x + y * D[c]!, y * D[c]!);
      case K.NEG_INT:
        return int(dest, -x);
      case K.ABS:
        D[dest] = Math.abs(x);
        return null;
      case K.FLOORDIV_INT:
      case K.MOD_INT:
        if (!(y > 0 && y <= QUOTIENT_MAX && Math.abs(x) <= QUOTIENT_MAX)) return K.UNUSUAL;
        D[dest] = divided(x, y)[op === K.MOD_INT ? 1 : 0]!;
        return null;
      case K.AND_INT:
      case K.OR_INT:
      case K.XOR_INT:
        if (!isInt32(x) || !isInt32(y)) return K.UNUSUAL;
        D[dest] = op === K.AND_INT ? x & y : op === K.OR_INT ? x | y : x ^ y;
        return null;
      case K.UNLESS_LESS:
        if (!(x < y)) jump = c;
        return null;
      case K.UNLESS_LESS_EQUAL:
        if (!(x <= y)) jump = c;
        return null;
      case K.UNLESS_EQUAL:
        if (x !== y) jump = c;
        return null;
      case K.WHERE_LESS:
        if (x < y) jump = c;
        return null;
      case K.WHERE_LESS_EQUAL:
        if (x <= y) jump = c;
        return null;
      case K.WHERE_EQUAL:
        if (x === y) jump = c;
        return null;
      case K.RANGE: {
        const step = D[c]!;
        if (step === 0 || Math.abs(x) > QUOTIENT_MAX / 2 || Math.abs(y) > QUOTIENT_MAX / 2 || Math.abs(step) > QUOTIENT_MAX)
          return K.UNUSUAL;
        const span = step > 0 ? y - x : x - y;
        D[dest] = 0;
        D[dest + 1] = span <= 0 ? 0 : divided(span - 1, Math.abs(step))[0] + 1;
        D[dest + 2] = x;
        D[dest + 3] = step;
        return null;
      }
      case K.NEXT_OF_RANGE:
        if (x >= D[a + 1]!) {
          jump = c;
          return null;
        }
        D[dest] = D[a + 2]! + x * D[a + 3]!;
        boundBy[dest] = 1;
        D[a] = x + 1;
        return spend();
      case K.RECORD:
        if (lineWords[8 * a + 4]! > 0) return K.BEFORE_RECORD;
        lineWords[8 * a + 4]!--;
        lineValues[4 * a] = y;
        lineWords[8 * a + 2] = words[K.AT_ORDER >> 2]!++;
        lineWords[8 * a + 3] = c;
        boundBy[b] = 1;
        return null;
      case K.MARK:
        boundBy[a] = b;
        return null;
      case K.APPEND: {
        const n = lists[2 * a]!;
        if (n >= lists[2 * a + 1]!) return K.BEFORE_APPEND;
        elements[a * K.ELEMENTS_MAX + n] = y;
        lists[2 * a]!++;
        doubles[K.AT_KEPT >> 3]!++;
        return null;
      }
      case K.GET_NUMBER:
      case K.GET_TRUTH: {
        const at = elementAt(a, y);
        if (at === null) return K.UNUSUAL;
        D[dest] = op === K.GET_TRUTH ? bytes[shown[2 * a]! + at]! : doubles[shown[2 * a]! / 8 + at]!;
        return null;
      }
      case K.SET_NUMBER:
      case K.SET_TRUTH: {
        const at = elementAt(a, y);
        if (at === null) return K.UNUSUAL;
        if (op === K.SET_TRUTH) bytes[shown[2 * a]! + at] = D[c]!;
        else doubles[shown[2 * a]! / 8 + at] = D[c]!;
        return null;
      }
      case K.LENGTH:
        D[dest] = shown[2 * a + 1]!;
        return null;
      case K.TEXT_OF_INT:
        return name(dest, String(x));
      case K.TEXT_REPR:
        return /^[ -~]*$/.test(textAt(a)) && !/['\\]/.test(textAt(a)) ? name(dest, `'${textAt(a)}'`) : K.UNUSUAL;
      case K.JOIN: {
        const [left, right] = [textAt(a), textAt(b)];
        return name(dest, left + right, ELEMENT_BYTES + growth(c, left.length + right.length, right.length));
      }
      case K.TEXT_LENGTH:
        if (textAt(a).length >= K.TEXT_MEASURED) return K.UNUSUAL;
        D[dest] = textAt(a).length;
        return null;
      case K.TEXT_ORDER:
        D[dest] = textAt(a) < textAt(b) ? -1 : textAt(a) > textAt(b) ? 1 : 0;
        return null;
      case K.BUILD:
        built = words[K.AT_TEXTS_END >> 2]!;
        return null;
      case K.PUT_TEXT:
        return c !== 0 && textAt(a).length >= K.TEXT_MEASURED ? K.UNUSUAL : put(textAt(a), c);
      case K.PUT_INT: {
        const digits = (c & 65536) !== 0 ? x.toString(16) : String(x);
        const separator = String.fromCharCode((c >> 17) & 127);
        return put(separator === "\0" ? digits : digits.replace(/(?<=\d)(?=(\d{3})+$)/g, separator), c);
      }
      case K.PUT_FLOAT: {
        // The platform rounds halves up: only what it cannot be asked for is left to the machine.
        const places = (c >> 24) & 127;
        const half = Math.abs(x) * 2 ** (places + 1);
        if (!(Math.abs(x) < 1e15) || Number.isInteger(half)) return K.UNUSUAL;
        return put(`${x < 0 && !x.toFixed(places).startsWith("-") ? "-" : ""}${x.toFixed(places)}`, c);
      }
      case K.BUILT: {
        const n = words[K.AT_TEXTS_END >> 2]! - built;
        return named(dest, built, n, ELEMENT_BYTES + n);
      }
      case K.LEAVE:
        return a;
      default:
        throw new Error(`no instruction ${op}`);
    }
  }
}
