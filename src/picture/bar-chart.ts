/** Amounts side by side: bars by day, or what came and went by kind. Parts of a bar are stacked, and told apart by their fill. */
import { cut, document, element, isolated, label, type Picture, type Piece } from "./svg";

export interface Bar {
  readonly name: string;
  /** By series; a series that is absent is 0. Not below 0. */
  readonly amounts: { readonly [series: string]: number };
}

const HEIGHT = 180;
const BAR = 18;
const STEP = 24;
const LEFT = 90;
const TOP = 30;
const FOOT = 78;
const SERIES_SHOWN = 6;
const SMALL = { "font-size": 11, "font-family": "ui-monospace, monospace", fill: "currentColor" };
const NOTHING = "Nothing in this time.";
/** So that a picture of nothing has room to say so. */
const WIDTH_MIN = 300;

/** `spell` writes an amount. The text tells only bars that hold something. */
export function barChart(title: string, bars: readonly Bar[], spell: (amount: number) => string): Picture {
  const series = [...new Set(bars.flatMap(({ amounts }) => Object.keys(amounts)))].sort();
  const totals = bars.map(({ amounts }) => Object.values(amounts).reduce((sum, amount) => sum + amount, 0));
  const most = Math.max(0, ...totals);
  const pieces: Piece[] = [];
  const base = TOP + HEIGHT;
  for (const share of [0, 0.5, 1]) {
    const y = base - HEIGHT * share;
    pieces.push(
      element("line", { x1: LEFT - 6, y1: y, x2: LEFT + STEP * bars.length, y2: y, stroke: "currentColor", "stroke-opacity": 0.25 }),
    );
    if (most > 0) pieces.push(label(4, y + 4, cut(spell(most * share), 11), { "font-size": 11 }));
  }
  // One path a series: a month of them by store or key is a small part of a page.
  const tops = bars.map(() => base);
  series.forEach((name, at) => {
    let outline = "";
    bars.forEach((bar, i) => {
      const amount = bar.amounts[name] ?? 0;
      if (amount === 0 || most === 0) return;
      const height = (HEIGHT * amount) / most;
      tops[i] -= height;
      outline += `M${LEFT + STEP * i} ${rounded(tops[i])}h${BAR}v${rounded(height)}h-${BAR}z`;
    });
    if (outline === "") return;
    const fill = { fill: "currentColor", "fill-opacity": opacity(at, series.length), stroke: "currentColor", "stroke-opacity": 0.6 };
    pieces.push(element("path", { d: outline, class: "series", ...fill }));
  });
  const names = bars.map(({ name }, i) => {
    const [x, y] = [LEFT + STEP * i + 4, base + 12];
    return element("text", { x, y, transform: `rotate(60 ${x} ${y})` }, cut(name, 12));
  });
  pieces.push(element("g", SMALL, ...names));
  series.slice(0, SERIES_SHOWN).forEach((name, at) => {
    const x = LEFT + at * 150;
    pieces.push(
      element("rect", {
        x,
        y: 6,
        width: 12,
        height: 12,
        fill: "currentColor",
        "fill-opacity": opacity(at, series.length),
        stroke: "currentColor",
      }),
    );
    pieces.push(label(x + 17, 16, cut(name, 17), { "font-size": 11 }));
  });
  const size = {
    width: Math.max(WIDTH_MIN, LEFT + STEP * bars.length + 30, LEFT + Math.min(series.length, SERIES_SHOWN) * 150),
    height: base + FOOT,
  };
  const lines = bars.flatMap((bar, i) => (totals[i] === 0 ? [] : [`${isolated(bar.name)}: ${told(bar, series, totals[i], spell)}`]));
  const text = lines.length === 0 ? `${NOTHING}\n` : `${lines.join("\n")}\n`;
  if (most === 0) pieces.push(label(LEFT, TOP + HEIGHT / 2 - 6, NOTHING));
  return { svg: document(size, title, `${bars.length} bars, the highest ${spell(most)}; the text beside tells each.`, pieces), text };
}

function rounded(length: number): number {
  return Math.round(length * 10) / 10;
}

function opacity(at: number, count: number): number {
  return count <= 1 ? 0.5 : 0.15 + (0.75 * at) / (count - 1);
}

/** The amount by its series; where there are several, with their sum before them. */
function told({ amounts }: Bar, series: readonly string[], total: number, spell: (amount: number) => string): string {
  const parts = series.filter((name) => (amounts[name] ?? 0) > 0).map((name) => `${isolated(name)} ${spell(amounts[name])}`);
  return parts.length < 2 ? parts.join("") : `${spell(total)} (${parts.join(", ")})`;
}
