/**
 * Groups of folds are kept over writes: at each step what stands is what a store that was given the facts at once works
 * out, which folds every group from nothing.
 */
import { expect, test } from "vitest";
import { Datetime, type Datum, Float, StoredCollection, Subject } from "../../src/datum";
import { Refusal } from "../../src/failure";
import { storeOf } from "./rule-facts";
import { type Recorded, TestStore } from "./rule-world";

const RULES = `
@rule
def orders(c: Customer):
    when(absent(c.blocked))
    conclude(c.orders, count(o for o in Order if o.customer == c and absent(o.refunded)))

@rule
def total(c: Customer):
    conclude(c.total, sum(o.amount for o in Order if o.customer == c))

@rule
def mean(c: Customer):
    conclude(c.mean, avg(o.amount for o in Order if o.customer == c and o.amount != 3))

@rule
def least(c: Customer):
    conclude(c.least, min(o.amount for o in Order if o.customer == c))

@rule
def most(c: Customer):
    conclude(c.most, max(o.amount for o in Order if o.customer == c and present(o.tag)))

@rule
def weighed(c: Customer):
    conclude(c.weighed, sum(o.amount * c.rate for o in Order if o.customer == c))

@rule
def above(c: Customer):
    conclude(c.above, count(o for o in Order if o.amount > c.rate))

@rule
def all_orders(c: Customer):
    when(c.blocked == True)
    conclude(c.everything, count(o for o in Order if present(o.amount)))

@rule
def shared(c: Customer, d: Customer):
    when(c.friend == d)
    conclude(c.shared, count(o for o in Order if o.customer == c and o.tag == d.tag and o.customer == d))

@rule
def many(c: Customer):
    when(count(o for o in Order if o.customer == c) >= 2, sum(o.amount for o in Order if o.customer == c) > 4)
    conclude(c.many, True)

@rule
def upper(c: Customer):
    conclude(c.upper, sum(o.orders for o in Customer if c.friend == o))
`;

class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = (seed * 2654435761 + 99) >>> 0;
  }
  below(n: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return (this.#state >>> 8) % n;
  }
  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}

const tuple = (...items: Datum[]) => new StoredCollection("tuple", items);
const AMOUNTS: readonly Datum[] = [0, 1, 2, 3, 3, 5, 7, 9007199254740991, 9007199254740991, -4];
const ODD_AMOUNTS: readonly Datum[] = [
  new Float(0.1),
  new Float(0.2),
  new Float(1e300),
  new Float(-1e300),
  new Float(3),
  new Float(Number.NaN),
  new Float(Number.POSITIVE_INFINITY),
  true,
  "a",
  new Datetime(7),
  2n ** 80n,
  tuple(1, "a"),
  tuple(1, 3),
  tuple(0, 0),
];

function randomFact(random: Random, seed: number): Recorded {
  const order = `o${random.below(9)}`;
  const customer = `c${random.below(3)}`;
  const windowed = seed % 3 === 0 && random.below(4) === 0;
  const from = windowed ? random.below(3) : Number.NEGATIVE_INFINITY;
  const to = windowed && random.below(2) === 0 ? from + 1 + random.below(3) : Number.POSITIVE_INFINITY;
  const amount = seed % 2 === 0 && random.below(3) === 0 ? random.of(ODD_AMOUNTS) : random.of(AMOUNTS);
  const made = random.of<[string, string, string, Datum]>([
    ["Order", order, "customer", new Subject("Customer", customer)],
    ["Order", order, "customer", new Subject("Customer", customer)],
    ["Order", order, "amount", amount],
    ["Order", order, "amount", amount],
    ["Order", order, "refunded", true],
    ["Order", order, "tag", random.below(2)],
    ["Customer", customer, "tag", random.below(2)],
    ["Customer", customer, "rate", random.of<Datum>([1, 2, new Float(0.5)])],
    ["Customer", customer, "blocked", true],
    ["Customer", customer, "friend", new Subject("Customer", `c${random.below(3)}`)],
  ]);
  const [kind, subject, field, value] = made;
  return { kind, subject, field, value, from, to };
}

function meets(a: Recorded, b: Recorded): boolean {
  return a.kind === b.kind && a.subject === b.subject && a.field === b.field && a.from! < b.to! && b.from! < a.to!;
}

/** Steps of a random store, each with what stands after it. */
function run(seed: number, eachStep: (store: TestStore, held: readonly Recorded[], step: number) => void): void {
  const random = new Random(seed);
  const store = storeOf(RULES);
  const held: Recorded[] = [];
  for (let step = 0; step < 24; step++) {
    const add: Recorded[] = [];
    const remove: Recorded[] = [];
    for (let i = random.below(4); i >= 0; i--) {
      if (held.length > 12 && random.below(2) === 0) remove.push(...held.splice(random.below(held.length), 1));
      else {
        const made = randomFact(random, seed);
        if (![...held, ...add].some((other) => meets(made, other))) add.push(made);
      }
    }
    held.push(...add);
    store.change(add, remove);
    eachStep(store, held, step);
  }
}

const SEEDS = Array.from({ length: 8 }, (_, i) => i + 1);

test("[rules] folds kept over writes are those of a store given the facts at once", () => {
  let concluded = 0;
  for (const seed of SEEDS) {
    run(seed, (store, held, step) => {
      const fresh = new TestStore();
      fresh.setRules(store.reasoner.rules());
      fresh.change(held);
      const derived = store.derived();
      expect(derived, `seed ${seed} step ${step}`).toEqual(fresh.derived());
      concluded += derived.length;
      // Facts first, then the rules: groups are folded in one go, and kept from there.
      const filled = new TestStore();
      filled.change(held);
      filled.setRules(store.reasoner.rules());
      expect(filled.derived(), `filled, seed ${seed} step ${step}`).toEqual(derived);
      if (step % 4 > 0 || held.length === 0) return;
      const gone = held[step % held.length]!;
      filled.change([], [gone]);
      fresh.change([], [gone]);
      expect(filled.derived(), `filled, one less, seed ${seed} step ${step}`).toEqual(fresh.derived());
    });
  }
  expect(concluded).toBeGreaterThan(2_000);
});

test("[rules] two stores with the same facts hold the same folds, whatever came and went between", () => {
  for (const seed of SEEDS) {
    let held: readonly Recorded[] = [];
    let straight: TestStore | null = null;
    run(seed, (store, now) => {
      held = [...now];
      straight = store;
    });
    const other = storeOf(RULES);
    // The same facts by another way: more of them first, one at a time, and the surplus taken out in the end.
    const surplus: Recorded[] = [];
    const random = new Random(seed + 1000);
    for (let i = 0; i < 10; i++) {
      const made = { ...randomFact(random, seed), subject: `x${i}` };
      surplus.push(made);
      other.change([made]);
    }
    for (const fact of [...held].reverse()) other.change([fact]);
    for (const fact of surplus) other.change([], [fact]);
    expect(other.derived(), `seed ${seed}`).toEqual(straight!.derived());
  }
});

test("[rules] a statement that is refused leaves the folds as they were", () => {
  const store = storeOf(`${RULES}
@rule
def pairs(o: Order, p: Order):
    when(o.pair == True, p.pair == True)
    conclude(o.pairs, p)
`);
  const order = (i: number, field: string, value: Datum): Recorded => ({ kind: "Order", subject: `o${i}`, field, value });
  const customer = new Subject("Customer", "c");
  store.change([1, 2, 3].flatMap((i) => [order(i, "customer", customer), order(i, "amount", i)]));
  store.change([order(4, "customer", customer), order(4, "amount", 10)]);
  const before = store.derived();
  expect(before).toContain("Customer.c.total = 16 m.total");
  const many = Array.from({ length: 1300 }, (_, i) => order(i, "pair", true));
  expect(() => store.change([order(5, "customer", customer), order(5, "amount", 50), ...many])).toThrow(Refusal);
  expect(store.derived()).toEqual(before);
  store.change([order(6, "customer", customer), order(6, "amount", 1)], [order(1, "amount", 1)]);
  expect(store.derived()).toContain("Customer.c.total = 16 m.total");
  expect(store.derived()).toContain("Customer.c.least = 1 m.least");
});

test("[rules] a write costs the rows it touches, not the group they are in", () => {
  // One statement may look at a hundred rows: a group folded at each write would be refused long before it has a thousand.
  const store = storeOf(RULES, 100);
  const customer = new Subject("Customer", "c");
  for (let i = 0; i < 1000; i++) {
    store.change([{ kind: "Order", subject: `o${i}`, field: "customer", value: customer }]);
    store.change([{ kind: "Order", subject: `o${i}`, field: "amount", value: 1 + (i % 7) }]);
  }
  expect(store.derived()).toContain("Customer.c.orders = 1000 m.orders");
  expect(store.derived()).toContain("Customer.c.total = 3997 m.total");
  expect(store.derived()).toContain("Customer.c.least = 1 m.least");
});
