/**
 * Closures for steps: `(R) => code` (vm.ts has the codes). Blocks, loops, calls and `try` save their place in the frame
 * when what they run gives SUSPEND or YIELD, and go back in when run again with `vm.resuming` set.
 *
 * The machine may stop before any step that carries a line. The step that stopped clears `resuming` as it goes on.
 */
import { EngineError, unreachable } from "../../failure";
import { WORLD_CLAIM_STEPS } from "../../limits";
import { VERBS } from "../check/verbs";
import type { IrBlockExpr, IrExpr, IrStep, IrTarget } from "../compile/ir";
import type { PyDict } from "../value/dict";
import { raise } from "../value/exception";
import { ELEMENT_BYTES, making, meter, spendSteps } from "../value/meter";
import { typeName } from "../value/protocol-type";
import type { PySet } from "../value/set";
import { PyList, PyModule } from "../value/value";
import { checkGrowing } from "../value/weight";
import { buildBlock } from "./build-block";
import { buildCall } from "./build-call";
import { buildConsume } from "./build-consume";
import { buildExpr } from "./build-expression";
import { buildFor } from "./build-loop";
import { buildNumberSet, intRegister } from "./build-number";
import { buildTest } from "./build-operator";
import { buildMatch } from "./build-pattern";
import { assignItem, buildAssign, buildDelete, buildRead } from "./build-target";
import { buildRaise, buildTry } from "./build-try";
import type { Builder } from "./builder";
import { buildOperand } from "./operand";
import { concluding, worldName } from "./verbs";
import { BREAK, Cell, CONTINUE, type Eval, type Exec, NEXT, RETURN, SUSPEND, vm, YIELD } from "./vm";

export function buildStep(B: Builder, s: IrStep): Exec {
  switch (s.k) {
    case "seq":
      return buildBlock(B, s.b);
    case "pass":
      return () => NEXT;
    case "break":
      return () => BREAK;
    case "continue":
      return () => CONTINUE;
    case "expr": {
      const f = buildExpr(B, s.e);
      if (s.e.k === "verb" && VERBS.get(s.e.n)!.writes) return concluding(f);
      return (R) => {
        f(R);
        return NEXT;
      };
    }
    case "temp": {
      const i = s.i;
      if (B.registers.types[i]) return buildNumberSet(B, i, s.e, null, (e) => buildExpr(B, e));
      const f = buildExpr(B, s.e);
      return (R) => {
        R[i] = f(R);
        return NEXT;
      };
    }
    case "set":
      return buildSet(B, s);
    case "return": {
      if (s.e === null)
        return () => {
          vm.ret = null;
          return RETURN;
        };
      const f = buildExpr(B, s.e);
      return (R) => {
        vm.ret = f(R);
        return RETURN;
      };
    }
    case "yield": {
      const f = buildExpr(B, s.e);
      return (R) => {
        if (vm.resuming) {
          vm.resuming = false;
          return NEXT;
        }
        vm.ret = f(R);
        return YIELD;
      };
    }
    case "call":
      return buildCall(B, s);
    case "consume":
      return buildConsume(B, s);
    case "if": {
      const c = buildTest(B, s.c);
      const a = buildBlock(B, s.a);
      const b = s.b ? buildBlock(B, s.b) : null;
      // Which arm was taken is kept in the arm's own position slot: the other arm's is cleared.
      const pa = s.a.pc;
      const pb = s.b ? s.b.pc : -1;
      const taken = pb >= 0 ? pb : pa;
      return (R) => {
        if (vm.resuming) return R[taken] === undefined || pb < 0 ? a(R) : b!(R);
        if (c(R)) {
          if (pb >= 0) R[pb] = undefined;
          return a(R);
        }
        if (b === null) return NEXT;
        R[pb] = 0;
        return b(R);
      };
    }
    case "for":
      return buildFor(B, s);
    case "keep":
      return buildKeep(B, s);
    case "assert": {
      const c = buildTest(B, s.c);
      const msg = s.msg ? buildRare(B, s.msg) : null;
      return (R) => {
        if (!vm.resuming && c(R)) return NEXT;
        if (!msg) raise("AssertionError");
        const code = msg.pre ? msg.pre(R) : NEXT;
        if (code !== NEXT) return code;
        return raise("AssertionError", msg.e(R));
      };
    }
    case "raise":
      return buildRaise(B, s);
    case "try":
      return buildTry(B, s);
    case "with":
      return buildWith(B, s);
    case "match":
      return buildMatch(B, s);
    case "del": {
      const f = buildDelete(B, s.t);
      return (R) => {
        f(R);
        return NEXT;
      };
    }
    case "newcell": {
      const i = s.i;
      return (R) => {
        R[i] = new Cell();
        return NEXT;
      };
    }
    case "import": {
      const { m, form, fs } = s;
      const set = s.to ? buildAssign(B, s.to) : null;
      return (R) => {
        if (form === "") throw new EngineError(vm.modules.absent(m));
        let done: boolean;
        if (vm.resuming) done = vm.modules.goOn(R[fs]) !== SUSPEND;
        else {
          const at = vm.at;
          const instance = vm.modules.start(m, form);
          if (instance.started) {
            if (set) set(R, instance);
            return NEXT;
          }
          R[fs] = instance;
          done = vm.modules.run(instance) !== SUSPEND;
          if (done) vm.at = at;
        }
        if (!done) return SUSPEND;
        if (set) set(R, R[fs]);
        R[fs] = undefined;
        return NEXT;
      };
    }
    case "library": {
      const members = B.library.members(s.m);
      const set = s.to ? buildAssign(B, s.to) : null;
      const sets = s.names.map(([n, t]) => [members.get(n)!, buildAssign(B, t)] as const);
      const module = new PyModule(s.m, members);
      return (R) => {
        if (set) set(R, module);
        for (const [v, a] of sets) a(R, v);
        return NEXT;
      };
    }
    default:
      return unreachable(s);
  }
}

/** Steps and an expression reached only sometimes. */
export function buildRare(B: Builder, x: IrBlockExpr): { pre: Exec | null; e: Eval } {
  return { pre: x.pre ? buildBlock(B, x.pre) : null, e: buildExpr(B, x.e) };
}

/** `a[b] = e`, with a way of its own for an element of a list. Names nothing. */
function buildSetItem(B: Builder, t: Extract<IrTarget, { k: "index" }>, e: IrExpr): Exec {
  const { i, f, constant } = buildOperand(B, e);
  const { i: base, f: a } = buildOperand(B, t.a);
  const { i: key, f: b } = buildOperand(B, t.b);
  const N = B.registers;
  const D = N.D;
  const r = intRegister(B, t.b);
  return (R) => {
    const v = constant !== undefined ? constant : i >= 0 ? R[i] : f(R);
    const o = base >= 0 ? R[base] : a(R);
    if (r >= 0 && o instanceof PyList) {
      const k = D[r]! | 0;
      if (k === D[r] && k >= 0 && k < o.a.length) {
        meter.ops++;
        if (typeof v !== "number" && typeof v !== "boolean") making(ELEMENT_BYTES);
        o.a[k] = v;
        return NEXT;
      }
    }
    assignItem(o, key >= 0 ? R[key] : b(R), v);
    return NEXT;
  };
}

function buildSet(B: Builder, s: Extract<IrStep, { k: "set" }>): Exec {
  const t = s.ts[0]!;
  if (t.k === "local" && B.registers.types[t.i])
    return buildNumberSet(B, t.i, s.e, s.names.length > 0 ? t.n : null, (e) => buildExpr(B, e));
  if (t.k === "index") return buildSetItem(B, t, s.e);
  const f = buildExpr(B, s.e);
  const set = buildAssign(B, t);
  if (s.names.length === 0)
    return (R) => {
      set(R, f(R));
      return NEXT;
    };
  if (t.k === "local") {
    const { i, n } = t;
    return (R) => {
      const v = f(R);
      R[i] = v;
      vm.recorder.assign(vm.at, n, v);
      return NEXT;
    };
  }
  const names = s.names.map((x) => [x.k === "local" || x.k === "cell" || x.k === "global" ? x.n : "", buildRead(x)] as const);
  return (R) => {
    set(R, f(R));
    for (const [n, read] of names) vm.recorder.assign(vm.at, n, read(R));
    return NEXT;
  };
}

function buildKeep(B: Builder, s: Extract<IrStep, { k: "keep" }>): Exec {
  const f = buildExpr(B, s.e);
  const i = s.i;
  if (s.as === "list")
    return (R) => {
      const v = f(R);
      const a = (R[i] as PyList).a;
      meter.ops++;
      checkGrowing(a);
      a.push(v);
      return NEXT;
    };
  if (s.as === "set")
    return (R) => {
      const v = f(R);
      meter.ops++;
      (R[i] as PySet).add(v);
      return NEXT;
    };
  const key = buildExpr(B, s.key!);
  return (R) => {
    const k = key(R);
    const v = f(R);
    meter.ops++;
    (R[i] as PyDict).set(k, v);
    return NEXT;
  };
}

function buildWith(B: Builder, s: Extract<IrStep, { k: "with" }>): Exec {
  return s.what === "branch" ? buildBranch(B, s) : buildWorld(B, s);
}

/** No transaction: each statement lands in the world as it ends. */
function buildWorld(B: Builder, s: Extract<IrStep, { k: "with" }>): Exec {
  const name = buildExpr(B, s.name!);
  const body = buildBlock(B, s.a);
  return (R) => {
    if (!vm.resuming) spendSteps(vm.host.worldBegin(worldName(name(R))) * WORLD_CLAIM_STEPS);
    let suspended = false;
    try {
      const c = body(R);
      suspended = c >= SUSPEND;
      return c;
    } finally {
      if (!suspended) vm.host.worldEnd();
    }
  };
}

function buildBranch(B: Builder, s: Extract<IrStep, { k: "with" }>): Exec {
  const name = s.name ? buildExpr(B, s.name) : null;
  const body = buildBlock(B, s.a);
  return (R) => {
    const host = vm.host;
    if (!vm.resuming) {
      const n = name ? name(R) : null;
      if (n !== null && typeof n !== "string") raise("TypeError", `a branch's name is a text, not ${typeName(n)}`);
      host.branchBegin(n);
      vm.recorder.branchBegin();
    }
    let c: number;
    try {
      c = body(R);
    } catch (thrown) {
      host.branchRollback(true);
      vm.recorder.branchRollback(true);
      throw thrown;
    }
    if (c >= SUSPEND) return c;
    vm.recorder.branchCommit(true, () => host.branchCommit(true));
    return c;
  };
}
