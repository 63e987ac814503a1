/**
 * The intermediate form: what a source becomes, what a store keeps of a module, what the machine builds closures from.
 *
 * JSON-able plain data; no source text, no comments, names only where a message or a transcript needs them. Names are
 * resolved to slots of a frame, Kinds to their qualified names, verbs and builtins to themselves. *Suspending* work
 * (calls of functions that may be ours, comprehension loops, imports) has been lifted out of expressions into steps of
 * its own, in evaluation order, so that an expression never suspends (`lower-expression.ts`).
 *
 * A frame is an array. Slot 0 holds the globals frame of the module the code belongs to (the top-level frame of a
 * module is its own globals frame), slots from `FIRST_SLOT` hold parameters, locals, temporaries and the saved
 * positions of blocks and loops.
 */

/** Bumped whenever the meaning of the form changes; a stored form of another number is compiled afresh by its owner. */
export const FORM_VERSION = 1;
export const FIRST_SLOT = 1;

// ---- expressions ------------------------------------------------------------------------------------------------
export type IrExpr =
  | { k: "const"; v: null | boolean | number | string }
  | { k: "big"; v: string }
  /** `v` is a number, or "inf" for a literal past the range. */
  | { k: "float"; v: number | "inf" }
  | { k: "imag"; v: number | "inf" }
  | { k: "bytes"; v: string } // hex
  | { k: "ellipsis" }
  /** A name of this frame; raises UnboundLocalError (NameError at top level) while unbound. */
  | { k: "local"; i: number; n: string }
  /** A slot that is always bound when read. */
  | { k: "temp"; i: number }
  /** A name that an inner function captures: the slot holds a Cell. `free`: the cell belongs to an outer function. */
  | { k: "cell"; i: number; n: string; free: boolean }
  | { k: "global"; i: number; n: string }
  | { k: "builtin"; n: string }
  /** A member of a served library module. */
  | { k: "member"; m: string; n: string }
  /** A script of an imported module; `e` gives the module. */
  | { k: "script"; e: IrExpr; m: string; n: string }
  | { k: "bin"; op: string; a: IrExpr; b: IrExpr }
  | { k: "inplace"; op: string; a: IrExpr; b: IrExpr }
  | { k: "un"; op: string; a: IrExpr }
  | { k: "not"; a: IrExpr }
  /** Chained comparison; `ops.length === es.length - 1`. */
  | { k: "cmp"; ops: string[]; es: IrExpr[] }
  | { k: "and"; es: IrExpr[] }
  | { k: "or"; es: IrExpr[] }
  | { k: "cond"; c: IrExpr; a: IrExpr; b: IrExpr }
  | { k: "list" | "tuple"; es: IrItem[] }
  /**
   * `constants`: every element is a constant after folding, and CPython makes the set at compile time: in a display of
   * three or more, or (`walked`) where a loop walks it. `names`: those of its texts that are identifiers of the source.
   */
  | { k: "set"; es: IrItem[]; constants?: "display" | "walked"; names?: string[] }
  /** Pairs; a null key marks `**value`. */
  | { k: "dict"; es: [IrExpr | null, IrExpr, "taken"?][] }
  /** The elements of `*e`, or the pairs of `**e`, taken at once where later operands lift steps; `callee`: for complaints. */
  | { k: "unpack"; as: "list" | "dict" | "keywords"; e: IrExpr; callee?: IrExpr }
  | { k: "slice"; a: IrExpr | null; b: IrExpr | null; c: IrExpr | null }
  | { k: "index"; a: IrExpr; b: IrExpr }
  | { k: "attr"; a: IrExpr; n: string }
  /** `a`, once it is sure that it has the attribute: a method is looked up before steps that its arguments lift. */
  | { k: "having"; a: IrExpr; n: string }
  /** A call that cannot suspend: a builtin by name, a library member, a method of a value. */
  | { k: "native"; f: IrExpr; args: IrItem[]; kw: IrKeyword[] }
  | { k: "method"; a: IrExpr; n: string; args: IrItem[]; kw: IrKeyword[] }
  | { k: "print"; args: IrItem[]; kw: IrKeyword[]; line: number }
  | { k: "fstring"; parts: IrFormat[] }
  | { k: "function"; c: number; defaults: (IrExpr | null)[] }
  /** A generator expression: code `c`, its outermost iterable. */
  | { k: "generator"; c: number; iter: IrExpr }
  /** `:=` of a name; gives the value. */
  | { k: "walrus"; to: IrTarget; e: IrExpr }
  | { k: "subject"; kind: string; e: IrExpr }
  /** A plain read of a cell, or of an attribute where the base turns out to be no subject. */
  | { k: "read"; addr: IrAddress }
  | { k: "verb"; n: string; addr: IrAddress | null; args: IrItem[]; kw: IrKeyword[] };

/** An element or argument; `star` unpacks it. `taken`: what an `unpack` took, whose ops are counted. */
export interface IrItem {
  e: IrExpr;
  star?: true;
  taken?: true;
}
/** A keyword argument; a null name unpacks a mapping. */
export interface IrKeyword {
  n: string | null;
  e: IrExpr;
  taken?: true;
}
/** Text, or a field: value, conversion, spec. `done`: a text that fields before a lifted step were made into. */
export type IrFormat = string | { e: IrExpr; c: "s" | "r" | "a" | null; spec: IrFormat[] | null; done?: true };

/** Where a verb points. A cell's `subject` gives a Subject; its field is a text or an expression that gives one. */
export type IrAddress =
  | { a: "cell"; subject: IrExpr; field: string | IrExpr }
  | { a: "field"; kind: string; field: string }
  | { a: "subject"; subject: IrExpr }
  | { a: "kind"; kind: string }
  /** `Kind.x`: a field or a subject, whichever holds data (rulings, "Range forget and ambiguous addresses"). */
  | { a: "either"; kind: string; name: string };

// ---- targets ----------------------------------------------------------------------------------------------------
export type IrTarget =
  | { k: "local" | "cell" | "global"; i: number; n: string; free?: boolean }
  | { k: "index"; a: IrExpr; b: IrExpr }
  /** Unpacking; `star` is the index of the starred target, or -1. */
  | { k: "unpack"; ts: IrTarget[]; star: number };

// ---- steps ------------------------------------------------------------------------------------------------------
/** `line` > 0 marks a statement of the source: the machine may stop before it. Lifted steps carry none. */
export interface IrBlock {
  b: IrStep[];
  pc: number;
}
export type IrStep = { line?: number } & (
  | { k: "seq"; b: IrBlock }
  | { k: "expr"; e: IrExpr }
  /** `names`: what the transcript records, in order, once the targets are bound. */
  | { k: "set"; ts: IrTarget[]; e: IrExpr; names: IrTarget[] }
  | { k: "temp"; i: number; e: IrExpr }
  /** A call that may suspend; the callee's frame is kept in `fs` while it does. */
  | { k: "call"; i: number; fs: number; f: IrExpr; args: IrItem[]; kw: IrKeyword[] }
  /**
   * A native operation that may run code of ours: a call given a callback or a generator, `in`, `+=`, a subscript. What it
   * has begun is kept in `fs` while it waits.
   */
  | { k: "consume"; i: number; fs: number; e: IrExpr | IrDrained }
  | { k: "if"; c: IrExpr; a: IrBlock; b: IrBlock | null }
  /** `comp`: a comprehension's loop, which has no statement of its own to stop at. `is`: iterator state, two slots. */
  | { k: "for"; to: IrTarget; e: IrExpr; a: IrBlock; b: IrBlock | null; is: number; comp?: true }
  /** What a comprehension keeps. */
  | { k: "keep"; i: number; e: IrExpr; key?: IrExpr; as: "list" | "set" | "dict" }
  | { k: "break" }
  | { k: "continue" }
  | { k: "pass" }
  | { k: "return"; e: IrExpr | null }
  | { k: "yield"; e: IrExpr }
  | { k: "raise"; e: IrExpr | null; cause: IrExpr | null }
  | { k: "assert"; c: IrExpr; msg: IrBlockExpr | null }
  /** `s`: state slots (4). Handlers in order; a null type catches all. `bind` is unbound again at the end. */
  | { k: "try"; a: IrBlock; hs: IrHandler[]; orelse: IrBlock | null; fin: IrBlock | null; s: number }
  | { k: "with"; what: "branch" | "world"; name: IrExpr | null; a: IrBlock; s: number }
  | { k: "match"; e: IrExpr; cases: IrCase[]; s: number }
  | { k: "del"; t: IrTarget }
  | { k: "newcell"; i: number }
  /** Runs the module's body the first time in a call; binds the module to `to` where given. */
  | { k: "import"; m: string; form: string; to: IrTarget | null; fs: number }
  | { k: "library"; m: string; to: IrTarget | null; names: [string, IrTarget][] }
);
/** Of an iterator that runs code of ours an iterator over its elements, or over the first `most`; any other value as it is. */
export interface IrDrained {
  k: "drained";
  e: IrExpr;
  most: number | null;
}
/** An expression with the steps that must run before it, for places reached only sometimes. */
export interface IrBlockExpr {
  pre: IrBlock | null;
  e: IrExpr;
}
export interface IrHandler {
  type: IrExpr | null;
  bind: IrTarget | null;
  a: IrBlock;
}
export interface IrCase {
  p: IrPattern;
  guard: IrBlockExpr | null;
  a: IrBlock;
}
export type IrPattern =
  | { k: "value"; e: IrExpr }
  | { k: "is"; v: null | boolean }
  | { k: "seq"; ps: IrPattern[]; star: number }
  | { k: "star"; to: IrTarget | null }
  | { k: "map"; keys: IrExpr[]; ps: IrPattern[]; rest: IrTarget | null }
  | { k: "class"; e: IrExpr; ps: IrPattern[]; names: string[]; nps: IrPattern[] }
  | { k: "as"; p: IrPattern | null; to: IrTarget | null }
  | { k: "or"; ps: IrPattern[] };

// ---- code and modules -------------------------------------------------------------------------------------------
export interface IrParams {
  posonly: string[];
  args: string[];
  vararg: string | null;
  kwonly: string[];
  kwarg: string | null;
}
/** What a caller of a stored script has to know of it. */
export interface ScriptParams extends IrParams {
  /** How many positional ones have no default. */
  required: number;
  /** The outer types of annotated parameters, as written; absent in what was compiled before they were kept. */
  types?: { [name: string]: string[] };
}
export interface IrCode {
  /** `__name__`: the def's name, `<lambda>`, `<genexpr>`, `<module>`. */
  name: string;
  /** `__qualname__` where it is another: `f.<locals>.g`. */
  qualname?: string;
  params: IrParams;
  /** Slot of each parameter, in the order posonly, args, vararg, kwonly, kwarg. */
  paramSlots: number[];
  /** Slots that hold cells made on entry (a parameter's value moves into its cell). */
  cells: number[];
  /** Slots filled from the defining frame: `[own slot, outer slot]`. */
  free: [number, number][];
  slots: number;
  body: IrBlock;
}

/** A compiled source: `codes[0]` is its top level. */
export interface IrUnit {
  version: number;
  codes: IrCode[];
  /** Top-level `def`s by name → slot of the globals frame. */
  scripts: { [name: string]: number };
}
