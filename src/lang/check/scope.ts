/**
 * Which name is bound where: Python's symbol tables.
 *
 * Three kinds of scope: the top level (its names are the globals of its functions), a function (def, lambda, generator
 * expression) and a comprehension, which is no function here: its loop runs in the frame of the function around it and
 * only hides its names. A binding that an inner function reads is *captured* and lives in a cell.
 *
 * Built in two passes: bindings and uses of the whole tree first, then each use is resolved; so a storage class is
 * final before any code is made. Declarations (class, @rule, @constraint) bind no variable and are not entered.
 */
import type { Arguments, Comprehension, Expr, FunctionDef, Lambda, Module, Node, Pattern, Stmt } from "../syntax/ast";

export interface Binding {
  readonly name: string;
  readonly scope: Scope;
  captured: boolean;
  /** Set while code is made; -1 before. */
  slot: number;
  /** How many places bind it: a def bound once is a callee known before the run. */
  writes: number;
  /** The def or lambda it was bound to, and the annotation it was given; meaningful only while `writes` is 1. */
  def: FunctionDef | Lambda | null;
  /** What a plain `name = …` bound to it; meaningful only while `writes` is 1. */
  value: Expr | null;
  annotation: Expr | null;
}

export class Scope {
  readonly bindings = new Map<string, Binding>();
  readonly uses = new Set<string>();
  /** Bindings of outer functions that this function or one inside it reads: each needs a free slot here. */
  readonly free = new Map<Binding, number>();
  constructor(
    readonly kind: "module" | "function" | "comprehension",
    readonly parent: Scope | null,
    /** A generator expression: a function of its own, through which `:=` binds outward as through a comprehension. */
    readonly generator = false,
  ) {}
  /** The scope whose frame this one's names live in. */
  get frame(): Scope {
    let s: Scope = this;
    while (s.kind === "comprehension" && s.parent) s = s.parent;
    return s;
  }
  bind(name: string): Binding {
    let b = this.bindings.get(name);
    if (!b)
      this.bindings.set(name, (b = { name, scope: this, captured: false, slot: -1, writes: 0, def: null, value: null, annotation: null }));
    b.writes++;
    return b;
  }
  /** The binding a use of `name` here means; null where nothing in the source binds it. */
  find(name: string): Binding | null {
    for (let s: Scope | null = this; s; s = s.parent) {
      const b = s.bindings.get(name);
      if (b) return b;
    }
    return null;
  }
}

/** Scopes by the node that opens them. */
export interface ScopeTree {
  readonly top: Scope;
  readonly of: ReadonlyMap<Node, Scope>;
  /** Whether a value of the source may be an iterator that runs code of ours: a generator, a `map`, what a module gives. */
  readonly hasIterators: boolean;
  /** Whether a subscript may run code of ours: a `defaultdict` with another factory than a builtin type. */
  readonly hasFactories: boolean;
  /** Whether a `try` with an `except` stands in it: a lambda may then be called inside one. */
  readonly hasHandlers: boolean;
  /** Whether a `:=` stands in it. */
  readonly hasWalrus: boolean;
}

/** Served modules whose members give no iterators. */
const WITHOUT_ITERATORS: ReadonlySet<string> = new Set([
  "math",
  "json",
  "string",
  "statistics",
  "operator",
  "re",
  "collections",
  "functools",
]);
const FACTORY_TYPES: ReadonlySet<string> = new Set(["bool", "dict", "float", "int", "list", "set", "str", "tuple"]);

/** A `defaultdict(…)` whose first argument is no builtin type. */
function hasFactory(call: Expr & { kind: "Call" }): boolean {
  const f = call.func;
  if ((f.kind === "Name" ? f.id : f.kind === "Attribute" ? f.attr : "") !== "defaultdict") return false;
  const [first] = call.args;
  return first !== undefined && !(first.kind === "Name" && FACTORY_TYPES.has(first.id));
}

/** Whether a def is a declaration of the store rather than a script. */
export function isDeclaration(f: FunctionDef): boolean {
  return f.decorators.some((d) => d.kind === "Name" && (d.id === "rule" || d.id === "constraint" || d.id === "computed"));
}

export function buildScopes(module: Module): ScopeTree {
  const of = new Map<Node, Scope>();
  const top = new Scope("module", null);
  let hasIterators = false;
  let hasFactories = false;
  let hasHandlers = false;
  let hasWalrus = false;
  of.set(module, top);
  for (const s of module.body) statement(s, top);
  for (const scope of of.values()) for (const name of scope.uses) capture(scope, name);
  return { top, of, hasIterators, hasFactories, hasHandlers, hasWalrus };

  function capture(scope: Scope, name: string): void {
    const b = scope.find(name);
    if (!b || b.scope === top) return;
    // Every function between the use and the binding's frame passes the cell on.
    for (let f = scope.frame; f !== b.scope.frame; f = f.parent!.frame) {
      b.captured = true;
      f.free.set(b, -1);
    }
  }
  function open(kind: "function" | "comprehension", node: Node, parent: Scope, generator = false): Scope {
    const s = new Scope(kind, parent, generator);
    of.set(node, s);
    return s;
  }
  function block(body: readonly Stmt[], s: Scope): void {
    for (const x of body) statement(x, s);
  }
  function statement(n: Stmt, s: Scope): void {
    switch (n.kind) {
      case "FunctionDef": {
        if (isDeclaration(n)) return;
        s.bind(n.name).def = n;
        parameters(n.args, s);
        const inner = open("function", n, s);
        bindParameters(n.args, inner);
        block(n.body, inner);
        return;
      }
      case "ClassDef":
      case "Pass":
      case "Break":
      case "Continue":
        return;
      case "Return":
        opt(n.value, s);
        return;
      case "Delete":
        for (const t of n.targets) target(t, s);
        return;
      case "Assign":
        expr(n.value, s);
        for (const t of n.targets) target(t, s);
        for (const t of n.targets)
          if (t.kind === "Name") {
            const b = s.find(t.id)!;
            b.value = n.value;
            if (n.value.kind === "Lambda") b.def = n.value;
          }
        return;
      case "AugAssign":
        if (n.target.kind === "Name") {
          s.uses.add(n.target.id);
          s.frame.bind(n.target.id);
        } else expr(n.target, s);
        expr(n.value, s);
        return;
      case "AnnAssign":
        opt(n.value, s);
        target(n.target, s);
        return;
      case "For":
        expr(n.iter, s);
        target(n.target, s);
        block(n.body, s);
        block(n.orelse, s);
        return;
      case "If":
        expr(n.test, s);
        block(n.body, s);
        block(n.orelse, s);
        return;
      case "With":
        for (const i of n.items) {
          expr(i.context, s);
          if (i.target) target(i.target, s);
        }
        block(n.body, s);
        return;
      case "Match":
        expr(n.subject, s);
        for (const c of n.cases) {
          pattern(c.pattern, s);
          opt(c.guard, s);
          block(c.body, s);
        }
        return;
      case "Raise":
        opt(n.exc, s);
        opt(n.cause, s);
        return;
      case "Try":
        hasHandlers ||= n.handlers.length > 0;
        block(n.body, s);
        for (const h of n.handlers) {
          opt(h.type, s);
          if (h.name !== null) s.bind(h.name);
          block(h.body, s);
        }
        block(n.orelse, s);
        block(n.finalbody, s);
        return;
      case "Assert":
        expr(n.test, s);
        opt(n.msg, s);
        return;
      case "Import":
        for (const a of n.names) {
          s.bind(a.asname ?? a.name);
          hasIterators ||= !WITHOUT_ITERATORS.has(a.name);
        }
        return;
      case "ImportFrom":
        for (const a of n.names) s.bind(a.asname ?? a.name);
        hasIterators ||= !WITHOUT_ITERATORS.has(n.module);
        return;
      case "Expr":
        expr(n.value, s);
        return;
    }
  }
  function target(t: Expr, s: Scope): void {
    switch (t.kind) {
      case "Name":
        s.bind(t.id);
        return;
      case "Tuple":
      case "List":
        for (const e of t.elts) target(e, s);
        return;
      case "Starred":
        target(t.value, s);
        return;
      default:
        expr(t, s);
        return;
    }
  }
  function pattern(p: Pattern, s: Scope): void {
    switch (p.kind) {
      case "MatchValue":
        expr(p.value, s);
        return;
      case "MatchSingleton":
        return;
      case "MatchSequence":
      case "MatchOr":
        for (const q of p.patterns) pattern(q, s);
        return;
      case "MatchMapping":
        for (const k of p.keys) expr(k, s);
        for (const q of p.patterns) pattern(q, s);
        if (p.rest !== null) s.bind(p.rest);
        return;
      case "MatchClass":
        expr(p.cls, s);
        for (const q of p.patterns) pattern(q, s);
        for (const q of p.kwdPatterns) pattern(q, s);
        return;
      case "MatchStar":
        if (p.name !== null) s.bind(p.name);
        return;
      case "MatchAs":
        if (p.pattern) pattern(p.pattern, s);
        if (p.name !== null) s.bind(p.name);
        return;
    }
  }
  function parameters(a: Arguments, s: Scope): void {
    for (const p of [...a.posonly, ...a.args, ...a.kwonly]) opt(p.default, s);
  }
  function bindParameters(a: Arguments, inner: Scope): void {
    for (const p of [...a.posonly, ...a.args, ...a.kwonly]) inner.bind(p.name).annotation = p.annotation;
    for (const p of [a.vararg, a.kwarg]) if (p) inner.bind(p.name);
  }
  function opt(e: Expr | null, s: Scope): void {
    if (e) expr(e, s);
  }
  function comprehension(
    node: Node,
    kind: "function" | "comprehension",
    gens: readonly Comprehension[],
    elts: readonly Expr[],
    s: Scope,
  ): void {
    // The outermost iterable is evaluated outside, as in Python.
    expr(gens[0]!.iter, s);
    const inner = open(kind, node, s, kind === "function");
    gens.forEach((g, i) => {
      if (i > 0) expr(g.iter, inner);
      target(g.target, inner);
      for (const c of g.ifs) expr(c, inner);
    });
    for (const e of elts) expr(e, inner);
  }
  function expr(e: Expr, s: Scope): void {
    switch (e.kind) {
      case "Name":
        s.uses.add(e.id);
        hasIterators ||= e.id === "map" || e.id === "filter";
        return;
      case "Constant":
        return;
      case "Call":
        hasFactories ||= hasFactory(e);
        for (const c of children(e)) expr(c, s);
        return;
      case "NamedExpr": {
        hasWalrus = true;
        expr(e.value, s);
        // Binds in the function around the comprehensions (PEP 572).
        let f = s;
        while (f.parent && (f.kind === "comprehension" || f.generator)) f = f.parent;
        f.bind(e.target.id);
        s.uses.add(e.target.id);
        return;
      }
      case "Lambda": {
        parameters(e.args, s);
        const inner = open("function", e, s);
        bindParameters(e.args, inner);
        expr(e.body, inner);
        return;
      }
      case "ListComp":
      case "SetComp":
        comprehension(e, "comprehension", e.generators, [e.elt], s);
        return;
      case "DictComp":
        comprehension(e, "comprehension", e.generators, [e.key, e.value], s);
        return;
      case "GeneratorExp":
        hasIterators = true;
        comprehension(e, "function", e.generators, [e.elt], s);
        return;
      default:
        for (const c of children(e)) expr(c, s);
    }
  }
}

/** Direct sub-expressions, in evaluation order; not into the scopes that lambdas and comprehensions open. */
export function children(e: Expr): readonly Expr[] {
  switch (e.kind) {
    case "BoolOp":
      return e.values;
    case "NamedExpr":
      return [e.value];
    case "BinOp":
      return [e.left, e.right];
    case "UnaryOp":
      return [e.operand];
    case "IfExp":
      return [e.test, e.body, e.orelse];
    case "Dict":
      return e.keys.flatMap((k, i) => (k ? [k, e.values[i]!] : [e.values[i]!]));
    case "Set":
    case "List":
    case "Tuple":
      return e.elts;
    case "Compare":
      return [e.left, ...e.comparators];
    case "Call":
      return [e.func, ...e.args, ...e.keywords.map((k) => k.value)];
    case "JoinedStr":
      return e.values.flatMap((v) => (v.kind === "FormattedValue" ? [v.value, ...(v.spec ? [v.spec] : [])] : []));
    case "Attribute":
      return [e.value];
    case "Subscript":
      return [e.value, e.slice];
    case "Starred":
      return [e.value];
    case "Slice":
      return [e.lower, e.upper, e.step].filter((x): x is Expr => x !== null);
    case "Name":
    case "Constant":
    case "Lambda":
    case "ListComp":
    case "SetComp":
    case "DictComp":
    case "GeneratorExp":
      return [];
  }
}
