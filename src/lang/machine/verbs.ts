/**
 * The verbs at work: binds a call's values by the verb's table, asks the host, wraps what comes back.
 *
 * Ops: the verb itself is one; each claim, subject or name a read returns and each claim a write adds or removes is one
 * more (language.md §8).
 */
import { Datetime, type Datum, Subject } from "../../datum";
import type { Cell, Effect, Level, Qualifiers, RangeKeyword, ReadPoint, Target, Window } from "../../engine/claim";
import type { Sliced } from "../../engine/rule-work";
import { Refusal, unreachable } from "../../failure";
import { SUBJECT_NAME_CHARS_MAX } from "../../limits";
import { VERBS, type VerbSpec } from "../check/verbs";
import { datumOf, unstorablePart, valueOf } from "../value/datum";
import { raise } from "../value/exception";
import { meter, spendOps, spendSteps } from "../value/meter";
import { begin, mayPause, type Pending, settle, Task, type Work } from "../value/pending";
import { repr } from "../value/protocol-text";
import { typeName } from "../value/protocol-type";
import { isLongSort, sortingValues, sortValues } from "../value/sort";
import { strLength } from "../value/str";
import { PyList, PyStringList, type Value } from "../value/value";
import { ClaimValue } from "./claim-value";
import { ProofValue } from "./proof-value";
import { ReasonValue } from "./reason-value";
import { type Eval, type Exec, NEXT, SUSPEND, vm } from "./vm";

/** An evaluated address. */
export type Address =
  | { readonly a: "cell"; readonly cell: Cell }
  | { readonly a: "field"; readonly kind: string; readonly field: string }
  | { readonly a: "subject"; readonly subject: Subject }
  | { readonly a: "kind"; readonly kind: string }
  | { readonly a: "either"; readonly kind: string; readonly name: string };

export function cellOf(subject: Value, field: Value): Cell {
  if (!(subject instanceof Subject))
    throw new Refusal(
      "invalid_value",
      `an address needs a subject before the field, got ${typeName(subject)}`,
      'write `Kind.subject.field`, or hold a subject such as `Kind["name"]` in the variable',
    );
  if (typeof field !== "string") raise("TypeError", `a field's name is a text, not ${typeName(field)}`);
  if (field === "" || field.startsWith("__"))
    throw new Refusal(
      "invalid_value",
      `no field can be named ${repr(field)}`,
      "a field's name is a text that does not begin with two underscores",
    );
  return { kind: subject.kind, subject: subject.name, field };
}

/** `Kind[expr]`: the name is a text, not empty, at most 1,024 code points (rulings). */
export function subjectOf(kind: string, name: Value): Subject {
  if (typeof name !== "string") raise("TypeError", `a subject's name is a text, not ${typeName(name)}`);
  if (name === "" || strLength(name) > SUBJECT_NAME_CHARS_MAX)
    raise("TypeError", `a subject's name has 1 to ${SUBJECT_NAME_CHARS_MAX} characters, not ${strLength(name)}`);
  return new Subject(kind, name);
}

export function subjectIn(v: Value): Subject {
  if (!(v instanceof Subject)) raise("TypeError", `a subject was wanted, as Kind["name"], not ${typeName(v)}`);
  return v;
}

/** A plain read (rulings, "Plain reads"): one op, and one more where a claim is found. */
export function plainRead(cell: Cell): Value {
  const r = vm.host.value(cell, NOW);
  spendSteps(READ_STEPS);
  spendOps(r.found ? 2 : 1);
  return valueOf(r.value);
}
const NOW: ReadPoint = {};

/** Work of the store in the machine's own steps (about 40 ns each), so that a slice of verbs is as short as one of sums. */
const READ_STEPS = 100;
const WRITE_STEPS = 1000;
const RETURNED_STEPS = 25;

/** Runs a verb to its end. `args` follow the address; `kw` may be null. */
export function runVerb(name: string, address: Address | null, args: readonly Value[], kw: ReadonlyMap<string, Value> | null): Value {
  return settle(askVerb(name, address, args, kw));
}

/** The same of one that may be long (`VerbSpec.isLong`), in slices. */
export function startVerb(
  name: string,
  address: Address | null,
  args: readonly Value[],
  kw: ReadonlyMap<string, Value> | null,
): Value | Pending {
  return begin(askVerb(name, address, args, kw));
}

function askVerb(name: string, address: Address | null, args: readonly Value[], kw: ReadonlyMap<string, Value> | null): Value | Task {
  const spec = VERBS.get(name)!;
  if (spec.least !== "read") {
    spendOps(1);
    spendSteps(WRITE_STEPS);
    return wrote(askedFirst(spec.least, () => statementOf(name, address, bind(name, spec, args, kw)))());
  }
  const { values, rest } = bind(name, spec, args, kw);
  const host = vm.host;
  spendOps(1);
  spendSteps(READ_STEPS);
  switch (name) {
    case "current": {
      const c = host.current(cell(address), point(values));
      return c === null ? null : claim(c);
    }
    case "value": {
      const r = host.value(cell(address), point(values));
      if (!r.found) return values.get("default") ?? null;
      spendOps(1);
      return valueOf(r.value);
    }
    case "values":
      return list(host.values(cell(address), point(values)).map(valueOf));
    case "get":
      return list(host.get(cell(address)).map((c) => new ClaimValue(c)));
    case "history":
      return list(host.history(cell(address)).map((c) => new ClaimValue(c)));
    case "changed":
      return list(host.changed(cell(address), givenInstant(values, "since")).map((c) => new ClaimValue(c)));
    case "subjects": {
      const kind = kindOf(address);
      return new Task(finding(kind, host.finding(kind, NO_FIELDS, point(values))));
    }
    case "find": {
      const kind = kindOf(address);
      const wanted = new Map<string, Datum>();
      for (const [k, v] of rest) wanted.set(k, datum(v, k));
      return new Task(finding(kind, host.finding(kind, wanted, NOW)));
    }
    case "fields": {
      const s = subject(address);
      return names(host.fields(s.kind, s.name));
    }
    case "kinds":
    case "list_categories":
      return names(host.kinds());
    case "sources":
      return names(host.sources(cell(address)));
    case "list_scripts":
      return names(host.listScripts());
    case "absent":
      return host.absent(cell(address));
    case "present":
      return !host.absent(cell(address));
    case "now":
      return new Datetime(host.instant);
    case "why": {
      const v = values.get("value");
      return new ProofValue(host.why(cell(address), v === undefined ? undefined : datum(v, "value")));
    }
    case "why_not": {
      const v = values.get("value") ?? null;
      return new ReasonValue(host.whyNot(cell(address), v === null ? undefined : datum(v, "value")));
    }
    case "what_needs":
      return new ReasonValue(host.whatNeeds(cell(address)));
    case "commit":
      vm.recorder.branchCommit(false, () => host.branchCommit(false));
      return null;
    case "rollback":
      host.branchRollback(false);
      vm.recorder.branchRollback(false);
      return null;
    case "worlds":
      return names(host.worlds());
    default:
      throw new Error(`verb without a body: ${name}`);
  }
}

/** Reads what a statement is about. One that is at fault, at a level that may not make it, is refused for that first. */
export function askedFirst<T>(least: Level, read: () => T): T {
  try {
    return read();
  } catch (fault) {
    vm.host.requireLevel(least);
    throw fault;
  }
}

/** What a verb that changes the store is to do, all of its arguments read. */
function statementOf(name: string, address: Address | null, { values, rest }: Bound): () => Effect | null {
  const host = vm.host;
  switch (name) {
    case "remember":
    case "update": {
      const c = cell(address);
      const v = values.get("value")!;
      if (v === null)
        throw new Refusal(
          "invalid_value",
          `\`${name}\` records a value, and None is none`,
          'that there is no value is `assert_absent(cell, "source")`',
        );
      const qualifiers = new Map<string, Datum>();
      for (const [k, q] of rest) qualifiers.set(k, datum(q, k));
      const d = datum(v, "value");
      const s = source(values);
      const w = window(values);
      return () => host[name](c, d, s, w, qualifiers as Qualifiers);
    }
    case "assert_absent": {
      const c = cell(address);
      const s = source(values);
      const w = window(values);
      return () => host.assertAbsent(c, s, w);
    }
    case "forget":
      return forget(address!, values);
    case "prefer": {
      const t = target(address!);
      const s = source(values);
      return () => host.prefer(t, s);
    }
    case "unprefer": {
      const t = target(address!);
      return () => host.unprefer(t);
    }
    case "pin":
      return () => host.pin(cell(address));
    case "unpin":
      return () => host.unpin(cell(address));
    case "create_world": {
      const world = worldName(values.get("name")!);
      return () => host.createWorld(world);
    }
    case "merge_world": {
      const world = worldName(values.get("name")!);
      return () => host.mergeWorld(world);
    }
    case "discard_world": {
      const world = worldName(values.get("name")!);
      return () => host.discardWorld(world);
    }
    default:
      throw new Error(`verb without a body: ${name}`);
  }
}

interface Bound {
  readonly values: ReadonlyMap<string, Value>;
  readonly rest: ReadonlyMap<string, Value>;
}

function bind(name: string, spec: VerbSpec, args: readonly Value[], kw: ReadonlyMap<string, Value> | null): Bound {
  const values = new Map<string, Value>();
  const rest = new Map<string, Value>();
  const positional = spec.params.filter((p) => !p.keywordOnly);
  args.forEach((v, i) => {
    values.set(positional[i]!.name, v);
  });
  for (const [k, v] of kw ?? []) {
    if (spec.params.some((p) => p.name === k)) {
      if (values.has(k)) raise("TypeError", `${name}() got multiple values for argument '${k}'`);
      values.set(k, v);
    } else if (spec.rest !== null) rest.set(k, v);
    else raise("TypeError", `${name}() got an unexpected keyword argument '${k}'`);
  }
  for (const p of spec.params)
    if (p.required && !values.has(p.name)) raise("TypeError", `${name}() missing 1 required argument: '${p.name}'`);
  return { values, rest };
}

function cell(a: Address | null): Cell {
  if (a?.a !== "cell") throw new Error("a cell was checked for at compile");
  return a.cell;
}
function kindOf(a: Address | null): string {
  if (a?.a !== "kind") throw new Error("a kind was checked for at compile");
  return a.kind;
}
function subject(a: Address | null): Subject {
  if (a?.a !== "subject") throw new Error("a subject was checked for at compile");
  return a.subject;
}
function target(a: Address): Target {
  switch (a.a) {
    case "cell":
      return { tag: "cell", cell: a.cell };
    case "field":
      return { tag: "field", kind: a.kind, field: a.field };
    case "subject":
      return { tag: "subject", kind: a.subject.kind, subject: a.subject.name };
    case "kind":
      return { tag: "kind", kind: a.kind };
    case "either":
      return either(a.kind, a.name);
    default:
      return unreachable(a);
  }
}

/** `Kind.x`: the field if only a field of that name holds data, the subject if only a subject does (rulings). */
function either(kind: string, name: string): Target {
  const subjectHolds = vm.host.subjectHolds(kind, name);
  const fieldHolds = vm.host.fieldHolds(kind, name);
  if (subjectHolds && fieldHolds)
    throw new Refusal(
      "ambiguous",
      `\`${kind}.${name}\` is a subject and a field`,
      `${kind}["${name}"] is the subject; for the field, forget it subject by subject`,
    );
  return fieldHolds ? { tag: "field", kind, field: name } : { tag: "subject", kind, subject: name };
}

const RANGES: readonly RangeKeyword[] = ["recorded_before", "recorded_at_or_before", "valid_before", "valid_at_or_before"];

function forget(a: Address, values: ReadonlyMap<string, Value>): () => Effect | null {
  const host = vm.host;
  const ranges = RANGES.filter((k) => values.has(k));
  if (ranges.length > 0) {
    if (ranges.length > 1 || values.has("value") || values.has("source"))
      throw new Refusal("invalid_value", "`forget` takes one range at a time", `give only ${ranges[0]}=`);
    const t = target(a);
    const at = givenInstant(values, ranges[0]!);
    return () => host.forgetRange(t, ranges[0]!, at);
  }
  if (!values.has("value")) {
    if (values.has("source"))
      throw new Refusal(
        "invalid_value",
        "`forget` of what one source says takes the value too",
        'forget(cell, value, "source"); get(cell) shows what each source recorded',
      );
    const t = target(a);
    if (t.tag === "field" || t.tag === "kind")
      throw new Refusal(
        "invalid_value",
        `\`forget\` does not take a whole ${t.tag}`,
        "forget(Kind.subject.field), forget(Kind.subject), or older versions of a field or Kind with recorded_before= or valid_before=",
      );
    return () => host.forget(t);
  }
  const v = values.get("value")!;
  if (a.a !== "cell")
    throw new Refusal(
      "invalid_value",
      "`forget` of one value, or at an instant, takes a cell",
      'forget(Kind.subject.field, value, "source") or forget(Kind.subject.field, instant)',
    );
  if (values.has("source")) {
    const d = datum(v, "value");
    const s = source(values);
    return () => host.forgetValue(a.cell, d, s);
  }
  if (!(v instanceof Datetime))
    throw new Refusal(
      "invalid_value",
      `\`forget\` with two arguments takes an instant, got ${typeName(v)}`,
      'forget(cell, value, "source") removes one value',
    );
  return () => host.forgetAt(a.cell, v.micros);
}

/** Waits where the slice is used up by what has been looked at, which is not charged: only what is found is. */
function* finding(kind: string, found: Sliced<string[]>): Work<Value> {
  let looked = 0;
  let step = found.next();
  for (; step.done !== true; step = found.next()) {
    looked += LOOKED_STEPS;
    if (!mayPause(looked)) continue;
    yield;
    looked = 0;
  }
  const sorted = isLongSort(step.value) ? yield* sortingValues(step.value, false) : sortValues(step.value);
  return list((sorted as string[]).map((name) => new Subject(kind, name)));
}
const NO_FIELDS: ReadonlyMap<string, Datum> = new Map();
/** Between two chances to wait that the host gives: about a millisecond. */
const LOOKED_STEPS = 25_000;

function claim(c: import("../../engine/claim").Claim): ClaimValue {
  spendOps(1);
  return new ClaimValue(c);
}
function names(read: readonly string[]): PyList {
  spendOps(read.length);
  spendSteps(read.length * RETURNED_STEPS);
  return new PyStringList([...read]);
}
function list(values: Value[]): PyList {
  spendOps(values.length);
  spendSteps(values.length * RETURNED_STEPS);
  return new PyList(values);
}
function wrote(effect: Effect | null): null {
  if (vm.host.isConcluding) vm.recorder.unconcluded = effect;
  else tell(effect);
  return null;
}
function tell(effect: Effect | null): void {
  if (effect === null) return;
  // It has come to stay, so it is told of, whatever its cost ends.
  vm.recorder.effect(vm.at, effect);
  spendOps(effect.added + effect.removed);
  spendSteps((effect.added + effect.removed) * RETURNED_STEPS);
}

/** A statement that is a verb that writes: it ends once the rules are through with what it wrote, in whichever slice that is. */
export function concluding(verb: Eval): Exec {
  return (R) => {
    const { host } = vm;
    if (vm.resuming) vm.resuming = false;
    else {
      host.inSlices(rowsLeft(), () => verb(R));
      return host.isConcluding ? SUSPEND : NEXT;
    }
    if (!host.conclude(rowsLeft())) return SUSPEND;
    concluded();
    return NEXT;
  };
}
/** The write the rules were at work on has come to stay. */
function concluded(): void {
  const effect = vm.recorder.unconcluded;
  vm.recorder.unconcluded = null;
  tell(effect);
}
/** A row looked at is a step or two. What runs inside work that cannot be suspended is done whole. */
function rowsLeft(): number {
  return meter.nested > 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.max(meter.sliceEnd, meter.finishEnd) - meter.steps);
}

function datum(v: Value, what: string): Datum {
  const d = datumOf(v);
  if (d === undefined) {
    const part = unstorablePart(v);
    throw new Refusal(
      "invalid_value",
      `${what}: the store cannot hold a value of type ${typeName(part)}${part === v ? "" : `, and this ${typeName(v)} has one in it`}`,
      "a stored value is a number, text, bytes, bool, datetime, duration, subject, or a list, tuple, dict or set of these",
    );
  }
  return d;
}
function source(values: ReadonlyMap<string, Value>): string {
  const s = values.get("source");
  if (typeof s !== "string" || s === "")
    throw new Refusal(
      "invalid_value",
      `a source is a text that is not empty, got ${s === "" ? "an empty text" : typeName(s ?? null)}`,
      'name who says so, as "registry"',
    );
  return s;
}
export function worldName(v: Value): string {
  if (typeof v !== "string") raise("TypeError", `a world's name is a text, not ${typeName(v)}`);
  return v;
}
function instant(values: ReadonlyMap<string, Value>, name: string): number | null {
  return (values.get(name) ?? null) === null ? null : givenInstant(values, name);
}
/** Where None is no answer. */
function givenInstant(values: ReadonlyMap<string, Value>, name: string): number {
  const v = values.get(name) ?? null;
  if (!(v instanceof Datetime))
    throw new Refusal("invalid_value", `${name} is a datetime, got ${typeName(v)}`, 'write datetime("2026-01-01T00:00:00Z"), or now()');
  return v.micros;
}
function point(values: ReadonlyMap<string, Value>): ReadPoint {
  const at = instant(values, "at");
  const knownAt = instant(values, "known_at");
  return { ...(at === null ? {} : { at }), ...(knownAt === null ? {} : { knownAt }) };
}
function window(values: ReadonlyMap<string, Value>): Window {
  return { from: instant(values, "valid_from"), to: instant(values, "valid_to") };
}
