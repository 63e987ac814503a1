/**
 * The store and its naive twin side by side: one sequence of operations done to both, what each says of every statement
 * and every read compared. A sequence is numbers and nothing else, so that any part of it is a sequence too: what fails
 * is shrunk by leaving operations out.
 */
import { type Datum, Float, Subject } from "../../src/datum";
import type { Claim, Level, RangeKeyword, Target, Window } from "../../src/engine/claim";
import { Reasoner } from "../../src/engine/reasoner";
import type { CellTerm, Rule } from "../../src/engine/rule";
import type { Session } from "../../src/engine/session";
import { Store } from "../../src/engine/store";
import { EngineError, Refusal } from "../../src/failure";
import { RULE_CALCULUS } from "../../src/lang/declare/rule-calculus";
import { happeningLine } from "../../src/tools/mark-tools";
import { CipherNode } from "./cipher-node";
import { SqlNode } from "./sql-node";
import { fieldName, fieldOf, INSTANTS, kindOf, Model, Refused, show, subjectOf } from "./store-model";
import { checkpoint, diff, forgetCheckpoint, restore } from "./store-model-marks";
import { type CopyRule, forgetModule, forgetRule, install, READ_BY_READER, READER, SHAPES, type Shape } from "./store-model-modules";

/** What to do, and numbers that say to what. */
export type Operation = readonly number[];
const NUMBERS_EACH = 9;

const CELLS = [
  "P.a.x",
  "P.b.x",
  "P.a.y",
  "m.M.a.n",
  "m.M.b.n",
  "m.M.a.t",
  "m.M.b.t",
  "m.M.a.f",
  "m.M.a.g",
  "m.M.a.c",
  "m.M.a.r",
  "m.M.a.z",
];
/** The cells that half of all operations are about. */
const BUSY = [0, 3, 5, 8];
const SOURCES = ["s1", "s2", "s3", "m.gives", ""];
const VALUES: readonly Datum[] = [1, 2, 3, new Float(1), new Float(2.5), true, "t", new Subject("P", "a"), new Subject("m.M", "a"), null];
const ENDS = [0, 10, 20, 30];
const MARKS = ["one", "two", "three"];
const KEYWORDS: readonly RangeKeyword[] = ["recorded_before", "recorded_at_or_before", "valid_before", "valid_at_or_before"];
const QUALIFIERS: readonly { readonly text: string; readonly given: ReadonlyMap<string, Datum> }[] = [
  { text: "", given: new Map() },
  { text: "a=1", given: new Map([["a", 1]]) },
  {
    text: "a=1,b='x'",
    given: new Map<string, Datum>([
      ["a", 1],
      ["b", "x"],
    ]),
  },
  {
    text: "a=1,b='x'",
    given: new Map<string, Datum>([
      ["b", "x"],
      ["a", 1],
    ]),
  },
];

/** mulberry32: a seed gives one sequence on every machine. */
export function operations(seed: number, count: number): Operation[] {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % 10_000;
  };
  return Array.from({ length: count }, () => Array.from({ length: NUMBERS_EACH }, next));
}

/** Where two answers differ. */
export class Disagreement extends Error {
  constructor(
    readonly what: string,
    readonly store: unknown,
    readonly twin: unknown,
  ) {
    super(`${what}: the store says ${JSON.stringify(store)}, its twin ${JSON.stringify(twin)}`);
  }
}

/** Does all of them; gives what was done in words. Throws where the two disagree. */
export function replay(sequence: readonly Operation[], log: string[] = []): Pair {
  const pair = new Pair(log);
  for (const operation of sequence) pair.step(operation);
  pair.end();
  return pair;
}

/** The sequence without what it does not take to fail, and what fails then. */
export function shrunk(sequence: readonly Operation[]): {
  readonly sequence: readonly Operation[];
  readonly log: string[];
  readonly error: unknown;
} {
  let least = [...sequence];
  for (let size = Math.ceil(least.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < least.length; ) {
      const shorter = [...least.slice(0, at), ...least.slice(at + size)];
      if (failure(shorter) === null) at += size;
      else least = shorter;
    }
  }
  const log: string[] = [];
  return { sequence: least, log, error: failure(least, log) };
}

function failure(sequence: readonly Operation[], log: string[] = []): unknown {
  try {
    replay(sequence, log);
    return null;
  } catch (error) {
    return error;
  }
}

export class Pair {
  readonly sql = new SqlNode();
  readonly #cipher = new CipherNode();
  #store: Store;
  #wall = 1_000_000;
  readonly model = new Model();
  readonly instants: number[] = [];
  session: Session;
  /** What the sequence came to, so that a test can see that it did something. */
  readonly done = { changed: 0, refused: 0, restored: 0 };

  constructor(readonly log: string[]) {
    this.#store = this.#open();
    this.session = this.#call("read-write-delete", "key-1");
    this.#began();
  }

  step(operation: Operation): void {
    const [what, a, b, c, d, e, f, g, h] = operation;
    // Half of it all meets at few cells, or little would ever happen to one.
    const cell = a % 2 === 0 ? CELLS[BUSY[(a >> 1) % BUSY.length]] : CELLS[(a >> 1) % CELLS.length];
    const where = placeOf(cell);
    const source = SOURCES[b % 40 === 0 ? 4 : b % 20 === 1 ? 3 : [0, 1, 0, 1, 2][b % 5]];
    const value = VALUES[c % 3 > 0 ? c % 2 : c % VALUES.length];
    const [i, j] = d % 2 === 0 ? [0, 4] : [d % 5, e % 5];
    const span: Window = { from: i === 0 ? null : ENDS[i - 1], to: j === 4 ? null : ENDS[j] };
    const bounds = { from: span.from ?? Number.NEGATIVE_INFINITY, to: span.to ?? Number.POSITIVE_INFINITY };
    const { text, given } = QUALIFIERS[e % 3 > 0 ? 0 : e % QUALIFIERS.length];
    const said = `${cell} ${show(value)} ${source} [${span.from ?? "-"},${span.to ?? "-"}) ${text}`;
    const { model, session } = this;
    switch (WHAT[what % WHAT.length]) {
      case "remember":
        this.#both(
          `remember ${said}`,
          () => session.remember(where, value, source, span, given)?.added,
          () => model.remember(cell, value, source, bounds, text),
        );
        break;
      case "update":
        this.#both(
          `update ${said}`,
          () => session.update(where, value, source, span, given)?.added,
          () => model.update(cell, value, source, bounds, text),
        );
        break;
      case "absent":
        this.#both(
          `assert_absent ${said}`,
          () => session.assertAbsent(where, source, span)?.added,
          () => model.remember(cell, null, source, bounds, "", true),
        );
        break;
      case "forget": {
        const { target, name, covers } = targetOf(cell, f % 2 === 0 ? 0 : f % 4);
        if (target.tag === "kind" || target.tag === "field") {
          this.#both(
            `forget ${name}`,
            () => session.forget(target)?.removed,
            () => model.forgetWhole(name),
          );
        } else
          this.#both(
            `forget ${name}`,
            () => session.forget(target)?.removed,
            () => model.forget(name, covers),
          );
        break;
      }
      case "forget value":
        this.#both(
          `forget ${cell} ${show(value)} ${source}`,
          () => session.forgetValue(where, value, source)?.removed,
          () => model.forgetValue(cell, value, source),
        );
        break;
      case "forget at": {
        const at = INSTANTS[f % INSTANTS.length];
        this.#both(
          `forget ${cell} at ${at}`,
          () => session.forgetAt(where, at)?.removed,
          () => model.forgetAt(cell, at),
        );
        break;
      }
      case "forget range": {
        const { target, name, covers } = targetOf(cell, f % 4);
        const keyword = KEYWORDS[g % 4];
        const at = keyword.startsWith("recorded") ? this.#instant(h) : INSTANTS[h % INSTANTS.length];
        this.#both(
          `forget ${name} ${keyword} ${at}`,
          () => session.forgetRange(target, keyword, at)?.removed,
          () => model.forgetRange(name, covers, keyword, at),
        );
        break;
      }
      case "prefer": {
        const { target, place } = placeToBelieve(cell, f);
        this.#both(
          `prefer ${place} ${source}`,
          () => session.prefer(target, source)?.added,
          () => model.prefer(place, source),
        );
        break;
      }
      case "unprefer": {
        const { target, place } = placeToBelieve(cell, f);
        this.#both(
          `unprefer ${place}`,
          () => session.unprefer(target)?.added,
          () => model.unprefer(place),
        );
        break;
      }
      case "pin":
        this.#both(
          `pin ${cell}`,
          () => session.pin(where)?.added,
          () => model.pin(cell),
        );
        break;
      case "unpin":
        this.#both(
          `unpin ${cell}`,
          () => session.unpin(where)?.added,
          () => model.unpin(cell),
        );
        break;
      case "begin":
        if (model.layers.length < 3 && model.allows("read-add")) this.#begin("branch");
        break;
      case "end":
        if (model.layers.length > 0) this.#endLayer(f % 3 > 0, g % 3 > 0);
        break;
      case "compile":
        if (model.layers.length === 0 && model.allows("read-add")) this.#compile(f, g);
        break;
      case "forget module": {
        if (model.layers.length > 0) break;
        const name = f % 3 === 0 ? "k" : "m";
        this.#both(
          `forget_module ${name}`,
          () => session.forgetModule(name).removed,
          () => forgetModule(model, name),
        );
        break;
      }
      case "forget rule": {
        if (model.layers.length > 0) break;
        const name = f % 2 === 0 ? "m.copy" : "m.gives";
        this.#both(
          `forget_rule ${name}`,
          () => session.forgetRule(name),
          () => forgetRule(model, name),
        );
        break;
      }
      case "checkpoint": {
        if (model.layers.length > 0) break;
        const mark = MARKS[f % 3];
        this.#both(
          `checkpoint ${mark}`,
          () => session.checkpoint(mark).letGo,
          () => checkpoint(model, mark),
        );
        break;
      }
      case "forget checkpoint": {
        if (model.layers.length > 0) break;
        const mark = MARKS[f % 3];
        this.#both(
          `forget_checkpoint ${mark}`,
          () => session.forgetCheckpoint(mark),
          () => forgetCheckpoint(model, mark),
        );
        break;
      }
      case "restore": {
        if (model.layers.length > 0) break;
        const mark = MARKS[f % 3];
        this.#both(
          `restore ${mark}`,
          () => broughtBy(session, mark),
          () => restore(model, mark),
        );
        break;
      }
      case "flush":
        this.log.push("flush");
        session.flush();
        break;
      case "reopen":
      case "call":
        if (model.layers.length === 0) this.#next(WHAT[what % WHAT.length] === "reopen", LEVELS[f % LEVELS.length], `key-${1 + (g % 2)}`);
    }
    this.#look(cell, operation);
  }

  /** Lands what is open, looks at everything, lets all marks go and sees that nothing of them is left. */
  end(): void {
    while (this.model.layers.length > 0) this.#endLayer(true, true);
    this.#next(true, "read-write-delete", "key-1");
    this.compare();
    for (const mark of this.session.checkpoints()) {
      this.#both(
        `forget_checkpoint ${mark}`,
        () => this.session.forgetCheckpoint(mark),
        () => forgetCheckpoint(this.model, mark),
      );
    }
    this.session.flush();
    for (const table of ["change", "mark", "grave_claim", "grave_link", "grave_preference", "grave_module", "grave_part"]) {
      this.#same(`rows in ${table}`, this.sql.exec(`SELECT count(*) FROM ${table}`)[0][0], 0);
    }
    this.sql.close();
  }

  /** Every cell, Kind and mark. */
  compare(): void {
    for (const cell of CELLS) {
      this.#lookAt(cell);
      for (const [i, at] of INSTANTS.entries()) this.#lookKnown(cell, at, this.#instant(i * 997 + at + 5));
    }
    for (const kind of ["P", "m.M"]) for (const at of INSTANTS) this.#lookKind(kind, at, 2);
    this.#lookMarks();
  }

  // ---- what is compared after an operation: the cell it was about, and one thing more ----

  #look(cell: string, [, , , c, d, e, f, g, h]: Operation): void {
    this.#lookAt(cell);
    const other = CELLS[h % CELLS.length];
    switch (g % 6) {
      case 0:
        this.#lookAt(other);
        break;
      case 1:
        this.#lookKnown(other, INSTANTS[f % INSTANTS.length], this.#instant(e));
        break;
      case 2:
        this.#lookKind(kindOf(other), INSTANTS[f % INSTANTS.length], c);
        break;
      case 3:
        this.#lookNames(other, d);
        break;
      case 4:
        this.#lookMarks();
        break;
      default:
        this.#lookKnown(cell, INSTANTS[d % INSTANTS.length], this.#instant(f));
    }
  }

  #lookAt(cell: string): void {
    const { session, model } = this;
    const where = placeOf(cell);
    this.#agree(
      `get ${cell}`,
      () => recorded(session.get(where)),
      () => model.get(cell),
    );
    this.#agree(
      `history ${cell}`,
      () => recorded(session.history(where)),
      () => model.history(cell),
    );
    for (const at of INSTANTS) {
      this.#agree(
        `current ${cell} at ${at}`,
        () => answer(session.current(where, { at })),
        () => model.current(cell, { at }),
      );
    }
  }

  #lookKnown(cell: string, at: number, known: number): void {
    const { session, model } = this;
    // A compile under way is no moment of the store.
    if (model.layers.some((layer) => layer.kind === "compile")) return;
    const point = { at, knownAt: known };
    const what = `${cell} at ${at} known ${known}`;
    const value = () => {
      const { found, value: it } = session.value(placeOf(cell), point);
      return found ? show(it) : null;
    };
    const told = this.#agree(`value ${what}`, value, () => model.current(cell, { at, known })?.split(" ")[0] ?? null);
    this.#agree(
      `values ${what}`,
      () => session.values(placeOf(cell), point).map(show),
      () => model.values(cell, { at, known }),
    );
    if (typeof told !== "string") return;
    // Of a conclusion the window, which a claim has, may not be known where its value is.
    const claim = outcomeOf(() => answer(session.current(placeOf(cell), point)));
    if (typeof claim === "string") this.#same(`current ${what}`, claim, model.current(cell, { at, known }));
  }

  #lookKind(kind: string, at: number, c: number): void {
    const { session, model } = this;
    const field = kind === "P" ? "x" : ["n", "t", "g", "c"][c % 4];
    const value = VALUES[c % VALUES.length];
    this.#agree(
      `subjects ${kind} at ${at}`,
      () => [...session.subjects(kind, { at })],
      () => model.subjects(kind, { at }),
    );
    const find = () => [...session.find(kind, new Map([[field, value]]), { at })];
    this.#agree(`find ${kind} ${field}=${show(value)} at ${at}`, find, () => model.find(kind, field, value, { at }));
  }

  #lookNames(cell: string, d: number): void {
    const { session, model } = this;
    const where = placeOf(cell);
    const at = INSTANTS[d % INSTANTS.length];
    this.#agree(
      `values ${cell} at ${at}`,
      () => session.values(where, { at }).map(show),
      () => model.values(cell, { at }),
    );
    this.#agree(
      "kinds",
      () => [...session.kinds()],
      () => model.kinds(),
    );
    this.#agree(
      `fields of ${cell}`,
      () => [...session.fields(where.kind, where.subject)],
      () => model.fields(kindOf(cell), subjectOf(cell)),
    );
    this.#agree(
      `sources ${cell}`,
      () => [...session.sources(where)],
      () => model.sources(cell),
    );
    this.#agree(
      `absent ${cell}`,
      () => session.absent(where),
      () => model.absent(cell),
    );
    const since = this.#instant(d);
    this.#agree(
      `changed ${cell} since ${since}`,
      () => recorded(session.changed(where, since)),
      () => model.changed(cell, since),
    );
  }

  #lookMarks(): void {
    const { session, model } = this;
    this.#same("checkpoints", [...session.checkpoints()], [...model.marks.keys()].sort());
    this.#same(
      "modules",
      session.modules().map((m) => m.name),
      [...model.state.modules.keys()].sort(),
    );
    if (model.layers.length > 0) return;
    for (const mark of MARKS) {
      const lines = session.diff(mark);
      this.#same(`diff ${mark}`, lines === null ? null : [...lines].map(happeningLine), diff(model, mark));
    }
  }

  // ---- doing ----

  #open(): Store {
    return Store.open(this.sql, this.#cipher, { reasoner: (symbols, facts) => new Reasoner(symbols, facts, RULE_CALCULUS) });
  }
  /** A clock in steps of a millisecond. */
  #call(level: Level, keyId: string): Session {
    this.#wall += 1000;
    return this.#store.beginCall({ keyId, level, wallMicros: this.#wall, writes: level !== "read" });
  }
  #began(): void {
    this.model.now = this.session.instant;
    this.model.level = this.session.level;
    this.model.key = this.session.keyId;
    this.instants.push(this.session.instant);
  }
  #instant(number: number): number {
    return this.instants[number % this.instants.length];
  }
  #next(reopens: boolean, level: Level, key: string): void {
    this.log.push(`${reopens ? "reopen" : "call"} ${level} ${key}`);
    this.session.flush();
    if (reopens) this.#store = this.#open();
    this.session = this.#call(level, key);
    this.#began();
  }
  #begin(kind: "branch" | "compile"): void {
    this.log.push(`begin ${kind}`);
    this.session.layerPush(kind);
    this.model.begin(kind);
  }
  #endLayer(end: boolean, commits: boolean): void {
    const { kind } = this.model.layers.at(-1)!;
    // A compile ends once.
    const ends = end || kind === "compile";
    this.log.push(`${commits ? "commit" : "rollback"}${ends ? "" : " and go on"}`);
    if (kind === "compile") {
      if (commits) this.session.layerCommit();
      else this.session.layerRollback();
    } else if (commits) this.session.branchCommit(ends);
    else this.session.branchRollback(ends);
    if (commits) this.model.commit(ends);
    else this.model.rollback(ends);
  }
  /** A compile whose body the next operations are. */
  #compile(f: number, g: number): void {
    const { model, session } = this;
    const standing = model.state.modules.get("m")?.shape.fields ?? null;
    const reader = f % 5 === 0 && standing !== null;
    const [name, shape] = reader ? ["k", READER] : ["m", SHAPES[g % SHAPES.length]];
    this.#begin("compile");
    const outcome = this.#both(
      `compile ${name} ${shape.id}`,
      () => session.installModule(installation(name, shape)).changed,
      () => install(model, name, shape),
    );
    if (typeof outcome !== "boolean") this.#endLayer(true, false);
    else if (f % 2 === 0) this.#endLayer(true, true);
  }

  // ---- comparing ----

  #both(what: string, store: () => unknown, twin: () => unknown): unknown {
    const outcome = this.#agree(what, () => store() ?? null, twin);
    this.log.push(`${what} -> ${JSON.stringify(outcome)}`);
    if (typeof outcome === "object" && outcome !== null && "refused" in outcome) this.done.refused++;
    else if (outcome !== null && outcome !== false) this.done.changed++;
    if (typeof outcome === "object" && outcome !== null && "restored" in outcome)
      this.done.restored += (outcome as { restored: number }).restored;
    return outcome;
  }
  #agree(what: string, store: () => unknown, twin: () => unknown): unknown {
    const said = outcomeOf(store);
    this.#same(what, said, outcomeOf(twin));
    return said;
  }
  #same(what: string, store: unknown, twin: unknown): void {
    if (JSON.stringify(store) !== JSON.stringify(twin)) throw new Disagreement(what, store, twin);
  }
}

function outcomeOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.reason, hint: error.hint };
    if (error instanceof Refused) return { refused: error.reason, hint: error.hint };
    if (error instanceof EngineError) return { refused: "engine_error", hint: null };
    throw error;
  }
}

const LEVELS: readonly Level[] = [
  "read-write-delete",
  "read-write-delete",
  "read-write-delete",
  "read-write-delete",
  "read-write",
  "read-add",
  "read",
];

/** How often each comes. */
const WHAT = Object.entries({
  ...{ remember: 10, update: 9, absent: 2, forget: 4, "forget value": 2, "forget at": 2, "forget range": 3 },
  ...{ prefer: 4, unprefer: 1, pin: 1, unpin: 2, begin: 2, end: 5, compile: 3, "forget module": 1, "forget rule": 1 },
  ...{ checkpoint: 3, "forget checkpoint": 1, restore: 3, flush: 1, reopen: 1, call: 5 },
}).flatMap(([what, times]) => Array.from({ length: times }, () => what));

function placeOf(cell: string) {
  return { kind: kindOf(cell), subject: subjectOf(cell), field: fieldName(cell) };
}

function targetOf(
  cell: string,
  which: number,
): { readonly target: Target; readonly name: string; readonly covers: (other: string) => boolean } {
  const where = placeOf(cell);
  const { kind, subject, field } = where;
  switch (which) {
    case 0:
      return { target: { tag: "cell", cell: where }, name: cell, covers: (other) => other === cell };
    case 1:
      return {
        target: { tag: "subject", kind, subject },
        name: `${kind}.${subject}`,
        covers: (o) => kindOf(o) === kind && subjectOf(o) === subject,
      };
    case 2:
      return { target: { tag: "field", kind, field }, name: `${kind}.${field}`, covers: (other) => fieldOf(other) === fieldOf(cell) };
    default:
      return { target: { tag: "kind", kind }, name: kind, covers: (other) => kindOf(other) === kind };
  }
}

function placeToBelieve(cell: string, f: number): { readonly target: Target; readonly place: string } {
  if (f % 3 > 0) return { target: { tag: "cell", cell: placeOf(cell) }, place: cell };
  return { target: { tag: "field", kind: kindOf(cell), field: fieldName(cell) }, place: fieldOf(cell) };
}

/** The recorded ones as the twin tells them. */
function recorded(claims: readonly Claim[]): string[] {
  return claims
    .filter((claim) => claim.trust === "asserted")
    .map(({ value, source, window: { from, to }, superseded, qualifiers, recordedAt, writtenBy, pinned }) => {
      const given = [...qualifiers].map(([name, one]) => `${name}=${show(one)}`).sort();
      return `${show(value)} ${source} [${from ?? "-"},${to ?? "-"})${superseded ? "*" : ""} ${given.join(",")} ${recordedAt} ${writtenBy}${pinned ? " pinned" : ""}`;
    });
}

function answer(claim: Claim | null): string | null {
  return claim === null ? null : `${show(claim.value)} ${claim.source}`;
}

function broughtBy(session: Session, mark: string) {
  const { restored, notRestored, modules } = session.restore(mark);
  return { restored, notRestored, modules: modules.map(({ name, outcome }) => `${name} ${outcome}`) };
}

function installation(name: string, shape: Shape) {
  return {
    name,
    form: shape.id,
    language: "eng",
    kinds: shape.fields === null ? [] : [{ name: "m.M", fields: shape.fields }],
    scripts: [],
    rules: shape.rules.map(ruleFrom),
    constraints: [],
    imports: name === "k" ? ["m"] : [],
    uses: name === "k" ? READ_BY_READER : [],
  };
}

function ruleFrom({ name, from, to, givesWay }: CopyRule): Rule {
  const term = (place: string): CellTerm => ({ kind: kindOf(place), subject: { tag: "variable", variable: 0 }, field: fieldName(place) });
  return {
    name,
    computed: false,
    variables: [
      { name: "p", type: { tag: "kind", kind: "m.M" } },
      { name: "v", type: { tag: "scalar", type: "any" } },
    ],
    parameterCount: 2,
    premises: [{ tag: "bind", cell: term(from), variable: 1 }, ...(givesWay ? [{ tag: "not_asserted" as const, cell: term(to) }] : [])],
    conclusion: { cell: term(to), value: { tag: "variable", variable: 1 } },
    line: 1,
  };
}
