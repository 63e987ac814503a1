/**
 * GQL, as far as it reads: `MATCH (a:concept {name: "x"})-[r:extends]->(b) WHERE … RETURN a.name, b ORDER BY … SKIP n LIMIT m`.
 *
 * Labels are kinds of record, edge labels are relations. What the language has beyond this is refused by name.
 */
import type { RequestJson } from "../../request-json";
import { relationNamed } from "../relation-table";
import type { Column, Comparison, Condition, EdgePattern, GraphQuery, NodePattern, Operand, OrderKey } from "./graph-query";
import { queryFault, TokenReader, tokens } from "./query-text";

const WRITES = ["CREATE", "INSERT", "MERGE", "SET", "DELETE", "DETACH", "REMOVE", "DROP", "CALL", "LOAD"];
const OTHERS = ["WITH", "UNWIND", "UNION", "FOREACH", "OPTIONAL", "FOR", "LET", "FILTER", "EXISTS"];

export function readGql(text: string): GraphQuery {
  return new GqlReader(new TokenReader(tokens(text, false))).query();
}

class GqlReader {
  readonly #in: TokenReader;
  readonly #nodes = new Map<string, NodePattern>();
  readonly #edges: EdgePattern[] = [];
  #conditions: Condition[] = [];
  #unnamed = 0;

  constructor(reader: TokenReader) {
    this.#in = reader;
  }

  query(): GraphQuery {
    this.#refuseOthers();
    if (!this.#in.isWord("MATCH")) throw this.#in.expected("MATCH");
    while (this.#in.word("MATCH")) {
      do this.#path();
      while (this.#in.sign(","));
      if (this.#in.word("WHERE")) this.#conditions.push(this.#or());
      this.#refuseOthers();
    }
    this.#in.wantWord("RETURN");
    const distinct = this.#in.word("DISTINCT");
    const columns = this.#in.sign("*") ? this.#everything() : this.#columns();
    const order = this.#order();
    let skip = 0;
    let limit: number | null = null;
    for (;;) {
      if (this.#in.word("SKIP") || this.#in.word("OFFSET")) skip = this.#in.count("SKIP");
      else if (this.#in.word("LIMIT")) limit = this.#in.count("LIMIT");
      else break;
    }
    this.#in.sign(";");
    this.#refuseOthers();
    if (this.#in.token.tag !== "end") throw this.#in.expected("the end of the query");
    const condition = this.#conditions.length === 0 ? null : this.#conditions.reduce((left, right) => ({ tag: "and", left, right }));
    return { nodes: [...this.#nodes.values()], edges: this.#edges, condition, columns, distinct, order, skip, limit };
  }

  #refuseOthers(): void {
    const { token } = this.#in;
    if (token.tag !== "word") return;
    const word = token.text.toUpperCase();
    if (WRITES.includes(word)) throw queryFault(`${word} writes, and a query only reads: use create, link, update or delete`, token.at);
    if (OTHERS.includes(word))
      throw queryFault(`${word} is not part of what is read here: MATCH, WHERE, RETURN, ORDER BY, SKIP, LIMIT`, token.at);
  }

  // ---- patterns

  #path(): void {
    let from = this.#node();
    while (this.#in.isSign("-") || this.#in.isSign("<-")) from = this.#edge(from);
  }

  #node(): string {
    this.#in.wantSign("(");
    const named = this.#in.token.tag === "word" ? this.#in.take().text : `#${this.#unnamed++}`;
    const kinds = this.#labels("a kind of record");
    const known = this.#nodes.get(named);
    this.#nodes.set(named, { variable: named, kinds: known === undefined || kinds.length > 0 ? kinds : known.kinds });
    this.#properties(named);
    this.#in.wantSign(")");
    return named;
  }

  #labels(what: string): string[] {
    const labels: string[] = [];
    if (!this.#in.sign(":")) return labels;
    do {
      this.#in.sign(":");
      labels.push(this.#in.name(what));
    } while (this.#in.sign("|"));
    return labels.map((label) => label.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase());
  }

  #edge(from: string): string {
    const { at } = this.#in.token;
    const incoming = this.#in.sign("<-");
    if (!incoming) this.#in.wantSign("-");
    let variable: string | null = null;
    let relations: string[] = [];
    if (this.#in.sign("[")) {
      if (this.#in.token.tag === "word") variable = this.#in.take().text;
      relations = this.#labels("a relation").map(relationNamed);
      if (this.#in.isSign("*")) throw queryFault("paths of any length are walked by `traverse`", this.#in.token.at);
      if (variable !== null) this.#properties(variable);
      this.#in.wantSign("]");
    }
    const outgoing = this.#in.sign("->");
    if (!outgoing) this.#in.wantSign("-");
    if (incoming && outgoing) throw queryFault("an edge points one way, or with -[]- either", at);
    const to = this.#node();
    this.#edges.push({ variable, from: incoming ? to : from, to: incoming ? from : to, relations, eitherWay: !incoming && !outgoing });
    return to;
  }

  /** `{name: "x"}` in a pattern. */
  #properties(variable: string): void {
    if (!this.#in.sign("{")) return;
    do {
      const field = this.#field();
      this.#in.wantSign(":");
      const right: Operand = { tag: "literal", value: this.#literal() };
      this.#conditions.push({ tag: "compare", op: "=", left: { tag: "field", variable, field }, right });
    } while (this.#in.sign(","));
    this.#in.wantSign("}");
  }

  #field(): string {
    let field = this.#in.name("a field");
    while (this.#in.sign(".")) field += `.${this.#in.name("a field")}`;
    return field;
  }

  // ---- conditions

  #or(): Condition {
    let left = this.#and();
    while (this.#in.word("OR")) left = { tag: "or", left, right: this.#and() };
    return left;
  }

  #and(): Condition {
    let left = this.#not();
    while (this.#in.word("AND")) left = { tag: "and", left, right: this.#not() };
    return left;
  }

  #not(): Condition {
    if (this.#in.word("NOT")) return { tag: "not", condition: this.#not() };
    if (this.#in.sign("(")) {
      const inner = this.#or();
      this.#in.wantSign(")");
      return inner;
    }
    const left = this.#operand();
    if (this.#in.word("IS")) {
      const negated = this.#in.word("NOT");
      this.#in.wantWord("NULL");
      return { tag: "is_null", operand: left, negated };
    }
    const op = this.#comparison();
    return { tag: "compare", op, left, right: this.#operand() };
  }

  #comparison(): Comparison {
    for (const [sign, op] of SIGNS) if (this.#in.sign(sign)) return op;
    if (this.#in.word("CONTAINS")) return "contains";
    if (this.#in.word("IN")) return "in";
    for (const [word, op] of [
      ["STARTS", "starts_with"],
      ["ENDS", "ends_with"],
    ] as const) {
      if (!this.#in.word(word)) continue;
      this.#in.wantWord("WITH");
      return op;
    }
    throw this.#in.expected("a comparison");
  }

  #operand(): Operand {
    const { token } = this.#in;
    const isLiteral = token.tag !== "word" || LITERAL_WORDS.has(token.text.toLowerCase());
    if (isLiteral) return { tag: "literal", value: this.#literal() };
    const variable = this.#in.name("a variable");
    this.#in.wantSign(".");
    return { tag: "field", variable, field: this.#field() };
  }

  #literal(): RequestJson {
    const { token } = this.#in;
    if (this.#in.sign("-")) return -this.#in.number();
    if (token.tag === "number") return this.#in.number();
    if (token.tag === "string") return this.#in.take().text;
    if (token.tag === "word" && LITERAL_WORDS.has(token.text.toLowerCase())) {
      this.#in.take();
      return LITERAL_WORDS.get(token.text.toLowerCase())!;
    }
    if (!this.#in.sign("[")) throw this.#in.expected("a value");
    const items: RequestJson[] = [];
    if (this.#in.sign("]")) return items;
    do items.push(this.#literal());
    while (this.#in.sign(","));
    this.#in.wantSign("]");
    return items;
  }

  // ---- what is told

  #columns(): Column[] {
    const columns: Column[] = [];
    do columns.push(this.#column());
    while (this.#in.sign(","));
    return columns;
  }

  /** Whatever the patterns name. */
  #everything(): Column[] {
    const named = [...this.#nodes.keys()].filter((name) => !name.startsWith("#"));
    const edges = this.#edges.flatMap(({ variable }) => variable ?? []);
    if (named.length + edges.length === 0) throw this.#in.expected("a pattern with a name in it, before RETURN *");
    return [...named, ...edges].map((name) => ({ tag: "value", name, variable: name, field: null }));
  }

  #column(): Column {
    const column = this.#columnValue();
    return this.#in.word("AS") ? { ...column, name: this.#in.name("a name for the column") } : column;
  }

  #columnValue(): Column {
    const first = this.#in.name("what to return");
    if (first.toUpperCase() === "COUNT" && this.#in.sign("(")) {
      const distinct = this.#in.word("DISTINCT");
      const variable = this.#in.sign("*") ? null : this.#in.name("a variable");
      this.#in.wantSign(")");
      return { tag: "count", name: `count(${variable ?? "*"})`, variable, distinct };
    }
    const field = this.#in.sign(".") ? this.#field() : null;
    return { tag: "value", name: field === null ? first : `${first}.${field}`, variable: first, field };
  }

  /** A field, or a column by its name. */
  #orderKey(): OrderKey {
    if (this.#in.token.tag !== "word") return this.#operand();
    const column = this.#columnValue();
    if (column.tag === "value" && column.field !== null) return { tag: "field", variable: column.variable, field: column.field };
    return { tag: "column", name: column.name };
  }

  #order(): GraphQuery["order"] {
    if (!this.#in.word("ORDER")) return [];
    this.#in.wantWord("BY");
    const order: { operand: OrderKey; descending: boolean }[] = [];
    do {
      const operand = this.#orderKey();
      const descending = this.#in.word("DESC") || this.#in.word("DESCENDING");
      if (!descending) this.#in.word("ASC") || this.#in.word("ASCENDING");
      order.push({ operand, descending });
    } while (this.#in.sign(","));
    return order;
  }
}

const SIGNS: readonly (readonly [string, Comparison])[] = [
  ["=", "="],
  ["<>", "<>"],
  ["!=", "<>"],
  ["<=", "<="],
  [">=", ">="],
  ["<", "<"],
  [">", ">"],
];

const LITERAL_WORDS = new Map<string, RequestJson>([
  ["true", true],
  ["false", false],
  ["null", null],
]);
