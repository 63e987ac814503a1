/**
 * The list of digests of the programs that are served, and whether it is to be believed.
 *
 * A line a file, `sha256  name`, sorted by name, and beside the list its Ed25519 signature in base64. The key that signs is kept
 * off the service; its public half is in this program, on the security page and in the repository, so that one changed place
 * does not go unnoticed.
 */
import { createHash, createPublicKey, verify as verifySignature } from "node:crypto";

/** SHA-256 in lower-case hex, by file name. */
export type Digests = ReadonlyMap<string, string>;

/** The list, if its signature is that of the public key (SPKI, PEM); null where it is not, or where it is no list. */
export function readDigests(list: string, signature: string, publicKey: string): Digests | null {
  const isSigned = verifySignature(null, Buffer.from(list, "utf8"), createPublicKey(publicKey), Buffer.from(signature.trim(), "base64"));
  if (!isSigned) return null;
  const digests = new Map<string, string>();
  for (const line of list.split("\n")) {
    if (line === "") continue;
    const parts = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line);
    if (parts === null) return null;
    digests.set(parts[2], parts[1]);
  }
  return digests;
}

/** SHA-256 of a public key (SPKI, DER), in lower-case hex: what people compare. */
export function fingerprintOf(publicKey: string): string {
  return digestOf(createPublicKey(publicKey).export({ type: "spki", format: "der" }));
}

/** SHA-256 in lower-case hex. */
export function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Names of the list under which exactly these bytes stand. */
export function namesOf(digests: Digests, bytes: Uint8Array): string[] {
  const digest = digestOf(bytes);
  return [...digests].filter(([, known]) => known === digest).map(([name]) => name);
}
