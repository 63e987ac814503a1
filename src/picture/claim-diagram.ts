/**
 * The claims of one cell on the two axes of time: across, when each is true; down, when the store knew it. A rectangle a claim,
 * and lines where a question cuts through.
 *
 * Axes are by order, not by length: each instant that matters has a line, so that a second and a century are both seen. Claims that
 * came to be known and to be true at the same instants (two sources, many values) stand one under the other's head, a little to the
 * right; the row of that instant is as high as they need.
 */
import { cut, document, element, isolated, label, type Picture, type Piece } from "./svg";

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
const TEXT_COLUMNS = 17;
/** How far to the right a claim stands of the one whose head it is under; after so many, no farther. */
const SHIFT = 6;
const SHIFTS_MAX = 8;
const COLUMN = 7.9;
/** Of the ink where most claims lie upon each other: words stay legible there. */
const DARKEST = 0.3;

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
  const slots = slotsOf(claims);
  // Where each instant of known time has its line; last, where the picture ends.
  const tops = [TOP];
  for (const micros of known) tops.push(tops.at(-1)! + CELL_HEIGHT * Math.max(1, slots.rows.get(micros) ?? 0));
  const bottomMost = Math.max(tops.at(-1)!, TOP + CELL_HEIGHT);
  const y = (micros: number | null): number => (micros === null ? bottomMost : tops[known.indexOf(micros)]);
  const size = {
    width: Math.max(WIDTH_MIN, LEFT + CELL_WIDTH * (valid.length + 1) + PAD),
    height: bottomMost + PAD,
  };
  const depth = Math.max(3, deepest(claims, valid, known));
  const pieces: Piece[] = [label(PAD, TOP - 40, "true from left to right, known from top to bottom")];
  valid.forEach((micros, i) => {
    const at = LEFT + CELL_WIDTH * (i + 1);
    pieces.push(line(at, TOP - 8, at, size.height - PAD), label(at + 3, TOP - 14, spell(micros), { "font-size": 11 }));
  });
  known.forEach((micros, i) => {
    const at = tops[i];
    pieces.push(line(LEFT - 8, at, size.width - PAD, at), label(PAD, at + 14, spell(micros), { "font-size": 11 }));
  });
  claims.forEach((claim, i) => {
    const slot = slots.of[i];
    const aside = SHIFT * Math.min(slot, SHIFTS_MAX);
    const [left, right, bottom] = [x(claim.from, "start") + aside, x(claim.to, "end"), y(claim.knownUntil)];
    const top = y(claim.knownFrom) + CELL_HEIGHT * slot;
    pieces.push(
      element("rect", {
        x: left + 1.5,
        y: top + 1.5,
        width: right - left - 3,
        height: bottom - top - 3,
        rx: 4,
        fill: "currentColor",
        "fill-opacity": (DARKEST / depth).toFixed(4),
        stroke: "currentColor",
        // What is no longer believed is drawn broken.
        "stroke-dasharray": claim.knownUntil === null ? undefined : "5 3",
        class: "claim",
      }),
      label(left + 8, top + 20, cut(claim.value, TEXT_COLUMNS - Math.ceil(aside / COLUMN))),
      label(left + 8, top + 38, cut(`per ${claim.source}`, TEXT_COLUMNS - Math.ceil(aside / COLUMN)), { "font-size": 11 }),
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

/** Of claims with the same beginning in both times, the how-manieth each is; and how many the fullest row of a known instant holds. */
function slotsOf(claims: readonly ClaimBox[]): { readonly of: readonly number[]; readonly rows: ReadonlyMap<number, number> } {
  const taken = new Map<string, number>();
  const rows = new Map<number, number>();
  const of = claims.map(({ from, knownFrom }) => {
    const head = `${from} ${knownFrom}`;
    const slot = taken.get(head) ?? 0;
    taken.set(head, slot + 1);
    rows.set(knownFrom, Math.max(rows.get(knownFrom) ?? 0, slot + 1));
    return slot;
  });
  return { of, rows };
}

/** How many claims lie upon each other where most do: what begins and ends at each crossing of the lines, summed up. */
function deepest(claims: readonly ClaimBox[], valid: readonly number[], known: readonly number[]): number {
  const width = valid.length + 2;
  const steps = new Int32Array(width * (known.length + 1));
  const add = (column: number, row: number, by: number) => {
    steps[row * width + column] += by;
  };
  for (const { from, to, knownFrom, knownUntil } of claims) {
    const [left, right] = [from === null ? 0 : valid.indexOf(from) + 1, to === null ? width - 1 : valid.indexOf(to) + 1];
    const [top, bottom] = [known.indexOf(knownFrom), knownUntil === null ? known.length : known.indexOf(knownUntil)];
    add(left, top, 1);
    add(right, top, -1);
    add(left, bottom, -1);
    add(right, bottom, 1);
  }
  let most = 0;
  for (let at = 0; at < steps.length; at++) {
    const [beside, above] = [at % width > 0, at >= width];
    steps[at] += (beside ? steps[at - 1] : 0) + (above ? steps[at - width] : 0) - (beside && above ? steps[at - width - 1] : 0);
    most = Math.max(most, steps[at]);
  }
  return most;
}

function described({ value, source, from, to, knownFrom, knownUntil }: ClaimBox, spell: (micros: number) => string): string {
  const valid =
    from === null && to === null
      ? "always"
      : `${from === null ? "ever since" : `from ${spell(from)}`}${to === null ? " on" : ` until ${spell(to)}`}`;
  const known = `known from ${spell(knownFrom)}${knownUntil === null ? ", and still" : ` until ${spell(knownUntil)}`}`;
  return `${isolated(value)} per ${isolated(source)}: true ${valid}; ${known}`;
}

function instants(ends: readonly (number | null)[], asked: number | null): number[] {
  const distinct = new Set([...ends, asked].filter((one): one is number => one !== null));
  return [...distinct].sort((a, b) => a - b);
}

function line(x1: number, y1: number, x2: number, y2: number): Piece {
  return element("line", { x1, y1, x2, y2, stroke: "currentColor", "stroke-opacity": 0.25 });
}
