/**
 * What a client says of itself beside the call, in the call's `_meta`: whom it speaks for, and what it takes this service
 * to be (docs/decisions/what-a-request-client-states.md). A client that is wrong about the service is told so before
 * anything runs; one that says nothing is checked for nothing.
 */
import type { RequestFault } from "./request-arguments";

export const PROTOCOL_VERSION = 5;
const ATOMIC_OPS_MAX = 2000;
const NAME_CHARS_MAX = 256;

export interface ClientStatement {
  /** Of every call that names none. */
  readonly namespace?: string;
  /** Who acts, by name. It grants nothing. */
  readonly actor?: string;
  /** The batch is one unit, kept whole or not at all, of at most so many ops. */
  readonly atomicMaxOps?: number;
}

export type StatementRead =
  | { readonly ok: true; readonly statement: ClientStatement }
  | { readonly ok: false; readonly fault: RequestFault };

export function readStatement(meta: unknown, storeId: string): StatementRead {
  if (typeof meta !== "object" || meta === null) return { ok: true, statement: {} };
  const said = (name: string): unknown => (meta as { readonly [name: string]: unknown })[`khive/${name}`];
  const protocol = said("protocol_version");
  if (protocol !== undefined && protocol !== PROTOCOL_VERSION) {
    return fault(
      "protocol_mismatch",
      `the client speaks protocol version ${shown(protocol)}, and this service speaks ${PROTOCOL_VERSION}`,
      {
        served_protocol_version: PROTOCOL_VERSION,
      },
    );
  }
  const config = said("config_id");
  if (config !== undefined && config !== storeId) {
    return fault("config_mismatch", `the client means the store ${shown(config)}, and its key opens ${storeId}`, {
      served_config_id: storeId,
    });
  }
  const namespace = said("namespace");
  const actor = said("actor");
  const atomic = said("atomic_max_ops");
  for (const [name, value] of Object.entries({ namespace, actor })) {
    if (value !== undefined && !(typeof value === "string" && value !== "" && value.length <= NAME_CHARS_MAX)) {
      return fault("invalid_input", `khive/${name} is a text of 1 to ${NAME_CHARS_MAX} characters`);
    }
  }
  const isCount = typeof atomic === "number" && Number.isInteger(atomic) && atomic >= 1 && atomic <= ATOMIC_OPS_MAX;
  if (atomic !== undefined && !isCount) return fault("invalid_input", `khive/atomic_max_ops is an integer from 1 to ${ATOMIC_OPS_MAX}`);
  return {
    ok: true,
    statement: {
      ...(namespace === undefined ? {} : { namespace: namespace as string }),
      ...(actor === undefined ? {} : { actor: actor as string }),
      ...(atomic === undefined ? {} : { atomicMaxOps: atomic as number }),
    },
  };
}

/** What every answer says of the service. */
export function servedMeta(storeId: string): { readonly [name: string]: string | number } {
  return { "khive/protocol_version": PROTOCOL_VERSION, "khive/config_id": storeId };
}

function fault(kind: string, message: string, more: { readonly [name: string]: string | number } = {}): StatementRead {
  return { ok: false, fault: { message, data: { kind, message, ...more, domain_disposition: "not_committed" } } };
}

function shown(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? JSON.stringify(value).slice(0, 80) : "of another type";
}
