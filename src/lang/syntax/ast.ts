/**
 * The syntax tree. Node names and fields are those of CPython's `ast` module, so that a test can lay
 * our tree beside CPython's; every node carries its span.
 *
 * Pure data, JSON-able but for `bigint` constants. What DKE refuses by tokens alone never gets here.
 */

import type { Bytes, Complex, Float } from "../../datum";
import type { Span } from "../../diagnostic";

export interface Node {
  readonly span: Span;
}

// ---- module ---------------------------------------------------------------------------------------------------
export interface Module extends Node {
  readonly kind: "Module";
  readonly body: readonly Stmt[];
  /** The first-line declaration `# dke: …`, as written, or null. Checked by `header.ts`. */
  readonly header: Header | null;
}
export interface Header {
  readonly edition: string | null; // "python"
  readonly editionVersion: string | null; // "1"
  readonly language: string | null; // "eng"
  readonly languageVersion: string | null;
}

// ---- statements -----------------------------------------------------------------------------------------------
export type Stmt =
  | FunctionDef
  | ClassDef
  | Return
  | Delete
  | Assign
  | AugAssign
  | AnnAssign
  | For
  | If
  | With
  | Match
  | Raise
  | Try
  | Assert
  | Import
  | ImportFrom
  | ExprStmt
  | Pass
  | Break
  | Continue;

export interface FunctionDef extends Node {
  readonly kind: "FunctionDef";
  readonly name: string;
  readonly nameSpan: Span;
  readonly args: Arguments;
  readonly body: readonly Stmt[];
  readonly decorators: readonly Expr[]; // `@rule`, `@constraint`, `@computed` only; others are refused by the parser
  readonly returns: Expr | null;
}
export interface ClassDef extends Node {
  readonly kind: "ClassDef";
  readonly name: string;
  readonly nameSpan: Span;
  /** Docstring, `name: type` lines (AnnAssign without value), `pass`, `@computed` functions. Others are refused by the parser. */
  readonly body: readonly Stmt[];
}
export interface Return extends Node {
  readonly kind: "Return";
  readonly value: Expr | null;
}
export interface Delete extends Node {
  readonly kind: "Delete";
  readonly targets: readonly Expr[];
}
export interface Assign extends Node {
  readonly kind: "Assign";
  readonly targets: readonly Expr[];
  readonly value: Expr;
}
export interface AugAssign extends Node {
  readonly kind: "AugAssign";
  readonly target: Name | Attribute | Subscript;
  readonly op: BinaryOp;
  readonly value: Expr;
}
export interface AnnAssign extends Node {
  readonly kind: "AnnAssign";
  readonly target: Name | Attribute | Subscript;
  readonly annotation: Expr;
  readonly value: Expr | null;
  readonly simple: boolean;
}
export interface For extends Node {
  readonly kind: "For";
  readonly target: Expr;
  readonly iter: Expr;
  readonly body: readonly Stmt[];
  readonly orelse: readonly Stmt[];
}
export interface If extends Node {
  readonly kind: "If";
  readonly test: Expr;
  readonly body: readonly Stmt[];
  readonly orelse: readonly Stmt[];
}
export interface With extends Node {
  readonly kind: "With";
  readonly items: readonly WithItem[];
  readonly body: readonly Stmt[];
}
export interface WithItem extends Node {
  readonly context: Expr;
  readonly target: Expr | null;
}
export interface Match extends Node {
  readonly kind: "Match";
  readonly subject: Expr;
  readonly cases: readonly MatchCase[];
}
export interface MatchCase extends Node {
  readonly pattern: Pattern;
  readonly guard: Expr | null;
  readonly body: readonly Stmt[];
}
export interface Raise extends Node {
  readonly kind: "Raise";
  readonly exc: Expr | null;
  readonly cause: Expr | null;
}
export interface Try extends Node {
  readonly kind: "Try";
  readonly body: readonly Stmt[];
  readonly handlers: readonly ExceptHandler[];
  readonly orelse: readonly Stmt[];
  readonly finalbody: readonly Stmt[];
}
export interface ExceptHandler extends Node {
  readonly type: Expr | null;
  readonly name: string | null;
  readonly body: readonly Stmt[];
}
export interface Assert extends Node {
  readonly kind: "Assert";
  readonly test: Expr;
  readonly msg: Expr | null;
}
export interface Import extends Node {
  readonly kind: "Import";
  readonly names: readonly Alias[];
}
export interface ImportFrom extends Node {
  readonly kind: "ImportFrom";
  readonly module: string;
  readonly names: readonly Alias[];
}
export interface Alias extends Node {
  readonly name: string;
  readonly asname: string | null;
}
export interface ExprStmt extends Node {
  readonly kind: "Expr";
  readonly value: Expr;
}
export interface Pass extends Node {
  readonly kind: "Pass";
}
export interface Break extends Node {
  readonly kind: "Break";
}
export interface Continue extends Node {
  readonly kind: "Continue";
}

// ---- parameters -----------------------------------------------------------------------------------------------
export interface Arguments {
  readonly posonly: readonly Param[];
  readonly args: readonly Param[];
  readonly vararg: Param | null;
  readonly kwonly: readonly Param[];
  readonly kwarg: Param | null;
}
export interface Param extends Node {
  readonly name: string;
  readonly annotation: Expr | null;
  readonly default: Expr | null;
  /** The parameter as written in the source (`to: string = "x"`), for `list(target=scripts)`. */
  readonly text: string;
}

// ---- expressions ----------------------------------------------------------------------------------------------
export type Expr =
  | BoolOp
  | NamedExpr
  | BinOp
  | UnaryOp
  | Lambda
  | IfExp
  | Dict
  | SetExpr
  | ListComp
  | SetComp
  | DictComp
  | GeneratorExp
  | Compare
  | Call
  | JoinedStr
  | Constant
  | Attribute
  | Subscript
  | Starred
  | Name
  | List
  | Tuple
  | Slice;

export type BinaryOp = "+" | "-" | "*" | "/" | "//" | "%" | "**" | "<<" | ">>" | "|" | "^" | "&";
export type UnaryOperator = "not" | "-" | "+" | "~";
export type CompareOp = "==" | "!=" | "<" | "<=" | ">" | ">=" | "is" | "is not" | "in" | "not in";

export interface BoolOp extends Node {
  readonly kind: "BoolOp";
  readonly op: "and" | "or";
  readonly values: readonly Expr[];
}
export interface NamedExpr extends Node {
  readonly kind: "NamedExpr";
  readonly target: Name;
  readonly value: Expr;
}
export interface BinOp extends Node {
  readonly kind: "BinOp";
  readonly left: Expr;
  readonly op: BinaryOp;
  readonly right: Expr;
}
export interface UnaryOp extends Node {
  readonly kind: "UnaryOp";
  readonly op: UnaryOperator;
  readonly operand: Expr;
}
export interface Lambda extends Node {
  readonly kind: "Lambda";
  readonly args: Arguments;
  readonly body: Expr;
}
export interface IfExp extends Node {
  readonly kind: "IfExp";
  readonly test: Expr;
  readonly body: Expr;
  readonly orelse: Expr;
}
/** `keys[i]` null marks `**values[i]`. */
export interface Dict extends Node {
  readonly kind: "Dict";
  readonly keys: readonly (Expr | null)[];
  readonly values: readonly Expr[];
}
export interface SetExpr extends Node {
  readonly kind: "Set";
  readonly elts: readonly Expr[];
}
export interface ListComp extends Node {
  readonly kind: "ListComp";
  readonly elt: Expr;
  readonly generators: readonly Comprehension[];
}
export interface SetComp extends Node {
  readonly kind: "SetComp";
  readonly elt: Expr;
  readonly generators: readonly Comprehension[];
}
export interface DictComp extends Node {
  readonly kind: "DictComp";
  readonly key: Expr;
  readonly value: Expr;
  readonly generators: readonly Comprehension[];
}
export interface GeneratorExp extends Node {
  readonly kind: "GeneratorExp";
  readonly elt: Expr;
  readonly generators: readonly Comprehension[];
}
export interface Comprehension extends Node {
  readonly target: Expr;
  readonly iter: Expr;
  readonly ifs: readonly Expr[];
}
export interface Compare extends Node {
  readonly kind: "Compare";
  readonly left: Expr;
  readonly ops: readonly CompareOp[];
  readonly comparators: readonly Expr[];
}
export interface Call extends Node {
  readonly kind: "Call";
  readonly func: Expr;
  readonly args: readonly Expr[];
  readonly keywords: readonly Keyword[];
}
/** `arg` null marks `**value`. */
export interface Keyword extends Node {
  readonly arg: string | null;
  readonly value: Expr;
}
/** An f-string, implicit concatenation already joined: text parts are `Constant` strings. */
export interface JoinedStr extends Node {
  readonly kind: "JoinedStr";
  readonly values: readonly (Constant | FormattedValue)[];
}
export interface FormattedValue extends Node {
  readonly kind: "FormattedValue";
  readonly value: Expr;
  readonly conversion: "s" | "r" | "a" | null;
  readonly spec: JoinedStr | null;
}
export interface Constant extends Node {
  readonly kind: "Constant";
  /** `undefined` stands for `...` (Ellipsis). */
  readonly value: null | boolean | number | bigint | string | Float | Complex | Bytes | undefined;
}
export interface Attribute extends Node {
  readonly kind: "Attribute";
  readonly value: Expr;
  readonly attr: string;
  readonly attrSpan: Span;
}
export interface Subscript extends Node {
  readonly kind: "Subscript";
  readonly value: Expr;
  readonly slice: Expr;
}
export interface Starred extends Node {
  readonly kind: "Starred";
  readonly value: Expr;
}
export interface Name extends Node {
  readonly kind: "Name";
  readonly id: string;
}
export interface List extends Node {
  readonly kind: "List";
  readonly elts: readonly Expr[];
}
export interface Tuple extends Node {
  readonly kind: "Tuple";
  readonly elts: readonly Expr[];
}
export interface Slice extends Node {
  readonly kind: "Slice";
  readonly lower: Expr | null;
  readonly upper: Expr | null;
  readonly step: Expr | null;
}

// ---- patterns -------------------------------------------------------------------------------------------------
export type Pattern = MatchValue | MatchSingleton | MatchSequence | MatchMapping | MatchClass | MatchStar | MatchAs | MatchOr;
export interface MatchValue extends Node {
  readonly kind: "MatchValue";
  readonly value: Expr;
}
export interface MatchSingleton extends Node {
  readonly kind: "MatchSingleton";
  readonly value: null | boolean;
}
export interface MatchSequence extends Node {
  readonly kind: "MatchSequence";
  readonly patterns: readonly Pattern[];
}
export interface MatchMapping extends Node {
  readonly kind: "MatchMapping";
  readonly keys: readonly Expr[];
  readonly patterns: readonly Pattern[];
  readonly rest: string | null;
}
export interface MatchClass extends Node {
  readonly kind: "MatchClass";
  readonly cls: Expr;
  readonly patterns: readonly Pattern[];
  readonly kwdAttrs: readonly string[];
  readonly kwdPatterns: readonly Pattern[];
}
export interface MatchStar extends Node {
  readonly kind: "MatchStar";
  readonly name: string | null;
}
export interface MatchAs extends Node {
  readonly kind: "MatchAs";
  readonly pattern: Pattern | null;
  readonly name: string | null;
}
export interface MatchOr extends Node {
  readonly kind: "MatchOr";
  readonly patterns: readonly Pattern[];
}
