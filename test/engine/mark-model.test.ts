/** Random sequences of writes, removals, marks and restores: the store against its naive twin, whole after each step. */
import { expect, test } from "vitest";
import type { Session } from "../../src/engine/session";
import { Refusal } from "../../src/failure";
import { happeningLine } from "../../src/tools/mark-tools";
import { type Held, MarkModel } from "./mark-model";
import { PLAIN, World, window } from "./store-fixture";

const CELLS = ["P.a.x", "P.b.x", "m.M.a.tags"];
const SOURCES = ["s1", "s2"];
const ENDS = [0, 10, 20];
const MARKS = ["one", "two", "three"];

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

function shown(held: readonly Held[]): string[] {
  const bound = (t: number) => (Number.isFinite(t) ? t : "-");
  return held.map((h) => `${h.value} ${h.source} [${bound(h.from)},${bound(h.to)})${h.over === null ? "" : "*"}`).sort();
}

const MODULE = {
  name: "m",
  form: "{}",
  language: "eng",
  kinds: [{ name: "m.M", fields: new Map([["tags", { type: "int" as const, many: true }]]) }],
  scripts: [],
  rules: [],
  constraints: [],
  imports: [],
};

class Pair {
  readonly world = new World();
  readonly model = new MarkModel((cell) => cell.startsWith("m.M"));
  readonly log: string[] = [];
  session: Session;
  restores = 0;

  constructor() {
    this.session = this.world.call();
    this.session.installModule(MODULE);
    this.session.checkpoint("one");
    this.model.checkpoint("one");
  }

  next(reopen: boolean): void {
    this.session.flush();
    this.session = reopen ? this.world.reopen() : this.world.call();
  }

  step(pick: (n: number) => number): unknown {
    const name = CELLS[pick(3)];
    const cell = place(name);
    const source = SOURCES[pick(2)];
    const value = 1 + pick(3);
    const [i, j] = pick(2) === 0 ? [0, 3] : [pick(4), pick(4)];
    const span = window(i === 0 ? null : ENDS[i - 1], j === 3 ? null : ENDS[j]);
    const from = span.from ?? Number.NEGATIVE_INFINITY;
    const to = span.to ?? Number.POSITIVE_INFINITY;
    const { model } = this;
    const { session } = this;
    const tell = (what: string) => this.log.push(what);
    if (model.depth > 0 && pick(6) === 0) {
      const end = pick(3) > 0;
      const commits = pick(3) > 0;
      tell(`${commits ? "commit" : "rollback"} ${end}`);
      if (commits) session.branchCommit(end);
      else session.branchRollback(end);
      return commits ? model.commit(end) : model.rollback(end);
    }
    switch (pick(18)) {
      case 0:
      case 1:
      case 2:
        if (!changes(() => session.remember(cell, value, source, span, PLAIN))) return;
        tell(`remember ${name} ${value} ${source} ${from} ${to}`);
        return model.remember(name, value, source, from, to);
      case 3:
      case 4:
      case 5:
        if (!changes(() => session.update(cell, value, source, span, PLAIN))) return;
        tell(`update ${name} ${value} ${source} ${from} ${to}`);
        return model.update(name, value, source, from, to);
      case 6:
      case 7:
        if (!changes(() => session.forget({ tag: "cell", cell }))) return;
        tell(`forget ${name}`);
        return model.forget(`removed ${name}`, (h) => h.cell === name);
      case 8:
        if (!changes(() => session.forgetValue(cell, value, source))) return;
        tell(`forget ${name} ${value} ${source}`);
        return model.forget(`removed a value of ${name}`, (h) => h.cell === name && h.value === value && h.source === source);
      case 9: {
        if (!changes(() => session.forgetRange({ tag: "subject", kind: cell.kind, subject: cell.subject }, "valid_before", 15))) return;
        tell(`forget older ${name}`);
        const isOld = (h: Held) => (h.over !== null || h.to <= session.instant) && h.from < 15;
        return model.forget(
          `removed values of ${cell.kind}.${cell.subject} valid before 1970-01-01T00:00:00.000015Z`,
          (h) => h.cell === name && isOld(h),
        );
      }
      case 10: {
        if (!changes(() => session.forgetAt(cell, 5))) return;
        tell(`forget ${name} at 5`);
        const hit = model.held.filter((h) => h.cell === name && h.over === null && h.from <= 5 && 5 < h.to);
        const also = (h: Held) => h.over !== null && hit.some((o) => o.value === h.value && o.source === h.source);
        return model.forget(
          `removed the values of ${name} in force at 1970-01-01T00:00:00.000005Z`,
          (h) => h.cell === name && (hit.includes(h) || also(h)),
        );
      }
      case 15:
        if (model.depth > 1) return;
        tell("begin");
        session.branchBegin(null);
        return model.begin();
      case 16:
        session.flush();
        return;
      case 11: {
        if (model.depth > 0) return;
        const mark = MARKS[pick(3)];
        tell(`checkpoint ${mark}`);
        expect(session.checkpoint(mark).letGo).toBe(model.checkpoint(mark));
        return this.next(pick(3) === 0);
      }
      case 12: {
        const mark = MARKS[pick(3)];
        if (pick(2) === 0 || model.depth > 0) return;
        tell(`forget_checkpoint ${mark}`);
        expect(session.forgetCheckpoint(mark)).toBe(model.forgetCheckpoint(mark));
        return this.next(false);
      }
      case 13:
      case 14: {
        const standing = [...model.marks.keys()];
        if (standing.length === 0 || model.depth > 0) return;
        const mark = standing[pick(standing.length)];
        tell(`restore ${mark}`);
        const { restored, notRestored } = session.restore(mark);
        expect({ restored, notRestored }).toEqual(model.restore(mark));
        this.restores += restored;
        expect(session.restore(mark).restored, "a second restore brings nothing back").toBe(0);
        return this.next(false);
      }
      default:
        if (model.depth > 0) return;
        tell("next call");
        return this.next(pick(4) === 0);
    }
  }

  compare(): void {
    const { session, model } = this;
    expect([...session.checkpoints()]).toEqual([...model.marks.keys()].sort());
    for (const mark of model.depth > 0 ? [] : MARKS) {
      const lines = session.diff(mark);
      expect(lines === null ? null : [...lines].map(happeningLine), `diff ${mark}`).toEqual(model.diff(mark));
    }
    for (const name of CELLS) {
      const history = session.history(place(name)).map(({ value, source, window: { from, to }, superseded }) => {
        return `${value} ${source} [${from ?? "-"},${to ?? "-"})${superseded ? "*" : ""}`;
      });
      expect(history.sort(), name).toEqual(shown(model.held.filter((h) => h.cell === name)));
      const inForce = session.get(place(name)).map((claim) => `${claim.value} ${claim.source}`);
      const wanted = model.held.filter((h) => h.cell === name && h.over === null);
      wanted.sort((a, b) => a.position - b.position || (a.from < b.from ? -1 : 1));
      expect(inForce, name).toEqual(wanted.map((h) => `${h.value} ${h.source}`));
    }
  }
}

/** True where the statement changed something; a refusal changes nothing. */
function changes(statement: () => unknown): boolean {
  try {
    return statement() !== null;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

const SEEDS = Array.from({ length: 24 }, (_, i) => i + 1);

test.each(SEEDS)("[9.7] marks agree with their naive twin, seed %i", (seed) => {
  const pair = new Pair();
  const pick = random(seed);
  try {
    for (let i = 0; i < 150; i++) {
      pair.step(pick);
      if (i % 3 === 0) pair.compare();
    }
    while (pair.model.depth > 0) {
      pair.session.branchCommit(true);
      pair.model.commit(true);
    }
    pair.compare();
  } catch (error) {
    console.error(`seed ${seed}:\n${pair.log.join("\n")}`);
    throw error;
  }
  expect(pair.restores).toBeGreaterThan(0);
  // What is let go leaves nothing behind.
  for (const mark of pair.session.checkpoints()) pair.session.forgetCheckpoint(mark);
  pair.session.flush();
  for (const table of ["change", "mark", "grave_claim", "grave_link", "grave_preference", "grave_module", "grave_part"])
    expect(pair.world.sql.exec(`SELECT count(*) FROM ${table}`), table).toEqual([[0]]);
});
