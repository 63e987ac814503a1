/**
 * Data of a store as a page sends it to have it drawn: checked, bounded, drawn and forgotten.
 *
 * The page has read it with a key that it keeps to itself; here nothing is read, and nothing kept.
 */
import * as z from "zod";
import { barChart } from "../picture/bar-chart";
import { claimDiagram } from "../picture/claim-diagram";
import { type ProofNode, proofTree } from "../picture/proof-tree";
import { storeGraph } from "../picture/store-graph";
import type { Picture } from "../picture/svg";
import { CHANGED_MAX, GRAPH_MAX, precise } from "./store-reader";

/** Characters of a body; a picture of more would help nobody. */
export const PICTURE_CHARS_MAX = 512 * 1024;
/** A page draws no deeper; the store's own text of a proof has no such bound. */
const PROOF_DEPTH_MAX = 200;

/** What is data of a picture and yet none that is drawn; the message is for the person. */
export class NotDrawn extends Error {
  override readonly name = "NotDrawn";
}

const text = z.string().max(20_000).transform(onOneLine);
const instant = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/);
const many = <T extends z.ZodType>(of: T, most: number) => z.array(of).max(most);

const CLAIMS = z.strictObject({
  cell: text,
  claims: many(
    z.strictObject({
      value: text,
      source: text,
      from: instant.nullable(),
      to: instant.nullable(),
      knownFrom: instant,
      knownUntil: instant.nullable(),
    }),
    200,
  ),
  at: instant.nullable(),
  knownAt: instant.nullable(),
});
const GRAPH = z.strictObject({
  kinds: many(z.strictObject({ name: text, fields: many(text, 1000) }), GRAPH_MAX),
  rules: many(z.strictObject({ name: text, reads: many(text, 300), concludes: many(text, 300) }), GRAPH_MAX),
  unmet: many(text, 2000),
  unread: many(text, 20_000),
});
const CHANGES = z.strictObject({
  since: text,
  kinds: many(z.strictObject({ name: text, added: z.int().nonnegative(), removed: z.int().nonnegative() }), CHANGED_MAX),
});
const NODE = z.object({
  cell: text,
  value: text,
  trust: z.enum(["asserted", "derived"]),
  source: text,
  rule: text.nullable(),
  repeated: z.boolean(),
  key: text.nullish(),
  premises: z.array(z.unknown()),
});
const CONDITION = z.strictObject({ condition: text });

export const PICTURES: ReadonlyMap<string, (data: unknown) => Picture> = new Map<string, (data: unknown) => Picture>([
  ["proof", (data) => proofTree(proofNode(data, 0))],
  [
    "claims",
    (data) => {
      const { cell, claims, at, knownAt } = CLAIMS.parse(data);
      // The picture needs the order of instants and their texts, no more: each is its place among all.
      const named = [at, knownAt, ...claims.flatMap((one) => [one.from, one.to, one.knownFrom, one.knownUntil])];
      const all = [...new Set(named.flatMap((one) => (one === null ? [] : [precise(one)])))].sort();
      const place = <Open extends null | never>(one: string | Open) => (one === null ? null : all.indexOf(precise(one)));
      const boxes = claims.map((one) => ({
        value: one.value,
        source: one.source,
        from: place(one.from),
        to: place(one.to),
        knownFrom: all.indexOf(precise(one.knownFrom)),
        knownUntil: place(one.knownUntil),
      }));
      return claimDiagram(cell, boxes, { at: place(at), knownAt: place(knownAt) }, (i) => brief(all[i]));
    },
  ],
  [
    "graph",
    (data) => {
      const { kinds, rules, unmet, unread } = GRAPH.parse(data);
      return storeGraph(kinds, rules, { unmet: new Set(unmet), unread: new Set(unread) });
    },
  ],
  [
    "changes",
    (data) => {
      const { since, kinds } = CHANGES.parse(data);
      const bars = kinds.map(({ name, added, removed }) => ({ name, amounts: { added, removed } }));
      return barChart(`Changes since ${since}, by Kind`, bars, (amount) => String(amount));
    },
  ],
]);

/** What would break a line, or turn its order around, is shown as it is written in a program: words beside a picture are a line each. */
function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (mark) => {
    if (mark === "\u200c" || mark === "\u200d") return mark; // within letters of some scripts, and within emoji
    return mark === "\n" ? "\\n" : mark === "\t" ? "\\t" : `\\u${mark.codePointAt(0)!.toString(16).padStart(4, "0")}`;
  });
}

function proofNode(data: unknown, depth: number): ProofNode {
  if (depth > PROOF_DEPTH_MAX)
    throw new NotDrawn(
      `This proof goes deeper than the ${PROOF_DEPTH_MAX} steps that are drawn: a client can ask for it in words, by why.`,
    );
  const { cell, value, trust, source, rule, repeated, key, premises } = NODE.parse(data);
  return {
    holds: `${cell} = ${value}`,
    by: rule ?? source,
    isConclusion: trust === "derived",
    key: key ?? null,
    isRepeated: repeated,
    premises: premises.map((premise) => {
      const condition = CONDITION.safeParse(premise);
      return condition.success ? condition.data.condition : proofNode(premise, depth + 1);
    }),
  };
}

function brief(one: string): string {
  return one.replace(/\.?0+Z$/, (zeros) => (zeros.startsWith(".") ? "Z" : zeros)).replace("T00:00:00Z", "");
}
