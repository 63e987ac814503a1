/**
 * `prefer`, `unprefer`, `pin`, `unpin`: who is believed, and what is protected from removal.
 *
 * Order of refusals: level, `invalid_value`, `immutable_in_branch`, `still_referenced`, `already_in_effect`,
 * `not_recorded` (rulings, "Two reasons at once"); where there is neither a mark to lift nor anything recorded, `unpin` and `unprefer` answer `not_recorded`.
 */
import { Refusal } from "../failure";
import { spellCell, spellTarget } from "./address";
import type { Cell, Effect, Target } from "./claim";
import type { Writer } from "./claim-write";
import { checkField, checkFieldOf, isBelieved } from "./field-check";
import type { Ledger } from "./ledger";
import { requireLevel } from "./level";
import { WORLD_IDS_FROM } from "./world";

export function prefer(by: Writer, target: Target, source: string): Effect {
  const { ledger } = by;
  requireLevel(by.level, "read-write");
  const { field, subject } = placeOf(ledger, target);
  refuseMany(ledger, target, field);
  refuseJudgedByStore(ledger, target, field);
  refuseJudgedElsewhere(ledger, spellTarget(target), field, ledger.world);
  const { symbols } = ledger;
  const before = ledger.belief.preference(field, subject);
  const wanted = symbols.findDatumId(source);
  if (before !== null && before.source === wanted) {
    throw new Refusal("already_in_effect", `${JSON.stringify(source)} is already preferred at ${spellTarget(target)}`, spellTarget(target));
  }
  if (!holdsClaimOf(ledger, field, subject, wanted)) {
    const spelled = spellTarget(target);
    const named = JSON.stringify(source);
    if (!concludes(by, field, subject, source)) {
      const told = `${named} holds no value at ${spelled}: check the address and the source (\`sources(cell)\` lists them)`;
      throw new Refusal("not_recorded", told, spelled);
    }
    // What rules conclude at an undeclared field has no judge (rulings, "One value where several hold").
    if (ledger.fieldType(field) === null) {
      const told = `${named} is a rule, and all that rules conclude at ${spelled} stands, since no class declares the field: declare it, single-valued, to prefer one`;
      throw new Refusal("not_recorded", told, spelled);
    }
  }
  ledger.statement(() => {
    const after = { id: ledger.nextId(), field, subject, source: symbols.datumId(source), setAt: by.instant };
    ledger.make({ tag: "preference", field, subject, before, after, at: by.instant });
  });
  return { verb: "prefer", target, source, added: 0, removed: 0 };
}

export function unprefer(by: Writer, target: Target): Effect {
  const { ledger } = by;
  requireLevel(by.level, "read-write");
  const { field, subject } = placeOf(ledger, target, true);
  refuseMany(ledger, target, field);
  refuseJudgedByStore(ledger, target, field);
  const before = ledger.belief.preference(field, subject);
  if (before === null) throw nothingToLift(ledger, target, field, subject, "no preference stands");
  ledger.statement(() => {
    ledger.nextId();
    ledger.make({ tag: "preference", field, subject, before, after: null, at: by.instant });
  });
  return { verb: "unprefer", target, added: 0, removed: 0 };
}

export function pin(by: Writer, cell: Cell): Effect {
  const { ledger } = by;
  requireLevel(by.level, "read-write");
  const target: Target = { tag: "cell", cell };
  const { field, subject } = placeOf(ledger, target);
  if (ledger.belief.isPinned(field, subject))
    throw new Refusal("already_in_effect", `${spellCell(cell)} is already pinned`, spellCell(cell));
  if (!hasAnything(ledger, field, subject)) throw notRecorded(target);
  ledger.statement(() => {
    ledger.nextId();
    ledger.make({ tag: "pin", field, subject, sign: 1 });
  });
  return { verb: "pin", target, added: 0, removed: 0 };
}

export function unpin(by: Writer, cell: Cell): Effect {
  const { ledger } = by;
  requireLevel(by.level, "read-write");
  const target: Target = { tag: "cell", cell };
  const { field, subject } = placeOf(ledger, target, true);
  if (!ledger.belief.isPinned(field, subject)) throw nothingToLift(ledger, target, field, subject, "it is not pinned");
  ledger.statement(() => {
    ledger.nextId();
    ledger.make({ tag: "pin", field, subject, sign: -1 });
  });
  return { verb: "unpin", target, added: 0, removed: 0 };
}

/** Subject 0 is the whole field. `lifts`: what stands at a field that its class has dropped can be taken away. */
function placeOf(ledger: Ledger, target: Target, lifts = false): { field: number; subject: number } {
  const { symbols } = ledger;
  const isKnown = (kind: string, field: string) => lifts && isBelieved(ledger, kind, field);
  if (target.tag === "cell") {
    if (!isKnown(target.cell.kind, target.cell.field)) checkField(ledger, target.cell);
    const field = symbols.fieldId(target.cell.kind, target.cell.field);
    return { field, subject: symbols.subjectId(target.cell.kind, target.cell.subject) };
  }
  if (target.tag !== "field") {
    throw new Refusal(
      "invalid_value",
      `${spellTarget(target)} is no cell and no field: who is believed is said of one of these`,
      spellTarget(target),
    );
  }
  if (!isKnown(target.kind, target.field)) checkFieldOf(ledger, target.kind, target.field);
  const field = symbols.fieldId(target.kind, target.field);
  return { field, subject: 0 };
}

/** A many-valued field has no judge. */
function refuseMany(ledger: Ledger, target: Target, field: number): void {
  if (!ledger.isMany(field)) return;
  throw new Refusal(
    "invalid_value",
    `${spellTarget(target)} holds many values and all of them stand, so none is preferred: \`values(cell)\` gives them`,
    spellTarget(target),
  );
}

/** Who is believed at a field is said by the store or by one world, so that no merge has to choose. */
function refuseJudgedByStore(ledger: Ledger, target: Target, field: number): void {
  if (ledger.world === null || ledger.belief.preferencesOf(field).every(({ id }) => id >= WORLD_IDS_FROM)) return;
  const spelled = spellTarget(target);
  throw new Refusal(
    "immutable_in_branch",
    `the store says who is believed at the field of ${spelled}, and a world changes nothing of that: leave the world, then \`prefer\` or \`unprefer\``,
    spelled,
  );
}

/** `but`: the world that may. */
export function refuseJudgedElsewhere(ledger: Ledger, spelled: string, field: number, but: number | null): void {
  const other = ledger.otherWorldJudging(field, but);
  if (other === 0) return;
  const name = JSON.stringify(ledger.worldName(other));
  throw new Refusal(
    "still_referenced",
    `world ${name} says who is believed at the field of ${spelled}: \`merge_world(${name})\` or \`discard_world(${name})\` first`,
    `merge_world(${name}) or discard_world(${name})`,
  );
}

function holdsClaimOf(ledger: Ledger, field: number, subject: number, source: number): boolean {
  if (source === 0) return false;
  if (subject !== 0) return ledger.cells.standing(field, subject).some((row) => row.source === source);
  for (const rows of ledger.cells.scan(field)) if (rows.some((row) => row.source === source)) return true;
  return false;
}

/** The rule concludes there now. */
function concludes(by: Writer, field: number, subject: number, rule: string): boolean {
  const { ledger } = by;
  if (!ledger.isDerived(field)) return false;
  const subjects = subject === 0 ? ledger.reasoner!.derivedSubjects(field) : [subject];
  for (const one of subjects) if (ledger.reasoner!.derivedAt(field, one).some((fact) => fact.rule === rule)) return true;
  return false;
}

function hasAnything(ledger: Ledger, field: number, subject: number): boolean {
  if (subject === 0) return ledger.cells.subjects(field).length > 0;
  return ledger.cells.standing(field, subject).length > 0 || ledger.cells.past(field, subject).length > 0;
}

function nothingToLift(ledger: Ledger, target: Target, field: number, subject: number, what: string): Refusal {
  if (!hasAnything(ledger, field, subject)) return notRecorded(target);
  return new Refusal("already_in_effect", `${spellTarget(target)}: ${what}, so there is none to lift`, spellTarget(target));
}

function notRecorded(target: Target): Refusal {
  return new Refusal("not_recorded", `nothing is recorded at ${spellTarget(target)}: check the address`, spellTarget(target));
}
