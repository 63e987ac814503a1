/** [0] A builtin that calls functions of ours runs inside one statement: the ceilings of ops and of steps end it all the same. */
import { describe, expect, test } from "vitest";
import { runProgram } from "../machine/run-program";

/** Each would take some 10^8 steps. `work` counts a thousand rounds. */
const ENDLESS = [
  "sorted(range(100_000), key=work)",
  "[*map(work, range(100_000))]",
  "list(filter(work, range(100_000)))",
  "sum(work(i) for i in range(100_000))",
  "max(range(100_000), key=work)",
  "min((work(i), i) for i in range(100_000))",
  "any(work(i) < 0 for i in range(100_000))",
  "all(work(i) >= 0 for i in range(100_000))",
  "''.join(str(work(i)) for i in range(100_000))",
  "{i: j for i, j in zip(range(100_000), map(work, range(100_000)))}",
  "dict((i, work(i)) for i in range(100_000))",
  "set(map(work, range(100_000)))",
  "[1, 2].extend(work(i) for i in range(100_000))",
  "functools.reduce(lambda a, b: a + work(b), range(100_000))",
  "list(itertools.accumulate(range(100_000), lambda a, b: a + work(b)))",
  "sorted(range(100_000), key=functools.cmp_to_key(lambda a, b: work(a) - work(b)))",
  "next(x for x in range(100_000) if work(x) < 0)",
  "re.sub('a', lambda m: str(work(1)), 'a' * 100_000)",
  "collections.Counter(work(i) for i in range(100_000))",
  "math.fsum(work(i) for i in range(100_000))",
  "statistics.mean(work(i) for i in range(100_000))",
];

function program(call: string): string {
  const imports = ["functools", "itertools", "re", "collections", "math", "statistics"].filter((m) => call.includes(`${m}.`));
  return `${imports.map((m) => `import ${m}\n`).join("")}def work(n):
    x = 0
    for i in range(1000):
        x += i
    return x
try:
    ${call}
    print("went on")
except Exception:
    print("caught")
finally:
    print("finally")
`;
}

describe("[0] ceilings inside builtins", () => {
  test.each(ENDLESS)("%s", (call) => {
    const byOps = runProgram(program(call), { opsMax: 300_000 });
    expect(byOps.ending).toMatchObject({ tag: "refused", reason: "limit_exceeded", exception: null });
    expect(byOps.ops).toBe(300_000);
    const bySteps = runProgram(program(call), { stepsMax: 200_000 });
    expect(bySteps.ending).toMatchObject({ tag: "refused", reason: "limit_exceeded", exception: null });
    // No handler and no `finally` sees a ceiling.
    expect(byOps.out + bySteps.out).toBe("");
    // Cut into slices it ends at the same place.
    const cut = runProgram(program(call), { stepsMax: 200_000, slice: 1000 });
    expect([cut.ops, cut.execution?.steps, cut.ending]).toEqual([bySteps.ops, bySteps.execution?.steps, bySteps.ending]);
  });
});
