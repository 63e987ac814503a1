/** Seeded `ops` texts for fuzzing: mostly well formed, then cut, doubled and bent in a few places. */

const WORDS = [
  "ping()",
  "a.b(x=1)",
  "[",
  "]",
  "{",
  "}",
  "(",
  ")",
  "|",
  ",",
  "=",
  ":",
  '"',
  "\\",
  "$prev",
  "$prev.id",
  "$prev[0].x",
  '"$prev.a[1]"',
  '"\\\\$prev"',
  "null",
  "true",
  "-1.5e3",
  "1e999",
  "99999999999999999999",
  '"text"',
  '"\\u00e9"',
  '"\\ud800"',
  "\u0000",
  "\u00a0",
  "\ud83d\ude9c",
  "\ud800",
  "\n",
  " ",
  "presentation=1",
  '{"tool":"a","args":{"x":[1,{"y":null}]}}',
  '{"k":[1,2]}',
  "mk(x=[1,2,{}]) | take(v=$prev.id)",
];

/** mulberry32. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function opsText(seed: number): string {
  const next = random(seed);
  const below = (n: number) => Math.floor(next() * n);
  const value = (depth: number): string => {
    const kind = below(depth > 3 ? 5 : 8);
    if (kind < 2) return String(below(1000) - 500);
    if (kind === 2) return JSON.stringify(WORDS[below(WORDS.length)]);
    if (kind === 3) return ["true", "false", "null", "1.25", "-0", "1E5"][below(6)];
    if (kind === 4) return next() < 0.5 ? "$prev.id" : '"plain"';
    if (kind < 7) return `[${Array.from({ length: below(4) }, () => value(depth + 1)).join(", ")}]`;
    return `{${Array.from({ length: below(3) }, (_, i) => `"k${i}": ${value(depth + 1)}`).join(",")}}`;
  };
  const call = (): string =>
    `${["ping", "kg", "a.b", "x_1"][below(4)]}(${Array.from({ length: below(4) }, (_, i) => `n${i}=${value(0)}`).join(", ")})`;
  const chain = (): string => Array.from({ length: 1 + below(3) }, call).join(" | ");
  const shape = below(6);
  let text =
    shape === 0
      ? call()
      : shape === 1
        ? chain()
        : shape === 2
          ? `[${Array.from({ length: 1 + below(4) }, chain).join(", ")}]`
          : shape === 3
            ? JSON.stringify(
                Array.from({ length: 1 + below(3) }, (_, i) => ({ tool: "ping", args: { n: i, t: WORDS[below(WORDS.length)] } })),
              )
            : shape === 4
              ? Array.from({ length: below(12) }, () => WORDS[below(WORDS.length)]).join("")
              : `${"[{(".charAt(below(3)).repeat(below(80))}${call()}`;
  for (let bends = below(4); bends > 0; bends--) {
    const at = below(text.length + 1);
    const kind = below(4);
    if (kind === 0) text = text.slice(0, at) + text.slice(at + 1 + below(3));
    else if (kind === 1) text = text.slice(0, at) + WORDS[below(WORDS.length)] + text.slice(at);
    else if (kind === 2) text = text.slice(0, at);
    else text = text.slice(0, at) + text.slice(at, at + 5) + text.slice(at);
  }
  return text;
}
