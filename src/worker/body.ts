/**
 * A request's body as text, within bounds of size and time; never decompressed.
 *
 * The bound holds while the body arrives, so a body without a length costs no more memory than one with.
 */
import { BODY_BYTES_MAX } from "../limits";
import type { WireErrorCode } from "./wire-error";

/** How long a whole body may take, in milliseconds: a caller that sends slower than 4 MiB in this time holds a request open for nothing. */
const BODY_MS_MAX = 30_000;

export type BodyRead =
  | { readonly tag: "text"; readonly text: string }
  /** The bytes are not UTF-8. */
  | { readonly tag: "undecodable" }
  | { readonly tag: "refused"; readonly code: WireErrorCode };

export async function readBody(request: Request): Promise<BodyRead> {
  const encoding = request.headers.get("content-encoding");
  if (encoding !== null && encoding.trim().toLowerCase() !== "identity") return { tag: "refused", code: "BODY_ENCODED" };
  if (Number(request.headers.get("content-length") ?? 0) > BODY_BYTES_MAX) return { tag: "refused", code: "BODY_TOO_LARGE" };
  if (request.body === null) return { tag: "text", text: "" };
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    reader.cancel().catch(() => {}); // the read below then ends; the caller is told why
  }, BODY_MS_MAX);
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
    let text = "";
    let bytes = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (late) return { tag: "refused", code: "BODY_TIMEOUT" };
      if (done) break;
      bytes += value.byteLength;
      if (bytes > BODY_BYTES_MAX) {
        reader.cancel().catch(() => {}); // what is still under way is of no interest
        return { tag: "refused", code: "BODY_TOO_LARGE" };
      }
      text += decoder.decode(value, { stream: true });
    }
    return { tag: "text", text: text + decoder.decode() };
  } catch (error) {
    if (late) return { tag: "refused", code: "BODY_TIMEOUT" };
    if (error instanceof TypeError) return { tag: "undecodable" }; // what a fatal TextDecoder throws
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
