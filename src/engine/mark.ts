/**
 * Marks: a name for a position in what happens to a store (contract §9.7).
 *
 * Setting one writes a name and a number, whatever the store holds. While one stands, the log tells what happened after
 * it (change-log.ts) and the graveyard keeps what was removed after it (graveyard.ts); what lies before the oldest mark
 * is let go.
 */
import type { Datum, Subject } from "../datum";
import { EngineError } from "../failure";
import { LINE, type Line } from "./change";
import { readLines } from "./change-log";
import type { Cell, RangeKeyword, Target } from "./claim";
import type { Writer } from "./claim-write";
import { countGraves } from "./graveyard";
import type { Ledger } from "./ledger";
import { requireLevel } from "./level";
import { cellOf } from "./recorded-claim";
import { type Restored, restoringSince } from "./restore";
import type { Sliced } from "./rule-work";
import { compareText } from "./value-order";

/** One thing that happened. A source is null where a rule concluded the value. */
export type Happening =
  | { readonly tag: "added"; readonly cell: Cell; readonly value: Datum; readonly source: string | null }
  | { readonly tag: "removed"; readonly target: Target }
  | { readonly tag: "removed_value"; readonly target: Target }
  | { readonly tag: "removed_at"; readonly target: Target; readonly instant: number }
  | { readonly tag: "removed_range"; readonly target: Target; readonly keyword: RangeKeyword; readonly instant: number }
  | { readonly tag: "removed_rule"; readonly rule: string };

export interface Marked {
  readonly moved: boolean;
  /** Removed claims that only the old position held. */
  readonly letGo: number;
}

export function checkpoint(by: Writer, name: string): Marked {
  const { ledger } = by;
  requireLevel(by.level, "read-add");
  const symbol = ledger.symbols.datumId(name);
  const before = ledger.marks.get(symbol) ?? null;
  // What the old position held goes with it.
  if (before !== null) requireLevel(by.level, "read-write-delete");
  const letGo = setMark(ledger, symbol, before, ledger.lastId);
  return { moved: before !== null, letGo };
}

/** How many removed claims it let go; null where there is no such mark. */
export function forgetCheckpoint(by: Writer, name: string): number | null {
  requireLevel(by.level, "read-write-delete");
  const mark = markNamed(by.ledger, name);
  return mark === null ? null : setMark(by.ledger, mark.symbol, mark.position, null);
}

/** Ascending. */
export function markNames(ledger: Ledger): string[] {
  return [...ledger.marks.keys()].map((symbol) => ledger.symbols.datumOf(symbol) as string).sort(compareText);
}

/** What happened since a mark, in order; null where there is no such mark. */
export function diff(by: Writer, since: string): Iterable<Happening> | null {
  requireLevel(by.level, "read");
  const mark = markNamed(by.ledger, since);
  return mark === null ? null : happenings(by.ledger, mark.position);
}

export function* restoring(by: Writer, since: string): Sliced<Restored> {
  requireLevel(by.level, "read-write-delete");
  const mark = markNamed(by.ledger, since);
  if (mark === null) throw new EngineError(`no mark named \`${since}\` stands: \`list\` with target checkpoints gives the names`);
  return yield* restoringSince(by, mark.position);
}

function markNamed(ledger: Ledger, name: string): { readonly symbol: number; readonly position: number } | null {
  const symbol = ledger.symbols.findDatumId(name);
  const position = ledger.marks.get(symbol);
  return position === undefined ? null : { symbol, position };
}

/** Sets, moves or drops a mark, and lets go what no mark holds any longer; gives the number of removed claims among that. */
function setMark(ledger: Ledger, symbol: number, before: number | null, after: number | null): number {
  const sql = ledger.landedSql();
  const others = [...ledger.marks].filter(([other]) => other !== symbol).map(([, position]) => position);
  const oldest = Math.min(...others, after ?? ledger.lastId);
  const frees = before !== null && before < Math.min(...others, Number.POSITIVE_INFINITY);
  const letGo = frees ? countGraves(sql, oldest) : 0;
  ledger.statement(() => {
    ledger.make({ tag: "mark", name: symbol, before, after });
    if (frees) ledger.make({ tag: "let_go", upTo: oldest });
  });
  return letGo;
}

function* happenings(ledger: Ledger, since: number): Iterable<Happening> {
  const { symbols } = ledger;
  for (const { line, value, source } of readLines(ledger.landedSql(), since)) {
    switch (line.code) {
      case LINE.added: {
        const cell = cellOf(ledger, line.field, line.subject);
        yield { tag: "added", cell, value: symbols.datumOf(value), source: symbols.datumOf(source) as string };
        break;
      }
      case LINE.concluded:
        yield { tag: "added", cell: cellOf(ledger, line.field, line.subject), value: symbols.datumOf(line.symbol), source: null };
        break;
      case LINE.removed_rule:
        yield { tag: "removed_rule", rule: symbols.datumOf(line.symbol) as string };
        break;
      case LINE.removed:
        yield { tag: "removed", target: targetOf(ledger, line) };
        break;
      case LINE.removed_value:
        yield { tag: "removed_value", target: targetOf(ledger, line) };
        break;
      case LINE.removed_at:
        yield { tag: "removed_at", target: targetOf(ledger, line), instant: line.instant };
        break;
      default:
        yield { tag: "removed_range", target: targetOf(ledger, line), keyword: KEYWORDS[line.code], instant: line.instant };
    }
  }
}

const KEYWORDS = {
  [LINE.recorded_before]: "recorded_before",
  [LINE.recorded_at_or_before]: "recorded_at_or_before",
  [LINE.valid_before]: "valid_before",
  [LINE.valid_at_or_before]: "valid_at_or_before",
} as const;

function targetOf(ledger: Ledger, { field, subject, symbol }: Line): Target {
  const { symbols } = ledger;
  if (field !== 0 && subject !== 0) return { tag: "cell", cell: cellOf(ledger, field, subject) };
  if (field !== 0) {
    const named = symbols.fieldOf(field);
    return { tag: "field", kind: named.kind, field: named.field };
  }
  if (subject === 0) return { tag: "kind", kind: symbols.datumOf(symbol) as string };
  const named = symbols.datumOf(subject) as Subject;
  return { tag: "subject", kind: named.kind, subject: named.name };
}
