/**
 * What a part of a clause reads, as *sources*: a change at a source is joined on to find what it may touch.
 */
import type { Atom, Clause, Part } from "./rule-clause";
import type { Plan } from "./rule-join";

export interface Source {
  /** Rows of this atom's relation; for a claim or `not_asserted`, its cells. */
  readonly atom: Atom;
  /** The part's positive atoms, with those of the generator the source stands in. */
  readonly part: Part;
  /** A row more can only add matches, a row less only remove some. */
  readonly positive: boolean;
  /** Recorded claims matter beyond the facts in force (`source`, `not_asserted` …). */
  readonly byCell: boolean;
}

export function sourcesOf(whole: Part): Source[] {
  const out: Source[] = [];
  const add = (part: Part, context: Part, positive: boolean) => {
    for (const atom of part.atoms) out.push({ atom, part: context, positive, byCell: false });
    for (const probe of part.probes) {
      switch (probe.tag) {
        case "absent":
        case "optional":
          out.push({ atom: probe.atom, part: context, positive: false, byCell: false });
          break;
        case "none":
        case "any":
        case "fold":
          add(probe.part, together(context, probe.part), false);
          break;
        case "claim": {
          const atom: Atom = { from: { tag: "field", field: probe.field }, subject: probe.subject, value: probe.value, admit: null };
          out.push({ atom, part: context, positive: false, byCell: true });
          break;
        }
        case "not_asserted": {
          const atom: Atom = { from: { tag: "field", field: probe.field }, subject: probe.subject, value: -1, admit: null };
          out.push({ atom, part: context, positive: false, byCell: true });
          break;
        }
      }
    }
  };
  add(whole, whole, true);
  return out;
}

function together(a: Part, b: Part): Part {
  return { atoms: [...a.atoms, ...b.atoms], equalities: [...a.equalities, ...b.equalities], tests: [...a.tests, ...b.tests], probes: [] };
}

/** The slots that a row of the atom gives. */
export function boundBy(atom: Atom): number[] {
  return atom.value < 0 ? [atom.subject] : [atom.subject, atom.value];
}

/** False where the slot is a constant of another value. */
export function setSlot(plan: Plan, clause: Clause, slot: number, id: number): boolean {
  const constant = clause.constants.get(slot);
  if (constant !== undefined) return constant === id;
  plan.env.slots[slot] = id;
  return true;
}

/** Puts a row of the atom into the slots; false where it is none of the atom's. */
export function seed(plan: Plan, clause: Clause, atom: Atom, subject: number, value: number): boolean {
  if (!setSlot(plan, clause, atom.subject, subject)) return false;
  if (atom.value < 0) return true;
  if (atom.value === atom.subject) return subject === value;
  return setSlot(plan, clause, atom.value, value);
}
