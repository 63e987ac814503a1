/** Types of fuzz-wire.mjs, for the tests. */
export interface Drawn {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or bytes in hex. */
  readonly body?: string;
  readonly bytes?: string;
}
export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}
export type Send = (sent: Drawn) => Promise<Answered>;

export function overHttp(url: string): Send;
export function overFetch(fetch: (request: Request) => Promise<Response>): Send;
export function fuzzWire(draw: {
  readonly send: Send;
  readonly keys: readonly string[];
  /** As `tools/list` gives them. */
  readonly tools: readonly object[];
  readonly requests: number;
  readonly seed: number;
  readonly atOnce?: number;
}): Promise<{ readonly problems: readonly string[]; readonly kinds: Readonly<Record<string, number>> }>;
