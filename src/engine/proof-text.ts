/**
 * A proof as stable indented text, and as data that JSON can carry.
 *
 * One line a node: the cell, its value, who says so, and the window where it is not always. Premises follow, two
 * spaces deeper, in the order the rule states them. A fact proved further up is named again with `see above`.
 */
import { type Datum, StoredCollection } from "../datum";
import { Refusal } from "../failure";
import { TEXT_CHARS_MAX } from "../limits";
import { inLine, spellCell } from "./address";
import type { Claim } from "./claim";
import type { Proof, ProofPremise } from "./proof";

/** How values and instants are spelled: the language's `repr` and its instants. */
export interface ProofSpelling {
  value(datum: Datum): string;
  instant(micros: number): string;
}

export interface ProofJson {
  readonly cell: string;
  readonly value: string;
  readonly trust: "asserted" | "derived";
  readonly source: string;
  readonly rule: string | null;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
  readonly repeated: boolean;
  readonly premises: (ProofJson | { readonly condition: string })[];
}

/** Long collections are spelled by their first elements, but all of them are put in order to tell which these are. */
const CHARS_PER_ITEM = 16;

/** What the text of a proof, or of several, may still come to. */
export class ProofRoom {
  #chars = TEXT_CHARS_MAX;

  /** Refuses `limit_exceeded`: before the next node is spelled, so that no more is spent than is kept. */
  take(text: string, value: Datum): void {
    this.#chars -= text.length + itemsOf(value) * CHARS_PER_ITEM;
    if (this.#chars >= 0) return;
    throw new Refusal(
      "limit_exceeded",
      `the values in the proof are more than a text may hold, ${TEXT_CHARS_MAX} characters: ask for one of its \`.premises\``,
      null,
    );
  }
}

function itemsOf(value: Datum): number {
  return value instanceof StoredCollection ? value.items.reduce((sum: number, item) => sum + 1 + itemsOf(item), 0) : 0;
}

export function renderProof(proof: Proof, spell: ProofSpelling, room = new ProofRoom()): string {
  const lines: string[] = [];
  // An explicit stack: a proof may be thousands of levels deep.
  const waiting: { readonly premise: ProofPremise; readonly depth: number }[] = [{ premise: { tag: "proof", proof }, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { premise, depth } = next;
    const indent = "  ".repeat(depth);
    if (premise.tag === "condition") {
      lines.push(`${indent}${premise.text}`);
      continue;
    }
    const node = premise.proof;
    const head = `${indent}${spellCell(node.cell)} = ${spell.value(node.value)}`;
    room.take(head, node.value);
    lines.push(node.repeated ? `${head} (see above)` : `${head} (${sayer(node.claim)}${windowText(node.claim, spell)})`);
    for (let i = node.premises.length - 1; i >= 0; i--) waiting.push({ premise: node.premises[i]!, depth: depth + 1 });
  }
  return lines.join("\n");
}

export function proofJson(proof: Proof, spell: ProofSpelling, room = new ProofRoom()): ProofJson {
  const root = nodeJson(proof, spell, room);
  const waiting = [{ from: proof, to: root }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const premise of next.from.premises) {
      if (premise.tag === "condition") next.to.premises.push({ condition: premise.text });
      else {
        const made = nodeJson(premise.proof, spell, room);
        next.to.premises.push(made);
        waiting.push({ from: premise.proof, to: made });
      }
    }
  }
  return root;
}

function nodeJson({ cell, value, claim, repeated }: Proof, spell: ProofSpelling, room: ProofRoom): ProofJson {
  const text = spell.value(value);
  room.take(text, value);
  return {
    cell: spellCell(cell),
    value: text,
    trust: claim.trust,
    source: claim.source,
    rule: claim.rule,
    valid_from: claim.window.from === null ? null : spell.instant(claim.window.from),
    valid_to: claim.window.to === null ? null : spell.instant(claim.window.to),
    repeated,
    premises: [],
  };
}

function sayer(claim: Claim): string {
  return claim.trust === "derived" ? `derived by ${claim.rule}` : `asserted by ${inLine(claim.source)}`;
}

function windowText({ window }: Claim, spell: ProofSpelling): string {
  if (window.from === null && window.to === null) return "";
  return `, valid [${window.from === null ? "-" : spell.instant(window.from)}, ${window.to === null ? "-" : spell.instant(window.to)})`;
}
