/** A body that comes slowly, or never ends: contract §6 knows no such request, so HTTP answers it. In plain Node. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BODY_BYTES_MAX } from "../../src/limits";
import { discardBody, readBody } from "../../src/worker/body";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A request whose body is what `pull` puts there; it stays open where nothing closes it. */
function posted(pull: (controller: ReadableStreamDefaultController<Uint8Array>) => void): Request {
  return new Request("http://localhost/", {
    method: "POST",
    body: new ReadableStream({ pull }, { highWaterMark: 0 }),
    duplex: "half",
  } as RequestInit);
}
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("a body", () => {
  it("[C7.32] that stops halfway is given up after half a minute", async () => {
    let sent = 0;
    const read = readBody(posted((controller) => (sent++ === 0 ? controller.enqueue(bytes('{"jsonrpc":')) : new Promise(() => {}))));
    await vi.advanceTimersByTimeAsync(29_000);
    const early = await Promise.race([read, Promise.resolve("still waiting")]);
    expect(early).toBe("still waiting");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await read).toEqual({ tag: "refused", code: "BODY_TIMEOUT" });
  });

  it("[C7.32] that breaks off is the caller's fault, and no fault of ours", async () => {
    let sent = 0;
    const broken = () => posted((controller) => (sent++ === 0 ? controller.enqueue(bytes("{")) : controller.error(new Error("lost"))));
    expect(await readBody(broken())).toEqual({ tag: "refused", code: "BODY_BROKEN_OFF" });
    sent = 0;
    await discardBody(broken());
    expect(sent).toBe(2);
  });

  it("[C7.31] without an end is given up once it is too large, and holds no more memory than the bound", async () => {
    let sent = 0;
    const read = readBody(
      posted((controller) => {
        sent++;
        controller.enqueue(new Uint8Array(1 << 20));
      }),
    );
    expect(await read).toEqual({ tag: "refused", code: "BODY_TOO_LARGE" });
    expect(sent).toBeLessThan((8 * BODY_BYTES_MAX) >> 20);
  });

  it("[A1.19] that nobody wants is read to its end, and an endless one is not", async () => {
    let left = 3;
    const request = posted((controller) => (left-- > 0 ? controller.enqueue(bytes("x")) : controller.close()));
    await discardBody(request);
    expect(left).toBe(-1);
    let sent = 0;
    await discardBody(
      posted((controller) => {
        sent++;
        controller.enqueue(new Uint8Array(1 << 20));
      }),
    );
    expect(sent).toBeLessThan((8 * BODY_BYTES_MAX) >> 20);
  });

  it("[6] cut in the middle of a character is one text all the same; what is no UTF-8 is told", async () => {
    const parts = [...bytes("é💥")].map((byte) => Uint8Array.of(byte));
    const whole = posted((controller) => (parts.length > 0 ? controller.enqueue(parts.shift()!) : controller.close()));
    expect(await readBody(whole)).toEqual({ tag: "text", text: "é💥" });
    const half = [bytes("é").subarray(0, 1)];
    const broken = posted((controller) => (half.length > 0 ? controller.enqueue(half.shift()!) : controller.close()));
    expect(await readBody(broken)).toEqual({ tag: "undecodable" });
  });
});
