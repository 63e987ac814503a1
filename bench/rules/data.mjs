/**
 * The data of the rule benchmarks, the same for every peer: three graphs, a tree, 100,000 orders. Deterministic.
 *
 * Node names are ints from 1; an edge is `[from, to]`.
 */

/** mulberry32: doubles in [0, 1). */
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const GRAPHS = {
  /** 1 → 2 → … → 1000. */
  chain() {
    return Array.from({ length: 999 }, (_, i) => [i + 1, i + 2]);
  },
  /** 3,000 edges among 1,000 nodes; most of them lie on cycles. */
  random() {
    const next = randomOf(42);
    const seen = new Set();
    const edges = [];
    while (edges.length < 3000) {
      const from = 1 + Math.floor(next() * 1000);
      const to = 1 + Math.floor(next() * 1000);
      const key = from * 4096 + to;
      if (from === to || seen.has(key)) continue;
      seen.add(key);
      edges.push([from, to]);
    }
    return edges;
  },
  /** 20 rows of 50, edges to the right and down. */
  grid() {
    const edges = [];
    for (let row = 0; row < 20; row++)
      for (let column = 0; column < 50; column++) {
        const node = row * 50 + column + 1;
        if (column < 49) edges.push([node, node + 1]);
        if (row < 19) edges.push([node, node + 50]);
      }
    return edges;
  },
};

/** Facts of the closure: as built, after A, B, C and D of `changesOf`. */
export const CLOSURE_COUNTS = {
  chain: [499_500, 500_500, 500_500, 499_500, 312_250],
  random: [880_793, 881_728, 881_728, 880_793, 880_793],
  grid: [266_750, 267_750, 267_750, 266_750, 266_126],
};
export const GENERATION_COUNT = 1_398_100;
export const ORDER_GROUPS = 900;
export const ORDER_SUM = 20_273_017;

/** A: an edge to or from a new node. B: an edge that adds nothing. C: takes A away. D: an edge that takes facts with it, or has other ways. */
export function changesOf(graph, edges) {
  if (graph === "chain") return { A: [1000, 1001], B: [250, 750], D: [500, 501] };
  if (graph === "grid") return { A: [1001, 1], B: [1, 1000], D: [526, 527] };
  const forward = Array.from({ length: 1002 }, () => []);
  const backward = Array.from({ length: 1002 }, () => []);
  for (const [from, to] of edges) {
    forward[from].push(to);
    backward[to].push(from);
  }
  const reached = (start, next) => {
    const seen = new Set();
    const waiting = [start];
    while (waiting.length > 0) {
      for (const node of next[waiting.pop()]) {
        if (seen.has(node)) continue;
        seen.add(node);
        waiting.push(node);
      }
    }
    return seen;
  };
  const [root] = edges.find(([from]) => {
    const there = reached(from, forward);
    return there.has(from) && there.size > 500;
  });
  const back = reached(root, backward);
  const cycle = [...reached(root, forward)].filter((node) => back.has(node)).sort((a, b) => a - b);
  const inside = new Set(cycle);
  const from = cycle[10];
  const to = cycle.slice(300).find((node) => node !== from && !edges.some(([a, b]) => a === from && b === node));
  return { A: [1001, root], B: [from, to], D: edges.find(([a, b]) => inside.has(a) && inside.has(b)) };
}

/** `[parent, child]` of a full binary tree of depth 10. */
export function tree() {
  return Array.from({ length: 2046 }, (_, i) => [(i + 2) >> 1, i + 2]);
}

/** `[id, customer, amount]`; every tenth order is refunded, every tenth customer blocked. */
export function orders() {
  const next = randomOf(7);
  const list = [];
  for (let id = 1; id <= 100_000; id++) list.push([id, 1 + Math.floor(next() * 1000), 1 + Math.floor(next() * 500)]);
  const tenths = (end) => Array.from({ length: end / 10 }, (_, i) => (i + 1) * 10);
  return { orders: list, refunded: tenths(100_000), blocked: tenths(1000) };
}

/** The longest way that a proof is asked for. */
export const PROOF_GOALS = { chain: [1, 1000], grid: [1, 1000], random: [602, 333] };
