/** The module `string`: its constants, `capwords`, and `Template`. */
import { callMethod, getAttribute } from "../value/attribute";
import { raise } from "../value/exception";
import { truthy } from "../value/protocol-iterate";
import { typeName } from "../value/protocol-type";
import { type PyFunction, PyList, type Value } from "../value/value";
import { functionMember } from "./member";
import { bindPython, signature } from "./python-call";
import { TEMPLATE } from "./template";

const lowercase = "abcdefghijklmnopqrstuvwxyz";
const uppercase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const digits = "0123456789";
const punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
const whitespace = " \t\n\r\x0b\x0c";

const CAPWORDS = signature("capwords", "s sep", 1);

export const STRING: ReadonlyMap<string, Value> = new Map<string, Value>([
  ["Template", TEMPLATE],
  ["ascii_letters", lowercase + uppercase],
  ["ascii_lowercase", lowercase],
  ["ascii_uppercase", uppercase],
  functionMember("capwords", (args, kwargs) => {
    const [s, sep = null] = bindPython(CAPWORDS, args, kwargs);
    const joiner = truthy(sep) ? sep : " ";
    const join = getAttribute(joiner, "join") as PyFunction;
    const words = callMethod(s as Value, "split", [sep], null) as PyList;
    const capital = words.a.map((w) => {
      if (typeof w !== "string") raise("TypeError", `descriptor 'capitalize' for 'str' objects doesn't apply to a '${typeName(w)}' object`);
      return callMethod(w, "capitalize", [], null);
    });
    return join.call([new PyList(capital)], null);
  }),
  ["digits", digits],
  ["hexdigits", `${digits}abcdefABCDEF`],
  ["octdigits", "01234567"],
  ["printable", digits + lowercase + uppercase + punctuation + whitespace],
  ["punctuation", punctuation],
  ["whitespace", whitespace],
]);
