/**
 * Requests signed with a shared secret, in Stripe's scheme: `t=SECONDS,v1=HEX[,v1=HEX…]`, where a v1 is the HMAC-SHA-256 of
 * `SECONDS.BODY`. What was signed more than five minutes ago, or for a time that far ahead, is not taken.
 *
 * The payment provider signs so, and so does the operator's command (scripts/operator.mjs).
 */
import { createHmac, timingSafeEqual } from "node:crypto";

const TOLERANCE_S = 300;
/** A provider that changes its secret signs with two for a while. */
const SIGNATURES_MAX = 8;

export function signatureOf(body: string, secret: string, atS: number): string {
  return `t=${atS},v1=${mac(`${atS}.${body}`, secret).toString("hex")}`;
}

export function isSigned(header: string, body: string, secret: string, nowMs: number): boolean {
  const fields = header.split(",", SIGNATURES_MAX + 2).map((field) => field.trim().split("=", 2) as [string, string | undefined]);
  const at = fields.find(([name]) => name === "t")?.[1] ?? "";
  if (!/^\d{1,12}$/.test(at) || Math.abs(nowMs / 1000 - Number(at)) > TOLERANCE_S) return false;
  const wanted = mac(`${at}.${body}`, secret);
  let isOne = false;
  for (const [name, hex = ""] of fields) {
    if (name !== "v1" || !/^[0-9a-f]{64}$/.test(hex)) continue;
    // Every one is compared, whichever fits.
    if (timingSafeEqual(Buffer.from(hex, "hex"), wanted)) isOne = true;
  }
  return isOne;
}

function mac(text: string, secret: string): Buffer {
  return createHmac("sha256", secret).update(text, "utf8").digest();
}
