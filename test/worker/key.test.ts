/** The text form of store keys: one spelling a key, and no wrong character passes. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readAuthorization } from "../../src/worker/auth";
import { crc32, formatStoreKey, parseStoreKey, STORE_KEY_CHARS } from "../../src/worker/key";

const KEY = formatStoreKey({ objectId: "0123456789abcdef".repeat(4), secret: new Uint8Array(32).fill(7) });

describe("store key", () => {
  it("[C1] comes back from its text, leading zeros included", () => {
    const part = fc.record({
      id: fc.uint8Array({ minLength: 32, maxLength: 32 }),
      secret: fc.uint8Array({ minLength: 32, maxLength: 32 }),
    });
    fc.assert(
      fc.property(part, ({ id, secret }) => {
        const objectId = Buffer.from(id).toString("hex");
        const text = formatStoreKey({ objectId, secret });
        expect(text).toHaveLength(STORE_KEY_CHARS);
        expect(parseStoreKey(text)).toEqual({ objectId, secret: new Uint8Array(secret), text });
      }),
      {
        examples: [
          [{ id: new Uint8Array(32), secret: new Uint8Array(32) }],
          [{ id: new Uint8Array(32).fill(255), secret: new Uint8Array(32).fill(255) }],
        ],
      },
    );
  });

  it("[C7.7] with any one character changed is no key", () => {
    for (let i = 0; i < KEY.length; i++) {
      for (const char of ["0", "1", "z", "A", "-", "é"]) {
        if (KEY[i] !== char) expect(parseStoreKey(KEY.slice(0, i) + char + KEY.slice(i + 1)), `character ${i} as ${char}`).toBeNull();
      }
    }
  });

  it("[C1] longer, shorter, or out of range is no key", () => {
    expect(parseStoreKey(`${KEY}0`)).toBeNull();
    expect(parseStoreKey(KEY.slice(0, -1))).toBeNull();
    const body = `dke_s_${"z".repeat(86)}`; // both parts above 2^256
    expect(parseStoreKey(body + base62(crc32(body)))).toBeNull();
  });

  it("[C1] carries the CRC-32 that zip and PNG use", () => {
    expect(crc32("123456789")).toBe(0xcbf43926);
  });
});

describe("Authorization", () => {
  it.each([
    [undefined, "AUTH_MISSING"],
    [null, "AUTH_MISSING"],
    ["", "AUTH_MALFORMED"],
    ["Bearer", "AUTH_EMPTY_TOKEN"],
    ["Bearer ", "AUTH_EMPTY_TOKEN"],
    ["bearer \t ", "AUTH_EMPTY_TOKEN"],
    ["Bearer dke_c_abc", "AUTH_CUSTOMER_KEY_NOT_ALLOWED"],
    ["BEARER dke_c_", "AUTH_CUSTOMER_KEY_NOT_ALLOWED"],
    ["dke_c_abc", "AUTH_MALFORMED"],
    [`Basic ${KEY}`, "AUTH_MALFORMED"],
    [KEY, "AUTH_MALFORMED"],
    [`Bearer${KEY}`, "AUTH_MALFORMED"],
    [`Bearer ${KEY} x`, "AUTH_MALFORMED"],
    [`Bearer ${KEY}, Bearer ${KEY}`, "AUTH_MALFORMED"],
    [`Bearer "${KEY}"`, "AUTH_MALFORMED"],
    ["Bearer null", "AUTH_MALFORMED"],
    ["Bearer $" + "{DKE_KEY}", "AUTH_MALFORMED"],
    [`Bearer ${"a".repeat(100_000)}`, "AUTH_MALFORMED"],
  ])("[6] %j is %s", (header, code) => {
    expect(readAuthorization(header)).toEqual({ ok: false, code });
  });

  it.each([`Bearer ${KEY}`, `bearer ${KEY}`, `BEARER \t ${KEY} \t`])("[C7.10] %j is a key", (header) => {
    expect(readAuthorization(header)).toMatchObject({ ok: true, key: { text: KEY } });
  });
});

function base62(value: number): string {
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  let text = "";
  for (let rest = value; text.length < 6; rest = Math.floor(rest / 62)) text = digits[rest % 62] + text;
  return text;
}
