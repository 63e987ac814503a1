/**
 * The call graph of a source has no cycle: that is half of why every program ends (the other half is bounded loops).
 *
 * Nodes are functions. A function is taken to call what it defines, and what it calls by a name bound once to a def or
 * a lambda. Callees known only as the program runs are the machine's to refuse (rulings, "Recursion and ceilings").
 */
import type { CallEdge } from "../compile/context";
import type { Report } from "./report";
import type { Scope, ScopeTree } from "./scope";

export function refuseRecursion(tree: ScopeTree, calls: readonly CallEdge[], report: Report): void {
  interface Edge {
    readonly to: Scope;
    readonly call: CallEdge | null;
  }
  const edges = new Map<Scope, Edge[]>();
  const nameOf = new Map<Scope, string>();
  const add = (from: Scope, e: Edge): void => {
    const list = edges.get(from);
    if (list) list.push(e);
    else edges.set(from, [e]);
  };
  for (const [node, scope] of tree.of) {
    const n = node as { kind?: string; name?: string };
    if (scope.kind !== "function") continue;
    nameOf.set(scope, n.kind === "FunctionDef" ? n.name! : n.kind === "Lambda" ? "lambda" : "generator expression");
    add(scope.parent!.frame, { to: scope, call: null });
  }
  for (const c of calls) {
    if (c.to.writes !== 1 || !c.to.def) continue;
    const callee = tree.of.get(c.to.def);
    if (!callee) continue;
    if (c.to.def.kind === "Lambda") nameOf.set(callee, c.to.name);
    add(c.from.frame, { to: callee, call: c });
  }
  const done = new Set<Scope>();
  const path: { scope: Scope; call: CallEdge | null }[] = [];
  const reported = new Set<Scope>();
  const visit = (scope: Scope, call: CallEdge | null): void => {
    const at = path.findIndex((p) => p.scope === scope);
    if (at >= 0) {
      const cycle = [...path.slice(at), { scope, call }];
      const closing = cycle
        .map((p) => p.call)
        .filter((c): c is CallEdge => c !== null)
        .pop();
      if (!closing || reported.has(scope)) return;
      reported.add(scope);
      const names = cycle.map((p) => nameOf.get(p.scope) ?? "").filter((x, i, all) => x !== "lambda" || i === 0 || i === all.length - 1);
      report.type(
        closing.span,
        `DKE Python has no recursion: ${names.map((x) => `\`${x}\``).join(" calls ")}. Iteration is bounded: loop over a \`range\` or a list of work, as \`for i in range(n):\`; what follows from facts by steps is a \`@rule\`, which may recurse.`,
      );
      return;
    }
    if (done.has(scope)) return;
    path.push({ scope, call });
    for (const e of edges.get(scope) ?? []) visit(e.to, e.call);
    path.pop();
    done.add(scope);
  };
  for (const s of [tree.top, ...tree.of.values()]) if (s.kind !== "comprehension") visit(s, null);
}
