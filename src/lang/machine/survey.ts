/**
 * What all values of a program weigh together: a limit of each collection alone lets many of them through.
 *
 * Nothing tells when the platform collects garbage, and the answer must not depend on it. So what is *made* is counted as it
 * is made, roughly (`meter.making`); each time that comes to more than what the program held at the last count, the program
 * suspends before its next statement and everything its frames reach is counted. Both counts are pure functions of the
 * program, and so is where it ends.
 *
 * What a single statement makes is not seen before it has ended: the limits of one collection bound it.
 */
import { Bytes, Float } from "../../datum";
import { Refusal } from "../../failure";
import { LIVE_BYTES_MAX, SURVEY_BYTES_MIN } from "../../limits";
import { PyDict } from "../value/dict";
import { bitLength } from "../value/int";
import { CONTAINER_BYTES, FUNCTION_BYTES, HASHED_BYTES, meter, SLOT_BYTES } from "../value/meter";
import { isSet } from "../value/set";
import { PyException, PyList, PyModule, PyOpaque, PyTuple, PyType } from "../value/value";
import { MachineFunction, MachineGenerator } from "./function";
import { Cell } from "./vm";

const FLOAT_BYTES = 40;
/** An entry of a Map with its canonical key. */
const MAPPED_BYTES = 88;
/** A short text with what it may be made of: the platform joins texts when they are first read. */
const TEXT_BYTES = 40;

/** Elements of one collection that are met at a time. */
const STRETCH = 256;
class Rest {
  constructor(
    readonly values: readonly unknown[],
    readonly from: number,
  ) {}
}

/** A count at work. The program stands still meanwhile, so it may be done in slices. */
export class Survey {
  private readonly seen = new Set<unknown>();
  private readonly open: object[] = [];
  private bytes = 0;
  /** One text in many places cannot be told from many equal ones; but they are no more than were ever made. */
  private texts = 0;
  constructor(roots: readonly unknown[]) {
    for (const root of roots) this.meet(root);
  }

  /** Looks at `most` values more. Once all are counted ends the call where they are too much, and says when to count again. */
  goOn(most: number): boolean {
    const { open } = this;
    for (let n = 0; open.length > 0 && this.bytes <= LIVE_BYTES_MAX; n++) {
      if (n === most) return false;
      this.look(open.pop()!);
    }
    const held = this.bytes + Math.min(this.texts, meter.madeChars + SURVEY_BYTES_MIN);
    meter.surveyDue = false;
    meter.made = 0;
    meter.surveyAt = Math.max(SURVEY_BYTES_MIN, held / 2);
    if (held > LIVE_BYTES_MAX)
      throw new Refusal(
        "limit_exceeded",
        `the values the program holds together take more than ${LIVE_BYTES_MAX >> 20} MiB`,
        "keep less at once: let go of what is no longer needed, or count instead of collecting",
        false,
      );
    return true;
  }

  private meet(v: unknown): void {
    switch (typeof v) {
      case "string":
        this.texts += TEXT_BYTES + v.length;
        return;
      case "bigint":
        this.bytes += 24 + (bitLength(v) >> 3);
        return;
      case "object":
        if (v === null) return;
        if (v instanceof Float) this.bytes += FLOAT_BYTES;
        else if (!this.seen.has(v)) {
          this.seen.add(v);
          this.open.push(v);
        }
    }
  }
  private meetAll(values: readonly unknown[]): void {
    this.bytes += values.length * SLOT_BYTES;
    this.meetFrom(values, 0);
  }
  /** Meets a stretch of the values; what is left waits as one more thing to look at. */
  private meetFrom(values: readonly unknown[], from: number): void {
    const end = Math.min(from + STRETCH, values.length);
    if (end < values.length) this.open.push(new Rest(values, end));
    let before: unknown;
    // What lists mostly hold is met here, without a call: the loop is run cold.
    for (let i = from; i < end; i++) {
      const v = values[i];
      const type = typeof v;
      if (type === "number" || type === "boolean") continue;
      if (type === "string") this.texts += TEXT_BYTES + (v as string).length;
      else if (v !== before) {
        before = v;
        this.meet(v);
        if (this.bytes > LIVE_BYTES_MAX) return;
      }
    }
  }
  private look(v: object): void {
    if (v instanceof Rest) {
      this.meetFrom(v.values, v.from);
      return;
    }
    this.bytes += CONTAINER_BYTES;
    if (Array.isArray(v)) this.meetAll(v);
    else if (v instanceof PyList || v instanceof PyTuple) this.meetAll(v.a);
    else if (v instanceof PyDict) {
      this.bytes += HASHED_BYTES + v.size * MAPPED_BYTES;
      this.meetAll(v.keyList);
      this.meetAll(v.valueList);
    } else if (isSet(v as never)) {
      const { map } = v as unknown as { map: ReadonlyMap<unknown, unknown> };
      this.bytes += HASHED_BYTES + map.size * MAPPED_BYTES;
      for (const element of map.values()) this.meet(element);
    } else if (v instanceof Cell) this.meet(v.v);
    else if (v instanceof MachineFunction) {
      this.bytes += FUNCTION_BYTES;
      this.meetAll(v.cells);
      this.meetAll(v.defaults);
    } else if (v instanceof MachineGenerator) {
      this.meet(v.fn);
      this.meet(v.frame);
    } else if (v instanceof Bytes) this.bytes += v.b.length;
    else if (v instanceof PyException) {
      this.meetAll(v.args);
      this.meet(v.cause);
      this.meet(v.context);
      this.meet(v.notes);
      if (v.attributes !== null) for (const x of v.attributes.values()) this.meet(x);
    } else if (v instanceof PyType || v instanceof PyModule || v instanceof PyOpaque) return;
    else if (v instanceof Map) for (const [k, x] of v) this.meetAll([k, x]);
    // Iterators, values of served modules, saved state of the machine: what they keep is in their members.
    else this.meetAll(Object.values(v));
  }
}
