/** The reference of the request endpoint, one page of Markdown read off the registry. */
import type { Registry } from "./registry";
import type { Verb } from "./verb";
import { verbParams } from "./verb-help";

export function referencePage(registry: Registry): string {
  const verbs = registry.all();
  const packs = registry.packs.map((pack) => {
    const own = verbs.filter((verb) => verb.pack === pack);
    return [`## ${pack} (${own.length})`, ...own.map(verbSection)].join("\n\n");
  });
  return `${HEAD}\n\n${packs.join("\n\n")}\n`;
}

const HEAD = `# Verbs of the request endpoint

Generated from the registry by \`npx tsx scripts/request-reference.ts\`. Every verb also takes \`namespace\` (where a new record
belongs, and what a list or search is held to) and \`help=true\`, which answers what stands here. An argument that is not listed
is refused by name. *Assertive* verbs read, *Commissive* ones write, *Declaration* ones change what a record is or whether it is,
*Directive* ones ask somebody to act.`;

function verbSection(verb: Verb): string {
  const params = verbParams(verb);
  const rows = params.map(
    ({ name, type, required, description }) => `| \`${name}\`${required ? " •" : ""} | ${cell(type)} | ${cell(description)} |`,
  );
  return [
    `### ${verb.name}`,
    `${verb.class}; least level \`${verb.level}\`. ${verb.description}`,
    ...(rows.length === 0 ? ["Takes nothing."] : [["| parameter | type | meaning |", "|---|---|---|", ...rows].join("\n")]),
    `Gives ${verb.result.startsWith("`") || verb.result.startsWith("A") || verb.result.startsWith("The") ? "" : "the following: "}${lowerFirst(verb.result)}`,
    ["```", verb.example, "```"].join("\n"),
  ].join("\n\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function lowerFirst(text: string): string {
  return /^(A|An|The|One|All)\b/.test(text) ? text[0].toLowerCase() + text.slice(1) : text;
}
