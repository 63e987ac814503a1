/**
 * One walk over all rows of a fold, whichever group they are in: what filling many groups at once costs least by.
 *
 * Only for a part whose every premise is about the row's own subject, over facts that hold always: then a walk down one
 * relation, with a look into the others by subject, meets each row once. One loop and one recursion rather than a chain of
 * closures, since it runs mostly when a store opens and nothing is compiled yet.
 */
import { type Relation, ROW_INTS, type RowColumns, SEES_NOW, VALUE } from "./relation";
import type { RowChains } from "./row-chains";
import type { Admit, Atom, Clause, Probe } from "./rule-clause";
import { admits, type Field } from "./rule-join";
import { boundBy } from "./rule-reads";
import type { Env } from "./rule-test";

interface Column {
  readonly relation: Relation;
  /** Where its value goes; -1 for a range. */
  readonly value: number;
  readonly admit: Admit;
}

export interface RowWalk {
  /** Visits every row that there is, with its slots and those of the fold's needs set. */
  run(visit: (env: Env) => void): void;
}

/** Null where a walk could meet a row twice, or meet many that belong to no group. */
export function rowWalk(field: Field, clause: Clause, probe: Extract<Probe, { tag: "fold" }>): RowWalk | null {
  const { part, needs, row } = probe;
  const [subject] = row;
  const known = new Set([...needs, ...row]);
  const isOwn = (atom: Atom) => atom.subject === subject && boundBy(atom).every((slot) => known.has(slot));
  const given = new Set(part.atoms.flatMap(boundBy));
  if (!part.atoms.every(isOwn) || !needs.every((slot) => given.has(slot)) || part.equalities.length > 0) return null;
  // Two atoms of one slot would have to agree.
  if (new Set(part.atoms.map((atom) => atom.value)).size < part.atoms.length) return null;
  const absences: Relation[] = [];
  for (const inner of part.probes) {
    if (inner.tag !== "absent" || inner.atom.subject !== subject) return null;
    absences.push(field.relation(inner.atom, false));
  }
  const columns = part.atoms.map((atom): Column => ({ relation: field.relation(atom, false), value: atom.value, admit: atom.admit }));
  if (columns.some(({ relation }) => relation.mayRepeat) || absences.some((relation) => relation.windowed)) return null;
  columns.sort((a, b) => a.relation.liveCount - b.relation.liveCount);
  const [first, ...others] = columns;
  return { run: (visit) => walk(field, clause, { subject: subject!, first: first!, others, absences, tests: part.tests }, visit) };
}

/** A column looked into by subject. */
interface Look extends Column, RowChains {
  readonly rows: RowColumns;
}

interface Shape {
  readonly subject: number;
  readonly first: Column;
  readonly others: readonly Column[];
  readonly absences: readonly Relation[];
  readonly tests: readonly { run(env: Env): boolean }[];
}

function walk(field: Field, clause: Clause, { subject, first, others, absences, tests }: Shape, visit: (env: Env) => void): void {
  const { noneId, symbols, work, calculus } = field;
  const env: Env = { slots: new Int32Array(clause.slotCount).fill(-1), temps: new Array(clause.slotCount).fill(undefined) };
  for (const [slot, id] of clause.constants) env.slots[slot] = id;
  const { slots } = env;
  const looks = others.map((column): Look => {
    const { heads, next } = column.relation.bySubject();
    return { ...column, heads, next, rows: column.relation.columns };
  });
  const lacks = absences.map((relation) => ({ rows: relation.columns, ...relation.bySubject() }));

  const isAdmitted = (admit: Admit, value: number): boolean =>
    value !== noneId && (admit === null || admits(admit, symbols.datumOf(value)));
  const isAbsent = (id: number): boolean => {
    for (let i = 0; i < lacks.length; i++) {
      const { heads, next, rows } = lacks[i]!;
      for (let row = heads.get(id); row >= 0; row = next[row]!) {
        if (((SEES_NOW >> rows.states[row]!) & 1) === 1 && rows.ints[row * ROW_INTS + VALUE] !== noneId) return false;
      }
    }
    return true;
  };
  const descend = (depth: number, id: number): void => {
    if (depth === looks.length) {
      for (let i = 0; i < tests.length; i++) if (!tests[i]!.run(env)) return;
      visit(env);
      return;
    }
    const { heads, next, rows, value, admit } = looks[depth]!;
    for (let row = heads.get(id); row >= 0; row = next[row]!) {
      if (((SEES_NOW >> rows.states[row]!) & 1) === 0) continue;
      work.rows++;
      const held = rows.ints[row * ROW_INTS + VALUE]!;
      // A range has no value of its own.
      if (!isAdmitted(admit, held)) continue;
      if (value >= 0) slots[value] = held;
      descend(depth + 1, id);
    }
  };
  const { ints, states, end } = first.relation.columns;
  for (let row = 0; row < end; row++) {
    if (((SEES_NOW >> states[row]!) & 1) === 0) continue;
    if (++work.rows > work.rowsMax) work.pass(clause.rule.name);
    const id = ints[row * ROW_INTS]!;
    const held = ints[row * ROW_INTS + VALUE]!;
    if (!isAdmitted(first.admit, held) || !isAbsent(id)) continue;
    if (first.value >= 0) slots[first.value] = held;
    slots[subject] = id;
    const before = calculus.effort;
    descend(0, id);
    work.rows += calculus.effort - before;
  }
}
