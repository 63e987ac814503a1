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

/** Counts what is held, ends the call where it is too much, and says when to count again. */
export function surveyed(count: () => number): void {
  const held = count();
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
}

/** Bytes of everything the roots reach; not much more than `LIVE_BYTES_MAX` of it is looked at. */
export function bytesHeld(roots: readonly unknown[]): number {
  const seen = new Set<unknown>();
  const open: object[] = [];
  let bytes = 0;
  // One text in many places cannot be told from many equal ones; but they are no more than were ever made.
  let texts = 0;
  for (const root of roots) meet(root);
  while (open.length > 0 && bytes <= LIVE_BYTES_MAX) look(open.pop()!);
  return bytes + Math.min(texts, meter.madeChars + SURVEY_BYTES_MIN);

  function meet(v: unknown): void {
    switch (typeof v) {
      case "string":
        texts += TEXT_BYTES + v.length;
        return;
      case "bigint":
        bytes += 24 + (bitLength(v) >> 3);
        return;
      case "object":
        if (v === null) return;
        if (v instanceof Float) bytes += FLOAT_BYTES;
        else if (!seen.has(v)) {
          seen.add(v);
          open.push(v);
        }
    }
  }
  function meetAll(values: readonly unknown[]): void {
    bytes += values.length * SLOT_BYTES;
    let before: unknown;
    // What lists mostly hold is met here, without a call: the loop is run cold.
    for (let i = 0; i < values.length; i++) {
      const v = values[i];
      const type = typeof v;
      if (type === "number" || type === "boolean") continue;
      if (type === "string") texts += TEXT_BYTES + (v as string).length;
      else if (v !== before) {
        before = v;
        meet(v);
        if (bytes > LIVE_BYTES_MAX) return;
      }
    }
  }
  function look(v: object): void {
    bytes += CONTAINER_BYTES;
    if (Array.isArray(v)) meetAll(v);
    else if (v instanceof PyList || v instanceof PyTuple) meetAll(v.a);
    else if (v instanceof PyDict) {
      bytes += HASHED_BYTES + v.size * MAPPED_BYTES;
      meetAll(v.keyList);
      meetAll(v.valueList);
    } else if (isSet(v as never)) {
      const { map } = v as unknown as { map: ReadonlyMap<unknown, unknown> };
      bytes += HASHED_BYTES + map.size * MAPPED_BYTES;
      for (const element of map.values()) meet(element);
    } else if (v instanceof Cell) meet(v.v);
    else if (v instanceof MachineFunction) {
      bytes += FUNCTION_BYTES;
      meetAll(v.cells);
      meetAll(v.defaults);
    } else if (v instanceof MachineGenerator) {
      meet(v.fn);
      meet(v.frame);
    } else if (v instanceof Bytes) bytes += v.b.length;
    else if (v instanceof PyException) {
      meetAll(v.args);
      meet(v.cause);
      meet(v.context);
      meet(v.notes);
      if (v.attributes !== null) for (const x of v.attributes.values()) meet(x);
    } else if (v instanceof PyType || v instanceof PyModule || v instanceof PyOpaque) return;
    else if (v instanceof Map) for (const [k, x] of v) meetAll([k, x]);
    // Iterators, values of served modules, saved state of the machine: what they keep is in their members.
    else meetAll(Object.values(v));
  }
}
