/**
 * Which names of the top level may be bound as a statement of it runs, kept while its statements are taken in textual order.
 *
 * A name that is not among them is certainly unbound there: Python then finds the builtin of that name, or raises NameError.
 * Only loops run what stands further down before what stands above, so what a loop binds counts from its head on. Too many
 * names do no harm: such a read is settled as the line runs. Bodies of functions are not asked about; they run later.
 */
import type { Expr, Stmt } from "../syntax/ast";

export class BoundSoFar {
  readonly #names = new Set<string>();
  /** Statements entered and not left since one whose names were all taken at its head: what stands in it is taken already. */
  #inside = 0;
  /** Statements entered and not left. */
  #depth = 0;
  #loops = 0;
  /** Bound by a statement that stands in no block, and by no `del` unbound since. */
  readonly #certain = new Set<string>();

  /** @param hasWalrus  Whether an expression of the source may bind a name. */
  constructor(private readonly hasWalrus: boolean) {}

  has(name: string): boolean {
    return this.#names.has(name);
  }
  /** Certainly bound as this statement runs: one in a loop may have run before. */
  isCertain(name: string): boolean {
    return this.#loops === 0 && this.#certain.has(name);
  }
  /** Before a statement is taken: what its own head may bind before it reads. */
  enter(n: Stmt): void {
    this.#depth++;
    if (n.kind === "For") this.#loops++;
    if (this.#inside > 0) this.#inside++;
    else if (n.kind === "For" || n.kind === "Match" || n.kind === "Try") {
      this.#inside = 1;
      this.#bind(n);
    } else if (this.hasWalrus) for (const part of heads(n)) this.#bind(part);
  }
  /** After it: what it has bound. Statements in it have been entered and left themselves. */
  leave(n: Stmt): void {
    this.#depth--;
    if (n.kind === "For") this.#loops--;
    const bound = n.kind === "FunctionDef" ? [n.name] : boundBy(n as unknown as Bare);
    const deleted = n.kind === "Delete" ? n.targets.flatMap(targets) : [];
    if (this.#depth === 0 && n.kind !== "For" && n.kind !== "Try") {
      for (const name of bound) this.#certain.add(name);
      for (const name of deleted) this.#names.delete(name);
    }
    for (const name of deleted) this.#certain.delete(name);
    if (this.#inside > 0) this.#inside--;
    else for (const name of bound) this.#names.add(name);
  }

  /** All that a node of the tree binds in the frame it stands in. */
  #bind(node: unknown): void {
    if (Array.isArray(node)) {
      for (const inner of node) this.#bind(inner);
      return;
    }
    if (typeof node !== "object" || node === null) return;
    const n = node as Bare;
    if (n.kind === "FunctionDef") {
      this.#names.add(n["name"] as string);
      return;
    }
    if (n.kind === "Lambda" || n.kind === "ClassDef" || n.kind === "Constant" || n.kind === "Name" || "endCol" in n) return;
    for (const name of boundBy(n)) this.#names.add(name);
    for (const inner of Object.values(n)) this.#bind(inner);
  }
}

/** The expressions a statement reads before it binds: a `:=` in them binds first. */
function heads(n: Stmt): readonly unknown[] {
  switch (n.kind) {
    case "If":
      return [n.test];
    case "With":
      return n.items;
    case "Assign":
      return [n.value];
    case "AugAssign":
    case "AnnAssign":
      return [n.value, n.target.kind === "Name" ? null : n.target];
    case "Expr":
    case "Return":
      return [n.value];
    default:
      return n.kind === "FunctionDef" || n.kind === "ClassDef" || n.kind === "Import" || n.kind === "ImportFrom" ? [] : [n];
  }
}

/** A node of the tree, or an object that one holds. */
interface Bare {
  readonly kind?: string;
  readonly [member: string]: unknown;
}

function boundBy(n: Bare): readonly string[] {
  switch (n.kind) {
    case "Assign":
      return (n["targets"] as readonly Expr[]).flatMap(targets);
    case "For":
    case "AugAssign":
    case "NamedExpr":
      return targets(n["target"] as Expr);
    case "AnnAssign":
      return n["value"] === null ? [] : targets(n["target"] as Expr);
    case "Import":
    case "ImportFrom":
      return (n["names"] as readonly { readonly name: string; readonly asname: string | null }[]).map((a) => a.asname ?? a.name);
    case "MatchMapping":
      return n["rest"] === null ? [] : [n["rest"] as string];
    case "Try":
      return (n["handlers"] as readonly { readonly name: string | null }[]).flatMap((h) => (h.name === null ? [] : [h.name]));
    case "MatchAs":
    case "MatchStar":
      return n["name"] === null ? [] : [n["name"] as string];
    default:
      return [];
  }
}

function targets(t: Expr): string[] {
  switch (t.kind) {
    case "Name":
      return [t.id];
    case "Tuple":
    case "List":
      return t.elts.flatMap(targets);
    case "Starred":
      return targets(t.value);
    default:
      return [];
  }
}
