/**
 * Texts into vectors, by the model that the deployment names: Workers AI, or the stand-in that needs no model.
 *
 * It is asked between two slices of a request, which waits for it and no longer than `EMBED_MS_MAX`. Whatever goes wrong is an
 * answer, and no exception: a search then goes by words and says what is missing.
 */
import { EMBED_MS_MAX } from "../limits";
import type { Embedder } from "../request/meaning/embedder";
import { HASHING_MODEL, hashingEmbedder } from "../request/meaning/hashing-embedder";
import type { Embedded } from "../tools/answer";
import type { DurableEnv } from "./env";
import { logLine } from "./log";

/** What we ask of the binding `AI`. */
export interface TextEmbeddings {
  run(model: string, input: { readonly text: readonly string[] }): Promise<{ readonly data?: readonly (readonly number[])[] }>;
}

/** Null where no model is configured. */
export function embedderOf({ EMBEDDING_MODEL: model, AI: ai }: Pick<DurableEnv, "EMBEDDING_MODEL" | "AI">): Embedder | null {
  if (model === undefined || model === "") return null;
  if (model === HASHING_MODEL) return hashingEmbedder;
  return {
    model,
    embed: async (texts) => {
      if (ai === undefined) throw new Error("the deployment names a model and has no binding AI");
      const { data } = await ai.run(model, { text: texts });
      return (data ?? []).map((vector) => Float32Array.from(vector));
    },
  };
}

/** Never rejects. Which kind of error it was is in the log, not in the answer. */
export async function embedTexts(embedder: Embedder | null, texts: readonly string[], msMax = EMBED_MS_MAX): Promise<Embedded> {
  if (embedder === null) return { tag: "failed", kind: "unavailable", message: "no model is configured" };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Embedded>((resolve) => {
    timer = setTimeout(
      () => resolve({ tag: "failed", kind: "timeout", message: `the model ${embedder.model} took more than ${msMax} ms` }),
      msMax,
    );
  });
  try {
    return await Promise.race([asked(embedder, texts), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function asked(embedder: Embedder, texts: readonly string[]): Promise<Embedded> {
  const failed: Embedded = { tag: "failed", kind: "unavailable", message: `the model ${embedder.model} is out of reach` };
  try {
    const vectors = await embedder.embed(texts);
    const length = vectors[0]?.length ?? 0;
    if (vectors.length === texts.length && length > 0 && vectors.every((vector) => vector.length === length))
      return { tag: "vectors", vectors };
    logLine("fault", { where: "embedding", model: embedder.model, error: `${vectors.length} vectors for ${texts.length} texts` });
  } catch (error) {
    // The platform's own errors, of any class: quota, model, network. By its name alone: a message may tell the text.
    logLine("fault", { where: "embedding", model: embedder.model, error: error instanceof Error ? error.name : "not an Error" });
  }
  return failed;
}
