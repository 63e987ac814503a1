/**
 * Ops of one batch that would write the same thing (request facts §5.4). They have no order, so none of them is done.
 *
 * Keys come from literal texts in the arguments alone; what a reference will give is not known beforehand.
 */
import type { OpsCall, OpsProgram, OpsValue } from "../lang/ops/ops";
import { isSymmetric } from "./kg/relation-table";

/** For each call, the index of another that it is at odds with; -1 for none. In a batch of units, of another unit. */
export function writeConflicts(program: OpsProgram): readonly number[] {
  const against = program.calls.map(() => -1);
  if (program.mode !== "parallel" || program.calls.length < 2) return against;
  const holders = new Map<string, number[]>();
  program.calls.forEach((call, index) => {
    for (const key of new Set(writeKeys(call))) {
      const others = holders.get(key);
      if (others === undefined) holders.set(key, [index]);
      else others.push(index);
    }
  });
  const unitOf = program.units.flatMap(({ start, end }, unit) => Array.from({ length: end - start }, () => unit));
  for (const indices of holders.values()) {
    for (const index of indices) {
      const other = indices.find((one) => unitOf[one] !== unitOf[index]);
      if (other !== undefined && against[index] < 0) against[index] = other;
    }
  }
  return against;
}

function writeKeys(call: OpsCall): string[] {
  const args = new Map(call.args);
  switch (call.verb) {
    case "update":
    case "delete":
      return entityKeys([args.get("id")]);
    case "merge":
      return args.get("dry_run") === true ? [] : entityKeys([args.get("into_id"), args.get("from_id")]);
    case "link": {
      const links = args.get("links");
      const listed = Array.isArray(links) ? links : [];
      const own = Object.fromEntries(call.args) as { [name: string]: OpsValue };
      return [own, ...listed].flatMap((one) => edgeKey(one as { [name: string]: OpsValue }) ?? []);
    }
    default:
      return [];
  }
}

function entityKeys(ids: readonly (OpsValue | undefined)[]): string[] {
  return ids.flatMap((id) => (typeof id === "string" ? [`entity:${id}`] : []));
}

function edgeKey(link: { readonly [name: string]: OpsValue } | null): string | null {
  if (typeof link !== "object" || link === null) return null;
  const { source_id: source, target_id: target, relation } = link;
  if (typeof source !== "string" || typeof target !== "string" || typeof relation !== "string") return null;
  const named = relation.toLowerCase().replaceAll("-", "_");
  const [from, to] = isSymmetric(named) && target < source ? [target, source] : [source, target];
  return `edge:${JSON.stringify([from, to, named])}`;
}
