/**
 * What a bare name means (rulings, "What a bare name means"): a bound name, an imported one, a Kind this module
 * declares, a Kind exactly one directly imported module declares, a builtin or verb, last a bare kind of the store.
 *
 * Owns the imports of a source and the Kinds it declares; answers for the lowering and, as `KindNames`, for the
 * declarations. Says nothing of types.
 */
import type { Diagnostic } from "../../diagnostic";
import type { FieldType, KindDeclaration } from "../../engine/claim";
import type { KindNames } from "../declare/kind-names";
import type { Alias, Attribute, Expr, Name } from "../syntax/ast";
import type { BoundSoFar } from "./bound-so-far";
import type { Environment, StoredModule } from "./environment";
import type { Binding, Scope } from "./scope";
import { unknownName } from "./teaching-names";

/** What an import statement bound a name to. */
export type Imported =
  | { readonly tag: "stored"; readonly module: StoredModule }
  | { readonly tag: "absent"; readonly name: string }
  | { readonly tag: "library"; readonly name: string }
  | { readonly tag: "member"; readonly module: string; readonly member: string }
  | { readonly tag: "kind"; readonly kind: KindDeclaration };

export type Meaning =
  /** `early`: nothing has bound it when the statement runs that reads it. */
  | { readonly tag: "variable"; readonly binding: Binding; readonly early?: true }
  | { readonly tag: "import"; readonly binding: Binding; readonly imported: Imported }
  | { readonly tag: "kind"; readonly kind: string; readonly declaration: KindDeclaration | null }
  | { readonly tag: "ambiguous"; readonly kinds: readonly string[] }
  | { readonly tag: "builtin"; readonly name: string }
  | { readonly tag: "verb"; readonly name: string }
  | { readonly tag: "unknown"; readonly name: string };

export class Names implements KindNames {
  /** What each name of an import statement brings. */
  readonly imported = new Map<Alias, Imported>();
  /** The names of import statements that bind a variable. */
  readonly #aliases = new Map<Binding, Set<Alias>>();
  /** Names imported after a statement that may call a function, which then sees them unbound. */
  readonly lateImports = new Set<Binding>();
  /** Kinds of this source, bare name → declaration. */
  readonly declared = new Map<string, KindDeclaration>();
  /** Names of classes in this source, known before their declarations are made. */
  readonly classNames = new Set<string>();
  /** Fields that rules of this source conclude, "kind\0field". */
  readonly concludes = new Set<string>();
  /** While the statements of the top level are taken in turn: what may be bound as this one runs. */
  soFar: BoundSoFar | null = null;
  /** Stored modules imported directly with every Kind bare. */
  readonly opened: StoredModule[] = [];

  constructor(
    readonly module: string,
    readonly top: Scope,
    readonly environment: Environment,
    readonly isBuiltin: (name: string) => boolean,
    readonly isVerb: (name: string) => boolean,
  ) {}

  bindImport(alias: Alias, binding: Binding, imported: Imported): void {
    this.imported.set(alias, imported);
    const aliases = this.#aliases.get(binding);
    if (aliases === undefined) this.#aliases.set(binding, new Set([alias]));
    else aliases.add(alias);
  }

  /** Whether an import statement of the source binds the name. */
  isImported(name: string): boolean {
    const binding = this.top.bindings.get(name);
    return binding !== undefined && this.#aliases.has(binding);
  }

  #importsOf(binding: Binding): Imported[] {
    return [...(this.#aliases.get(binding) ?? [])].map((alias) => this.imported.get(alias)!);
  }

  /** What the name means throughout: every line that binds it imports that same thing. */
  #importOf(binding: Binding): Imported | null {
    const aliases = this.#aliases.get(binding);
    if (aliases === undefined) return null;
    const [first, ...others] = this.#importsOf(binding) as [Imported, ...Imported[]];
    // A Kind is no value, so nothing else that binds the name can be meant in its place.
    if (first.tag === "kind") return first;
    return aliases.size === binding.writes && others.every((other) => sameImport(first, other)) ? first : null;
  }

  #isEarly(binding: Binding, scope: Scope): boolean {
    return this.soFar !== null && binding.scope === this.top && scope.frame === this.top && !this.soFar.has(binding.name);
  }

  /** The meaning of `name` used in `scope`. `asKind`: it stands at the root of an address or in a Kind slot. */
  meaning(name: string, scope: Scope, asKind: boolean): Meaning {
    const binding = scope.find(name);
    if (binding) {
      const imported = this.#importOf(binding);
      if (imported?.tag === "kind") {
        const kinds = new Set(this.#importsOf(binding).flatMap((one) => (one.tag === "kind" ? [one.kind.name] : [])));
        if (kinds.size > 1) return { tag: "ambiguous", kinds: [...kinds].sort() };
        return { tag: "kind", kind: imported.kind.name, declaration: imported.kind };
      }
      if (this.#isEarly(binding, scope)) {
        // As in Python, a name hides the builtin or the verb from its first binding on.
        if (this.isVerb(name)) return { tag: "verb", name };
        return this.isBuiltin(name) ? { tag: "builtin", name } : { tag: "variable", binding, early: true };
      }
      const isLate = scope.frame !== this.top && this.lateImports.has(binding);
      if (isLate && (imported?.tag === "library" || imported?.tag === "member")) return { tag: "variable", binding };
      return imported ? { tag: "import", binding, imported } : { tag: "variable", binding };
    }
    if (this.classNames.has(name)) {
      const declaration = this.declared.get(name) ?? null;
      return { tag: "kind", kind: `${this.module}.${name}`, declaration };
    }
    const found = this.opened.flatMap((m) => m.kinds.filter((k) => k.name === `${m.name}.${name}`));
    if (found.length === 1) return { tag: "kind", kind: found[0]!.name, declaration: found[0]! };
    if (found.length > 1) return { tag: "ambiguous", kinds: found.map((k) => k.name).sort() };
    if (this.isVerb(name)) return { tag: "verb", name };
    if (this.isBuiltin(name)) return { tag: "builtin", name };
    if (asKind && isUpperInitial(name)) return { tag: "kind", kind: name, declaration: null };
    return { tag: "unknown", name };
  }

  /** The Kind that `e` names in a Kind slot, null where it names none; a problem where it cannot be settled. */
  kindOf(
    e: Expr,
    scope: Scope,
  ): { readonly name: string; readonly declaration: KindDeclaration | null } | { readonly problem: Diagnostic } | null {
    if (e.kind === "Name") {
      const m = this.meaning(e.id, scope, true);
      if (m.tag === "kind") return { name: m.kind, declaration: m.declaration };
      if (m.tag === "ambiguous")
        return {
          problem: {
            ...this.#problem(e, `\`${e.id}\` is declared by ${m.kinds.map((k) => `\`${k}\``).join(" and ")}: write which one you mean.`),
            choices: m.kinds,
          },
        };
      return null;
    }
    if (e.kind === "Attribute" && e.value.kind === "Name") {
      const m = this.meaning(e.value.id, scope, false);
      if (m.tag !== "import" || m.imported.tag !== "stored") {
        // Inside a module its own Kinds may be written qualified as well.
        if (m.tag === "unknown" && e.value.id === this.module && this.classNames.has(e.attr))
          return { name: `${this.module}.${e.attr}`, declaration: this.declared.get(e.attr) ?? null };
        return null;
      }
      const name = `${m.imported.module.name}.${e.attr}`;
      const kind = m.imported.module.kinds.find((k) => k.name === name);
      if (kind !== undefined) return { name, declaration: kind };
      return isUpperInitial(e.attr) && this.environment.isLeft(name) ? { name, declaration: null } : null;
    }
    return null;
  }

  #problem(e: Expr, message: string, fix?: string): Diagnostic {
    return { class: "type_error", line: e.span.line, col: e.span.col, message, ...(fix ? { fix, fixSpan: e.span } : {}) };
  }

  // ---- KindNames, for the declarations ---------------------------------------------------------------------------
  kind(
    e: Name | Attribute,
  ): { readonly name: string; readonly declaration: KindDeclaration | null } | { readonly problem: Diagnostic | null } {
    const k = this.kindOf(e, this.top);
    if (k) return k;
    const root = e.kind === "Attribute" ? e.value : e;
    if (root.kind === "Name") {
      const m = this.meaning(root.id, this.top, false);
      if (m.tag === "import" && m.imported.tag === "absent") return { problem: null };
    }
    if (e.kind === "Attribute") {
      const base = e.value.kind === "Name" ? e.value.id : "";
      return {
        problem: this.#problem(
          e,
          `\`${base}.${e.attr}\` is no Kind: \`import ${base}\` and name a class it declares, or declare \`class ${e.attr}:\` here.`,
        ),
      };
    }
    const t = unknownName(e.id);
    return {
      problem: this.#problem(
        e,
        t?.message ??
          `\`${e.id}\` is no Kind: a Kind is a \`class\` of this module or of an imported one, or a name that begins with an upper-case letter.`,
        t?.fix,
      ),
    };
  }
  concludedField(kind: string, field: string): boolean {
    return this.concludes.has(`${kind}\0${field}`) || this.environment.concluded(kind, field);
  }
  fieldType(kind: string, field: string): FieldType | null {
    return this.declaration(kind)?.fields.get(field) ?? null;
  }
  /** A declared Kind by its qualified name, of this source or of the store. */
  declaration(kind: string): KindDeclaration | null {
    const prefix = `${this.module}.`;
    if (this.module !== "" && kind.startsWith(prefix)) return this.declared.get(kind.slice(prefix.length)) ?? null;
    return this.environment.kind(kind) ?? null;
  }
}

function sameImport(a: Imported, b: Imported): boolean {
  if (a.tag === "stored") return b.tag === "stored" && a.module === b.module;
  if (a.tag === "member") return b.tag === "member" && a.module === b.module && a.member === b.member;
  if (a.tag === "kind") return b.tag === "kind" && a.kind.name === b.kind.name;
  return a.tag === b.tag && a.name === (b as typeof a).name;
}

/** Whether a name begins with an upper-case letter, as a Kind's does. */
export function isUpperInitial(name: string): boolean {
  const c = name.charCodeAt(0);
  return (c >= 65 && c <= 90) || (c > 127 && name[0] !== name[0]!.toLowerCase());
}
