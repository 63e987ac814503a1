/**
 * Pictures as SVG text, and the text beside each that says the same.
 *
 * A picture uses no script, no style sheet and no colour alone: classes are for the page's sheet, and whatever a colour says a
 * word says too. The same data gives the same bytes. All text is escaped here and nowhere else.
 */

/** An SVG document and its twin in words, one statement a line. */
export interface Picture {
  readonly svg: string;
  readonly text: string;
}

/** A piece of SVG: an element, or text. */
export type Piece = { readonly tag: string; readonly attributes: Attributes; readonly children: readonly Piece[] } | string;
export type Attributes = { readonly [name: string]: string | number | undefined };

export function element(tag: string, attributes: Attributes, ...children: readonly Piece[]): Piece {
  return { tag, attributes, children };
}

export function label(x: number, y: number, text: string, attributes: Attributes = {}): Piece {
  return element("text", { x, y, "font-size": 13, "font-family": "ui-monospace, monospace", fill: "currentColor", ...attributes }, text);
}

/** The whole picture: `title` names it, `description` is what is read out. */
export function document(
  size: { readonly width: number; readonly height: number },
  title: string,
  description: string,
  pieces: readonly Piece[],
): string {
  const root = element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${round(size.width)} ${round(size.height)}`,
      width: round(size.width),
      height: round(size.height),
      class: "picture",
      role: "img",
      "aria-labelledby": "picture-title picture-description",
    },
    element("title", { id: "picture-title" }, title),
    element("desc", { id: "picture-description" }, description),
    ...pieces,
  );
  return write(root);
}

function write(piece: Piece): string {
  if (typeof piece === "string") return escaped(piece);
  const attributes = Object.entries(piece.attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escaped(typeof value === "number" ? String(round(value)) : String(value))}"`)
    .join("");
  if (piece.children.length === 0) return `<${piece.tag}${attributes}/>`;
  return `<${piece.tag}${attributes}>${piece.children.map(write).join("")}</${piece.tag}>`;
}

/** What XML 1.0 cannot hold is shown as the mark for what cannot be shown. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

const WIDE = /[\p{Extended_Pictographic}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\uff01-\uff60\uffe0-\uffe6]/u;
/** Marks that stand on the letter before, and what joins or varies it. */
const WITHIN = /\p{M}|\p{Join_Control}|\p{Emoji_Modifier}/u;

/** How many columns a text takes where all letters are equally wide: none for what stands on a letter, two for what is as wide as high. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const letter of text) columns += columnsOfLetter(letter);
  return columns;
}

function columnsOfLetter(letter: string): number {
  return WITHIN.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1;
}

/** A text of at most so many columns. */
export function cut(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let kept = "";
  let left = columns - 1;
  for (const letter of text) {
    left -= columnsOfLetter(letter);
    if (left < 0) break;
    kept += letter;
  }
  return `${kept}…`;
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** A name with what stands beside it: one that is read from the right must not draw the number after it to its other side. */
export function isolated(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}
