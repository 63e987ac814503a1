import { describe, expect, test } from "vitest";
import { Float, StoredCollection, Subject } from "../../src/datum";
import { at, cell, refuses, remember, shown, update, valueAt, World, window } from "./store-fixture";

describe("judgement", () => {
  test("[language 5.2] the last recorded claim whose window holds the instant", () => {
    const session = new World().call();
    remember(session, "P.a.x", 1, "a", window(0, 100));
    remember(session, "P.a.x", 2, "b", window(10, 20));
    expect([5, 10, 19, 20, 100].map((t) => valueAt(session, "P.a.x", t))).toEqual([1, 2, 2, 1, undefined]);
    expect(session.current(cell("P.a.x"), { at: 15 })).toMatchObject({ source: "b", window: { from: 10, to: 20 } });
  });

  test("[rulings, values] every distinct value whose window holds the instant, in value order", () => {
    const session = new World().call();
    remember(session, "P.a.x", "z", "a");
    remember(session, "P.a.x", new Float(1), "b");
    remember(session, "P.a.x", 1, "c");
    remember(session, "P.a.x", true, "d");
    remember(session, "P.a.x", "z", "e");
    remember(session, "P.a.x", "later", "f", window(1e12, null));
    expect(session.values(cell("P.a.x"))).toEqual([true, 1, new Float(1), "z"]);
  });
});

describe("known_at", () => {
  test("[rulings, Instants] what the store had been told by then, the instant included", () => {
    const world = new World();
    const calls = [1, 2, 3].map((value) => {
      const session = world.call();
      update(session, "P.a.x", value);
      session.flush();
      return session.instant;
    });
    const session = world.reopen();
    expect([calls[0] - 1, ...calls].map((known) => valueAt(session, "P.a.x", undefined, known))).toEqual([undefined, 1, 2, 3]);
    expect(session.values(cell("P.a.x"), { knownAt: calls[1] })).toEqual([2]);
    expect(session.subjects("P", { knownAt: calls[0] - 1 })).toEqual([]);
    expect(session.find("P", new Map([["x", 2]]), { knownAt: calls[1] })).toEqual(["a"]);
    refuses(() => session.value(cell("P.a.x"), { knownAt: session.instant + 1 }), "invalid_value");
    expect(valueAt(session, "P.a.x", undefined, session.instant)).toBe(3);
  });

  test("[rulings, Writes and windows] remaining parts are known from the update on, the version answers before", () => {
    const world = new World();
    const first = world.call();
    remember(first, "P.a.x", 1, "a", window(0, 100));
    const second = world.call();
    update(second, "P.a.x", 2, "a", window(40, 60));
    const session = world.call();
    expect(session.current(cell("P.a.x"), { at: 10, knownAt: first.instant })!.window).toEqual({ from: 0, to: 100 });
    expect(session.current(cell("P.a.x"), { at: 10, knownAt: second.instant })!.window).toEqual({ from: 0, to: 40 });
  });

  test("[6] a version whose successor was erased is not_recorded, where nothing later of its source was known", () => {
    const world = new World();
    const [one, two, three] = [1, 2, 3].map((value) => {
      const session = world.call();
      update(session, "P.a.x", value);
      session.flush();
      return session;
    });
    const session = world.call();
    session.forgetValue(cell("P.a.x"), 2, "a");
    session.flush();
    const later = world.reopen();
    refuses(() => valueAt(later, "P.a.x", undefined, one.instant), "not_recorded", "P.a.x");
    refuses(() => valueAt(later, "P.a.x", undefined, two.instant), "not_recorded");
    expect(valueAt(later, "P.a.x", undefined, three.instant)).toBe(3);
    expect(valueAt(later, "P.a.x", undefined, one.instant - 1)).toBeUndefined();
  });

  test("[rulings] judged by the preferences that stood then", () => {
    const world = new World();
    const first = world.call();
    remember(first, "P.a.x", 1, "a");
    remember(first, "P.a.x", 2, "b");
    first.flush();
    const second = world.call();
    second.prefer(at("P.a.x"), "a");
    second.flush();
    const third = world.call();
    third.unprefer(at("P.a.x"));
    third.flush();
    const session = world.reopen();
    expect([first, second, third].map((call) => valueAt(session, "P.a.x", undefined, call.instant))).toEqual([2, 1, 2]);
  });
});

describe("reads of what is in memory", () => {
  test("[store-and-rules 7] a cell without history is asked of SQL once, at whatever moments it is read", () => {
    const world = new World();
    const first = world.call();
    remember(first, "P.a.x", 1);
    remember(first, "P.b.x", 1);
    first.flush();
    const session = world.reopen();
    valueAt(session, "P.b.x");
    const calls = (work: () => void) => {
      const before = world.sql.calls;
      work();
      return world.sql.calls - before;
    };
    expect(calls(() => valueAt(session, "P.a.x", undefined, first.instant))).toBeGreaterThan(0);
    expect(calls(() => valueAt(session, "P.a.x", undefined, first.instant))).toBe(0);
    expect(calls(() => valueAt(session, "P.a.x", 5, first.instant - 1))).toBe(0);
    expect(calls(() => valueAt(session, "P.a.x", 5))).toBe(0);
    expect(calls(() => valueAt(session, "P.a.x"))).toBe(0);
    // What it becomes is seen all the same.
    update(session, "P.a.x", 2);
    session.flush();
    const later = world.call();
    expect([first.instant, session.instant].map((known) => valueAt(later, "P.a.x", undefined, known))).toEqual([1, 2]);
  });
});

describe("reads of names", () => {
  test("[rulings, Reads of names] kinds, fields, sources and subjects list what get would show", () => {
    const world = new World();
    const session = world.call();
    remember(session, "P.b.y", 1, "s2");
    remember(session, "P.b.x", 1, "s1");
    remember(session, "P.a.x", 1, "s1", window(0, 1));
    remember(session, "A.z.x", 1);
    remember(session, "gone.z.x", 1);
    session.forget(at("gone.z.x"));
    remember(session, "P.😀.x", 1);
    remember(session, "P.\uffff.x", 1);
    for (const reopened of [false, true]) {
      session.flush();
      const view = reopened ? world.reopen() : session;
      expect(view.kinds()).toEqual(["A", "P"]);
      expect(view.fields("P", "b")).toEqual(["x", "y"]);
      expect(view.fields("P", "nobody")).toEqual([]);
      expect(view.sources(cell("P.b.y"))).toEqual(["s2"]);
      expect(view.subjects("P")).toEqual(["b", "\uffff", "😀"]);
      expect(view.subjects("P", { at: 0 })).toEqual(["a", "b", "\uffff", "😀"]);
      expect(view.subjects("None")).toEqual([]);
    }
  });

  test("[rulings, Equality] find uses Python's equality and all conditions hold of one subject", () => {
    const session = new World().call();
    remember(session, "P.a.x", 1);
    remember(session, "P.b.x", new Float(1));
    remember(session, "P.c.x", true);
    remember(session, "P.d.x", "1");
    remember(session, "P.e.x", new Float(Number.NaN));
    remember(session, "P.f.x", new StoredCollection("list", [1]));
    remember(session, "P.b.y", new Subject("P", "a"));
    expect(session.find("P", new Map([["x", 1]]))).toEqual(["a", "b", "c"]);
    expect(session.find("P", new Map([["x", new StoredCollection("list", [new Float(1)])]]))).toEqual(["f"]);
    expect(session.find("P", new Map([["x", new Float(Number.NaN)]]))).toEqual([]);
    expect(
      session.find(
        "P",
        new Map<string, number | Subject>([
          ["x", 1],
          ["y", new Subject("P", "a")],
        ]),
      ),
    ).toEqual(["b"]);
    expect(session.find("P", new Map([["nothing", 1]]))).toEqual([]);
  });

  test("[language 5.2] changed gives claims recorded since, superseded ones too", () => {
    const world = new World();
    const first = world.call();
    remember(first, "P.a.x", 1);
    first.flush();
    const second = world.call();
    update(second, "P.a.x", 2);
    expect(shown(second.changed(cell("P.a.x"), first.instant))).toEqual(["2 a [-,-)"]);
    expect(shown(second.changed(cell("P.a.x"), first.instant - 1))).toEqual(["1 a [-,-)*", "2 a [-,-)"]);
  });

  test("[language 5.3] why of a recorded value is that claim; of nothing it says so", () => {
    const session = new World().call();
    remember(session, "P.a.x", 1);
    expect(session.why(cell("P.a.x"), undefined)).toMatchObject([{ value: 1, premises: [], claim: { source: "a" } }]);
    refuses(() => session.why(cell("P.a.x"), 2), "invalid_value");
    refuses(() => session.why(cell("P.b.x"), undefined), "invalid_value");
  });
});

describe("instants", () => {
  test("[rulings, Instants] a writing call is later than every instant given out, also after a restart and a clock set back", () => {
    const world = new World();
    const given: number[] = [];
    for (let i = 0; i < 5; i++) {
      given.push(world.store.beginCall({ keyId: "k", level: "read", wallMicros: 5_000_000, writes: i % 2 === 0 }).instant);
    }
    expect(given).toEqual([5_000_000, 5_000_000, 5_000_001, 5_000_001, 5_000_002]);
    world.reopen();
    const after = world.store.beginCall({ keyId: "k", level: "read", wallMicros: 1, writes: true }).instant;
    expect(after).toBeGreaterThan(5_000_002);
  });
});

describe("layers", () => {
  test("[rulings, Branch] what a branch writes lands at its end, is discarded by rollback, and nests", () => {
    const world = new World();
    const session = world.call();
    remember(session, "P.a.x", 1);
    session.branchBegin("outer");
    update(session, "P.a.x", 2);
    session.branchBegin("inner");
    update(session, "P.a.x", 3);
    session.pin(cell("P.a.x"));
    expect(valueAt(session, "P.a.x")).toBe(3);
    session.branchRollback(true);
    expect(valueAt(session, "P.a.x")).toBe(2);
    expect(session.current(cell("P.a.x"))!.pinned).toBe(false);
    session.flush();
    expect(valueAt(world.reopen(), "P.a.x")).toBe(1);
  });

  test("[language 4] commit lands what is there so far and the block goes on; rollback takes only the rest", () => {
    const world = new World();
    const session = world.call();
    session.branchBegin(null);
    remember(session, "P.a.x", 1);
    session.branchCommit(false);
    remember(session, "P.b.x", 1);
    session.branchRollback(false);
    remember(session, "P.c.x", 1);
    session.branchCommit(true);
    session.flush();
    expect(world.reopen().subjects("P")).toEqual(["a", "c"]);
  });

  test("[6] a branch removes only what it holds, not what it has committed, and an inner one not the outer's", () => {
    const session = new World().call();
    remember(session, "P.old.x", 1);
    session.branchBegin("b");
    refuses(() => session.forget(at("P.old.x")), "immutable_in_branch", "P.old.x");
    remember(session, "P.new.x", 1);
    expect(session.forget(at("P.new.x"))).toMatchObject({ removed: 1 });
    remember(session, "P.new.x", 1);
    session.branchCommit(false);
    refuses(() => session.forget(at("P.new.x")), "immutable_in_branch");
    remember(session, "P.new2.x", 1);
    session.branchBegin("c");
    refuses(() => session.forget(at("P.new2.x")), "immutable_in_branch");
    session.branchCommit(true);
    update(session, "P.old.x", 2);
    refuses(() => session.forget(at("P.old.x")), "immutable_in_branch");
    expect(session.forgetValue(cell("P.old.x"), 2, "a")).toMatchObject({ removed: 1 });
    session.branchCommit(true);
    expect(session.forget(at("P.new2.x"))).toMatchObject({ removed: 1 });
  });

  test("[rulings, known_at edges] inside a layer known_at reads the store beneath", () => {
    const session = new World().call();
    remember(session, "P.a.x", 1);
    session.branchBegin(null);
    update(session, "P.a.x", 2);
    expect(valueAt(session, "P.a.x", undefined, session.instant)).toBe(1);
    expect(valueAt(session, "P.a.x")).toBe(2);
    session.branchCommit(true);
    expect(valueAt(session, "P.a.x", undefined, session.instant)).toBe(2);
  });

  test("history, scans and marks see a branch over what is flushed beneath it", () => {
    const world = new World();
    const session = world.call();
    remember(session, "P.a.x", 1);
    update(session, "P.a.x", 2);
    remember(session, "P.b.x", 1);
    session.branchBegin(null);
    update(session, "P.a.x", 3);
    remember(session, "P.c.x", 3);
    session.flush();
    expect(shown(session.history(cell("P.a.x")))).toEqual(["1 a [-,-)*", "2 a [-,-)*", "3 a [-,-)"]);
    expect(session.subjects("P")).toEqual(["a", "b", "c"]);
    expect(session.find("P", new Map([["x", 3]]))).toEqual(["a", "c"]);
    session.branchRollback(true);
    expect(shown(session.history(cell("P.a.x")))).toEqual(["1 a [-,-)*", "2 a [-,-)"]);
    expect(session.subjects("P")).toEqual(["a", "b"]);
    session.flush();
    expect(shown(world.reopen().history(cell("P.a.x")))).toEqual(["1 a [-,-)*", "2 a [-,-)"]);
  });

  test("what a call leaves open is discarded", () => {
    const session = new World().call();
    session.branchBegin(null);
    remember(session, "P.a.x", 1);
    session.layerPush("compile");
    remember(session, "P.b.x", 1);
    session.abandonLayers();
    expect(session.subjects("P")).toEqual([]);
  });

  test("[architecture] calls of read-only keys run side by side: the branches of one are nothing to another", () => {
    const world = new World();
    const writer = world.call();
    remember(writer, "P.a.x", 1);
    writer.flush();
    const [one, two] = [world.call("read"), world.call("read")];
    one.branchBegin("b");
    two.branchBegin("b");
    expect(remember(one, "P.a.x", 1)).toBeNull();
    one.abandonLayers();
    two.branchCommit(false);
    expect(valueAt(two, "P.a.x")).toBe(1);
    two.branchRollback(true);
    refuses(() => two.branchCommit(true), "invalid_value");
  });

  test("[rulings] a call that died inside a layer leaves nothing to the next", () => {
    const world = new World();
    const dead = world.call();
    remember(dead, "P.kept.x", 1);
    dead.flush();
    dead.branchBegin(null);
    remember(dead, "P.lost.x", 1);
    const next = world.call();
    expect(next.subjects("P")).toEqual(["kept"]);
    remember(next, "P.more.x", 1);
    next.flush();
    expect(world.reopen().subjects("P")).toEqual(["kept", "more"]);
  });
});
