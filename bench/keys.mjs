/**
 * A key that is unknown beside one that was revoked: what each costs before its 401, in this process, by CPU time. Blocks of
 * requests take turns; equal work is held by a test, and here is whether it takes equal time.
 */
import { createHash } from "node:crypto";
import { loadInNode } from "../scripts/load-in-node.mjs";
import { median } from "./report.mjs";

const BLOCK = 200;

export async function benchKeys({ blocks = 60 } = {}) {
  const service = await loadInNode({ CALL_LOG: "off" });
  const store = await service.newStore();
  const other = await service.newStore();
  const revoked = store.keys["read-write"];
  const idOf = (key) => `key_${createHash("sha256").update(key).digest("hex").slice(0, 16)}`;
  await service.object(store.id).revokeKey(idOf(revoked));
  // Of good form and for this store, never issued: the check digits are right, since the whole key is another store's but for its store.
  const unknown = service.keyOf(store.id, other.keys.read);
  const ask = async (key) => {
    const init = { method: "POST", headers: { authorization: `Bearer ${key}` }, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' };
    const response = await service.fetch(new Request("http://127.0.0.1/", init));
    await response.text();
    if (response.status !== 401) throw new Error(`HTTP ${response.status}`);
  };
  const times = { unknown: [], revoked: [] };
  for (let block = 0; block < blocks; block++) {
    const pair = [
      ["unknown", unknown],
      ["revoked", revoked],
    ];
    for (const [name, key] of block % 2 === 0 ? pair : pair.reverse()) {
      const before = process.cpuUsage();
      for (let n = 0; n < BLOCK; n++) await ask(key);
      const { user, system } = process.cpuUsage(before);
      if (block >= 10) times[name].push((user + system) / BLOCK);
    }
  }
  service.end();
  const [u, r] = [median(times.unknown), median(times.revoked)];
  return `## A key that opens nothing\n\nCPU µs a request, median of ${times.unknown.length} blocks of ${BLOCK}: unknown ${u.toFixed(1)}, revoked ${r.toFixed(1)}, ratio ${(u / r).toFixed(3)}.`;
}
