/**
 * Which atom of a part a plan takes next: the one with most of it known, so that the fewest rows are looked at.
 */
import type { Atom, Probe } from "./rule-clause";
import type { Test } from "./rule-test";

/** What of a part is not in the chain yet. */
export interface Todo {
  readonly bound: Set<number>;
  readonly atoms: Atom[];
  readonly equalities: [number, number][];
  readonly tests: Test[];
  readonly probes: Probe[];
}

export function score(atom: Atom, bound: ReadonlySet<number>, equalities: readonly [number, number][]): number {
  const subjectBound = bound.has(atom.subject);
  if (atom.value < 0) return subjectBound ? 4 : 0;
  const valueKnown =
    bound.has(atom.value) || equalities.some(([a, b]) => (a === atom.value && bound.has(b)) || (b === atom.value && bound.has(a)));
  return subjectBound && valueKnown ? 4 : subjectBound ? 3 : valueKnown ? 2 : 1;
}

export function pick(atoms: readonly Atom[], worth: (atom: Atom) => number): { atom: Atom; score: number } | null {
  let best: { atom: Atom; score: number } | null = null;
  for (const atom of atoms) {
    const s = worth(atom);
    if (best === null || s > best.score) best = { atom, score: s };
  }
  return best;
}

/** Another atom found through one column, that finds by both once the best is taken. */
export function rivalOf(best: { atom: Atom; score: number }, { bound, atoms, equalities }: Todo): Atom | null {
  if (best.score !== 2 && best.score !== 3) return null;
  const after = new Set([...bound, best.atom.subject, best.atom.value]);
  const others = atoms.filter((atom) => atom !== best.atom && score(atom, after, equalities) === 4);
  const rival = pick(others, (atom) => score(atom, bound, equalities));
  return rival !== null && (rival.score === 2 || rival.score === 3) ? rival.atom : null;
}

export function copyOf(todo: Todo): Todo {
  return {
    bound: new Set(todo.bound),
    atoms: [...todo.atoms],
    equalities: [...todo.equalities],
    tests: [...todo.tests],
    probes: [...todo.probes],
  };
}

/** The slot an atom's unbound value is looked up by, if an equality gives one; that equality is then met by the look-up. */
export function takePartner(value: number, bound: ReadonlySet<number>, equalities: [number, number][]): number {
  for (let i = 0; i < equalities.length; i++) {
    const [a, b] = equalities[i]!;
    const other = a === value && bound.has(b) ? b : b === value && bound.has(a) ? a : -1;
    if (other < 0) continue;
    equalities.splice(i, 1);
    return other;
  }
  return -1;
}

export function take<T>(list: T[], ready: (item: T) => boolean, use: (item: T) => void): void {
  for (let i = 0; i < list.length; ) {
    if (ready(list[i]!)) use(list.splice(i, 1)[0]!);
    else i++;
  }
}
