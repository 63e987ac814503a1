/**
 * Rules in worlds and in the branches inside them: after each statement what they conclude is what they conclude in a
 * store opened anew, in which the claims that show were simply recorded (rulings, "Meaning of rules, recursion").
 */
import { expect, test } from "vitest";
import { type Datum, Subject } from "../../src/datum";
import type { Cell, Claim } from "../../src/engine/claim";
import { Reasoner } from "../../src/engine/reasoner";
import type { Session } from "../../src/engine/session";
import { Refusal } from "../../src/failure";
import { RULE_CALCULUS } from "../../src/lang/declare/rule-calculus";
import { declareSource } from "./rule-source";
import { PLAIN, World, window } from "./store-fixture";

const SOURCE = `class P:
    boss: P
    rank: int
    tags: many[string]
    chief: many[P]
    level: string
    total: int

@rule
def chief_base(p: P, q: P):
    when(p.boss == q)
    conclude(p.chief, q)

@rule
def chief_step(p: P, q: P, r: P):
    when(p.boss == q, q.chief == r)
    conclude(p.chief, r)

@rule
def lonely(p: P):
    when(present(p.rank), absent(p.boss))
    conclude(p.lonely, True)

@rule
def total(p: P):
    when(present(p.rank))
    conclude(p.total, sum(q.rank for q in P if q.boss == p))

@rule
def level(p: P):
    when(p.rank > 2, not_asserted(p.level))
    conclude(p.level, "high")

@rule
def tagged(p: P, t: string):
    when(p.tags == t, none(q for q in P if q.boss == p))
    conclude(p.leaf, t)
`;
const DECLARED = declareSource(SOURCE);
const MODULE = {
  name: "m",
  form: "{}",
  language: "eng",
  kinds: DECLARED.kinds,
  scripts: [],
  rules: DECLARED.rules,
  constraints: DECLARED.constraints,
  imports: [],
};
const SUBJECTS = ["a", "b", "c", "d"];
const CONCLUDED = ["chief", "lonely", "total", "level", "leaf"];
const RECORDED = ["boss", "rank", "tags", "level"];
const ENDS = [0, 10, 20];

function place(subject: string, field: string): Cell {
  return { kind: "m.P", subject, field };
}

function store(): World {
  return new World({ reasoner: (symbols, facts) => new Reasoner(symbols, facts, RULE_CALCULUS) });
}

/** Every conclusion that shows, with its windows. */
function concluded(session: Session): string[] {
  const lines: string[] = [];
  for (const subject of SUBJECTS) {
    for (const field of CONCLUDED) {
      for (const { trust, rule, value, window: span } of session.get(place(subject, field))) {
        if (trust === "derived") lines.push(`${subject}.${field} = ${spell(value)} by ${rule} [${span.from}, ${span.to})`);
      }
    }
  }
  return lines;
}

function spell(value: Datum): string {
  return value instanceof Subject ? value.name : JSON.stringify(value);
}

/** The same claims, recorded in a store that knows nothing else. */
function anew(session: Session): string[] {
  const claims: Claim[] = [];
  for (const subject of SUBJECTS) {
    for (const field of RECORDED) claims.push(...session.get(place(subject, field)).filter(({ trust }) => trust === "asserted"));
  }
  claims.sort(
    (a, b) => a.position - b.position || (a.window.from ?? Number.NEGATIVE_INFINITY) - (b.window.from ?? Number.NEGATIVE_INFINITY),
  );
  const fresh = store().call();
  fresh.installModule({ ...MODULE, rules: [] });
  for (const { cell, value, source, window: span } of claims) {
    if (value === null) fresh.assertAbsent(cell, source, span);
    else fresh.remember(cell, value, source, span, PLAIN);
  }
  fresh.installModule(MODULE);
  return concluded(fresh);
}

/** mulberry32: a seed gives one sequence on every machine. */
function random(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

const FIRST = Number(process.env["WORLD_SEED"] ?? 1);
const SEEDS = Array.from({ length: Number(process.env["WORLD_SEEDS"] ?? 8) }, (_, i) => i + FIRST);

let landed = 0;

test.each(SEEDS)("[rulings, Meaning of rules] what rules conclude in a world, seed %i", (seed) => {
  const pick = random(seed);
  const log: string[] = [];
  const world = store();
  let session = world.call();
  session.installModule(MODULE);
  session.createWorld("w");
  let inside = false;
  let depth = 0;
  const step = (): void => {
    const subject = SUBJECTS[pick(SUBJECTS.length)];
    const field = RECORDED[pick(RECORDED.length)];
    const value: Datum = field === "boss" ? new Subject("m.P", SUBJECTS[pick(4)]) : field === "rank" ? 1 + pick(4) : ["x", "y"][pick(2)];
    const source = ["s", "t"][pick(2)];
    const [i, j] = [pick(4), pick(6)];
    const span = window(i === 0 ? null : ENDS[i - 1], j > 2 ? null : ENDS[j]);
    const what = `${subject}.${field} ${spell(value)} ${source} ${span.from} ${span.to}`;
    switch (pick(14)) {
      case 0:
      case 1:
      case 2:
      case 3:
        log.push(`remember ${what}`);
        session.remember(place(subject, field), value, source, span, PLAIN);
        return;
      case 4:
      case 5:
      case 6:
        log.push(`update ${what}`);
        session.update(place(subject, field), value, source, span, PLAIN);
        return;
      case 7:
        log.push(`absent ${what}`);
        session.assertAbsent(place(subject, field), source, span);
        return;
      case 8:
        log.push(`forget ${what}`);
        session.forgetValue(place(subject, field), value, source);
        return;
      case 9:
      case 10:
        if (depth > 0) return;
        log.push(inside ? "leave" : "enter");
        if (inside) session.worldEnd();
        else session.worldBegin("w");
        inside = !inside;
        return;
      case 11:
        if (depth === 0) {
          log.push("begin");
          session.branchBegin(null);
          depth++;
        } else {
          const commit = pick(2) === 0;
          log.push(commit ? "commit" : "rollback");
          depth--;
          if (commit) session.branchCommit(true);
          else session.branchRollback(true);
        }
        return;
      case 12:
        if (depth > 0) return;
        log.push("reopen");
        session.flush();
        session = pick(2) === 0 ? world.reopen() : world.call();
        inside = false;
        return;
      default:
        if (depth > 0 || inside) return;
        log.push("merge");
        session.mergeWorld("w");
        session.createWorld("w");
        landed++;
    }
  };
  try {
    for (let i = 0; i < 60; i++) {
      try {
        step();
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        log.push(`  ${error.reason}`);
        if (error.reason === "conflicting_write" && log.at(-2) === "merge") session.discardWorld("w");
        if (session.worlds().length === 0) session.createWorld("w");
      }
      expect(concluded(session)).toEqual(anew(session));
    }
  } catch (error) {
    console.error(`seed ${seed}:\n${log.join("\n")}`);
    throw error;
  }
});

test("the sequences merged worlds", () => {
  expect(DECLARED.diagnostics).toEqual([]);
  expect(landed).toBeGreaterThan(2);
});
