/** Arguments of a stored script beside the types of its parameters: rulings "A wrong argument to a script", "Annotations". */
import { beforeEach, describe, expect, it } from "vitest";
import { ToolFixture } from "./tool-fixture";

let f: ToolFixture;
beforeEach(() => {
  f = new ToolFixture();
  expect(
    f.compile(
      "m",
      `class Person:
    name: string

def rename(who: Person, to: string, n: int = 1, *, note: str = None, x: float | None = 2.0, some: list[int] | tuple = ()):
    return [str(who), to, n, note, x]

def own():
    return rename("no subject", 5, "x")

def free(a, b: any, *rest: int, **more: int):
    return [a, b, rest, more]
`,
    ).status,
  ).toBe("success");
});

describe("a script's annotated parameters", () => {
  it.each([
    ['m.rename("ann", "x")', 13, "m.rename() argument 'who' must be a subject of Person, not str", 'm.Person["ann"]'],
    ["m.rename(5, 'x')", 13, "m.rename() argument 'who' must be a subject of Person, not int", undefined],
    ["m.rename(Person.a, 5)", 23, "m.rename() argument 'to' must be string, not int", undefined],
    ["m.rename(Person.a, 'b', 2.0)", 28, "m.rename() argument 'n' must be int, not float", undefined],
    ["m.rename(Person.a, 'b', None)", 28, "m.rename() argument 'n' must be int, not None", undefined],
    ["m.rename(Person.a, 'b', x='y')", 28, "m.rename() argument 'x' must be float or None, not str", undefined],
    ["m.rename(Person.a, 'b', some={1})", 28, "m.rename() argument 'some' must be list or tuple, not set", undefined],
    ["m.rename(Person.a, f'b', n=len('a') + 0.5)", 29, "m.rename() argument 'n' must be int, not float", undefined],
  ])("[rulings] never take what shows to be of another type: %s", (call, col, message, fix) => {
    const { meta } = f.run(`import m\nr = ${call}`);
    expect(meta["compile_status"]).toBe("type_error");
    const told = { class: "type_error", line: 2, message: `TypeError: ${message}.`, ...(fix === undefined ? {} : { fix }) };
    expect(meta["diagnostics"]).toEqual([expect.objectContaining(told)]);
    const [{ col: at }] = meta["diagnostics"] as [{ col: number }];
    // A keyword's fault stands at its value.
    expect(at).toBeGreaterThanOrEqual(col);
    if (fix !== undefined) expect(f.run(`import m\nr = ${call.replace('"ann"', fix)}`).status).toBe("success");
    // Inside a `try` that has an `except` it is raised as the line runs, once the arguments are there.
    const raised = f.run(`import m\ntry:\n    r = ${call}\nexcept TypeError as e:\n    print(e)`);
    expect(raised.text.split("\n").slice(1)).toEqual([message]);
    const first = f.run(`import m\nd = {}\ntry:\n    r = ${call.replace(/\)$/, ", note=d['k'])")}\nexcept KeyError as e:\n    print(e)`);
    expect(first.text).toContain("'k'");
  });

  it.each([
    ["m.rename(Person.a, 'b', True, x=3, note=None, some=(1,))", "['m.Person.a', 'b', True, None, 3]"],
    ["m.rename(Person['a b'], 'b', *[2], **{'note': 'n'})", `['m.Person["a b"]', 'b', 2, 'n', 2.0]`],
    ["m.rename(Person.a, 'b', xs[0])", "['m.Person.a', 'b', 'what is not known', None, 2.0]"],
    ["m.own()", "['no subject', 5, 'x', None, 2.0]"],
    ["m.free(1, 'b', 'c', d='e')", "[1, 'b', ('c',), {'d': 'e'}]"],
  ])("[rulings] take what may be theirs, and are not asked within their module: %s", (call, printed) => {
    expect(f.run(`import m\nxs = ["what is not known"]\nprint(${call})`).text.split("\n").slice(1)).toEqual([printed]);
  });
});
