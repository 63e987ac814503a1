/** `checkpoint`, `diff`, `restore`, `forget_checkpoint`: marks as the wire tells of them (contract §9.7). */
import { Datetime } from "../datum";
import { inLine, spellCell, spellSubject, spellTarget } from "../engine/address";
import type { RangeKeyword } from "../engine/claim";
import type { Happening } from "../engine/mark";
import type { Restored } from "../engine/restore";
import type { Sliced } from "../engine/rule-work";
import type { Session } from "../engine/session";
import { Refusal } from "../failure";
import { datetimeText } from "../lang/value/datetime";
import { valueOf } from "../lang/value/datum";
import { repr } from "../lang/value/protocol-text";
import { DIFF_TEXT_CHARS_MAX, SUBJECT_NAME_CHARS_MAX } from "../limits";
import { InvalidParams, type ToolCall } from "./answer";
import type { ManagementTool, Told } from "./management";
import { count } from "./render-effect";

export const MARK_TOOLS: readonly (readonly [string, ManagementTool])[] = [
  ["checkpoint", { level: "read-add", check: checkNewMarkName, run: (s, a) => checkpoint(s.session, a["name"] as string) }],
  ["diff", { level: "read", check: (a) => checkMarkName(a, "since"), run: (s, a) => diff(s.session, a["since"] as string) }],
  [
    "restore",
    { level: "read-write-delete", check: (a) => checkMarkName(a, "since"), run: (s, a) => restore(s.session, a["since"] as string) },
  ],
  [
    "forget_checkpoint",
    { level: "read-write-delete", check: (a) => checkMarkName(a, "name"), run: (s, a) => forgetCheckpoint(s.session, a["name"] as string) },
  ],
];

const MARK_NAME = /^[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*$/;

function checkMarkName(args: ToolCall["args"], argument: string): void {
  const name = args[argument] as string;
  if (MARK_NAME.test(name)) return;
  throw new InvalidParams(
    `\`${argument}\` is a mark's name: ASCII letters, digits, \`_\` and \`-\`, with \`.\` between segments, beginning with a letter or \`_\`: got ${JSON.stringify(name)}`,
  );
}

/** Those that an older version let be longer can still be asked for and let go. */
function checkNewMarkName(args: ToolCall["args"]): void {
  checkMarkName(args, "name");
  const { length } = args["name"] as string;
  if (length > SUBJECT_NAME_CHARS_MAX)
    throw new InvalidParams(`\`name\` has ${length} characters, and a mark's name at most ${SUBJECT_NAME_CHARS_MAX}`);
}

function checkpoint(session: Session, name: string): Told {
  const { moved, letGo } = session.checkpoint(name);
  return {
    text: moved ? `OK checkpoint ${name} moved here (${count(letGo, "removal")} let go).` : `OK checkpoint ${name}.`,
    meta: { name, moved, let_go: letGo },
    ops: 1,
  };
}

function forgetCheckpoint(session: Session, name: string): Told {
  const letGo = session.forgetCheckpoint(name);
  if (letGo === null) return { ...NONE, meta: { name, found: false } };
  return { text: `OK forgot checkpoint ${name} (${letGo}).`, meta: { name, found: true, let_go: letGo }, ops: 1 };
}

/** A name that does not resolve. */
const NONE = { text: "none", ops: 1 };

/** A line a step. */
function* diff(session: Session, since: string): Sliced<Told> {
  const happened = session.diff(since);
  if (happened === null) return { ...NONE, meta: { since, found: false, lines: [] } };
  const lines: string[] = [];
  let chars = 0;
  for (const one of happened) {
    const line = happeningLine(one);
    chars += line.length + 1;
    if (chars > DIFF_TEXT_CHARS_MAX) throw tooLong(since, lines.length);
    lines.push(line);
    yield;
  }
  return {
    text: lines.length === 0 ? `Nothing has changed since ${since}.` : lines.join("\n"),
    meta: { since, found: true, lines },
    ops: 1 + lines.length,
  };
}

function tooLong(since: string, lines: number): Refusal {
  return new Refusal(
    "limit_exceeded",
    `more than ${lines} changes since \`${since}\` come to more than ${DIFF_TEXT_CHARS_MAX} characters, which is what one answer carries: ask since a later mark, and take marks more often`,
    "list(target = checkpoints)",
  );
}

/** Rulings, "Line formats". */
export function happeningLine(one: Happening): string {
  switch (one.tag) {
    case "added": {
      // An asserted absence; inside a stored list Python's `None` stays what it is.
      const value = one.value === null ? "null" : repr(valueOf(one.value));
      return `added ${spellCell(one.cell)} = ${value}${one.source === null ? "" : ` (per ${inLine(one.source)})`}`;
    }
    case "removed":
      return `removed ${one.target.tag === "subject" ? spellSubject(one.target.kind, one.target.subject) : spellTarget(one.target)}`;
    case "removed_value":
      return `removed a value of ${spellTarget(one.target)}`;
    case "removed_at":
      return `removed the values of ${spellTarget(one.target)} in force at ${datetimeText(new Datetime(one.instant))}`;
    case "removed_range":
      return `removed values of ${spellTarget(one.target)} ${RANGE_WORDS[one.keyword]} ${datetimeText(new Datetime(one.instant))}`;
    case "removed_rule":
      return `removed rule ${one.rule}`;
  }
}

const RANGE_WORDS: Record<RangeKeyword, string> = {
  recorded_before: "recorded before",
  recorded_at_or_before: "recorded at or before",
  valid_before: "valid before",
  valid_at_or_before: "valid at or before",
};

function* restore(session: Session, since: string): Sliced<Told> {
  const { restored, notRestored, modules } = yield* session.restoring(since);
  const rest = notRestored === 0 ? "" : `, ${notRestored} not restored`;
  return {
    text: [`OK restored ${count(restored, "value")}${rest}.`, ...modules.map(moduleLine)].join("\n"),
    meta: {
      since,
      restored,
      not_restored: notRestored,
      modules: modules.map(({ name, outcome }) => ({ name, outcome })),
    },
    ops: 1 + restored,
  };
}

function moduleLine({ name, outcome }: Restored["modules"][number]): string {
  switch (outcome) {
    case "restored":
      return `module \`${name}\` restored.`;
    case "name_in_use":
      return `module \`${name}\` not restored: that name is in use.`;
    case "not_whole":
      return `module \`${name}\` not restored: it could not be brought back whole.`;
  }
}
