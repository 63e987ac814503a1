/** How every file is written: header, name, no leftovers (style.md). */
import { describe, expect, it } from "vitest";
import { sourceFiles } from "./sources";

/** Programs that a benchmark runs are its data. */
const FILES = sourceFiles(["src", "test", "scripts", "bench"], /\.(ts|mts|mjs)$/).filter((file) => !file.path.startsWith("bench/lang/js/"));
const SRC = FILES.filter((file) => file.path.startsWith("src/"));
const paths = (files: readonly { readonly path: string }[]) => files.map((file) => file.path);

describe("files", () => {
  it("[style] open with a header that says what they own", () => {
    expect(
      paths(
        FILES.filter(
          (file) =>
            !file.path.startsWith("test/") && !file.path.includes(".generated.") && !/^(#!.*\n)?\/\*\*[\s\S]{20,}?\*\//.test(file.text),
        ),
      ),
    ).toEqual([]);
  });

  // In the language, types are the subject: `check/types.ts` is about them, not a heap of declarations.
  it("[style] are named in kebab-case for the one thing they own", () => {
    const banned = /\/(utils?|common|helpers?|misc|index|constants)\.m?ts$|^src\/(?!lang\/).*\/types?\.ts$|manager/;
    const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|generated|config|d))*\.m?[tj]s$/;
    const wrong = FILES.filter(
      (file) => !kebab.test(file.path.split("/").at(-1) ?? "") || (banned.test(file.path) && file.path !== "src/worker/index.ts"),
    );
    expect(paths(wrong)).toEqual([]);
  });

  it("[style] have no leftovers", () => {
    expect(paths(FILES.filter((file) => /\b(TODO|FIXME|XXX)\b/.test(file.text) && !file.path.startsWith("test/tidy/")))).toEqual([]);
    expect(paths(FILES.filter((file) => /\b(describe|it|test)\.(only|skip|todo)\b/.test(file.code)))).toEqual([]);
    expect(paths(SRC.filter((file) => /\bconsole\./.test(file.code) && file.path !== "src/durable/log.ts"))).toEqual([]);
    expect(paths(SRC.filter((file) => /@ts-(ignore|nocheck)/.test(file.text)))).toEqual([]);
  });

  it("[style] of a source are one idea long", () => {
    const long = SRC.filter((file) => !file.path.includes(".generated.") && file.text.split("\n").length > 1000);
    expect(paths(long)).toEqual([]);
  });
});
