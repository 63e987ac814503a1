/**
 * Whether a cell exists to be read or written at all: its subject has a name, and a declared Kind has the field
 * (rulings, "Undeclared kinds and fields", "Fields that lost their rule").
 */
import { Refusal } from "../failure";
import { SUBJECT_NAME_CHARS_MAX } from "../limits";
import { spellField, spellSubject } from "./address";
import type { Cell } from "./claim";
import type { Ledger } from "./ledger";
import { checkSubjectName } from "./typed-value";

/** Refuses `invalid_value`. */
export function checkField(ledger: Ledger, cell: Cell): void {
  checkSubjectName(cell);
  if (!isField(ledger, cell.kind, cell.field)) throw noSuchField(ledger, cell.kind, cell.field, spellSubject(cell.kind, cell.subject));
}

export function checkFieldOf(ledger: Ledger, kind: string, field: string): void {
  if (!isField(ledger, kind, field)) throw noSuchField(ledger, kind, field, kind);
}

export function isField(ledger: Ledger, kind: string, field: string): boolean {
  if (field === "" || field.startsWith("__") || field.length > SUBJECT_NAME_CHARS_MAX) return false;
  if (!ledger.modules.hasKinds) return true;
  const declared = ledger.modules.kind(kind);
  if (declared === undefined || declared.fields.has(field) || ledger.modules.isNamedByRules(kind, field)) return true;
  return ledger.belief.lostRulesAt(ledger.symbols.findFieldId(kind, field)).length > 0;
}

/** Somebody is believed, or protected, at the field: whoever lifts that has to name it, though its class has dropped it since. */
export function isBelieved(ledger: Ledger, kind: string, field: string): boolean {
  const id = ledger.symbols.findFieldId(kind, field);
  return id !== 0 && (ledger.belief.pinsOf(id).size > 0 || ledger.belief.preferencesOf(id).length > 0);
}

function noSuchField(ledger: Ledger, kind: string, field: string, of: string): Refusal {
  const declared = ledger.modules.kind(kind);
  if (declared === undefined)
    return new Refusal("invalid_value", `a field's name has 1 to ${SUBJECT_NAME_CHARS_MAX} characters and does not begin with \`__\``, of);
  const names = [...declared.fields.keys()];
  return new Refusal(
    "invalid_value",
    `${kind} has no field ${JSON.stringify(field)}: its class declares ${names.join(", ") || "none"}, and no rule concludes it`,
    names.length > 0 ? spellField(kind, names[0]) : kind,
  );
}
