/**
 * Digits of doubles in the layouts of C's printf and of `repr` (`e f g r %`), shared by `format` and `%`.
 *
 * Digits come correctly rounded from float-digits.ts; this file decides where the point and the exponent stand.
 */
import { fixedDigits, shortestDigits, significantDigits } from "./float-digits";
import { checkChars } from "./meter";

export interface FloatLayout {
  /** `e`, `f`, `g` in either case, or `r` for the shortest digits. */
  readonly type: string;
  /** Digits; ignored by `r`. */
  readonly precision: number;
  /** Keep the point and, for `g`, trailing zeros (`#`). */
  readonly alternate: boolean;
  /** `.0` after a whole number in positional form. */
  readonly pointZero: boolean;
  /** A negative number that rounds to zero loses its sign (`z`). */
  readonly positiveZero: boolean;
}

/** x as text, with `-` where it is negative. */
export function floatLayout(x: number, layout: FloatLayout): string {
  const upper = layout.type < "a";
  const type = layout.type.toLowerCase();
  let text: string;
  if (Number.isNaN(x)) text = "nan";
  else if (!Number.isFinite(x)) text = x < 0 ? "-inf" : "inf";
  else {
    checkChars(layout.precision);
    const body = type === "f" ? positional(x, layout) : exponential(x, type, layout);
    const negative = (x < 0 || Object.is(x, -0)) && !(layout.positiveZero && /^[0.]+(?:e|$)/.test(body));
    text = negative ? `-${body}` : body;
  }
  return upper ? text.toUpperCase() : text;
}

function positional(x: number, layout: FloatLayout): string {
  const digits = fixedDigits(x, layout.precision);
  return layout.alternate && layout.precision === 0 ? `${digits}.` : digits;
}

function exponential(x: number, type: string, layout: FloatLayout): string {
  const count = type === "e" ? layout.precision + 1 : Math.max(layout.precision, 1);
  let digits: string;
  let exponent: number;
  if (x === 0) {
    exponent = 0;
    digits = type === "r" ? "0" : "0".repeat(count);
  } else ({ digits, exponent } = type === "r" ? shortestDigits(x) : significantDigits(x, count));
  if (type === "g" && !layout.alternate) digits = digits.replace(/0+$/, "") || "0";
  const point = exponent + 1;
  const shortBelow = point > -4;
  const shortAbove = type === "r" ? point <= 16 : point <= count - (layout.pointZero ? 1 : 0);
  if (type !== "e" && shortBelow && shortAbove) return plainDigits(digits, point, layout);
  const fraction = digits.slice(1);
  const size = Math.abs(exponent);
  const mark = fraction !== "" || layout.alternate ? "." : "";
  return `${digits[0]}${mark}${fraction}e${exponent < 0 ? "-" : "+"}${size < 10 ? `0${size}` : size}`;
}

/** Digits with the point after the first `point` of them. */
function plainDigits(digits: string, point: number, layout: FloatLayout): string {
  if (point <= 0) return `0.${"0".repeat(-point)}${digits}`;
  const whole = digits.slice(0, point).padEnd(point, "0");
  const fraction = digits.slice(point);
  if (fraction !== "") return `${whole}.${fraction}`;
  return layout.pointZero ? `${whole}.0` : layout.alternate ? `${whole}.` : whole;
}
