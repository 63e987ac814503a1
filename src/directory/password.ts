/**
 * Passwords: scrypt with N = 2^14, r = 8, p = 5 (a choice of OWASP's; 16 MiB and a quarter of a second here).
 *
 * Kept as `scrypt$14$8$5$salt$hash`, so that what is kept says how it was made. An account that does not exist costs the same work.
 */
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

const COST = { logN: 14, r: 8, p: 5 } as const;
const HASH_BYTES = 32;
const SALT_BYTES = 16;
/** scrypt takes 128 * N * r bytes; Node refuses more than this. */
const MEMORY_MAX = 64 * 1024 * 1024;
export const PASSWORD_CHARS = { min: 8, max: 128 } as const;

/** Nobody's; what an unknown account is checked against. */
const DECOY = `scrypt$${COST.logN}$${COST.r}$${COST.p}$${Buffer.alloc(SALT_BYTES).toString("base64")}$${Buffer.alloc(HASH_BYTES).toString("base64")}`;

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, COST);
  return `scrypt$${COST.logN}$${COST.r}$${COST.p}$${salt.toString("base64")}$${hash.toString("base64")}`;
}

/** `kept` null where there is no account, or none with a password: the answer is false, and takes as long. */
export async function checkPassword(password: string, kept: string | null): Promise<boolean> {
  const [, logN, r, p, salt, hash] = (kept ?? DECOY).split("$");
  const wanted = Buffer.from(hash, "base64");
  const given = await derive(password, Buffer.from(salt, "base64"), { logN: Number(logN), r: Number(r), p: Number(p) });
  return timingSafeEqual(given, wanted) && kept !== null;
}

/** Why a password may not be taken; null where it may. Composition is nobody's business; length and being well known are. */
export function passwordFault(password: string, email: string): string | null {
  const length = [...password].length;
  if (length < PASSWORD_CHARS.min) return `A password has at least ${PASSWORD_CHARS.min} characters.`;
  if (length > PASSWORD_CHARS.max) return `A password has at most ${PASSWORD_CHARS.max} characters.`;
  if (new Set(password).size < 3) return "This password is one character over and over.";
  const lower = password.toLowerCase();
  if (lower === email.toLowerCase() || lower === email.toLowerCase().split("@")[0]) return "This password is your address.";
  if (WELL_KNOWN.has(lower)) return "This password is one of the first that anybody would try.";
  return null;
}

function derive(password: string, salt: Uint8Array, { logN, r, p }: { logN: number; r: number; p: number }): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { N: 2 ** logN, r, p, maxmem: MEMORY_MAX };
    // The same characters typed on another keyboard are the same password.
    scrypt(password.normalize("NFKC"), salt, HASH_BYTES, options, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}

/** The most common ones of eight characters and more in published lists. */
const WELL_KNOWN: ReadonlySet<string> = new Set(
  `12345678 123456789 1234567890 0123456789 password password1 password12 password123 passw0rd qwertyuiop qwerty123 qwerty1234 1q2w3e4r
   1q2w3e4r5t 1qaz2wsx zaq12wsx abcd1234 abc12345 a1b2c3d4 iloveyou sunshine princess football baseball basketball superman
   batman123 trustno1 letmein1 letmein123 welcome1 welcome123 admin123 administrator changeme computer internet whatever
   11111111 00000000 87654321 88888888 12341234 11223344 123123123 987654321 asdfghjkl zxcvbnm123 monkey123 dragon123 master123
   michelle jennifer samantha starwars pokemon123 liverpool chelsea1 football1 baseball1 charlie1 jordan23 corvette mercedes
   p@ssw0rd p@ssword qwertyui asdfasdf qazwsxedc 1234qwer qwer1234 google123 facebook1 linkedin loveyou1 iloveyou1 secret123`.split(/\s+/),
);
