/**
 * Whom a parameter ranges over when modules come, go and change beside the one whose rules range: the ranges are taken over
 * from rules to rules, and must be what the claims say all the same.
 */
import { expect, test } from "vitest";
import { ToolFixture } from "./tool-fixture";

const RANGING = `
class K:
    x: int

@rule
def lone(p: K):
    when(absent(p.x))
    conclude(p.lone, True)
`;
const naming = (type: string) => `import a\nfrom a import K\n\nclass L:\n    r: ${type}\n`;

function both(): ToolFixture {
  const f = new ToolFixture();
  expect(f.compile("a", RANGING).status).toBe("success");
  const body = 'remember(L.l.r, K.one, "s1")\nremember(L.l.r, K.two, "s2")\n';
  expect(f.compile("b", `${naming("many[a.K]")}\n${body}`).text).toContain("2 claims added");
  return f;
}

const names = (f: ToolFixture) => {
  const told = f.run("import a\nprint(a.K.one.lone, a.K.two.lone, a.K.three.lone)");
  expect(told.status, told.text).toBe("success");
  return (told.meta["transcript"] as { kind: string; value: string }[]).find(({ kind }) => kind === "print")!.value;
};

test("[rules] a class declared otherwise over what is recorded: whom its claims name, and so the range, is asked anew", () => {
  const f = both();
  expect(names(f)).toBe("True True None");
  // Of a single value the last source's is in force, and the other names nobody.
  expect(f.compile("b", naming("a.K")).status).toBe("success");
  expect(names(f)).toBe("None True None");
  expect(f.compile("b", naming("many[a.K]")).status).toBe("success");
  expect(names(f)).toBe("True True None");
  f.reopen();
  expect(names(f)).toBe("True True None");
});

test("[rules] modules beside it come and go: the range follows what they record", () => {
  const f = both();
  for (let i = 0; i < 3; i++) {
    expect(f.compile("c", 'from a import K\n\nclass M:\n    r: K\n\nremember(M.m.r, K.three, "s")\n').status).toBe("success");
    expect(names(f)).toBe("True True True");
    expect(f.call("forget_module", { name: "c", confirm: true }).status).toBe("success");
    expect(names(f)).toBe("True True None");
  }
  f.call("checkpoint", { name: "m" });
  expect(f.call("forget_module", { name: "b", confirm: true }).status).toBe("success");
  expect(names(f)).toBe("None None None");
  expect(f.call("restore", { since: "m" }).status).toBe("success");
  expect(names(f)).toBe("True True None");
});
