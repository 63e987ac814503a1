/**
 * The claims of one cell on the two axes of time: across, when each is true; down, when the store knew it. A rectangle a claim,
 * and lines where a question cuts through.
 *
 * Axes are by order, not by length: each instant that matters has a line, and lines stand at equal distances, so that a second
 * and a century are both seen.
 */
import { cut, document, element, label, type Picture, type Piece } from "./svg";

/** Instants in microseconds; null is unbounded (`to`), ever (`from`), or still (`knownUntil`). */
export interface ClaimBox {
  readonly value: string;
  readonly source: string;
  readonly from: number | null;
  readonly to: number | null;
  readonly knownFrom: number;
  readonly knownUntil: number | null;
}

export interface ClaimQuestion {
  /** A moment of valid time, and one of known time. */
  readonly at: number | null;
  readonly knownAt: number | null;
}

const CELL_WIDTH = 150;
const CELL_HEIGHT = 54;
const LEFT = 200;
const TOP = 64;
const PAD = 14;
/** What is said above the picture has room. */
const WIDTH_MIN = 420;
const TEXT_CHARS = 17;
const FILLS = ["0.10", "0.20", "0.30"];

/** `spell` writes an instant. */
export function claimDiagram(
  cell: string,
  claims: readonly ClaimBox[],
  question: ClaimQuestion,
  spell: (micros: number) => string,
): Picture {
  const valid = instants(
    claims.flatMap(({ from, to }) => [from, to]),
    question.at,
  );
  const known = instants(
    claims.flatMap(({ knownFrom, knownUntil }) => [knownFrom, knownUntil]),
    question.knownAt,
  );
  const x = (micros: number | null, open: "start" | "end"): number =>
    LEFT + CELL_WIDTH * (micros === null ? (open === "start" ? 0 : valid.length + 1) : valid.indexOf(micros) + 1);
  const y = (micros: number | null): number => TOP + CELL_HEIGHT * (micros === null ? known.length : known.indexOf(micros));
  const size = {
    width: Math.max(WIDTH_MIN, LEFT + CELL_WIDTH * (valid.length + 1) + PAD),
    height: TOP + CELL_HEIGHT * Math.max(1, known.length) + PAD,
  };
  const pieces: Piece[] = [label(PAD, TOP - 40, "true from left to right, known from top to bottom")];
  valid.forEach((micros, i) => {
    const at = LEFT + CELL_WIDTH * (i + 1);
    pieces.push(line(at, TOP - 8, at, size.height - PAD), label(at + 3, TOP - 14, spell(micros), { "font-size": 11 }));
  });
  known.forEach((micros, i) => {
    const at = TOP + CELL_HEIGHT * i;
    pieces.push(line(LEFT - 8, at, size.width - PAD, at), label(PAD, at + 14, spell(micros), { "font-size": 11 }));
  });
  claims.forEach((claim, i) => {
    const [left, right, top, bottom] = [x(claim.from, "start"), x(claim.to, "end"), y(claim.knownFrom), y(claim.knownUntil)];
    pieces.push(
      element("rect", {
        x: left + 1.5,
        y: top + 1.5,
        width: right - left - 3,
        height: bottom - top - 3,
        rx: 4,
        fill: "currentColor",
        "fill-opacity": FILLS[i % FILLS.length],
        stroke: "currentColor",
        // What is no longer believed is drawn broken.
        "stroke-dasharray": claim.knownUntil === null ? undefined : "5 3",
        class: "claim",
      }),
      label(left + 8, top + 20, cut(claim.value, TEXT_CHARS)),
      label(left + 8, top + 38, cut(`per ${claim.source}`, TEXT_CHARS), { "font-size": 11 }),
    );
  });
  if (question.at !== null) {
    const at = x(question.at, "start");
    pieces.push(
      element("line", { x1: at, y1: TOP - 8, x2: at, y2: size.height - PAD, stroke: "currentColor", "stroke-width": 2.5, class: "cut-at" }),
    );
  }
  if (question.knownAt !== null) {
    const at = y(question.knownAt);
    pieces.push(
      element("line", {
        x1: LEFT - 8,
        y1: at,
        x2: size.width - PAD,
        y2: at,
        stroke: "currentColor",
        "stroke-width": 2.5,
        class: "cut-known",
      }),
    );
  }
  const text = claims.map((claim) => `${described(claim, spell)}\n`).join("") || "No claim was ever recorded here.\n";
  return {
    svg: document(size, `Claims at ${cell}`, `${claims.length} claims on two axes of time; the text beside tells each.`, pieces),
    text,
  };
}

function described({ value, source, from, to, knownFrom, knownUntil }: ClaimBox, spell: (micros: number) => string): string {
  const valid =
    from === null && to === null
      ? "always"
      : `${from === null ? "ever since" : `from ${spell(from)}`}${to === null ? " on" : ` until ${spell(to)}`}`;
  const known = `known from ${spell(knownFrom)}${knownUntil === null ? ", and still" : ` until ${spell(knownUntil)}`}`;
  return `${value} per ${source}: true ${valid}; ${known}`;
}

function instants(ends: readonly (number | null)[], asked: number | null): number[] {
  const distinct = new Set([...ends, asked].filter((one): one is number => one !== null));
  return [...distinct].sort((a, b) => a - b);
}

function line(x1: number, y1: number, x2: number, y2: number): Piece {
  return element("line", { x1, y1, x2, y2, stroke: "currentColor", "stroke-opacity": 0.25 });
}
