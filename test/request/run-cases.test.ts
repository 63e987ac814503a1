/** The given run and envelope cases: stub verbs that note what reaches them, and the fields beside `ops`. */

import { describe, expect, it } from "vitest";
import { PACKS } from "../../src/request/packs";
import { planOps } from "../../src/request/plan";
import { readRequest } from "../../src/request/request-arguments";
import { type JsonObject, jsonText } from "../../src/request/request-json";
import { opsCases } from "../lang/ops/ops-cases";
import { runStubs, type Stub } from "./run-stubs";

const messageOf = (error: unknown): string => (typeof error === "string" ? error : ((error as { message: string }).message ?? ""));

describe("given run cases", () => {
  it.each(opsCases("run").map((one) => [one.name, one] as const))("[request facts §13] run %s", (_, one) => {
    const { envelope, isError, dispatched } = runStubs(one.ops, one.fixture!.verbs as { [name: string]: Stub }, one.params);
    const { results, summary, status, is_error: wantError, dispatched: wantDispatched } = one.expect;
    if (summary !== undefined) expect(envelope.summary).toEqual(summary);
    if (status !== undefined) expect(envelope.status).toBe(status);
    if (wantError !== undefined) expect(isError).toBe(wantError);
    if (wantDispatched !== undefined) expect(dispatched).toEqual(wantDispatched);
    for (const [index, want] of ((results ?? []) as JsonObject[]).entries()) {
      const got = envelope.results[index];
      expect([got.ok, got.tool, got.aborted ?? false]).toEqual([want["ok"], want["tool"], want["aborted"] ?? false]);
      for (const place of ["op_index", "unit_index", "step_index"]) expect(got[place], place).toBe(want[place]);
      if (want["error_kind"] !== undefined) expect(got.error.kind).toBe(want["error_kind"]);
      if (want["reason"] !== undefined) expect(got.error.reason ?? got.reason).toBe(want["reason"]);
      if (want["error_contains"] !== undefined) expect(messageOf(got.error)).toContain(want["error_contains"]);
      if (want["aborted"] === true) {
        expect(got).not.toHaveProperty("error");
        expect(got).toMatchObject({ domain_disposition: "not_committed", message: expect.any(String) });
      }
    }
    if (results !== undefined) expect(envelope.results).toHaveLength(results.length);
  });
});

describe("write keys", () => {
  it("[request facts §5.4] two units that write the same are refused whole; a third runs", () => {
    const stubs = { update: { result: 1 }, get: { result: 1 } };
    const { envelope, dispatched } = runStubs('[update(id="k1") | get(id="k1"), get(id="x") | update(id="k1"), get(id="y")]', stubs);
    expect(
      envelope.results.map((one: { ok: boolean; aborted?: boolean; error?: { kind: string } }) => one.error?.kind ?? one.aborted ?? one.ok),
    ).toEqual(["conflict", true, "conflict", true, true]);
    expect(dispatched).toEqual([{ tool: "get", args: { id: "y" } }]);
    expect(envelope.results[4]).toMatchObject({ op_index: 4, unit_index: 2, step_index: 0 });
  });

  it("[request facts §5.4] a merge that only looks has no key; each entry of a bulk link has", () => {
    const stubs = { merge: { result: 1 }, update: { result: 1 }, link: { result: 1 } };
    expect(runStubs('[merge(into_id="a", from_id="b", dry_run=true), update(id="b")]', stubs).envelope.summary.failed).toBe(0);
    const link = '{"source_id":"a","target_id":"b","relation":"Extends"}';
    expect(runStubs(`[link(links=[${link}]), link(source_id="a", target_id="b", relation="extends")]`, stubs).envelope.summary.failed).toBe(
      2,
    );
  });
});

describe("given envelope cases", () => {
  it.each(opsCases("envelope").map((one) => [one.name, one] as const))("[request facts §13] envelope %s", (_, one) => {
    const want = one.expect;
    const read = readRequest({ ops: one.ops, ...one.params });
    if (want["rpc_error"] !== undefined) {
      if (read.tag !== "fault") throw new Error(`got ${read.tag}`);
      if (want["error_contains"] !== undefined) expect(read.fault.message.toLowerCase()).toContain(want["error_contains"].toLowerCase());
      if (want["error_kind"] !== undefined) expect(read.fault.data["syntax"]).toBe(want["error_kind"]);
      if (want["data"] !== undefined) expect(read.fault.data).toMatchObject(want["data"]);
      return;
    }
    if (want["runs"] === true) {
      expect(read.tag).toBe("run");
      return;
    }
    if (read.tag !== "plan") throw new Error(`got ${read.tag}`);
    const plan = JSON.parse(jsonText(planOps(read.ops, PACKS)));
    const { absent = [], error_kind: kind, side_effects: _sideEffects, error_contains: contains, ...fields } = want;
    expect(plan).toMatchObject(fields);
    for (const key of absent) expect(plan).not.toHaveProperty(key);
    if (kind !== undefined) expect(plan.syntax).toBe(kind);
    if (contains !== undefined) expect(plan.error.toLowerCase()).toContain(contains.toLowerCase());
  });
});
