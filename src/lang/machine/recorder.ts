/**
 * What a call leaves to be told: prints, bindings and store effects, in execution order (contract §5).
 *
 * Prints are all kept. Of one line's bindings the first `TRANSCRIPT_LINE_HEAD` and the last are kept; the same rule
 * bounds the effects one line shows. A binding's text is taken when it is made, unless the value can never change: then
 * only the last one's is ever written out. Effects of a branch that is rolled back are forgotten.
 */
import { Float } from "../../datum";
import type { Effect } from "../../engine/claim";
import { Refusal } from "../../failure";
import { OUTPUT_CHARS_MAX, TRANSCRIPT_LINE_HEAD } from "../../limits";
import type { NumberType } from "../compile/infer-numbers";
import { spendSteps } from "../value/meter";
import { typeWord } from "../value/protocol-type";
import type { Value } from "../value/value";
import type { Registers } from "./registers";
import { isUnchanging, momentOf } from "./value-moment";
import { valueText } from "./value-text";
import type { At } from "./vm";

export interface AssignEntry {
  readonly kind: "assign";
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly line: number;
  readonly module: string;
  readonly order: number;
}
export interface PrintEntry {
  readonly kind: "print";
  readonly value: string;
  /** Given where it is not a newline. */
  readonly end: string | null;
  readonly type: string;
  readonly line: number;
  readonly module: string;
  readonly order: number;
}
export interface EffectEntry {
  readonly kind: "effect";
  readonly effect: Effect;
  readonly line: number;
  readonly module: string;
  readonly order: number;
}
export interface Record {
  /** Bindings and prints, in execution order. */
  readonly transcript: readonly (AssignEntry | PrintEntry)[];
  readonly omitted: number;
  /** Lines of the program itself of which bindings were omitted: of these only the last is what the line came to. */
  readonly shortenedLines: ReadonlySet<number>;
  /** Effects that are shown, in execution order; those of one line past the rule are only counted. */
  readonly effects: readonly EffectEntry[];
  /** All effects, shown or not. */
  readonly effectCount: number;
  readonly tally: Tally;
}
export interface Tally {
  added: number;
  removed: number;
  absences: number;
  preferences: number;
  pinned: number;
  unpinned: number;
  /** Of statements inside a world, of which the store knows nothing yet. */
  inWorlds: number;
  /** Worlds made, merged and discarded. */
  worlds: number;
  prints: number;
}
const NO_TALLY: Tally = { added: 0, removed: 0, absences: 0, preferences: 0, pinned: 0, unpinned: 0, inWorlds: 0, worlds: 0, prints: 0 };

/** What it takes to find out that a value is too long, or nests too deep, to be told whole. */
const SHORTENING_STEPS = 512;

/** Effects of one line that the rendered text shows at most: the first of them and the last. */
interface EffectLine {
  count: number;
  last: EffectEntry | null;
}

export class Recorder {
  /** The effect of a write that the rules are still at work on. */
  unconcluded: Effect | null = null;
  /** Number of the next entry. */
  order = 0;
  #entries: (AssignEntry | PrintEntry)[] = [];
  #touched: At[] = [];
  #outputChars = 0;
  #effects: EffectEntry[] = [];
  #effectLines = new Map<At, EffectLine>();
  #tally: Tally = { ...NO_TALLY };
  /** State at the start of each open branch, innermost last. */
  #marks: { effects: EffectEntry[]; lines: Map<At, EffectLine>; tally: Tally }[] = [];

  assign(at: At, name: string, value: Value): void {
    if (at.count === 0) this.#touched.push(at);
    if (++at.count <= TRANSCRIPT_LINE_HEAD) {
      const text = valueText(value);
      this.#hold(text.length);
      this.#entries.push({
        kind: "assign",
        name,
        type: typeWord(value),
        value: text,
        line: at.line,
        module: at.module,
        order: this.order++,
      });
      return;
    }
    let chars = 0;
    const before = at.lastValue;
    at.lastText = null;
    at.lastValue = value;
    if (typeof value === "string") chars = value.length;
    else if (!isUnchanging(value)) {
      const moment = momentOf(value, before);
      if (moment === null) at.lastText = valueText(value);
      else at.lastValue = moment.value;
      chars = at.lastText === null ? moment!.chars : at.lastText.length;
      spendSteps((moment === null ? SHORTENING_STEPS : 1) + (chars >> 4));
    }
    // A line holds one last value: the one before it is let go.
    this.#hold(chars - at.lastHeld);
    at.lastHeld = chars;
    at.lastName = name;
    at.lastType = null;
    at.lastOrder = this.order++;
  }
  /** Counts characters the answer will carry; refuses the statement that would make it too long to be answered. */
  #hold(chars: number): void {
    this.#outputChars += chars;
    if (this.#outputChars > OUTPUT_CHARS_MAX) {
      this.#outputChars -= chars;
      throw new Refusal(
        "limit_exceeded",
        `the call's prints and bound values have ${OUTPUT_CHARS_MAX} characters, the most an answer carries: print less, or bind long texts inside an expression`,
      );
    }
  }
  /** The same for a number in a register, which is boxed only where it is told. */
  assignNumber(at: At, name: string, registers: Registers, k: number): void {
    const type = registers.types[k]!;
    const v = registers.D[k]!;
    // biome-ignore lint/suspicious/noSelfCompare: NaN may stand for a big int
    if (at.count < TRANSCRIPT_LINE_HEAD || v !== v) {
      this.assign(at, name, registers.get(k, type));
      return;
    }
    at.count++;
    if (at.lastHeld !== 0) {
      this.#hold(-at.lastHeld);
      at.lastHeld = 0;
    }
    at.lastName = name;
    at.lastNumber = v;
    at.lastType = type;
    at.lastOrder = this.order++;
  }
  /** How many bindings of the line this is to be told one by one (`assign`); after them they come in bulk (`bound`, or `boundText`). */
  bindingsInWords(at: At, ofTexts: boolean): number {
    return Math.max(TRANSCRIPT_LINE_HEAD - at.count, ofTexts || at.lastHeld === 0 ? 0 : 1);
  }
  /** `count` bindings of numbers in one line, the last of them here. */
  bound(at: At, count: number, name: string, type: NumberType, value: number, order: number): void {
    at.count += count;
    at.lastName = name;
    at.lastNumber = value;
    at.lastType = type;
    at.lastOrder = order;
  }
  /** The same of texts. There is room for the last of them (`hasRoomFor`). */
  boundText(at: At, count: number, name: string, value: string, order: number): void {
    at.count += count;
    this.#hold(value.length - at.lastHeld);
    at.lastHeld = value.length;
    at.lastName = name;
    at.lastType = null;
    at.lastText = null;
    at.lastValue = value;
    at.lastOrder = order;
  }
  /** Whether the answer may carry so many characters more. */
  hasRoomFor(chars: number): boolean {
    return this.#outputChars + chars <= OUTPUT_CHARS_MAX;
  }
  print(at: At, text: string, end: string, type: string): void {
    this.#hold(text.length + end.length);
    this.#tally.prints++;
    this.#entries.push({
      kind: "print",
      value: text,
      end: end === "\n" ? null : end,
      type,
      line: at.line,
      module: at.module,
      order: this.order++,
    });
  }
  effect(at: At, effect: Effect): void {
    countEffect(this.#tally, effect);
    const entry: EffectEntry = { kind: "effect", effect, line: at.line, module: at.module, order: this.order++ };
    let line = this.#effectLines.get(at);
    if (!line) this.#effectLines.set(at, (line = { count: 0, last: null }));
    if (++line.count <= TRANSCRIPT_LINE_HEAD) this.#effects.push(entry);
    else line.last = entry;
  }

  branchBegin(): void {
    this.#marks.push(this.#snapshot());
  }
  /** What the branch holds lands; it may be rolled back no more. What the store refuses to land it has discarded. */
  branchCommit(end: boolean, land: () => void): void {
    try {
      land();
    } catch (refusal) {
      this.branchRollback(end);
      throw refusal;
    }
    this.#marks.pop();
    if (!end) this.branchBegin();
  }
  branchRollback(end: boolean): void {
    const m = this.#marks.pop()!;
    this.#effects = m.effects;
    this.#effectLines = m.lines;
    this.#tally = { ...m.tally, prints: this.#tally.prints };
    if (!end) this.branchBegin();
  }
  #snapshot() {
    return {
      effects: [...this.#effects],
      lines: new Map([...this.#effectLines].map(([k, v]) => [k, { ...v }])),
      tally: { ...this.#tally },
    };
  }

  /**
   * Everything the ended call leaves. A branch still open was discarded with the call (rulings, "A stop or lost credit
   * inside a branch"). `keepEffects` false: a compile whose body failed, none of whose effects was kept.
   */
  record(keepEffects = true): Record {
    while (this.#marks.length > 0) this.branchRollback(true);
    const transcript = [...this.#entries];
    let omitted = 0;
    const shortenedLines = new Set<number>();
    for (const at of this.#touched) {
      if (at.count <= TRANSCRIPT_LINE_HEAD) continue;
      if (at.module === "" && at.count > TRANSCRIPT_LINE_HEAD + 1) shortenedLines.add(at.line);
      omitted += at.count - TRANSCRIPT_LINE_HEAD - 1;
      const raw = at.lastType !== null;
      const last = !raw ? at.lastValue : at.lastType === "float" ? new Float(at.lastNumber) : at.lastNumber;
      transcript.push({
        kind: "assign",
        name: at.lastName,
        type: typeWord(last),
        value: (raw ? null : at.lastText) ?? valueText(last),
        line: at.line,
        module: at.module,
        order: at.lastOrder,
      });
    }
    transcript.sort((a, b) => a.order - b.order);
    if (!keepEffects)
      return { transcript, omitted, shortenedLines, effects: [], effectCount: 0, tally: { ...NO_TALLY, prints: this.#tally.prints } };
    const effects = [...this.#effects];
    for (const line of this.#effectLines.values()) if (line.last) effects.push(line.last);
    effects.sort((a, b) => a.order - b.order);
    let effectCount = 0;
    for (const line of this.#effectLines.values()) effectCount += line.count;
    return { transcript, omitted, shortenedLines, effects, effectCount, tally: { ...this.#tally } };
  }
}

function countEffect(t: Tally, { verb, world, added, removed }: Effect): void {
  if (world !== undefined) {
    // A preference or a pin is one change.
    t.inWorlds += Math.max(1, added + removed);
    return;
  }
  switch (verb) {
    case "create_world":
    case "discard_world":
      t.worlds++;
      return;
    case "merge_world":
      t.worlds++;
      t.added += added;
      return;
    case "assert_absent":
      t.absences += added;
      return;
    case "prefer":
    case "unprefer":
      t.preferences++;
      return;
    case "pin":
      t.pinned++;
      return;
    case "unpin":
      t.unpinned++;
      return;
    default:
      t.added += added;
      t.removed += removed;
  }
}
