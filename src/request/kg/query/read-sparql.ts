/**
 * SPARQL, as far as it reads: `SELECT ?a ?n WHERE { ?a a :concept . ?a :extends ?b . ?b :name ?n . FILTER(?n = "x") } LIMIT n`.
 *
 * A predicate is `a` (the kind), a relation, or a field; prefixes are taken and not looked at. What the language has beyond
 * this is refused by name.
 */
import type { RequestJson } from "../../request-json";
import { RELATIONS } from "../relation-table";
import type { Column, Comparison, Condition, EdgePattern, GraphQuery, NodePattern, Operand, OrderKey } from "./graph-query";
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
  "HAVING",
];

export function readSparql(text: string): GraphQuery {
  // A prefix is declared and then says nothing: names are ours, whatever they are prefixed with. Places stay what they were.
  const head = /^(?:\s*PREFIX\s+[A-Za-z0-9_-]*:\s*<[^>]*>)*/i.exec(text)![0];
  return new SparqlReader(new TokenReader(tokens(" ".repeat(head.length) + text.slice(head.length), true))).query();
}

/** `(COUNT(DISTINCT ?a) AS ?n)`; `variable` null: `*`. */
interface Count {
  readonly tag: "count";
  readonly name: string;
  readonly variable: string | null;
  readonly distinct: boolean;
  readonly at: number;
}

class SparqlReader {
  readonly #in: TokenReader;
  readonly #nodes = new Map<string, NodePattern>();
  readonly #edges: EdgePattern[] = [];
  readonly #conditions: Condition[] = [];
  /** Variables that stand for a value, and what value it is. */
  readonly #values = new Map<string, Operand & { readonly tag: "field" }>();

  /** Names of numbers. */
  #counts: ReadonlySet<string> = new Set();

  constructor(reader: TokenReader) {
    this.#in = reader;
  }

  query(): GraphQuery {
    this.#refuseOthers();
    this.#in.wantWord("SELECT");
    const distinct = this.#in.word("DISTINCT");
    const selected: (Token | Count)[] = [];
    if (!this.#in.sign("*")) while (this.#in.token.tag === "variable" || this.#in.isSign("(")) selected.push(this.#selected());
    const all = selected.length === 0;
    this.#in.word("WHERE");
    this.#in.wantSign("{");
    while (!this.#in.sign("}")) this.#pattern();
    this.#groups(selected);
    this.#counts = new Set(selected.flatMap((one) => (one.tag === "count" ? [one.name] : [])));
    const { order, skip, limit } = this.#tail();
    this.#refuseOthers();
    if (this.#in.token.tag !== "end") throw this.#in.expected("the end of the query");
    const columns = all
      ? [...this.#nodes.keys(), ...this.#values.keys()].map((name) => this.#column(name, 0))
      : selected.map((one) => (one.tag === "count" ? this.#counted(one) : this.#column(one.text, one.at)));
    const condition = this.#conditions.length === 0 ? null : this.#conditions.reduce((left, right) => ({ tag: "and", left, right }));
    return { nodes: [...this.#nodes.values()], edges: this.#edges, condition, columns, distinct, order, skip, limit };
  }

  /** `?n`, or `(COUNT(?a) AS ?n)`. */
  #selected(): Token | Count {
    if (!this.#in.sign("(")) return this.#in.take();
    const { at } = this.#in.token;
    this.#in.wantWord("COUNT");
    this.#in.wantSign("(");
    const distinct = this.#in.word("DISTINCT");
    const variable = this.#in.sign("*") ? null : this.#variable("`*`, or a variable");
    this.#in.wantSign(")");
    this.#in.wantWord("AS");
    const name = this.#variable("a name for the number, as in ?n");
    this.#in.wantSign(")");
    return { tag: "count", name, variable, distinct, at };
  }

  /** A variable that stands for a value is there in every match. */
  #counted({ name, variable, distinct, at }: Count): Column {
    const isValue = variable !== null && this.#values.has(variable);
    if (isValue && distinct) throw queryFault(`COUNT(DISTINCT ?${variable}) counts values, and only records are counted once`, at);
    if (variable !== null && !isValue && !this.#nodes.has(variable)) throw queryFault(`?${variable} is bound nowhere`, at);
    return { tag: "count", name, variable: isValue ? null : variable, distinct };
  }

  /** Where there is a number, it is one for each different rest of the row, and the query says so. */
  #groups(selected: readonly (Token | Count)[]): void {
    const { at } = this.#in.token;
    const grouped: string[] = [];
    if (this.#in.word("GROUP")) {
      this.#in.wantWord("BY");
      do grouped.push(this.#variable("a variable"));
      while (this.#in.token.tag === "variable");
    } else if (selected.every((one) => one.tag !== "count")) return;
    const plain = selected.flatMap((one) => (one.tag === "count" ? [] : [one.text]));
    if (plain.length === new Set(grouped).size && plain.every((name) => grouped.includes(name)) && plain.length < selected.length) return;
    throw queryFault("GROUP BY names the variables that stand beside a COUNT, and no others", at);
  }

  #refuseOthers(): void {
    const { token } = this.#in;
    const word = token.tag === "word" ? token.text.toUpperCase() : "";
    if (REFUSED.includes(word))
      throw queryFault(
        `${word} is not part of what is read here: SELECT, COUNT, WHERE, FILTER, GROUP BY, ORDER BY, LIMIT, OFFSET`,
        token.at,
      );
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
      const bracketed = this.#in.sign("(");
      this.#conditions.push(bracketed ? this.#or() : this.#function());
      if (bracketed) this.#in.wantSign(")");
      this.#in.sign(".");
      return;
    }
    const subject = this.#variable("a variable, as in ?a");
    this.#node(subject);
    do {
      if (this.#in.isSign(".") || this.#in.isSign("}")) break;
      this.#predicate(subject);
    } while (this.#in.sign(";"));
    // A word begins something else than a triple.
    if (!this.#in.sign(".") && !this.#in.isSign("}") && this.#in.token.tag !== "word") throw this.#in.expected("`.` after a triple");
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
    if (FUNCTIONS.some(([word]) => this.#in.isWord(word))) return this.#function();
    const left = this.#operand();
    for (const [sign, op] of SIGNS) if (this.#in.sign(sign)) return { tag: "compare", op, left, right: this.#operand() };
    throw this.#in.expected("a comparison");
  }

  #function(): Condition {
    const called = FUNCTIONS.find(([word]) => this.#in.word(word));
    if (called === undefined) throw this.#in.expected(`\`(\`, or one of ${FUNCTIONS.map(([word]) => word).join(", ")}`);
    this.#in.wantSign("(");
    const left = this.#operand();
    this.#in.wantSign(",");
    const right = this.#operand();
    this.#in.wantSign(")");
    return { tag: "compare", op: called[1], left, right };
  }

  #operand(): Operand {
    const { token } = this.#in;
    if (token.tag !== "variable") return { tag: "literal", value: this.#literal() };
    this.#in.take();
    return this.#values.get(token.text) ?? { tag: "field", variable: token.text, field: "id" };
  }

  #literal(): RequestJson {
    if (this.#in.sign("-")) return -this.#in.number();
    if (this.#in.token.tag === "number") return this.#in.number();
    const token = this.#in.take();
    if (token.tag === "string") return token.text;
    if (token.tag === "word" && /^(true|false)$/i.test(token.text)) return token.text.toLowerCase() === "true";
    throw queryFault(`got ${JSON.stringify(token.text)}, expected a value`, token.at);
  }

  #tail(): Pick<GraphQuery, "order" | "skip" | "limit"> {
    const order: { operand: OrderKey; descending: boolean }[] = [];
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
          const name = this.#in.token.text;
          if (this.#counts.has(name)) this.#in.take();
          order.push({ operand: this.#counts.has(name) ? { tag: "column", name } : this.#operand(), descending });
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
