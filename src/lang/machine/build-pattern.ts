/** `match`: tries patterns in order, binds captures as CPython does (as they match, kept though a later part fails). */
import { Subject } from "../../datum";
import { isInstance } from "../builtins/functions";
import { NAMED_TYPES, typeOf } from "../builtins/types";
import type { IrPattern, IrStep } from "../compile/ir";
import { findAttribute } from "../value/attribute";
import { PyDict } from "../value/dict";
import { raise } from "../value/exception";
import { isMapping, mappingOf } from "../value/mapping";
import { meter } from "../value/meter";
import { equal } from "../value/protocol-equal";
import { hashKey } from "../value/protocol-hash";
import { getItem } from "../value/protocol-item";
import { contains, length, truthy } from "../value/protocol-iterate";
import { typeName } from "../value/protocol-type";
import { rangeAt } from "../value/range";
import { strRepr } from "../value/str";
import { PyList, PyNative, PyRange, PyTuple, PyType, type Value } from "../value/value";
import { buildBlock } from "./build-block";
import { buildExpr } from "./build-expression";
import { buildRare } from "./build-step";
import { buildAssign } from "./build-target";
import type { Builder } from "./builder";
import { cellOf, plainRead } from "./verbs";
import { type Exec, type Frame, NEXT, SUSPEND, vm } from "./vm";

/** Types whose one positional sub-pattern matches the value itself (Python reference, class patterns). */
const MATCH_THEMSELVES = ["bool", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"].map(
  (n) => NAMED_TYPES.get(n)!,
);
/** Whether the one positional pattern of `case T(x)` is of the value itself; what descends from such a type does as it. */
function matchesSelf(t: PyType): boolean {
  return MATCH_THEMSELVES.some((own) => t.isSubtypeOf(own));
}
/** The type as its complaints name it, with its module where CPython's has that in its name. */
const asNamed = (t: PyType, v: Value): string => (typeOf(v) === t ? typeName(v) : t.name);

type Test = (R: Frame, v: Value) => boolean;

/** Saved state: `s` the case, `s + 1` the subject where its guard's steps were suspended. */
export function buildMatch(B: Builder, step: Extract<IrStep, { k: "match" }>): Exec {
  const subject = buildExpr(B, step.e);
  const cases = step.cases.map((c) => ({
    test: buildPattern(B, c.p),
    guard: c.guard ? buildRare(B, c.guard) : null,
    body: buildBlock(B, c.a),
  }));
  const s = step.s;
  const IN_GUARD = 1;
  return (R) => {
    let i = 0;
    let v: Value = null;
    let inGuard = false;
    if (vm.resuming) {
      const saved = R[s + 1] as { phase: number; v: Value };
      i = R[s];
      v = saved.v;
      if (saved.phase !== IN_GUARD) {
        const c = cases[i]!.body(R);
        return c;
      }
      inGuard = true;
    } else v = subject(R);
    for (; i < cases.length; i++) {
      const c = cases[i]!;
      if (!inGuard && !c.test(R, v)) continue;
      inGuard = false;
      if (c.guard) {
        if (c.guard.pre) {
          const code = c.guard.pre(R);
          if (code >= SUSPEND) {
            R[s] = i;
            R[s + 1] = { phase: IN_GUARD, v };
            return code;
          }
        }
        if (!truthy(c.guard.e(R))) continue;
      }
      const code = c.body(R);
      if (code >= SUSPEND) {
        R[s] = i;
        R[s + 1] = { phase: 0, v };
      }
      return code;
    }
    return NEXT;
  };
}

function buildPattern(B: Builder, p: IrPattern): Test {
  switch (p.k) {
    case "value": {
      const f = buildExpr(B, p.e);
      return (R, v) => {
        meter.ops++;
        return equal(v, f(R));
      };
    }
    case "is":
      return (_R, v) => v === p.v;
    case "star":
    case "as": {
      const inner = p.k === "as" && p.p ? buildPattern(B, p.p) : null;
      const to = p.to ? buildAssign(B, p.to) : null;
      return (R, v) => {
        if (inner && !inner(R, v)) return false;
        if (to) to(R, v);
        return true;
      };
    }
    case "or": {
      const ts = p.ps.map((q) => buildPattern(B, q));
      return (R, v) => ts.some((t) => t(R, v));
    }
    case "seq": {
      const ts = p.ps.map((q) => buildPattern(B, q));
      const star = p.star;
      return (R, v) => {
        const a = v instanceof PyList || v instanceof PyTuple ? v.a : v instanceof PyNative ? v.sequence : null;
        if (a === null && !(v instanceof PyRange)) return false;
        const n = a ? a.length : Number((v as PyRange).length);
        if (star < 0 ? n !== ts.length : n < ts.length - 1) return false;
        const at = (i: number): Value => {
          meter.ops++;
          return a ? a[i]! : rangeAt(v as PyRange, i);
        };
        const head = star < 0 ? ts.length : star;
        for (let i = 0; i < head; i++) if (!ts[i]!(R, at(i))) return false;
        if (star < 0) return true;
        const tail = ts.length - star - 1;
        const middle: Value[] = [];
        for (let i = head; i < n - tail; i++) middle.push(at(i));
        if (!ts[star]!(R, new PyList(middle))) return false;
        for (let i = 0; i < tail; i++) if (!ts[star + 1 + i]!(R, at(n - tail + i))) return false;
        return true;
      };
    }
    case "map": {
      const keys = p.keys.map((k) => buildExpr(B, k));
      const ts = p.ps.map((q) => buildPattern(B, q));
      const rest = p.rest ? buildAssign(B, p.rest) : null;
      return (R, v) => {
        if (!isMapping(v) || length(v) < keys.length) return false;
        const ks = keys.map((k) => k(R));
        const seen = new Set(ks.map(hashKey));
        if (seen.size !== ks.length) raise("ValueError", "mapping pattern checks duplicate key");
        const found: Value[] = [];
        for (const k of ks) {
          meter.ops++;
          const x = v instanceof PyDict ? v.get(k) : contains(v, k) ? getItem(v, k) : undefined;
          if (x === undefined) return false;
          found.push(x);
        }
        for (let i = 0; i < ts.length; i++) if (!ts[i]!(R, found[i]!)) return false;
        if (rest) {
          const left = new PyDict();
          for (const [k, x] of mappingOf(v)!.entries()) if (!seen.has(hashKey(k))) left.set(k, x);
          meter.ops += left.size;
          rest(R, left);
        }
        return true;
      };
    }
    case "class": {
      const cls = buildExpr(B, p.e);
      const ts = p.ps.map((q) => buildPattern(B, q));
      const named = p.nps.map((q, i) => [p.names[i]!, buildPattern(B, q)] as const);
      return (R, v) => {
        const t = cls(R);
        if (!(t instanceof PyType)) raise("TypeError", "called match pattern must be a class");
        if (!isInstance(v, t)) return false;
        const places = t.matchArgs;
        const most = places !== null ? places.length : matchesSelf(t) ? 1 : 0;
        if (ts.length > most)
          raise("TypeError", `${asNamed(t, v)}() accepts ${most} positional sub-pattern${most === 1 ? "" : "s"} (${ts.length} given)`);
        const placed = places?.slice(0, ts.length) ?? [];
        const twice = named.find(([n]) => placed.includes(n));
        if (twice !== undefined) raise("TypeError", `${asNamed(t, v)}() got multiple sub-patterns for attribute ${strRepr(twice[0])}`);
        for (let i = 0; i < ts.length; i++) if (!ts[i]!(R, places === null ? v : findAttribute(v, places[i]!)!)) return false;
        for (const [n, test] of named) {
          const x = v instanceof Subject ? plainRead(cellOf(v, n)) : findAttribute(v, n);
          if (x === undefined) return false;
          if (!test(R, x)) return false;
        }
        return true;
      };
    }
  }
}
