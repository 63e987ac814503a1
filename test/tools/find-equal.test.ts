/**
 * `find` gives the subjects whose value in force equals the wanted one as Python's `==` says (contract §8, verbs): beside a
 * walk over all subjects that compares in the language, over values of every type and every way to hold them.
 */
import { describe, expect, test } from "vitest";
import { ToolFixture } from "./tool-fixture";

const VALUES = [
  "0", "0.0", "-0.0", "False", "0j", "complex(-0.0, 0.0)", "complex(0.0, -0.0)", "1", "True", "1.0", "1+0j", "complex(1, -0.0)",
  "2", "2.5", "complex(2.5, 0)", "complex(2.5, 1)", "complex(0.0, 1)", "complex(-0.0, 1)", "complex(-0.0, -1)",
  "2 ** 53", "2.0 ** 53", "2 ** 53 + 1", "10 ** 300", "1e300", "int(1e300)", "10 ** 400", "float('inf')", "float('nan')",
  "'a'", "''", "'0'", "b'a'", "b''", "K.one", "K['two']", "datetime('2026-01-01T00:00:00Z')", "duration(seconds=1)",
  "[1]", "[1.0]", "[True]", "(1,)", "{1: 2}", "{1.0: 2}", "{1, 2}", "frozenset([1.0, 2])", "range(0)", "range(3, 3)", "[]", "()",
]; // biome-ignore format: a table
const RECORD = `values_of = [${VALUES.join(", ")}]
for i in range(len(values_of)):
    update(P[f"p{i}"].v, values_of[i], "s")
    update(P[f"old{i}"].v, values_of[i], "s")
    update(P[f"old{i}"].v, "newer", "s")
    remember(P[f"wide{i}"].v, values_of[i], "s", valid_from=datetime("2000-01-01T00:00:00Z"), valid_to=datetime("2010-01-01T00:00:00Z"))
    remember(P[f"rival{i}"].v, values_of[i], "s")
    remember(P[f"rival{i}"].v, "other", "t")
    remember(m.M[f"many{i}"].v, values_of[i], "s")
    remember(m.M[f"many{i}"].v, "beside", "s")
prefer(P.v, "t")
`;
const COMPARE = `wrong = []
for wanted in [${VALUES.join(", ")}]:
    want = [s for s in subjects(P) if value(s.v) == wanted]
    if find(P, v=wanted) != want:
        wrong.append([wanted, find(P, v=wanted), want])
    want = [s for s in subjects(m.M) if any(v == wanted for v in values(s.v))]
    if find(m.M, v=wanted) != want or find(m.M, v="beside") != subjects(m.M) or find(m.M, v=wanted, like="beside") != want:
        wrong.append([wanted, find(m.M, v=wanted), want])
print(len(subjects(P)), wrong)
`;

function said(f: ToolFixture, source: string): string {
  const told = f.run(source);
  expect(told.status, told.text).toBe("success");
  return told.text;
}

describe("[8] find by a value", () => {
  test("finds what a walk over all subjects finds: as saved, in the call that wrote it, in a branch and in a world", () => {
    const f = new ToolFixture();
    expect(
      f.compile("m", 'class M:\n    v: many[any]\n\n@rule\ndef like(i: M):\n    when(i.v == "beside")\n    conclude(i.like, "beside")\n')
        .status,
    ).toBe("success");
    const inside = (body: string) => body.trimEnd().replaceAll("\n", "\n    ");
    expect(said(f, `import m\nwith branch("b"):\n    ${inside(RECORD)}\n    ${inside(COMPARE)}\n    rollback()`)).toMatch(/^147 \[\]$/m);
    expect(
      said(f, `import m\ncreate_world("w")\nwith world("w"):\n    ${inside(RECORD)}\n    ${inside(COMPARE)}\ndiscard_world("w")`),
    ).toMatch(/^147 \[\]$/m);
    expect(said(f, `import m\n${RECORD}${COMPARE}`)).toMatch(/^147 \[\]$/m);
    expect(said(f, `import m\n${COMPARE}`)).toMatch(/^147 \[\]$/m);
    f.reopen();
    expect(said(f, `import m\n${COMPARE}`)).toMatch(/^147 \[\]$/m);
  });

  test("across more claims than are asked for at once", () => {
    const f = new ToolFixture();
    expect(said(f, 'for i in range(9000):\n    update(Q[f"q{i}"].v, i % 900, "s")')).toContain("9000 claims added");
    expect(said(f, "print(len(find(Q, v=3)), find(Q, v=899.0)[-1], find(Q, v=900))")).toContain("10 Q.q8999 []");
    expect(said(f, 'update(Q.q3.v, 4, "s")\nupdate(Q.q8999.v, 3, "s")\nprint(len(find(Q, v=3)), Q.q8999 in find(Q, v=3))')).toContain(
      "10 True",
    );
  });
});
