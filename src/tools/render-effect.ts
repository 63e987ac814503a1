/** Effects and tallies as text (contract §4.2): the cell in the spelling the program addresses it by; bounds and names of qualifiers, never their values. */
import { Datetime } from "../datum";
import { inLine, spellCell, spellField, spellSubject } from "../engine/address";
import type { Effect, EffectTarget } from "../engine/claim";
import type { EffectEntry, PrintEntry, Record, Tally } from "../lang/machine/recorder";
import { elementText } from "../lang/machine/value-text";
import { datetimeText } from "../lang/value/datetime";
import { valueOf } from "../lang/value/datum";

/** How the source spells a Kind; a Kind it has no name for is spelled qualified. */
export type Spelling = ReadonlyMap<string, string>;

export function renderEffect(e: Effect, spelling: Spelling): string {
  return e.world === undefined ? spellEffect(e, spelling) : `${spellEffect(e, spelling)} in world ${elementText(e.world)}`;
}

function spellEffect(e: Effect, spelling: Spelling): string {
  const at = spellTarget(e.target, spelling);
  switch (e.verb) {
    case "remember":
    case "update":
      return `${e.verb} ${at} = ${elementText(valueOf(e.value ?? null))} (per ${inLine(e.source!)})${bounds(e)}`;
    case "assert_absent":
      return `assert_absent ${at} (per ${inLine(e.source!)})${bounds(e)}`;
    case "forget":
      return `forget ${at} (${count(e.removed, "claim")} removed)`;
    case "prefer":
      return `prefer ${at} (${inLine(e.source!)})`;
    case "merge_world":
      return `merge_world ${at} (${count(e.added, "claim")} added)`;
    case "discard_world":
      return `discard_world ${at} (${count(e.removed, "claim")} discarded)`;
    default:
      return `${e.verb} ${at}`;
  }
}

function spellTarget(t: EffectTarget, spelling: Spelling): string {
  const kind = (k: string): string => spelling.get(k) ?? k;
  switch (t.tag) {
    case "cell":
      return spellCell({ ...t.cell, kind: kind(t.cell.kind) });
    case "field":
      return spellField(kind(t.kind), t.field);
    case "subject":
      return spellSubject(kind(t.kind), t.subject);
    case "kind":
      return kind(t.kind);
    case "world":
      return elementText(t.name);
  }
}

function bounds(e: Effect): string {
  let text = "";
  if (e.window?.from !== undefined && e.window.from !== null) text += ` valid_from=${datetimeText(new Datetime(e.window.from))}`;
  if (e.window?.to !== undefined && e.window.to !== null) text += ` valid_to=${datetimeText(new Datetime(e.window.to))}`;
  if (e.qualifierNames && e.qualifierNames.length > 0) text += ` qualifiers: ${e.qualifierNames.map(inLine).join(", ")}`;
  return text;
}

/** `2 claims added, 1 claim removed, 3 prints`; `no change` where there is nothing to count. */
export function renderTally(t: Tally): string {
  const parts = [
    t.added > 0 ? `${count(t.added, "claim")} added` : "",
    t.removed > 0 ? `${count(t.removed, "claim")} removed` : "",
    t.absences > 0 ? `${count(t.absences, "absence")} asserted` : "",
    t.preferences > 0 ? count(t.preferences, "preference change") : "",
    t.pinned > 0 ? `${count(t.pinned, "pin")} placed` : "",
    t.unpinned > 0 ? `${count(t.unpinned, "pin")} lifted` : "",
    t.inWorlds > 0 ? `${count(t.inWorlds, "change")} in worlds` : "",
    t.worlds > 0 ? count(t.worlds, "world change") : "",
    t.prints > 0 ? count(t.prints, "print") : "",
  ].filter((p) => p !== "");
  return parts.length > 0 ? parts.join(", ") : "no change";
}

export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

/** Prints and effects in execution order, one item a line, prints verbatim. */
export function renderBody(record: Record, spelling: Spelling): string[] {
  const entries: (PrintEntry | EffectEntry)[] = [
    ...record.transcript.filter((e): e is PrintEntry => e.kind === "print"),
    ...record.effects,
  ];
  entries.sort((a, b) => a.order - b.order);
  const lines: string[] = [];
  let open: string | null = null; // a print whose `end` held the line open
  for (const e of entries) {
    if (e.kind === "print") {
      const text: string = (open ?? "") + e.value + (e.end ?? "");
      if (e.end === null || e.end.endsWith("\n")) {
        lines.push(e.end === null ? text : text.slice(0, -1));
        open = null;
      } else open = text;
      continue;
    }
    if (open !== null) {
      lines.push(open);
      open = null;
    }
    lines.push(renderEffect(e.effect, spelling));
  }
  if (open !== null) lines.push(open);
  const shown = record.effects.length;
  const all = record.effectCount;
  if (all > shown) lines.push(`(${count(all - shown, "more effect")} of lines that ran many times)`);
  return lines;
}
