/** The project's own files and their text, for the tests that hold them to the layout. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

export const ROOT = join(__dirname, "..", "..");

export interface SourceFile {
  /** From the root, with slashes. */
  readonly path: string;
  readonly text: string;
  /** Without comments and the contents of texts, so that a word in a sentence is no use of it. */
  readonly code: string;
}

export function sourceFiles(folders: readonly string[], pattern: RegExp): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && pattern.test(entry.name) && !entry.parentPath.includes("testdata"))
      .map((entry) => {
        const text = readFileSync(join(entry.parentPath, entry.name), "utf8");
        return { path: relative(ROOT, join(entry.parentPath, entry.name)).replaceAll("\\", "/"), text, code: codeOf(text) };
      }),
  );
}

/** Comments and texts; good enough for formatted code: a template's `${}` holes are dropped with it. */
const COMMENTS_AND_TEXTS = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;

function codeOf(text: string): string {
  return text.replace(COMMENTS_AND_TEXTS, (part) => (part[0] === "/" ? " " : '""'));
}

export interface Import {
  readonly target: string;
  readonly typeOnly: boolean;
}

export function importsOf(file: SourceFile): Import[] {
  // A program that a text shows imports nothing here.
  const text = file.text.replace(COMMENTS_AND_TEXTS, (part) => (part[0] === "`" ? "``" : part));
  const statements = text.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^"';]*?\sfrom\s+)?["']([^"']+)["']/gm);
  const inline = text.matchAll(/\bimport\(["']([^"']+)["']\)/g);
  return [
    ...[...statements].map((one) => ({ target: one[2], typeOnly: one[1] !== undefined })),
    ...[...inline].map((one) => ({ target: one[1], typeOnly: true })),
  ];
}

/** The file that a relative import means, from the root; null for a package. */
export function resolveImport(from: string, target: string): string | null {
  if (!target.startsWith(".")) return null;
  const path = join(from, "..", target).replaceAll("\\", "/");
  if (/\.(md|mjs|wasm|css)$/.test(path)) return path;
  const bare = path.replace(/\.tsx?$/, "");
  return existsSync(join(ROOT, `${bare}.tsx`)) ? `${bare}.tsx` : `${bare}.ts`;
}
