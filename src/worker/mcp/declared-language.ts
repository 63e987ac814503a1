/**
 * The first line of a source may declare its edition and language: `# dke: edition=python.1 language=eng.1` (contract §8).
 *
 * Each part and each version may be left out, in this order. Checked before the call runs: a malformed line, a version
 * or value not served, and a parameter that names another value than the source are each -32602. Pure.
 */
import type { Arguments } from "./tool";

const SERVED = {
  edition: { value: "python", version: "1" },
  language: { value: "eng", version: "1" },
} as const;
type Part = keyof typeof SERVED;

const OPENING = "# dke:";
const FORM = /^# dke:(?:[ \t]+edition=([a-z]+)(?:\.([0-9]+))?)?(?:[ \t]+language=([a-z]+)(?:\.([0-9]+))?)?[ \t]*$/;

/** What is wrong with the declaration of `args.source`, or null. */
export function declarationFault(args: Arguments): string | null {
  const source = args.source;
  if (typeof source !== "string") return null;
  const line = /^\uFEFF?([^\r\n]*)/.exec(source)?.[1] ?? "";
  if (!line.startsWith(OPENING)) return null;
  const form = FORM.exec(line);
  if (form === null || (form[1] === undefined && form[3] === undefined)) {
    return "invalid params: the first line of `source` opens `# dke:` and must then read `# dke: edition=python.1 language=eng.1`, either part and either version left out";
  }
  return partFault("edition", form[1], form[2], args) ?? partFault("language", form[3], form[4], args);
}

function partFault(part: Part, value: string | undefined, version: string | undefined, args: Arguments): string | null {
  if (value === undefined) return null;
  const served = SERVED[part];
  const declared = version === undefined ? value : `${value}.${version}`;
  if (args[part] !== undefined && args[part] !== value) {
    return `invalid params: \`${part}\` is ${JSON.stringify(args[part])} and the first line of \`source\` declares ${part}=${declared}; leave one out or make them agree`;
  }
  if (value !== served.value || (version !== undefined && version !== served.version)) {
    return `invalid params: the first line of \`source\` declares ${part}=${declared}; this endpoint serves ${part}=${served.value}.${served.version}`;
  }
  return null;
}
