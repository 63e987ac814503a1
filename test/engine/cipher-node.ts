/** The cipher port over Node's AES-256-GCM, for tests: the same guarantees as the vault's. */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Cipher } from "../../src/engine/sql";

export class CipherNode implements Cipher {
  readonly lookupKey: readonly [bigint, bigint];
  readonly #key: Buffer;
  /** Pages sealed so far. */
  sealed = 0;

  constructor(key: Buffer = randomBytes(32)) {
    this.#key = key;
    this.lookupKey = [key.readBigUInt64LE(0), key.readBigUInt64LE(8)];
  }

  seal(plain: Uint8Array, context: string): Uint8Array {
    this.sealed++;
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", this.#key, nonce);
    cipher.setAAD(Buffer.from(context));
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  }

  open(sealed: Uint8Array, context: string): Uint8Array {
    const decipher = createDecipheriv("aes-256-gcm", this.#key, sealed.subarray(0, 12));
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(sealed.subarray(sealed.length - 16));
    return new Uint8Array(Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]));
  }
}
