/**
 * An embedder without a model: a text as the words and parts of words in it, each hashed onto a place of the vector.
 *
 * It knows nothing of meaning, but that `fishery` and `fishing` are alike. It stands in for a model where there is none to
 * be had, in tests and on a developer's machine, and gives the same vector for the same text everywhere.
 */
import { SipKey, sipHash, sipResult } from "../../engine/siphash";
import type { Embedder } from "./embedder";

const DIMENSIONS = 512;
const WORD = /[\p{L}\p{N}]+/gu;
const PART_LETTERS = 3;
/** A whole word says more than its parts. */
const WORD_WEIGHT = 2;
const KEY = new SipKey([0x6861_7368_2d65_6d62n, 0x6564_6465_722d_3235n]);

export const HASHING_MODEL = "hash-512";

export const hashingEmbedder: Embedder = {
  model: HASHING_MODEL,
  embed: async (texts) => texts.map(hashedVector),
};

export function hashedVector(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    add(vector, word, WORD_WEIGHT);
    for (let i = 0; i + PART_LETTERS <= word.length; i++) add(vector, word.slice(i, i + PART_LETTERS), 1);
  }
  return vector;
}

function add(vector: Float32Array, feature: string, weight: number): void {
  const bytes = new Uint8Array(feature.length * 2);
  for (let i = 0; i < feature.length; i++) {
    bytes[2 * i] = feature.charCodeAt(i) & 0xff;
    bytes[2 * i + 1] = feature.charCodeAt(i) >> 8;
  }
  sipHash(KEY, bytes);
  vector[sipResult.low % DIMENSIONS] += sipResult.high & 1 ? weight : -weight;
}
