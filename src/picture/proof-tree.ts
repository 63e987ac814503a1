/** Why something holds, as a tree: a line a premise, rule or source and key on each, conditions in words. */
import { columnsOf, cut, document, element, label, type Picture, type Piece } from "./svg";

export interface ProofNode {
  /** `Kind.subject.attribute = value`. */
  readonly holds: string;
  /** The rule that concluded it, or the source that said it. */
  readonly by: string;
  readonly isConclusion: boolean;
  /** The key it was written with; null for a conclusion. */
  readonly key: string | null;
  /** Shown in full further up. */
  readonly isRepeated: boolean;
  /** In the order the rule states them; a condition reads no claim and is a text. */
  readonly premises: readonly (ProofNode | string)[];
}

const LINE = 26;
const INDENT = 22;
const PAD = 12;
const COLUMN = 7.9;
const LINE_COLUMNS = 110;
/** A picture with more lines would help nobody; the text has them all. */
const LINES_MAX = 400;

interface TreeLine {
  readonly depth: number;
  readonly text: string;
  readonly kind: "conclusion" | "claim" | "condition";
}

export function proofTree(proof: ProofNode): Picture {
  const lines: TreeLine[] = [];
  collect(proof, 0, lines);
  const shown = lines.slice(0, LINES_MAX);
  const widest = Math.max(...shown.map(({ depth, text }) => depth * INDENT + Math.min(columnsOf(text), LINE_COLUMNS) * COLUMN));
  const pieces: Piece[] = [];
  const above: number[] = [];
  shown.forEach(({ depth, text, kind }, i) => {
    const [x, y] = [PAD + depth * INDENT, PAD + i * LINE + LINE / 2];
    above[depth] = y;
    if (depth > 0) {
      const left = x - INDENT + 6;
      pieces.push(
        element("path", {
          d: `M${left} ${above[depth - 1] + 7} V${y} H${x - 4}`,
          fill: "none",
          stroke: "currentColor",
          "stroke-opacity": 0.45,
        }),
      );
    }
    pieces.push(mark(kind, x + 5, y), label(x + 16, y + 4.5, cut(text, LINE_COLUMNS), { class: `proof-${kind}` }));
  });
  const rest = lines.length - shown.length;
  if (rest > 0) pieces.push(label(PAD, PAD + shown.length * LINE + LINE / 2, `and ${rest} more lines: the text beside has them all`));
  const size = { width: PAD * 2 + 16 + widest, height: PAD * 2 + (shown.length + (rest > 0 ? 1 : 0)) * LINE };
  const text = lines.map((line) => `${"  ".repeat(line.depth)}${line.text}\n`).join("");
  const count = lines.filter(({ kind }) => kind === "claim").length;
  return {
    svg: document(size, `Why ${proof.holds}`, `A proof tree of ${lines.length} lines that rests on ${count} recorded claims.`, pieces),
    text,
  };
}

/** Shapes tell what colours would: a conclusion is a disc, a recorded claim a square, a condition a ring. */
function mark(kind: TreeLine["kind"], x: number, y: number): Piece {
  if (kind === "claim") return element("rect", { x: x - 4.5, y: y - 4.5, width: 9, height: 9, fill: "currentColor" });
  return element("circle", {
    cx: x,
    cy: y,
    r: 4.5,
    fill: kind === "conclusion" ? "currentColor" : "none",
    stroke: "currentColor",
    "stroke-width": 1.5,
  });
}

function collect(node: ProofNode, depth: number, lines: TreeLine[]): void {
  const key = node.key === null ? "" : `, written by ${node.key}`;
  const repeated = node.isRepeated ? ", see above" : "";
  lines.push({
    depth,
    text: `${node.holds}   ${node.isConclusion ? "by rule" : "per"} ${node.by}${key}${repeated}`,
    kind: node.isConclusion ? "conclusion" : "claim",
  });
  for (const premise of node.premises) {
    if (typeof premise === "string") lines.push({ depth: depth + 1, text: premise, kind: "condition" });
    else collect(premise, depth + 1, lines);
  }
}
