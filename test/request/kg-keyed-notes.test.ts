/** Notes under a key: kept once, with a version that every change raises and that fences hold to (request facts §7.1). */
import { describe, expect, it } from "vitest";
import { RequestFixture } from "./request-fixture";

const fenceAt = (version: number | null) => `{"key": "k", "kind": "reference", "expected_version": ${version}}`;

describe("notes under a key", () => {
  it("[request facts §7.1] a key is given once in its namespace and kind", () => {
    const f = new RequestFixture();
    const made = f.result('create(kind="reference", content="one", key="k")');
    expect(made).toMatchObject({ key: "k", version: 1, content: "one" });
    expect(f.error('create(kind="reference", content="two", key="k")')).toMatchObject({
      kind: "conflict",
      details: { reason: "key_conflict", existing_id: made.id },
    });
    expect(f.result('create(kind="insight", content="two", key="k")').version).toBe(1);
    expect(f.result('create(kind="reference", content="two", key="k", namespace="n")').version).toBe(1);
    f.result(`delete(id="${made.id}")`);
    expect(f.result('create(kind="reference", content="two", key="k")').version).toBe(1);
    expect(f.result('create(kind="reference", content="plain")').version).toBeUndefined();
    for (const ops of [
      'create(kind="concept", name="x", key="k")',
      'create(kind="task", title="x", embed=false)',
      'create(items=[{"kind": "note", "content": "x", "key": "z"}])',
    ])
      expect(f.error(ops).message).toMatch(/has no|no `key`/);
  });

  it("[request facts §7.1] every change raises its version, whichever verb makes it, and a fence notices", () => {
    const f = new RequestFixture();
    const { id } = f.result('create(kind="reference", content="one", key="k")');
    expect(f.result(`update(id="${id}", content="two")`).version).toBe(2);
    expect(f.result(`update(id="${id}", tags=["t"], salience=0.5)`).version).toBe(3);
    expect(f.result(`update(id="${id}", content="two")`).version).toBe(3);
    f.result('stream.batch(ops=[{"op": "write", "key": "k", "kind": "reference", "doc": "three", "expected_version": 3}])');
    expect(f.result(`get(id="${id}")`)).toMatchObject({ version: 4, content: "three" });
    const other = f.result('create(kind="reference", content="four")').id;
    f.result(`merge(into_id="${id}", from_id="${other}", kind="note")`);
    expect(f.result(`get(id="${id}")`).version).toBe(5);
    expect(f.error(`stream.append(stream="s", record=1, fence=${fenceAt(1)})`).details).toMatchObject({ actual_version: "5" });
    expect(f.error(`create(kind="insight", content="x", fence=${fenceAt(4)})`).details).toMatchObject({ reason: "fence_conflict" });
    expect(f.result(`create(kind="insight", content="x", fence=[${fenceAt(5)}])`).content).toBe("x");
  });

  it("[request facts §7.1] update holds to the version that was seen", () => {
    const f = new RequestFixture();
    const { id } = f.result('create(kind="reference", content="one", key="k")');
    expect(f.result(`update(id="${id}", content="two", expected_version=1)`).version).toBe(2);
    expect(f.error(`update(id="${id}", content="three", expected_version=1)`)).toMatchObject({
      kind: "conflict",
      details: { reason: "version_conflict", expected_version: "1", actual_version: "2" },
    });
    expect(f.result(`get(id="${id}")`).content).toBe("two");
    const plain = f.result('create(kind="concept", name="x")').id;
    expect(f.error(`update(id="${plain}", name="y", expected_version=1)`).message).toContain("has no version");
  });

  it("[request facts §7.1] get gives content that is JSON as what it says", () => {
    const f = new RequestFixture();
    const { id } = f.result('create(kind="reference", content="{\\"n\\": 1}", key="k")');
    expect(f.result(`get(id="${id}")`).content).toBe('{"n": 1}');
    expect(f.result(`get(id="${id}", parse_content=true)`).content).toEqual({ n: 1 });
    f.result(`update(id="${id}", content="no JSON")`);
    expect(f.result(`get(id="${id}", parse_content=true)`).content).toBe("no JSON");
    const entity = f.result('create(kind="concept", name="x")').id;
    expect(f.error(`get(id="${entity}", parse_content=true)`).message).toContain("no content");
  });
});
