/** A claim as a value of a program: what `current`, `get`, `history` and `changed` give. */
import { Datetime, StoredCollection } from "../../datum";
import { inLine, spellCell } from "../../engine/address";
import type { Claim } from "../../engine/claim";
import { identityKey } from "../../engine/datum-code";
import { equalityRepresentative } from "../../engine/datum-equality";
import { datetimeText } from "../value/datetime";
import { valueOf } from "../value/datum";
import { PyDict } from "../value/dict";
import { equal } from "../value/protocol-equal";
import { repr } from "../value/protocol-text";
import { PyOpaque, type Value } from "../value/value";

export class ClaimValue extends PyOpaque {
  override readonly typeName = "claim";
  #key: string | null = null;
  constructor(readonly claim: Claim) {
    super();
  }
  /** Rulings, "Transcript and result words" and "Printed claims". */
  override repr(): string {
    return this.spelled(repr);
  }
  override spelled(text: (held: Value) => string): string {
    const c = this.claim;
    const parts = [`active_claim=${text(valueOf(c.value))}`, `src=${inLine(c.source)}`];
    if (c.window.from !== null || c.window.to !== null) parts.push(`valid=[${bound(c.window.from)}, ${bound(c.window.to)})`);
    if (c.qualifiers.size > 0)
      parts.push(`qualifiers={${[...c.qualifiers].map(([k, v]) => `${inLine(k)}: ${text(valueOf(v))}`).join(", ")}}`);
    if (c.rule !== null) parts.push(`rule=${c.rule}`);
    return parts.join(" ");
  }
  override attribute(name: string): Value | undefined {
    const c = this.claim;
    switch (name) {
      case "value":
        return valueOf(c.value);
      case "source":
        return c.source;
      case "trust":
        return c.trust;
      case "written_by":
        return c.writtenBy;
      case "recorded_at":
        return c.recordedAt === null ? null : new Datetime(c.recordedAt);
      case "valid_from":
        return c.window.from === null ? null : new Datetime(c.window.from);
      case "valid_to":
        return c.window.to === null ? null : new Datetime(c.window.to);
      case "qualifiers": {
        const d = new PyDict();
        for (const [k, v] of c.qualifiers) d.set(k, valueOf(v));
        return d;
      }
      case "cell":
        return spellCell(c.cell);
      case "rule":
        return c.rule;
      case "pinned":
        return c.pinned;
      default:
        return undefined;
    }
  }
  override equals(other: Value): boolean {
    if (!(other instanceof ClaimValue)) return false;
    return CLAIM_FIELDS.every((f) => equal(this.attribute(f)!, other.attribute(f)!));
  }
  /** One for claims that are equal; what holds a NaN equals nothing. */
  override hashKey(): string {
    this.#key ??= keyOf(this.claim) ?? `unequal ${++unequal}`;
    return this.#key;
  }
}

let unequal = 0;

/** Spells all that two claims compare by; null where the claim equals no other. */
function keyOf(c: Claim): string | null {
  const { kind, subject, field } = c.cell;
  const qualifiers = new StoredCollection("dict", [...c.qualifiers].flat());
  const { from, to } = c.window;
  const told = [c.value, c.source, c.trust, c.writtenBy, c.recordedAt, from, to, kind, subject, field, c.rule, c.pinned, qualifiers];
  const stands = equalityRepresentative(new StoredCollection("tuple", told));
  return stands === undefined ? null : identityKey(stands);
}

/** The attributes two claims compare by (language.md §5.2). */
const CLAIM_FIELDS = [
  "value",
  "source",
  "trust",
  "written_by",
  "recorded_at",
  "valid_from",
  "valid_to",
  "qualifiers",
  "cell",
  "rule",
  "pinned",
];

function bound(micros: number | null): string {
  return micros === null ? "-" : datetimeText(new Datetime(micros));
}
