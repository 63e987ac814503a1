/** Marks over the wire, on the object's own SQLite: what test/tools/marks.test.ts says of them in full. */
import { expect, it } from "vitest";
import { callTool, freshStore } from "./fresh-store";

it("[9.7] a mark, what happened since, a module brought back whole, and the mark dropped", async () => {
  const key = (await freshStore()).keys["read-write-delete"];
  const told = async (tool: string, args: Record<string, unknown>) => {
    const { result } = await callTool(key, tool, args);
    expect(result.isError, result.content[0].text).toBe(false);
    return result.content[0].text as string;
  };
  await told("compile", {
    name: "inv",
    source: "class W:\n    n: int\n\n@rule\ndef low(w: W):\n    when(w.n < 5)\n    conclude(w.low, True)\n",
  });
  await told("run", { source: 'import inv\nremember(W.a.n, 7, "s")\nprefer(W.a.n, "s")\nremember(K.s.a, 1, "s")\nupdate(K.s.a, 2, "s")' });
  expect(await told("checkpoint", { name: "before.v1" })).toBe("OK checkpoint before.v1.");
  await told("run", {
    source: `import inv
update(W.a.n, 3, "s", valid_from=datetime("2020-01-01T00:00:00Z"))
forget(K.s.a)
remember(L.x.y, 1, "t")
forget(L.x.y, datetime("2020-01-01T00:00:00.123456Z"))`,
  });
  const lines = [
    "added inv.W.a.n = 3 (per s)",
    "added inv.W.a.low = True",
    "removed K.s.a",
    "removed the values of L.x.y in force at 2020-01-01T00:00:00.123456Z",
  ];
  const diff = (await callTool(key, "diff", { since: "before.v1" })).result;
  expect(diff._meta.lines).toEqual(lines);
  expect(diff.content[0].text).toBe(lines.join("\n"));
  await told("forget_module", { name: "inv", confirm: true });
  expect(await told("restore", { since: "before.v1" })).toBe("OK restored 6 values.\nmodule `inv` restored.");
  const read = await callTool(key, "run", {
    source:
      "import inv\nprint([value(W.a.n), value(W.a.low), value(W.a.n, at=datetime('2019-01-01T00:00:00Z')), len(history(K.s.a)), value(L.x.y)])",
  });
  expect(read.result._meta.transcript[0].value).toBe("[3, True, 7, 2, 1]");
  expect(await told("list", { target: "checkpoints" })).toContain("before.v1");
  expect(await told("forget_checkpoint", { name: "before.v1" })).toBe("OK forgot checkpoint before.v1 (0).");
  expect(await told("diff", { since: "before.v1" })).toBe("none");
});

it("[9.7] -32602 for what is no mark's name, engine_error for restore since one that does not stand", async () => {
  const key = (await freshStore()).keys["read-write-delete"];
  for (const [tool, args] of [
    ["checkpoint", { name: "1st" }],
    ["diff", { since: "a..b" }],
    ["restore", { since: "" }],
    ["forget_checkpoint", { name: "a b" }],
    ["diff", { name: "a" }],
  ] as const)
    expect((await callTool(key, tool, args)).error?.code, tool).toBe(-32602);
  expect((await callTool(key, "restore", { since: "nothing" })).result._meta.status).toBe("engine_error");
});
