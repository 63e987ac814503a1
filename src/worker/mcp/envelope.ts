/**
 * The result of a `tools/call` (contract §5): the answer's text first, then its mirror, and everything on `_meta`.
 *
 * Never `structuredContent`: clients that find one show the model nothing else.
 */
import type { Identity } from "../../durable/call";
import type { Json, ToolAnswer } from "../../tools/answer";

export interface ToolResult {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  readonly isError: boolean;
  readonly _meta: { readonly [key: string]: Json };
}

export function toolResult(identity: Pick<Identity, "tenantId" | "keyId" | "answeredAt">, answer: ToolAnswer): ToolResult {
  const head = {
    status: answer.status,
    tenant_id: identity.tenantId,
    key_id: identity.keyId,
    answered_at: identity.answeredAt,
    ops: answer.ops,
  };
  const content = [{ type: "text" as const, text: answer.text }];
  if (isMembers(answer.mirror)) content.push({ type: "text", text: `\n${JSON.stringify({ ...head, ...answer.mirror })}` });
  return { content, isError: answer.status !== "success", _meta: { ...head, ...answer.meta } };
}

function isMembers(mirror: Json): mirror is { readonly [key: string]: Json } {
  return typeof mirror === "object" && mirror !== null && !Array.isArray(mirror);
}
