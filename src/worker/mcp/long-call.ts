/**
 * An answer that takes its time: the line is kept alive, and a caller who leaves is noticed.
 *
 * An orderly close is only seen while something is being written. So after `QUIET_MS` the 200 answer begins, and a
 * newline (leading whitespace, to a JSON parser) goes out every `BEAT_MS` until the answer is there. The request's
 * abort, the stream's close and a failed write each mean that the caller left; `leave` is then called, once.
 * An answer that is quick needs none of this and may still choose its status and headers.
 */

const QUIET_MS = 500;
const BEAT_MS = 250;

export interface LongCall {
  readonly request: Request;
  /** Never rejects: what failed is an answer too. */
  readonly answer: Promise<Response>;
  /** Awaited before the answer begins: after it, an answer that is still out needs no status or headers of its own. */
  readonly admitted: () => Promise<unknown>;
  /** The body for an answer that should have had a status of its own, once it is too late for that. */
  readonly lateText: string;
  /** The caller left. Called at most once. */
  readonly leave: () => void;
  readonly waitUntil: (work: Promise<unknown>) => void;
}

export async function answerOrKeepAlive(call: LongCall): Promise<Response> {
  const departure = new Departure(call.leave);
  call.request.signal.addEventListener("abort", () => departure.noticed());
  if (call.request.signal.aborted) departure.noticed();
  let first = await within(call.answer, QUIET_MS);
  if (first === null) {
    await call.admitted();
    first = await within(call.answer, 0);
  }
  if (first !== null) {
    departure.over();
    return first;
  }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  call.waitUntil(keepAlive(writable.getWriter(), call, departure));
  return new Response(readable, { headers: UNCOMPRESSED });
}

/**
 * Compressed, a beat would lie in the compressor and never reach the line: nothing would be kept alive and no departure seen.
 * The local runtime heeds the one header, the edge the other.
 */
const UNCOMPRESSED = { "content-type": "application/json", "content-encoding": "identity", "cache-control": "no-store, no-transform" };

async function keepAlive(writer: WritableStreamDefaultWriter<Uint8Array>, call: LongCall, departure: Departure): Promise<void> {
  writer.closed.catch(() => departure.noticed());
  const encoder = new TextEncoder();
  try {
    for (;;) {
      const response = await within(call.answer, BEAT_MS);
      if (response !== null) {
        departure.over();
        await writer.write(encoder.encode(response.status === 200 ? await response.text() : call.lateText));
        await writer.close();
        return;
      }
      if (departure.happened) return;
      await writer.write(encoder.encode("\n"));
    }
  } catch {
    departure.noticed(); // a write to a closed connection; nobody is left to be told
  }
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const quiet = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([promise, quiet]);
  } finally {
    clearTimeout(timer);
  }
}

/** Noticed once, by whichever sign comes first; not at all once the answer is there. */
class Departure {
  happened = false;
  #over = false;
  readonly #leave: () => void;
  constructor(leave: () => void) {
    this.#leave = leave;
  }
  noticed(): void {
    if (this.happened || this.#over) return;
    this.happened = true;
    this.#leave();
  }
  over(): void {
    this.#over = true;
  }
}
