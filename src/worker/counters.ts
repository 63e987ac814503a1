/**
 * What this isolate has answered so far, in numbers: for an operator, never for a caller.
 *
 * Names are of our own making (`http.401`, `rpc.-32602`, `run.success`), so there are few of them; no text of a request
 * becomes one. The numbers only grow and end with the isolate, as a log's reader expects: a rate is a difference of two lines.
 */

/** At most one line of counters in this many milliseconds, and none where nothing was asked. */
const LINE_MS = 60_000;
/** Upper ends, in milliseconds, of the classes in which the times of calls are counted. */
const TIME_CLASSES = [5, 20, 100, 500, 2_000, 10_000, 60_000];

export type Counts = Readonly<Record<string, number>>;

export class Counters {
  readonly #counts: Record<string, number> = {};
  #lineMs = 0;

  add(name: string, by = 1): void {
    this.#counts[name] = (this.#counts[name] ?? 0) + by;
  }

  /** A call took so long. */
  took(ms: number): void {
    const end = TIME_CLASSES.find((most) => ms <= most);
    this.add(end === undefined ? "ms.more" : `ms.${end}`);
  }

  read(): Counts {
    return { ...this.#counts };
  }

  /** The counts, where a line of them is due. */
  due(nowMs: number): Counts | null {
    if (nowMs - this.#lineMs < LINE_MS) return null;
    this.#lineMs = nowMs;
    return this.read();
  }
}

/** Of this isolate. */
export const COUNTERS = new Counters();
