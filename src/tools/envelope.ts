/**
 * The result of a `tools/call` (contract §5): the answer's text first, then its mirror, and everything on `_meta`.
 *
 * Never `structuredContent`: clients that find one show the model nothing else.
 */
import type { Json, ToolAnswer } from "./answer";

export interface ToolResult {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  readonly isError: boolean;
  readonly _meta: { readonly [key: string]: Json };
}

/** Whom the answer is for, and when it was given. */
export interface Told {
  readonly tenantId: string;
  readonly keyId: string;
  readonly answeredAt: string;
}

export function toolResult(told: Told, answer: ToolAnswer): ToolResult {
  const head = envelopeHead(told, answer);
  const content = [{ type: "text" as const, text: answer.text }];
  if (isMembers(answer.mirror)) content.push({ type: "text", text: `\n${JSON.stringify({ ...head, ...answer.mirror })}` });
  return { content, isError: answer.status !== "success", _meta: { ...head, ...answer.meta } };
}

/** What `_meta` and the mirror begin with. */
export function envelopeHead(told: Told, answer: ToolAnswer): { readonly [key: string]: Json } {
  return {
    status: answer.status,
    tenant_id: told.tenantId,
    key_id: told.keyId,
    answered_at: told.answeredAt,
    ops: answer.ops,
  };
}

export function isMembers(mirror: Json): mirror is { readonly [key: string]: Json } {
  return typeof mirror === "object" && mirror !== null && !Array.isArray(mirror);
}
