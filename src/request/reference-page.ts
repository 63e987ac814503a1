/** The reference of the request endpoint, one page of Markdown read off the registry. */
import { OPS_LIMITS } from "../lang/ops/ops";
import { REQUEST_BATCH_BYTES_MAX, REQUEST_FRAME_BYTES_MAX } from "../limits";
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
*Directive* ones ask somebody to act.

## How ops are run

- **One text, at most ${OPS_LIMITS.max_ops} ops.** \`a()\` alone; \`a() | b(id=$prev.id)\` a chain, each reading the result just before it; \`[a(), b()]\` a batch; \`[a() | b(id=$prev.id), c()]\`
  a batch of units, each a chain of its own. Or JSON: \`{"tool", "args"}\`, or an array of such objects, which is a batch.
- **A batch has no order.** What its ops and units do must not depend on each other: eight of them may be at work at once, so the order they land in is nothing to
  rely on. Results stand in the order of the text all the same. Today a store carries them out one after the other, unit by unit, so that the same request always does
  the same; nothing else a batch says would change if it did not. What depends on something is a chain; what must be kept whole or not at all is one op with
  \`items\`, \`links\` or \`ops\` and \`atomic=true\`.
- **Each op lands by itself.** It sees all that landed before it and is never seen half done. One that fails undoes nothing before it and
  stops only the rest of its own chain, whose entries say \`aborted\`.
- **Two ops of a batch that write the same record are both refused** before they begin (\`conflict\`): \`update\`, \`delete\`, \`merge\` by the id as it is written, \`link\` by its
  ends and relation, each of \`links\` too. Of units that clash neither is begun. In one chain the same record may be written again and again.
- **Budgets.** A batch begins no further op once its results have ${REQUEST_BATCH_BYTES_MAX} bytes (\`response_budget_exceeded\`). An answer has at most ${REQUEST_FRAME_BYTES_MAX} bytes: what does not fit
  gives way to \`response_frame_budget_exceeded\`, which says whether to narrow the read (\`reduce_result_size\`) or to read back what was done (\`read_outcome\`). With
  \`save_to\` the results go to a file, and the first of the two does not hold.
- **\`domain_disposition\`** beside an error says whether the op had its effect: only \`not_committed\` makes it safe to send again as it is.`;

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
