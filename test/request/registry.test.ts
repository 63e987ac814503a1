/** What the registry says of verbs, and that it is true: help, verbs(), the reference page, every example. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseOps } from "../../src/lang/ops/parse-ops";
import { checkVerbArguments } from "../../src/request/check-arguments";
import { PACKS } from "../../src/request/packs";
import { planOps } from "../../src/request/plan";
import { referencePage } from "../../src/request/reference-page";
import { resolveValue } from "../../src/request/request-json";
import { RequestFixture } from "./request-fixture";

describe("the registry", () => {
  it("[request facts §7] has the packs in full", () => {
    const f = new RequestFixture();
    const { pack_counts: counts, verbs, total } = f.result("verbs()");
    expect(counts).toMatchObject({ kg: 24 });
    expect(total).toBe(verbs.length);
    expect(
      f
        .result('verbs(pack="kg", category="Assertive")')
        .verbs.map((verb: { name: string }) => verb.name)
        .sort(),
    ).toEqual(
      "context db_diagnostics get list neighbors query resolve search stats stream.read stream.stat traverse verbs whoami"
        .split(" ")
        .sort(),
    );
  });

  it("[decision: a verb is described once] the reference page is what the registry says", () => {
    expect(readFileSync(join(__dirname, "../../docs/request-reference.md"), "utf8")).toBe(referencePage(PACKS));
  });

  it.each(PACKS.all().map((verb) => [verb.name, verb] as const))(
    "[request facts §5.3] %s tells its schema instead of running",
    (name, verb) => {
      const f = new RequestFixture();
      const help = f.result(JSON.stringify({ tool: name, args: { help: true } }));
      expect(help).toMatchObject({ verb: name, pack: verb.pack, category: verb.class, description: verb.description });
      expect(help.input_schema.type).toBe("object");
      for (const param of help.params) expect(param.description, `${name}.${param.name}`).not.toBe("");
    },
  );

  it.each(PACKS.all().map((verb) => [verb.name, verb] as const))(
    "[decision: a verb is described once] the example of %s is a call it takes",
    (name, verb) => {
      const read = parseOps(verb.example);
      if (!read.ok) throw new Error(read.fault.message);
      const call = read.program.calls.at(-1)!;
      expect(call.verb).toBe(name);
      checkVerbArguments(verb, Object.fromEntries(call.args.map(([arg, value]) => [arg, resolveValue(value, () => "00000000")])));
      expect(planOps(verb.example, PACKS)).toMatchObject({ parsed: true });
    },
  );

  it("[request facts §5.3] an unknown verb is a failed op that lists what is registered", () => {
    const f = new RequestFixture();
    const { results } = f.request("nope()");
    expect(results[0]).toMatchObject({ ok: false, tool: "nope", reason: "unknown-verb" });
    expect(results[0].error).toContain("stats");
  });
});
