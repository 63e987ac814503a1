/** White space around a text, as Unicode has it: JavaScript's own `trim` takes U+FEFF and leaves U+0085. */

const LEADING = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
const SPACE = new Set(
  "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000",
);

/** Without the white space around it. */
export function trimmed(text: string): string {
  const start = LEADING.exec(text)?.[0].length ?? 0;
  let end = text.length;
  // A pattern anchored at the end would try every run of spaces in the text.
  while (end > start && SPACE.has(text[end - 1])) end--;
  return text.slice(start, end);
}
