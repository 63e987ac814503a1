/** Search by meaning through the whole service: the model a deployment names, and what callers see where it is out of reach. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { embedderOf, embedTexts, type TextEmbeddings } from "../../src/durable/embedding";
import { HASHING_MODEL } from "../../src/request/meaning/hashing-embedder";
import { startInNode } from "./objects-in-node";
import { SPEC_OF_TOPICS } from "./spec-of-topics";

const binding = (run: TextEmbeddings["run"]): TextEmbeddings => ({ run });
const modelOf = (ai?: TextEmbeddings) => embedderOf({ EMBEDDING_MODEL: "@cf/some/model", AI: ai });

/** Faults are for the operator's log. */
const logged = vi.spyOn(console, "log");
beforeAll(() => void logged.mockImplementation(() => {}));
afterAll(() => logged.mockRestore());

describe("embedding", () => {
  it("[decision: search by meaning] asks the named model for all texts at once, and gives its vectors", async () => {
    const asked: unknown[] = [];
    const ai = binding(async (model, input) => {
      asked.push([model, input]);
      return { data: input.text.map((text) => [text.length, 1]) };
    });
    const embedded = await embedTexts(modelOf(ai), ["a", "bcd"]);
    expect(asked).toEqual([["@cf/some/model", { text: ["a", "bcd"] }]]);
    expect(embedded).toEqual({ tag: "vectors", vectors: [Float32Array.of(1, 1), Float32Array.of(3, 1)] });
  });

  it("[decision: search by meaning] whatever goes wrong is an answer that tells nothing of the texts", async () => {
    const failing = [
      undefined,
      binding(() => Promise.reject(new Error("cannot read «secret»"))),
      binding(() => {
        throw new TypeError("secret");
      }),
      binding(async () => ({})),
      binding(async () => ({ data: [[1, 2]] })),
      binding(async () => ({ data: [[1, 2], [1]] })),
      binding(async () => ({ data: [[], []] })),
    ];
    for (const ai of failing) {
      const embedded = await embedTexts(modelOf(ai), ["secret", "secret"]);
      expect(embedded).toEqual({ tag: "failed", kind: "unavailable", message: "the model @cf/some/model is out of reach" });
    }
    expect(logged.mock.calls.length).toBeGreaterThan(0);
    expect(JSON.stringify(logged.mock.calls)).not.toContain("secret");
    const never = binding(() => new Promise(() => {}));
    expect(await embedTexts(modelOf(never), ["a"], 1)).toMatchObject({ tag: "failed", kind: "timeout" });
    expect(embedderOf({})).toBeNull();
    expect(embedderOf({ EMBEDDING_MODEL: "" })).toBeNull();
  });

  it("[request facts §5.6] a search finds by meaning where a model is configured, is partial where it is out of reach, and says nothing of it elsewhere", async () => {
    const answers = async (settings: object): Promise<{ [member: string]: unknown }[]> => {
      const service = startInNode(SPEC_OF_TOPICS, { CALL_LOG: "off", ...settings });
      const { keys } = await service.newStore();
      const request = async (ops: string) => {
        const response = await service.fetch(
          new Request("http://localhost/request", {
            method: "POST",
            headers: { authorization: `Bearer ${keys["read-write"]}`, "content-type": "application/json" },
            body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "request", arguments: { ops } } }),
          }),
        );
        // biome-ignore lint/suspicious/noExplicitAny: an answer is looked at member by member.
        return JSON.parse(((await response.json()) as any).result.content[0].text).results;
      };
      await request('create(kind="concept", name="Angling gear")');
      const results = await request('[search(kind="entity", query="gear"), search(kind="entity", query="angler")]');
      service.end();
      return results;
    };
    const arms = (text: number, vector: number, status = "ran") => ({
      text: { status: "ran", candidate_count: text },
      vector: { status, candidate_count: vector },
    });
    expect(await answers({ EMBEDDING_MODEL: HASHING_MODEL })).toMatchObject([
      { ok: true, result: [{ name: "Angling gear", signals: { text_rank: 1, vector_rank: 1 } }], arm_participation: arms(1, 1) },
      { ok: true, result: [{ name: "Angling gear", signals: { vector_rank: 1 } }], arm_participation: arms(0, 1) },
    ]);
    expect(await answers({ EMBEDDING_MODEL: "@cf/some/model" })).toMatchObject([
      { ok: true, status: "partial", partial: true, missing_backends: ["vector"], arm_participation: arms(1, 0, "error") },
      { ok: false, error: { kind: "search_incomplete", retryable: false, backend_errors: { vector: { kind: "unavailable" } } } },
    ]);
    const plain = await answers({});
    expect(plain.map((entry) => Object.keys(entry))).toEqual([
      ["ok", "tool", "result"],
      ["ok", "tool", "result"],
    ]);
    expect(plain[1]["result"]).toEqual([]);
  });
});
