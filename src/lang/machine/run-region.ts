/**
 * Loops that run in the number kernel: in, out, and back to closures where the kernel cannot go on.
 *
 * A loop over a range enters the kernel with the values of its names in registers. The kernel stops before a statement when the
 * slice is used up (the loop is then a `PausedRegion` in the frame's slot of its iterator, and goes on where it was), for
 * the first bindings of a line, which are told in words, at the ceiling of ops, and where an operation needs more than doubles.
 * If that gives an ordinary number all the same, the kernel goes on with it; else the program is put where it would be had
 * it been suspended before that step, and closures go on from there. So what a program sees, counts and is stopped at is the
 * same in the kernel as out of it.
 */
import { Float } from "../../datum";
import type { IrStep } from "../compile/ir";
import { formatBy } from "../value/format";
import { callSurvey, meter, opsSpent } from "../value/meter";
import { binary } from "../value/protocol-arith";
import { strLength, strRepr } from "../value/str";
import { PyList, PyRange, type Value } from "../value/value";
import { checkGrowing, growsUnweighed } from "../value/weight";
import type { Code } from "./function";
import * as K from "./kernel-code";
import { type NumberKernel, numberKernel } from "./number-kernel";
import { compileRegion } from "./number-region";
import { type Activation, type KernelType, type Region, Unfit, type Variable } from "./region";
import { typeOfValue } from "./region-form";
import { listAt, Seating, worthSeating } from "./region-lists";
import { growthAt, type KeptTexts } from "./region-texts";
import type { Registers } from "./registers";
import { activate, FRAMES_MAX, type Frame, NEXT, RETURN, SUSPEND, statementWaits, vm } from "./vm";

/** Loops made ready for other types, or left half way, so often are left to closures. */
const COMPILED_MAX = 3;
const LEFT_MAX = 3;
/** A budget for the kernel, whose counters are small ints. */
const BUDGET_MAX = 2 ** 30;

/** What a loop gives beside the codes of steps: it has run to its end. */
export const EXHAUSTED = -1;
/** The kernel does not take the loop. */
export const NOT_TAKEN = -2;

interface Paused {
  readonly region: Region;
  readonly range: PyRange;
  readonly registers: Float64Array;
  readonly boundBy: Uint8Array;
  readonly seating: Seating | null;
  readonly texts: KeptTexts;
  readonly pc: number;
}
/** A loop suspended in the kernel: stands in the slot of its iterator. */
export class PausedRegion {
  readonly #paused: Paused;
  constructor(
    paused: Paused,
    /** Texts that functions hold; those of the loop's own names stand in its frame. */
    readonly held: readonly string[] | null,
  ) {
    this.#paused = paused;
  }
  get paused(): Paused {
    return this.#paused;
  }
}

/** One loop over a range of the source, and the code the kernel has for it. */
export class RegionLoop {
  #region: Region | null = null;
  #compiled = 0;
  #left = 0;
  #unusualTexts = 0;

  constructor(
    readonly code: Code,
    readonly registers: Registers,
    readonly s: Extract<IrStep, { k: "for" }>,
    /** The loop by closures, from a place in the range, its element bound already. */
    readonly byClosures: (R: Frame, range: PyRange, place: number) => number,
  ) {}

  /** Runs the loop from its start: a code of a step, `EXHAUSTED`, or `NOT_TAKEN`. */
  start(R: Frame, range: PyRange): number {
    const kernel = numberKernel;
    if (kernel === null || (range.length as number) < kernel.turnsMin || this.#left >= LEFT_MAX) return NOT_TAKEN;
    const region = this.#regionFor(R);
    if (region === null || vm.stack.length + region.depth > FRAMES_MAX || region.callees.some((x) => x.fn.active)) return NOT_TAKEN;
    const seating = this.#seatingOf(kernel, region, R, range);
    if (seating === "stay") return NOT_TAKEN;
    if (region.hasTexts) {
      kernel.reserve(K.TEXTS_MAX);
      if (!kernel.texts.seat(entryTexts(region, R))) {
        seating?.giveBack();
        this.#left++;
        return NOT_TAKEN;
      }
    }
    const D = kernel.registers;
    for (const [k, v] of region.constants) D[k] = v;
    for (const v of region.root.variables.values()) {
      if (v.type !== "text") D[v.k] = this.#entryNumber(R, v);
      kernel.boundBy[v.k] = 0;
    }
    for (const { frame, variable } of region.globals) if (variable.type !== "text") D[variable.k] = numberOf(frame[variable.slot]);
    D[region.loop] = 0;
    D[region.loop + 1] = range.length as number;
    D[region.loop + 2] = range.start as number;
    D[region.loop + 3] = range.step as number;
    kernel.code.set(region.code);
    return this.#run(kernel, region, seating, R, range, 0);
  }

  /** Goes on where the kernel was suspended. */
  resume(R: Frame, paused: PausedRegion): number {
    const { region, range, registers, boundBy, seating, texts, pc } = paused.paused;
    vm.resuming = false;
    const kernel = numberKernel!;
    seating?.seat();
    kernel.registers.set(registers);
    if (region.hasTexts && !kernel.texts.areKeptFor(paused)) kernel.texts.seat(texts);
    kernel.boundBy.set(boundBy);
    kernel.code.set(region.code);
    const [, line, ops] = instructionAt(region, pc);
    vm.at = region.lines[line]!;
    meter.ops += ops;
    return this.#run(kernel, region, seating, R, range, pc + 1);
  }

  // ---- the way in -----------------------------------------------------------------------------------------------------
  #regionFor(R: Frame): Region | null {
    if (this.#region !== null && this.#fits(R, this.#region)) return this.#region;
    this.#region = null;
    if (this.#compiled++ >= COMPILED_MAX) {
      this.#left = LEFT_MAX;
      return null;
    }
    try {
      this.#region = compileRegion(this.code, this.s, R, (slot) => this.#entryType(R, slot));
    } catch (thrown) {
      if (!(thrown instanceof Unfit)) throw thrown;
      this.#left = LEFT_MAX;
    }
    return this.#region;
  }
  #fits(R: Frame, region: Region): boolean {
    for (const v of region.root.variables.values()) {
      const t = this.#entryType(R, v.slot);
      if (t !== v.type && (t !== null || !v.assigned)) return false;
    }
    const lists = [...region.lists.map((list) => R[list.slot]), ...region.shown.map((x) => listAt(R, x))];
    if (!lists.every((list, i) => list instanceof PyList && lists.indexOf(list) === i)) return false;
    return (
      region.callees.every((x) => x.frame[x.slot] === x.fn) &&
      region.globals.every((x) => typeOfValue(x.frame[x.variable.slot]) === x.variable.type)
    );
  }
  #entryType(R: Frame, slot: number): KernelType | null | "other" {
    const type = this.registers.types[slot];
    if (type === "float") return "float";
    // biome-ignore lint/suspicious/noSelfCompare: NaN says that the int is a big one
    if (type === "int") return this.registers.D[slot] === this.registers.D[slot] ? "int" : "other";
    return typeOfValue(R[slot]);
  }
  #entryNumber(R: Frame, v: Variable): number {
    return this.registers.types[v.slot] ? this.registers.D[v.slot]! : numberOf(R[v.slot]);
  }

  /** The region's lists, in the kernel; null where it has none, "stay" where they cannot come or had better not. */
  #seatingOf(kernel: NumberKernel, region: Region, R: Frame, range: PyRange): Seating | null | "stay" {
    if (region.shown.length === 0) return null;
    const lists = region.shown.map((x) => listAt(R, x) as PyList);
    if (!worthSeating(lists, range.length as number, region.nested)) return "stay";
    const seating = new Seating(kernel, region.shown, lists);
    if (seating.seat()) return seating;
    this.#left++;
    return "stay";
  }

  // ---- at work --------------------------------------------------------------------------------------------------------
  #run(kernel: NumberKernel, region: Region, seating: Seating | null, R: Frame, range: PyRange, from: number): number {
    let code = NEXT;
    try {
      code = this.#runOn(kernel, region, seating, R, range, from);
    } finally {
      if (code !== SUSPEND) seating?.giveBack();
    }
    return code;
  }
  #runOn(kernel: NumberKernel, region: Region, seating: Seating | null, R: Frame, range: PyRange, from: number): number {
    const { words } = kernel;
    let pc = from;
    for (;;) {
      const steps = Math.min(meter.sliceEnd - meter.steps, BUDGET_MAX);
      const ops = Math.min(meter.opsMax - meter.ops, BUDGET_MAX);
      words[K.AT_STEPS_LEFT >> 2] = steps;
      words[K.AT_OPS_LEFT >> 2] = ops;
      words[K.AT_ORDER >> 2] = vm.recorder.order;
      // A line that is none of the loop's: the statement of the loop itself.
      const line = region.lines.indexOf(vm.at);
      words[K.AT_LINE >> 2] = line < 0 ? region.lines.length : line;
      this.#tellLines(kernel, region);
      this.#tellLists(kernel, region, R);
      tellMeter(kernel, region);
      const why = kernel.run(pc);
      hearMeter(kernel, region);
      pc = words[K.AT_PC >> 2]!;
      meter.steps += steps - words[K.AT_STEPS_LEFT >> 2]!;
      meter.ops += ops - words[K.AT_OPS_LEFT >> 2]!;
      vm.recorder.order = words[K.AT_ORDER >> 2]!;
      vm.at = region.lines[words[K.AT_LINE >> 2]!] ?? vm.at;
      this.#hearLines(kernel, region);
      this.#hearLists(kernel, region, R);
      const [, a, b, c] = instructionAt(region, pc);
      switch (why) {
        case K.BEFORE_STEP:
          // The statement is counted; its ops are charged as it goes on.
          if (statementWaits()) return this.#pause(kernel, region, seating, R, range, pc);
          if (region.hasTexts && !makeRoom(kernel, region)) {
            seating?.giveBack();
            return this.#leave(kernel, region, R, range, pc);
          }
          meter.ops += b;
          pc++;
          break;
        case K.BEFORE_RECORD: {
          const { name, type } = region.names[c]!;
          kernel.boundBy[b] = 1;
          try {
            vm.recorder.assign(vm.at, name, valueOf(kernel, b, type));
          } catch (thrown) {
            this.#bindNames(kernel, region, R, false);
            throw thrown;
          }
          pc++;
          break;
        }
        case K.BEFORE_APPEND: {
          const { slot, type } = region.lists[a]!;
          const list = R[slot] as PyList;
          try {
            checkGrowing(list.a);
          } catch (thrown) {
            this.#bindNames(kernel, region, R, false);
            throw thrown;
          }
          list.a.push(valueOf(kernel, b, type));
          pc++;
          break;
        }
        case K.OPS_SPENT:
          if (meter.ops > meter.opsMax) opsSpent();
          pc++;
          break;
        case K.UNUSUAL:
          if (!this.#unusual(kernel, region, pc) && !this.#unusualText(kernel, region, pc)) {
            seating?.giveBack();
            return this.#leave(kernel, region, R, range, pc);
          }
          pc++;
          break;
        case K.SURVEY_DUE:
          callSurvey();
          break;
        case K.RETURNED:
          vm.ret = valueOf(kernel, b, c === 2 ? "text" : c === 1 ? "float" : "int");
          this.#bindNames(kernel, region, R, false);
          return RETURN;
        default:
          this.#bindNames(kernel, region, R, false);
          return a === K.EXHAUSTED ? EXHAUSTED : NEXT;
      }
    }
  }

  #pause(kernel: NumberKernel, region: Region, seating: Seating | null, R: Frame, range: PyRange, pc: number): number {
    const n = region.registers;
    const texts = region.hasTexts ? keptTexts(kernel, region) : [];
    const paused: Paused = {
      region,
      range,
      registers: kernel.registers.slice(0, n),
      boundBy: kernel.boundBy.slice(0, n),
      seating,
      texts,
      pc,
    };
    // Whoever counts what the program holds finds its texts.
    if (region.hasTexts) this.#bindNames(kernel, region, R, true);
    const pausedRegion = new PausedRegion(paused, region.hasTexts ? textsOfCalls(region, texts) : null);
    if (region.hasTexts) kernel.texts.keepFor(pausedRegion);
    R[this.s.is] = pausedRegion;
    R[this.s.is + 1] = 0;
    return SUSPEND;
  }

  #tellLines(kernel: NumberKernel, region: Region): void {
    const { lineWords } = kernel;
    const { lines, textLines } = region;
    for (let i = 0; i < lines.length; i++) lineWords[8 * i + 4] = vm.recorder.bindingsInWords(lines[i]!, false);
    if (textLines.length === 0) return;
    // Where the answer might be full before the texts are told, each is told in words.
    const room = vm.recorder.hasRoomFor(textLines.length * K.TEXT_MAX);
    for (const i of textLines) lineWords[8 * i + 4] = room ? vm.recorder.bindingsInWords(lines[i]!, true) : BUDGET_MAX;
  }
  #hearLines(kernel: NumberKernel, region: Region): void {
    const { lineWords, lineValues } = kernel;
    const { lines, names } = region;
    for (let i = 0; i < lines.length; i++) {
      const left = lineWords[8 * i + 4]!;
      if (left >= 0) continue;
      const { name, type } = names[lineWords[8 * i + 3]!]!;
      const order = lineWords[8 * i + 2]!;
      if (type === "text") vm.recorder.boundText(lines[i]!, -left, name, kernel.texts.at((K.LINES >> 2) + 8 * i), order);
      else vm.recorder.bound(lines[i]!, -left, name, type, lineValues[4 * i]!, order);
    }
  }

  /** A list takes elements in bulk up to where it is weighed. */
  #tellLists(kernel: NumberKernel, { lists }: Region, R: Frame): void {
    for (let i = 0; i < lists.length; i++) {
      kernel.lists[2 * i] = 0;
      kernel.lists[2 * i + 1] = Math.min(K.ELEMENTS_MAX, growsUnweighed((R[lists[i]!.slot] as PyList).a.length));
    }
  }
  #hearLists(kernel: NumberKernel, { lists }: Region, R: Frame): void {
    for (let i = 0; i < lists.length; i++) {
      const { slot, type } = lists[i]!;
      const { a } = R[slot] as PyList;
      const from = i * K.ELEMENTS_MAX;
      const end = from + kernel.lists[2 * i]!;
      if (type === "text") {
        kernel.texts.append(a, (K.ELEMENTS >> 2) + 2 * from, end - from);
        continue;
      }
      for (let at = from; at < end; at++) {
        const x = kernel.elements[at]!;
        a.push(type === "int" ? x : new Float(x));
      }
    }
  }

  /** The operation by the value layer. True where it gives what the register holds; then nothing else has happened. */
  #unusual(kernel: NumberKernel, region: Region, pc: number): boolean {
    const [word, a, b, c] = instructionAt(region, pc);
    const by = UNUSUAL_WAYS[word & 255];
    if (by === undefined) return false;
    const steps = meter.steps;
    let v: Value;
    try {
      v = by(kernel.registers, a, b, c);
    } catch {
      // Whatever it raises is raised again where it belongs, by closures.
      meter.steps = steps;
      return false;
    }
    meter.steps = steps;
    if (typeof v !== "number") return false;
    kernel.registers[word >> 8] = v;
    return true;
  }

  /** The same of texts: what they count is counted. Where that is how the loop goes, closures do it better. */
  #unusualText(kernel: NumberKernel, region: Region, pc: number): boolean {
    const [word, a, b] = instructionAt(region, pc);
    const by = UNUSUAL_TEXTS[word & 255];
    if (by === undefined || ++this.#unusualTexts > UNUSUAL_TEXTS_MAX) return false;
    const before = { ...meter };
    try {
      if (by(kernel, word >> 8, a, region.specs[b]!)) return true;
    } catch {
      // As above.
    }
    Object.assign(meter, before);
    return false;
  }

  // ---- the way out ----------------------------------------------------------------------------------------------------
  /** Binds what the loop bound. `lifted`: also what its steps put aside. */
  #bindNames(kernel: NumberKernel, region: Region, R: Frame, lifted: boolean): void {
    const N = this.registers;
    for (const v of region.root.variables.values()) {
      const by = kernel.boundBy[v.k]!;
      if (!v.assigned || (v.lifted ? !lifted : by === 0)) continue;
      const x = kernel.registers[v.k]!;
      const type = N.types[v.slot];
      if (type) {
        N.D[v.slot] = x;
        if (type === "float") N.X[v.slot] = by > 1 ? constantFloat(N, region, by) : undefined;
      } else if (v.type === "text") R[v.slot] = kernel.texts.of(v.k);
      else R[v.slot] = v.type === "int" ? x : by > 1 ? constantFloat(N, region, by) : new Float(x);
    }
    for (const [slot, fn] of region.root.functions) R[slot] = fn;
    if (lifted) bindLists(R, R, region, region.root);
  }

  /** Goes on by closures from the step that the instruction belongs to. */
  #leave(kernel: NumberKernel, region: Region, R: Frame, range: PyRange, pc: number): number {
    this.#left++;
    meter.ops -= region.charged[pc]!;
    this.#bindNames(kernel, region, R, true);
    const D = kernel.registers;
    const places = region.places[region.stepOf[pc]!]!;
    let F = R;
    places.forEach((p, i) => {
      switch (p.tag) {
        case "block":
          F[p.pc] = i === places.length - 1 ? ~p.i : p.i;
          return;
        case "arm":
          if (p.taken === "a" && p.b >= 0) F[p.b] = undefined;
          return;
        case "loop":
          // The loop itself is gone into by `byClosures`.
          if (i > 0) {
            const [length, start, step] = [D[p.k + 1]!, D[p.k + 2]!, D[p.k + 3]!];
            F[p.is] = new PyRange(start, start + length * step, step, length);
            F[p.is + 1] = D[p.k]!;
          }
          return;
        case "call":
          F = enterFrame(kernel, F, p.fs, p.into);
          bindLists(R, F, region, p.into);
      }
    });
    vm.resuming = true;
    return this.byClosures(R, range, D[region.loop]!);
  }
}

/** The lists that a step of `F` put aside; `R` is the loop's own frame. */
function bindLists(R: Frame, F: Frame, { shown }: Region, { lists }: Activation): void {
  for (const [slot, i] of lists) F[slot] = listAt(R, shown[i]!);
}
/** The frame of a function the kernel was in, as a suspended call has it. */
function enterFrame(kernel: NumberKernel, caller: Frame, fs: number, { fn, variables, functions }: Activation): Frame {
  const callee = fn!;
  activate(callee);
  const F: Frame = new Array(callee.code.slots);
  F[0] = callee.globals;
  const N = callee.code.registers;
  for (const v of variables.values()) {
    const type = N?.types[v.slot];
    const x = kernel.registers[v.k]!;
    if (N && type) {
      N.D[v.slot] = x;
      N.X[v.slot] = undefined;
    } else F[v.slot] = v.type === "text" ? kernel.texts.of(v.k) : v.type === "float" ? new Float(x) : x;
  }
  for (const [slot, f] of functions) F[slot] = f;
  caller[fs] = [callee, F];
  return F;
}

function instructionAt({ code }: Region, pc: number): readonly [word: number, a: number, b: number, c: number] {
  return [code[4 * pc]!, code[4 * pc + 1]!, code[4 * pc + 2]!, code[4 * pc + 3]!];
}
function numberOf(v: unknown): number {
  return v instanceof Float ? v.v : typeof v === "number" ? v : 0;
}
/** Hands the kernel the counts of what is made, and takes them back. */
function tellMeter(kernel: NumberKernel, { growing }: Region): void {
  const { doubles } = kernel;
  doubles[K.AT_MADE >> 3] = meter.made;
  doubles[K.AT_SURVEY_AT >> 3] = meter.surveyAt;
  doubles[K.AT_MADE_CHARS >> 3] = meter.madeChars;
  doubles[K.AT_KEPT >> 3] = meter.kept;
  growing.forEach(({ code, e }, i) => {
    const growth = growthAt(code, e);
    doubles[(K.GROWTHS >> 3) + i] = growth.program === meter.program ? growth.kept : -1;
  });
}
function hearMeter(kernel: NumberKernel, { growing }: Region): void {
  const { doubles } = kernel;
  meter.made = doubles[K.AT_MADE >> 3]!;
  meter.madeChars = doubles[K.AT_MADE_CHARS >> 3]!;
  meter.kept = doubles[K.AT_KEPT >> 3]!;
  growing.forEach(({ code, e }, i) => {
    const kept = doubles[(K.GROWTHS >> 3) + i]!;
    if (kept < 0) return;
    const growth = growthAt(code, e);
    growth.program = meter.program;
    growth.kept = kept;
  });
}

// ---- texts ------------------------------------------------------------------------------------------------------------
/** The texts of a loop that begins; a name that is not bound yet is the empty text. */
function entryTexts({ texts, named, root, globals }: Region, R: Frame): KeptTexts {
  const frames = new Map(globals.map(({ frame, variable }) => [variable, frame] as const));
  for (const v of root.variables.values()) frames.set(v, R);
  const textOf = (v: Variable): string => {
    const text: unknown = frames.get(v)?.[v.slot];
    return typeof text === "string" ? text : "";
  };
  return [...texts, ...named.map((v) => [v.k, textOf(v)] as const)];
}
/** The texts of a loop at work. */
function keptTexts({ texts: of }: NumberKernel, { texts, named }: Region): KeptTexts {
  return [...texts, ...named.map((v) => [v.k, of.of(v.k)] as const)];
}
/** Lets go of texts that no name has where they take much room; false where that does not help. */
function makeRoom(kernel: NumberKernel, region: Region): boolean {
  const isFull = (): boolean => kernel.words[K.AT_TEXTS_END >> 2]! > K.TEXTS_LIMIT;
  return !isFull() || (kernel.texts.seat(keptTexts(kernel, region)) && !isFull());
}
function textsOfCalls({ named, root }: Region, texts: KeptTexts): string[] {
  const own = new Set([...root.variables.values()].map((v) => v.k));
  const held = new Set(named.filter((v) => !own.has(v.k)).map((v) => v.k));
  return texts.filter(([k]) => held.has(k)).map(([, text]) => text);
}

function valueOf(kernel: NumberKernel, k: number, type: KernelType): Value {
  if (type === "text") return kernel.texts.of(k);
  const v = kernel.registers[k]!;
  return type === "float" ? new Float(v) : v;
}
function constantFloat(N: Registers, region: Region, by: number): Float {
  return N.float(N.constant(region.floats[by - 2]!));
}

/** So many texts of one loop may be made by the value layer. */
const UNUSUAL_TEXTS_MAX = 200;
type UnusualText = (kernel: NumberKernel, dest: number, a: number, spec: string) => boolean;
/** What the value layer makes of texts, and of floats that are written. False where there is no room; then nothing has happened. */
const UNUSUAL_TEXTS: { readonly [op: number]: UnusualText | undefined } = {
  [K.TEXT_LENGTH]: (kernel, dest, a) => {
    kernel.registers[dest] = strLength(kernel.texts.of(a));
    return true;
  },
  [K.TEXT_REPR]: ({ texts }, dest, a) => hasRoom(texts, a) && texts.name(dest, strRepr(texts.of(a))),
  [K.PUT_TEXT]: ({ texts }, _dest, a, spec) => hasRoom(texts, a) && texts.add(formatBy(spec)(texts.of(a))),
  [K.PUT_FLOAT]: ({ texts, registers }, _dest, a, spec) =>
    texts.hasRoom(WRITTEN_MAX) && texts.add(formatBy(spec)(new Float(registers[a]!))),
};
/** Whether text `a` with all its escapes would find room. */
function hasRoom(texts: NumberKernel["texts"], a: number): boolean {
  return texts.hasRoom(4 * texts.size(a) + WRITTEN_MAX);
}
/** Characters of a float written by a plain spec, and more. */
const WRITTEN_MAX = 512;

/** Operations that Python knows for more operands than the kernel does. Those on floats raise, and go on by closures. */
const UNUSUAL_WAYS: { readonly [op: number]: ((D: Float64Array, a: number, b: number, c: number) => Value) | undefined } = {
  [K.FLOORDIV_INT]: (D, a, b) => binary("//", D[a]!, D[b]!),
  [K.MOD_INT]: (D, a, b) => binary("%", D[a]!, D[b]!),
  [K.AND_INT]: (D, a, b) => binary("&", D[a]!, D[b]!),
  [K.OR_INT]: (D, a, b) => binary("|", D[a]!, D[b]!),
  [K.XOR_INT]: (D, a, b) => binary("^", D[a]!, D[b]!),
  [K.ADD_PRODUCT_INT]: (D, a, b, c) => binary("+", D[a]!, binary("*", D[b]!, D[c]!)),
};
