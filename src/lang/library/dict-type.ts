/** The builtin type that the dicts of `collections` descend from. */
import type { BuiltinType } from "../builtins/builtin-type";
import { COLLECTION_TYPES } from "../builtins/collection-types";

const named = (name: string): BuiltinType => COLLECTION_TYPES.find((type) => type.name === name) as BuiltinType;

export const DICT_TYPE = named("dict");
export const TUPLE_TYPE = named("tuple");
