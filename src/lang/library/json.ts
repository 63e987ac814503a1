/** The module `json`: dumps, loads, and the exception of loads. */
import { raise } from "../value/exception";
import { sizeOf } from "../value/index-of";
import { typeName } from "../value/protocol-type";
import type { Value } from "../value/value";
import { exceptionType } from "./exception-type";
import { decodeError, loads } from "./json-read";
import { dumps } from "./json-write";
import { functionMember } from "./member";
import { bindPython, signature } from "./python-call";

const NEW = signature("JSONDecodeError.__init__", "msg doc pos", 3, 1);

export const JSON_MODULE: ReadonlyMap<string, Value> = new Map<string, Value>([
  [
    "JSONDecodeError",
    exceptionType("json.decoder.JSONDecodeError", "ValueError", (args, kwargs) => {
      const [message, document, position] = bindPython(NEW, args, kwargs) as Value[];
      if (typeof message !== "string" || typeof document !== "string")
        raise("TypeError", `JSONDecodeError takes two texts and a position, not '${typeName(message)}' and '${typeName(document)}'`);
      return decodeError(message, document, sizeOf(position));
    }),
  ],
  functionMember("dumps", dumps),
  functionMember("loads", loads),
]);
