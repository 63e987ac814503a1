/** Worlds that last (contract §6, §9.7; rulings, "Branch, world, merge", "A world block", "A world whose store moved"). */
import { describe, expect, test } from "vitest";
import { Subject } from "../../src/datum";
import { Reasoner } from "../../src/engine/reasoner";
import type { Rule } from "../../src/engine/rule";
import type { Session } from "../../src/engine/session";
import { SymbolPages } from "../../src/engine/symbol-page";
import type { Refusal } from "../../src/failure";
import { RULE_CALCULUS } from "../../src/lang/declare/rule-calculus";
import { WORLD_CLAIMS_MAX } from "../../src/limits";
import { ALWAYS, at, cell, PLAIN, refuses, remember, shown, update, valueAt, World, window } from "./store-fixture";
import { history, MODULE, planned, within } from "./world-fixture";

describe("a world", () => {
  test("[language 4, with world] holds what is written inside, over calls and restarts, and changes nothing outside", () => {
    const { store } = planned();
    let session = store.reopen();
    expect(session.worlds()).toEqual(["plan"]);
    expect([valueAt(session, "P.a.x"), valueAt(session, "P.c.x")]).toEqual([1, undefined]);
    expect(session.subjects("P")).toEqual(["a", "b"]);
    within(session, "plan", () => {
      expect([valueAt(session, "P.a.x"), valueAt(session, "P.b.x"), valueAt(session, "P.c.x")]).toEqual([2, "kept", 3]);
      expect(history(session, "P.a.x")).toEqual(["1 a [-,-)*", "2 a [-,-)"]);
      expect(session.subjects("P")).toEqual(["a", "b", "c"]);
      expect(session.find("P", new Map([["x", 3]]))).toEqual(["c"]);
      expect(session.sources(cell("P.c.x"))).toEqual(["b"]);
      expect(session.changed(cell("P.a.x"), 0)).toHaveLength(2);
      remember(session, "P.d.x", 4);
    });
    expect(session.subjects("P")).toEqual(["a", "b"]);
    session.flush();
    session = store.reopen();
    within(session, "plan", () => expect(session.subjects("P")).toEqual(["a", "b", "c", "d"]));
  });

  test("[language 4, with world] reads see the store as it is now: what it wrote since the world was made, too", () => {
    const { store } = planned();
    const session = store.reopen();
    update(session, "P.b.x", "moved");
    remember(session, "P.e.x", 5);
    within(session, "plan", () => expect(["b", "c", "e"].map((s) => valueAt(session, `P.${s}.x`))).toEqual(["moved", 3, 5]));
  });

  test("[rulings, A world whose store moved] what it wrote covers the store's claims of that source whose window it overlaps, and comes last", () => {
    const store = new World();
    const session = store.call();
    session.createWorld("w");
    within(session, "w", () => remember(session, "P.a.x", 1, "s", window(0, 10)));
    remember(session, "P.a.x", 2, "s", window(5, 20));
    remember(session, "P.a.x", 3, "s", window(20, 30));
    remember(session, "P.a.x", 4, "t", window(0, 10));
    within(session, "w", () => {
      expect(shown(session.get(cell("P.a.x")))).toEqual(["3 s [20,30)", "4 t [0,10)", "1 s [0,10)"]);
      // Later than what the store wrote meanwhile, as it will be once it lands.
      expect(valueAt(session, "P.a.x", 5)).toBe(1);
      session.forgetValue(cell("P.a.x"), 1, "s");
      expect(shown(session.get(cell("P.a.x")))).toEqual(["2 s [5,20)", "3 s [20,30)", "4 t [0,10)"]);
    });
    expect(session.mergeWorld("w")).toMatchObject({ added: 0 });
  });

  test("[store-and-rules 3] what the store forgets no world remembers: a part of a revised claim goes with it", () => {
    const store = new World();
    let session = store.call();
    remember(session, "P.a.x", "secretvalue", "s", window(0, 30));
    session.createWorld("w");
    within(session, "w", () => session.update(cell("P.a.x"), 2, "s", window(10, 20), PLAIN));
    within(session, "w", () => expect(shown(session.get(cell("P.a.x")))).toHaveLength(3));
    session.forget(at("P.a.x"));
    within(session, "w", () => expect(history(session, "P.a.x")).toEqual(["2 s [10,20)"]));
    session.flush();
    session = store.reopen();
    within(session, "w", () => expect(history(session, "P.a.x")).toEqual(["2 s [10,20)"]));
    expect(decrypted(store)).not.toContain("secretvalue");
  });

  test("[store-and-rules 6] its overlay lies encrypted, and what it discards leaves no trace", () => {
    const store = new World();
    const session = store.call();
    session.createWorld("secretworld");
    within(session, "secretworld", () => {
      remember(session, "SecretKind.secretsubject.secretfield", "secretvalue", "secretsource");
      session.prefer(at("SecretKind.secretsubject.secretfield"), "secretsource");
      session.pin(cell("SecretKind.secretsubject.secretfield"));
    });
    session.flush();
    expect(dump(store).toLowerCase()).not.toContain("secret");
    expect(decrypted(store).filter((text) => text.toLowerCase().includes("secret"))).toHaveLength(6);
    const later = store.reopen();
    within(later, "secretworld", () => {
      expect(valueAt(later, "SecretKind.secretsubject.secretfield")).toBe("secretvalue");
      refuses(() => later.prefer(at("SecretKind.secretsubject.secretfield"), "secretsource"), "already_in_effect");
      refuses(() => later.forget(at("SecretKind.secretsubject.secretfield")), "pinned_address");
    });
    expect(later.discardWorld("secretworld")).toMatchObject({ removed: 1 });
    later.flush();
    expect(decrypted(store).filter((text) => text.toLowerCase().includes("secret"))).toEqual([]);
    for (const table of ["world", "world_claim", "world_preference", "world_pin"]) {
      expect(store.sql.exec(`SELECT count(*) FROM ${table}`), table).toEqual([[0]]);
    }
  });

  test("[store-and-rules 6] a row of a world that changed on the disk is an error", () => {
    const { store } = planned();
    store.sql.exec("UPDATE world_claim SET valid_from = 1 WHERE base IS NULL");
    const session = store.reopen();
    expect(() => session.worldBegin("plan")).toThrow(/damaged/);
  });

  test("[rulings, known_at edges] inside, known_at reads the store beneath", () => {
    const { store } = planned();
    const session = store.reopen();
    within(session, "plan", () => {
      expect(valueAt(session, "P.a.x", undefined, session.instant)).toBe(1);
      expect(valueAt(session, "P.c.x", undefined, session.instant)).toBe(undefined);
      expect(session.subjects("P", { knownAt: session.instant })).toEqual(["a", "b"]);
    });
  });

  test("[rulings, A world block] each statement lands as it ends; a branch inside lands in the world, or nothing of it", () => {
    const { store, session } = planned();
    within(session, "plan", () => {
      remember(session, "P.d.x", 4);
      session.branchBegin("b");
      remember(session, "P.e.x", 5);
      session.branchCommit(false);
      remember(session, "P.f.x", 6);
      session.branchRollback(true);
    });
    session.flush();
    const later = store.reopen();
    within(later, "plan", () => expect(later.subjects("P")).toEqual(["a", "b", "c", "d", "e"]));
    refuses(() => within(later, "plan", () => later.branchCommit(true)), "invalid_value");
  });

  test("a call that ends inside a world leaves what its statements wrote there, and of an open branch nothing", () => {
    const { store, session } = planned();
    session.worldBegin("plan");
    remember(session, "P.d.x", 4);
    session.branchBegin(null);
    remember(session, "P.e.x", 5);
    session.abandonLayers();
    session.flush();
    for (const later of [store.call(), store.reopen()]) {
      expect(later.subjects("P")).toEqual(["a", "b"]);
      within(later, "plan", () => expect(later.subjects("P")).toEqual(["a", "b", "c", "d"]));
    }
  });

  test("[interpreter, steps] entering counts each claim it has to show, whatever another call has looked at", () => {
    const { store, session } = planned();
    session.abandonLayers();
    const [one, other] = [store.call("read"), store.call("read")];
    const held = 3;
    expect(one.worldBegin("plan")).toBe(held);
    one.worldEnd();
    expect(valueAt(other, "P.a.x")).toBe(1);
    expect(one.worldBegin("plan")).toBe(0);
    one.worldEnd();
    expect(valueAt(one, "P.a.x")).toBe(1);
    expect(one.worldBegin("plan")).toBe(held);
  });

  test("[rulings, Levels] two readers side by side, one inside: neither sees what the other looks at", () => {
    const { store } = planned();
    const [inside, outside] = [store.call("read"), store.call("read")];
    inside.worldBegin("plan");
    expect(valueAt(inside, "P.a.x")).toBe(2);
    expect(valueAt(outside, "P.a.x")).toBe(1);
    inside.branchBegin(null);
    expect(valueAt(inside, "P.a.x")).toBe(2);
    expect(outside.subjects("P")).toEqual(["a", "b"]);
    inside.branchRollback(true);
    expect(inside.subjects("P")).toEqual(["a", "b", "c"]);
  });

  test("a world holds 50,000 claims and not one more; what it takes back makes room", () => {
    const session = new World().call();
    session.createWorld("w");
    session.worldBegin("w");
    session.branchBegin(null);
    for (let i = 0; i < WORLD_CLAIMS_MAX; i++) remember(session, `P.s${i}.x`, i);
    session.branchCommit(true);
    refuses(() => remember(session, "P.more.x", 1), "limit_exceeded", `${WORLD_CLAIMS_MAX}`);
    expect(valueAt(session, "P.more.x")).toBe(undefined);
    session.branchBegin(null);
    remember(session, "P.more.x", 1);
    refuses(() => session.branchCommit(true), "limit_exceeded");
    expect(valueAt(session, "P.more.x")).toBe(undefined);
    session.forget(at("P.s0.x"));
    remember(session, "P.more.x", 1);
    expect(valueAt(session, "P.more.x")).toBe(1);
  });

  test("[9.5] a write in a world that passes the store's size is refused and not kept, in memory or on disk", () => {
    const store = new World({ bytesMax: 400_000 });
    const session = store.call();
    session.createWorld("w");
    session.worldBegin("w");
    let written = 0;
    let refusal: Refusal | null = null;
    for (; written < 3000 && refusal === null; written++) {
      try {
        remember(session, `P.s${written}.x`, `${written}`.padStart(400, "v"));
        if (written % 50 === 0) session.flush();
      } catch (error) {
        refusal = error as Refusal;
      }
    }
    expect(refusal?.reason).toBe("limit_exceeded");
    expect(refusal!.message).toContain("400000 bytes");
    expect(session.subjects("P")).toHaveLength(written - 1);
    refuses(() => remember(session, `P.s${written}.x`, "v".repeat(4000)), "limit_exceeded");
    session.worldEnd();
    session.flush();
    const later = store.reopen();
    within(later, "w", () => expect(later.subjects("P")).toHaveLength(written - 1));
    later.discardWorld("w");
    later.flush();
    remember(later, "P.a.x", "fits again".padEnd(4000));
    later.flush();
  });
});

describe("merge_world", () => {
  test("[9.7] what a world holds happens when it lands: one instant, in the order written, added since a mark before", () => {
    const { store } = planned();
    let session = store.call();
    session.checkpoint("m");
    within(session, "plan", () => {
      update(session, "P.c.x", 4, "b");
      remember(session, "P.d.x", 9);
      session.forget(at("P.d.x"));
    });
    const before = session.instant;
    session.flush();
    session = store.reopen();
    remember(session, "P.z.x", 0);
    expect(session.mergeWorld("plan")).toMatchObject({ verb: "merge_world", added: 3, removed: 0 });
    const lines = [...session.diff("m")!].map((one) => `${one.tag} ${JSON.stringify((one as { cell?: unknown }).cell)}`);
    expect(lines.map((line) => /"subject":"(\w)"/.exec(line)?.[1])).toEqual(["z", "a", "c", "c"]);
    expect(history(session, "P.a.x")).toEqual(["1 a [-,-)*", "2 a [-,-)"]);
    expect(history(session, "P.c.x")).toEqual(["3 b [-,-)*", "4 b [-,-)"]);
    expect(session.history(cell("P.c.x")).map((claim) => claim.recordedAt)).toEqual([session.instant, session.instant]);
    expect(history(session, "P.d.x")).toEqual([]);
    expect(session.worlds()).toEqual([]);
    expect(valueAt(session, "P.a.x", undefined, before)).toBe(1);
    expect(valueAt(session, "P.c.x", undefined, before)).toBe(undefined);
    session.flush();
    const later = store.reopen();
    expect(later.restore("m")).toMatchObject({ restored: 0 });
    expect([valueAt(later, "P.a.x"), valueAt(later, "P.c.x")]).toEqual([2, 4]);
    expect(valueAt(later, "P.a.x", undefined, before)).toBe(1);
  });

  const conflicting: readonly { readonly name: string; readonly store: (session: Session) => void; readonly where: string }[] = [
    { name: "changed what the world revised", store: (s) => update(s, "P.a.x", 7), where: "P.a.x" },
    { name: "removed what the world revised", store: (s) => s.forget(at("P.a.x")), where: "P.a.x" },
    { name: "recorded another value in the window", store: (s) => remember(s, "P.c.x", 7, "b", window(5, 9)), where: "P.c.x" },
    {
      name: "did so in two cells, of which the first is named",
      store: (s) => {
        remember(s, "P.c.x", 7, "b");
        s.forget(at("P.a.x"));
      },
      where: "P.a.x",
    },
  ];
  test.each(conflicting)("[rulings, Branch, world, merge] is refused whole where the store has $name", ({ store: change, where }) => {
    const { store } = planned();
    let session = store.call();
    change(session);
    session.flush();
    session = store.call();
    const standing = history(session, where);
    refuses(() => session.mergeWorld("plan"), "conflicting_write", where);
    expect(history(session, where)).toEqual(standing);
    expect(session.worlds()).toEqual(["plan"]);
    session.flush();
    session = store.reopen();
    within(session, "plan", () => {
      session.forgetValue(cell("P.c.x"), 3, "b");
      session.forgetValue(cell("P.a.x"), 2, "a");
    });
    // What it asked for there has been taken back.
    expect(session.mergeWorld("plan").added).toBe(0);
    expect(history(session, where).length).toBeGreaterThanOrEqual(standing.length);
  });

  test("[rulings, A world whose store moved] the same value, qualifiers and window on both sides merges as no change", () => {
    const { store } = planned();
    const session = store.call();
    session.checkpoint("m");
    remember(session, "P.c.x", 3, "b");
    expect(session.mergeWorld("plan").added).toBe(1);
    expect(history(session, "P.c.x")).toEqual(["3 b [-,-)"]);
    expect([...session.diff("m")!]).toHaveLength(2);
  });

  test("[rulings, Pins] a pin stops no merge, and what a world pins or frees lands", () => {
    const { store } = planned();
    const session = store.call();
    session.pin(cell("P.a.x"));
    session.pin(cell("P.b.x"));
    within(session, "plan", () => {
      session.unpin(cell("P.b.x"));
      session.pin(cell("P.c.x"));
    });
    refuses(() => session.forget(at("P.b.x")), "pinned_address");
    session.mergeWorld("plan");
    expect(valueAt(session, "P.a.x")).toBe(2);
    session.forget(at("P.b.x"));
    refuses(() => session.forget(at("P.c.x")), "pinned_address");
  });

  test("[rulings, Pins] what a world pins and the store pins too, the world can free; what both hold alike lands as no change", () => {
    const { store } = planned();
    let session = store.call();
    within(session, "plan", () => session.pin(cell("P.b.x")));
    session.pin(cell("P.b.x"));
    session.flush();
    session = store.reopen();
    within(session, "plan", () => {
      refuses(() => session.pin(cell("P.b.x")), "already_in_effect");
      session.unpin(cell("P.b.x"));
    });
    session.flush();
    session = store.reopen();
    within(session, "plan", () => {
      session.pin(cell("P.b.x"));
      session.unpin(cell("P.b.x"));
    });
    refuses(() => session.pin(cell("P.b.x")), "already_in_effect");
    session.mergeWorld("plan");
    session.pin(cell("P.b.x"));
  });

  test("[rulings, Preferences] one that a restore brought back where the world judges: conflicting_write, and the field is named", () => {
    const store = new World();
    const session = store.call();
    session.installModule({ ...MODULE, kinds: [{ name: "m.K", fields: new Map([["x", { type: "any", many: false }]]) }] });
    const there = { kind: "m.K", subject: "a", field: "x" };
    session.remember(there, 1, "s", ALWAYS, PLAIN);
    session.prefer({ tag: "cell", cell: there }, "s");
    session.checkpoint("mark");
    session.forgetModule("m");
    session.createWorld("w");
    within(session, "w", () => {
      session.remember(there, 2, "t", ALWAYS, PLAIN);
      session.prefer({ tag: "cell", cell: there }, "t");
    });
    session.restore("mark");
    expect(session.value(there).value).toBe(1);
    within(session, "w", () => expect(session.value(there).value).toBe(2));
    refuses(() => session.mergeWorld("w"), "conflicting_write", "m.K.x");
    session.unprefer({ tag: "cell", cell: there });
    expect(session.mergeWorld("w").added).toBe(1);
    expect(session.value(there).value).toBe(2);
  });

  test("[rulings, Compiling again over data] a class that no longer holds the value: invalid_value, and nothing lands", () => {
    const store = new World();
    const session = store.call();
    session.createWorld("w");
    within(session, "w", () => remember(session, "K.a.x", "text"));
    session.installModule({ ...MODULE, kinds: [{ name: "K", fields: new Map([["x", { type: "int", many: false }]]) }] });
    refuses(() => session.mergeWorld("w"), "invalid_value", "K.a.x");
    expect(session.worlds()).toEqual(["w"]);
  });
});

// ---- rules ----

const PERSON = "f.Person";
const term = (variable: number, field: string) => ({ kind: PERSON, subject: { tag: "variable" as const, variable }, field });
const person = (name: string) => ({ name, type: { tag: "kind" as const, kind: PERSON } });
const bind = (variable: number, field: string, to: number) => ({ tag: "bind" as const, cell: term(variable, field), variable: to });

function rule(name: string, count: number, premises: Rule["premises"], value: number): Rule {
  const variables = ["p", "q", "r"].slice(0, count).map(person);
  return {
    name,
    computed: false,
    variables,
    parameterCount: count,
    premises,
    conclusion: { cell: term(0, "ancestor"), value: { tag: "variable", variable: value } },
    line: 1,
  };
}

const ANCESTORS = {
  ...MODULE,
  name: "f",
  kinds: [
    {
      name: PERSON,
      fields: new Map(["parent", "ancestor"].map((field) => [field, { type: "subject" as const, kind: PERSON, many: true }])),
    },
  ],
  rules: [rule("f.base", 2, [bind(0, "parent", 1)], 1), rule("f.step", 3, [bind(0, "parent", 1), bind(1, "ancestor", 2)], 2)],
};

function family(): { store: World; session: Session } {
  const store = new World({ reasoner: (symbols, facts) => new Reasoner(symbols, facts, RULE_CALCULUS) });
  const session = store.call();
  session.installModule(ANCESTORS);
  parent(session, "a", "b");
  parent(session, "c", "d");
  session.createWorld("w");
  return { store, session };
}

function parent(session: Session, child: string, of: string): void {
  session.remember({ kind: PERSON, subject: child, field: "parent" }, new Subject(PERSON, of), "s", ALWAYS, PLAIN);
}

function ancestors(session: Session, of: string): string {
  return session
    .values({ kind: PERSON, subject: of, field: "ancestor" })
    .map((value) => (value as Subject).name)
    .join("");
}

describe("rules in a world", () => {
  test("[rulings, Meaning of rules] conclude over the store and what the world holds, and nothing of it shows outside", () => {
    const { store, session } = family();
    within(session, "w", () => {
      parent(session, "b", "c");
      expect(ancestors(session, "a")).toBe("bcd");
      session.branchBegin(null);
      parent(session, "d", "a");
      expect(ancestors(session, "a")).toBe("abcd");
      session.branchRollback(true);
      expect(ancestors(session, "a")).toBe("bcd");
    });
    expect(ancestors(session, "a")).toBe("b");
    parent(session, "d", "e");
    within(session, "w", () => expect(ancestors(session, "a")).toBe("bcde"));
    session.flush();
    const later = store.reopen();
    expect(ancestors(later, "a")).toBe("b");
    within(later, "w", () => {
      expect(ancestors(later, "a")).toBe("bcde");
      expect(later.why({ kind: PERSON, subject: "a", field: "ancestor" }, new Subject(PERSON, "e"))).toHaveLength(1);
      expect(JSON.stringify(later.whatNeeds({ kind: PERSON, subject: "b", field: "parent" }))).toContain("f.step");
      expect(JSON.stringify(later.whyNot({ kind: PERSON, subject: "e", field: "ancestor" }, undefined))).toContain("f.base");
    });
    later.mergeWorld("w");
    expect(ancestors(later, "a")).toBe("bcde");
  });

  test("a conclusion read inside keeps what it says once the world is left", () => {
    const { session } = family();
    const early = session.instant;
    const claim = within(session, "w", () => {
      parent(session, "b", "c");
      return session.get({ kind: PERSON, subject: "a", field: "ancestor" }).find((one) => one.rule === "f.step")!;
    });
    expect(ancestors(session, "a")).toBe("b");
    expect(claim.recordedAt).toBe(early);
  });

  test("[6] asserted_field: a merge that would bring a recorded value to a field a rule concludes", () => {
    const { session } = family();
    session.forgetModule("f");
    within(session, "w", () =>
      session.remember({ kind: PERSON, subject: "a", field: "ancestor" }, new Subject(PERSON, "z"), "s", ALWAYS, PLAIN),
    );
    session.installModule(ANCESTORS);
    refuses(() => session.mergeWorld("w"), "asserted_field", `${PERSON}.a.ancestor`);
    within(session, "w", () => {
      refuses(
        () => session.remember({ kind: PERSON, subject: "b", field: "ancestor" }, new Subject(PERSON, "z"), "s", ALWAYS, PLAIN),
        "derived_field",
      );
      session.forget({ tag: "cell", cell: { kind: PERSON, subject: "a", field: "ancestor" } });
    });
    expect(session.mergeWorld("w").added).toBe(0);
  });

  test("[9.7] conclusions that a merge brings are added at the merge, after its claims", () => {
    const { session } = family();
    within(session, "w", () => parent(session, "b", "c"));
    session.checkpoint("m");
    session.mergeWorld("w");
    const lines = [...session.diff("m")!];
    expect(lines).toHaveLength(1 + 4);
  });

  test("[language 5.2] who is believed in a world decides what its rules see there, and nowhere else", () => {
    const { session } = family();
    session.discardWorld("w");
    session.forgetModule("f");
    session.installModule({
      ...ANCESTORS,
      kinds: [{ name: PERSON, fields: new Map([["parent", { type: "subject", kind: PERSON, many: false }]]) }],
    });
    const here = { kind: PERSON, subject: "a", field: "parent" };
    session.remember(here, new Subject(PERSON, "b"), "s", ALWAYS, PLAIN);
    session.remember(here, new Subject(PERSON, "c"), "t", ALWAYS, PLAIN);
    session.createWorld("w");
    within(session, "w", () => {
      session.prefer({ tag: "cell", cell: here }, "s");
      expect(ancestors(session, "a")).toBe("b");
    });
    expect(ancestors(session, "a")).toBe("c");
    within(session, "w", () => expect(ancestors(session, "a")).toBe("b"));
    session.mergeWorld("w");
    expect(ancestors(session, "a")).toBe("b");
  });

  test("discarding a world leaves every conclusion as it was", () => {
    const { session } = family();
    within(session, "w", () => {
      parent(session, "b", "c");
      expect(ancestors(session, "a")).toBe("bcd");
    });
    session.discardWorld("w");
    expect(ancestors(session, "a")).toBe("b");
    expect(session.worlds()).toEqual([]);
  });
});

// ---- disk ----

function dump(store: World): string {
  const parts: string[] = [];
  for (const [table] of store.sql.exec("SELECT name FROM sqlite_master WHERE type = 'table'")) {
    for (const row of store.sql.exec(`SELECT * FROM ${table}`)) {
      for (const value of row) parts.push(value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value));
    }
  }
  return parts.join("\n");
}

/** Every name and value that someone with the key can read. */
function decrypted(store: World): string[] {
  const pages = new SymbolPages(store.sql, store.cipher);
  const texts: string[] = [];
  for (const [page] of store.sql.exec("SELECT id FROM symbol_page")) {
    for (const { bytes } of pages.read(page as number).entries())
      texts.push(
        Buffer.from(bytes)
          .toString("utf8")
          .replace(/[^ -~]/g, ""),
      );
  }
  return texts;
}

const WORK: readonly { readonly name: string; readonly body: (session: Session) => void }[] = [
  {
    name: "writes in a world",
    body: (s) => within(s, "plan", () => [update(s, "P.b.x", 9), remember(s, "P.d.x", 4), s.pin(cell("P.d.x"))]),
  },
  {
    name: "a branch in a world",
    body: (s) =>
      within(s, "plan", () => {
        s.branchBegin(null);
        update(s, "P.c.x", 9, "b");
        remember(s, "P.d.x", 4);
        s.branchCommit(true);
      }),
  },
  { name: "a merge", body: (s) => s.mergeWorld("plan") },
  { name: "a discard", body: (s) => s.discardWorld("plan") },
];

describe("a write to SQL that fails", () => {
  /** Whether the world is there, what it shows and what the store shows. */
  function answers(session: Session): string {
    const all = () => ["a", "b", "c", "d"].map((s) => history(session, `P.${s}.x`));
    const outside = all();
    const inside = session.worlds().includes("plan") ? within(session, "plan", all) : null;
    return JSON.stringify([outside, inside]);
  }

  test.each(WORK)("[style, Tests] $name: the n-th SQL call fails for every n, and the store is as before or as after", ({ body }) => {
    const wanted: string[] = [];
    for (const worked of [false, true]) {
      const { store } = planned();
      const session = store.call();
      if (worked) body(session);
      session.flush();
      wanted.push(answers(store.reopen()));
    }
    expect(wanted[0]).not.toBe(wanted[1]);
    let failures = 0;
    for (let n = 1; ; n++) {
      const { store } = planned();
      store.sql.calls = 0;
      store.sql.failAt = n;
      let failed = false;
      try {
        const session = store.call();
        body(session);
        session.flush();
      } catch (error) {
        expect(String(error)).toContain("fails");
        failed = true;
        failures++;
      }
      store.sql.failAt = 0;
      const session = store.call();
      session.abandonLayers();
      const after = answers(session);
      session.flush();
      expect(answers(store.reopen())).toBe(after);
      expect(wanted).toContain(after);
      if (failed) continue;
      expect(after).toBe(wanted[1]);
      break;
    }
    expect(failures).toBeGreaterThan(5);
  });
});
