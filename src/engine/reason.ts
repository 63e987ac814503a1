/**
 * An explanation as a tree of lines: what `why_not` and `what_needs` give, ready to print and to be read as data.
 *
 * Without recursion, since a tree may be thousands of levels deep.
 */
import type { Datum } from "../datum";

export interface Reason {
  /** Its line. */
  readonly text: string;
  /** Spelled; null where the line is about no cell. */
  readonly cell: string | null;
  readonly value: Datum | undefined;
  readonly rule: string | null;
  /** Further members of its JSON, before `premises`. */
  readonly told: { readonly [name: string]: string | number | boolean | null | readonly string[] };
  readonly premises: readonly Reason[];
}

export interface ReasonJson {
  readonly [name: string]: string | number | boolean | null | readonly string[] | ReasonJson[];
}

/** A line that says all there is to say. */
export function remark(text: string): Reason {
  return { text, cell: null, value: undefined, rule: null, told: {}, premises: [] };
}

export function isRemark(reason: Reason): boolean {
  return reason.cell === null && reason.rule === null && reason.premises.length === 0 && Object.keys(reason.told).length === 0;
}

export function renderReason(root: Reason): string {
  const lines: string[] = [];
  const waiting = [{ reason: root, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { reason, depth } = next;
    lines.push(`${"  ".repeat(depth)}${reason.text}`);
    for (let i = reason.premises.length - 1; i >= 0; i--) waiting.push({ reason: reason.premises[i]!, depth: depth + 1 });
  }
  return lines.join("\n");
}

/** `spell` gives a value's text. */
export function reasonJson(root: Reason, spell: (value: Datum) => string): ReasonJson {
  const made = nodeJson(root, spell);
  const waiting = [{ from: root, to: made.premises }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const premise of next.from.premises) {
      const node = nodeJson(premise, spell);
      next.to.push(node.json);
      waiting.push({ from: premise, to: node.premises });
    }
  }
  return made.json;
}

function nodeJson(reason: Reason, spell: (value: Datum) => string): { json: ReasonJson; premises: ReasonJson[] } {
  const premises: ReasonJson[] = [];
  const json: ReasonJson = {
    text: reason.text,
    ...(reason.cell === null ? {} : { cell: reason.cell }),
    ...(reason.value === undefined ? {} : { value: spell(reason.value) }),
    ...(reason.rule === null ? {} : { rule: reason.rule }),
    ...reason.told,
    premises,
  };
  return { json, premises };
}
