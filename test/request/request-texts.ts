/** Seeded requests for fuzzing the whole endpoint: calls of real verbs with arguments near what they take, and texts that are none. */
import { PACKS } from "../../src/request/packs";
import type { JsonObject } from "../../src/request/request-json";
import { inputSchema } from "../../src/request/verb-help";
import { opsText, random } from "../lang/ops/ops-texts";

/** Tools of the other endpoint run programs, which have a fuzzer of their own. */
const VERBS = PACKS.all()
  .filter(({ name }) => name !== "dke.run" && name !== "dke.compile")
  .map((verb) => ({
    name: verb.name,
    properties: Object.entries(inputSchema(verb)["properties"] as JsonObject),
    schema: inputSchema(verb),
  }));
/** Without records most calls would find nothing. */
const MAKERS = VERBS.filter(({ name }) => name === "create" || name === "link");
const ODD: readonly unknown[] = [
  null, true, false, 0, 1, -1, 1.5, 1e308, -0, 2 ** 53, "", " ", "x", "é\u0000", "\u{1f69c}", "__proto__", "constructor", "local", "entity", "note", "edge",
  "concept", "task", "message", "2026-07-01T09:00:00Z", "daily", "* * 29 2 *", "MATCH (a)-[r]->(b) RETURN a", "SELECT ?b WHERE { ?a :extends ?b }",
  "stats()", "deadbeef", "$previous", [], {}, [[]], [null], { __proto__x: 1 }, { kind: "add_note", content: "x" }, { op: "append", stream: "s", record: null },
]; // biome-ignore format: a list
const WORDS = ["cat", "sat", "mat", "dog", "ran", "far", "a", "the"];

export class RequestTexts {
  readonly #next: () => number;
  /** Ids that answers gave. */
  readonly #ids: readonly string[];

  constructor(seed: number, ids: readonly string[]) {
    this.#next = random(seed);
    this.#ids = ids;
    this.#seed = seed;
  }
  readonly #seed: number;

  #below(n: number): number {
    return Math.floor(this.#next() * n);
  }
  #of<T>(list: readonly T[]): T {
    return list[this.#below(list.length)];
  }

  text(): string {
    const shape = this.#below(10);
    if (shape < 3) return opsText(this.#seed);
    if (shape === 3) return JSON.stringify(this.batch());
    const chain = () => Array.from({ length: 1 + this.#below(2) }, (_, i) => this.#call(i > 0)).join(" | ");
    return shape < 7 ? chain() : `[${Array.from({ length: 1 + this.#below(3) }, chain).join(", ")}]`;
  }

  /** Calls as the JSON form has them. */
  batch(): { readonly tool: string; readonly args: { readonly [name: string]: unknown } }[] {
    return Array.from({ length: 1 + this.#below(3) }, () => this.#json());
  }

  #args(): [string, unknown][] {
    const { properties, schema } = this.#verb;
    const required = (schema["required"] ?? []) as readonly string[];
    const args = properties
      .filter(([name]) => (required.includes(name) ? this.#next() < 0.95 : this.#next() < 0.15))
      .map(([name, of]): [string, unknown] => [name, this.#next() < 0.15 ? this.#of(ODD) : this.#value(name, of as JsonObject)]);
    if (this.#next() < 0.03) args.push(["nosuch", 1]);
    if (this.#next() < 0.05) args.push(["namespace", this.#of(["local", "n", "", 3])]);
    return args;
  }
  #verb = VERBS[0];

  #json() {
    this.#verb = this.#of(VERBS);
    return { tool: this.#verb.name, args: Object.fromEntries(this.#args()) };
  }

  #call(inChain: boolean): string {
    this.#verb = this.#of(this.#next() < 0.35 ? MAKERS : VERBS);
    const args = this.#args().map(([name, value]) => {
      const isId = name === "id" || name.endsWith("_id");
      return `${name}=${inChain && isId && this.#next() < 0.6 ? "$prev.id" : JSON.stringify(value)}`;
    });
    return `${this.#verb.name}(${args.join(", ")})`;
  }

  #value(name: string, schema: JsonObject): unknown {
    if (name === "id" || name.endsWith("_id")) return this.#id();
    if (name === "kind") return this.#of(["concept", "document", "entity", "note", "observation", "task", "edge", "person"]);
    if (name === "relation") return this.#of(["extends", "annotates", "introduced-by", "competes_with", "nope"]);
    if (Array.isArray(schema["enum"])) return this.#of(schema["enum"]);
    if (Array.isArray(schema["anyOf"])) return this.#value("", this.#of(schema["anyOf"]) as JsonObject);
    switch (schema["type"]) {
      case "string":
        return `${this.#of(WORDS)} ${this.#of(WORDS)}`;
      case "integer":
        return this.#below(20) - 1;
      case "number":
        return this.#next();
      case "boolean":
        return this.#next() < 0.5;
      case "array":
        return Array.from({ length: this.#below(3) }, () =>
          /ids$|^refs$|^roots$|^annotates$|^depends_on$/.test(name) ? this.#id() : this.#value("", (schema["items"] ?? {}) as JsonObject),
        );
      case "object": {
        const members = Object.entries((schema["properties"] ?? { k: {} }) as JsonObject);
        return Object.fromEntries(members.map(([key, of]) => [key, this.#value(key, of as JsonObject)]));
      }
      default:
        return this.#of(ODD);
    }
  }

  #id(): string {
    const id = this.#ids.length === 0 ? "deadbeef" : this.#of(this.#ids);
    return this.#next() < 0.3 ? id.slice(0, 8) : id;
  }
}
