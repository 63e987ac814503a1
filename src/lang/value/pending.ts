/**
 * Work that runs code of the program on its way, and so may still be at it when the slice ends: a call of `sorted` with a
 * key, a sum over a generator, one element of a `map`.
 *
 * There are two ways to ask for it. *To the end*: `PyFunction.call`, `PyIterator.next` give a value; what they run cannot
 * suspend meanwhile. *In slices*: `PyFunction.start` gives a value or a `Pending` that goes on where it was, and
 * `PyIterator.poll` gives `PAUSED` and goes on when asked again. A builtin that walks what it was given is written once, as
 * a generator that yields where it has to wait (`Task`); `settle` and `begin` run it in one way or the other.
 *
 * Nothing here knows the machine: its functions and generators are `PyFunction`s and `PyIterator`s like others.
 */
import { Refusal } from "../../failure";
import { NESTED_STEPS_MAX } from "../../limits";
import { meter, stepsSpent } from "./meter";
import { PAUSED, type Value } from "./value";

/** Work that has begun and waits for the next slice. */
export abstract class Pending {
  /** Goes on; itself again where it has to wait once more. */
  abstract goOn(): Value | Pending;
}

/** Yields where it has to wait; whoever runs it next runs it in a later slice. */
export type Work<T> = Generator<undefined, T, undefined>;

/** A builtin at work. Nothing of it has run until `begin` or `settle`. */
export class Task extends Pending {
  /** `holds`: what it gathers, for the count of what the program holds. */
  constructor(
    private readonly work: Work<Value>,
    readonly holds: unknown = null,
  ) {
    super();
  }
  goOn(): Value | Pending {
    const step = this.work.next();
    return step.done === true ? step.value : this;
  }
}

/** What mostly ends at once; where it has to wait (PAUSED), the work of going on with it. `poll` never waits inside what cannot be left. */
export function soon(poll: () => Value | typeof PAUSED, holds: unknown = null): Value | Task {
  const made = poll();
  return made === PAUSED ? new Task(goingOn(poll), holds) : made;
}
function* goingOn(poll: () => Value | typeof PAUSED): Work<Value> {
  for (;;) {
    const made = poll();
    if (made !== PAUSED) return made;
    yield;
  }
}

/** In slices. */
export function begin(made: Value | Task): Value | Pending {
  return made instanceof Task ? made.goOn() : made;
}
/** To the end. */
export function settle(made: Value | Task): Value {
  return made instanceof Task ? toTheEnd(made) : made;
}
function toTheEnd(task: Task): Value {
  return unsuspended(() => task.goOn() as Value);
}
/** Work that is part of a builtin's own, to the end. */
export function worked<T>(work: Work<T>): T {
  return unsuspended(() => work.next().value as T);
}

/** Runs what cannot be left half way. It may take many slices' steps, but not any number. */
export function unsuspended<T>(work: () => T): T {
  const { sliceEnd } = meter;
  if (meter.nested === 0) meter.sliceEnd = Math.min(meter.stepsMax, meter.steps + NESTED_STEPS_MAX);
  meter.nested++;
  try {
    return work();
  } finally {
    meter.nested--;
    meter.sliceEnd = meter.surveyDue && meter.nested === 0 ? meter.steps : sliceEnd;
  }
}

/** Whether the slice is used up and what runs may wait; inside what cannot be left half way it goes on. `uncharged`: steps not counted yet, if ever. */
export function mayPause(uncharged = 0): boolean {
  return meter.nested === 0 && isUsedUp(uncharged);
}
function isUsedUp(uncharged = 0): boolean {
  const steps = meter.steps + uncharged;
  return steps >= meter.sliceEnd && (steps >= meter.finishEnd || meter.surveyDue);
}

/** Whether the slice is used up and what runs should wait. Ends the call where it cannot wait. */
export function mustWait(): boolean {
  if (meter.steps < meter.sliceEnd) return false;
  if (meter.nested === 0) return isUsedUp();
  if (meter.steps >= meter.stepsMax) stepsSpent();
  throw new Refusal(
    "limit_exceeded",
    `one step that cannot be suspended did more than ${NESTED_STEPS_MAX} units of work`,
    "let a loop or a comprehension run the function or the generator",
    false,
  );
}
