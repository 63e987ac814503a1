/**
 * Calls on a store, drawn from a seed: programs that write and read in every way (windows, sources, branches, worlds, moments, pins,
 * preferences, reasons), modules compiled otherwise, left out and forgotten, marks. Whatever they answer, two stores that are given
 * the same calls answer the same.
 */
import { type Chance, seeded } from "../../scripts/seeded.mjs";
import type { Level } from "../../src/engine/claim";

export interface DrawnCall {
  readonly tool: string;
  readonly args: { readonly [name: string]: unknown };
  readonly level: Level;
}

const CLASS = `import other

class Item:
    size: any
    tags: many[string]
    after: Item
    owner: other.Person
    what: any
`;
const ITEMS = [
  `${CLASS}\nclass Gone:\n    x: any\n`,
  `${CLASS}
@rule
def large(i: Item):
    when(i.size > 5)
    conclude(i.large, True)

@rule
def near(i: Item, j: Item):
    when(i.after == j, j.size < 4)
    conclude(i.near, j)

@rule
def tagged(i: Item):
    when(i.size == 3)
    conclude(i.tags, "t1")

@constraint
def fits(i: Item):
    when(i.size >= 0)
    require(i.size != 7)
`,
  `${CLASS}    sized: int

@rule
def sized(i: Item):
    when(i.what == 2, not_asserted(i.sized))
    conclude(i.sized, 2)

@rule
def count(p: other.Person):
    when(p.age > 0)
    conclude(p.owned, sum(1 for i in Item if i.owner == p))

@constraint
def apart(i: Item, j: Item):
    when(i.size == 1, j.size == 2)
    require(i.what == j.what)
`,
] as const;
const PERSON = "class Person:\n    age: int\n    likes: many[any]\n";
const OTHER = [
  `${PERSON}
@rule
def alone(p: Person):
    when(absent(p.likes))
    conclude(p.alone, True)
`,
  `${PERSON}
@rule
def ageless(p: Person):
    when(absent(p.age))
    conclude(p.ageless, True)

@rule
def crowd(n: Note):
    when(absent(n.never))
    conclude(n.crowd, sum(1 for q in Person))

@constraint
def aged(p: Person):
    require(p.age > 1)
`,
] as const;
const WATCH = `import items, other

@rule
def heavy(i: items.Item, p: other.Person):
    when(i.owner == p, i.size > 2)
    conclude(p.heavy, i)

@constraint
def noted(n: Note):
    require(n.on != 2)
`;
const WRITER: Level = "read-write-delete";
const CHECKUP: DrawnCall = { tool: "checkup", args: {}, level: "read" };
const ALL_OF = { items: ITEMS, other: OTHER } as const;

export class DrawnCalls {
  readonly #chance: Chance;
  readonly #subjects: number;
  readonly #next: DrawnCall[] = [];

  constructor(seed: number) {
    this.#chance = seeded(seed);
    this.#subjects = this.#chance.pick([6, 12, 40]);
  }

  /** What a store begins with. */
  beginning(): DrawnCall[] {
    const fill = [`for i in range(${this.#chance.pick([10, 90])}):`];
    for (let i = 0; i < 4; i++)
      fill.push(`    remember(items.Item[f"i{i}"].${this.#pick("size", "what")}, i % ${this.#below(7) + 2}, "s${i}")`);
    fill.push("    if i % 3 == 1:", '        remember(items.Item[f"i{i}"].owner, other.Person[f"p{i}"], "s")');
    fill.push(
      '        remember(items.Gone[f"g{i}"].x, other.Person[f"p{i + 1}"], "s")',
      '        remember(Note[f"n{i}"].on, items.Item[f"i{i}"], "s")',
    );
    const held = ["w", "v"].map((world, k) =>
      [
        `create_world("${world}")`,
        `with world("${world}"):`,
        "    for i in range(0, 40, 3):",
        `        update(items.Item[f"i{i}"].size, (i + ${k + 1}) % 8, "s0")`,
        `        remember(items.Item[f"${world}{i}"].size, ${k + 2}, "s")`,
        `        remember(Note[f"${world}{i}"].on, ${k + 1}, "s")`,
      ].join("\n"),
    );
    return [this.#compile("other"), compile("items", ITEMS[0]), run(`${[...fill, ...held].join("\n")}`, WRITER), this.#compile("items")];
  }

  /** A call that writes. `marks`: it may set, move, forget and restore marks. */
  writing(marks: boolean): DrawnCall {
    const next = this.#next.shift();
    if (next !== undefined) return next;
    if (this.#chance.chance(0.6)) return run(this.#lines(() => this.#statement()).join("\n"), WRITER);
    switch (this.#below(marks ? 8 : 4)) {
      case 0:
        return this.#compile("items");
      case 1:
        return this.#chance.chance(0.5) ? this.#compile("other") : compile("watch", WATCH);
      case 2:
      case 3:
        return this.#forgetting(this.#chance.pick(["items", "items", "other"] as const));
      case 4:
        return { tool: "restore", args: { since: this.#mark() }, level: WRITER };
      case 5:
        return { tool: "forget_checkpoint", args: { name: this.#mark() }, level: WRITER };
      default:
        return { tool: "checkpoint", args: { name: this.#mark() }, level: WRITER };
    }
  }

  reading(marks: boolean): DrawnCall {
    if (this.#chance.chance(0.25)) return CHECKUP;
    if (marks && this.#chance.chance(0.1)) return { tool: "diff", args: { since: this.#mark() }, level: "read" };
    return run(this.#lines(() => this.#read()).join("\n"), "read");
  }

  /** With all that stands in its way first, and what it takes along compiled anew then. */
  #forgetting(name: "items" | "other"): DrawnCall {
    const ends = ["w", "v"].flatMap((world) => [`${this.#pick("merge", "discard")}_world("${world}")`, `discard_world("${world}")`]);
    const pins = ["size", "what", "after", "owner", "tags"].map((field) => inside(guarded(`unpin(x.${field})`)));
    const unpin = `for x in subjects(items.Item):\n    ${pins.join("\n    ")}`;
    const made = 'create_world("w")\ncreate_world("v")';
    const left = ["ageless=True", "alone=True"].map((field) => guarded(`print(find(other.Person, ${field}))`));
    const rest = run(["print(kinds(), find(Note, crowd=0), [x.crowd for x in subjects(Note)])", ...left].join("\n"), "read", "other");
    const names = name === "items" ? ["watch", "items"] : ["watch", "items", "other"];
    const anew = name === "items" ? [this.#compile("items")] : [this.#compile("other"), this.#compile("items")];
    const calls = names.map((module) => ({ tool: "forget_module", args: { name: module, confirm: true }, level: WRITER }));
    this.#next.push(...calls, ...(name === "items" ? [rest, CHECKUP] : []), ...anew, run(made, WRITER));
    return run([...ends.map(guarded), unpin].join("\n"), WRITER);
  }

  #compile(name: "items" | "other"): DrawnCall {
    return compile(name, this.#chance.pick<string>(ALL_OF[name]));
  }

  #lines(draw: () => string): string[] {
    return Array.from({ length: 1 + this.#below(4) }, () => {
      const line = guarded(draw());
      return this.#chance.chance(0.25) ? guarded(`with world("${this.#pick("w", "v")}"):\n    ${inside(line)}`) : line;
    });
  }

  #statement(): string {
    const [cell, value] = this.#cell();
    const source = this.#pick("s", "t", "s0");
    const window = this.#pick("", "", "", ', valid_from=datetime("2020-01-01T00:00:00Z")', ', valid_to=datetime("2021-01-01T00:00:00Z")');
    const wide = this.#chance.chance(0.5) ? cell : cell.replace(/\["[^"]*"\]/, "");
    switch (this.#below(12)) {
      case 0:
        return this.#pick(`forget(${cell})`, `forget(${cell}, ${value}, "${source}")`, `forget(${cell.replace(/\.\w+$/, "")})`);
      case 1:
        return this.#pick(`prefer(${wide}, "${this.#pick(source, "items.large", "items.sized")}")`, `unprefer(${wide})`);
      case 2:
        return this.#pick(`pin(${cell})`, `unpin(${cell})`, `unpin(${cell})`);
      case 3:
        return `with branch("b"):\n    update(${cell}, ${value}, "${source}")\n    ${this.#pick("rollback()", "commit()", "pass")}`;
      case 4:
        return `for i in range(30):\n    update(items.Item[f"i{i}"].${this.#pick("size", "what")}, i % 8, "${source}")`;
      case 5:
        return this.#read();
      case 6:
        return `remember(${cell}, ${value}, "${source}"${window})`;
      default:
        return `update(${cell}, ${value}, "${source}"${window})`;
    }
  }

  #read(): string {
    const kind = this.#pick("items.Item", "items.Item", "other.Person", "Note", "items.Gone");
    const point = this.#pick(
      "",
      "",
      ', at=datetime("2020-06-01T00:00:00Z")',
      ", known_at=now()",
      ', known_at=datetime("2026-01-01T00:00:12.5Z")',
    );
    const [cell] = this.#cell();
    switch (this.#below(7)) {
      case 0:
        return `print(subjects(${kind}${point}))`;
      case 1:
        return `print(find(items.Item, size=${this.#below(8)}), find(items.Item, ${this.#pick("large=True", `near=${this.#item()}`, 'tags="t1"', "sized=2")}))`;
      case 2:
        return `print(find(items.Item, what=${this.#value()}, size=${this.#below(4)}), find(items.Item, what=${this.#value()}))`;
      case 3:
        return `print(find(other.Person, likes=${this.#value()}), find(other.Person, ${this.#pick("alone=True", "ageless=True", `heavy=${this.#item()}`, "owned=1")}))`;
      case 4:
        return `print(find(Note, on=${this.#value()}), [(x, values(x.tags), len(history(x.what))) for x in subjects(items.Item)])`;
      case 5:
        return `print(value(${cell}${point}), why_not(${cell}) if absent(${cell}) else why(${cell}))`;
      default:
        return "print(kinds(), [fields(x) for x in subjects(other.Person)])";
    }
  }

  #cell(): [cell: string, value: string] {
    const person = `other.Person["p${this.#below(this.#subjects)}"]`;
    const note = `Note["n${this.#below(this.#subjects)}"]`;
    switch (this.#below(8)) {
      case 0:
        return [`${this.#item()}.tags`, this.#pick('"t1"', '"t2"')];
      case 1:
        return [`${this.#item()}.after`, this.#item()];
      case 2:
        return [`${this.#item()}.owner`, person];
      case 3:
        return [`${person}.age`, `${this.#below(3)}`];
      case 4:
        return [`${person}.likes`, this.#value()];
      case 5:
        return [`${note}.${this.#pick("on", "by")}`, this.#value()];
      default:
        return [`${this.#item()}.${this.#pick("size", "size", "what")}`, this.#value()];
    }
  }

  #value(): string {
    const n = this.#below(this.#subjects);
    return this.#pick(
      ...["0", "1", "2", "3", "7", "True", "1.0", "-0.0", '"x"', "[1]", "[1.0]", "2 ** 60", "None"],
      this.#item(),
      `other.Person["p${n}"]`,
    );
  }
  #item(): string {
    return `items.Item["i${this.#below(this.#subjects)}"]`;
  }
  #mark(): string {
    return this.#pick("m", "k");
  }
  #pick(...texts: readonly string[]): string {
    return this.#chance.pick(texts);
  }
  #below(n: number): number {
    return this.#chance.below(n);
  }
}

function run(lines: string, level: Level, modules = "items, other"): DrawnCall {
  return { tool: "run", args: { source: `import ${modules}\n${lines}` }, level };
}
function compile(name: string, source: string): DrawnCall {
  return { tool: "compile", args: { name, source }, level: WRITER };
}
function guarded(lines: string): string {
  return `try:\n    ${inside(lines)}\nexcept Exception as e:\n    print(type(e).__name__, str(e)[:90])`;
}
function inside(lines: string): string {
  return lines.replaceAll("\n", "\n    ");
}
