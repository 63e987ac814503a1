/**
 * The first-line declaration, `# dke: edition=python.1 language=eng.1` (contract §8).
 *
 * Either part and either version may be left out; anything else after `# dke:` is malformed, which is
 * the request's fault (-32602) and not a diagnostic. Which editions and versions are served is not asked here.
 */
import type { Header } from "./ast";

export const HEADER_FORM = "# dke: edition=<edition>[.<version>] language=<language>[.<version>]";

const FORM =
  /^# dke:(?=[ \t]*\S)(?:[ \t]+edition=([A-Za-z_]+)(?:\.([0-9]+(?:\.[0-9]+)*))?)?(?:[ \t]+language=([A-Za-z_-]+)(?:\.([0-9]+(?:\.[0-9]+)*))?)?[ \t]*$/;

/** `{ header: null }` where line 1 does not open with `# dke:`. */
export function readHeader(source: string): { header: Header | null } | { malformed: string } {
  const text = source.charCodeAt(0) === 0xfeff ? source.slice(1) : source;
  if (!text.startsWith("# dke:")) return { header: null };
  const line = /^[^\r\n]*/.exec(text)![0];
  const found = FORM.exec(line);
  if (found === null) {
    return {
      malformed: `line 1 opens with \`# dke:\` and does not match the form: got ${JSON.stringify(clip(line))}, want \`${HEADER_FORM}\`, where either part may be left out (for example \`# dke: edition=python.1 language=eng.1\`)`,
    };
  }
  return {
    header: {
      edition: found[1] ?? null,
      editionVersion: found[2] ?? null,
      language: found[3] ?? null,
      languageVersion: found[4] ?? null,
    },
  };
}

function clip(line: string): string {
  const points = [...line.slice(0, 200)];
  return points.length <= 80 ? line : `${points.slice(0, 80).join("")}…`;
}
