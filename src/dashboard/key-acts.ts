/** What is done to a store's keys, and written down: by its pages and by the JSON interface alike. */
import { writeAudit } from "../directory/accounts";
import type { Directory } from "../directory/directory";
import type { StoreRow } from "../directory/stores";
import type { StoreObject } from "../durable/store-object";
import { LEVELS, type Level } from "../engine/claim";

/** Who does it, and with what at hand. */
export interface KeyActor {
  readonly db: Directory;
  readonly nowMs: number;
  readonly object: Pick<DurableObjectStub<StoreObject>, "listKeys" | "setLevel" | "revokeKey">;
  readonly store: StoreRow;
  /** What the audit log names: a session, `password`. */
  readonly by: string;
  /** A password or passkey was shown just now: a level may be raised. */
  readonly proven: boolean;
}

export async function changeLevel(actor: KeyActor, keyId: string, level: Level): Promise<"changed" | "prove" | "unknown"> {
  const { db, nowMs, object, store, by } = actor;
  const key = (await object.listKeys()).find((one) => one.keyId === keyId && one.revokedAtMs === null);
  if (key === undefined) return "unknown";
  if (LEVELS.indexOf(level) > LEVELS.indexOf(key.level) && !actor.proven) return "prove";
  if (!(await object.setLevel(keyId, level))) return "unknown";
  const detail = `${store.id} ${key.level} to ${level}`;
  await writeAudit(db, { accountId: store.accountId, act: "key.level", subject: keyId, detail, by }, nowMs);
  return "changed";
}

/** False where the store has no such key that is not revoked. */
export async function revokeKey({ db, nowMs, object, store, by }: KeyActor, keyId: string): Promise<boolean> {
  if (!(await object.revokeKey(keyId))) return false;
  await writeAudit(db, { accountId: store.accountId, act: "key.revoked", subject: keyId, detail: store.id, by }, nowMs);
  return true;
}

export function levelOf(text: unknown): Level | null {
  return LEVELS.find((level) => level === text) ?? null;
}
