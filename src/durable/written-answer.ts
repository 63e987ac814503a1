/**
 * A long answer, written out where it is made: the text of its `result`, in pieces.
 *
 * Twenty thousand printed lines are a tree of a hundred thousand parts that would be copied on its way to the worker and
 * written there at once, the thread held all the while. Here they are written piece by piece, with turns for others between,
 * and what crosses to the worker is text. The text is the very one that the worker would have written.
 */
import { ANSWER_BYTES_MAX } from "../limits";
import { jsonText, type RequestJson } from "../request/request-json";
import type { Json, ToolAnswer } from "../tools/answer";
import { envelopeHead, isMembers, type Told } from "../tools/envelope";

/** Entries of the transcript, or characters of the text, from which an answer is written in pieces. */
const LONG_ENTRIES = 500;
const LONG_CHARS = 32 << 10;
/** Elements of a list, and characters of a text, that are written at once: a fraction of a millisecond. */
const ELEMENTS_AT_ONCE = 256;
const CHARS_AT_ONCE = 32 << 10;

export function isLong({ text, meta }: ToolAnswer): boolean {
  if (text.length > LONG_CHARS) return true;
  const { transcript } = meta;
  if (!Array.isArray(transcript)) return false;
  if (transcript.length > LONG_ENTRIES) return true;
  let chars = 0;
  for (const entry of transcript as readonly Json[]) chars += charsOf(entry);
  return chars > LONG_CHARS;
}

/** Pauses between pieces. Null where it is more than an object call carries. */
export function* writtenAnswer(told: Told, answer: ToolAnswer, bytesMax = ANSWER_BYTES_MAX): Generator<void, string[] | null, void> {
  const head = envelopeHead(told, answer);
  const pieces: string[] = [];
  let bytes = 0;
  for (const piece of resultPieces(head, answer)) {
    pieces.push(piece);
    // A text takes one byte a character, or two.
    bytes += (/[^\u0000-\u00ff]/.test(piece) ? 2 : 1) * piece.length + 8;
    if (bytes > bytesMax) return null;
    yield;
  }
  return pieces;
}

type Members = { readonly [name: string]: Json };

/** `toolResult`, as JSON. */
function* resultPieces(head: Members, { text, mirror, status, meta }: ToolAnswer): Iterable<string> {
  yield '{"content":[{"type":"text","text":"';
  yield* textPieces(text);
  if (isMembers(mirror)) {
    yield '"},{"type":"text","text":"\\n';
    for (const piece of objectPieces({ ...head, ...mirror })) yield inText(piece);
  }
  yield `"}],"isError":${status !== "success"},"_meta":`;
  yield* objectPieces({ ...head, ...meta });
  yield "}";
}

function* objectPieces(object: Members): Iterable<string> {
  let before = "{";
  for (const [name, member] of Object.entries(object)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    before = ",";
    if (Array.isArray(member)) yield* listPieces(member);
    else if (typeof member === "string") {
      yield '"';
      yield* textPieces(member);
      yield '"';
    } else yield jsonText(member as RequestJson);
  }
  yield before === "{" ? "{}" : "}";
}

function* listPieces(list: readonly Json[]): Iterable<string> {
  let before = "[";
  let group: Json[] = [];
  let chars = 0;
  const written = (): string => {
    const piece = before + jsonText(group).slice(1, -1);
    before = ",";
    group = [];
    chars = 0;
    return piece;
  };
  for (const element of list) {
    const more = charsOf(element);
    if (more > CHARS_AT_ONCE && isMembers(element)) {
      if (group.length > 0) yield written();
      yield before;
      before = ",";
      yield* objectPieces(element);
      continue;
    }
    group.push(element);
    chars += more;
    if (group.length === ELEMENTS_AT_ONCE || chars > CHARS_AT_ONCE) yield written();
  }
  if (group.length > 0) yield written();
  yield before === "[" ? "[]" : "]";
}

/** Of its texts, about; what lies deeper is short. */
function charsOf(element: Json): number {
  if (typeof element === "string") return element.length;
  let chars = 0;
  if (isMembers(element)) for (const name in element) chars += typeof element[name] === "string" ? element[name].length : 0;
  return chars;
}

/** What stands between the quotes. */
function* textPieces(text: string): Iterable<string> {
  for (let from = 0; from < text.length; ) {
    let to = from + CHARS_AT_ONCE;
    // Both halves of a pair in one piece: written apart, each would be escaped.
    if (isLow(text.charCodeAt(to))) to++;
    yield inText(text.slice(from, to));
    from = to;
  }
}
function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
function inText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
