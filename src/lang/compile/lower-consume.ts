/**
 * Which native calls may run code of the program, by a callback or a generator they are given, or may be long work of their
 * own (a sort, a search), and so are lifted into steps of their own that can be suspended (`machine/build-consume.ts`). A call that is not lifted though it does runs to
 * its end.
 */
import { VERBS } from "../check/verbs";
import type { Call, Expr } from "../syntax/ast";
import { isUsualName } from "../value/attribute";
import type { Cx } from "./context";
import type { IrDrained, IrExpr } from "./ir";

const BUILTINS: ReadonlySet<string> = new Set("all any bytes dict frozenset list max min next set sorted sum tuple".split(" "));
const METHODS: ReadonlySet<string> = new Set(
  (
    "__contains__ __next__ _make difference difference_update extend extendleft findall from_iterable fromkeys fullmatch intersection " +
    "intersection_update isdisjoint issubset issuperset join match search sort sub subn subtract symmetric_difference " +
    "symmetric_difference_update union update"
  ).split(" "),
);
/** Methods of values of served modules that run no code of ours. */
const OF_MODULES: ReadonlySet<string> = new Set(
  (
    "_asdict _replace appendleft elements end expand finditer group groupdict groups most_common " +
    "move_to_end popitem popleft rotate span start substitute total"
  ).split(" "),
);
/** Of `math` all others are short. */
const OF_MATH: ReadonlySet<string> = new Set(["dist", "fsum", "gcd", "lcm", "prod"]);
const LONG: ReadonlySet<string> = new Set(
  "__next__ dumps findall fullmatch gcd lcm loads match pow prod search sort sorted split sub subn".split(" "),
);

/** The value of a native call, lifted where it may run code of ours. */
export function consumed(cx: Cx, call: Call, e: Extract<IrExpr, { k: "native" | "method" }>): IrExpr {
  return mayRun(call, e) ? lifted(cx, e) : e;
}
/** The value of a verb, lifted where it may look at much of the store. */
export function consumedVerb(cx: Cx, e: Extract<IrExpr, { k: "verb" }>): IrExpr {
  return VERBS.get(e.n)!.isLong ? lifted(cx, e) : e;
}
/** `x in e`, `xs += e`: where `e` may be an iterator that runs code of ours. */
export function consumedWhole(cx: Cx, of: Expr, e: IrExpr): IrExpr {
  return mayIterate(cx, of) ? lifted(cx, e) : e;
}
/** What an unpacking takes elements of, at most `most`. */
export function drained(cx: Cx, of: Expr, e: IrExpr, most: number | null): IrExpr {
  return mayIterate(cx, of) ? lifted(cx, { k: "drained", e, most }) : e;
}
function mayIterate(cx: Cx, of: Expr): boolean {
  return cx.u.tree.hasIterators && !isPlain(of);
}
/** `d[k]`: where `d` may be a `defaultdict` that calls code of ours. */
export function consumedItem(cx: Cx, e: IrExpr): IrExpr {
  return cx.u.tree.hasFactories ? lifted(cx, e) : e;
}
function lifted(cx: Cx, e: IrExpr | IrDrained): IrExpr {
  const i = cx.f.slot();
  cx.out.push({ k: "consume", i, fs: cx.f.slot(), e });
  return { k: "temp", i };
}

function mayRun(call: Call, e: Extract<IrExpr, { k: "native" | "method" }>): boolean {
  // An attribute of that name can only be a function that was put there.
  if (e.k === "method" && !METHODS.has(e.n) && !OF_MODULES.has(e.n) && !isUsualName(e.n)) return true;
  if (!isConsumer(call, e)) return false;
  return isLong(e) || !(call.args.every(isPlain) && call.keywords.every((k) => isPlain(k.value)));
}
/** Work that may be long whatever it is given. */
function isLong(e: Extract<IrExpr, { k: "native" | "method" }>): boolean {
  return LONG.has(e.k === "method" ? e.n : e.f.k === "member" || e.f.k === "builtin" ? e.f.n : "");
}
function isConsumer(call: Call, e: Extract<IrExpr, { k: "native" | "method" }>): boolean {
  if (e.k === "method") return METHODS.has(e.n);
  if (e.f.k === "member") return e.f.m !== "math" || OF_MATH.has(e.f.n);
  if (e.f.k !== "builtin") return false;
  if (e.f.n === "pow") return call.args.length + call.keywords.length === 3;
  if (!BUILTINS.has(e.f.n)) return false;
  const ofSeveral = (e.f.n === "min" || e.f.n === "max") && call.args.length > 1 && call.keywords.length === 0;
  return !ofSeveral || call.args.some((a) => a.kind === "Starred");
}

/** Whether its value is certainly neither a function nor an iterator, nor a range, which may be long. */
export function isPlain(e: Expr): boolean {
  switch (e.kind) {
    case "Constant":
    case "JoinedStr":
    case "List":
    case "Tuple":
    case "Set":
    case "Dict":
    case "ListComp":
    case "SetComp":
    case "DictComp":
    case "BinOp":
    case "UnaryOp":
    case "Compare":
      return true;
    default:
      return false;
  }
}
