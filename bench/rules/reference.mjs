/**
 * The same work by hand in plain JavaScript, for the rules of one workload only: no product, but how fast one thread of
 * this engine can be. Facts lost are found by rank, as ours are.
 */
import { CLOSURE_COUNTS, changesOf, GENERATION_COUNT, GRAPHS, ORDER_GROUPS, ORDER_SUM, orders, tree } from "./data.mjs";
import { check, tell, timed } from "./harness.mjs";

const SHIFT = 4096;
const list = (map, key) => {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = [];
  map.set(key, made);
  return made;
};

class Closure {
  next = new Map();
  back = new Map();
  paths = new Map();
  count = 0;

  load(edges) {
    for (const [from, to] of edges) list(this.next, from).push(to);
    let todo = [];
    for (const edge of edges) if (this.add(edge[0], edge[1])) todo.push(edge[0], edge[1]);
    while (todo.length > 0) {
      const grown = [];
      for (let i = 0; i < todo.length; i += 2)
        for (const to of this.next.get(todo[i + 1]) ?? []) if (this.add(todo[i], to)) grown.push(todo[i], to);
      todo = grown;
    }
  }
  add(from, to) {
    let ends = this.paths.get(from);
    if (ends === undefined) this.paths.set(from, (ends = new Set()));
    if (ends.has(to)) return false;
    ends.add(to);
    this.count++;
    return true;
  }
}

class RankedClosure {
  next = new Map();
  back = new Map();
  ranks = new Map();

  link(from, to) {
    list(this.next, from).push(to);
    list(this.back, to).push(from);
  }
  load(edges) {
    for (const [from, to] of edges) this.link(from, to);
    this.grow(edges.filter(([from, to]) => this.put(from, to, 1)).flat());
  }
  put(from, to, rank) {
    const key = from * SHIFT + to;
    if (this.ranks.has(key)) return false;
    this.ranks.set(key, rank);
    return true;
  }
  grow(start) {
    let todo = start;
    while (todo.length > 0) {
      const grown = [];
      for (let i = 0; i < todo.length; i += 2) {
        const rank = this.ranks.get(todo[i] * SHIFT + todo[i + 1]) + 1;
        for (const to of this.next.get(todo[i + 1]) ?? []) if (this.put(todo[i], to, rank)) grown.push(todo[i], to);
      }
      todo = grown;
    }
  }
  more(from, to) {
    this.link(from, to);
    const todo = [];
    if (this.put(from, to, 1)) todo.push(from, to);
    for (let start = 1; start <= 1001; start++) {
      const rank = this.ranks.get(start * SHIFT + from);
      if (rank !== undefined && this.put(start, to, rank + 1)) todo.push(start, to);
    }
    this.grow(todo);
  }
  less(from, to) {
    this.next.get(from).splice(this.next.get(from).indexOf(to), 1);
    this.back.get(to).splice(this.back.get(to).indexOf(from), 1);
    const doubts = [];
    const seen = new Set();
    const doubt = (key) => {
      const rank = this.ranks.get(key);
      if (rank === undefined || seen.has(key)) return;
      seen.add(key);
      (doubts[rank] ??= []).push(key);
    };
    doubt(from * SHIFT + to);
    for (let start = 1; start <= 1001; start++) if (this.ranks.has(start * SHIFT + from)) doubt(start * SHIFT + to);
    const lost = [];
    for (let rank = 0; rank < doubts.length; rank++)
      for (const key of doubts[rank] ?? []) {
        const start = Math.floor(key / SHIFT);
        const end = key % SHIFT;
        if (this.next.get(start)?.includes(end)) continue;
        if ((this.back.get(end) ?? []).some((middle) => (this.ranks.get(start * SHIFT + middle) ?? rank) < rank)) continue;
        this.ranks.delete(key);
        lost.push(key);
        for (const further of this.next.get(end) ?? []) doubt(start * SHIFT + further);
      }
    const todo = [];
    for (const key of lost) {
      const start = Math.floor(key / SHIFT);
      const end = key % SHIFT;
      const middle = (this.back.get(end) ?? []).find((m) => this.ranks.has(start * SHIFT + m));
      if (middle !== undefined && this.put(start, end, this.ranks.get(start * SHIFT + middle) + 1)) todo.push(start, end);
    }
    this.grow(todo);
  }
}

function closure(graph) {
  const edges = GRAPHS[graph]();
  const want = CLOSURE_COUNTS[graph];
  const plain = new Closure();
  const [s] = timed(() => plain.load(edges));
  check(graph, plain.count, want[0]);
  plain.paths.clear();
  const ranked = new RankedClosure();
  ranked.load(edges);
  const changes = changesOf(graph, edges);
  const step = (work, count) => {
    const [time] = timed(work);
    check(`${graph} after a change`, ranked.ranks.size, count);
    return time;
  };
  const A = step(() => ranked.more(...changes.A), want[1]);
  const B = step(() => ranked.more(...changes.B), want[2]);
  const C = step(() => ranked.less(...changes.A), want[3]);
  const D = step(() => ranked.less(...changes.D), want[4]);
  return { s, A, B, C, D };
}

function generation() {
  const children = new Map();
  for (const [parent, child] of tree()) list(children, parent).push(child);
  const [s, count] = timed(() => {
    const same = new Set();
    let todo = [];
    const add = (x, y) => {
      const key = x * SHIFT + y;
      if (same.has(key)) return;
      same.add(key);
      todo.push(key);
    };
    for (const ones of children.values()) for (const x of ones) for (const y of ones) add(x, y);
    while (todo.length > 0) {
      const now = todo;
      todo = [];
      for (const key of now)
        for (const x of children.get(Math.floor(key / SHIFT)) ?? []) for (const y of children.get(key % SHIFT) ?? []) add(x, y);
    }
    return same.size;
  });
  check("same generation", count, GENERATION_COUNT);
  return { s };
}

function totals() {
  const all = orders();
  const [s, sums] = timed(() => {
    const refunded = new Set(all.refunded);
    const blocked = new Set(all.blocked);
    const counts = new Map();
    const found = new Map();
    for (const [id, customer, amount] of all.orders) {
      if (refunded.has(id) || blocked.has(customer)) continue;
      counts.set(customer, (counts.get(customer) ?? 0) + 1);
      found.set(customer, (found.get(customer) ?? 0) + amount);
    }
    return found;
  });
  check("groups", sums.size, ORDER_GROUPS);
  check(
    "sum",
    [...sums.values()].reduce((a, b) => a + b, 0),
    ORDER_SUM,
  );
  return { s };
}

const workload = process.argv[2];
tell(workload === "generation" ? generation() : workload === "totals" ? totals() : closure(workload));
