/** Proofs as printed: which derivation is shown, in which order, and what repeats. */
import { expect, test } from "vitest";
import { Subject } from "../../src/datum";
import { proofJson, renderProof } from "../../src/engine/proof-text";
import { fact, storeOf } from "./rule-facts";
import { SPELL, why } from "./why-store";

const ANCESTOR = `
@rule
def base(p: P, q: P):
    when(p.parent == q)
    conclude(p.ancestor, q)

@rule
def step(p: P, q: P, r: P):
    when(p.parent == q, q.ancestor == r)
    conclude(p.ancestor, r)
`;

test("[why] the proof of least height, premises in the order the rule states them", () => {
  const store = storeOf(ANCESTOR);
  for (const f of ["P.a.parent = P.b @church", "P.b.parent = P.c [0, 10)", "P.c.parent = P.d", "P.a.parent = P.c2", "P.c2.parent = P.d"])
    store.change([fact(f)]);
  const proof = why(store, "P.a.ancestor", new Subject("P", "d"))!;
  expect(renderProof(proof, SPELL)).toBe(
    [
      "P.a.ancestor = P.d (derived by m.step)",
      "  P.a.parent = P.c2 (asserted by test)",
      "  P.c2.ancestor = P.d (derived by m.base)",
      "    P.c2.parent = P.d (asserted by test)",
    ].join("\n"),
  );
  expect(proof.claim.recordedAt).toBe(4);
  expect(renderProof(why(store, "P.a.ancestor", new Subject("P", "c"))!, SPELL)).toBe(
    [
      "P.a.ancestor = P.c (derived by m.step, valid [0, 10))",
      "  P.a.parent = P.b (asserted by church)",
      "  P.b.ancestor = P.c (derived by m.base, valid [0, 10))",
      "    P.b.parent = P.c (asserted by test, valid [0, 10))",
    ].join("\n"),
  );
  expect(why(store, "P.a.ancestor", new Subject("P", "c"), 10)).toBe(null);
});

test("[why] of equal heights the least rule name, then the least premises", () => {
  const store = storeOf(`
@rule
def b_rule(p: P):
    when(p.x > 0)
    conclude(p.good, True)

@rule
def a_rule(p: P):
    when(p.y > 0)
    conclude(p.good, True)

@rule
def via(p: P, q: P):
    when(p.friend == q, q.good == True)
    conclude(p.fine, True)
`);
  for (const f of ["P.z.x = 1", "P.z.y = 2", "P.m.friend = P.z", "P.m.friend = P.k", "P.k.x = 1"]) store.change([fact(f)]);
  expect(renderProof(why(store, "P.z.good", true)!, SPELL)).toBe(
    "P.z.good = true (derived by m.a_rule)\n  P.z.y = 2 (asserted by test)\n  2 > 0",
  );
  expect(renderProof(why(store, "P.m.fine", true)!, SPELL).split("\n")[1]).toBe("  P.m.friend = P.k (asserted by test)");
});

test("[why] a fact proved earlier in the tree is named again and not proved again", () => {
  const store = storeOf(`
@rule
def one(p: P):
    when(p.x > 0)
    conclude(p.one, True)

@rule
def two(p: P):
    when(p.one == True)
    conclude(p.two, True)

@rule
def both(p: P):
    when(p.one == True, p.two == True)
    conclude(p.both, True)
`);
  store.change([fact("P.a.x = 1")]);
  const proof = why(store, "P.a.both", true)!;
  expect(renderProof(proof, SPELL)).toBe(
    [
      "P.a.both = true (derived by m.both)",
      "  P.a.one = true (derived by m.one)",
      "    P.a.x = 1 (asserted by test)",
      "    1 > 0",
      "  P.a.two = true (derived by m.two)",
      "    P.a.one = true (see above)",
    ].join("\n"),
  );
  expect(proofJson(proof, SPELL).premises.length).toBe(2);
});

test("[why] absence, folds and computed fields show their condition, and a fold its rows", () => {
  const store = storeOf(`
@rule
def rich(c: C):
    when(absent(c.closed), sum(o.amount for o in Order if o.customer == c and o.open == True) > 10)
    conclude(c.rich, True)
`);
  for (const f of [
    "C.a.name = 1",
    "Order.y.customer = C.a",
    "Order.y.amount = 4",
    "Order.y.open = True",
    "Order.x.customer = C.a",
    "Order.x.amount = 7",
    "Order.x.open = True",
  ])
    store.change([fact(f)]);
  expect(renderProof(why(store, "C.a.rich", true)!, SPELL)).toBe(
    [
      "C.a.rich = true (derived by m.rich)",
      "  absent(C.a.closed)",
      "  Order.x.amount = 7 (asserted by test)",
      "  Order.x.customer = C.a (asserted by test)",
      "  Order.x.open = true (asserted by test)",
      "  Order.y.amount = 4 (asserted by test)",
      "  Order.y.customer = C.a (asserted by test)",
      "  Order.y.open = true (asserted by test)",
      "  sum(o.amount for o in Order if o.customer == C.a and o.open == True) [11] > 10",
    ].join("\n"),
  );
});

test("[why] a long chain is printed whole", () => {
  const store = storeOf(ANCESTOR);
  store.change(Array.from({ length: 1500 }, (_, i) => fact(`P.n${i}.parent = P.n${i + 1}`)).slice(0, 60));
  const lines = renderProof(why(store, "P.n0.ancestor", new Subject("P", "n60"))!, SPELL).split("\n");
  expect(lines.length).toBe(120);
});
