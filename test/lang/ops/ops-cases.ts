/** The given cases of the request language, from test/testdata/request/cases.jsonl (its format: request facts §13). */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface OpsCase {
  readonly name: string;
  readonly group: "parse" | "run" | "envelope";
  readonly ops: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly fixture?: { readonly verbs: Readonly<Record<string, { readonly result?: unknown; readonly fail?: string }>> };
  // biome-ignore lint/suspicious/noExplicitAny: an expectation is looked at member by member.
  readonly expect: Readonly<Record<string, any>>;
  readonly expectText: string;
}

export function opsCases(group: OpsCase["group"]): OpsCase[] {
  return readFileSync(join(__dirname, "../../testdata/request/cases.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const one = JSON.parse(line) as OpsCase & {
        readonly ops: string | null;
        readonly ops_gen?: readonly { text: string; times: number }[];
      };
      const ops = one.ops ?? one.ops_gen!.map(({ text, times }) => text.repeat(times)).join("");
      return { ...one, ops, expectText: line };
    })
    .filter((one) => one.group === group);
}
