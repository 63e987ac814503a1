/** [spec] The served specification: every example runs and gives what it says, and every table names exactly what is served. */
import { describe, expect, test } from "vitest";
import { unknownName } from "../../src/lang/check/teaching-names";
import { TOOLS_NOT_VERBS, VERBS } from "../../src/lang/check/verbs";
import { BUILTIN_NAMES, LIBRARY_MEMBERS } from "../../src/lang/compile/served";
import { LIBRARY } from "../../src/lang/library/library";
import { FRAMES_MAX } from "../../src/lang/machine/vm";
import { findAttribute, tablesOf } from "../../src/lang/value/attribute";
import { PyDict } from "../../src/lang/value/dict";
import { EXCEPTION_PARENT } from "../../src/lang/value/exception";
import { type PyFunction, PyNative, PyTuple, type Value } from "../../src/lang/value/value";
import * as limits from "../../src/limits";
import type { ToolAnswer } from "../../src/tools/answer";
import { TOOLS_SERVED } from "../../src/tools/start-tool";
import { RELEASE } from "../../src/worker/mcp/release";
import { type Block, blocksOf, codesIn, expectedLines, SPEC_TEXT_MAX, specMarkdown, TOPICS, tableOf, valuePrograms } from "./spec-blocks";
import { ToolFixture } from "./tool-fixture";

for (const topic of TOPICS) {
  const markdown = specMarkdown(topic);
  describe(`[spec] examples of ${topic}`, () => {
    // In the order they stand, on one store: a module compiled above is there below.
    const f = new ToolFixture();
    for (const block of blocksOf(markdown)) test(`line ${block.line}: ${block.how} ${block.module ?? ""}`, () => check(f, block));
  });
}

function check(f: ToolFixture, block: Block): void {
  if (block.how === "values") {
    for (const { line, program, expected } of valuePrograms(block.source)) {
      const r = f.run(program);
      expect(r.status, `${program}\n${r.text}`).toBe("success");
      expect(body(r), `line ${block.line + line}`).toBe(expected);
    }
    return;
  }
  if (block.how === "tool") {
    expect(f.call(block.module!, JSON.parse(block.source)).text).toBe(block.expected);
    return;
  }
  const answer = block.module === null ? f.run(block.source) : f.compile(block.module, block.source);
  if (block.how === "refused") {
    expect(answer.status, answer.text).not.toBe("success");
    expect(answer.text).toBe(block.expected);
    return;
  }
  expect(answer.status, answer.text).toBe("success");
  const lines = expectedLines(block.source);
  if (block.expected !== null) expect(body(answer)).toBe(block.expected);
  else if (block.how === "run" && /\bprint\(/.test(block.source))
    expect(lines.size, "an example that prints shows what").toBeGreaterThan(0);
  const entries = (answer.meta["transcript"] ?? []) as { kind: string; line: number; value: string; from_module?: string }[];
  for (const [line, expected] of lines) {
    const printed = entries.filter((e) => e.kind === "print" && e.line === line && e.from_module === undefined).map((e) => e.value);
    expect(printed, `line ${block.line + line}`).toEqual([expected]);
  }
}

/** The answer's text without its first line. */
function body(answer: ToolAnswer): string {
  return answer.text.split("\n").slice(1).join("\n");
}

/** A value of the type that a row of the table names. */
function libraryValue(code: string): Value {
  const call = (path: string, ...args: Value[]): Value => {
    const [module, member] = path.split(".");
    return (LIBRARY.get(module!)!.get(member!) as PyFunction).call(args, null);
  };
  const path = /^[\w.]+/.exec(code)![0];
  switch (path) {
    case "collections.namedtuple":
      return (call(path, "P", "x y") as PyFunction).call([1, 2], null);
    case "re.compile":
    case "string.Template":
      return call(path, "a");
    case "re.match":
      return call(path, "a", "a");
    case "functools.partial":
      return call(path, LIBRARY.get("math")!.get("sqrt")!);
    default:
      return call(path);
  }
}

/** Tools that need no store, or that the store's object answers. */
const ANSWERED_ELSEWHERE: ReadonlySet<string> = new Set(["spec", "report", "stop"]);

describe("[spec] what it names is what is served", () => {
  const verbs = specMarkdown("verbs");
  const types = specMarkdown("types");
  const expressions = specMarkdown("expressions");
  const header = specMarkdown("header");
  const sorted = (names: Iterable<string>): string[] => [...names].sort();

  test("every topic is small enough for a client to take", () => {
    for (const topic of TOPICS) expect(specMarkdown(topic).length, topic).toBeLessThan(SPEC_TEXT_MAX);
  });
  test("verbs", () => {
    const named = tableOf(verbs, "verb").flatMap((row) => codesIn(row[0]!).map((code) => code.split("(")[0]!));
    expect(sorted(new Set(named))).toEqual(sorted(VERBS.keys()));
  });
  test("every tool it names is served", () => {
    for (const tool of TOOLS_NOT_VERBS) expect(TOOLS_SERVED.has(tool) || ANSWERED_ELSEWHERE.has(tool), tool).toBe(true);
  });
  test("the version line carries the release", () => {
    expect(header).toContain(`**Version:** ${RELEASE.stage} · API ${RELEASE.api_version} · rev ${RELEASE.revision}`);
    expect(specMarkdown("scripts").split("## Revision history")[1]).toContain(`| ${RELEASE.revision} |`);
  });
  test("tools that are no verbs", () => {
    const named = /Tools, called over MCP and not from a program: ([^.]*)\./s.exec(verbs)![1]!;
    expect(sorted(codesIn(named))).toEqual(sorted(TOOLS_NOT_VERBS));
  });
  test("builtins", () => {
    const named = tableOf(expressions, "builtin").flatMap((row) => codesIn(row[0]!).map((code) => /^\w+/.exec(code)![0]));
    const exceptions = new Set(EXCEPTION_PARENT.keys());
    expect(sorted(new Set(named))).toEqual(sorted([...BUILTIN_NAMES].filter((n) => !exceptions.has(n))));
  });
  test("Python's builtins that are not served are not there, and most are answered by name", () => {
    const row = tableOf(header, "in DKE Python").find((r) => r[0]!.startsWith("`open`"))!;
    const named = codesIn(row[0]!);
    expect(named.length).toBeGreaterThan(20);
    for (const name of named) expect(BUILTIN_NAMES.has(name), name).toBe(false);
    expect(named.filter((name) => unknownName(name) !== null).length).toBeGreaterThan(18);
  });
  test("members of the library modules", () => {
    const rows = tableOf(expressions, "module");
    expect(sorted(rows.map((row) => codesIn(row[0]!)[0]!))).toEqual(sorted(LIBRARY_MEMBERS.keys()));
    for (const [module, members] of rows)
      expect(sorted(codesIn(members!)), module).toEqual(sorted(LIBRARY_MEMBERS.get(codesIn(module!)[0]!)!));
  });
  test("members said not to be there are not", () => {
    const text = /^- Not there: ([\s\S]*?)\.\n/m.exec(expressions)![1]!;
    const gone = [...text.matchAll(/`(\w+)` ((?:`\w+`(?:, )?)+)/g)].flatMap((m) =>
      codesIn(m[2]!).map((member) => [m[1]!, member] as const),
    );
    expect(gone.length).toBeGreaterThan(8);
    for (const [module, member] of gone) expect(LIBRARY_MEMBERS.get(module)!.has(member), `${module}.${member}`).toBe(false);
  });
  test("methods and attributes of the types", () => {
    const rows = tableOf(types, "type");
    expect(rows.length).toBeGreaterThan(12);
    for (const [type, methods, attributes] of rows) {
      const served = tablesOf(codesIn(type!)[0]!);
      expect(sorted(codesIn(methods!)), type).toEqual(sorted(served.methods.keys()));
      expect(sorted(codesIn(attributes!)), type).toEqual(sorted(served.properties.keys()));
    }
  });
  test("methods and attributes of the library's types", () => {
    const rows = tableOf(expressions, "library type");
    expect(rows.length).toBe(10);
    for (const [name, methods, attributes] of rows) {
      const v = libraryValue(codesIn(name!)[0]!);
      const base = tablesOf(v instanceof PyDict ? "dict" : v instanceof PyTuple ? "tuple" : "").methods;
      const own =
        v instanceof PyNative ? v.methods : v instanceof PyDict || v instanceof PyTuple ? v.tables!.methods : new Map<string, unknown>();
      expect(sorted(codesIn(methods!)), name).toEqual(sorted([...own.keys()].filter((m) => !base.has(m))));
      for (const attribute of codesIn(attributes!)) expect(findAttribute(v, attribute), `${name} ${attribute}`).toBeDefined();
    }
  });
  test("exceptions and their parents", () => {
    const rows = tableOf(specMarkdown("statements"), "exception");
    expect(sorted(rows.flatMap((row) => codesIn(row[0]!)))).toEqual(sorted(EXCEPTION_PARENT.keys()));
    for (const [names, parent] of rows)
      for (const name of codesIn(names!)) expect(EXCEPTION_PARENT.get(name), name).toBe(codesIn(parent!)[0] ?? "BaseException");
  });
  test("limits", () => {
    const told = tableOf(header, "limit").map((row) => Number(row[1]!.replaceAll(",", "")));
    expect(told).toEqual([
      limits.SOURCE_BYTES_MAX,
      limits.SOURCE_DEPTH_MAX,
      limits.SOURCE_HEIGHT_MAX,
      limits.CALL_OPS_MAX,
      limits.CALL_STEPS_MAX,
      limits.TEXT_CHARS_MAX,
      limits.COLLECTION_ITEMS_MAX,
      limits.HASHED_ITEMS_MAX,
      limits.INT_BITS_MAX,
      limits.INT_TEXT_DIGITS_MAX,
      limits.VALUE_DEPTH_MAX,
      limits.STORED_VALUE_BYTES_MAX,
      limits.STORED_COLLECTION_BYTES_MAX,
      limits.SUBJECT_NAME_CHARS_MAX,
      limits.DERIVED_CLAIMS_MAX,
      limits.DERIVED_VALUE_BYTES_MAX,
      limits.PROOF_NODES_MAX,
      limits.OUTPUT_CHARS_MAX,
      limits.RE_STEPS_MAX,
      limits.RE_PROGRAM_MAX,
      limits.STORE_BYTES_MAX,
      limits.WORLD_CLAIMS_MAX,
      limits.OWED_ANSWERS_MAX,
      FRAMES_MAX,
    ]);
  });
});
