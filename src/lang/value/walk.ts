/**
 * How builtins take the elements of what they are given: each handed over as it comes, or all of them first. Where the
 * source may run code of the program, or is too long for one slice, the walk is a `Task`.
 */
import { ended } from "./call";
import { spendOps, spendSteps } from "./meter";
import { begin, mustWait, Pending, Task, type Work } from "./pending";
import { checkHint, iterate, takeAll } from "./protocol-iterate";
import { DONE, LazyIterator, PAUSED, type PyIterator, type Value } from "./value";
import { checkGrowing } from "./weight";

/** Takes one element; true: that is enough. */
type Each = (e: Value) => unknown;
/** Elements that are walked at once. */
const SHORT = 4096;
/** Elements between two looks at the slice. */
export const STRETCH = 1024;

/** Hands each element of `v` to `each`, until it says true; then `end` gives the result. */
export function walk(v: Value, each: Each, end: () => Value, holds: unknown = null): Value | Task {
  return walkIterator(iterate(v), each, end, holds);
}
/** `holds`: what `each` gathers. */
export function walkIterator(it: PyIterator, each: Each, end: () => Value, holds: unknown = null): Value | Task {
  if (mayWait(it)) return new Task(walking(it, each, end), [it, holds]);
  for (let e = it.next(); e !== DONE; e = it.next()) if (each(e) === true) break;
  return end();
}
function mayWait(it: PyIterator): boolean {
  if (it instanceof LazyIterator) return true;
  const hint = it.lengthHint();
  return hint < 0 || hint > SHORT;
}
function* walking(it: PyIterator, each: Each, end: () => Value): Work<Value> {
  yield* handing(it, each);
  return end();
}

/** The walk itself, for work that does more than walk. */
export function* handing(it: PyIterator, each: Each): Work<void> {
  for (let n = 1; ; n++) {
    let e = it.poll();
    while (e === PAUSED) {
      yield;
      e = it.poll();
    }
    if (e === DONE || each(e) === true) return;
    if (n % STRETCH === 0) {
      spendSteps(STRETCH);
      if (mustWait()) yield;
    }
  }
}

/** All elements of `v` first, an op each, then `use` makes the result of them. */
export function taking(v: Value, use: (elements: Value[]) => Value | Task): Value | Task {
  if (!(v instanceof LazyIterator)) return use(takeAll(v));
  const held: Value[] = [];
  const holds: unknown[] = [held];
  return new Task(
    (function* () {
      const made = use(yield* taken(v, held));
      if (!(made instanceof Task)) return made;
      holds.push(made);
      const begun = begin(made);
      return begun instanceof Pending ? yield* ended(begun) : begun;
    })(),
    holds,
  );
}
/** `held`: where they are gathered, so that the `Task` can hold it. */
export function* taken(v: Value, held: Value[] = []): Work<Value[]> {
  if (!(v instanceof LazyIterator)) return takeAll(v);
  checkHint(v.lengthHint());
  const out = held;
  yield* handing(v, (e) => {
    spendOps(1);
    checkGrowing(out);
    out.push(e);
  });
  return out;
}
