import { describe, expect, test } from "vitest";
import { Bytes, Complex, Datetime, type Datum, Duration, Float, StoredCollection, Subject } from "../../src/datum";
import type { Session } from "../../src/engine/session";
import { ALWAYS, at, cell, PLAIN, refuses, remember, shown, update, valueAt, World, window } from "./store-fixture";

describe("remember", () => {
  test("[language 5.4] a claim is there for a later call and for a reopened store", () => {
    const world = new World();
    const session = world.call();
    expect(remember(session, "P.ann.born", 1970, "registry")).toMatchObject({ verb: "remember", added: 1, removed: 0, source: "registry" });
    session.flush();
    expect(world.reopen().current(cell("P.ann.born"))).toMatchObject({
      value: 1970,
      source: "registry",
      trust: "asserted",
      writtenBy: "key-1",
      recordedAt: session.instant,
      pinned: false,
    });
  });

  test("[4.2] the same claim again is no change, also after reopening", () => {
    const world = new World();
    let session = world.call();
    remember(session, "P.ann.born", 1970);
    expect(remember(session, "P.ann.born", 1970)).toBeNull();
    session.flush();
    session = world.reopen();
    expect(remember(session, "P.ann.born", 1970)).toBeNull();
    expect(session.get(cell("P.ann.born"))).toHaveLength(1);
  });

  test("[6] another value of that source over that time conflicts; of another source it joins and is judged", () => {
    const session = new World().call();
    remember(session, "P.ann.born", 1970);
    refuses(() => remember(session, "P.ann.born", 1971), "conflicting_write", "P.ann.born");
    remember(session, "P.ann.born", 1971, "b");
    expect(valueAt(session, "P.ann.born")).toBe(1971);
    expect(session.values(cell("P.ann.born"))).toEqual([1970, 1971]);
    expect(session.sources(cell("P.ann.born"))).toEqual(["a", "b"]);
  });

  test("[rulings, Writes and windows] inside a recorded window no change, other overlaps conflict, apart a second claim", () => {
    const session = new World().call();
    remember(session, "P.a.x", 1, "a", window(10, 20));
    expect(remember(session, "P.a.x", 1, "a", window(12, 15))).toBeNull();
    refuses(() => remember(session, "P.a.x", 1, "a", window(15, 25)), "conflicting_write");
    refuses(() => remember(session, "P.a.x", 1, "a", window(12, 15), new Map([["unit", "C"]])), "conflicting_write");
    expect(remember(session, "P.a.x", 2, "a", window(20, 30))).not.toBeNull();
    expect(remember(session, "P.a.x", 3, "a", window(null, 10))).not.toBeNull();
    expect([5, 10, 19, 20, 30].map((t) => valueAt(session, "P.a.x", t))).toEqual([3, 1, 1, 2, undefined]);
  });

  test("[rulings, Restating after a forget] a superseded claim is no change only while its source still holds something there", () => {
    const session = new World().call();
    remember(session, "P.a.x", 1);
    update(session, "P.a.x", 2);
    expect(remember(session, "P.a.x", 1)).toBeNull();
    session.forgetValue(cell("P.a.x"), 2, "a");
    expect(remember(session, "P.a.x", 1)).not.toBeNull();
    expect(valueAt(session, "P.a.x")).toBe(1);
  });

  test("[rulings, Restating in part] inside, not equal to, a superseded window it is judged against standing claims", () => {
    const session = new World().call();
    remember(session, "P.a.x", 1, "a", window(0, 100));
    update(session, "P.a.x", 2, "a", window(0, 100));
    refuses(() => remember(session, "P.a.x", 1, "a", window(10, 20)), "conflicting_write");
  });

  test("[rulings] an empty or reversed window, None and an empty source are invalid_value", () => {
    const session = new World().call();
    refuses(() => remember(session, "P.a.x", 1, "a", window(5, 5)), "invalid_value", "P.a.x");
    expect(refuses(() => remember(session, "P.a.x", null), "invalid_value").message).toContain("assert_absent");
    refuses(() => remember(session, "P.a.x", 1, ""), "invalid_value");
    refuses(() => session.remember({ kind: "P", subject: "", field: "x" }, 1, "a", ALWAYS, PLAIN), "invalid_value");
    refuses(() => session.remember({ kind: "P", subject: "x".repeat(1025), field: "x" }, 1, "a", ALWAYS, PLAIN), "invalid_value");
    expect(session.remember({ kind: "P", subject: "😀".repeat(1024), field: "x" }, 1, "a", ALWAYS, PLAIN)).not.toBeNull();
  });

  test("[rulings, Equality] identity is type and form: 1, 1.0 and True are three values, NaN is one", () => {
    const session = new World().call();
    remember(session, "P.a.x", 1);
    refuses(() => remember(session, "P.a.x", new Float(1)), "conflicting_write");
    refuses(() => remember(session, "P.a.x", true), "conflicting_write");
    remember(session, "P.b.x", new Float(Number.NaN));
    expect(remember(session, "P.b.x", new Float(Number.NaN))).toBeNull();
    remember(session, "P.c.x", new Float(0));
    refuses(() => remember(session, "P.c.x", new Float(-0)), "conflicting_write");
  });

  test("[store-and-rules 1] every kind of value comes back as it was written", () => {
    const values: Datum[] = [
      true,
      0,
      -5,
      Number.MAX_SAFE_INTEGER,
      2n ** 64n,
      -(10n ** 300n),
      new Float(-0),
      new Float(1e300),
      new Complex(1, -2),
      "",
      "two words",
      "é😀\u0000\uffff",
      new Bytes(new Uint8Array([0, 255])),
      new Datetime(-62135596800000000),
      new Duration(-1),
      new Subject("fam.P", "x y"),
      new StoredCollection("list", [1, "a", new StoredCollection("tuple", [])]),
      new StoredCollection("dict", ["b", 1, "a", null]),
      new StoredCollection("range", [0, 10, 2]),
    ];
    const world = new World();
    let session = world.call();
    for (const [i, value] of values.entries()) session.remember({ kind: "V", subject: `v${i}`, field: "x" }, value, "a", ALWAYS, PLAIN);
    session.flush();
    session = world.reopen();
    for (const [i, value] of values.entries())
      expect(session.value({ kind: "V", subject: `v${i}`, field: "x" })).toEqual({ found: true, value });
  });

  test("[store-and-rules 1] a collection past 64 KiB and a text past 1 MiB are refused, one at the bound is kept", () => {
    const session = new World().call();
    const list = (n: number) => new StoredCollection("list", [new Bytes(new Uint8Array(n))]);
    refuses(() => remember(session, "P.a.x", list(65536)), "invalid_value", "P.a.x");
    expect(remember(session, "P.a.x", list(65000))).not.toBeNull();
    refuses(() => remember(session, "P.b.x", "é".repeat(524289)), "invalid_value");
    expect(remember(session, "P.b.x", "é".repeat(524288))).not.toBeNull();
    session.flush();
  });

  test("[language 5.2] qualifiers come back as written and their order makes no other claim", () => {
    const world = new World();
    const session = world.call();
    remember(
      session,
      "P.a.x",
      1,
      "a",
      ALWAYS,
      new Map<string, Datum>([
        ["unit", "C"],
        ["by", 2],
      ]),
    );
    expect(
      remember(
        session,
        "P.a.x",
        1,
        "a",
        ALWAYS,
        new Map<string, Datum>([
          ["by", 2],
          ["unit", "C"],
        ]),
      ),
    ).toBeNull();
    session.flush();
    expect([...world.reopen().current(cell("P.a.x"))!.qualifiers]).toEqual([
      ["unit", "C"],
      ["by", 2],
    ]);
  });
});

describe("update", () => {
  test("[language 5.4] the old version stays in history", () => {
    const session = new World().call();
    remember(session, "P.a.x", 1);
    expect(update(session, "P.a.x", 2)).toMatchObject({ added: 1, removed: 0 });
    expect(shown(session.get(cell("P.a.x")))).toEqual(["2 a [-,-)"]);
    expect(shown(session.history(cell("P.a.x")))).toEqual(["1 a [-,-)*", "2 a [-,-)"]);
  });

  test("[4.2] restating what stands is no change, in part of its window too; of nothing it is as remember", () => {
    const session = new World().call();
    expect(update(session, "P.a.x", 1)).not.toBeNull();
    expect(update(session, "P.a.x", 1)).toBeNull();
    expect(update(session, "P.a.x", 1, "a", window(1, 2))).toBeNull();
    expect(update(session, "P.a.x", 1, "b")).not.toBeNull();
  });

  test("[store-and-rules 1] part of a window: the remaining parts stay, with their first recorded_at", () => {
    const world = new World();
    const first = world.call();
    remember(first, "P.a.x", 1, "a", window(0, 100));
    first.flush();
    const second = world.call();
    update(second, "P.a.x", 2, "a", window(40, 60));
    second.flush();
    const session = world.reopen();
    expect(shown(session.get(cell("P.a.x")))).toEqual(["1 a [0,40)", "1 a [60,100)", "2 a [40,60)"]);
    expect(shown(session.history(cell("P.a.x")))).toEqual(["1 a [0,100)*", "1 a [0,40)", "1 a [60,100)", "2 a [40,60)"]);
    expect(session.get(cell("P.a.x"))[0].recordedAt).toBe(first.instant);
    expect([0, 39, 40, 60, 100].map((t) => valueAt(session, "P.a.x", t))).toEqual([1, 1, 2, 1, undefined]);
  });

  test("[rulings, Writes and windows] without bounds it supersedes all that source holds, and no other source's", () => {
    const session = new World().call();
    remember(session, "P.a.x", 1, "a", window(0, 10));
    remember(session, "P.a.x", 2, "a", window(20, 30));
    remember(session, "P.a.x", 9, "b", window(0, 10));
    update(session, "P.a.x", 3);
    expect(shown(session.get(cell("P.a.x")))).toEqual(["9 b [0,10)", "3 a [-,-)"]);
  });

  test("update back to an earlier value records it anew", () => {
    const session = new World().call();
    remember(session, "P.a.x", 1);
    update(session, "P.a.x", 2);
    expect(update(session, "P.a.x", 1)).not.toBeNull();
    expect(shown(session.history(cell("P.a.x")))).toEqual(["1 a [-,-)*", "2 a [-,-)*", "1 a [-,-)"]);
  });
});

describe("assert_absent", () => {
  test("[rulings, Asserted absence] it is a claim in force that reads as None, and values leaves it out", () => {
    const session = new World().call();
    expect(session.absent(cell("P.a.x"))).toBe(true);
    expect(session.assertAbsent(cell("P.a.x"), "a", ALWAYS)).toMatchObject({ verb: "assert_absent", added: 1 });
    expect(session.current(cell("P.a.x"))!.value).toBeNull();
    expect(session.value(cell("P.a.x"))).toEqual({ found: true, value: null });
    expect(session.values(cell("P.a.x"))).toEqual([]);
    expect(session.absent(cell("P.a.x"))).toBe(true);
    expect(session.subjects("P")).toEqual(["a"]);
    expect(session.assertAbsent(cell("P.a.x"), "a", ALWAYS)).toBeNull();
    refuses(() => remember(session, "P.a.x", 1), "conflicting_write");
  });

  test("[rulings] a value by that source in the window conflicts", () => {
    const session = new World().call();
    remember(session, "P.a.x", 1);
    refuses(() => session.assertAbsent(cell("P.a.x"), "a", ALWAYS), "conflicting_write");
  });
});

describe("forget", () => {
  test("[4.2] a whole cell: value, rivals and history, counted in claims; of nothing it is no change", () => {
    const world = new World();
    const session = world.call();
    remember(session, "P.a.x", 1);
    update(session, "P.a.x", 2);
    remember(session, "P.a.x", 9, "b");
    session.flush();
    expect(session.forget(at("P.a.x"))).toMatchObject({ verb: "forget", removed: 3 });
    expect(session.history(cell("P.a.x"))).toEqual([]);
    expect(session.forget(at("P.a.x"))).toBeNull();
    session.flush();
    expect(world.reopen().history(cell("P.a.x"))).toEqual([]);
  });

  test("[store-and-rules 1] after the newer version is forgotten the older does not come back in force", () => {
    const session = new World().call();
    remember(session, "P.a.x", 1);
    update(session, "P.a.x", 2);
    expect(session.forgetValue(cell("P.a.x"), 2, "a")).toMatchObject({ removed: 1 });
    expect(session.current(cell("P.a.x"))).toBeNull();
    expect(shown(session.history(cell("P.a.x")))).toEqual(["1 a [-,-)*"]);
  });

  test("[rulings] a value of a source: all windows and versions of it, by identity", () => {
    const session = new World().call();
    remember(session, "P.a.x", 1, "a", window(0, 10));
    remember(session, "P.a.x", 1, "a", window(20, 30));
    remember(session, "P.a.x", 1, "b");
    expect(session.forgetValue(cell("P.a.x"), new Float(1), "a")).toBeNull();
    expect(session.forgetValue(cell("P.a.x"), 1, "a")).toMatchObject({ removed: 2 });
    expect(shown(session.get(cell("P.a.x")))).toEqual(["1 b [-,-)"]);
  });

  test("[rulings] at an instant: whole claims true then, rivals too, and superseded versions of those values", () => {
    const session = new World().call();
    remember(session, "P.a.x", 1, "a", window(0, 10));
    update(session, "P.a.x", 2, "a", window(0, 10));
    update(session, "P.a.x", 1, "a", window(0, 10));
    remember(session, "P.a.x", 5, "b", window(5, 50));
    remember(session, "P.a.x", 7, "a", window(10, 20));
    expect(session.forgetAt(cell("P.a.x"), 7)).toMatchObject({ removed: 3 });
    expect(shown(session.history(cell("P.a.x")))).toEqual(["2 a [0,10)*", "7 a [10,20)"]);
  });

  test("[language 5.4] a range takes older versions only: never what is in force nor what is yet to begin", () => {
    const world = new World();
    const first = world.call();
    remember(first, "P.a.x", 1);
    update(first, "P.a.x", 2);
    remember(first, "P.a.x", 3, "b", window(0, 10));
    remember(first, "P.a.x", 4, "c", window(1e12, null));
    remember(first, "P.b.x", 1);
    first.flush();
    const session = world.call();
    expect(session.forgetRange(at("P.a.x"), "recorded_before", first.instant)).toBeNull();
    expect(session.forgetRange({ tag: "field", kind: "P", field: "x" }, "recorded_at_or_before", first.instant)).toMatchObject({
      removed: 2,
    });
    expect(shown(session.history(cell("P.a.x")))).toEqual(["2 a [-,-)", "4 c [1000000000000,-)"]);
    expect(valueAt(session, "P.b.x")).toBe(1);
  });

  test.each([
    ["valid_before", 0, 1],
    ["valid_before", 1, 2],
    ["valid_at_or_before", 0, 2],
    ["valid_at_or_before", -1, 1],
  ] as const)("[rulings, Range forget] %s %i takes %i", (keyword, instant, removed) => {
    const session = new World().call();
    remember(session, "P.a.x", 1, "a", window(0, 10));
    remember(session, "P.a.x", 2, "b", window(null, 10));
    expect(session.forgetRange({ tag: "subject", kind: "P", subject: "a" }, keyword, instant)).toMatchObject({ removed });
  });

  test("[language 5.4] a subject whole, every field of it and nothing else", () => {
    const world = new World();
    const session = world.call();
    remember(session, "P.a.x", 1);
    remember(session, "P.a.y", 1);
    remember(session, "P.b.x", 1);
    remember(session, "Q.a.x", 1);
    session.flush();
    expect(session.forget({ tag: "subject", kind: "P", subject: "a" })).toMatchObject({ removed: 2 });
    expect(session.subjects("P")).toEqual(["b"]);
    expect(session.subjects("Q")).toEqual(["a"]);
  });

  test("[rulings] a whole kind or field without a range names the forms", () => {
    const session = new World().call();
    refuses(() => session.forget({ tag: "kind", kind: "P" }), "invalid_value", "P");
    refuses(() => session.forget({ tag: "field", kind: "P", field: "x" }), "invalid_value", "P.x");
  });
});

describe("levels", () => {
  test("[rulings, Levels] each verb asks for its level, where it would change state", () => {
    const world = new World();
    const writer = world.call();
    remember(writer, "P.a.x", 1);
    writer.flush();
    const read = world.call("read");
    expect(remember(read, "P.a.x", 1)).toBeNull();
    expect(update(read, "P.a.x", 1)).toBeNull();
    expect(read.forget(at("P.none.x"))).toBeNull();
    refuses(() => remember(read, "P.a.x", 2), "conflicting_write");
    refuses(() => remember(read, "P.b.x", 2), "scope_forbidden");
    refuses(() => remember(read, "P.b.x", 2, "a", window(2, 1)), "scope_forbidden");
    refuses(() => read.forget(at("P.a.x")), "scope_forbidden");
    refuses(() => read.forget({ tag: "kind", kind: "P" }), "scope_forbidden");
    refuses(() => read.pin(cell("P.none.x")), "scope_forbidden");
    const add = world.call("read-add");
    expect(remember(add, "P.b.x", 2)).not.toBeNull();
    expect(update(add, "P.c.x", 2)).not.toBeNull();
    refuses(() => update(add, "P.b.x", 3), "scope_forbidden");
    refuses(() => add.prefer(at("P.b.x"), "a"), "scope_forbidden");
    const write = world.call("read-write");
    expect(update(write, "P.b.x", 3)).not.toBeNull();
    refuses(() => write.forget(at("P.b.x")), "scope_forbidden");
    expect(refuses(() => write.forget(at("P.b.x")), "scope_forbidden").hint).toBeNull();
    expect(world.call().forget(at("P.b.x"))).toMatchObject({ removed: 2 });
  });
});

describe("pins and preferences", () => {
  test("[language 5.2] a preferred source is believed: the cell's before the field's, and its absence falls back", () => {
    const session = new World().call();
    remember(session, "P.a.x", 1, "a", window(0, null));
    remember(session, "P.a.x", 2, "b");
    expect(valueAt(session, "P.a.x")).toBe(2);
    session.prefer({ tag: "field", kind: "P", field: "x" }, "a");
    expect(valueAt(session, "P.a.x")).toBe(1);
    expect(valueAt(session, "P.a.x", -1)).toBe(2);
    session.prefer(at("P.a.x"), "b");
    expect(valueAt(session, "P.a.x")).toBe(2);
    session.unprefer(at("P.a.x"));
    expect(valueAt(session, "P.a.x")).toBe(1);
  });

  test("[rulings, Preferences] where the cell's preferred source has nothing in force the field's is believed, then and now", () => {
    const world = new World();
    const first = world.call();
    remember(first, "P.a.x", 1, "a", window(0, 10));
    remember(first, "P.a.x", 2, "b", window(0, 20));
    remember(first, "P.a.x", 3, "c");
    first.prefer(at("P.a.x"), "a");
    first.prefer({ tag: "field", kind: "P", field: "x" }, "b");
    const believed = (session: Session, known?: number) => [5, 15, 25].map((instant) => valueAt(session, "P.a.x", instant, known));
    expect(believed(first)).toEqual([1, 2, 3]);
    first.flush();
    const second = world.call();
    second.unprefer(at("P.a.x"));
    expect(believed(second)).toEqual([2, 2, 3]);
    expect(believed(second, first.instant)).toEqual([1, 2, 3]);
  });

  test("[6] prefer and unprefer refuse what is not there and what already holds", () => {
    const session = new World().call();
    refuses(() => session.unprefer(at("P.a.x")), "not_recorded", "P.a.x");
    remember(session, "P.a.x", 1);
    refuses(() => session.prefer(at("P.a.x"), "b"), "not_recorded");
    refuses(() => session.unprefer(at("P.a.x")), "already_in_effect");
    session.prefer(at("P.a.x"), "a");
    refuses(() => session.prefer(at("P.a.x"), "a"), "already_in_effect");
    session.forget(at("P.a.x"));
    refuses(() => session.prefer(at("P.a.x"), "a"), "already_in_effect");
    expect(session.unprefer(at("P.a.x"))).toMatchObject({ verb: "unprefer" });
    refuses(() => session.unprefer(at("P.a.x")), "not_recorded");
  });

  test("[6] pin protects from every removal, not from update; the hint names the first pinned address", () => {
    const world = new World();
    const session = world.call();
    refuses(() => session.pin(cell("P.b.x")), "not_recorded");
    refuses(() => session.unpin(cell("P.b.x")), "not_recorded");
    remember(session, "P.b.x", 1);
    remember(session, "P.b.y", 1);
    refuses(() => session.unpin(cell("P.b.x")), "already_in_effect");
    session.pin(cell("P.b.y"));
    session.pin(cell("P.b.x"));
    refuses(() => session.pin(cell("P.b.x")), "already_in_effect");
    expect(session.current(cell("P.b.x"))!.pinned).toBe(true);
    session.flush();
    const later = world.reopen();
    refuses(() => later.forget({ tag: "subject", kind: "P", subject: "b" }), "pinned_address", "P.b.x");
    refuses(() => later.forgetValue(cell("P.b.x"), 1, "a"), "pinned_address");
    expect(later.forgetRange({ tag: "kind", kind: "P" }, "recorded_before", later.instant)).toBeNull();
    update(later, "P.b.x", 2);
    later.unpin(cell("P.b.x"));
    expect(later.forget(at("P.b.x"))).toMatchObject({ removed: 2 });
  });
});
