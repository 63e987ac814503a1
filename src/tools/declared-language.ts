/**
 * What a source's first line declares, held against the parameters and against what this endpoint serves (contract §8).
 *
 * The line's form is the language's (`# dke: edition=python.1 language=eng.1`); whether it agrees with the call is
 * asked here, before the call runs: every fault is -32602 and says which. Pure.
 */
import { readHeader } from "../lang/syntax/header";

const SERVED = {
  edition: { value: "python", version: "1" },
  language: { value: "eng", version: "1" },
} as const;

/** What is wrong with the declaration of `args.source`, or null. */
export function declarationFault(args: { readonly [name: string]: unknown }): string | null {
  if (typeof args.source !== "string") return null;
  const read = readHeader(args.source);
  if ("malformed" in read) return `invalid params: \`source\`: ${read.malformed}`;
  if (read.header === null) return null;
  const { edition, editionVersion, language, languageVersion } = read.header;
  return partFault("edition", edition, editionVersion, args.edition) ?? partFault("language", language, languageVersion, args.language);
}

function partFault(part: keyof typeof SERVED, value: string | null, version: string | null, parameter: unknown): string | null {
  if (value === null) return null;
  const served = SERVED[part];
  const declared = version === null ? value : `${value}.${version}`;
  if (parameter !== undefined && parameter !== value) {
    return `invalid params: \`${part}\` is ${JSON.stringify(parameter)} and the first line of \`source\` declares ${part}=${declared}; leave one out or make them agree`;
  }
  if (value !== served.value || (version !== null && version !== served.version)) {
    return `invalid params: the first line of \`source\` declares ${part}=${declared}; this endpoint serves ${part}=${served.value}.${served.version}`;
  }
  return null;
}
