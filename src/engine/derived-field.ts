/**
 * Fields that rules conclude are not written (contract §6, `derived_field`, `asserted_field`): the refusal of a write
 * there, and what a refusal tells to do instead.
 *
 * What helps depends on the rules: one that only concludes may say `not_asserted`, one that reads the field it concludes
 * may not, and a computed field has nowhere to say it.
 */
import { Refusal } from "../failure";
import { spellCell, spellField } from "./address";
import type { Cell } from "./claim";
import type { Ledger } from "./ledger";
import { givesWay, type Rule } from "./rule";
import { cellsRead } from "./rule-mention";
import { compareText } from "./value-order";

export function refuseDerived(ledger: Ledger, field: number, cell: Cell): void {
  if (!ledger.isDerived(field)) return;
  const rules = ledger.reasoner!.concludes(field).filter((rule) => !givesWay(rule));
  if (rules.length === 0) return;
  const bases = writtenFields(ledger, rules).join(", ");
  throw new Refusal(
    "derived_field",
    `${spellCell(cell)} is concluded by \`${rules[0].name}\` and is never written: write the fields it is derived from (${bases || "none"})${orElse(ledger, rules)}`,
    bases || rules[0].name,
  );
}

function orElse(ledger: Ledger, rules: readonly Rule[]): string {
  if (rules.some((rule) => rule.computed)) return "";
  const circular = rules.find((rule) => readsItself(rule, ledger.modules.rules()));
  if (circular !== undefined) return `, or give the conclusion of \`${circular.name}\` a field of its own`;
  return rules.length === 1 ? ", or say `not_asserted` in the rule" : ", or say `not_asserted` in each rule that concludes it";
}

/**
 * What else than removing the recorded values lets these rules stand.
 * @param all  The rules that stand beside them.
 */
export function anotherWay(rules: readonly Rule[], all: readonly Rule[]): string {
  if (rules.some((rule) => rule.computed)) return "or give the computed field another name";
  if (rules.some((rule) => readsItself(rule, all))) return "or conclude the rule at another field";
  return "conclude the rule at another field, or say `not_asserted` in it";
}

/** The fields that can be written among those the rules rest on, through other conclusions too. */
function writtenFields(ledger: Ledger, rules: readonly Rule[]): string[] {
  const written = new Set<string>();
  for (const { field, behind } of cellsBehind(rules, ledger.modules.rules())) if (behind.every(givesWay)) written.add(field);
  return [...written].sort(compareText);
}

function readsItself(rule: Rule, all: readonly Rule[]): boolean {
  for (const { field } of cellsBehind([rule], all)) if (field === concludedField(rule)) return true;
  return false;
}

/** Every field the rules read, and those read by the rules that conclude there. */
function* cellsBehind(
  rules: readonly Rule[],
  all: readonly Rule[],
): Iterable<{ readonly field: string; readonly behind: readonly Rule[] }> {
  const concluding = new Map<string, Rule[]>();
  for (const rule of all) {
    const field = concludedField(rule);
    concluding.set(field, [...(concluding.get(field) ?? []), rule]);
  }
  const seen = new Set(rules);
  for (const rule of seen) {
    for (const cell of cellsRead(rule)) {
      const field = spellField(cell.kind, cell.field);
      const behind = concluding.get(field) ?? [];
      yield { field, behind };
      for (const one of behind) seen.add(one);
    }
  }
}

function concludedField({ conclusion: { cell } }: Rule): string {
  return spellField(cell.kind, cell.field);
}
