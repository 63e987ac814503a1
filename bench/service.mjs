/** A service of its own for a benchmark, with one store: ended, and all it wrote removed, whatever happens. */
import { startTrial } from "../scripts/trial-service.mjs";

/** @param work  Gets where the service is (`url`), its store's `keys` by level, and `post(url, key, body)`: the text of the answer. */
export async function withService(work) {
  const service = await startTrial();
  try {
    const { keys } = await service.newStore();
    const post = async (url, key, body) => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).text();
    };
    return await work({ url: service.url, keys, post });
  } finally {
    await service.end();
  }
}
