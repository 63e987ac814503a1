/** The answer as it is shown: presentations, formats, budgets, a frame that is too small (request facts §4, §5.5). */
import { describe, expect, it } from "vitest";
import { presentForAgent } from "../../src/request/present";
import type { RequestJson } from "../../src/request/request-json";
import { tableText } from "../../src/request/table";
import { runStubs, type Stub } from "./run-stubs";

const NOW = 1_767_225_600_000_000; // 2026-01-01T00:00:00Z
const ID = "1f0c9a52-0647-8484-a62b-62f8240b2341";

describe("the presentation agent", () => {
  const table: readonly (readonly [string, RequestJson, RequestJson])[] = [
    [
      "ids are cut to eight, but not those that never are",
      { id: ID, source_id: ID, replaced_by: ID, full_id: ID, thread_id: ID, other: ID },
      { id: "1f0c9a52", source_id: "1f0c9a52", replaced_by: "1f0c9a52", full_id: ID, thread_id: ID, other: ID },
    ],
    ["what is no id of 36 characters stays", { id: ID.replaceAll("-", ""), x_id: "short" }, { id: ID.replaceAll("-", ""), x_id: "short" }],
    ["an id is one in capitals too", { id: ID.toUpperCase() }, { id: "1F0C9A52" }],
    [
      "what stands in an array of texts or numbers stays",
      { a_id: [ID], score: [0.12345], at: ["2025-12-31T23:59:59+02:00"] },
      { a_id: [ID], score: [0.12345], at: ["2025-12-31T23:59:59+02:00"] },
    ],
    [
      "empty members go, those of properties stay where they are texts",
      { a: "", b: [], c: {}, d: null, properties: { e: "", f: [], g: 1 } },
      { properties: { e: "", g: 1 } },
    ],
    [
      "nulls of a life cycle stay",
      { deleted_at: null, read_at: null, parent_id: null, x: null },
      { deleted_at: null, read_at: null, parent_id: null },
    ],
    [
      "rows of a page stay, empty or not",
      { items: [], requested_limit: 1, effective_limit: 1, limit_clamped: false, other: [] },
      { items: [], requested_limit: 1, effective_limit: 1, limit_clamped: false },
    ],
    ["the end of a walk stays", { entries: [], head_seq: 3, next_after: null }, { entries: [], head_seq: 3, next_after: null }],
    ["scores have three figures", { score: 0.123456, salience: 0.5, other: 0.123456 }, { score: 0.123, salience: 0.5, other: 0.123456 }],
    [
      "instants are told in UTC, fraction kept; what is scheduled stays",
      { at: "2025-12-31T23:59:59.120+02:00", due: "2025-12-31T23:59:59+02:00", text: "on 2025-12-31T23:59:59+02:00" },
      { at: "2025-12-31T21:59:59.120Z", due: "2025-12-31T23:59:59+02:00", text: "on 2025-12-31T23:59:59+02:00" },
    ],
    [
      "rows of a list say how long ago",
      [{ created_at: "2025-12-31T23:58:00Z" }, { created_at: "2025-12-25T00:00:00.5Z" }],
      [
        { created_at: "2025-12-31T23:58:00Z", created_at_relative: "2m ago" },
        { created_at: "2025-12-25T00:00:00.5Z", created_at_relative: "6d ago" },
      ],
    ],
    [
      "the usual namespace goes, another stays",
      [
        { namespace: "local", a: 1 },
        { namespace: "n", a: 1 },
      ],
      [{ a: 1 }, { namespace: "n", a: 1 }],
    ],
    [
      "properties that repeat what stands beside them go",
      { status: "x", tags: ["a"], properties: { status: "x", tags: ["a"], full_id: "f", k: 1 }, full_id: "f" },
      { status: "x", tags: ["a"], properties: { full_id: "f", k: 1 }, full_id: "f" },
    ],
    [
      "under properties ids are cut, scores rounded, nulls and empty lists left out at any depth; texts and times stay, empty or not",
      {
        properties: {
          a: { b: "", c: null, d: [], read_at: null },
          source_id: ID,
          session_id: ID,
          score: 0.12345,
          at: "2025-12-31T23:59:59+02:00",
        },
      },
      { properties: { a: { b: "", read_at: null }, source_id: "1f0c9a52", session_id: ID, score: 0.123, at: "2025-12-31T23:59:59+02:00" } },
    ],
    ["properties that are no object have no say", { properties: "", a: { properties: [{ b: "" }] } }, { a: { properties: [{}] } }],
    [
      "an offset needs no colon, and what is still to come is not told as past",
      [{ created_at: "2026-01-01T00:00:00.5Z", at: "2025-12-31T23:59:59+0200" }],
      [{ created_at: "2026-01-01T00:00:00.5Z", at: "2025-12-31T21:59:59Z" }],
    ],
    ["a record that is of no stream is a member like any other", { record: { id: ID, x: "" } }, { record: { id: "1f0c9a52" } }],
    [
      "a record of a stream is opaque",
      { entries: [{ seq: 1, record: { id: ID, empty: "" } }] },
      { entries: [{ seq: 1, record: { id: ID, empty: "" } }] },
    ],
  ];
  it.each(table)("[request facts §4.1] %s", (_, result, want) => {
    expect(JSON.parse(JSON.stringify(presentForAgent(result, "v", NOW)))).toEqual(want);
  });

  it("[request facts §4.1] some verbs keep members of their own", () => {
    const at = "2025-12-31T23:58:00+01:00";
    expect(presentForAgent({ events: [], next: null, x: [] }, "schedule.agenda", NOW)).toEqual({ events: [], next: null });
    expect(presentForAgent({ events: [{ id: ID }], next: at }, "schedule.agenda", NOW)).toEqual({ events: [{ id: "1f0c9a52" }], next: at });
    expect(presentForAgent({ id: ID, created_at: at, at }, "stream.append", NOW)).toEqual({
      id: "1f0c9a52",
      created_at: at,
      at: "2025-12-31T22:58:00Z",
    });
    expect(presentForAgent({ results: [{ id: ID, created_at: at, updated_at: at }], committed: true }, "stream.batch", NOW)).toEqual({
      results: [{ id: "1f0c9a52", created_at: at, updated_at: at }],
      committed: true,
    });
  });

  it("[request facts §4] applies by op, and not to what a chain passes on", () => {
    const stubs = { mk: { result: { id: ID, empty: "" } }, take: { result: 1 } };
    const { envelope, dispatched } = runStubs("mk() | take(id=$prev.id)", stubs, { presentation_per_op: [null, "verbose"] });
    expect(envelope.results[0].result).toEqual({ id: "1f0c9a52" });
    expect(dispatched[1].args).toEqual({ id: ID });
    expect(
      runStubs("[mk(), mk()]", stubs, { presentation_per_op: ["human"] }).envelope.results.map((one: { result: object }) => one.result),
    ).toEqual([{ id: ID, empty: "" }, { id: "1f0c9a52" }]);
  });
});

describe("the formats auto and table", () => {
  it("[request facts §4.2] rows become a table, the rest lines below it; anything else compact JSON", () => {
    expect(
      tableText(
        [
          { a: 1, b: "x|y" },
          { a: 2, c: { d: [1] } },
        ],
        false,
      ),
    ).toBe('| a | b | c |\n| --- | --- | --- |\n| 1 | x\\|y |  |\n| 2 |  | {"d":[1]} |');
    expect(tableText({ items: [{ a: 1 }, { a: 2 }], total: 2 }, false)).toBe("| a |\n| --- |\n| 1 |\n| 2 |\n\ntotal: 2");
    expect(tableText([{ a: 1 }], false)).toBe('[{"a":1}]');
    // A text of two lines would pass for two members.
    expect(
      tableText({ items: [{ a: 1 }, { a: 2 }], note: "x\ntotal: 9", next: null }, false)
        .split("\n")
        .slice(5),
    ).toEqual(['note: "x\\ntotal: 9"', "next: null"]);
    expect(tableText({ a: [1, 2] }, false)).toBe('{"a":[1,2]}');
  });

  it("[request facts §4.2] cells are cut and full ids left out unless nothing may be; what is scheduled gets a column", () => {
    const rows: RequestJson = [
      { full_id: "f", t: "x".repeat(200), properties: { due: "d", k: 1 } },
      { full_id: "g", t: "y", properties: { due: "e" } },
    ];
    const short = tableText(rows, false);
    expect(short).not.toContain("full_id");
    expect(short).toContain(`${"x".repeat(119)}…`);
    expect(short.split("\n")[0]).toBe("| t | properties | due |");
    expect(tableText(rows, true)).toContain("x".repeat(200));
    expect(tableText({ full_id: "f", a: { full_id: "g" }, b: [{ full_id: "h", c: 1 }] }, false)).toBe(
      '{"a":{"full_id":"g"},"b":[{"c":1}]}',
    );
    const asked = (presentation: string) =>
      runStubs("ls()", { ls: { result: rows } }, { format: "auto", presentation }).envelope.results[0].result;
    expect(asked("human")).toBe(short);
    expect(asked("verbose")).toContain("full_id");
    expect(runStubs("[ls(), boom()]", { ls: { result: rows }, boom: { fail: "no" } }, { format: "table" }).envelope.results).toMatchObject([
      { result: expect.stringContaining("| --- |") },
      { error: "no" },
    ]);
  });
});

describe("budgets", () => {
  const big = (bytes: number): Stub => ({ result: { text: "x".repeat(bytes) }, assertive: true });

  it("[request facts §5.5] past the batch budget no further op begins; what ran keeps its outcome", () => {
    const limits = { frameBytesMax: 100_000, batchBytesMax: 1000 };
    const flat = runStubs("[a(), a(), a()]", { a: big(800) }, {}, limits);
    expect(flat.envelope.results.map((one: { ok: boolean; error?: { kind: string } }) => one.error?.kind ?? one.ok)).toEqual([
      true,
      true,
      "response_budget_exceeded",
    ]);
    expect(flat.envelope).toMatchObject({ summary: { total: 3, succeeded: 2, failed: 1, aborted: 0 }, status: "partial" });
    expect(flat.envelope.results[2].domain_disposition).toBe("not_committed");
    const units = runStubs("[a() | a() | a(), a() | a()]", { a: big(800) }, {}, limits);
    expect(units.envelope.summary).toEqual({ total: 5, succeeded: 2, failed: 2, aborted: 1 });
    expect(runStubs("a() | a() | a()", { a: big(800) }, {}, limits).envelope.summary.succeeded).toBe(3);
  });

  it("[request facts §5.5] in a frame that is too small the largest are left out, and each says how to come by it", () => {
    const stubs = { read: big(6000), small: big(10), write: { result: { text: "y".repeat(5000) } }, boom: { fail: "z".repeat(4000) } };
    const { envelope, bytes, isError } = runStubs(
      "[read(), small(), write(), boom()]",
      stubs,
      { presentation: "verbose" },
      { frameBytesMax: 4000, batchBytesMax: 1e9 },
    );
    expect(bytes).toBeLessThanOrEqual(4000);
    const [read, small, write, boom] = envelope.results;
    expect(read).toMatchObject({
      ok: false,
      error: {
        kind: "response_frame_budget_exceeded",
        code: "response_frame_budget_exceeded",
        retryable: false,
        recoverable: "reduce_result_size",
        max_frame_bytes: 4000,
        domain_disposition: "committed",
      },
    });
    expect(read).not.toHaveProperty("executed");
    expect(small.ok).toBe(true);
    expect(write).toMatchObject({ ok: false, executed: true, error: { recoverable: "read_outcome" } });
    expect(boom).toMatchObject({ ok: false, error: expect.stringContaining("does not fit") });
    expect(envelope).toMatchObject({ summary: { total: 4, succeeded: 1, failed: 3, aborted: 0 }, status: "partial" });
    expect(isError).toBe(false);
  });

  it("[request facts §5.5] a shown form that is longer gives way to the canonical one first", () => {
    const rows = Array.from({ length: 50 }, (_, i) => ({ created_at: "2020-01-01T00:00:00Z", n: i }));
    const canonical = JSON.stringify(rows).length;
    const { envelope } = runStubs("ls()", { ls: { result: rows } }, {}, { frameBytesMax: canonical + 400, batchBytesMax: 1e9 });
    expect(envelope.results[0].result).toEqual(rows);
  });

  it("[request facts §1.6] a result that nests too deep is a failure after the fact, and aborts its chain", () => {
    let deep: RequestJson = 1;
    for (let i = 0; i < 65; i++) deep = [deep];
    const { envelope } = runStubs("a() | b()", { a: { result: deep }, b: { result: 1 } });
    expect(envelope.results).toMatchObject([
      { ok: false, error: { kind: "result_too_deep", code: "result_too_deep", domain_disposition: "committed" } },
      { aborted: true },
    ]);
    expect(runStubs("a()", { a: { result: (deep as RequestJson[])[0] } }).envelope.results[0].ok).toBe(true);
  });

  it("[request facts §5.6] what a search says beside its result stands in its entry, and moves under the error where that is left out", () => {
    const partial = {
      status: "partial",
      partial: true,
      missing_backends: ["vector"],
      backend_errors: { vector: { kind: "timeout", message: "late" } },
    };
    const stub: Stub = { result: [{ text: "x".repeat(3000) }], assertive: true, beside: partial };
    expect(runStubs("search()", { search: stub }).envelope.results[0]).toMatchObject({ ok: true, ...partial });
    expect(
      runStubs("search()", { search: stub }, {}, { frameBytesMax: 2000, batchBytesMax: 1e9 }).envelope.results[0].error.search,
    ).toEqual(partial);
    const advised: Stub = { ...stub, beside: { advisories: [{ kind: "limit_clamped" }] } };
    const [omitted] = runStubs("search()", { search: advised }, {}, { frameBytesMax: 2000, batchBytesMax: 1e9 }).envelope.results;
    expect(omitted).toMatchObject({ ok: false, advisories: [{ kind: "limit_clamped" }] });
    expect(omitted.error).not.toHaveProperty("search");
  });
});
