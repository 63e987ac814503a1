import { expect, test } from "vitest";
import type { FieldType } from "../../src/engine/claim";
import type { Session } from "../../src/engine/session";
import { Refusal } from "../../src/failure";
import { PLAIN, shown, World, window } from "./store-fixture";
import { fieldOf, Model, type Outcome } from "./store-model";

const CELLS = ["P.a.x", "P.b.x", "P.a.y", "m.M.a.tags", "m.M.b.tags"];
const SOURCES = ["s1", "s2"];
const VALUES = [1, 2, 3];
const ENDS = [0, 10, 20, 30];

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

function place(name: string) {
  const parts = name.split(".");
  const field = parts.pop()!;
  const subject = parts.pop()!;
  return { kind: parts.join("."), subject, field };
}

class Pair {
  readonly world = new World();
  readonly model = new Model((name) => name.startsWith("m.M."));
  session: Session;
  readonly instants: number[] = [];
  changed = 0;
  readonly log: string[] = [];

  constructor() {
    const tags: FieldType = { type: "int", many: true };
    this.session = this.world.call();
    this.session.installModule({
      name: "m",
      form: "{}",
      language: "eng",
      kinds: [{ name: "m.M", fields: new Map([["tags", tags]]) }],
      scripts: [],
      rules: [],
      constraints: [],
      imports: [],
    });
    this.next();
  }

  next(): void {
    this.session.flush();
    this.session = this.world.call();
    this.model.now = this.session.instant;
    this.instants.push(this.session.instant);
  }

  step(pick: (n: number) => number): unknown {
    const { session, model } = this;
    const name = CELLS[pick(CELLS.length)];
    const where = place(name);
    const source = SOURCES[pick(2)];
    const value = VALUES[pick(3)];
    const [i, j] = [pick(5), pick(5)];
    const span = window(i === 0 ? null : ENDS[i - 1], j === 4 ? null : ENDS[j]);
    const from = span.from ?? Number.NEGATIVE_INFINITY;
    const to = span.to ?? Number.POSITIVE_INFINITY;
    const instant = [-5, 5, 15, 25, 35][pick(5)];
    const known = this.instants[pick(this.instants.length)];
    const isPast = (c: { goneBy: number | null; to: number }) => c.goneBy !== null || c.to <= model.now;
    switch (pick(20)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
        return this.both(
          `remember ${name} ${value} ${source} ${i} ${j}`,
          () => session.remember(where, value, source, span, PLAIN)?.added ?? null,
          () => model.remember(name, value, source, from, to),
        );
      case 5:
      case 6:
      case 7:
      case 8:
        return this.both(
          `update ${name} ${value} ${source} ${i} ${j}`,
          () => session.update(where, value, source, span, PLAIN)?.added ?? null,
          () => model.update(name, value, source, from, to),
        );
      case 9:
        return this.both(
          `absent ${name} ${source} ${i} ${j}`,
          () => session.assertAbsent(where, source, span)?.added ?? null,
          () => model.remember(name, null, source, from, to),
        );
      case 10:
        return this.both(
          `forget ${name}`,
          () => session.forget({ tag: "cell", cell: where })?.removed ?? null,
          () =>
            model.forget(
              (c) => c === name,
              () => true,
            ),
        );
      case 11:
        return this.both(
          `forget ${name} ${value} ${source}`,
          () => session.forgetValue(where, value, source)?.removed ?? null,
          () =>
            model.forget(
              (c) => c === name,
              (c) => c.value === value && c.source === source,
            ),
        );
      case 12:
        return this.both(
          `forget ${name} at ${instant}`,
          () => session.forgetAt(where, instant)?.removed ?? null,
          () => model.forgetAt(name, instant),
        );
      case 13:
        return this.both(
          `forget ${name} before`,
          () => session.forgetRange({ tag: "field", kind: where.kind, field: where.field }, "recorded_before", known)?.removed ?? null,
          () =>
            model.forget(
              (c) => fieldOf(c) === fieldOf(name),
              (c) => isPast(c) && c.recorded < known,
            ),
        );
      case 14:
        return this.both(
          `prefer ${name} ${source}`,
          () => session.prefer({ tag: "cell", cell: where }, source)?.added ?? null,
          () => model.prefer(name, source),
        );
      case 15:
        return this.both(
          `unprefer ${name}`,
          () => session.unprefer({ tag: "cell", cell: where })?.added ?? null,
          () => model.unprefer(name),
        );
      case 16:
        return pick(3) > 0
          ? this.both(
              `unpin ${name}`,
              () => session.unpin(where)?.added ?? null,
              () => model.unpin(name),
            )
          : this.both(
              `pin ${name}`,
              () => session.pin(where)?.added ?? null,
              () => model.pin(name),
            );
      case 17:
        if (model.depth < 3 && pick(2) === 0) {
          session.branchBegin(null);
          model.begin();
          this.log.push("begin");
        } else if (model.depth > 0) {
          const end = pick(2) === 0;
          const commit = pick(2) === 0;
          this.log.push(`${commit ? "commit" : "rollback"} ${end}`);
          if (commit) session.branchCommit(end);
          else session.branchRollback(end);
          if (commit) model.commit(end);
          else model.rollback(end);
        }
        return null;
      case 18:
        session.flush();
        this.log.push("flush");
        return null;
      default:
        if (model.depth > 0) return null;
        this.log.push("next call");
        this.next();
        if (pick(3) === 0) {
          this.log.push("reopen");
          this.session = this.world.reopen();
          model.now = this.session.instant;
          this.instants.push(this.session.instant);
        }
        return null;
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
    if (typeof outcome === "number") this.changed++;
    return outcome;
  }

  compare(pick: (n: number) => number): void {
    const { session, model } = this;
    for (const name of CELLS) {
      const where = place(name);
      expect(shown(session.get(where)), `get ${name}`).toEqual(model.get(name));
      expect(shown(session.history(where)).sort(), `history ${name}`).toEqual(model.history(name).sort());
      for (const instant of [-5, 0, 15, 30]) {
        const known = this.instants[pick(this.instants.length)];
        expect(
          answer(() => session.current(where, { at: instant })),
          `current ${name} at ${instant}`,
        ).toBe(model.current(name, instant));
        expect(
          answer(() => session.current(where, { at: instant, knownAt: known })),
          `known ${name} at ${instant} ${known}`,
        ).toBe(model.known(name, instant, known));
        expect(session.values(where, { at: instant })).toEqual(model.values(name, instant));
      }
    }
    for (const kind of ["P", "m.M"]) expect(session.subjects(kind, { at: 15 })).toEqual(model.subjects(kind, 15));
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

const SEEDS = Array.from({ length: 16 }, (_, i) => i + 1);

test.each(SEEDS)("[store-and-rules 1–3] the store agrees with its naive twin, seed %i", (seed) => {
  const pair = new Pair();
  const pick = random(seed);
  try {
    for (let i = 0; i < 120; i++) {
      pair.step(pick);
      if (i % 4 === 0) pair.compare(pick);
    }
    pair.compare(pick);
  } catch (error) {
    console.error(`seed ${seed}:\n${pair.log.join("\n")}`);
    throw error;
  }
  expect(pair.changed).toBeGreaterThan(20);
});
