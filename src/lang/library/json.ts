/** The module `json`: dumps and loads. */
import type { Value } from "../value/value";
import { loads } from "./json-read";
import { dumps } from "./json-write";
import { functionMember } from "./member";

export const JSON_MODULE: ReadonlyMap<string, Value> = new Map([functionMember("dumps", dumps), functionMember("loads", loads)]);
