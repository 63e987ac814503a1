/**
 * The terms a text is found by: words, folded and stemmed.
 *
 * A word is a run of letters, digits and marks; case, accents and compatibility forms are folded away, English endings by
 * Porter's algorithm. `lowerCamel` counts as itself and as its parts; scripts that write no spaces are cut into pairs. The
 * same function reads texts and queries, so whatever it does to one it does to the other.
 */
import { stemmer } from "stemmer";

/** Of a longer text only so many words can be searched for. */
export const TEXT_WORDS_MAX = 20_000;
const TERM_LENGTH_MAX = 64;

const WORD = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const PLAIN = /^[a-z]+$/;
const CAMEL = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u;
const CAMEL_PARTS = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+/gu;

/** The terms of a text, in order, repeated as often as they occur. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  let words = 0;
  for (const [word] of text.normalize("NFKC").matchAll(WORD)) {
    if (++words > TEXT_WORDS_MAX) break;
    addWord(terms, word);
  }
  return terms;
}

function addWord(terms: string[], word: string): void {
  if (CAMEL.test(word)) for (const [part] of word.matchAll(CAMEL_PARTS)) addTerm(terms, part);
  let spaced = word;
  for (const [run] of word.matchAll(UNSPACED)) {
    spaced = spaced.replace(run, "");
    const letters = [...run];
    if (letters.length === 1) terms.push(run);
    for (let i = 1; i < letters.length; i++) terms.push(letters[i - 1] + letters[i]);
  }
  if (spaced !== "") addTerm(terms, spaced);
}

function addTerm(terms: string[], word: string): void {
  const folded = word
    .toLowerCase()
    .replace(/['’]s$/, "")
    .replace(/['’]/g, "")
    .normalize("NFD")
    .replace(/\p{Mn}+/gu, "")
    .slice(0, TERM_LENGTH_MAX);
  if (folded !== "") terms.push(PLAIN.test(folded) ? stemmer(folded) : folded);
}
