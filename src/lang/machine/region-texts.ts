/**
 * Texts of a loop in the number kernel: how expressions that make texts become its code, and the loop's texts as JavaScript's.
 *
 * They are bytes in the kernel's memory while the loop runs (`kernel/texts.ts`), ASCII only. Whoever looks at the program's values
 * meanwhile (a pause, a list, a line's last binding) is given texts of its own, made here.
 */
import type { IrExpr, IrFormat } from "../compile/ir";
import { type PlainSpec, plainSpecs, type SpecsByType } from "../value/format";
import type { TextGrowth } from "../value/str";
import type { Value } from "../value/value";
import type { Code } from "./function";
import * as K from "./kernel-code";
import type { NumberKernel } from "./number-kernel";
import { Unfit } from "./region";
import type { Type } from "./region-form";

export interface Operand {
  readonly k: number;
  readonly type: Type;
}
/** What of the region's compiler is needed here. */
export interface Emission {
  emit(op: number, dest: number, a?: number, b?: number, c?: number): number;
  /** An operation that may stop with UNUSUAL. */
  risk(op: number, dest: number, a: number, b: number, c?: number): void;
  temporary(): number;
  text(v: string): number;
}

/** A place where a text grows. */
export interface Growing {
  readonly code: Code;
  readonly e: IrExpr;
}

/** Makes the code of what makes texts. */
export class TextCode {
  /** Specs by their number. */
  readonly specs: string[] = [];
  readonly growing: Growing[] = [];
  /** Whether the loop makes any. */
  made = false;
  constructor(private readonly to: Emission) {}

  /** Begins anew: the code is made once more. */
  reset(): void {
    this.specs.length = 0;
    this.growing.length = 0;
  }

  join(code: Code, e: IrExpr, x: Operand, y: Operand, dest: number): Operand {
    if (y.type !== x.type) throw new Unfit();
    this.made = true;
    let place = 0;
    if (e.k === "inplace") {
      place = this.growing.findIndex((at) => at.e === e && at.code === code) + 1;
      if (place === 0) place = this.growing.push({ code, e });
      if (place > K.GROWTHS_MAX) throw new Unfit();
    }
    this.to.risk(K.JOIN, dest, x.k, y.k, place);
    return { k: dest, type: "text" };
  }

  /** `str(x)` of an int. */
  ofValue(x: Operand, dest: number): Operand {
    if (x.type === "text" || x.type === "float") throw new Unfit();
    this.made = true;
    this.to.risk(K.TEXT_OF_INT, dest, x.k, 0);
    return { k: dest, type: "text" };
  }

  /** An f-string: what stands in its fields first, then it is written in one go. */
  formatted(parts: readonly IrFormat[], evaluate: (e: IrExpr) => Operand, dest: number): Operand {
    const { to } = this;
    if (parts.length === 1 && typeof parts[0] === "string") {
      to.emit(K.MOVE, dest, to.text(parts[0]));
      return { k: dest, type: "text" };
    }
    const fields = parts.map((p): { x: Operand; spec: string } => {
      if (typeof p === "string") return { x: { k: to.text(p), type: "text" }, spec: "" };
      if (p.done) throw new Unfit();
      const x = this.#converted(evaluate(p.e), p.c);
      if (p.spec === null) return { x, spec: "" };
      const [spec] = p.spec;
      if (p.spec.length !== 1 || typeof spec !== "string") throw new Unfit();
      return { x, spec };
    });
    this.made = true;
    to.emit(K.BUILD, 0);
    for (const { x, spec } of fields) this.#put(x, spec);
    to.emit(K.BUILT, dest);
    return { k: dest, type: "text" };
  }
  #converted(x: Operand, c: "s" | "r" | "a" | null): Operand {
    if (c === null || x.type === "none") return x;
    if (x.type !== "text") return this.ofValue(x, this.to.temporary());
    if (c === "s") return x;
    const k = this.to.temporary();
    this.to.risk(K.TEXT_REPR, k, x.k, 0);
    return { k, type: "text" };
  }
  #put({ k, type }: Operand, spec: string): void {
    let number = this.specs.indexOf(spec);
    if (number < 0) number = this.specs.push(spec) - 1;
    const op = type === "text" ? K.PUT_TEXT : type === "float" ? K.PUT_FLOAT : K.PUT_INT;
    this.to.risk(op, 0, k, number, howWritten(type === "none" ? "int" : type, spec));
  }
}

/** A spec as the kernel reads it; 0 where there is none. */
function howWritten(type: keyof SpecsByType, spec: string): number {
  if (spec === "" && type !== "float") return 0;
  const plain = spec === "" ? null : plainSpecs(spec)[type];
  if (plain === null || plain.fill.charCodeAt(0) > 127) throw new Unfit();
  return packed(plain);
}
function packed(spec: PlainSpec): number {
  const { width, fill, where, base, grouping, precision } = spec;
  const separator = grouping === "" ? 0 : grouping.charCodeAt(0);
  const place = where === "left" ? 0 : where === "right" ? 1 : 2;
  return (
    Math.max(width, 0) |
    (fill.charCodeAt(0) << 7) |
    (place << 14) |
    (base === 16 ? 1 << 16 : 0) |
    (separator << 17) |
    (Math.max(precision, 0) << 24)
  );
}

// ---- texts in and out -------------------------------------------------------------------------------------------------
/** Of a loop that is paused, or whose texts are put together anew: its texts by register. */
export type KeptTexts = readonly (readonly [k: number, text: string])[];

/** The texts of the kernel's memory. */
export class KernelTexts {
  /** Long texts by register, as they were asked last: what has grown since is added. */
  readonly #known = new Map<number, { readonly from: number; readonly n: number; readonly text: string }>();
  #tenant: WeakRef<object> | null = null;
  constructor(private readonly kernel: NumberKernel) {}

  /** The texts stay where they are, for `whose` to go on with, until another loop has texts. */
  keepFor(whose: object): void {
    this.#tenant = new WeakRef(whose);
  }
  areKeptFor(whose: object): boolean {
    return this.#tenant?.deref() === whose;
  }
  /** Nothing is there but these. */
  seat(kept: KeptTexts): boolean {
    this.#tenant = null;
    this.#known.clear();
    this.kernel.words[K.AT_TEXTS_END >> 2] = K.TEXTS;
    return kept.every(([k, text]) => this.name(k, text));
  }
  /** Register `k` is this text; false where there is no room for it, or the kernel cannot have it. */
  name(k: number, text: string): boolean {
    const { words } = this.kernel;
    const at = words[K.AT_TEXTS_END >> 2]!;
    if (!this.add(text)) return false;
    words[(K.REGISTERS >> 2) + 2 * k] = at;
    words[(K.REGISTERS >> 2) + 2 * k + 1] = text.length;
    return true;
  }
  /** Writes a text behind what is there. */
  add(text: string): boolean {
    const { words, bytes } = this.kernel;
    const at = words[K.AT_TEXTS_END >> 2]!;
    const n = text.length;
    if (n > K.TEXT_MAX || at + n > K.TEXTS_MAX) return false;
    for (let i = 0; i < n; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 127) return false;
      bytes[at + i] = unit;
    }
    words[K.AT_TEXTS_END >> 2] = at + n;
    return true;
  }
  /** Whether a text of `n` characters would find room. */
  hasRoom(n: number): boolean {
    return n <= K.TEXT_MAX && this.kernel.words[K.AT_TEXTS_END >> 2]! + n <= K.TEXTS_MAX;
  }
  size(k: number): number {
    return this.kernel.words[(K.REGISTERS >> 2) + 2 * k + 1]!;
  }
  /** The text of register `k`. */
  of(k: number): string {
    const { words, bytes } = this.kernel;
    const w = (K.REGISTERS >> 2) + 2 * k;
    const [from, n] = [words[w]!, words[w + 1]!];
    if (n <= SHORT) return this.at(w);
    const known = this.#known.get(k);
    const text =
      known !== undefined && known.from === from && known.n <= n
        ? known.text + this.kernel.decode(bytes.subarray(from + known.n, from + n))
        : this.at(w);
    this.#known.set(k, { from, n, text });
    return text;
  }
  /** `n` texts, each said by two words from `w` on, come to the end of `to`. */
  append(to: Value[], w: number, n: number): void {
    const { words, bytes } = this.kernel;
    for (let i = 0; i < n; ) {
      // Texts made one after another are read together.
      const from = words[w + 2 * i]!;
      let last = i;
      let end = from;
      for (; last < n; last++) {
        const at = words[w + 2 * last]!;
        const to = at + words[w + 2 * last + 1]!;
        if (at < end - 1 || at < from || to - from > CHUNK) break;
        end = to;
      }
      if (last === i) {
        to.push(this.at(w + 2 * i++));
        continue;
      }
      const all = this.kernel.decode(bytes.subarray(from, end));
      for (; i < last; i++) {
        const at = words[w + 2 * i]! - from;
        const size = words[w + 2 * i + 1]!;
        // A longer part of a text would keep the whole of it.
        to.push(size < COPIED ? all.slice(at, at + size) : this.at(w + 2 * i));
      }
    }
  }
  /** The text that the two words at `w` say. */
  at(w: number): string {
    const { words, bytes } = this.kernel;
    const from = words[w]!;
    const n = words[w + 1]!;
    return n > SHORT ? this.kernel.decode(bytes.subarray(from, from + n)) : shortText(bytes, from, n);
  }
}
const SHORT = 64;
const CHUNK = 65536;
/** The platform copies parts of texts that are shorter than this. */
const COPIED = 13;
function shortText(bytes: Uint8Array, from: number, n: number): string {
  // `apply` takes whatever is array-like; its type does not say so.
  return String.fromCharCode.apply(null, bytes.subarray(from, from + n) as unknown as number[]);
}
/** A text of ASCII by the language alone; who knows the platform may know a faster way. */
export function plainText(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += SHORT) text += shortText(bytes, at, Math.min(SHORT, bytes.length - at));
  return text;
}

/** What a place where a text grows remembers, for the closures of the code and for the kernel. */
export function growthAt({ growths }: Code, e: IrExpr): TextGrowth {
  let growth = growths.get(e);
  if (growth === undefined) growths.set(e, (growth = { program: 0, kept: 0, pieces: 0 }));
  return growth;
}
