/** The module `string`: its constants. */
import type { Value } from "../value/value";

const lowercase = "abcdefghijklmnopqrstuvwxyz";
const uppercase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const digits = "0123456789";
const punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
const whitespace = " \t\n\r\x0b\x0c";

export const STRING: ReadonlyMap<string, Value> = new Map<string, Value>([
  ["ascii_letters", lowercase + uppercase],
  ["ascii_lowercase", lowercase],
  ["ascii_uppercase", uppercase],
  ["digits", digits],
  ["hexdigits", `${digits}abcdefABCDEF`],
  ["octdigits", "01234567"],
  ["printable", digits + lowercase + uppercase + punctuation + whitespace],
  ["punctuation", punctuation],
  ["whitespace", whitespace],
]);
