/** A text whose lines are indented by two blanks a level, as what stands under what. Pure. */

export interface Outline {
  readonly line: string;
  readonly below: readonly Outline[];
}

export function outlineOf(text: string): readonly Outline[] {
  const top: Outline[] = [];
  /** Where a line of each level goes. */
  const places: Outline[][] = [top];
  for (const indented of text.split("\n")) {
    const line = indented.trimStart();
    if (line === "") continue;
    const level = Math.min((indented.length - line.length) / 2, places.length - 1);
    const below: Outline[] = [];
    places[Math.floor(level)].push({ line, below });
    places.length = Math.floor(level) + 1;
    places.push(below);
  }
  return top;
}
