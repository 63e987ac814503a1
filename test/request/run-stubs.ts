/** Stub verbs that note what reaches them, and requests run on them. */
import * as z from "zod";
import { Store } from "../../src/engine/store";
import { EventLog } from "../../src/request/event/event-log";
import { Registry } from "../../src/request/registry";
import { type JsonObject, jsonText, type RequestJson } from "../../src/request/request-json";
import { type RequestLimits, type RequestStore, RequestTask } from "../../src/request/run-request";
import { describeVerb, type Verb } from "../../src/request/verb";
import { VerbFailure } from "../../src/request/verb-failure";
import { CipherNode } from "../engine/cipher-node";
import { SqlNode } from "../engine/sql-node";

interface Dispatched {
  readonly tool: string;
  readonly args: unknown;
}

export interface Stub {
  readonly result?: RequestJson;
  readonly fail?: string;
  readonly assertive?: boolean;
  /** What it says beside its result. */
  readonly beside?: JsonObject;
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
      run: (site, args) => {
        dispatched.push({ tool: name, args: JSON.parse(jsonText(args as JsonObject)) });
        if (stub.fail !== undefined) throw new VerbFailure(null, stub.fail);
        site.advise(stub.beside ?? {});
        return stub.result ?? null;
      },
    }),
  );
  const sql = new SqlNode();
  const cipher = new CipherNode();
  const store = Store.open(sql, cipher);
  let clock = 1_767_225_600_000_000;
  const requestStore: RequestStore = {
    storeId: "store1",
    bornAs: "store1",
    begin: (call) => store.beginCall({ keyId: call.caller.keyId, level: call.caller.level, wallMicros: clock++, writes: true }),
    startTool: () => {
      throw new Error("no tools here");
    },
    embeddingModel: null,
    events: new EventLog(sql, cipher, "store1"),
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
