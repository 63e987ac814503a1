/**
 * What `:=` may not do in a comprehension: stand in what is iterated, or bind a name that a `for` of the
 * comprehension binds (CPython's symtable rules; a `lambda` inside has names of its own).
 */
import type { Comprehension, Expr, Name } from "./ast";
import type { Cursor } from "./cursor";

/** @param elements  The comprehension's element, or its key and value. Costs nothing where no `:=` was read. */
export function checkWalrus(p: Cursor, elements: readonly Expr[], generators: readonly Comprehension[]): void {
  if (!p.walrusSeen) return;
  for (const { iter } of generators) {
    const [bound] = boundNames(iter, true);
    if (bound !== undefined) p.fail(bound.span, "`:=` cannot stand in what a comprehension iterates: bind the name on a line above");
  }
  const names = new Set<string>();
  for (const { target } of generators) {
    for (const node of within(target, false)) if (node.kind === "Name") names.add(node.id);
  }
  for (const part of [...elements, ...generators.flatMap((generator) => generator.ifs)]) {
    for (const bound of boundNames(part, false)) {
      if (names.has(bound.id))
        p.fail(bound.span, `\`:=\` cannot bind \`${bound.id}\`, which this comprehension's \`for\` binds: choose another name`);
    }
  }
}

function boundNames(root: Expr, intoLambdas: boolean): Name[] {
  const found: Name[] = [];
  for (const node of within(root, intoLambdas)) if (node.kind === "NamedExpr") found.push(node.target);
  return found;
}

/** Every expression below `root`, itself included, without recursion. */
function within(root: Expr, intoLambdas: boolean): Expr[] {
  const found: Expr[] = [];
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (Array.isArray(value)) for (const item of value) pending.push(item);
    else if (typeof value === "object" && value !== null) {
      const kind = (value as { kind?: unknown }).kind;
      if (kind === "Lambda" && !intoLambdas) continue;
      if (kind === "Constant") continue;
      if (typeof kind === "string") found.push(value as Expr);
      for (const [key, part] of Object.entries(value)) if (!key.endsWith("pan")) pending.push(part);
    }
  }
  return found;
}
