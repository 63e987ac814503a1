import { describe, expect, test } from "vitest";
import { Subject } from "../../src/datum";
import type { FieldType, KindDeclaration } from "../../src/engine/claim";
import { Reasoner } from "../../src/engine/reasoner";
import type { CellTerm, Premise, Rule, Variable } from "../../src/engine/rule";
import type { Session } from "../../src/engine/session";
import { EngineError, Refusal } from "../../src/failure";
import { RULE_CALCULUS } from "../../src/lang/declare/rule-calculus";
import { ALWAYS, PLAIN, refuses, shown, valueAt, World, window } from "./store-fixture";

const PERSON = "f.Person";

function cellOf(subject: string, field: string, kind = PERSON) {
  return { kind, subject, field };
}

function term(variable: number, field: string, kind = PERSON): CellTerm {
  return { kind, subject: { tag: "variable", variable }, field };
}

function person(name: string): Variable {
  return { name, type: { tag: "kind", kind: PERSON } };
}

function bind(variable: number, field: string, to: number): Premise {
  return { tag: "bind", cell: term(variable, field), variable: to };
}

function rule(name: string, variables: Variable[], premises: Premise[], concluded: CellTerm, value: number): Rule {
  return {
    name,
    computed: false,
    variables,
    parameterCount: variables.length,
    premises,
    conclusion: { cell: concluded, value: { tag: "variable", variable: value } },
    line: 1,
  };
}

const BASE = rule("f.base", [person("p"), person("q")], [bind(0, "parent", 1)], term(0, "ancestor"), 1);
const STEP = rule(
  "f.step",
  [person("p"), person("q"), person("r")],
  [bind(0, "parent", 1), bind(1, "ancestor", 2)],
  term(0, "ancestor"),
  2,
);
const VALUE: Variable = { name: "v", type: { tag: "scalar", type: "any" } };
/** status = default, unless somebody recorded one. */
const STATUS: Rule = rule(
  "f.status",
  [person("p"), VALUE],
  [bind(0, "default", 1), { tag: "not_asserted", cell: term(0, "status") }],
  term(0, "status"),
  1,
);

const MANY_PERSONS: FieldType = { type: "subject", kind: PERSON, many: true };
const ANY: FieldType = { type: "any", many: false };

function kind(fields: Record<string, FieldType>): KindDeclaration {
  return { name: PERSON, fields: new Map(Object.entries(fields)) };
}

const FAMILY = {
  name: "f",
  form: "form 1",
  language: "eng",
  kinds: [kind({ parent: MANY_PERSONS, ancestor: MANY_PERSONS, default: ANY, status: ANY })],
  scripts: [{ name: "s", signature: "f.s()" }],
  rules: [BASE, STEP, STATUS],
  constraints: [],
  imports: [],
};

function world(options = {}): World {
  return new World({ reasoner: (symbols, facts) => new Reasoner(symbols, facts, RULE_CALCULUS), ...options });
}

function parent(session: Session, child: string, of: string, span = ALWAYS) {
  return session.remember(cellOf(child, "parent"), new Subject(PERSON, of), "a", span, PLAIN);
}

function ancestors(session: Session, of: string, at?: number): string[] {
  return session.values(cellOf(of, "ancestor"), { at }).map((value) => (value as Subject).name);
}

describe("rules over the store", () => {
  test("[language 3] conclusions are current after every statement and after reopening", () => {
    const w = world();
    const session = w.call();
    parentBare(session);
    session.installModule(FAMILY);
    parent(session, "a", "b");
    parent(session, "b", "c");
    expect(ancestors(session, "a")).toEqual(["b", "c"]);
    parent(session, "c", "d");
    expect(ancestors(session, "a")).toEqual(["b", "c", "d"]);
    session.flush();
    const again = w.reopen();
    expect(ancestors(again, "a")).toEqual(["b", "c", "d"]);
    again.forget({ tag: "cell", cell: cellOf("b", "parent") });
    expect(ancestors(again, "a")).toEqual(["b"]);
    expect(again.fields(PERSON, "a")).toEqual(["ancestor", "parent"]);
    expect(again.subjects(PERSON)).toEqual(["a", "c"]);
    expect(again.find(PERSON, new Map([["ancestor", new Subject(PERSON, "d")]]))).toEqual(["c"]);
  });

  test("[language 5.2] a conclusion is a claim: source the rule, window of its premises, nobody wrote it", () => {
    const w = world();
    const session = w.call();
    session.installModule(FAMILY);
    parent(session, "a", "b", window(0, 100));
    parent(session, "b", "c", window(50, 200));
    expect(ancestors(session, "a", 60)).toEqual(["b", "c"]);
    expect(ancestors(session, "a", 10)).toEqual(["b"]);
    const claim = session.get(cellOf("a", "ancestor")).find((one) => one.rule === "f.step")!;
    expect(claim).toMatchObject({ trust: "derived", source: "f.step", writtenBy: null, window: { from: 50, to: 100 }, superseded: false });
    expect(claim.recordedAt).toBe(session.instant);
    expect(session.sources(cellOf("a", "ancestor"))).toEqual(["f.base", "f.step"]);
    refuses(() => session.current(cellOf("a", "ancestor"), { at: 60 }), "ambiguous");
  });

  test("[6] a derived field is never written, the hint names what it is derived from; removing is never refused", () => {
    const session = world().call();
    session.installModule(FAMILY);
    const write = () => session.remember(cellOf("a", "ancestor"), new Subject(PERSON, "z"), "a", ALWAYS, PLAIN);
    refuses(write, "derived_field", `${PERSON}.parent`);
    refuses(() => session.update(cellOf("a", "ancestor"), new Subject(PERSON, "z"), "a", ALWAYS, PLAIN), "derived_field");
    refuses(() => session.assertAbsent(cellOf("a", "ancestor"), "a", ALWAYS), "derived_field");
    parent(session, "a", "b");
    expect(session.forget({ tag: "cell", cell: cellOf("a", "ancestor") })).toBeNull();
    expect(ancestors(session, "a")).toEqual(["b"]);
  });

  test("[language 3] a rule that gives way with not_asserted leaves the field open to recorded values", () => {
    const session = world().call();
    session.installModule(FAMILY);
    session.remember(cellOf("a", "default"), "idle", "a", ALWAYS, PLAIN);
    expect(valueOf(session, "status")).toBe("idle");
    session.remember(cellOf("a", "status"), "busy", "a", ALWAYS, PLAIN);
    expect(valueOf(session, "status")).toBe("busy");
    session.forget({ tag: "cell", cell: cellOf("a", "status") });
    expect(valueOf(session, "status")).toBe("idle");
  });

  test("[6] asserted_field: a compile whose rule would conclude over recorded values keeps nothing", () => {
    const session = world().call();
    session.installModule({ ...FAMILY, rules: [] });
    session.remember(cellOf("b", "ancestor"), new Subject(PERSON, "x"), "a", ALWAYS, PLAIN);
    session.remember(cellOf("a", "ancestor"), new Subject(PERSON, "x"), "a", ALWAYS, PLAIN);
    refuses(() => session.installModule(FAMILY), "asserted_field", `${PERSON}.a.ancestor`);
    expect(session.modules()[0].rules).toEqual([]);
    session.forget({ tag: "subject", kind: PERSON, subject: "a" });
    session.forget({ tag: "subject", kind: PERSON, subject: "b" });
    expect(session.installModule(FAMILY).changed).toBe(true);
  });

  test("[store-and-rules 3] a branch or a compile that is rolled back takes its conclusions and its rules with it", () => {
    const w = world();
    const session = w.call();
    session.installModule(FAMILY);
    parent(session, "a", "b");
    session.branchBegin(null);
    parent(session, "b", "c");
    expect(ancestors(session, "a")).toEqual(["b", "c"]);
    session.branchRollback(true);
    expect(ancestors(session, "a")).toEqual(["b"]);
    session.layerPush("compile");
    session.installModule({ ...FAMILY, form: "form 2", rules: [BASE] });
    parent(session, "b", "c");
    expect(ancestors(session, "a")).toEqual(["b"]);
    session.layerRollback();
    expect(ancestors(session, "a")).toEqual(["b"]);
    parent(session, "b", "c");
    expect(ancestors(session, "a")).toEqual(["b", "c"]);
    session.flush();
    expect(w.reopen().module("f")!.form).toBe("form 1");
  });

  test("[4.1] in a compile layer conclusions see what the layer wrote, and landing keeps them", () => {
    const w = world();
    const session = w.call();
    session.layerPush("compile");
    session.installModule(FAMILY);
    parent(session, "a", "b");
    parent(session, "b", "c");
    session.flush();
    expect(ancestors(session, "a")).toEqual(["b", "c"]);
    session.layerCommit();
    session.flush();
    expect(ancestors(w.reopen(), "a")).toEqual(["b", "c"]);
  });

  test("[5.2] a preference changes what a rule reads, at once", () => {
    const session = world().call();
    session.installModule(FAMILY);
    session.remember(cellOf("p", "default"), "one", "s1", ALWAYS, PLAIN);
    session.remember(cellOf("p", "default"), "two", "s2", ALWAYS, PLAIN);
    expect(valueOf(session, "status", "p")).toBe("two");
    session.prefer({ tag: "field", kind: PERSON, field: "default" }, "s1");
    expect(valueOf(session, "status", "p")).toBe("one");
    session.branchBegin(null);
    session.unprefer({ tag: "field", kind: PERSON, field: "default" });
    expect(valueOf(session, "status", "p")).toBe("two");
    session.branchRollback(true);
    expect(valueOf(session, "status", "p")).toBe("one");
  });

  test("[9.3] forget_rule takes its conclusions, another rule's stay; compiling again brings it back", () => {
    const w = world();
    const session = w.call();
    session.installModule(FAMILY);
    parent(session, "a", "b");
    parent(session, "b", "c");
    expect(session.forgetRule("f.step")).toBe(true);
    expect(session.forgetRule("f.step")).toBe(false);
    expect(session.forgetRule("nowhere.step")).toBe(false);
    expect(ancestors(session, "a")).toEqual(["b"]);
    session.flush();
    const later = w.reopen();
    expect(ancestors(later, "a")).toEqual(["b"]);
    expect(later.installModule(FAMILY).changed).toBe(true);
    expect(ancestors(later, "a")).toEqual(["b", "c"]);
  });

  test("[5.3] why shows the rule and its premises down to recorded claims", () => {
    const session = world().call();
    session.installModule(FAMILY);
    parent(session, "a", "b");
    parent(session, "b", "c");
    const [proof] = session.why(cellOf("a", "ancestor"), new Subject(PERSON, "c"));
    expect(proof.claim.rule).toBe("f.step");
    expect(proof.premises).toHaveLength(2);
    expect(session.why(cellOf("a", "ancestor"), undefined)).toHaveLength(2);
  });

  test("[6] known_at at a derived field answers by the rules of that moment; a rule that came later takes no part", () => {
    const w = world();
    const first = w.call();
    first.remember({ kind: "Bare", subject: "x", field: "y" }, 1, "a", ALWAYS, PLAIN);
    const session = w.call();
    session.installModule(FAMILY);
    parent(session, "a", "b");
    const later = w.call();
    parent(later, "b", "c");
    expect(later.values(cellOf("a", "ancestor"), { knownAt: session.instant })).toEqual([new Subject(PERSON, "b")]);
    expect(later.values(cellOf("a", "ancestor"), { knownAt: first.instant })).toEqual([]);
    expect(later.values(cellOf("a", "parent"), { knownAt: session.instant })).toHaveLength(1);
  });
});

describe("classes", () => {
  const ITEM: KindDeclaration = {
    name: "i.Item",
    fields: new Map<string, FieldType>([
      ["price", { type: "real", many: false }],
      ["count", { type: "int", many: false }],
      ["owner", { type: "subject", kind: PERSON, many: false }],
      ["tags", { type: "string", many: true }],
    ]),
  };
  const MODULE = { name: "i", form: "1", language: "eng", kinds: [ITEM], scripts: [], rules: [], constraints: [], imports: [] };
  const item = (field: string) => ({ kind: "i.Item", subject: "a", field });

  test("[rulings, Typed fields] only the type, an int as the float it exactly is, a reference of that very Kind", () => {
    const session = world().call();
    session.installModule(MODULE);
    const write = (field: string, value: Parameters<Session["remember"]>[1]) => session.remember(item(field), value, "a", ALWAYS, PLAIN);
    write("price", 3);
    expect(session.current(item("price"))!.value).toMatchObject({ v: 3 });
    expect(write("price", 3)).toBeNull();
    refuses(() => session.update(item("price"), 2 ** 53 - 1 + 0, "b", ALWAYS, PLAIN) && write("price", 9007199254740993n), "invalid_value");
    refuses(() => write("count", true), "invalid_value", "i.Item.a.count");
    refuses(() => write("count", "1"), "invalid_value");
    refuses(() => write("owner", new Subject("Person", "ann")), "invalid_value");
    expect(write("owner", new Subject(PERSON, "ann"))).not.toBeNull();
    refuses(() => write("colour", "red"), "invalid_value");
    refuses(() => session.current(item("colour")), "invalid_value");
    expect(session.assertAbsent(item("count"), "a", ALWAYS)).not.toBeNull();
  });

  test("[store-and-rules 1] a many-valued field joins values; update supersedes all of that source's", () => {
    const session = world().call();
    session.installModule(MODULE);
    for (const tag of ["x", "y", "z"]) session.remember(item("tags"), tag, "a", ALWAYS, PLAIN);
    session.remember(item("tags"), "w", "b", ALWAYS, PLAIN);
    expect(session.values(item("tags"))).toEqual(["w", "x", "y", "z"]);
    expect(session.update(item("tags"), "y", "a", ALWAYS, PLAIN)).toMatchObject({ added: 0 });
    expect(session.values(item("tags"))).toEqual(["w", "y"]);
    refuses(() => session.current(item("tags")), "ambiguous");
    refuses(() => session.prefer({ tag: "cell", cell: item("tags") }, "a"), "invalid_value");
    refuses(() => session.unprefer({ tag: "cell", cell: item("tags") }), "invalid_value");
    expect(shown(session.history(item("tags"))).filter((line) => line.endsWith("*"))).toHaveLength(2);
  });

  test("[rulings, Compiling again over data] a class that could not hold a recorded value is refused, the first cell named", () => {
    const session = world().call();
    session.installModule(MODULE);
    session.remember(item("tags"), "x", "a", ALWAYS, PLAIN);
    session.remember(item("tags"), "y", "b", ALWAYS, PLAIN);
    const single = (type: FieldType["type"], many: boolean) => ({
      ...MODULE,
      form: `${type} ${many}`,
      kinds: [{ ...ITEM, fields: new Map([...ITEM.fields, ["tags", { type, many } as FieldType]]) }],
    });
    refuses(() => session.installModule(single("int", true)), "invalid_value", "i.Item.a.tags");
    expect(session.installModule(single("string", false)).changed).toBe(true);
    expect(session.installModule(single("any", true)).changed).toBe(true);
    session.remember(item("tags"), "z", "a", ALWAYS, PLAIN);
    refuses(() => session.installModule(single("string", false)), "invalid_value", "i.Item.a.tags");
    // A class that is gone leaves its data under the same Kind, untyped.
    session.installModule({ ...MODULE, form: "none", kinds: [] });
    expect(session.values(item("tags"))).toEqual(["x", "y", "z"]);
    expect(session.remember(item("colour"), "red", "a", ALWAYS, PLAIN)).not.toBeNull();
  });

  test("[rulings, Compiling again over data] one that its field could not hold is refused like a value in force", () => {
    const w = world();
    const session = w.call();
    session.remember(item("tags"), 1, "a", ALWAYS, PLAIN);
    session.update(item("tags"), "x", "a", ALWAYS, PLAIN);
    refuses(() => session.installModule(MODULE), "invalid_value", "i.Item.a.tags");
    session.flush();
    const later = w.call();
    refuses(() => later.installModule(MODULE), "invalid_value", "i.Item.a.tags");
    later.forgetRange({ tag: "cell", cell: item("tags") }, "valid_before", 0);
    expect(later.installModule(MODULE).changed).toBe(true);
  });
});

describe("modules", () => {
  test("[9.4] created stays, updated moves when the form or the label changes, a label once given stays", () => {
    const w = world();
    const first = w.call();
    expect(first.installModule({ ...FAMILY, version: "1" })).toMatchObject({ changed: true, record: { version: "1" } });
    first.flush();
    const second = w.call();
    expect(second.installModule(FAMILY)).toMatchObject({ changed: false, record: { version: "1", updatedAt: first.instant } });
    expect(second.installModule({ ...FAMILY, version: "0.9" })).toMatchObject({ changed: true, record: { updatedAt: second.instant } });
    const third = w.call();
    third.installModule({ ...FAMILY, form: "form 2" });
    third.flush();
    expect(w.reopen().modules()[0]).toMatchObject({ createdAt: first.instant, updatedAt: third.instant, version: "0.9" });
  });

  test("a form of several megabytes comes back whole", () => {
    const w = world();
    const form = `"${"form é ".repeat(500_000)}"`;
    const session = w.call();
    session.installModule({ ...FAMILY, form });
    session.flush();
    expect(w.reopen().module("f")!.form).toBe(form);
  });

  test("[9.4] forget_module takes scripts, rules, Kinds and their data, preferences and pins with it", () => {
    const w = world();
    let session = w.call();
    session.installModule(FAMILY);
    parent(session, "a", "b");
    parent(session, "b", "c");
    session.remember(cellOf("a", "default"), "x", "s", ALWAYS, PLAIN);
    session.update(cellOf("a", "default"), "y", "t", ALWAYS, PLAIN);
    session.prefer({ tag: "cell", cell: cellOf("a", "default") }, "t");
    session.flush();
    session = w.call();
    session.prefer({ tag: "cell", cell: cellOf("a", "default") }, "s");
    session.pin(cellOf("a", "default"));
    session.remember({ kind: "Bare", subject: "a", field: "x" }, 1, "s", ALWAYS, PLAIN);
    refuses(() => session.forgetModule("f"), "pinned_address", `${PERSON}.a.default`);
    session.unpin(cellOf("a", "default"));
    session.flush();
    expect(w.sql.exec("SELECT count(*) FROM preference")).toEqual([[2]]);
    expect(session.forgetModule("f")).toEqual({ removed: 4 });
    expect(session.kinds()).toEqual(["Bare"]);
    expect(session.modules()).toEqual([]);
    expect(() => session.forgetModule("f")).toThrow(EngineError);
    session.flush();
    expect(w.sql.exec("SELECT count(*) FROM module_part")).toEqual([[0]]);
    expect(w.sql.exec("SELECT count(*) FROM preference")).toEqual([[0]]);
    expect(w.reopen().kinds()).toEqual(["Bare"]);
  });

  test("[9.8] a statement that empties fields and fails has emptied none, and what it wrote there since is gone", () => {
    const w = world();
    const session = w.call();
    session.installModule(FAMILY);
    for (const name of ["a", "b"]) session.remember(cellOf(name, "default"), "x", "s", ALWAYS, PLAIN);
    const { ledger } = session;
    const field = ledger.symbols.findFieldId(PERSON, "default");
    const told = () => ["a", "b", "c"].map((name) => session.value(cellOf(name, "default"), {}).value);
    expect(ledger.mayEmpty()).toBe(true);
    expect(told().slice(0, 2)).toEqual(["x", "x"]);
    expect(() =>
      ledger.statement(() => {
        ledger.make({ tag: "emptied", field, sign: 1 });
        expect(told()).toEqual([null, null, null]);
        for (const name of ["b", "c"]) session.remember(cellOf(name, "default"), "y", "s", ALWAYS, PLAIN);
        throw new Error("stopped here");
      }),
    ).toThrow("stopped here");
    expect(told()).toEqual(["x", "x", null]);
    session.flush();
    expect(w.reopen().value(cellOf("a", "default"), {}).value).toBe("x");
    expect(w.sql.exec("SELECT count(*) FROM claim")).toEqual([[2]]);
  });

  test("[6] still_referenced: a module that another imports or reads, and what a compile would drop", () => {
    const session = world().call();
    session.installModule(FAMILY);
    const reader = { name: "g", form: "1", language: "eng", kinds: [], scripts: [], rules: [], constraints: [], imports: ["f"] };
    session.installModule(reader);
    refuses(() => session.forgetModule("f"), "still_referenced", "g");
    session.installModule({ ...reader, form: "2", uses: [`${PERSON}.default`] });
    const without = {
      ...FAMILY,
      form: "2",
      kinds: [kind({ parent: MANY_PERSONS, ancestor: MANY_PERSONS, status: ANY })],
      rules: [BASE, STEP],
    };
    refuses(() => session.installModule(without), "still_referenced", "g");
    session.forgetModule("g");
    expect(session.installModule(without).changed).toBe(true);
  });

  test("[9.2] forget takes one script and is idempotent; levels are asked first", () => {
    const w = world();
    const session = w.call();
    session.installModule(FAMILY);
    expect(session.listScripts()).toEqual(["f.s"]);
    expect(session.forgetScript("f.s")).toBe(true);
    expect(session.forgetScript("f.s")).toBe(false);
    expect(session.listScripts()).toEqual([]);
    const weak = w.call("read-write");
    refuses(() => weak.forgetScript("f.s"), "scope_forbidden");
    refuses(() => weak.forgetModule("nowhere"), "scope_forbidden");
    refuses(() => w.call("read-add").installModule(FAMILY), "scope_forbidden");
  });
});

describe("incremental and from scratch", () => {
  test.each([1, 2, 3, 4, 5, 6])("[store-and-rules 5] what statements left is what a reopened store works out, seed %i", (seed) => {
    const w = world();
    let session = w.call();
    session.installModule(FAMILY);
    let state = seed * 7919;
    const pick = (n: number) => {
      state = (state * 1103515245 + 12345) % 2147483648;
      return Math.floor((state / 2147483648) * n);
    };
    const NAMES = ["a", "b", "c", "d"];
    let depth = 0;
    let compared = 0;
    const all = (view: Session) =>
      NAMES.flatMap((name) =>
        ["ancestor", "status"].map((field) =>
          view
            .get(cellOf(name, field))
            .map(({ value, rule: by, window: { from, to } }) => `${name} ${field} ${JSON.stringify(value)} ${by} ${from} ${to}`),
        ),
      );
    for (let i = 0; i < 150; i++) {
      const [one, two] = [NAMES[pick(4)], NAMES[pick(4)]];
      const span = pick(3) > 0 ? ALWAYS : window(pick(3) * 10, 30 + pick(3) * 10);
      const value = new Subject(PERSON, two);
      const source = `s${pick(2)}`;
      try {
        const field = pick(2) === 0 ? "default" : "status";
        [
          () => session.remember(cellOf(one, "parent"), value, source, span, PLAIN),
          () => session.remember(cellOf(one, "parent"), value, source, span, PLAIN),
          () => session.update(cellOf(one, "parent"), value, source, span, PLAIN),
          () => session.forgetValue(cellOf(one, "parent"), value, source),
          () => session.forget({ tag: "cell", cell: cellOf(one, "parent") }),
          () => session.update(cellOf(one, field), pick(3), source, span, PLAIN),
          () => session.update(cellOf(one, field), pick(3), source, span, PLAIN),
          () => session.forget({ tag: "cell", cell: cellOf(one, field) }),
          () => session.assertAbsent(cellOf(one, field), source, span),
          () => session.prefer({ tag: "field", kind: PERSON, field: "default" }, source),
          () => session.unprefer({ tag: "field", kind: PERSON, field: "default" }),
          () => session.prefer({ tag: "cell", cell: cellOf(one, "default") }, source),
          () => {
            if (depth === 2) return;
            session.branchBegin(null);
            depth++;
          },
          () => {
            if (depth === 0) return;
            depth--;
            if (pick(2) === 0) session.branchRollback(true);
            else session.branchCommit(true);
          },
        ][depth > 0 && pick(4) === 0 ? 13 : pick(14)]();
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
      }
      if (depth > 0 || i % 3 !== 0) continue;
      session.flush();
      const live = all(session);
      session = w.reopen();
      expect(all(session), `step ${i}`).toEqual(live);
      compared += live.flat().length;
    }
    expect(compared).toBeGreaterThan(50);
  });
});

function valueOf(session: Session, field: string, subject = "a") {
  return session.value(cellOf(subject, field)).value;
}

/** A bare Kind of the same last name is another Kind. */
function parentBare(session: Session): void {
  session.remember({ kind: "Person", subject: "a", field: "parent" }, 1, "a", ALWAYS, PLAIN);
  expect(valueAt(session, "Person.a.parent")).toBe(1);
}
