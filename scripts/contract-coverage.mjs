/**
 * docs/contract-coverage.md from test/contract/sentences.json: what the wire contract says, statement by statement, and
 * the tests that hold it. Run after changing the list: node scripts/contract-coverage.mjs
 *
 * The statements are told in our own few words, by section and place within it. A test is named by its file and a piece
 * of its text, so that renaming one without the list fails (test/tidy/contract.test.ts).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const ROOT = new URL("..", import.meta.url);
export const SENTENCES = "test/contract/sentences.json";
export const COVERAGE = "docs/contract-coverage.md";

const TITLES = {
  2: "Tool surface",
  3: "Connect",
  3.1: "Keys issued elsewhere",
  4: "The two compute verbs",
  4.1: "compile",
  4.2: "run",
  5: "Response envelope",
  6: "Error model",
  6.1: "The repair loop",
  7: "Usage and billing",
  8: "Language selection",
  8.1: "What language selects",
  9.1: "Language",
  9.2: "Scripts",
  "9.2.1": "Kinds",
  9.3: "Standing declarations",
  9.4: "Modules",
  9.5: "Store",
  9.6: "Checkup",
  9.7: "Change",
  9.8: "Stop",
  9.9: "Report",
};

export function readSentences() {
  return JSON.parse(readFileSync(new URL(SENTENCES, ROOT), "utf8"));
}

export function sectionsOf(sentences) {
  const sections = new Map();
  for (const sentence of sentences) {
    const [section] = sentence.id.split(":");
    if (!sections.has(section)) sections.set(section, []);
    sections.get(section).push(sentence);
  }
  return sections;
}

/** The page's text. */
export function coverageText(sentences) {
  const count = (state) => sentences.filter((one) => one.state === state).length;
  const lines = [
    "# The contract and its tests",
    "",
    "<!-- Written by scripts/contract-coverage.mjs from test/contract/sentences.json. -->",
    "",
    `${sentences.length} statements of sections 2 to 9.9: ${count("tested")} held by tests, ${count("refused")} of what the contract itself has refused, ${count("advice")} that tell a reader something and the service nothing.`,
  ];
  for (const [section, list] of sectionsOf(sentences)) {
    lines.push("", `## §${section} ${TITLES[section]}`, "", "| | says | held by |", "|---|---|---|");
    for (const one of list) lines.push(`| ${one.id.split(":")[1]} | ${cell(one.says)} | ${heldBy(one)} |`);
  }
  return `${lines.join("\n")}\n`;
}

function heldBy({ state, tests = [], of }) {
  if (state === "advice") return "(advice)";
  return [...(of === undefined ? [] : [`of ${cell(of)}`]), ...tests.map(cell)].join("<br>");
}

function cell(text) {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(new URL(COVERAGE, ROOT), coverageText(readSentences()));
}
