/** Worlds and the branches inside them agree with their naive twin, statement by statement. */
import { expect, test } from "vitest";
import type { Session } from "../../src/engine/session";
import { Refusal } from "../../src/failure";
import { PLAIN, shown, World, window } from "./store-fixture";
import { type Outcome, WorldTwin } from "./world-model";

const CELLS = ["P.a.x", "P.b.x", "P.a.y", "M.a.tags"];
const NAMES = ["u", "v"];
const SOURCES = ["s1", "s2"];
const ENDS = [0, 10, 20];

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

class Pair {
  readonly store = new World();
  readonly twin = new WorldTwin((cell) => cell.startsWith("M."));
  readonly log: string[] = [];
  readonly instants: number[] = [];
  session: Session;
  merged = 0;
  conflicts = 0;

  constructor() {
    this.session = this.store.call();
    this.session.installModule({
      name: "m",
      form: "{}",
      language: "eng",
      kinds: [{ name: "M", fields: new Map([["tags", { type: "int", many: true }]]) }],
      scripts: [],
      rules: [],
      constraints: [],
      imports: [],
    });
    this.next();
    for (const name of NAMES) {
      this.session.createWorld(name);
      this.twin.create(name);
    }
  }

  next(reopen = false): void {
    this.session.abandonLayers();
    this.session.flush();
    this.session = reopen ? this.store.reopen() : this.store.call();
    this.twin.now = this.session.instant;
    this.instants.push(this.session.instant);
  }

  step(pick: (n: number) => number): void {
    const { session, twin } = this;
    const name = CELLS[pick(CELLS.length)];
    const [kind, subject, field] = name.split(".");
    const where = { kind, subject, field };
    const source = SOURCES[pick(2)];
    const value = 1 + pick(3);
    const [i, j] = [pick(4), pick(4)];
    const span = window(i === 0 ? null : ENDS[i - 1], j === 3 ? null : ENDS[j]);
    const from = span.from ?? Number.NEGATIVE_INFINITY;
    const to = span.to ?? Number.POSITIVE_INFINITY;
    const world = NAMES[pick(2)];
    const inside = twin.world !== null;
    const verb = pick(32);
    // Verbs of worlds inside one are refused: most are tried outside.
    if (inside && twin.depth === 0 && [18, 22, 23].includes(verb) && pick(8) > 0) {
      session.worldEnd();
      twin.leave();
      this.log.push("leave");
    }
    switch (verb) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
      case 26:
      case 27:
        this.both(
          `remember ${name} ${value} ${source} ${i} ${j}`,
          () => session.remember(where, value, source, span, PLAIN)?.added ?? null,
          () => twin.remember(name, value, source, from, to),
        );
        return;
      case 5:
      case 6:
      case 7:
      case 8:
      case 28:
      case 29:
      case 30:
        this.both(
          `update ${name} ${value} ${source} ${i} ${j}`,
          () => session.update(where, value, source, span, PLAIN)?.added ?? null,
          () => twin.update(name, value, source, from, to),
        );
        return;
      case 9:
        this.both(
          `absent ${name} ${source} ${i} ${j}`,
          () => session.assertAbsent(where, source, span)?.added ?? null,
          () => twin.remember(name, null, source, from, to),
        );
        return;
      case 10:
        this.both(
          `forget ${name}`,
          () => session.forget({ tag: "cell", cell: where })?.removed ?? null,
          () => twin.forget(name, () => true),
        );
        return;
      case 11:
      case 12:
        this.both(
          `forget ${name} ${value} ${source}`,
          () => session.forgetValue(where, value, source)?.removed ?? null,
          () => twin.forget(name, (c) => c.value === value && c.source === source),
        );
        return;
      case 13:
        this.both(
          `prefer ${name} ${source}`,
          () => session.prefer({ tag: "cell", cell: where }, source)?.added ?? null,
          () => twin.prefer(name, source),
        );
        return;
      case 14:
        this.both(
          `unprefer ${name}`,
          () => session.unprefer({ tag: "cell", cell: where })?.added ?? null,
          () => twin.unprefer(name),
        );
        return;
      case 15:
        if (pick(2) > 0)
          this.both(
            `unpin ${name}`,
            () => session.unpin(where)?.added ?? null,
            () => twin.unpin(name),
          );
        else
          this.both(
            `pin ${name}`,
            () => session.pin(where)?.added ?? null,
            () => twin.pin(name),
          );
        return;
      case 16:
      case 17:
        if (twin.depth < 2 && pick(4) === 0) {
          session.branchBegin(null);
          twin.begin();
          this.log.push("begin");
        } else if (twin.depth > 0) {
          const commit = pick(2) === 0;
          this.log.push(commit ? "commit" : "rollback");
          if (commit) session.branchCommit(true);
          else session.branchRollback(true);
          twin.end(commit);
        }
        return;
      case 18:
        this.both(
          `create ${world}`,
          () => session.createWorld(world).added,
          () => twin.create(world),
        );
        return;
      case 19:
      case 20:
      case 21:
        if (inside && twin.depth === 0 && pick(3) > 0) return;
        if (inside && twin.depth === 0) {
          session.worldEnd();
          twin.leave();
          this.log.push("leave");
          return;
        }
        this.both(
          `enter ${world}`,
          () => {
            session.worldBegin(world);
            return 0;
          },
          () => twin.enter(world),
        );
        return;
      case 22: {
        const outcome = this.both(
          `merge ${world}`,
          () => session.mergeWorld(world).added,
          () => twin.merge(world),
        );
        if (typeof outcome === "number") this.merged++;
        if (outcome === "conflicting_write") this.conflicts++;
        return;
      }
      case 23:
        if (pick(3) > 0) return;
        this.both(
          `discard ${world}`,
          () => session.discardWorld(world).removed,
          () => twin.discard(world),
        );
        return;
      case 24:
        session.flush();
        this.log.push("flush");
        return;
      default: {
        if (twin.depth > 0) return;
        const reopen = pick(2) === 0;
        const world = twin.world;
        this.log.push(reopen ? "reopen" : "next call");
        this.next(reopen);
        twin.leave();
        // Mostly the next call goes on in the same world.
        if (world !== null && pick(4) > 0) {
          this.session.worldBegin(world);
          twin.enter(world);
          this.log.push(`again in ${world}`);
        }
      }
    }
  }

  both(what: string, real: () => Outcome, twin: () => Outcome): Outcome {
    this.log.push(what);
    let outcome: Outcome;
    try {
      outcome = real();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      outcome = error.reason;
    }
    expect(outcome, what).toBe(twin());
    return outcome;
  }

  compare(pick: (n: number) => number): void {
    const { session, twin } = this;
    expect(session.worlds()).toEqual([...twin.worlds.keys()].sort());
    for (const name of CELLS) {
      const [kind, subject, field] = name.split(".");
      const where = { kind, subject, field };
      expect(shown(session.get(where)), `get ${name}`).toEqual(twin.get(name));
      expect(shown(session.history(where)).sort(), `history ${name}`).toEqual(twin.history(name).sort());
      for (const instant of [-5, 5, 15]) {
        expect(
          answer(() => session.current(where, { at: instant })),
          `current ${name} at ${instant}`,
        ).toBe(twin.current(name, instant));
        const known = this.instants[pick(this.instants.length)];
        let values: string;
        try {
          values = session.values(where, { at: instant, knownAt: known }).join(" ");
        } catch (error) {
          values = (error as Refusal).reason;
        }
        expect(values, `known ${name} at ${instant} ${known}`).toBe(twin.knownValues(name, instant, known));
      }
    }
  }
}

function answer(read: () => { readonly value: unknown; readonly source: string } | null): string | null {
  try {
    const claim = read();
    return claim === null ? null : `${claim.value} ${claim.source}`;
  } catch (error) {
    if (error instanceof Refusal) return error.reason;
    throw error;
  }
}

const FIRST = Number(process.env["WORLD_SEED"] ?? 1);
const SEEDS = Array.from({ length: Number(process.env["WORLD_SEEDS"] ?? 16) }, (_, i) => i + FIRST);

let merged = 0;
let conflicts = 0;

test.each(SEEDS)("[rulings, Branch, world, merge] worlds agree with their naive twin, seed %i", (seed) => {
  const pair = new Pair();
  const pick = random(seed);
  try {
    for (let i = 0; i < 160; i++) {
      pair.step(pick);
      if (i % 4 === 0) pair.compare(pick);
    }
    pair.compare(pick);
  } catch (error) {
    console.error(`seed ${seed}:\n${pair.log.join("\n")}`);
    throw error;
  }
  merged += pair.merged;
  conflicts += pair.conflicts;
});

test("the sequences merged worlds and met conflicts", () => {
  expect(merged).toBeGreaterThan(10);
  expect(conflicts).toBeGreaterThan(3);
});
