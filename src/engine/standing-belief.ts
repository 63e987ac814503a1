/**
 * Who is preferred where, what is pinned, and when rules stood whose text is not kept: in memory what the tables of those
 * names hold. Says nothing of who may change them (belief.ts) nor of what follows (judgement.ts).
 */
import type { Preference } from "./change";
import { NO_PREFERENCE, type Preferred } from "./judgement";
import type { LedgerRows } from "./ledger-row";
import type { LostRule } from "./rule-history";

const NO_PINS: ReadonlySet<number> = new Set();

export class StandingBelief {
  readonly #preferences = new Map<number, Map<number, Preference>>();
  /** Fields with a preference that stands or ended, and perhaps some more. */
  readonly #everPreferred: Set<number>;
  readonly #pins = new Map<number, Set<number>>();
  readonly #lostRules = new Map<number, readonly LostRule[]>();

  constructor({ preferences, everPreferred, pins, lostRules }: LedgerRows) {
    this.#everPreferred = new Set(everPreferred);
    for (const preference of preferences) this.setPreference(preference.field, preference.subject, preference);
    for (const { field, subject } of pins) this.setPin(field, subject, true);
    for (const lost of lostRules) this.setLostRule(lost, 1);
  }

  /** Who is preferred at a cell, then who at its field. */
  preferredAt(field: number, subject: number): Preferred {
    const preferences = this.#preferences.get(field);
    if (preferences === undefined) return NO_PREFERENCE;
    const ofCell = preferences.get(subject);
    const ofField = preferences.get(0);
    return [...(ofCell === undefined ? [] : [ofCell.source]), ...(ofField === undefined ? [] : [ofField.source])];
  }

  /** The preference that stands exactly there; subject 0 asks for the field's. */
  preference(field: number, subject: number): Preference | null {
    return this.#preferences.get(field)?.get(subject) ?? null;
  }

  /** False: no read of any moment meets a preference there. */
  wasEverPreferred(field: number): boolean {
    return this.#everPreferred.has(field);
  }

  preferencesOf(field: number): Preference[] {
    return [...(this.#preferences.get(field)?.values() ?? [])];
  }

  isPinned(field: number, subject: number): boolean {
    return this.#pins.get(field)?.has(subject) ?? false;
  }

  pinsOf(field: number): ReadonlySet<number> {
    return this.#pins.get(field) ?? NO_PINS;
  }

  /** When, at a field, rules stood whose text is not kept. */
  lostRulesAt(field: number): readonly LostRule[] {
    return this.#lostRules.get(field) ?? [];
  }

  setPreference(field: number, subject: number, preference: Preference | null): void {
    this.#everPreferred.add(field);
    const known = this.#preferences.get(field);
    if (preference === null) {
      known?.delete(subject);
      if (known?.size === 0) this.#preferences.delete(field);
    } else if (known === undefined) this.#preferences.set(field, new Map([[subject, preference]]));
    else known.set(subject, preference);
  }

  setPin(field: number, subject: number, pinned: boolean): void {
    const known = this.#pins.get(field);
    if (!pinned) known?.delete(subject);
    else if (known === undefined) this.#pins.set(field, new Set([subject]));
    else known.add(subject);
  }

  setLostRule(lost: LostRule, sign: 1 | -1): void {
    const others = this.lostRulesAt(lost.field).filter((one) => one.from !== lost.from);
    this.#lostRules.set(lost.field, sign > 0 ? [...others, lost] : others);
  }
}
