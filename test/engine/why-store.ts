/** `why` asked of the test store, and a plain spelling for its answers. */
import { type Datum, Subject } from "../../src/datum";
import type { Claim } from "../../src/engine/claim";
import type { Proof } from "../../src/engine/proof";
import type { ProofSpelling } from "../../src/engine/proof-text";
import { show, type TestStore } from "./rule-world";

export const SPELL: ProofSpelling = { value: show, instant: String };

export function why(store: TestStore, cell: string, value: Datum, at = 0): Proof | null {
  const [kind, subject, field] = /^([\w.]+)\.(\w+)\.(\w+)$/.exec(cell)!.slice(1) as [string, string, string];
  const { symbols } = store;
  const asserted = (f: number, s: number, v: number, t: number): Claim | null => {
    const held = store.facts.find((x) => x.field === f && x.subject === s && x.value === v && x.from <= t && t < x.to);
    if (held === undefined) return null;
    const subjectOf = symbols.datumOf(s) as Subject;
    return {
      cell: { kind: subjectOf.kind, subject: subjectOf.name, field: symbols.fieldOf(f).field },
      value: symbols.datumOf(v),
      source: held.source,
      trust: "asserted",
      rule: null,
      writtenBy: "key",
      recordedAt: store.facts.indexOf(held),
      window: { from: Number.isFinite(held.from) ? held.from : null, to: Number.isFinite(held.to) ? held.to : null },
      qualifiers: new Map(),
      position: 1,
      superseded: false,
      pinned: false,
    };
  };
  return store.reasoner.why(symbols.fieldId(kind, field), symbols.datumId(new Subject(kind, subject)), symbols.datumId(value), at, {
    asserted,
  });
}
