/**
 * A store of a test's own on the shared service, one key a level, and the few ways in which tests talk to it.
 */
import { inject } from "vitest";
import { askLocal } from "../../scripts/migrate.mjs";
import type { Level } from "../../src/engine/claim";
import { OPS_PER_LCN } from "../../src/limits";

export interface FreshStore {
  readonly id: string;
  readonly keys: Readonly<Record<Level, string>>;
}

export interface RpcAnswer {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked at member by member.
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
}

/** @param balanceLcn  What the store's account opens with, in LangCoin. */
export async function freshStore(balanceLcn = 1_000_000_000): Promise<FreshStore> {
  const wish = { balanceOps: balanceLcn * OPS_PER_LCN };
  return (await askLocal(inject("serviceUrl"), inject("localToken"), "store", wish)) as FreshStore;
}

/** POSTs `body` as it is. */
export function post(
  key: string,
  body: string,
  init: { readonly headers?: Record<string, string>; readonly signal?: AbortSignal } = {},
): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", ...init.headers };
  return fetch(inject("serviceUrl"), { method: "POST", headers, body, signal: init.signal });
}

let lastId = 0;

/** One request; its answer must be HTTP 200 and carry the request's id. */
export async function rpc(key: string, method: string, params?: unknown): Promise<RpcAnswer> {
  const id = ++lastId;
  const response = await post(key, JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  if (response.status !== 200) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
  const answer = (await response.json()) as RpcAnswer;
  if (answer.id !== id) throw new Error(`asked as ${id}, answered as ${answer.id}`);
  return answer;
}

export function callTool(key: string, name: string, args: Readonly<Record<string, unknown>> = {}): Promise<RpcAnswer> {
  return rpc(key, "tools/call", { name, arguments: args });
}
