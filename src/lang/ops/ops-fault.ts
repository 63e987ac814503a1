/**
 * What can be wrong with an `ops` text, by name (request facts §3), each with a message that says what would fix it.
 *
 * A message gives at most one position, in bytes of the trimmed text, and says nothing of how the text travelled.
 */
import { OPS_LIMITS, type OpsLimits } from "./ops";

export type OpsFaultKind =
  | "empty"
  | "input_too_large"
  | "too_many_ops"
  | "nesting_too_deep"
  | "unexpected_char"
  | "unexpected_eof"
  | "invalid_identifier"
  | "duplicate_arg"
  | "invalid_value"
  | "invalid_json"
  | "unclosed_string"
  | "unclosed_call"
  | "unclosed_bracket"
  | "prev_outside_chain"
  | "prev_in_json"
  | "mixed_separators"
  | "empty_batch"
  | "unsupported_verb_nesting"
  | "reserved_arg"
  | "trailing_comma";

export interface OpsFault {
  readonly kind: OpsFaultKind;
  readonly message: string;
  /** Byte offset in the trimmed text; null where the fault has no place. */
  readonly at: number | null;
}

/** Thrown inside the parser only; `index` counts UTF-16 units, as the parser does. `message` has `{at}` where the place belongs. */
export class OpsProblem extends Error {
  constructor(
    readonly kind: OpsFaultKind,
    message: string,
    readonly index: number | null,
  ) {
    super(message);
  }
}

export function faultOf(problem: OpsProblem, text: string): OpsFault {
  const at = problem.index === null ? null : utf8Bytes(text, problem.index);
  return { kind: problem.kind, message: problem.message.replace("{at}", `at byte ${at}`), at };
}

/** Bytes of the first `end` units of a text. */
export function utf8Bytes(text: string, end = text.length): number {
  let bytes = end;
  for (let i = 0; i < end; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    // The halves of a pair count two each.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes;
}

// ---- the messages

export const empty = (): OpsProblem => new OpsProblem("empty", "the request is empty: write at least one call, such as `stats()`", null);

export const tooLarge = (bytes: number, limits: OpsLimits): OpsProblem =>
  new OpsProblem(
    "input_too_large",
    `the text has ${bytes} bytes and at most ${limits.max_input_len} are read: send it as several requests`,
    null,
  );

export const tooManyOps = (count: number, limits: OpsLimits = OPS_LIMITS): OpsProblem =>
  new OpsProblem(
    "too_many_ops",
    `${count} ops in one request, and at most ${limits.max_ops} are taken: send the rest in another request`,
    null,
  );

export const tooDeep = (index: number): OpsProblem =>
  new OpsProblem(
    "nesting_too_deep",
    `a value nests ${OPS_LIMITS.max_depth + 1} deep {at}, and at most ${OPS_LIMITS.max_depth} is read`,
    index,
  );

export const unexpected = (text: string, index: number, expected: string): OpsProblem =>
  index >= text.length
    ? new OpsProblem("unexpected_eof", `got the end of input, expected ${expected}`, index)
    : new OpsProblem("unexpected_char", `got ${shown(text, index)} {at}, expected ${expected}`, index);

export const badIdentifier = (text: string, index: number, what: string): OpsProblem => {
  const got = index >= text.length ? "the end of input" : shown(text, index);
  return new OpsProblem(
    "invalid_identifier",
    `got ${got} {at}, expected ${what}: an identifier is an ASCII letter or _ and then letters, digits or _`,
    index,
  );
};

export const duplicateArgument = (name: string, index: number): OpsProblem =>
  new OpsProblem("duplicate_arg", `the argument "${name}" is given twice, again {at}: give it once`, index);

export const badValue = (why: string, index: number): OpsProblem => new OpsProblem("invalid_value", `not a value {at}: ${why}`, index);

export const badJson = (why: string, index: number | null): OpsProblem =>
  new OpsProblem("invalid_json", `the JSON form cannot be read: ${why}`, index);

export const unclosedString = (index: number): OpsProblem =>
  new OpsProblem(
    "unclosed_string",
    'unterminated string: the quote opened {at} is never closed; end it with ", and write \\" for a quote inside',
    index,
  );

export const unclosedCall = (index: number): OpsProblem =>
  new OpsProblem("unclosed_call", "unclosed call: the parenthesis opened {at} is never closed; end the call with )", index);

export const unclosedBracket = (bracket: string, index: number): OpsProblem =>
  new OpsProblem(
    "unclosed_bracket",
    `unclosed ${bracket} {at}: a value is one JSON literal, and brackets close in the order they open`,
    index,
  );

export const prevOutsideChain = (index: number): OpsProblem =>
  new OpsProblem(
    "prev_outside_chain",
    "$prev {at} has no call before it: it reads the result of the call just before in the same chain, so join the two with |, as in `create(...) | get(id=$prev.id)`",
    index,
  );

export const prevInJson = (argument: string): OpsProblem =>
  new OpsProblem(
    "prev_in_json",
    `argument ${JSON.stringify(argument)} refers to $prev, which the JSON form does not have: write the calls as a chain with |, as in \`create(...) | get(id=$prev.id)\``,
    null,
  );

export const mixedSeparators = (index: number): OpsProblem =>
  new OpsProblem(
    "mixed_separators",
    "mixed separators: the comma {at} stands outside any bracket. For independent calls write [a(), b()], for units of a batch [a() | b(), c()], or send two requests",
    index,
  );

export const emptyBatch = (): OpsProblem =>
  new OpsProblem("empty_batch", "the batch is empty: give at least one op between the brackets, as in [stats()]", null);

export const nestedVerb = (index: number): OpsProblem =>
  new OpsProblem("unsupported_verb_nesting", "a verb has at most one dot, as in `memory.recall`: there is a second dot {at}", index);

export const reservedArgument = (argument: string, verb: string): OpsProblem =>
  new OpsProblem("reserved_arg", `"${argument}" is no argument of ${verb}: pass it beside \`ops\`, on the request itself`, null);

export const trailingComma = (index: number): OpsProblem =>
  new OpsProblem("trailing_comma", "trailing comma {at}: remove it, or write another call after it", index);

/** A character of the text as a message shows it. */
export function shown(text: string, index: number): string {
  const char = String.fromCodePoint(text.codePointAt(index)!);
  return char === "`" ? "a backtick" : `\`${/[\p{C}\p{Z}]/u.test(char) && char !== " " ? escaped(char) : char}\``;
}

function escaped(char: string): string {
  return `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}
