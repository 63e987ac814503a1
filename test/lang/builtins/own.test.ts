/** What is DKE's own among the builtins and values: no CPython answer exists, so the answers stand here. */
import { beforeEach, describe, expect, test } from "vitest";
import { Bytes, Datetime, Float, StoredCollection, Subject } from "../../../src/datum";
import { Refusal } from "../../../src/failure";
import { BUILTINS } from "../../../src/lang/builtins/builtins";
import { typeOf } from "../../../src/lang/builtins/types";
import { getAttribute } from "../../../src/lang/value/attribute";
import { datumOf, valueOf } from "../../../src/lang/value/datum";
import { exceptionOf } from "../../../src/lang/value/exception";
import { meter } from "../../../src/lang/value/meter";
import { equal } from "../../../src/lang/value/protocol-equal";
import { repr, str } from "../../../src/lang/value/protocol-text";
import { typeWord } from "../../../src/lang/value/protocol-type";
import { PyList, type Value } from "../../../src/lang/value/value";
import { evaluate, outcome } from "../value/evaluate";

beforeEach(() => {
  Object.assign(meter, { ops: 0, steps: 0, opsMax: Number.POSITIVE_INFINITY, stepsMax: Number.POSITIVE_INFINITY });
});

describe("[language §6] DKE's own builtins", () => {
  test.each([
    ["blob('00ff')", "b'\\x00\\xff'"],
    ["blob(b'a')", "b'a'"],
    ["blob('0g')", "ValueError: non-hexadecimal number found in fromhex() arg at position 1"],
    ["blob(5)", "TypeError: blob() argument must be a text of hexadecimal digits or bytes, not 'int'"],
    ["real is float, string is str", "(True, True)"],
    ["[real, string]", "[<class 'float'>, <class 'str'>]"],
    ["str(datetime('2026-01-01T02:00:00+02:00'))", "'2026-01-01T00:00:00Z'"],
    ["str(duration(days=1, hours=2))", "'P1DT2H'"],
    ["duration('PT1H') == duration(minutes=60)", "True"],
    ["{duration('PT1H'): 1}[duration(minutes=60)]", "1"],
    ["duration(years=1)", "TypeError: 'years' is an invalid keyword argument for duration()"],
    ["datetime(5)", "TypeError: datetime() argument must be a text like \"2026-01-01T00:00:00Z\", not 'int'"],
    ["isinstance(datetime('2026-01-01T00:00:00Z'), datetime)", "True"],
    ["sorted([datetime('2026-01-02T00:00:00Z'), datetime('2026-01-01T00:00:00Z')])[0].day", "1"],
    ["type(datetime('2026-01-01T00:00:00Z'))", "<class 'datetime'>"],
    ["iter(len, 1)", "OutOfSurface: iter(f, sentinel) has no bound: write a for loop over a range and break at the sentinel"],
    [
      "[len, [].append, str.upper]",
      "[<built-in function len>, <built-in method append of list object>, <method 'upper' of 'str' objects>]",
    ],
    ["issubclass(ConflictingWrite, Refusal)", "True"],
  ])("%s", (source, want) => {
    expect(outcome(source)).toBe(want);
  });

  test("[language §6] every builtin name is there", () => {
    const names =
      "abs all any ascii bin bool bytes chr complex dict divmod enumerate filter float format frozenset hash hex int isinstance iter len list map max min next oct ord pow range repr reversed round set slice sorted str sum tuple type zip blob real string datetime duration ValueError TypeError KeyError IndexError ZeroDivisionError OverflowError AttributeError AssertionError StopIteration LookupError ArithmeticError UnicodeError Exception Refusal OutOfSurface IncompleteSlots Ambiguous PinnedAddress StillReferenced ImmutableInBranch ConflictingWrite InvalidValue LimitExceeded DerivedField AssertedField NotRecorded AlreadyInEffect";
    expect(names.split(" ").filter((n) => !BUILTINS.has(n))).toEqual([]);
  });
});

test.each([
  ["family.Person", "ann", "family.Person.ann"],
  ["family.Person", "two words", 'family.Person["two words"]'],
  ["P", 'say "hi"', 'P["say \\"hi\\""]'],
  ["P", "it's\n", 'P["it\'s\\n"]'],
  ["P", "both ' and \"", 'P["both \' and \\""]'],
  ["P", "back\\slash", 'P["back\\\\slash"]'],
  ["P", "é", "P.é"],
  ["P", "class", 'P["class"]'],
  ["P", "1", 'P["1"]'],
])("[rulings, How a subject is spelled] %s %s", (kind, name, want) => {
  expect(str(new Subject(kind, name))).toBe(want);
  expect(repr(new PyList([new Subject(kind, name)]))).toBe(`[${want}]`);
});

test("[rulings, How a subject is spelled] subjects are compared, hashed and ordered by Kind and name", () => {
  const names = { a: new Subject("P", "a"), a2: new Subject("P", "a"), b: new Subject("P", "b"), q: new Subject("Q", "a") };
  expect(repr(evaluate("[a == a2, a == q, {a: 1}[a2], sorted([q, b, a]), len({a, a2, b})]", names))).toBe(
    "[True, False, 1, [P.a, P.b, Q.a], 2]",
  );
  expect(() => evaluate("a < 1", names)).toThrow();
});

test("[rulings, What a refusal carries] e.reason, e.hint and str(e)", () => {
  const e = exceptionOf(new Refusal("conflicting_write", "text", "hint"))!;
  expect([repr(e), str(e), getAttribute(e, "reason"), getAttribute(e, "hint"), repr(getAttribute(e, "args"))]).toEqual([
    "ConflictingWrite('text')",
    "text",
    "conflicting_write",
    "hint",
    "('text',)",
  ]);
  expect(typeOf(e)).toBe(BUILTINS.get("ConflictingWrite"));
  expect(exceptionOf(new Refusal("scope_forbidden", "no"))).toBeNull();
});

test.each([
  ["[1, [2.5, 'a'], (None, True)]", "list"],
  ["{'b': 1, 'a': (1, 2)}", "dict"],
  ["range(1, 10, 3)", "range"],
  ["frozenset({3, 1, 2})", "frozenset"],
  ["{(1, 'x'), 2**70}", "set"],
])("[rulings, Collections as values] %s goes into a datum and back", (source, type) => {
  const v = evaluate(source);
  const d = datumOf(v) as StoredCollection;
  expect(d.type).toBe(type);
  expect(equal(valueOf(d), v)).toBe(true);
  expect(valueOf(d)).not.toBe(v);
});

test("[rulings, Collections as values] a set is stored in value order, a dict keeps its own, functions are not stored", () => {
  expect(datumOf(evaluate("{3, 'a', 1, 2.5, None}"))).toEqual(new StoredCollection("set", [null, 1, new Float(2.5), 3, "a"]));
  expect(datumOf(evaluate("{'b': 1, 'a': 2}"))).toEqual(new StoredCollection("dict", ["b", 1, "a", 2]));
  expect(datumOf(evaluate("[1, len]"))).toBeUndefined();
  expect(datumOf(evaluate("[1, [iter([])]]"))).toBeUndefined();
  expect(datumOf(new Datetime(5))).toEqual(new Datetime(5));
});

test.each([
  ["'a' * 10**9"],
  ["[0] * 10**8"],
  ["list(range(10**9))"],
  ["(1,) * 10**9"],
  ["sum(map(lambda n: [0] * 10**8, [1]), [])"],
  ["b'a' * 10**9"],
  ["bytes(10**9)"],
  ["set(range(10**9))"],
  ["2 ** 10**9"],
  ["list(zip(range(10**9), range(10**9)))"],
])("[language §8] %s refuses limit_exceeded before memory is spent", (source) => {
  const began = process.memoryUsage().heapUsed;
  expect(outcome(source)).toMatch(/^LimitExceeded: /);
  expect(process.memoryUsage().heapUsed - began).toBeLessThan(64 << 20);
});

test("[language §8] what is nested past the limit refuses, and a value inside itself prints", () => {
  let deep: Value = new PyList([]);
  for (let i = 0; i < 300; i++) deep = new PyList([deep]);
  for (const source of ["repr(x)", "x == y", "x < y", "hash(t)"]) {
    let t: Value = evaluate("()");
    for (let i = 0; i < 300; i++) t = evaluate("(t,)", { t });
    let other: Value = new PyList([]);
    for (let i = 0; i < 300; i++) other = new PyList([other]);
    expect(() => evaluate(source, { x: deep, y: other, t })).toThrow(/nested deeper/);
  }
  const list = new PyList([1]);
  list.a.push(list);
  expect(repr(list)).toBe("[1, [...]]");
  const dict = evaluate("{}") as { set(k: Value, v: Value): void } & Value;
  dict.set("self", dict);
  expect(repr(dict)).toBe("{'self': {...}}");
});

test("[rulings, ops] a builtin charges for each element it takes, and for each call it makes of a builtin", () => {
  const cost = (source: string): number => {
    meter.ops = 0;
    evaluate(source, { xs: new PyList([3, 1, 2, 0]) });
    return meter.ops;
  };
  expect(
    [
      "sum(xs)",
      "list(xs)",
      "sorted(xs)",
      "max(xs)",
      "all(xs)",
      "any(xs)",
      "sorted(xs, key=abs)",
      "list(map(abs, xs))",
      "tuple(xs)",
      "set(xs)",
      "len(xs)",
      "[].extend(xs)",
    ].map(cost),
  ).toEqual([4, 4, 4, 4, 4, 1, 8, 12, 4, 4, 0, 4]);
});

test("[rulings, Transcript and result words] every value has its word", () => {
  const word = (source: string): string => typeWord(evaluate(source));
  expect(
    [
      "True",
      "1",
      "2**70",
      "1.5",
      "1j",
      "'a'",
      "b''",
      "[]",
      "()",
      "set()",
      "frozenset()",
      "{}",
      "range(1)",
      "None",
      "len",
      "int",
      "iter([])",
      "map(len, [])",
      "duration('PT1H')",
      "datetime('2026-01-01T00:00:00Z')",
    ].map(word),
  ).toEqual([
    "bool",
    "int",
    "int",
    "real",
    "complex",
    "string",
    "blob",
    "list",
    "tuple",
    "set",
    "frozenset",
    "dict",
    "range",
    "none",
    "function",
    "function",
    "iterator",
    "iterator",
    "duration",
    "datetime",
  ]);
  expect(typeWord(new Bytes(new Uint8Array()))).toBe("blob");
});
