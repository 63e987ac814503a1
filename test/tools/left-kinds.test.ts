/** A class that a compile leaves out leaves its data under the same Kind, untyped (rulings, "Compiling again over data"). */
import { expect, test } from "vitest";
import { ToolFixture } from "./tool-fixture";

const WITH =
  'class M:\n    n: int\n    t: many[int]\n\nremember(M.a.n, 1, "s")\nremember(M.a.t, 2, "s")\nremember(M.a.t, 3, "s")\n\ndef f():\n    return value(M.a.n)\n';
const WITHOUT = "class Other:\n    n: int\n";

function left(): ToolFixture {
  const f = new ToolFixture();
  expect(f.compile("m", WITH).status).toBe("success");
  expect(f.compile("m", WITHOUT).status).toBe("success");
  return f;
}

test("[rulings, Compiling again over data] what list(target=kinds) shows can be read, written and forgotten by that name", () => {
  const f = left();
  expect(f.call("list", { target: "kinds" }).meta["names"]).toEqual(["m.M"]);
  const read = f.run("import m\nprint(m.M.a.n, values(m.M.a.t), subjects(m.M), find(m.M, n=1))");
  expect(read.text).toContain("1 [2, 3] [m.M.a] [m.M.a]");
  expect(f.run('import m\nremember(m.M.a.new, "any", "s")\nprint(m.M.a.new)').text).toContain("any");
  expect(f.run("import m\nforget(m.M.a)").text).toContain("4 claims removed");
  expect(f.call("list", { target: "kinds" }).meta["names"]).toEqual([]);
});

test("[rulings, Compiling again over data] a Kind that holds nothing stays an unknown name", () => {
  const f = left();
  for (const name of ["m.Missing", "m.m"]) {
    expect(f.run(`import m\nprint(${name}.a.n)`).status, name).toBe("compile_error");
  }
  expect(f.run("import m\nforget(m.M.a)").status).toBe("success");
  expect(f.run("import m\nprint(m.M.a.n)").status).toBe("compile_error");
});

test("[rulings, Compiling again over data] the class comes back over its data, or is refused where it cannot hold it", () => {
  const f = left();
  expect(f.run('import m\nremember(m.M.b.n, "text", "s")').status).toBe("success");
  expect(f.compile("m", WITH).meta).toMatchObject({ refuse_reason: "invalid_value", teaching_hint: "m.M.b.n" });
  expect(f.run("import m\nforget(m.M.b.n)").status).toBe("success");
  expect(f.compile("m", WITH).status).toBe("success");
  expect(f.run("import m\nprint(m.f())").text).toContain("1");
});

test("[9.4] forget_module takes the data of a class left out with it, and restore brings it back", () => {
  const f = left();
  f.call("checkpoint", { name: "mark" });
  expect(f.call("forget_module", { name: "m", confirm: true }).text).toContain("3 claims removed");
  expect(f.call("list", { target: "kinds" }).meta["names"]).toEqual([]);
  expect(f.call("restore", { since: "mark" }).text).toBe("OK restored 3 values.\nmodule `m` restored.");
  expect(f.run("import m\nprint(m.M.a.n, values(m.M.a.t))").text).toContain("1 [2, 3]");
});

test("[rulings, Pins] a pin or a preference at a field that its class has dropped is lifted by its name, and then no longer stands in the way", () => {
  const f = new ToolFixture();
  const both = "class K:\n    f: int\n    g: int\n\n";
  expect(f.compile("m", `${both}remember(K.a.f, 1, "s")\nremember(K.b.f, 1, "s")\npin(K.a.f)\nprefer(K.f, "s")\n`).status).toBe("success");
  expect(f.compile("m", "class K:\n    g: int\n").status).toBe("success");
  const refused = f.call("forget_module", { name: "m", confirm: true });
  expect(refused.meta).toMatchObject({ refuse_reason: "pinned_address", teaching_hint: "m.K.a.f" });
  for (const line of ["print(K.a.f)", 'remember(K.b.f, 2, "t")', "pin(K.b.f)", 'prefer(K.a.f, "s")'])
    expect(f.run(`import m\n${line}`).meta["refuse_reason"], line).toBe("invalid_value");
  expect(f.run("import m\nunprefer(K.f)\nunpin(K.a.f)").status).toBe("success");
  expect(f.run("import m\nunpin(K.a.f)").status).toBe("compile_error");
  expect(f.call("forget_module", { name: "m", confirm: true }).status).toBe("success");
});

test("[rulings, Worlds] what a world holds under a class left out stands in the way of forgetting its module", () => {
  const f = left();
  expect(f.run('import m\ncreate_world("w")\nwith world("w"):\n    update(m.M.a.n, 2, "s")\n').status).toBe("success");
  const forget = { name: "m", confirm: true };
  const refused = f.call("forget_module", forget);
  expect(refused.meta).toMatchObject({ refuse_reason: "still_referenced" });
  expect(refused.text).toContain('world "w" holds something under m.M');
  expect(f.run('merge_world("w")\nimport m\nprint(m.M.a.n)').text).toContain("2");
  expect(f.call("forget_module", forget).status).toBe("success");
  expect(f.call("list", { target: "kinds" }).meta["names"]).toEqual([]);
});
