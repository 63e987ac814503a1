/**
 * What is asked of an authenticator, and whether what it signed holds.
 *
 * A challenge is a ticket: good once, for five minutes, and for the account it was given to. The answer must come from a page of this
 * origin and host, from a person the authenticator has verified, and count on from the last one.
 */
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { listPasskeys, type PasskeyRow, readPasskey, usePasskey } from "../directory/passkeys";
import type { SignedIn } from "../directory/sessions";
import { issueTicket, useTicket } from "../directory/tickets";
import type { Page } from "./site";

const CHALLENGE_MS = 5 * 60_000;
const BODY_CHARS_MAX = 32_768;

type Registered = Parameters<typeof verifyRegistrationResponse>[0]["response"];
type Asserted = Parameters<typeof verifyAuthenticationResponse>[0]["response"];
type Transport = NonNullable<NonNullable<Parameters<typeof verifyAuthenticationResponse>[0]["credential"]["transports"]>[number]>;

export async function registrationOptions(c: Page, { accountId, email }: SignedIn) {
  const known = await listPasskeys(c.get("db"), accountId);
  return generateRegistrationOptions({
    rpName: "DKE",
    rpID: new URL(c.req.url).hostname,
    userName: email ?? "account",
    userID: Uint8Array.from(Buffer.from(accountId, "hex")),
    challenge: await newChallenge(c, accountId),
    timeout: CHALLENGE_MS,
    attestationType: "none",
    excludeCredentials: known.map(described),
    // It signs in by itself, so it is kept by the authenticator and opened by its owner.
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/** @param accountId  Whose passkey is asked for; null: whoever's it is. */
export async function assertionOptions(c: Page, accountId: string | null) {
  const known = accountId === null ? [] : await listPasskeys(c.get("db"), accountId);
  return generateAuthenticationOptions({
    rpID: new URL(c.req.url).hostname,
    challenge: await newChallenge(c, accountId),
    timeout: CHALLENGE_MS,
    allowCredentials: known.map(described),
    userVerification: "required",
  });
}

export type NewPasskey = Pick<PasskeyRow, "credentialId" | "publicKey" | "counter" | "transports">;

/** The passkey that was made; null where the answer does not hold. */
export async function registered(c: Page, accountId: string, response: unknown): Promise<NewPasskey | null> {
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as Registered,
      expectedChallenge: (challenge) => isOurs(c, accountId, challenge),
      expectedOrigin: new URL(c.req.url).origin,
      expectedRPID: new URL(c.req.url).hostname,
    });
    if (!verified) return null;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    return { credentialId: id, publicKey, counter, transports: transports.filter((one) => /^[a-z-]{1,16}$/.test(one)) };
  } catch {
    return null; // The library says by throwing that an answer is malformed or does not hold.
  }
}

/**
 * Whose passkey signed; null where the answer does not hold.
 *
 * @param accountId  Who was asked; null: anybody.
 */
export async function asserted(c: Page, accountId: string | null, response: unknown): Promise<string | null> {
  const { id } = (response ?? {}) as { readonly id?: unknown };
  const known = typeof id === "string" ? await readPasskey(c.get("db"), id) : null;
  if (known === null || (accountId !== null && known.accountId !== accountId)) return null;
  try {
    const { credentialId, publicKey, counter } = known;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as Asserted,
      expectedChallenge: (challenge) => isOurs(c, accountId, challenge),
      expectedOrigin: new URL(c.req.url).origin,
      expectedRPID: new URL(c.req.url).hostname,
      credential: { id: credentialId, publicKey, counter },
    });
    if (!verified || !(await usePasskey(c.get("db"), known, authenticationInfo.newCounter, c.get("nowMs")))) return null;
    return known.accountId;
  } catch {
    return null;
  }
}

/** What a page's script sent; null where it is no JSON, or long. */
export async function sentJson(c: Page): Promise<{ readonly [name: string]: unknown } | null> {
  const text = await c.req.text();
  if (text.length > BODY_CHARS_MAX) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as { readonly [name: string]: unknown }) : null;
  } catch {
    return null;
  }
}

async function newChallenge(c: Page, accountId: string | null): Promise<Uint8Array<ArrayBuffer>> {
  const secret = await issueTicket(c.get("db"), "challenge", accountId, c.get("nowMs") + CHALLENGE_MS);
  return Uint8Array.from(Buffer.from(secret, "base64url"));
}

/** Uses it up, whoever's it was. */
async function isOurs(c: Page, accountId: string | null, challenge: string): Promise<boolean> {
  return (await useTicket(c.get("db"), "challenge", challenge, c.get("nowMs"))) === accountId;
}

function described({ credentialId, transports }: PasskeyRow) {
  return { id: credentialId, transports: [...transports] as Transport[] };
}
