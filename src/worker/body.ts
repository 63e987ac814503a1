/**
 * A request's body as text, within bounds of size and time; never decompressed.
 *
 * The bound holds while the body arrives, so a body without a length costs no more memory than one with. A body that
 * nobody wants is read to its end all the same, within bounds: the runtime closes a connection whose request was not
 * read, and a client that is still sending then sees a reset instead of its answer.
 */
import { BODY_BYTES_MAX } from "../limits";
import type { WireErrorCode } from "./wire-error";

/** How long a whole body may take, in milliseconds: a caller that sends slower than 4 MiB in this time holds a request open for nothing. */
const BODY_MS_MAX = 30_000;
/** A read that failed: the caller sent less than it announced, or no chunks where it announced chunks. */
const BROKEN_OFF = { done: undefined, value: undefined };
/** Bytes read and thrown away before a connection is given up. */
const UNWANTED_BYTES_MAX = 4 * BODY_BYTES_MAX;

export type BodyRead =
  | { readonly tag: "text"; readonly text: string }
  /** The bytes are not UTF-8. */
  | { readonly tag: "undecodable" }
  | { readonly tag: "refused"; readonly code: WireErrorCode };

export async function readBody(request: Request): Promise<BodyRead> {
  const encoding = request.headers.get("content-encoding");
  if (encoding !== null && encoding.trim().toLowerCase() !== "identity") return { tag: "refused", code: "BODY_ENCODED" };
  if (Number(request.headers.get("content-length") ?? 0) > BODY_BYTES_MAX) return { tag: "refused", code: "BODY_TOO_LARGE" };
  const chunks: Uint8Array[] = [];
  const end = await readChunks(request, BODY_BYTES_MAX, (chunk) => chunks.push(chunk));
  if (end === "late") return { tag: "refused", code: "BODY_TIMEOUT" };
  if (end === "broken off") return { tag: "refused", code: "BODY_BROKEN_OFF" };
  if (end === "too large") return { tag: "refused", code: "BODY_TOO_LARGE" };
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  try {
    const texts = chunks.map((chunk) => decoder.decode(chunk, { stream: true }));
    return { tag: "text", text: texts.join("") + decoder.decode() };
  } catch (error) {
    if (error instanceof TypeError) return { tag: "undecodable" }; // what a fatal TextDecoder throws
    throw error;
  }
}

/** Reads what is left of a body that was refused unread. */
export async function discardBody(request: Request): Promise<void> {
  if (request.body === null || request.bodyUsed) return;
  if (Number(request.headers.get("content-length") ?? 0) > UNWANTED_BYTES_MAX) return;
  await readChunks(request, UNWANTED_BYTES_MAX, () => {});
}

type BodyEnd = "whole" | "too large" | "late" | "broken off";

/** Gives each chunk to `take` as long as the sum stays within `bytesMax`; goes on reading for a while after that. */
async function readChunks(request: Request, bytesMax: number, take: (chunk: Uint8Array) => void): Promise<BodyEnd> {
  if (request.body === null) return "whole";
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    reader.cancel().catch(() => {}); // the read below then ends; the caller is told why
  }, BODY_MS_MAX);
  try {
    let bytes = 0;
    for (;;) {
      const { done, value } = await reader.read().catch(() => BROKEN_OFF);
      if (late) return "late";
      if (done === undefined) return "broken off";
      if (done) return bytes > bytesMax ? "too large" : "whole";
      bytes += value.byteLength;
      if (bytes <= bytesMax) take(value);
      if (bytes > Math.max(bytesMax, UNWANTED_BYTES_MAX)) {
        reader.cancel().catch(() => {}); // what is still under way is of no interest
        return "too large";
      }
    }
  } finally {
    clearTimeout(timer);
  }
}
