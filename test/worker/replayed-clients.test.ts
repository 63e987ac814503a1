/**
 * What clients really sent, by the recordings of scripts/clients/record.mjs: each request is sent again, in the order and with
 * the departures of then, and its answer must be what that client was able to work with.
 */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, inject, it } from "vitest";
import { shapeOf } from "../../scripts/clients/shape.mjs";
import type { Level } from "../../src/engine/claim";
import { freshStore } from "./fresh-store";

interface Sent {
  readonly send: number;
  readonly method: string;
  readonly path: string;
  /** `rich read-write`, or `wrong`; absent where the client sent none. */
  readonly key?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}
type Event = Sent | { readonly answered: number; readonly status: number } | { readonly left: number };
interface Recording {
  readonly client: string;
  readonly steps: readonly string[];
  readonly events: readonly Event[];
}

const FOLDER = new URL("../testdata/clients/", import.meta.url);
const RECORDINGS = readdirSync(FOLDER).map((file): Recording => JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")));

/** What the client told of each step, where it came through: a client that fails here is named below. */
const STEPS = [
  "connect",
  "list",
  "call",
  "refused",
  "mended",
  "key refused",
  "no credit",
  "past an allowance",
  "long call",
  "given up",
  "close",
];

describe.each(RECORDINGS.map((recording) => [recording.client, recording] as const))("%s", (_, { steps, events }) => {
  it("[B7] was taken through the eleven steps [A2.24]", () => {
    expect(steps.map((step) => step.slice(0, step.indexOf(":")))).toEqual(STEPS);
    const said = Object.fromEntries(steps.map((step) => [step.slice(0, step.indexOf(":")), step.slice(step.indexOf(":") + 2)]));
    expect(said).toMatchObject({ connect: "connected", list: "19 tools", close: "closed" });
    for (const step of ["call", "long call"]) expect(said[step], step).toBe("success");
    expect(said["key refused"]).toMatch(/^failed: /);
    expect(said["given up"]).toMatch(/; the program stopped$|^this client cannot$/);
    // Its user read which of the two it was, and what clears it.
    expect(said["no credit"]).toMatch(/Payment required: .*Top up/);
    expect(said["past an allowance"]).toMatch(/rate limited: .* in \d+ s/);
  });

  it("[B3] gets again what it got", { timeout: 120_000 }, async () => {
    const stores = { rich: await freshStore(), poor: await freshStore(0), busy: await freshStore() };
    const wrong = `${stores.rich.keys.read.slice(0, -1)}${stores.rich.keys.read.endsWith("0") ? "1" : "0"}`;
    const keyOf = (name: string) => {
      if (name === "wrong") return wrong;
      const [store, level] = name.split(" ") as [keyof typeof stores, Level];
      return stores[store].keys[level];
    };
    const under = new Map<number, { answer: Promise<Response | null>; controller: AbortController }>();
    for (const event of events) {
      if ("send" in event) {
        const { method, path, key, body } = event;
        const headers = { ...event.headers, ...(key === undefined ? {} : { authorization: `Bearer ${keyOf(key)}` }) };
        const controller = new AbortController();
        const text = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
        const answer = fetch(new URL(path, inject("serviceUrl")), {
          method,
          headers,
          redirect: "manual",
          signal: controller.signal,
          ...text,
        });
        under.set(event.send, { answer: answer.catch(() => null), controller });
        // A call that will be given up has begun by then.
        if (JSON.stringify(body ?? "").includes("100000000")) await new Promise((resolve) => setTimeout(resolve, 1000));
      } else if ("left" in event) under.get(event.left)?.controller.abort();
      else {
        const { answered, ...expected } = event;
        const response = await under.get(answered)!.answer;
        expect(response, `request ${answered}`).not.toBeNull();
        expect(JSON.parse(JSON.stringify(shapeOf(response!.status, await response!.text()))), `request ${answered}`).toEqual(expected);
      }
    }
  });
});
