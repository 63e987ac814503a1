/**
 * What the platform hands the worker: bindings and settings. `wrangler.toml` is the other half of this file.
 */
import type { StoreProvision, StoreReply, StoreRequest } from "../durable/call";

/**
 * A store object as the worker sees it. Written out here, so that the worker can be compiled and tested without the object.
 */
export interface StoreStub {
  call(request: StoreRequest): Promise<StoreReply>;
  /** The connection of the call of this token closed: stop that call at its next statement. */
  cancel(cancelToken: string): Promise<unknown>;
  /** `notifications/cancelled`: stops the one running call of this key with this request id, if it is exactly one. */
  cancelRequest(keyHash: string, requestId: string | number): Promise<unknown>;
  /** What a client says of itself at `initialize`, for the dashboard. */
  recordClient(keyHash: string, clientInfo: unknown): Promise<unknown>;
  provision(provision: StoreProvision): Promise<unknown>;
}

/** The ids are opaque to us; only the namespace makes and reads them. */
export interface StoreNamespace {
  idFromString(hex: string): DurableObjectId;
  newUniqueId(): DurableObjectId;
  get(id: DurableObjectId): StoreStub;
}

export interface Env {
  readonly STORE: StoreNamespace;
  /** Absent: this server takes no reports. */
  readonly DIRECTORY?: D1Database;
  /** Origins whose pages may call this service, separated by blanks. */
  readonly OWN_ORIGINS: string;
  /** Requests a second, for one address, that may fail for want of a valid key before they are answered 429. */
  readonly FLOOD_PER_S: number;
  /** `off` keeps the line that is logged for each call back; faults are always logged. */
  readonly CALL_LOG?: string;
}
