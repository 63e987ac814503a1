/** The flags of `re`: whole numbers that print as their names. */
import type { Method } from "../value/attribute";
import { equal } from "../value/protocol-equal";
import { PyNative, type Value } from "../value/value";
import { FLAG } from "./re-parse";

const NAMES: readonly (readonly [string, number])[] = [
  ["IGNORECASE", FLAG.IGNORECASE],
  ["LOCALE", FLAG.LOCALE],
  ["MULTILINE", FLAG.MULTILINE],
  ["DOTALL", FLAG.DOTALL],
  ["UNICODE", FLAG.UNICODE],
  ["VERBOSE", FLAG.VERBOSE],
  ["DEBUG", FLAG.DEBUG],
  ["ASCII", FLAG.ASCII],
];

/** `re.IGNORECASE|re.DOTALL`. */
export function flagNames(bits: number): string {
  return NAMES.filter(([, bit]) => (bits & bit) !== 0)
    .map(([name]) => `re.${name}`)
    .join("|");
}

const NO_METHODS: ReadonlyMap<string, Method> = new Map();

export class RegexFlag extends PyNative {
  readonly typeName = "RegexFlag";
  readonly methods = NO_METHODS;
  constructor(readonly bits: number) {
    super();
  }
  repr(): string {
    return this.bits === 0 ? "re.NOFLAG" : flagNames(this.bits);
  }
  override attribute(name: string): Value | undefined {
    if (name === "value") return this.bits;
    return name === "name" ? flagNames(this.bits).replaceAll("re.", "") : undefined;
  }
  override equals(other: Value): boolean {
    return other instanceof RegexFlag ? other.bits === this.bits : equal(this.bits, other);
  }
  override hashKey(): number {
    return this.bits;
  }
  override binary(op: string, other: Value): Value | undefined {
    const bits = flagBits(other);
    if (bits === undefined) return undefined;
    if (op === "|" || op === "|=") return new RegexFlag(this.bits | bits);
    if (op === "&" || op === "&=") return new RegexFlag(this.bits & bits);
    return op === "^" || op === "^=" ? new RegexFlag(this.bits ^ bits) : undefined;
  }
}

/** The bits of a flags argument, undefined where it is none. */
export function flagBits(v: Value): number | undefined {
  if (v instanceof RegexFlag) return v.bits;
  if (typeof v === "boolean") return Number(v);
  return typeof v === "number" ? v : undefined;
}

/** Every flag under its long and its short name. */
export const FLAGS: readonly (readonly [string, Value])[] = (
  [
    ["NOFLAG", 0],
    ["IGNORECASE", FLAG.IGNORECASE],
    ["I", FLAG.IGNORECASE],
    ["MULTILINE", FLAG.MULTILINE],
    ["M", FLAG.MULTILINE],
    ["DOTALL", FLAG.DOTALL],
    ["S", FLAG.DOTALL],
    ["VERBOSE", FLAG.VERBOSE],
    ["X", FLAG.VERBOSE],
    ["ASCII", FLAG.ASCII],
    ["A", FLAG.ASCII],
    ["UNICODE", FLAG.UNICODE],
    ["U", FLAG.UNICODE],
  ] as const
).map(([name, bits]) => [name, new RegexFlag(bits)] as const);
