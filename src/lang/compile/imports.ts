/**
 * The imports of a source, settled before anything else is: what each binds, and what is wrong with it.
 *
 * A stored module gives its Kinds bare (every form but `from … import`); a served library module gives its members; a
 * module that is not stored is an `engine_error` as its line runs, and a diagnostic where the source also uses it
 * (contract §6, rulings "Import of what is not stored").
 */
import type { Names } from "../check/names";
import type { Report } from "../check/report";
import type { ScopeTree } from "../check/scope";
import { absentMember, absentModule } from "../check/teaching-names";
import type { Alias, Import, ImportFrom, Module, Stmt } from "../syntax/ast";
import { nearest } from "../syntax/nearest";
import { LIBRARY_MEMBERS } from "./served";

/** Whether a statement may call a function of the source. */
function runsCode(n: Stmt): boolean {
  if (n.kind === "FunctionDef") return [...n.args.posonly, ...n.args.args, ...n.args.kwonly].some((p) => p.default !== null);
  return n.kind !== "ClassDef" && n.kind !== "Pass" && !(n.kind === "Expr" && n.value.kind === "Constant");
}

/** Direct imports of stored modules, in source order. */
export function bindImports(module: Module, names: Names, tree: ScopeTree, report: Report): string[] {
  const direct: string[] = [];
  const used = new Set<string>();
  for (const s of tree.of.values()) for (const u of s.uses) if (s.find(u)?.scope === tree.top) used.add(u);
  let mayHaveCalled = false;
  for (const n of module.body) {
    if (n.kind === "Import") plain(n);
    else if (n.kind === "ImportFrom") from(n);
    else mayHaveCalled ||= runsCode(n);
    if (mayHaveCalled && (n.kind === "Import" || n.kind === "ImportFrom"))
      for (const a of n.names) names.lateImports.add(tree.top.find(a.asname ?? a.name)!);
  }
  return direct;

  function plain(n: Import): void {
    for (const a of n.names) {
      const b = tree.top.find(a.asname ?? a.name)!;
      if (LIBRARY_MEMBERS.has(a.name)) {
        names.bindImport(a, b, { tag: "library", name: a.name });
        continue;
      }
      if (a.name === "typing" || a.name === "__future__") {
        report.type(
          n.span,
          `\`import ${a.name}\` is not needed: builtin types, \`list[int]\` and \`X | None\` stand in annotations as they are. Delete the line.`,
          "",
        );
        names.bindImport(a, b, { tag: "absent", name: a.name });
        continue;
      }
      const stored = names.environment.module(a.name);
      if (stored) {
        if (a.name === names.module || stored.links.has(names.module)) cycle(a.span, a.name);
        names.bindImport(a, b, { tag: "stored", module: stored });
        if (!names.opened.includes(stored)) names.opened.push(stored);
        direct.push(a.name);
        continue;
      }
      names.bindImport(a, b, { tag: "absent", name: a.name });
      if (a.name === names.module) cycle(a.span, a.name);
      else if (used.has(a.asname ?? a.name)) report.type(a.span, absentModule(a.name));
    }
  }
  function from(n: ImportFrom): void {
    if (n.module === "typing" || n.module === "__future__") {
      report.type(
        n.span,
        `\`from ${n.module} import …\` is not needed: builtin types, \`list[int]\` and \`X | None\` stand in annotations as they are. Delete the line.`,
        "",
      );
      for (const a of n.names) names.bindImport(a, tree.top.find(a.asname ?? a.name)!, { tag: "absent", name: n.module });
      return;
    }
    const members = LIBRARY_MEMBERS.get(n.module);
    const stored = names.environment.module(n.module);
    if (!members && !stored) report.type(n.span, absentModule(n.module));
    if (stored && (n.module === names.module || stored.links.has(names.module))) cycle(n.span, n.module);
    if (stored) direct.push(n.module);
    for (const a of n.names) {
      const b = tree.top.find(a.asname ?? a.name)!;
      names.bindImport(a, b, { tag: "absent", name: n.module });
      if (members) {
        if (members.has(a.name)) names.bindImport(a, b, { tag: "member", module: n.module, member: a.name });
        else {
          const absent = absentMember(n.module, a.name, members);
          report.type(a.span, absent.message, renamed(a, absent.fix));
        }
      } else if (stored) {
        const kind = stored.kinds.find((k) => k.name === `${stored.name}.${a.name}`);
        if (kind) names.bindImport(a, b, { tag: "kind", kind });
        else if (stored.scripts.has(a.name))
          report.type(
            a.span,
            `A script is called by its module's name: \`import ${n.module}\` and write \`${n.module}.${a.name}(…)\`.`,
            `import ${n.module}`,
            n.span,
          );
        else {
          const near = nearest(
            a.name,
            stored.kinds.map((k) => k.name.slice(stored.name.length + 1)),
          );
          report.type(
            a.span,
            `Module \`${n.module}\` declares no Kind \`${a.name}\`${near ? `; did you mean \`${near}\`?` : "; `info_module` lists what it has."}`,
            renamed(a, near ?? undefined),
          );
        }
      }
    }
  }
  /** A name that is imported misspelt is used so as well, and goes on being called so. */
  function renamed(a: Alias, name: string | undefined): string | undefined {
    const called = a.asname ?? ([tree.top, ...tree.of.values()].some((s) => s.uses.has(a.name)) ? a.name : null);
    return name === undefined || called === null ? name : `${name} as ${called}`;
  }
  function cycle(span: Import["span"], name: string): void {
    report.type(
      span,
      name === names.module
        ? `Module \`${name}\` cannot import itself; what it declares is there by its bare name.`
        : `Importing \`${name}\` here closes a cycle: \`${names.module}\` → \`${name}\` → \`${names.module}\`. Move what both need into a third module.`,
    );
  }
}
