/**
 * The face of the compiler: a source in, a compiled unit or all its diagnostics out.
 *
 * Passes, each reporting all it finds: parse; imports; declarations (classes, then rules and constraints); lowering with
 * the checks of names, arity, fields and certain types; recursion. A later pass runs only if what it stands on is sound.
 *
 * A long source takes a tenth of a second and more: whoever has others waiting takes it piece by piece.
 */

import type { Diagnostic, Note } from "../../diagnostic";
import type { KindDeclaration } from "../../engine/claim";
import type { Constraint, Rule } from "../../engine/rule";
import { SOURCE_PIECE_LINES } from "../../limits";
import { parameterTypes } from "../check/argument-types";
import { BoundSoFar } from "../check/bound-so-far";
import type { Environment } from "../check/environment";
import { Names } from "../check/names";
import { refuseRecursion } from "../check/recursion";
import { Report } from "../check/report";
import { buildScopes, isDeclaration, type ScopeTree } from "../check/scope";
import { parameterList } from "../check/types";
import { VERBS } from "../check/verbs";
import type { FunctionDef, Module, Stmt } from "../syntax/ast";
import { parseModule } from "../syntax/parser";
import { type CallEdge, type Cx, Fn, NO_PARAMS, type Unit } from "./context";
import { declareAll } from "./declarations";
import { bindImports } from "./imports";
import { FORM_VERSION, type IrCode, type IrStep, type IrUnit, type ScriptParams } from "./ir";
import { closeCode } from "./lower-function";
import { builtinAgain, lowerStatement } from "./lower-statement";
import { BUILTIN_NAMES } from "./served";

export interface CompiledScript {
  readonly name: string;
  /** Parameters as written: `id: int, payload: string, *, dry_run: bool`. */
  readonly signature: string;
  readonly params: ScriptParams;
}

export interface Compiled {
  readonly unit: IrUnit;
  readonly kinds: readonly KindDeclaration[];
  readonly rules: readonly Rule[];
  readonly constraints: readonly Constraint[];
  readonly scripts: readonly CompiledScript[];
  /** Stored modules imported directly, in source order, by name → form. */
  readonly links: ReadonlyMap<string, string>;
  /** What it names of other modules: `module.Kind`, `module.Kind.field`, `module.script`, ascending. */
  readonly uses: readonly string[];
  readonly notes: readonly Note[];
  /** How this source spells a Kind: qualified name → the name an address of it begins with. */
  readonly spelling: ReadonlyMap<string, string>;
}

export type CompileResult =
  | { readonly ok: true; readonly compiled: Compiled }
  | { readonly ok: false; readonly status: "parse_error" | "type_error"; readonly diagnostics: readonly Diagnostic[] }
  | Declined;

/** A program that declares or is empty, a name that means several things: a refusal of the call (rulings, "Three refuse reasons"). */
interface Declined {
  readonly ok: false;
  readonly status: "out_of_surface" | "incomplete_slots" | "ambiguous";
  readonly message: string;
  readonly line: number;
  readonly hint: string | null;
}

export interface CompileOptions {
  readonly mode: "run" | "compile";
  /** The module's name; "" in a run. */
  readonly module: string;
  readonly environment: Environment;
}

export function compileSource(source: string, options: CompileOptions): CompileResult {
  const work = compiling(source, options);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** Pauses between pieces of the work; nothing is changed before it has ended. */
export function* compiling(source: string, options: CompileOptions): Generator<void, CompileResult, void> {
  const parsed = parseModule(source);
  if (!parsed.module || parsed.diagnostics.length > 0) return { ok: false, status: "parse_error", diagnostics: parsed.diagnostics };
  const module = parsed.module;
  if (options.mode === "run") {
    const declined = declineProgram(module);
    if (declined) return declined;
  }
  const isLong = module.span.endLine > SOURCE_PIECE_LINES;
  if (isLong) yield;
  const tree = buildScopes(module);
  if (isLong) yield;
  const names = new Names(
    options.module,
    tree.top,
    options.environment,
    (n) => BUILTIN_NAMES.has(n),
    (n) => VERBS.has(n),
  );
  const report = new Report();
  const direct = bindImports(module, names, tree, report);
  const declared = declareAll(module, names, report);
  const unit = yield* lowering(module, options, tree, names, report);
  if (isLong) yield;
  if (!report.failed) refuseRecursion(tree, unit.calls, report);
  if (report.failed) {
    const diagnostics = report.diagnostics();
    return (
      declineAmbiguous(diagnostics) ?? {
        ok: false,
        status: diagnostics.some((d) => d.class === "parse_error") ? "parse_error" : "type_error",
        diagnostics,
      }
    );
  }
  noteBareKinds(unit, direct);
  const links = new Map<string, string>();
  for (const n of direct) links.set(n, options.environment.module(n)!.form);
  return {
    ok: true,
    compiled: {
      unit: { version: FORM_VERSION, codes: unit.codes as IrCode[], scripts: scriptSlots(module, unit) },
      ...declared,
      scripts: scriptsOf(module),
      links,
      uses: [...unit.uses].sort(),
      notes: [...report.notes].sort((a, b) => a.line - b.line || a.col - b.col),
      spelling: spellings(names),
    },
  };
}

/** The first name that means several things, in a source without another fault. */
function declineAmbiguous(diagnostics: readonly Diagnostic[]): Declined | null {
  const { choices, message, line } = diagnostics[0]!;
  if (choices === undefined || diagnostics.some((d) => d.choices === undefined)) return null;
  return { ok: false, status: "ambiguous", line, message, hint: choices.join(", ") };
}

/** A run has no parameters and makes no definitions; contract §4.2. */
function declineProgram(module: Module): Declined | null {
  if (module.body.length === 0)
    return {
      ok: false,
      status: "incomplete_slots",
      line: 1,
      message: "The source has no statements: there is nothing to execute. Write at least one, as `print(1)`.",
      hint: null,
    };
  for (const s of module.body) {
    const what = declaredBy(s);
    if (what !== null)
      return {
        ok: false,
        status: "out_of_surface",
        line: s.span.line,
        message: `A program does not declare: ${what} belongs in a module. Send the source to \`compile\` with a name, then \`import\` that name here.`,
        hint: null,
      };
  }
  const ret = module.body.flatMap(returns)[0];
  if (ret)
    return {
      ok: false,
      status: "out_of_surface",
      line: ret.span.line,
      message:
        "A program does not `return`: print the value, or bind it to a name and read it in the transcript. A script that returns is compiled with `compile`.",
      hint: null,
    };
  return null;
}
function declaredBy(s: Stmt): string | null {
  if (s.kind === "ClassDef") return `\`class ${s.name}\``;
  if (s.kind !== "FunctionDef") return null;
  const d = s.decorators[0];
  return d?.kind === "Name" ? `\`@${d.id}\` \`${s.name}\`` : `\`def ${s.name}\``;
}
/** `return` at the top level, in blocks too. */
function returns(s: Stmt): Stmt[] {
  switch (s.kind) {
    case "Return":
      return [s];
    case "If":
    case "For":
      return [...s.body, ...s.orelse].flatMap(returns);
    case "With":
      return s.body.flatMap(returns);
    case "Try":
      return [...s.body, ...s.handlers.flatMap((h) => h.body), ...s.orelse, ...s.finalbody].flatMap(returns);
    case "Match":
      return s.cases.flatMap((c) => c.body).flatMap(returns);
    default:
      return [];
  }
}

function* lowering(module: Module, options: CompileOptions, tree: ScopeTree, names: Names, report: Report): Generator<void, Unit, void> {
  const top = new Fn(tree.top, null, "<module>");
  const unit: Unit = {
    mode: options.mode,
    moduleName: options.module,
    tree,
    names,
    report,
    codes: [null],
    top,
    calls: [] as CallEdge[],
    uses: new Set(),
    identifiers: once(() => identifiersOf(module)),
    bareWrites: [],
  };
  const steps: IrStep[] = [];
  const cx: Cx = { u: unit, f: top, s: tree.top, out: [], guarded: false, branches: 0, line: 1 };
  let pausedAt = 1;
  names.soFar = new BoundSoFar(tree.hasWalrus);
  for (const s of module.body) {
    if (s.span.line - pausedAt >= SOURCE_PIECE_LINES) {
      pausedAt = s.span.line;
      yield;
    }
    lowerStatement(cx, s, steps);
  }
  names.soFar = null;
  const hiding = [...tree.top.bindings.values()].filter((b) => names.isBuiltin(b.name));
  steps.unshift(...hiding.map((b) => builtinAgain(cx, b)));
  unit.codes[0] = closeCode(top, NO_PARAMS, [], steps);
  return unit;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
/** Every identifier of a tree: what its name-holding members hold. */
function identifiersOf(module: Module): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const x of node) walk(x);
      return;
    }
    if (typeof node !== "object" || node === null) return;
    for (const [member, x] of Object.entries(node)) {
      if (typeof x !== "string") walk(x);
      else if (IDENTIFIER_MEMBERS.has(member)) found.add(x);
    }
  };
  walk(module.body);
  return found;
}
const IDENTIFIER_MEMBERS: ReadonlySet<string> = new Set(["id", "name", "attr", "arg", "asname", "module", "rest"]);

function topDefs(module: Module): FunctionDef[] {
  const last = new Map<string, FunctionDef>();
  for (const s of module.body) if (s.kind === "FunctionDef" && !isDeclaration(s)) last.set(s.name, s);
  return [...last.values()];
}
function scriptSlots(module: Module, unit: Unit): { [name: string]: number } {
  // Entries, since a script may be named `__proto__`.
  return Object.fromEntries(topDefs(module).map((d) => [d.name, unit.top.slotOf(unit.tree.top.find(d.name)!)]));
}
function scriptsOf(module: Module): CompiledScript[] {
  return topDefs(module).map((d) => {
    const a = d.args;
    const positional = [...a.posonly, ...a.args];
    return {
      name: d.name,
      signature: parameterList({
        posonly: a.posonly.map((p) => p.text),
        args: a.args.map((p) => p.text),
        vararg: a.vararg?.text.replace(/^\*/, "") ?? null,
        kwonly: a.kwonly.map((p) => p.text),
        kwarg: a.kwarg?.text.replace(/^\*\*/, "") ?? null,
      }),
      params: {
        posonly: a.posonly.map((p) => p.name),
        args: a.args.map((p) => p.name),
        vararg: a.vararg?.name ?? null,
        kwonly: a.kwonly.map((p) => p.name),
        kwarg: a.kwarg?.name ?? null,
        required: positional.filter((p) => p.default === null).length,
        types: parameterTypes(a),
      },
    };
  });
}

/** A write to a bare kind that a stored module declares and this source does not import (contract §5, `notes[]`). */
function noteBareKinds(unit: Unit, direct: readonly string[]): void {
  for (const w of unit.bareWrites) {
    const owner = unit.names.environment.declarers(w.kind).find((m) => !direct.includes(m) && m !== unit.moduleName);
    if (owner)
      unit.report.note(
        w.span,
        `this writes a kind of its own, \`${w.kind}\`, beside \`${owner}.${w.kind}\`, which module \`${owner}\` declares`,
        `\`import ${owner}\` first, if \`${owner}.${w.kind}\` is meant`,
      );
  }
}

function spellings(names: Names): ReadonlyMap<string, string> {
  const spelled = new Map<string, string>();
  for (const k of names.declared.values()) spelled.set(k.name, k.name.slice(names.module.length + 1));
  for (const m of names.opened)
    for (const k of m.kinds) {
      const bare = k.name.slice(m.name.length + 1);
      const meaning = names.meaning(bare, names.top, true);
      spelled.set(k.name, meaning.tag === "kind" && meaning.kind === k.name ? bare : k.name);
    }
  for (const [a, i] of names.imported) if (i.tag === "kind") spelled.set(i.kind.name, a.asname ?? a.name);
  return spelled;
}
