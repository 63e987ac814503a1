/**
 * The flags of `re`: ints that print as their names. As flags they are whole; of what an int does otherwise an index and
 * `int(flag)` are there, and all else is refused by name, where the type would be named in a complaint Python does not make.
 */
import { Refusal } from "../../failure";
import type { Method } from "../value/attribute";
import { equal } from "../value/protocol-equal";
import { PyNative, type Value } from "../value/value";
import { FLAG } from "./re-parse";

const NAMES: readonly (readonly [string, number])[] = [
  ["TEMPLATE", 1],
  ["IGNORECASE", FLAG.IGNORECASE],
  ["LOCALE", FLAG.LOCALE],
  ["MULTILINE", FLAG.MULTILINE],
  ["DOTALL", FLAG.DOTALL],
  ["UNICODE", FLAG.UNICODE],
  ["VERBOSE", FLAG.VERBOSE],
  ["DEBUG", FLAG.DEBUG],
  ["ASCII", FLAG.ASCII],
];

/** `re.IGNORECASE|re.DOTALL`, as a pattern shows its flags. */
export function flagNames(bits: number): string {
  return NAMES.filter(([, bit]) => (bits & bit) !== 0)
    .map(([name]) => `re.${name}`)
    .join("|");
}

/** The names in the order of the class, as a flag shows itself; bits that no flag has follow as one number. */
const MEMBERS: readonly (readonly [string, number])[] = [
  ["ASCII", FLAG.ASCII],
  ["IGNORECASE", FLAG.IGNORECASE],
  ["LOCALE", FLAG.LOCALE],
  ["UNICODE", FLAG.UNICODE],
  ["MULTILINE", FLAG.MULTILINE],
  ["DOTALL", FLAG.DOTALL],
  ["VERBOSE", FLAG.VERBOSE],
  ["TEMPLATE", 1],
  ["DEBUG", FLAG.DEBUG],
];
const ALL_FLAGS = MEMBERS.reduce((all, [, bit]) => all | bit, 0);
function memberNames(bits: number, before: string): string {
  const names = MEMBERS.filter(([, bit]) => (bits & bit) !== 0).map(([name]) => before + name);
  const unknown = bits & ~ALL_FLAGS;
  return (unknown === 0 ? names : [...names, `0x${unknown.toString(16)}`]).join("|");
}

const made = new Map<number, RegexFlag>();

function asNumber(): never {
  throw new Refusal("out_of_surface", "a flag of re takes |, & and ^; as a number it is `.value`");
}

const NO_METHODS: ReadonlyMap<string, Method> = new Map();

export class RegexFlag extends PyNative {
  readonly methods = NO_METHODS;
  private constructor(readonly bits: number) {
    super();
  }
  /** One object for each set of flags, as in Python: `re.I is re.IGNORECASE`. */
  static of(bits: number): RegexFlag {
    if (bits > ALL_FLAGS) return new RegexFlag(bits);
    let flag = made.get(bits);
    if (flag === undefined) made.set(bits, (flag = new RegexFlag(bits)));
    return flag;
  }
  get typeName(): string {
    return asNumber();
  }
  override get typeWord(): string {
    return "RegexFlag";
  }
  override asInt(): number {
    return this.bits;
  }
  repr(): string {
    return this.bits === 0 ? "re.NOFLAG" : memberNames(this.bits, "re.");
  }
  override attribute(name: string): Value | undefined {
    if (name === "value") return this.bits;
    return name === "name" ? memberNames(this.bits, "") : undefined;
  }
  override equals(other: Value): boolean {
    return other instanceof RegexFlag ? other.bits === this.bits : equal(this.bits, other);
  }
  override hashKey(): number {
    return this.bits;
  }
  override truth(): boolean {
    return this.bits !== 0;
  }
  override invert(): Value {
    // Of what takes more bits than the flags, as many as it takes.
    const width = Math.max(ALL_FLAGS + 1, 2 ** (32 - Math.clz32(this.bits + 1)));
    return RegexFlag.of(width - 1 - this.bits);
  }
  override binary(op: string, other: Value): Value | undefined {
    const bits = flagBits(other);
    if (bits === undefined) return undefined;
    if (op === "|" || op === "|=") return RegexFlag.of(this.bits | bits);
    if (op === "&" || op === "&=") return RegexFlag.of(this.bits & bits);
    if (op === "^" || op === "^=") return RegexFlag.of(this.bits ^ bits);
    return asNumber();
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
).map(([name, bits]) => [name, RegexFlag.of(bits)] as const);
