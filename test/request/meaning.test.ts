/** Search by meaning, by a stand-in that knows parts of words: hybrid ranking, freshness, and what a missing model leaves (request facts §5.6, §7). */
import { describe, expect, it } from "vitest";
import { HASHING_MODEL, hashedVector } from "../../src/request/meaning/hashing-embedder";
import { VectorTable } from "../../src/request/meaning/vector-table";
import { CipherNode } from "../engine/cipher-node";
import { SqlNode } from "../engine/sql-node";
import { type Answered, RequestFixture } from "./request-fixture";

const withModel = () => new RequestFixture({ embeddingModel: HASHING_MODEL });
const entry = (f: RequestFixture, ops: string): Answered => f.request(ops).results.at(-1);
const names = (rows: Answered[]) => rows.map(({ name, content }) => name ?? content);

describe("search by meaning", () => {
  it("[request facts §7.1] finds what no word of the question is in, and fuses both ranks", () => {
    const f = withModel();
    f.result('create(kind="concept", name="Fisheries of the north")');
    f.result('create(kind="concept", name="Fishing", description="with a rod")');
    f.result('create(kind="concept", name="Astronomy")');
    const found = entry(f, 'search(kind="entity", query="fishing")');
    expect(names(found.result).slice(0, 2)).toEqual(["Fishing", "Fisheries of the north"]);
    const [both, near] = found.result;
    expect(both.signals).toEqual({ text_rank: 1, vector_rank: 1, vector_similarity: expect.any(Number) });
    expect(both.score).toBeCloseTo(2 / (10 + 1) + 0.5, 12);
    expect(near.signals).toMatchObject({ vector_rank: 2 });
    expect(near.signals.text_rank ?? 2).toBe(2);
    expect(found.arm_participation.vector).toMatchObject({ status: "ran" });
    expect(found.partial).toBeUndefined();
    const plain = new RequestFixture();
    plain.result('create(kind="concept", name="Angling gear")');
    expect(entry(plain, 'search(kind="entity", query="angler")')).toEqual({ ok: true, tool: "search", result: [] });
    f.result('create(kind="concept", name="Angling gear")');
    expect(names(f.result('search(kind="entity", query="angler", limit=1)'))).toEqual(["Angling gear"]);
  });

  it("[request facts §7.1] a note is weighed by its salience, filters hold, and a namespace keeps to itself", () => {
    const f = withModel();
    f.result('create(kind="insight", content="herons wade", salience=0)');
    f.result('create(kind="insight", content="herons wade", salience=1, tags=["x"], namespace="n")');
    const rows = f.result('search(kind="note", query="herons wade")');
    expect(rows.map(({ namespace }: Answered) => namespace)).toEqual(["n", "local"]);
    expect(f.result('search(kind="note", query="heronry", tags=["x"])')).toHaveLength(1);
    expect(f.result('search(kind="note", query="heronry", namespace="local")')).toHaveLength(1);
    expect(f.result('search(kind="question", query="heronry")')).toEqual([]);
  });

  it("[request facts §7.2] recall goes by both, by the better, by scores, or by one of them", () => {
    const f = withModel();
    f.result('memory.remember(content="The fishery opens at dawn")');
    f.result('memory.remember(content="Fishing at dusk")');
    f.result('memory.remember(content="A ledger of accounts")');
    const recall = (strategy: string): Answered[] =>
      f.result(`memory.recall(query="fishing", fusion_strategy="${strategy}", include_breakdown=true)`);
    for (const strategy of ["rrf", "weighted", "union", "vector_only"]) {
      expect(recall(strategy)[0].content).toBe("Fishing at dusk");
      expect(recall(strategy)[1].content).toBe("The fishery opens at dawn");
      expect(recall(strategy)[0].breakdown.retrieval).toBeCloseTo(1, 12);
    }
    expect(recall("rrf")[1].breakdown.retrieval).toBeCloseTo(61 / 62 / 2, 12);
    expect(recall("union")[1].breakdown.retrieval).toBeCloseTo(61 / 62, 12);
    expect(recall("vector_only")[0].breakdown.text_rank).toBeUndefined();
    expect(names(recall("keyword_only"))).toEqual(["Fishing at dusk"]);
    const { result, arm_participation } = entry(f, 'memory.recall(query="fishing", fusion_strategy="keyword_only")');
    expect([result.length, arm_participation]).toEqual([1, undefined]);
    expect(f.result(`memory.recall(query="fishing", embedding_model="${HASHING_MODEL}")`).length).toBeGreaterThan(1);
    expect(f.error('memory.recall(query="fishing", embedding_model="other")').message).toContain(HASHING_MODEL);
    expect(new RequestFixture().error('memory.recall(query="x", fusion_strategy="vector_only")').message).toContain("none is configured");
  });

  it("[request facts §7.1] context begins with what is nearest", () => {
    const f = withModel();
    f.result('create(kind="concept", name="Angling gear")');
    expect(f.result('context(query="angler")').anchors).toMatchObject([{ entity: { name: "Angling gear" } }]);
  });

  it("[request facts §5.6] where the model fails the answer is partial, and an error where nothing is left", () => {
    const f = withModel();
    f.failure = { tag: "failed", kind: "timeout", message: "too slow" };
    f.result('create(kind="concept", name="Fishing")');
    const missing = { missing_backends: ["vector"], backend_errors: { vector: { kind: "timeout", message: "too slow" } } };
    expect(entry(f, 'search(kind="entity", query="fishing")')).toMatchObject({
      ok: true,
      status: "partial",
      partial: true,
      ...missing,
      arm_participation: { text: { status: "ran", candidate_count: 1 }, vector: { status: "error", candidate_count: 0, due_count: 1 } },
    });
    expect(entry(f, 'search(kind="entity", query="angling")')).toMatchObject({
      ok: false,
      error: { kind: "search_incomplete", ...missing, retryable: true, retry_after_ms: 2000 },
    });
    expect(entry(f, 'search(kind="entity", query="fishing", min_score=9)').error.kind).toBe("search_incomplete");
    f.failure = { tag: "failed", kind: "unavailable", message: "gone" };
    expect(entry(f, 'search(kind="entity", query="fishing")').arm_participation.vector.due_count).toBe(1);
    const gone = entry(f, 'memory.recall(query="angling")').error;
    expect([gone.kind, gone.retryable, gone.retry_after_ms]).toEqual(["search_incomplete", false, undefined]);
    expect(entry(f, 'memory.recall(query="angling", fusion_strategy="keyword_only")')).toMatchObject({ ok: true, result: [] });
    const asked = f.embedded.length;
    f.request('[search(kind="entity", query="fishing"), search(kind="entity", query="rods"), create(kind="concept", name="Rods")]');
    expect(f.embedded.length).toBe(asked + 2); // the question and the text due; it is not asked a second time
    f.failure = null;
    expect(names(f.result('search(kind="entity", query="fisher")'))).toContain("Fishing");
  });

  it("[decision: search by meaning] a text is embedded once: when it is written, and again when it changes", () => {
    const f = withModel();
    const id = f.result('create(kind="concept", name="Heron", description="wades")').id;
    expect(f.embedded).toEqual(["Heron\nwades"]);
    f.result(`update(id="${id}", tags=["bird"])`);
    f.result("stats()");
    expect(f.embedded).toHaveLength(1);
    f.result(`update(id="${id}", description="fishes")`);
    expect(f.embedded.slice(1)).toEqual(["Heron\nfishes"]);
    f.result(`delete(id="${id}")`);
    expect(f.result('search(kind="entity", query="heronry")')).toEqual([]);
    expect(f.embedded.slice(2)).toEqual(["heronry"]);
    f.run('import kg\nremember(Concept.x.name, "Stork", "me")');
    f.result('dke.checkpoint(name="m")');
    expect(f.embedded.slice(3)).toEqual(["Stork"]);
  });

  it("[decision: search by meaning] a key that may only read finds what has a vector, and makes none", () => {
    const f = withModel();
    f.failure = { tag: "failed", kind: "unavailable", message: "gone" };
    f.result('create(kind="concept", name="Heron")');
    f.failure = null;
    expect(f.result('search(kind="entity", query="heronry")', { level: "read" })).toEqual([]);
    expect(names(f.result('search(kind="entity", query="heronry")'))).toEqual(["Heron"]);
    expect(names(f.result('search(kind="entity", query="heronry")', { level: "read" }))).toEqual(["Heron"]);
  });

  it("[request facts §7.1] a note goes by its beginning where that is said, an entry of a stream only where that is", () => {
    const f = withModel();
    f.result('create(kind="note", content="Herons wade. Much more is said.", embedding_content="Herons wade.")');
    f.result('stream.append(stream="s", record="quiet")');
    f.result('stream.append(stream="s", record="loud", embed=true)');
    f.result(
      'stream.batch(ops=[{"op": "write", "key": "k", "kind": "reference", "doc": "shown"}, {"op": "write", "key": "l", "kind": "reference", "doc": "hidden", "embed": false}])',
    );
    expect(f.embedded).toEqual(["Herons wade.", '"loud"', "shown"]);
    expect(f.result('list(kind="note")').items[4].properties).toEqual({});
    const long = "x".repeat(3000);
    expect(f.result(`create(kind="note", content="${long}")`).warnings).toMatchObject([{ kind: "embedding_input_cut", chars: 3000 }]);
    expect(f.embedded.at(-1)).toHaveLength(2000);
    expect(new RequestFixture().result(`create(kind="note", content="${long}")`).warnings).toBeUndefined();
  });

  it("[decision: search by meaning] a model configured later, or another one, begins with all there is", () => {
    const f = new RequestFixture();
    f.result(`create(items=[${Array.from({ length: 150 }, (_, i) => `{"kind": "concept", "name": "Heron ${i}"}`).join(", ")}])`);
    f.result('stream.append(stream="s", record="quiet")');
    expect(f.embedded).toEqual([]);
    f.reopen({ embeddingModel: HASHING_MODEL });
    const found = entry(f, 'search(kind="entity", query="heronry", limit=100)');
    expect(found.result).toHaveLength(100);
    expect(found.arm_participation.vector.due_count).toBeUndefined();
    expect(f.embedded).toHaveLength(151);
    f.reopen({});
    f.result('create(kind="concept", name="Stork")');
    f.reopen({ embeddingModel: HASHING_MODEL });
    expect(names(f.result('search(kind="entity", query="storks", text_mode="any", limit=1)'))).toEqual(["Stork"]);
    expect(f.embedded.slice(151)).toEqual(["storks", "Stork"]);
    f.reopen({ embeddingModel: "another" });
    f.result('search(kind="entity", query="heronry")');
    expect(f.embedded).toHaveLength(153 + 152);
  });

  it("[decision: search by meaning] pages of vectors fill their gaps, keep their order and show nothing", () => {
    const sql = new SqlNode();
    const table = new VectorTable(sql, new CipherNode());
    const vectors = Array.from({ length: 200 }, (_, i) => ({ subject: i + 1, group: 1, vector: hashedVector(`text number ${i} of many`) }));
    table.keep(vectors);
    const pages = () => sql.exec("SELECT count(*), sum(used) FROM kg_vector_page")[0];
    expect(pages()).toEqual([4, 200]);
    for (let i = 1; i <= 70; i++) table.remove(i);
    expect(pages()).toEqual([3, 130]);
    table.keep(vectors.slice(0, 30));
    expect(sql.exec("SELECT sum(used), count(*) FROM kg_vector_page")[0]).toEqual([160, 3]);
    const near = table.nearest(1, vectors[10].vector);
    expect(near[0]).toMatchObject({ subject: 11 });
    expect(near[0].similarity).toBeGreaterThan(0.99);
    // As exact cosines order them, but for what a byte cannot tell apart.
    const exact = (a: Float32Array, b: Float32Array) =>
      a.reduce((sum, x, i) => sum + x * b[i], 0) / Math.sqrt(a.reduce((s, x) => s + x * x, 0) * b.reduce((s, x) => s + x * x, 0));
    for (const { subject, similarity } of near.slice(0, 50))
      expect(Math.abs(similarity - exact(vectors[subject - 1].vector, vectors[10].vector))).toBeLessThan(0.02);
    expect(table.nearest(2, vectors[10].vector)).toEqual([]);
  });
});
