/**
 * Matches of a graph query, found by walking: from what is bound along an edge of the pattern to what it leads to, and only
 * where nothing leads on over all records of a kind.
 *
 * A condition is asked as soon as all it names is bound. What one query may look at is bounded; past that it is refused,
 * never answered in part.
 */
import type { Subject } from "../../../datum";
import { isJsonObject, type JsonObject, jsonText, type RequestJson } from "../../request-json";
import { invalidInput, VerbFailure } from "../../verb-failure";
import { type EdgeRef, EdgeStore } from "../edge-store";
import { readId } from "../record-id";
import { RECORD_KINDS, type RecordKind, storeKind } from "../record-kind";
import { kindsNamed, type RecordRef, type RecordStore } from "../record-store";
import { isSymmetric } from "../relation-table";
import type { Column, Condition, EdgePattern, GraphQuery, NodePattern, Operand } from "./graph-query";

/** Records and edges that one query may look at. */
const LOOKS_MAX = 100_000;
const ROWS_MAX = 100_000;
/** Edges of one pattern: each is a bit of what has been walked. */
const EDGES_MAX = 30;

export interface QueryPage {
  readonly rows: readonly JsonObject[];
  /** There are more matches behind these. */
  readonly more: boolean;
}

/** @param rowsMax  Rows of this page. */
export function runQuery(records: RecordStore, query: GraphQuery, rowsMax: number): QueryPage {
  return new Matcher(records, query).page(rowsMax);
}

type Bound = { readonly tag: "record"; readonly ref: RecordRef } | { readonly tag: "edge"; readonly edge: EdgeRef };

class Matcher {
  readonly #records: RecordStore;
  readonly #edges: EdgeStore;
  readonly #query: GraphQuery;
  readonly #bound = new Map<string, Bound>();
  readonly #nodes: ReadonlyMap<string, NodePattern>;
  readonly #kinds = new Map<string, ReadonlySet<RecordKind> | null>();
  readonly #conditions: readonly { readonly condition: Condition; readonly variables: readonly string[] }[];
  #looks = 0;

  constructor(records: RecordStore, query: GraphQuery) {
    this.#records = records;
    this.#edges = new EdgeStore(records);
    this.#query = query;
    if (query.edges.length > EDGES_MAX)
      throw invalidInput(`the query has ${query.edges.length} edges, and at most ${EDGES_MAX} are matched`);
    this.#nodes = new Map(query.nodes.map((node) => [node.variable, node]));
    for (const { variable, kinds } of query.nodes) this.#kinds.set(variable, kinds.length === 0 ? null : new Set(kinds.flatMap(kindNamed)));
    this.#conditions = conjuncts(query.condition).map((condition) => ({ condition, variables: [...variablesOf(condition)] }));
    this.#checkVariables();
  }

  #checkVariables(): void {
    const known = new Set([...this.#nodes.keys(), ...this.#query.edges.flatMap(({ variable }) => variable ?? [])]);
    const named = [
      ...this.#conditions.flatMap(({ variables }) => variables),
      ...this.#query.columns.flatMap(({ variable }) => variable ?? []),
      ...this.#query.order.flatMap(({ operand }) => (operand.tag === "field" ? [operand.variable] : [])),
    ];
    const unknown = named.find((name) => !known.has(name));
    if (unknown !== undefined) throw invalidInput(`the query names ${unknown}, and no pattern binds it`);
    const shown = this.#query.columns.map(({ name }) => name);
    for (const { operand } of this.#query.order) {
      if (operand.tag === "column" && !shown.includes(operand.name))
        throw invalidInput(`the query orders by ${operand.name}, which is no column: it has ${shown.join(", ")}`);
    }
  }

  page(rowsMax: number): QueryPage {
    const { skip, limit, order, distinct, columns } = this.#query;
    const most = Math.min(rowsMax, limit ?? rowsMax);
    const counts = columns.some(({ tag }) => tag === "count");
    const rows: { row: JsonObject; keys: RequestJson[] }[] = [];
    const seen = new Set<string>();
    const enough = order.length === 0 && !counts ? skip + most + 1 : Number.POSITIVE_INFINITY;
    for (const _ of this.#matches(0)) {
      const row = this.#row(columns);
      if (distinct && !counts) {
        const key = jsonText(row);
        if (seen.has(key)) continue;
        seen.add(key);
      }
      if (rows.length === ROWS_MAX) throw tooMuch(`gives more than ${ROWS_MAX} rows`);
      rows.push({ row, keys: order.map(({ operand }) => (operand.tag === "column" ? row[operand.name] : this.#value(operand))) });
      if (rows.length >= enough) break;
    }
    const told = counts ? counted(rows, this.#query) : rows;
    told.sort((a, b) => compareKeys(a.keys, b.keys, order));
    const shown = told.slice(skip, skip + most).map(({ row }) => row);
    const within = limit === null ? told.length : Math.min(told.length, skip + limit);
    this.#records.site.meter.count(shown.length);
    return { rows: shown, more: within > skip + shown.length };
  }

  // ---- matching

  *#matches(done: number): Iterable<void> {
    const next = this.#nextEdge(done);
    if (next !== null) {
      yield* this.#alongEdge(next, done);
      return;
    }
    const node = this.#query.nodes.find(({ variable }) => !this.#bound.has(variable));
    if (node === undefined) {
      yield;
      return;
    }
    for (const ref of this.#candidates(node)) yield* this.#binding(node.variable, { tag: "record", ref }, done);
  }

  /** An edge of the pattern that is not walked yet and has a bound end. `done`: bits of those that are. */
  #nextEdge(done: number): number | null {
    const index = this.#query.edges.findIndex(
      ({ from, to }, i) => (done & (1 << i)) === 0 && (this.#bound.has(from) || this.#bound.has(to)),
    );
    return index < 0 ? null : index;
  }

  *#alongEdge(index: number, done: number): Iterable<void> {
    const pattern = this.#query.edges[index];
    const forward = this.#bound.has(pattern.from);
    const start = this.#bound.get(forward ? pattern.from : pattern.to)!;
    if (start.tag !== "record") return;
    const symbol = start.ref.symbol;
    for (const edge of this.#edges.along(symbol, "both")) {
      this.#look();
      const leaves = edge.row.subject === symbol;
      if (pattern.relations.length > 0 && !pattern.relations.includes(edge.relation)) continue;
      if (!pattern.eitherWay && leaves !== forward && !isSymmetric(edge.relation)) continue;
      yield* this.#reaching(pattern, edge, leaves ? edge.target : edge.source, forward ? pattern.to : pattern.from, done | (1 << index));
    }
  }

  *#reaching(pattern: EdgePattern, edge: EdgeRef, to: Subject, variable: string, done: number): Iterable<void> {
    const ref = this.#records.refOfSubject(to);
    if (ref === null || !this.#admits(variable, ref)) return;
    const known = this.#bound.get(variable);
    if (known !== undefined && (known.tag !== "record" || known.ref.id !== ref.id)) return;
    const named = pattern.variable;
    if (named !== null) this.#bound.set(named, { tag: "edge", edge });
    if (named === null || this.#holds(named)) {
      if (known !== undefined) yield* this.#matches(done);
      else yield* this.#binding(variable, { tag: "record", ref }, done);
    }
    if (named !== null) this.#bound.delete(named);
  }

  *#binding(variable: string, bound: Bound, done: number): Iterable<void> {
    this.#bound.set(variable, bound);
    if (this.#holds(variable)) yield* this.#matches(done);
    this.#bound.delete(variable);
  }

  /** The conditions that have just become askable. */
  #holds(variable: string): boolean {
    return this.#conditions.every(
      ({ condition, variables }) =>
        !(variables.includes(variable) || variables.length === 0) ||
        !variables.every((one) => this.#bound.has(one)) ||
        this.#truth(condition) === true,
    );
  }

  #admits(variable: string, ref: RecordRef): boolean {
    const kinds = this.#kinds.get(variable);
    const { namespaceAsked } = this.#records.site;
    return (kinds === null || kinds === undefined || kinds.has(ref.kind)) && (namespaceAsked === null || ref.namespace === namespaceAsked);
  }

  *#candidates(node: NodePattern): Iterable<RecordRef> {
    const id = this.#idOf(node.variable);
    if (id !== null) {
      for (const ref of this.#records.candidates(readId(id))) if (!ref.deleted && this.#admits(node.variable, ref)) yield ref;
      return;
    }
    const { symbols } = this.#records.session.ledger;
    for (const kind of this.#kinds.get(node.variable) ?? RECORD_KINDS) {
      const field = symbols.findFieldId(storeKind(kind), kind.core);
      if (field === 0) continue;
      for (const [subject, space] of this.#records.sql.exec(
        "SELECT subject, space FROM kg_record WHERE field = ? ORDER BY subject",
        field,
      ) as number[][]) {
        this.#look();
        const ref = this.#records.refOf(field, subject, space);
        if (ref !== null && this.#admits(node.variable, ref)) yield ref;
      }
    }
  }

  /** An id that a condition names. */
  #idOf(variable: string): string | null {
    for (const { condition } of this.#conditions) {
      if (condition.tag !== "compare" || condition.op !== "=") continue;
      const [field, literal] = condition.left.tag === "field" ? [condition.left, condition.right] : [condition.right, condition.left];
      if (field.tag !== "field" || field.variable !== variable || field.field !== "id") continue;
      if (literal.tag === "literal" && typeof literal.value === "string") return literal.value;
    }
    return null;
  }

  #look(): void {
    if (++this.#looks > LOOKS_MAX) throw tooMuch(`would look at more than ${LOOKS_MAX} records and edges`);
  }

  // ---- values

  /** Null: something it compares is not there. */
  #truth(condition: Condition): boolean | null {
    switch (condition.tag) {
      case "and": {
        const left = this.#truth(condition.left);
        return left === false ? false : both(left, this.#truth(condition.right));
      }
      case "or": {
        const left = this.#truth(condition.left);
        return left === true ? true : either(left, this.#truth(condition.right));
      }
      case "not": {
        const inner = this.#truth(condition.condition);
        return inner === null ? null : !inner;
      }
      case "is_null":
        return (this.#value(condition.operand) === null) !== condition.negated;
      case "compare":
        return compared(condition.op, this.#value(condition.left), this.#value(condition.right));
    }
  }

  #value(operand: Operand): RequestJson {
    if (operand.tag === "literal") return operand.value;
    return this.#field(operand.variable, operand.field);
  }

  #field(variable: string, path: string): RequestJson {
    const [first, ...rest] = path.split(".");
    let value = this.#member(this.#bound.get(variable)!, first);
    for (const step of rest) value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : null;
    return value;
  }

  #member(bound: Bound, name: string): RequestJson {
    if (bound.tag === "edge") {
      const row = this.#edges.row(bound.edge);
      if (Object.hasOwn(row, name)) return row[name];
      const metadata = row["metadata"];
      return isJsonObject(metadata) && Object.hasOwn(metadata, name) ? metadata[name] : null;
    }
    const { ref } = bound;
    switch (name) {
      case "id":
        return ref.id;
      case "kind":
        return ref.kind.kind;
      case "namespace":
        return ref.namespace;
      case "tags":
        return this.#records.tags(ref);
      case "properties":
        return this.#records.properties(ref);
      case "created_at":
      case "updated_at":
        return this.#records.row(ref)[name];
    }
    if (ref.kind.fields.has(name) && !ref.kind.relations.includes(name)) return this.#records.json(ref, name);
    const properties = this.#records.properties(ref);
    return Object.hasOwn(properties, name) ? properties[name] : null;
  }

  #row(columns: readonly Column[]): JsonObject {
    const row: { [name: string]: RequestJson } = {};
    for (const column of columns) {
      if (column.tag === "count") row[column.name] = column.variable === null ? 1 : this.#identity(column.variable);
      else row[column.name] = column.field === null ? this.#whole(column.variable) : this.#field(column.variable, column.field);
    }
    return row;
  }

  #identity(variable: string): string {
    const bound = this.#bound.get(variable)!;
    return bound.tag === "record" ? bound.ref.id : bound.edge.id;
  }

  #whole(variable: string): JsonObject {
    const bound = this.#bound.get(variable)!;
    return bound.tag === "record" ? this.#records.row(bound.ref) : this.#edges.row(bound.edge);
  }
}

interface Told {
  readonly row: JsonObject;
  readonly keys: RequestJson[];
}

/** Rows that agree in all other columns become one, with their number. */
function counted(rows: readonly Told[], { columns, distinct, order }: GraphQuery): Told[] {
  const plain = columns.filter(({ tag }) => tag === "value").map(({ name }) => name);
  const groups = new Map<string, { first: Told; members: JsonObject[] }>();
  for (const told of rows) {
    const key = jsonText(plain.map((name) => told.row[name]));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: told, members: [told.row] });
    else group.members.push(told.row);
  }
  if (groups.size === 0 && plain.length === 0) groups.set("", { first: { row: {}, keys: [] }, members: [] });
  return [...groups.values()].map(({ first, members }) => {
    const row: { [name: string]: RequestJson } = {};
    for (const column of columns) {
      if (column.tag === "value") row[column.name] = first.row[column.name];
      else
        row[column.name] =
          column.distinct || (distinct && column.variable !== null) ? new Set(members.map((one) => one[column.name])).size : members.length;
    }
    return { row, keys: order.map(({ operand }, index) => (operand.tag === "column" ? row[operand.name] : first.keys[index])) };
  });
}

function kindNamed(name: string): readonly RecordKind[] {
  const kinds = kindsNamed(name);
  if (kinds === null)
    throw invalidInput(
      `there is no kind of record ${JSON.stringify(name)}: ${RECORD_KINDS.map(({ kind }) => kind).join(", ")}, entity, note`,
    );
  return kinds;
}

function conjuncts(condition: Condition | null): Condition[] {
  if (condition === null) return [];
  return condition.tag === "and" ? [...conjuncts(condition.left), ...conjuncts(condition.right)] : [condition];
}

function variablesOf(condition: Condition): Set<string> {
  const of = (operand: Operand) => (operand.tag === "field" ? [operand.variable] : []);
  switch (condition.tag) {
    case "and":
    case "or":
      return new Set([...variablesOf(condition.left), ...variablesOf(condition.right)]);
    case "not":
      return variablesOf(condition.condition);
    case "is_null":
      return new Set(of(condition.operand));
    case "compare":
      return new Set([...of(condition.left), ...of(condition.right)]);
  }
}

function both(a: boolean | null, b: boolean | null): boolean | null {
  return a === false || b === false ? false : a === null || b === null ? null : true;
}

function either(a: boolean | null, b: boolean | null): boolean | null {
  return a === true || b === true ? true : a === null || b === null ? null : false;
}

function compared(op: Extract<Condition, { tag: "compare" }>["op"], left: RequestJson, right: RequestJson): boolean | null {
  if (left === null || right === null) return null;
  switch (op) {
    case "=":
      return jsonText(left) === jsonText(right);
    case "<>":
      return jsonText(left) !== jsonText(right);
    case "in":
      return Array.isArray(right) ? right.some((item) => jsonText(item) === jsonText(left)) : null;
    case "contains":
      if (Array.isArray(left)) return left.some((item) => jsonText(item) === jsonText(right));
      return typeof left === "string" && typeof right === "string" ? left.includes(right) : null;
    case "starts_with":
      return typeof left === "string" && typeof right === "string" ? left.startsWith(right) : null;
    case "ends_with":
      return typeof left === "string" && typeof right === "string" ? left.endsWith(right) : null;
    default: {
      const comparable = isNumber(left) ? isNumber(right) : typeof left === "string" && typeof right === "string";
      if (!comparable) return null;
      const [a, b] = [left as number, right as number];
      return op === "<" ? a < b : op === "<=" ? a <= b : op === ">" ? a > b : a >= b;
    }
  }
}

function isNumber(value: RequestJson): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** Numbers, then texts, then the rest; what is not there last. */
function compareKeys(a: readonly RequestJson[], b: readonly RequestJson[], order: GraphQuery["order"]): number {
  for (const [index, { descending }] of order.entries()) {
    const result = compareValues(a[index] ?? null, b[index] ?? null);
    if (result !== 0) return descending ? -result : result;
  }
  return 0;
}

function compareValues(a: RequestJson, b: RequestJson): number {
  const rank = (value: RequestJson) => (isNumber(value) ? 0 : typeof value === "string" ? 1 : value === null ? 3 : 2);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  const [x, y] = rank(a) === 2 ? [jsonText(a), jsonText(b)] : [a as string, b as string];
  return x < y ? -1 : x > y ? 1 : 0;
}

function tooMuch(what: string): VerbFailure {
  return new VerbFailure("limit_exceeded", `the query ${what}: name kinds, relations or an id, or page with LIMIT`);
}
