/**
 * The served specification as what a test can run: its fenced examples in order, and its tables.
 *
 * The first line of a fence says what is done with it: `python run` executes it, `python compile NAME` compiles it,
 * `python refused` and `python refused NAME` do the same and expect a refusal, `python values` evaluates each line that
 * ends in `# → text`, `json tool NAME` calls a tool with those arguments. A ```text fence right after it is the whole answer without its first line (refused: the whole
 * answer). In the others a line that ends in `# → text` prints exactly that.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SPEC_TOPICS } from "../../src/worker/mcp/tool-introspection";

export const TOPICS = SPEC_TOPICS;

export function specMarkdown(topic: string): string {
  return readFileSync(join(import.meta.dirname, `../../src/spec/${topic}.md`), "utf8");
}

export interface Block {
  /** Line of its fence in the document. */
  readonly line: number;
  readonly how: "run" | "compile" | "refused" | "values" | "tool";
  /** The module's name, or the tool's; null for a program. */
  readonly module: string | null;
  readonly source: string;
  /** What the ```text fence behind it says; null where there is none. */
  readonly expected: string | null;
}

/** Every fence of a document. Throws on one that no test would run. */
export function blocksOf(markdown: string): Block[] {
  const fences = [...markdown.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map((m) => ({
    info: m[1]!.trim(),
    body: m[2]!,
    line: markdown.slice(0, m.index).split("\n").length,
    begin: m.index,
    end: m.index + m[0].length,
  }));
  const blocks: Block[] = [];
  fences.forEach((fence, i) => {
    if (fence.info === "text") return;
    const m = /^(?:python (run|values|compile|refused)|json (tool))(?: (\w+))?$/.exec(fence.info);
    const how = (m?.[1] ?? m?.[2]) as Block["how"];
    const name = m?.[3];
    if (
      m === null ||
      ((how === "compile" || how === "tool") && name === undefined) ||
      ((how === "run" || how === "values") && name !== undefined)
    )
      throw new Error(`line ${fence.line}: a fence that no test runs: \`\`\`${fence.info}`);
    const next = fences[i + 1];
    const follows = next !== undefined && next.info === "text" && markdown.slice(fence.end, next.begin).trim() === "";
    if ((how === "refused" || how === "tool") && !follows) throw new Error(`line ${fence.line}: this example shows the answer`);
    blocks.push({
      line: fence.line,
      how,
      module: name ?? null,
      source: fence.body,
      expected: follows ? next.body.replace(/\n$/, "") : null,
    });
  });
  const texts = fences.filter((f) => f.info === "text").length;
  if (texts !== blocks.filter((b) => b.expected !== null).length) throw new Error("a ```text fence stands behind no example");
  return blocks;
}

/** What `# → text` at the end of lines expects, by line (from 1). */
export function expectedLines(source: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  source.split("\n").forEach((line, i) => {
    const at = line.indexOf("# →");
    if (at >= 0) found.set(i + 1, line.slice(at + 3).trim());
  });
  return found;
}

/** Each marked line of a `values` block as a program of its own that prints what the line gives or raises. */
export function valuePrograms(source: string): { readonly line: number; readonly program: string; readonly expected: string }[] {
  const setup: string[] = [];
  const found: { line: number; program: string; expected: string }[] = [];
  source.split("\n").forEach((text, i) => {
    const at = text.indexOf("# →");
    if (at < 0) {
      if (text.trim() !== "") setup.push(text);
      return;
    }
    const program = `${setup.join("\n")}\ntry:\n    print(repr((${text.slice(0, at).trim()})))\nexcept Exception as e:\n    print(f"{type(e).__name__}: {e}")\n`;
    found.push({ line: i + 1, program, expected: text.slice(at + 3).trim() });
  });
  return found;
}

/** The rows of all tables whose header row begins with `| first |`, cell by cell. */
export function tableOf(markdown: string, first: string): string[][] {
  const lines = markdown.split("\n");
  const rows: string[][] = [];
  lines.forEach((head, at) => {
    if (!head.startsWith(`| ${first} |`)) return;
    for (let i = at + 2; lines[i]?.startsWith("|"); i++) {
      // `\|` inside a cell is a bar.
      const cells = lines[i]!.replaceAll("\\|", "\u0000").split("|").slice(1, -1);
      rows.push(cells.map((c) => c.trim().replaceAll("\u0000", "|")));
    }
  });
  if (rows.length === 0) throw new Error(`no table begins with | ${first} |`);
  return rows;
}

/** The words in backquotes of a cell. */
export function codesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map((m) => m[1]!);
}

/** Characters of one topic: what clients take as one result. */
export const SPEC_TEXT_MAX = 35_000;
