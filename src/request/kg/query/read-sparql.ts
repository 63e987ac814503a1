/**
 * SPARQL, as far as it reads: `SELECT ?a ?n WHERE { ?a a :concept . ?a :extends ?b . ?b :name ?n . FILTER(?n = "x") } LIMIT n`.
 *
 * A predicate is `a` (the kind), a relation, or a field; prefixes are taken and not looked at. What the language has beyond
 * this is refused by name.
 */
import type { RequestJson } from "../../request-json";
import { RELATIONS } from "../relation-table";
import type { Column, Comparison, Condition, EdgePattern, GraphQuery, NodePattern, Operand } from "./graph-query";
import { queryFault, type Token, TokenReader, tokens } from "./query-text";

const REFUSED = [
  "CONSTRUCT",
  "DESCRIBE",
  "ASK",
  "INSERT",
  "DELETE",
  "LOAD",
  "CLEAR",
  "OPTIONAL",
  "UNION",
  "MINUS",
  "GRAPH",
  "SERVICE",
  "BIND",
  "VALUES",
  "GROUP",
  "HAVING",
];

export function readSparql(text: string): GraphQuery {
  // A prefix is declared and then says nothing: names are ours, whatever they are prefixed with. Places stay what they were.
  const head = /^(?:\s*PREFIX\s+[A-Za-z0-9_-]*:\s*<[^>]*>)*/i.exec(text)![0];
  return new SparqlReader(new TokenReader(tokens(" ".repeat(head.length) + text.slice(head.length), true))).query();
}

class SparqlReader {
  readonly #in: TokenReader;
  readonly #nodes = new Map<string, NodePattern>();
  readonly #edges: EdgePattern[] = [];
  readonly #conditions: Condition[] = [];
  /** Variables that stand for a value, and what value it is. */
  readonly #values = new Map<string, Operand & { readonly tag: "field" }>();

  constructor(reader: TokenReader) {
    this.#in = reader;
  }

  query(): GraphQuery {
    this.#refuseOthers();
    this.#in.wantWord("SELECT");
    const distinct = this.#in.word("DISTINCT");
    const selected: Token[] = [];
    if (!this.#in.sign("*")) while (this.#in.token.tag === "variable") selected.push(this.#in.take());
    const all = selected.length === 0;
    this.#in.word("WHERE");
    this.#in.wantSign("{");
    while (!this.#in.sign("}")) this.#pattern();
    const { order, skip, limit } = this.#tail();
    this.#refuseOthers();
    if (this.#in.token.tag !== "end") throw this.#in.expected("the end of the query");
    const names = all ? [...this.#nodes.keys(), ...this.#values.keys()] : selected.map((token) => token.text);
    const columns = names.map((name, index) => this.#column(name, all ? 0 : selected[index].at));
    const condition = this.#conditions.length === 0 ? null : this.#conditions.reduce((left, right) => ({ tag: "and", left, right }));
    return { nodes: [...this.#nodes.values()], edges: this.#edges, condition, columns, distinct, order, skip, limit };
  }

  #refuseOthers(): void {
    const { token } = this.#in;
    const word = token.tag === "word" ? token.text.toUpperCase() : "";
    if (REFUSED.includes(word))
      throw queryFault(`${word} is not part of what is read here: SELECT, WHERE, FILTER, ORDER BY, LIMIT, OFFSET`, token.at);
  }

  #column(name: string, at: number): Column {
    const value = this.#values.get(name);
    if (value !== undefined) return { tag: "value", name, variable: value.variable, field: value.field };
    if (!this.#nodes.has(name)) throw queryFault(`?${name} is bound nowhere`, at);
    return { tag: "value", name, variable: name, field: "id" };
  }

  // ---- patterns

  #pattern(): void {
    this.#refuseOthers();
    if (this.#in.word("FILTER")) {
      this.#in.wantSign("(");
      this.#conditions.push(this.#or());
      this.#in.wantSign(")");
      this.#in.sign(".");
      return;
    }
    const subject = this.#variable("a variable, as in ?a");
    this.#node(subject);
    do {
      if (this.#in.isSign(".") || this.#in.isSign("}")) break;
      this.#predicate(subject);
    } while (this.#in.sign(";"));
    if (!this.#in.sign(".") && !this.#in.isSign("}")) throw this.#in.expected("`.` after a triple");
  }

  #predicate(subject: string): void {
    const predicate = this.#in.name("a predicate: a, a relation or a field");
    if (predicate === "a" || predicate.toLowerCase() === "type") {
      const kind = this.#in.name("a kind of record");
      this.#nodes.set(subject, { variable: subject, kinds: [kind.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase()] });
      return;
    }
    const relation = predicate.toLowerCase().replaceAll("-", "_");
    const isRelation = Object.hasOwn(RELATIONS, relation);
    do {
      if (isRelation) {
        const object = this.#variable("a variable, as in ?b");
        this.#node(object);
        this.#edges.push({ variable: null, from: subject, to: object, relations: [relation], eitherWay: false });
      } else this.#fieldIs(subject, predicate);
    } while (this.#in.sign(","));
  }

  #fieldIs(subject: string, field: string): void {
    const left = { tag: "field", variable: subject, field } as const;
    if (this.#in.token.tag !== "variable") {
      this.#conditions.push({ tag: "compare", op: "=", left, right: { tag: "literal", value: this.#literal() } });
      return;
    }
    const name = this.#in.take().text;
    const known = this.#values.get(name);
    // The same variable twice: the two values are equal. A value that is not there binds nothing.
    if (known !== undefined) this.#conditions.push({ tag: "compare", op: "=", left, right: known });
    else this.#values.set(name, left);
    this.#conditions.push({ tag: "is_null", operand: left, negated: true });
  }

  #node(variable: string): void {
    if (!this.#nodes.has(variable)) this.#nodes.set(variable, { variable, kinds: [] });
  }

  #variable(what: string): string {
    if (this.#in.token.tag !== "variable") throw this.#in.expected(what);
    return this.#in.take().text;
  }

  // ---- conditions

  #or(): Condition {
    let left = this.#and();
    while (this.#in.sign("||")) left = { tag: "or", left, right: this.#and() };
    return left;
  }

  #and(): Condition {
    let left = this.#unary();
    while (this.#in.sign("&&")) left = { tag: "and", left, right: this.#unary() };
    return left;
  }

  #unary(): Condition {
    if (this.#in.sign("!")) return { tag: "not", condition: this.#unary() };
    if (this.#in.sign("(")) {
      const inner = this.#or();
      this.#in.wantSign(")");
      return inner;
    }
    for (const [word, op] of FUNCTIONS) {
      if (!this.#in.word(word)) continue;
      this.#in.wantSign("(");
      const left = this.#operand();
      this.#in.wantSign(",");
      const right = this.#operand();
      this.#in.wantSign(")");
      return { tag: "compare", op, left, right };
    }
    const left = this.#operand();
    for (const [sign, op] of SIGNS) if (this.#in.sign(sign)) return { tag: "compare", op, left, right: this.#operand() };
    throw this.#in.expected("a comparison");
  }

  #operand(): Operand {
    const { token } = this.#in;
    if (token.tag !== "variable") return { tag: "literal", value: this.#literal() };
    this.#in.take();
    return this.#values.get(token.text) ?? { tag: "field", variable: token.text, field: "id" };
  }

  #literal(): RequestJson {
    const negative = this.#in.sign("-");
    const token = this.#in.take();
    if (token.tag === "number") return negative ? -Number(token.text) : Number(token.text);
    if (token.tag === "string" && !negative) return token.text;
    if (token.tag === "word" && /^(true|false)$/i.test(token.text)) return token.text.toLowerCase() === "true";
    throw queryFault(`got ${JSON.stringify(token.text)}, expected a value`, token.at);
  }

  #tail(): Pick<GraphQuery, "order" | "skip" | "limit"> {
    const order: { operand: Operand; descending: boolean }[] = [];
    let skip = 0;
    let limit: number | null = null;
    for (;;) {
      if (this.#in.word("ORDER")) {
        this.#in.wantWord("BY");
        for (;;) {
          const descending = this.#in.word("DESC");
          const ascending = !descending && this.#in.word("ASC");
          const bracketed = (descending || ascending) && this.#in.sign("(");
          if (this.#in.token.tag !== "variable") throw this.#in.expected("a variable");
          order.push({ operand: this.#operand(), descending });
          if (bracketed) this.#in.wantSign(")");
          if (this.#in.token.tag !== "variable" && !this.#in.isWord("DESC") && !this.#in.isWord("ASC")) break;
        }
      } else if (this.#in.word("LIMIT")) limit = this.#in.count("LIMIT");
      else if (this.#in.word("OFFSET")) skip = this.#in.count("OFFSET");
      else return { order, skip, limit };
    }
  }
}

const FUNCTIONS: readonly (readonly [string, Comparison])[] = [
  ["CONTAINS", "contains"],
  ["STRSTARTS", "starts_with"],
  ["STRENDS", "ends_with"],
];

const SIGNS: readonly (readonly [string, Comparison])[] = [
  ["=", "="],
  ["!=", "<>"],
  ["<=", "<="],
  [">=", ">="],
  ["<", "<"],
  [">", ">"],
];
