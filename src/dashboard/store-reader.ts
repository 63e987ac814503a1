/**
 * What the Explore page asks a store, and what it makes of the answers: small programs that only read, sent through whatever
 * calls a tool with the person's key.
 *
 * Runs in the page (and in tests); the service's own side never does. Answers are data for pictures: src/dashboard/picture-data.ts
 * takes them in. An address is checked before it stands in a program, so that nothing else can stand there.
 */

/** One `tools/call`. Throws where the store refuses, with what it says. */
export type CallTool = (tool: string, args: Readonly<Record<string, string>>) => Promise<{ readonly text: string; readonly meta: Meta }>;
// biome-ignore lint/suspicious/noExplicitAny: `_meta` of the tools, told by their tests.
type Meta = Readonly<Record<string, any>>;

export interface ClaimData {
  readonly value: string;
  readonly source: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly knownFrom: string;
  readonly knownUntil: string | null;
}

export interface ProofData {
  readonly cell: string;
  readonly value: string;
  readonly trust: string;
  readonly source: string;
  readonly rule: string | null;
  readonly repeated: boolean;
  readonly key?: string | null;
  readonly premises: readonly (ProofData | { readonly condition: string })[];
}

export interface Told<Data> {
  readonly data: Data;
  /** What the picture does not show. */
  readonly notes: readonly string[];
}

/** What history keeps of one claim, and of each later moment whether its value was still known then. */
interface Version {
  readonly value: string;
  readonly source: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly known: string;
  readonly standing: boolean;
  readonly lost: readonly string[];
}

const SUBJECTS_SHOWN = 500;
/** Of a Kind, for its fields. */
const SUBJECTS_LOOKED_AT = 1000;
const VERSIONS_MAX = 60;
const LEAVES_WITH_KEY = 200;
/** Of Kinds, and of rules, in one picture. */
export const GRAPH_MAX = 300;
/** Kinds that changed, in one picture. */
export const CHANGED_MAX = 200;

const NAME = String.raw`[\p{L}_][\p{L}\p{N}_]*`;
const QUOTED = String.raw`\["(?:[^"\\\n]|\\.)*"\]`;
const STEP = `(?:\\.${NAME}|${QUOTED})`;
const ADDRESS = new RegExp(`^${NAME}${STEP}*$`, "u");
const CELL = new RegExp(`^${NAME}(?:\\.${NAME})*${STEP}${STEP}$`, "u");
const LEADING_ADDRESS = new RegExp(`^${NAME}${STEP}+`, "u");
const INSTANT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?Z)?$/;

export class StoreReader {
  readonly #call: CallTool;

  constructor(call: CallTool) {
    this.#call = call;
  }

  async kinds(): Promise<string[]> {
    return (await this.#call("list", { target: "kinds" })).meta["names"];
  }

  async marks(): Promise<string[]> {
    return (await this.#call("list", { target: "checkpoints" })).meta["names"];
  }

  /** As addresses. */
  async subjects(kind: string): Promise<Told<string[]>> {
    const program = [
      `all = subjects(${address(kind)})`,
      `print(dumps({"count": len(all), "names": [repr(s) for s in all[:${SUBJECTS_SHOWN}]]}))`,
    ];
    const { count, names } = await this.#ask(program);
    return { data: names, notes: count > names.length ? [`The first ${names.length} of ${count} subjects are shown.`] : [] };
  }

  /** The cells of a subject, as addresses. */
  async cells(subject: string): Promise<string[]> {
    const fields: string[] = await this.#ask([`print(dumps(fields(${address(subject)})))`]);
    return fields.map((field) =>
      new RegExp(`^${NAME}$`, "u").test(field) ? `${subject}.${field}` : `${subject}[${JSON.stringify(field)}]`,
    );
  }

  /** What is in force at a cell, at a moment as known at another; null where nothing is. */
  async inForce(cell: string, at: string, knownAt: string): Promise<string | null> {
    const moments = `${moment("at", at)}${moment("known_at", knownAt)}`;
    return this.#ask([
      `shown = [repr(v) for v in values(${cellAddress(cell)}${moments})]`,
      "chosen = None",
      "try:",
      `    claim = current(${cell}${moments})`,
      "    chosen = None if claim is None else repr(claim.value)",
      "except Ambiguous:",
      '    chosen = ", ".join(shown)',
      "print(dumps(chosen))",
    ]);
  }

  async claims(cell: string): Promise<Told<readonly ClaimData[]>> {
    cellAddress(cell);
    const program = [
      `all = history(${cell})`,
      `standing = get(${cell})`,
      // When each replaced version stopped being known is asked of the store itself: its value is there no more.
      "times = sorted({c.recorded_at for c in all})",
      "told = []",
      "forgotten = False",
      `for c in all[-${VERSIONS_MAX}:]:`,
      "    lost = []",
      "    stands = c in standing",
      "    if not stands:",
      "        for t in times:",
      "            if t >= c.recorded_at:",
      "                try:",
      `                    if c.value not in values(${cell}, at=c.valid_from if c.valid_from is not None else (c.valid_to - duration("PT0.000001S") if c.valid_to is not None else None), known_at=t):`,
      "                        lost.append(str(t))",
      "                except Refusal:",
      "                    forgotten = True",
      '    told.append({"value": repr(c.value), "source": c.source, "from": None if c.valid_from is None else str(c.valid_from), "to": None if c.valid_to is None else str(c.valid_to), "known": str(c.recorded_at), "standing": stands, "lost": lost})',
      'print(dumps({"count": len(all), "told": told, "forgotten": forgotten}))',
    ];
    const { count, told, forgotten } = await this.#ask(program);
    return drawn(told, count, forgotten);
  }

  async proof(cell: string): Promise<ProofData> {
    const proof: ProofData = await this.#ask([`print(why(${cellAddress(cell)}).to_json())`]);
    const leaves = [...new Set(asserted(proof))].slice(0, LEAVES_WITH_KEY);
    const written: [string, string, string, string][] = await this.#ask([
      "told = []",
      ...leaves.map((leaf) => `told.extend([[c.cell, repr(c.value), c.source, c.written_by] for c in get(${leaf})])`),
      "print(dumps(told))",
    ]);
    const keys = new Map<string, string | null>();
    for (const [at, value, source, key] of written) {
      const name = JSON.stringify([at, value, source]);
      // Two keys have said it, of different times: no one key is right.
      keys.set(name, keys.has(name) && keys.get(name) !== key ? null : key);
    }
    return withKeys(proof, keys);
  }

  async changes(mark: string): Promise<{ readonly kinds: Map<string, { added: number; removed: number }>; readonly lines: string[] }> {
    const known = await this.kinds();
    const { meta, text } = await this.#call("diff", { since: mark });
    const lines: string[] = meta["lines"] ?? [];
    if (meta["found"] === false) throw new Error(text);
    const kinds = new Map<string, { added: number; removed: number }>();
    for (const line of lines) {
      const [verb, rest = ""] = splitOnce(line, " ");
      const kind = kindOf(rest, known);
      const counts = kinds.get(kind) ?? { added: 0, removed: 0 };
      if (verb === "added") counts.added++;
      else counts.removed++;
      kinds.set(kind, counts);
    }
    return { kinds, lines };
  }

  async graph(): Promise<
    Told<{
      readonly kinds: { name: string; fields: string[] }[];
      readonly rules: { name: string; reads: string[]; concludes: string[] }[];
      readonly unmet: string[];
      readonly unread: string[];
    }>
  > {
    const notes: string[] = [];
    const fields = new Map<string, Set<string>>();
    const rules = new Map<string, { reads: Set<string>; concludes: Set<string> }>();
    const rule = (name: string) => {
      const known = rules.get(name) ?? { reads: new Set(), concludes: new Set() };
      if (rules.size < GRAPH_MAX) rules.set(name, known);
      return known;
    };
    const named: string[] = (await this.#call("list", { target: "rules" })).meta["names"];
    for (const name of firstOf(named, GRAPH_MAX, "rules", notes)) rule(name);
    for (const kind of firstOf(await this.kinds(), GRAPH_MAX, "Kinds", notes)) {
      const { count, needs } = await this.#ask([
        `all = subjects(${address(kind)})`,
        "seen = {}",
        `for s in all[:${SUBJECTS_LOOKED_AT}]:`,
        "    for f in fields(s):",
        "        if f not in seen:",
        "            seen[f] = s",
        "needs = []",
        "for f in sorted(seen):",
        "    s = seen[f]",
        "    try:",
        "        needs.append([f, what_needs(s[f]).to_json()])",
        "    except Refusal:",
        "        needs.append([f, None])",
        'print(dumps({"count": len(all), "needs": needs}))',
      ]);
      if (count > SUBJECTS_LOOKED_AT) notes.push(`Fields of ${kind} are those of its first ${SUBJECTS_LOOKED_AT} subjects of ${count}.`);
      fields.set(kind, new Set());
      for (const [field, json] of needs as [string, string | null][]) {
        fields.get(kind)!.add(field);
        if (json !== null) noteReaders(JSON.parse(json), `${kind}.${field}`, rule);
      }
    }
    const findings: string[] = (await this.#call("checkup", {})).meta["findings"];
    const unmet: string[] = [];
    const unread: string[] = [];
    for (const line of findings) {
      const [finding, what = ""] = splitOnce(line, " ");
      if (finding === "unmet") {
        const [path] = splitOnce(what, " ");
        unmet.push(path);
        const [kind, field] = fieldPath(path);
        if (fields.has(kind) || fields.size < GRAPH_MAX) fields.set(kind, (fields.get(kind) ?? new Set()).add(field));
      } else if (finding === "unread") unread.push(...[...(fields.get(what) ?? [])].map((field) => `${what}.${field}`));
      else if (finding === "violated" || finding === "near") notes.push(line);
    }
    for (const [name, { reads, concludes }] of rules)
      if (reads.size + concludes.size === 0) notes.push(`Rule ${name} reads nothing that is recorded yet: it has no line.`);
    return {
      data: {
        kinds: [...fields].map(([name, of]) => ({ name, fields: [...of] })),
        rules: [...rules].map(([name, { reads, concludes }]) => ({ name, reads: [...reads], concludes: [...concludes] })),
        unmet,
        unread,
      },
      notes,
    };
  }

  /** Runs a program that prints one line of JSON; every module of the store can be named in it. */
  // biome-ignore lint/suspicious/noExplicitAny: what the program prints, which stands beside the call.
  async #ask(lines: readonly string[]): Promise<any> {
    const modules: { name: string }[] = (await this.#call("list_modules", {})).meta["modules"];
    const imports = modules.map(({ name }) => `import ${name}`);
    const { text } = await this.#call("run", { source: [...imports, "from json import dumps", ...lines].join("\n") });
    return JSON.parse(text.slice(text.indexOf("\n") + 1));
  }
}

function firstOf(names: readonly string[], most: number, what: string, notes: string[]): readonly string[] {
  if (names.length > most) notes.push(`The first ${most} of ${names.length} ${what} are drawn.`);
  return names.slice(0, most);
}

function isCell(text: string): boolean {
  return CELL.test(text);
}

/** With six digits, so that the order of texts is that of instants. */
export function precise(instant: string): string {
  const [whole, fraction = ""] = instant.slice(0, -1).split(".");
  return `${whole}.${fraction.padEnd(6, "0")}Z`;
}

function cellAddress(text: string): string {
  if (!isCell(text)) throw new Error('A cell is written as Kind.subject.field, or Kind["any name"].field.');
  return text;
}

function address(text: string): string {
  if (!ADDRESS.test(text)) throw new Error("This is no address.");
  return text;
}

function moment(keyword: string, text: string): string {
  const instant = wholeInstant(text);
  return instant === null ? "" : `, ${keyword}=datetime("${instant}")`;
}

/** What a person writes of a moment, a date being its first; null where nothing is written. */
export function wholeInstant(text: string): string | null {
  if (text === "") return null;
  if (!INSTANT.test(text)) throw new Error("A moment is written as 2025-06-01 or 2025-06-01T12:00:00Z.");
  if (text.length === 10) return `${text}T00:00:00Z`;
  return /T\d\d:\d\dZ$/.test(text) ? text.replace("Z", ":00Z") : text;
}

/** What of the versions has a place in the picture, and words for what has none. */
function drawn(told: readonly Version[], count: number, forgotten: boolean): Told<readonly ClaimData[]> {
  const notes: string[] = [];
  if (count > told.length) notes.push(`The latest ${told.length} of ${count} versions are shown.`);
  if (forgotten) notes.push("Something here was removed since: when earlier versions stopped being known is not told any more.");
  const until = (version: Version): string | null | undefined => (version.standing ? null : version.lost.at(0));
  const claims: ClaimData[] = [];
  let within = 0;
  let unknown = 0;
  for (const version of told) {
    const knownUntil = forgotten && !version.standing ? undefined : until(version);
    // What is left of a claim that was cut stands where the whole one did, from the moment of the cut.
    const cuts = told.flatMap((other) => (isPart(version, other) ? (until(other) ?? []) : []));
    const knownFrom = [version.known, ...cuts].reduce((latest, cut) => (precise(cut) > precise(latest) ? cut : latest));
    if (knownUntil === undefined) unknown++;
    else if (knownUntil !== null && precise(knownUntil) <= precise(knownFrom)) within++;
    else claims.push({ value: version.value, source: version.source, from: version.from, to: version.to, knownFrom, knownUntil });
  }
  if (within > 0) notes.push(`${within} written and replaced within one call: known at no moment, and not drawn.`);
  if (unknown > 0) notes.push(`${unknown} replaced, the store does not say when: not drawn.`);
  return { data: claims, notes };
}

function isPart(part: Version, whole: Version): boolean {
  if (whole === part || whole.standing || part.source !== whole.source || part.value !== whole.value || part.known !== whole.known)
    return false;
  const startsIn = whole.from === null || (part.from !== null && precise(part.from) >= precise(whole.from));
  const endsIn = whole.to === null || (part.to !== null && precise(part.to) <= precise(whole.to));
  return startsIn && endsIn && (part.from !== whole.from || part.to !== whole.to);
}

function asserted(proof: ProofData): string[] {
  const below = proof.premises.flatMap((premise) => ("condition" in premise ? [] : asserted(premise)));
  return proof.trust === "asserted" && isCell(proof.cell) ? [proof.cell, ...below] : below;
}

function withKeys(proof: ProofData, keys: ReadonlyMap<string, string | null>): ProofData {
  const key = proof.trust === "asserted" ? (keys.get(JSON.stringify([proof.cell, proof.value, proof.source])) ?? null) : null;
  return { ...proof, key, premises: proof.premises.map((premise) => ("condition" in premise ? premise : withKeys(premise, keys))) };
}

interface Needed {
  readonly rule?: string;
  readonly cell?: string;
  readonly premises: readonly (Needed | { readonly condition: string })[];
}

/** Rules that read the field at `path`, and what they conclude through it. */
function noteReaders(
  needed: Needed,
  path: string,
  rule: (name: string) => { readonly reads: Set<string>; readonly concludes: Set<string> },
): void {
  for (const reader of needed.premises) {
    if ("condition" in reader || reader.rule === undefined) continue;
    const known = rule(reader.rule);
    known.reads.add(path);
    for (const concluded of reader.premises) {
      if ("condition" in concluded || concluded.cell === undefined) continue;
      const steps = stepsOf(concluded.cell);
      known.concludes.add(`${kindOfSteps(steps)}.${nameOf(steps.at(-1)!)}`);
      noteReaders(concluded, `${kindOfSteps(steps)}.${nameOf(steps.at(-1)!)}`, rule);
    }
  }
}

/** `Kind.field`, the Kind perhaps of a module. */
function fieldPath(path: string): [kind: string, field: string] {
  const steps = stepsOf(path);
  return [steps.slice(0, -1).join("."), nameOf(steps.at(-1) ?? "")];
}

function stepsOf(text: string): string[] {
  return [...text.matchAll(new RegExp(`${NAME}|${QUOTED}`, "gu"))].map(([step]) => step);
}

function kindOfSteps(steps: readonly string[]): string {
  return steps.slice(0, -2).join(".");
}

function nameOf(step: string): string {
  return step.startsWith("[") ? JSON.parse(step.slice(1, -1)) : step;
}

function kindOf(text: string, known: readonly string[]): string {
  const named = known.filter((kind) => text.startsWith(`${kind}.`) || text.startsWith(`${kind}[`));
  if (named.length > 0) return named.reduce((longest, kind) => (kind.length > longest.length ? kind : longest));
  const found = LEADING_ADDRESS.exec(text)?.[0];
  return (found === undefined ? "" : kindOfSteps(stepsOf(found))) || "other";
}

function splitOnce(text: string, by: string): [string, string?] {
  const at = text.indexOf(by);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + by.length)];
}
