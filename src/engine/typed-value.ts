/**
 * What a cell can hold: the sizes a store takes, and the types a class declares (rulings, "Typed fields").
 */
import { Bytes, Complex, Datetime, type Datum, Duration, Float, StoredCollection, Subject } from "../datum";
import { Refusal } from "../failure";
import { STORED_COLLECTION_BYTES_MAX, STORED_VALUE_BYTES_MAX, SUBJECT_NAME_CHARS_MAX } from "../limits";
import { spellCell } from "./address";
import { utf8Length } from "./byte-writer";
import type { Cell, FieldType } from "./claim";
import { encodeDatum } from "./datum-code";

/** The word of a value's type, as fields are declared with. */
export function datumType(datum: Datum): string {
  switch (typeof datum) {
    case "boolean":
      return "bool";
    case "number":
    case "bigint":
      return "int";
    case "string":
      return "string";
  }
  if (datum === null) return "none";
  if (datum instanceof Float) return "real";
  if (datum instanceof Complex) return "complex";
  if (datum instanceof Bytes) return "blob";
  if (datum instanceof Datetime) return "datetime";
  if (datum instanceof Duration) return "duration";
  if (datum instanceof Subject) return "subject";
  return datum.type;
}

/** The value as it is stored at a field of that type: itself, or an int as the float it exactly is. Refuses `invalid_value`. */
export function valueForField(datum: Datum, type: FieldType | null, cell: Cell): Datum {
  checkStorable(datum, cell);
  if (type === null || type.type === "any") return datum;
  const found = datumType(datum);
  if (type.type === "real" && found === "int") return exactFloat(datum as number | bigint, cell);
  if (type.type !== found) {
    throw new Refusal(
      "invalid_value",
      `${spellCell(cell)} holds ${typeName(type)}, and the value is ${article(found)}: write a value of that type, or declare the field \`any\``,
      spellCell(cell),
    );
  }
  if (datum instanceof Subject && type.kind !== undefined && datum.kind !== type.kind) {
    throw new Refusal(
      "invalid_value",
      `${spellCell(cell)} holds a reference to a ${type.kind}, and the value is a subject of ${datum.kind}: name it as \`${type.kind}[…]\` (import its module for the bare name)`,
      spellCell(cell),
    );
  }
  return datum;
}

/** Whether a recorded value may stand at a field of that type as it is. */
export function fits(datum: Datum, type: FieldType): boolean {
  if (datum === null || type.type === "any") return true;
  if (type.type !== datumType(datum)) return false;
  return !(datum instanceof Subject) || type.kind === undefined || datum.kind === type.kind;
}

/** Refuses `invalid_value` for what is too large for one cell. */
export function checkStorable(datum: Datum, cell: Cell): void {
  if (typeof datum === "number" || typeof datum === "boolean" || datum === null) return;
  if (typeof datum === "string") {
    if (datum.length * 3 > STORED_VALUE_BYTES_MAX) checkBytes(utf8Length(datum), STORED_VALUE_BYTES_MAX, "a text", cell);
  } else if (datum instanceof Bytes) checkBytes(datum.b.length, STORED_VALUE_BYTES_MAX, "a blob", cell);
  else if (typeof datum === "bigint") checkBytes(datum.toString(16).length >> 1, STORED_VALUE_BYTES_MAX, "an int", cell);
  else if (datum instanceof StoredCollection) {
    checkBytes(encodeDatum(datum).length, STORED_COLLECTION_BYTES_MAX, `a ${datum.type}`, cell);
  }
}

/** A subject's name: not empty, at most 1,024 code points. */
export function checkSubjectName(cell: Cell): void {
  const { subject } = cell;
  const chars = subject.length <= SUBJECT_NAME_CHARS_MAX ? subject.length : [...subject].length;
  if (chars > 0 && chars <= SUBJECT_NAME_CHARS_MAX) return;
  throw new Refusal(
    "invalid_value",
    `a subject's name has 1 to ${SUBJECT_NAME_CHARS_MAX} characters, and this one has ${chars}`,
    `${cell.kind}[…]`,
  );
}

function checkBytes(bytes: number, bytesMax: number, what: string, cell: Cell): void {
  if (bytes <= bytesMax) return;
  throw new Refusal(
    "invalid_value",
    `a store holds ${what} of at most ${bytesMax} bytes, and this one has ${bytes}: store it in parts, a cell each`,
    spellCell(cell),
  );
}

function exactFloat(value: number | bigint, cell: Cell): Float {
  const float = Number(value);
  if (Number.isFinite(float) && BigInt(float) === BigInt(value)) return new Float(float);
  throw new Refusal("invalid_value", `${spellCell(cell)} holds a float, and no float is exactly ${value}`, spellCell(cell));
}

function typeName(type: FieldType): string {
  return type.type === "subject" ? `a reference to a ${type.kind}` : article(type.type);
}

function article(type: string): string {
  if (type === "none") return "`None`";
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}
