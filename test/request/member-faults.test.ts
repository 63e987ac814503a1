/** Members of a list that a verb reads by itself (`items`, `links`, `ops`): told as arguments are, and never half done. */
import { describe, expect, it } from "vitest";
import { RequestFixture } from "./request-fixture";

const call = (tool: string, args: object) => JSON.stringify({ tool, args });

describe("members of a list", () => {
  it.each([
    ["create", { items: [5] }, "item 0: must be an object, got a number"],
    ["create", { items: [{ kind: "concept", name: "x", foo: 1 }] }, "got `foo`"],
    ["create", { items: [{ kind: "concept", name: 5 }] }, "`name` must be a string, got a number"],
    ["create", { items: [{ kind: "note", content: "x", salience: 2 }] }, "`salience` is at most 1"],
    ["link", { links: ["x"] }, "link 0: must be an object, got a string"],
    ["link", { links: [{ source_id: "x", target_id: "y", relation: "extends", wait: 1 }] }, "got `wait`"],
    ["stream.batch", { ops: [{ op: "append", stream: "s" }] }, "ops[0]: `record` is missing"],
    ["stream.batch", { ops: [{ op: "append", stream: "s", record: 1, note_kind: "insight" }] }, "got `note_kind`"],
    ["stream.batch", { ops: [{ op: "write", key: "k", kind: "concept", doc: 1 }] }, 'ops[0]: "concept" is no kind of note'],
    ["stream.append", { stream: "s", record: 1, fence: [{ key: "k", kind: "reference", expected_version: 0 }] }, "is at least 1"],
    [
      "stream.append",
      { stream: "s", record: 1, fence: Array(101).fill({ key: "k", kind: "reference", expected_version: 1 }) },
      "`fence` has at most 100 entries",
    ],
    ["stream.append", { stream: "s", record: 1, fence: "k" }, "`fence` is none of what it may be, got a string"],
  ])("[request facts §7.1] %s %j", (tool, args, said) => {
    expect(new RequestFixture().error(call(tool, args))).toMatchObject({ kind: "invalid_input", message: expect.stringContaining(said) });
  });

  it("[request facts §7.1] a malformed member refuses a batch whole, atomic or not", () => {
    const f = new RequestFixture();
    const append = { op: "append", stream: "s", record: 1 };
    for (const atomic of [true, false])
      f.error(call("stream.batch", { ops: [append, { op: "write", key: "k", kind: "nope", doc: 1 }], atomic }));
    expect(f.result('stream.stat(stream="s")')).toEqual({ head_seq: 0, count: 0 });
  });

  it("[request facts §7.1] an item that is refused half made is not made at all, and its siblings are", () => {
    const f = new RequestFixture();
    const tasks = [
      { kind: "task", title: "first" },
      { kind: "task", title: "lost", depends_on: ["deadbeef"] },
      { kind: "concept", name: "last" },
    ];
    expect(f.result(call("create", { items: tasks, atomic: false }))).toMatchObject({
      attempted: 3,
      created: 2,
      failed: 1,
      errors: [{ index: 1 }],
    });
    expect(f.result("gtd.tasks()").items).toMatchObject([{ title: "first" }]);
    expect(f.result("stats()")).toMatchObject({ entities: 1, notes: 1 });
    f.reopen();
    expect(f.result("gtd.tasks()").items).toMatchObject([{ title: "first" }]);
    expect(f.error(call("create", { items: tasks })).message).toContain("1 of 3 items");
    expect(f.result("stats()")).toMatchObject({ entities: 1, notes: 1 });
  });

  it("[request facts §5.3] help tells a value that may be null by both its types", () => {
    const { params } = new RequestFixture().result("update(help=true)");
    expect(params.find(({ name }: { name: string }) => name === "description").type).toBe("string | null");
  });

  it("[request facts §5.3] help names the namespace that every verb takes", () => {
    const { params, input_schema: schema } = new RequestFixture().result("stats(help=true)");
    expect(params).toMatchObject([{ name: "namespace", type: "string", required: false }]);
    expect(schema).toMatchObject({ additionalProperties: false, properties: { namespace: { type: "string" } } });
  });
});
