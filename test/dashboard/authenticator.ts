/** An authenticator as a browser has one, in software: makes a key pair for a host, and signs what it is asked with a count. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

export interface Wish {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
}

/** What a browser would have put in of itself. */
export interface Circumstances {
  readonly origin: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  /** The person was verified, not only there. */
  readonly verified?: boolean;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_KEY = 0x40;

export class Authenticator {
  readonly id = randomBytes(24);
  /** Signatures made so far; one that does not count says 0. */
  counter = 0;
  readonly #counts: boolean;
  readonly #privateKey: KeyObject;
  readonly #x: Buffer;
  readonly #y: Buffer;

  constructor({ counts = true } = {}) {
    this.#counts = counts;
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    this.#privateKey = privateKey;
    this.#x = Buffer.from(x, "base64url");
    this.#y = Buffer.from(y, "base64url");
  }

  get name(): string {
    return this.id.toString("base64url");
  }

  register(wish: Wish, there: Circumstances) {
    const authData = Buffer.concat([
      this.#head(there.rpId ?? wish.rp?.id ?? "", HAS_KEY, there),
      Buffer.alloc(16),
      Buffer.from([0, this.id.length]),
      this.id,
      // COSE: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
      Buffer.from("a5010203262001215820", "hex"),
      this.#x,
      Buffer.from("225820", "hex"),
      this.#y,
    ]);
    // CBOR: {"fmt": "none", "attStmt": {}, "authData": bytes}
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      cborText("fmt"),
      cborText("none"),
      cborText("attStmt"),
      Buffer.from([0xa0]),
      cborText("authData"),
      Buffer.from([0x59, authData.length >> 8, authData.length & 255]),
      authData,
    ]);
    return this.#answer({
      clientDataJSON: clientData("webauthn.create", wish, there).toString("base64url"),
      attestationObject: attestation.toString("base64url"),
      transports: ["internal"],
    });
  }

  sign(wish: Wish, there: Circumstances) {
    if (this.#counts) this.counter++;
    const authData = this.#head(there.rpId ?? wish.rpId ?? "", 0, there);
    const client = clientData("webauthn.get", wish, there);
    const signature = sign("sha256", Buffer.concat([authData, createHash("sha256").update(client).digest()]), this.#privateKey);
    return this.#answer({
      clientDataJSON: client.toString("base64url"),
      authenticatorData: authData.toString("base64url"),
      signature: signature.toString("base64url"),
    });
  }

  #answer<R extends object>(response: R) {
    return { id: this.name, rawId: this.name, type: "public-key", clientExtensionResults: {}, response };
  }

  #head(rpId: string, flags: number, { verified = true }: Circumstances): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([createHash("sha256").update(rpId).digest(), Buffer.from([PRESENT | (verified ? VERIFIED : 0) | flags]), counter]);
  }
}

function clientData(type: string, { challenge }: Wish, there: Circumstances): Buffer {
  return Buffer.from(
    JSON.stringify({ type: there.type ?? type, challenge: there.challenge ?? challenge, origin: there.origin, crossOrigin: false }),
  );
}

/** Of fewer than 24 letters. */
function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 | text.length]), Buffer.from(text)]);
}
