/**
 * The port through which texts become vectors, and what a request knows of the meaning it searches by.
 *
 * A vector is asked for outside of any slice: a task says which texts it waits for, its driver has them embedded and gives
 * what came, and the task goes on. It never fails a request: what could not be embedded is told in the answer.
 */
import type { Embedded } from "../../tools/answer";

export interface Embedder {
  /** As callers may name it. */
  readonly model: string;
  /** One vector for each text, all of one length. Rejects where the model is out of reach. */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
}

/** What a question means, or why that is not known. */
export type Meaning = { readonly tag: "known"; readonly vector: Float32Array } | Extract<Embedded, { readonly tag: "failed" }>;

/** The field of a note that says how much of its content is embedded, in characters; 0: nothing of the note. */
export const EMBED_CHARS = "embed_chars";

/** Characters of a text that are embedded: the customary models take 512 tokens, about so many characters, and drop what is beyond. */
export const EMBEDDED_CHARS_MAX = 2000;

/** The beginning of a text, whole letters of it. */
export function embeddedPart(text: string, charsMax = EMBEDDED_CHARS_MAX): string {
  if (text.length <= charsMax) return text;
  const last = text.charCodeAt(charsMax - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? charsMax - 1 : charsMax);
}
