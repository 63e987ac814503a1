/** Secrets that are given out once and known by their hash afterwards: 256 random bits as 43 characters. */

/** URL-safe base64 of 32 random bytes, without padding. */
export function newSecret(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)));
}

/** Lower-case hex SHA-256 of a text. */
export async function sha256(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A short id that names a thing and opens nothing. */
export function newId(prefix: string): string {
  return `${prefix}_${base64Url(crypto.getRandomValues(new Uint8Array(12)))}`;
}

export function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}
