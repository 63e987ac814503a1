/** The given run and envelope cases: stub verbs that note what reaches them, and the fields beside `ops`. */

import { describe, expect, it } from "vitest";
import * as z from "zod";
import { Store } from "../../src/engine/store";
import { PACKS } from "../../src/request/packs";
import { planOps } from "../../src/request/plan";
import { Registry } from "../../src/request/registry";
import { readRequest } from "../../src/request/request-arguments";
import { type JsonObject, jsonText, type RequestJson } from "../../src/request/request-json";
import { type RequestLimits, type RequestStore, RequestTask } from "../../src/request/run-request";
import { describeVerb, type Verb } from "../../src/request/verb";
import { VerbFailure } from "../../src/request/verb-failure";
import { CipherNode } from "../engine/cipher-node";
import { SqlNode } from "../engine/sql-node";
import { opsCases } from "../lang/ops/ops-cases";

interface Dispatched {
  readonly tool: string;
  readonly args: unknown;
}

export interface Stub {
  readonly result?: RequestJson;
  readonly fail?: string;
  readonly assertive?: boolean;
}

/** Runs `ops` on stub verbs. */
export function runStubs(
  ops: string,
  stubs: { readonly [name: string]: Stub },
  params: { readonly [name: string]: unknown } = {},
  limits?: RequestLimits,
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked at member by member.
): { envelope: any; isError: boolean; dispatched: Dispatched[]; bytes: number } {
  const dispatched: Dispatched[] = [];
  const verbs: Verb[] = Object.entries(stubs).map(([name, stub]) =>
    describeVerb({
      name,
      pack: "stub",
      class: stub.assertive === true ? "Assertive" : "Commissive",
      description: "A stub.",
      params: z.looseObject({}),
      result: "What the case says.",
      example: `${name}()`,
      level: "none",
      run: (_site, args) => {
        dispatched.push({ tool: name, args: JSON.parse(jsonText(args as JsonObject)) });
        if (stub.fail !== undefined) throw new VerbFailure(null, stub.fail);
        return stub.result ?? null;
      },
    }),
  );
  const store = Store.open(new SqlNode(), new CipherNode());
  let clock = 1_767_225_600_000_000;
  const requestStore: RequestStore = {
    storeId: "store1",
    begin: (call) => store.beginCall({ keyId: call.caller.keyId, level: call.caller.level, wallMicros: clock++, writes: true }),
    startTool: () => {
      throw new Error("no tools here");
    },
    bytes: () => store.bytes(),
    bytesMax: store.bytesMax,
  };
  const task = new RequestTask(
    requestStore,
    new Registry([{ name: "stub", verbs }]),
    {
      tool: "request",
      args: { ops, ...params },
      caller: { keyId: "key_1", level: "read-write-delete" },
      wallMicros: clock,
      opsMax: 1_000_000,
      opsMaxIsCredit: false,
    },
    limits,
  );
  while (!task.advance(1000));
  const answer = task.answer();
  return { envelope: JSON.parse(answer.text), isError: answer.status !== "success", dispatched, bytes: answer.text.length };
}

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
