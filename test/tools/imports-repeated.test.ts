/** A module imported more than once, under other names, or handed on as a value: rulings "Import runs a body once", Python Reference §9.3. */
import { beforeEach, describe, expect, it } from "vitest";
import { ToolFixture } from "./tool-fixture";

let f: ToolFixture;
beforeEach(() => {
  f = new ToolFixture();
  expect(f.compile("inv", "print('body')\nhidden = 7\nclass Item:\n    n: int\n\ndef f(x: int):\n    return x + hidden\n").status).toBe(
    "success",
  );
});

describe("imports", () => {
  it.each([
    ["again below its use", "import inv\nprint(inv.f(1))\nimport inv", ["body", "8"]],
    ["again above its use", "import inv\nimport inv\nprint(inv.f(1), Item.a)", ["body", "8 inv.Item.a"]],
    ["under two names", "import inv as a, inv as b\nprint(a.f(1), b.f(2))", ["body", "8 9"]],
    ["bound to another name", "import inv\nx = inv\nprint(x.f(1))", ["body", "8"]],
    ["bound to its own name", "import inv\ninv = inv\nprint(inv.f(1))", ["body", "8"]],
    ["after another module of that name", "import math as inv\nprint(inv.floor(2.5))\nimport inv\nprint(inv.f(1))", ["2", "body", "8"]],
    [
      "a served module again",
      "import math\nimport math\nprint(math.floor(2.5))\nfrom math import pi\nfrom math import pi\nprint(pi)",
      ["2", "3.141592653589793"],
    ],
  ])("[rulings] %s", (_, source, printed) => {
    const answer = f.run(source);
    expect(answer.text.split("\n").slice(1)).toEqual(printed);
    expect(answer.status).toBe("success");
  });

  it("[rulings] a module's variables are its own, by whatever way it is reached", () => {
    for (const source of [
      "import inv\nx = inv\nprint(x.hidden)",
      "import inv\nx = inv\nprint(x.constructor)",
      "import inv\nx = inv\nprint(x.toString)",
    ]) {
      expect(f.run(source).text, source).toMatch(/AttributeError: module 'inv' has no attribute/);
    }
    expect(f.run("import inv\nimport inv\nprint(inv.hidden)").meta["compile_status"]).toBe("type_error");
  });
});
