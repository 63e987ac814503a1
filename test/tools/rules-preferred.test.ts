/** A preference may name a rule: what rules above read, and what `why` shows, follows it (rulings, "Preferring a rule"). */
import { expect, test } from "vitest";
import { ToolFixture } from "./tool-fixture";

test("[rules] a preferred rule is in force at its cell, for reads, for rules above and for reasons", () => {
  const fixture = new ToolFixture();
  const compiled = fixture.compile(
    "pref",
    `
class K:
    a: int
    f: int

@rule
def a_low(k: K):
    when(k.a > 0)
    conclude(k.f, 1)

@rule
def b_high(k: K):
    when(k.a > 10)
    conclude(k.f, 2)

@rule
def reads(k: K):
    conclude(k.g, k.f * 10)

remember(K.x.a, 20, "s")
`,
  );
  expect(compiled.text).toContain("OK module: pref");
  const { text } = fixture.run(`import pref
print(K.x.f, K.x.g, values(K.x.f))
prefer(K.x.f, "pref.b_high")
print(K.x.f, K.x.g, values(K.x.f))
print(why(K.x.g))
unprefer(K.x.f)
print(K.x.f, K.x.g)
prefer(K.f, "pref.b_high")
print(K.x.f, K.x.g)
update(K.x.a, 5, "s")
print(K.x.f, K.x.g)
`);
  const prints = text.split("\n").filter((line) => /^(\d|\s|pref\.)/.test(line));
  expect(prints).toEqual([
    "1 10 [1, 2]",
    "2 20 [1, 2]",
    "pref.K.x.g = 20 (derived by pref.reads)",
    "  pref.K.x.f = 2 (derived by pref.b_high)",
    "    pref.K.x.a = 20 (asserted by s)",
    "    20 > 10",
    "1 10",
    "2 20",
    "1 10",
  ]);
});

test("[rulings: Preferring a rule] where nothing is judged the refusal says so, and not that the rule concludes nothing", () => {
  const fixture = new ToolFixture();
  fixture.compile("m", "class K:\n    n: int\n\n@rule\ndef r(k: K):\n    when(k.n > 1)\n    conclude(k.big, True)\n");
  const { text } = fixture.run(`import m
remember(K.a.n, 5, "s")
for wanted in ["m.r", "m.other"]:
    try:
        prefer(K.a.big, wanted)
    except NotRecorded as e:
        print(e.hint, e)`);
  expect(text.split("\n").slice(-2)).toEqual([
    'm.K.a.big "m.r" is a rule, and all that rules conclude at m.K.a.big stands, since no class declares the field: declare it, single-valued, to prefer one',
    'm.K.a.big "m.other" holds no value at m.K.a.big: check the address and the source (`sources(cell)` lists them)',
  ]);
});
