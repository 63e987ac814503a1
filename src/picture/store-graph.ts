/**
 * What a store is made of: each Kind with its fields, and the rules between them, from what a rule reads to what it concludes.
 * What a checkup finds is written beside the field it is about.
 *
 * Kinds stand left in the order of their names, rules right, each beside the fields it joins; a read runs from a field to a rule, a
 * conclusion back. The page's sheet colours what a checkup finds; the same stands there in words.
 */
import { cut, document, element, isolated, label, type Picture, type Piece } from "./svg";

export interface GraphKind {
  readonly name: string;
  readonly fields: readonly string[];
}

export interface GraphRule {
  readonly name: string;
  /** `Kind.field`. */
  readonly reads: readonly string[];
  readonly concludes: readonly string[];
}

/** What a checkup says of fields, by `Kind.field`: read by a rule and recorded nowhere, or recorded and read by nothing. */
export interface GraphFindings {
  readonly unmet: ReadonlySet<string>;
  readonly unread: ReadonlySet<string>;
}

const ROW = 22;
const GAP = 16;
const KIND_WIDTH = 300;
const RULE_WIDTH = 260;
const BETWEEN = 200;
const PAD = 14;
const COLUMNS = 30;

export function storeGraph(kinds: readonly GraphKind[], rules: readonly GraphRule[], findings: GraphFindings): Picture {
  const pieces: Piece[] = [];
  const places = new Map<string, number>();
  let y = PAD;
  for (const kind of byName(kinds)) {
    const height = ROW * (kind.fields.length + 1);
    pieces.push(box(PAD, y, KIND_WIDTH, height, "kind"), label(PAD + 10, y + 15, cut(kind.name, COLUMNS), { "font-weight": 600 }));
    [...kind.fields].sort(compare).forEach((field, i) => {
      const path = `${kind.name}.${field}`;
      const at = y + ROW * (i + 1);
      places.set(path, at + ROW / 2);
      const finding = findingOf(path, findings);
      pieces.push(
        label(PAD + 22, at + 15, finding === null ? cut(field, COLUMNS) : `${isolated(cut(field, COLUMNS - 9))} (${finding})`, {
          class: finding === null ? "field" : `field-${finding}`,
        }),
      );
    });
    y += height + GAP;
  }
  const ruleX = PAD + KIND_WIDTH + BETWEEN;
  let ruleY = PAD;
  const arrows: Piece[] = [];
  for (const { rule, beside } of besideFields(rules, places)) {
    ruleY = Math.max(ruleY, beside - ROW / 2);
    const middle = ruleY + ROW / 2;
    pieces.push(box(ruleX, ruleY, RULE_WIDTH, ROW, "rule"), label(ruleX + 10, ruleY + 15, cut(rule.name, COLUMNS)));
    for (const path of rule.reads)
      arrows.push(...arrow(places.get(path), middle, ruleX, findings.unmet.has(path) ? "reads-unmet" : "reads"));
    for (const path of rule.concludes) arrows.push(...arrow(places.get(path), middle, ruleX, "concludes"));
    ruleY += ROW + GAP;
  }
  const size = { width: rules.length === 0 ? KIND_WIDTH + 2 * PAD : ruleX + RULE_WIDTH + PAD, height: Math.max(y, ruleY) };
  const title = "Kinds, fields and rules of the store";
  const description = `${kinds.length} Kinds and ${rules.length} rules; ${findings.unmet.size} fields are read and recorded nowhere, ${findings.unread.size} are recorded and read by nothing.`;
  return { svg: document(size, title, description, [...arrows, ...pieces]), text: words(kinds, rules, findings) };
}

/** From top to bottom, each with the middle of the fields it joins; at the top where it joins none. */
function besideFields(rules: readonly GraphRule[], places: ReadonlyMap<string, number>) {
  const placed = byName(rules).map((rule) => {
    const joined = [...rule.reads, ...rule.concludes].flatMap((path) => places.get(path) ?? []);
    return { rule, beside: joined.length === 0 ? PAD : joined.reduce((sum, at) => sum + at, 0) / joined.length };
  });
  return placed.sort((a, b) => a.beside - b.beside);
}

function findingOf(path: string, { unmet, unread }: GraphFindings): "unmet" | "unread" | null {
  return unmet.has(path) ? "unmet" : unread.has(path) ? "unread" : null;
}

function box(x: number, y: number, width: number, height: number, kind: string): Piece {
  return element("rect", { x, y, width, height, rx: 5, fill: "currentColor", "fill-opacity": 0.06, stroke: "currentColor", class: kind });
}

/** Nothing where the field is of no Kind shown. A conclusion is drawn broken, with its head at the field. */
function arrow(fieldY: number | undefined, ruleY: number, ruleX: number, kind: "reads" | "reads-unmet" | "concludes"): Piece[] {
  if (fieldY === undefined) return [];
  const [x1, x2] = [PAD + KIND_WIDTH, ruleX];
  const bend = (x1 + x2) / 2;
  const path = element("path", {
    d: `M${x1} ${fieldY} C${bend} ${fieldY} ${bend} ${ruleY} ${x2} ${ruleY}`,
    fill: "none",
    stroke: "currentColor",
    "stroke-opacity": 0.5,
    "stroke-dasharray": kind === "concludes" ? "5 3" : undefined,
    class: kind,
  });
  const [tip, back, at] = kind === "concludes" ? [x1, x1 + 7, fieldY] : [x2, x2 - 7, ruleY];
  return [
    path,
    element("path", { d: `M${tip} ${at} L${back} ${at - 4} L${back} ${at + 4} Z`, fill: "currentColor", class: `${kind}-head` }),
  ];
}

function words(kinds: readonly GraphKind[], rules: readonly GraphRule[], findings: GraphFindings): string {
  const lines: string[] = [];
  for (const kind of byName(kinds)) {
    lines.push(kind.name);
    for (const field of [...kind.fields].sort(compare)) {
      const finding = findingOf(`${kind.name}.${field}`, findings);
      const said = finding === "unmet" ? ": read by a rule, recorded nowhere" : finding === "unread" ? ": recorded, read by nothing" : "";
      lines.push(`  ${isolated(field)}${said}`);
    }
  }
  for (const rule of byName(rules)) {
    lines.push(
      `rule ${rule.name}`,
      `  reads ${rule.reads.map(isolated).join(", ") || "nothing"}`,
      `  concludes ${rule.concludes.map(isolated).join(", ") || "nothing"}`,
    );
  }
  return lines.length === 0 ? "The store holds nothing yet.\n" : `${lines.join("\n")}\n`;
}

function byName<Named extends { readonly name: string }>(all: readonly Named[]): Named[] {
  return [...all].sort((a, b) => compare(a.name, b.name));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
