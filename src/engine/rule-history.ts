/**
 * Which rules stood at a past moment (contract §6, `known_at`; rulings, "known_at and changed rules").
 *
 * A module's record says of each rule since when it stands in its present form. No past text is kept: where a rule was
 * changed or taken away, the store keeps the field it concluded and from when until when it stood, so that a read of
 * that time refuses instead of guessing. A rule that stands in its present form since later takes no part.
 */
import type { Change } from "./change";
import type { Ledger } from "./ledger";
import type { ModuleRecord } from "./module-record";
import type { Rule, RuleExpr } from "./rule";

/** Some rule that concluded at the field stood in `[from, until)` in a form that is not kept. */
export interface LostRule {
  readonly field: number;
  readonly from: number;
  readonly until: number;
}

type ModuleChange = Omit<Extract<Change, { tag: "module" }>, "tag">;

/** Puts a module in the place of what stood, with the history of its rules. Inside a statement. */
export function replaceModule(ledger: Ledger, change: ModuleChange, instant: number): void {
  const { before, after } = change;
  const old = new Map(before?.record.rules.map((rule) => [rule.name, rule]));
  const since: { [rule: string]: number } = {};
  for (const rule of after?.record.rules ?? []) {
    const known = old.get(rule.name);
    if (known !== undefined && formOf(known) === formOf(rule)) {
      old.delete(rule.name);
      since[rule.name] = sinceWhen(before!.record, rule);
      continue;
    }
    const back = before === null ? after!.record.ruleSince?.[rule.name] : undefined;
    // A rule that a restore brings back was away for a while: of the time before nothing is told.
    if (back !== undefined) noteLost(ledger, rule, back, instant);
    since[rule.name] = back ?? instant;
  }
  for (const rule of old.values()) noteLost(ledger, rule, sinceWhen(before!.record, rule), instant);
  const kept = after === null ? null : { ...after, record: { ...after.record, ruleSince: since } };
  ledger.make({ tag: "module", ...change, after: kept });
}

export interface RulesThen {
  readonly rules: readonly Rule[];
  /** Some of them asks when a claim began or ended. */
  readonly asksBounds: boolean;
  /** Whether what rules concluded at the field then is not known, and from when on it is. */
  lostUntil(field: number): number | null;
}

/** The rules of the store beneath all open layers, as they stood at `known`. */
export function rulesThen(ledger: Ledger, known: number): RulesThen {
  const records = new Map(ledger.modules.all().map(({ record }) => [record.name, record]));
  const open = new Set<Change>();
  for (const layer of [...ledger.layers].reverse()) {
    for (const change of [...layer.changes].reverse()) {
      open.add(change);
      if (change.tag !== "module") continue;
      if (change.before === null) records.delete(change.name);
      else records.set(change.name, change.before.record);
    }
  }
  const rules: Rule[] = [];
  const unclear = new Map<number, number>();
  for (const record of records.values()) {
    for (const rule of record.rules) {
      const since = record.ruleSince?.[rule.name];
      // A record from before this was kept: its content is as old as its last change.
      if ((since ?? record.updatedAt) <= known) rules.push(rule);
      else if (since === undefined && record.createdAt <= known) {
        unclear.set(ledger.symbols.fieldId(rule.conclusion.cell.kind, rule.conclusion.cell.field), record.updatedAt);
      }
    }
  }
  const uncommitted = new Set([...open].flatMap((change) => (change.tag === "lost_rule" && change.sign > 0 ? [change.lost] : [])));
  return {
    rules: rules.sort((a, b) => (a.name < b.name ? -1 : 1)),
    asksBounds: rules.some(asksBounds),
    lostUntil(field) {
      const lost = ledger.belief.lostRulesAt(field).find((one) => one.from <= known && known < one.until && !uncommitted.has(one));
      return lost?.until ?? unclear.get(field) ?? null;
    },
  };
}

/** The rule asks when a claim began or ended. */
function asksBounds(rule: Rule): boolean {
  const waiting: unknown[] = [rule.premises, rule.conclusion.value];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (typeof node !== "object" || node === null) continue;
    const expr = node as Partial<RuleExpr>;
    if (expr.tag === "claim" && (expr.property === "valid_from" || expr.property === "valid_to")) return true;
    waiting.push(...Object.values(node));
  }
  return false;
}

/** What a rule says, wherever it stands in its source. */
function formOf(rule: Rule): string {
  return JSON.stringify({ ...rule, line: 0 });
}

function sinceWhen(record: ModuleRecord, rule: Rule): number {
  return record.ruleSince?.[rule.name] ?? record.createdAt;
}

/** Spans that touch become one, so that a rule changed again and again leaves one. */
function noteLost(ledger: Ledger, rule: Rule, since: number, until: number): void {
  if (since >= until) return;
  const field = ledger.symbols.fieldId(rule.conclusion.cell.kind, rule.conclusion.cell.field);
  let from = since;
  for (const lost of [...ledger.belief.lostRulesAt(field)]) {
    if (lost.until < from) continue;
    from = Math.min(from, lost.from);
    ledger.make({ tag: "lost_rule", lost, sign: -1 });
  }
  ledger.make({ tag: "lost_rule", lost: { field, from, until }, sign: 1 });
}
