/** `query`: both languages give the same matches; what they do not have is refused by name. */
import { describe, expect, it } from "vitest";
import { RequestFixture } from "./request-fixture";

function graph() {
  const f = new RequestFixture();
  const make = (kind: string, name: string, more = "") => f.result(`create(kind="${kind}", name="${name}"${more})`).id as string;
  const ids = {
    lora: make("concept", "LoRA", ', properties={"year": 2021}, tags=["peft"]'),
    qlora: make("concept", "QLoRA", ', properties={"year": 2023}'),
    tuning: make("concept", "Fine-tuning"),
    paper: make("document", "The paper"),
    ann: make("person", "Ann"),
  };
  const link = (a: string, b: string, relation: string, weight = 1) =>
    f.result(`link(source_id="${a}", target_id="${b}", relation="${relation}", weight=${weight})`);
  link(ids.qlora, ids.lora, "extends", 0.9);
  link(ids.lora, ids.tuning, "extends", 0.5);
  link(ids.lora, ids.paper, "introduced_by");
  link(ids.paper, ids.ann, "introduced_by");
  const rows = (query: string) => f.result(JSON.stringify({ tool: "query", args: { query } })).rows;
  return { f, ids, rows };
}

describe("query", () => {
  it("[request facts §7.1] GQL: patterns, properties, conditions, order, columns", () => {
    const { rows, ids } = graph();
    expect(rows("MATCH (a:concept)-[:extends]->(b:concept) RETURN a.name, b.name AS base ORDER BY a.name DESC")).toEqual([
      { "a.name": "QLoRA", base: "LoRA" },
      { "a.name": "LoRA", base: "Fine-tuning" },
    ]);
    expect(rows('MATCH (a {name: "QLoRA"})-[:extends]->(b)-[:extends]->(c) RETURN c.id')).toEqual([{ "c.id": ids.tuning }]);
    expect(rows("MATCH (p:Person)<-[:introduced_by]-(d:document)<-[:introduced_by]-(c:concept) RETURN p.name, c.name")).toEqual([
      { "p.name": "Ann", "c.name": "LoRA" },
    ]);
    expect(rows("MATCH (a:concept) WHERE a.year >= 2022 RETURN a.name")).toEqual([{ "a.name": "QLoRA" }]);
    expect(rows('MATCH (a:concept) WHERE NOT a.year = 2021 AND "peft" IN a.tags RETURN a.name')).toEqual([]);
    expect(rows('MATCH (a:concept) WHERE a.year IS NULL OR a.name STARTS WITH "Q" RETURN a.name ORDER BY a.name')).toEqual([
      { "a.name": "Fine-tuning" },
      { "a.name": "QLoRA" },
    ]);
    expect(rows("MATCH (a)-[r:extends]->(b) WHERE r.weight < 0.9 RETURN a.name, r.weight")).toEqual([
      { "a.name": "LoRA", "r.weight": 0.5 },
    ]);
    expect(rows('MATCH (a:concept {name: "LoRA"})-[r]-(b) RETURN b.name ORDER BY b.name')).toEqual([
      { "b.name": "Fine-tuning" },
      { "b.name": "QLoRA" },
      { "b.name": "The paper" },
    ]);
    expect(rows("MATCH (a)-[:extends|introduced_by]->(b) RETURN count(*) AS n")).toEqual([{ n: 4 }]);
    expect(rows("MATCH (a:concept)-[r]->(b) RETURN a.name, count(b) AS n ORDER BY a.name")).toEqual([
      { "a.name": "LoRA", n: 2 },
      { "a.name": "QLoRA", n: 1 },
    ]);
    expect(rows("MATCH (a:dataset) RETURN count(*) AS n")).toEqual([{ n: 0 }]);
    expect(rows(`MATCH (a) WHERE a.id = "${ids.ann}" RETURN a`)).toMatchObject([{ a: { name: "Ann", kind: "person" } }]);
    expect(rows("MATCH (a:concept), (b:person) RETURN a.name, b.name")).toHaveLength(3);
    expect(rows("MATCH (a:concept) RETURN DISTINCT a.kind")).toEqual([{ "a.kind": "concept" }]);
  });

  it("[request facts §7.1] SPARQL asks the same", () => {
    const { rows } = graph();
    expect(
      rows('PREFIX kg: <http://example.org/kg#>\nSELECT ?n WHERE { ?a a kg:Concept ; kg:extends ?b . ?b kg:name "LoRA" . ?a kg:name ?n }'),
    ).toEqual([{ n: "QLoRA" }]);
    expect(rows('SELECT ?n ?y WHERE { ?a :name ?n . ?a :year ?y . FILTER(?y > 2000 && !(CONTAINS(?n, "Q"))) }')).toEqual([
      { n: "LoRA", y: 2021 },
    ]);
    expect(rows("SELECT ?n WHERE { ?a a :concept . ?a :name ?n } ORDER BY DESC(?n) LIMIT 1 OFFSET 1")).toEqual([{ n: "LoRA" }]);
    expect(rows('SELECT ?n WHERE { ?a :name ?n . FILTER(?n = "kg:no prefix in a text") }')).toEqual([]);
  });

  it("[request facts §7.1] rows are put in order by a column's name, a number too; RETURN * gives whatever is named", () => {
    const { rows, ids } = graph();
    expect(rows("MATCH (a)-[r]->() RETURN a.kind AS kind, count(*) AS n ORDER BY n DESC, kind")).toEqual([
      { kind: "concept", n: 3 },
      { kind: "document", n: 1 },
    ]);
    expect(rows("MATCH (a)-[r]->() RETURN a.kind, count(*) ORDER BY count(*)")).toEqual([
      { "a.kind": "document", "count(*)": 1 },
      { "a.kind": "concept", "count(*)": 3 },
    ]);
    expect(rows("MATCH (a:concept) RETURN a.name AS name ORDER BY name DESC LIMIT 1")).toEqual([{ name: "QLoRA" }]);
    expect(rows("MATCH (a:document)-[r]->(:person) RETURN *")).toMatchObject([{ a: { id: ids.paper }, r: { relation: "introduced_by" } }]);
  });

  it("[request facts §7.1] SPARQL counts, groups, and filters without a dot before or brackets around", () => {
    const { rows } = graph();
    expect(rows("SELECT (COUNT(*) AS ?n) WHERE { ?a a :concept }")).toEqual([{ n: 3 }]);
    expect(rows("SELECT ?k (COUNT(DISTINCT ?a) AS ?n) WHERE { ?a :introduced_by ?b ; :kind ?k } GROUP BY ?k ORDER BY DESC(?n) ?k")).toEqual(
      [
        { k: "concept", n: 1 },
        { k: "document", n: 1 },
      ],
    );
    expect(rows('SELECT ?n WHERE { ?a a :concept ; :name ?n FILTER STRSTARTS(?n, "Q") }')).toEqual([{ n: "QLoRA" }]);
    expect(rows('SELECT ?n WHERE { ?a a :concept ; :name ?n FILTER(?n != "LoRA") FILTER(?n != "QLoRA") }')).toEqual([{ n: "Fine-tuning" }]);
  });

  it("[request facts §7.1] an integer is compared by all its digits", () => {
    const { f, rows } = graph();
    f.result('create(kind="concept", name="Big", properties={"n": 9007199254740993})');
    expect(rows("MATCH (a) WHERE a.n = 9007199254740993 RETURN a.name")).toEqual([{ "a.name": "Big" }]);
    expect(rows("MATCH (a) WHERE a.n = 9007199254740992 RETURN a.name")).toEqual([]);
    expect(rows("MATCH (a) WHERE a.n > -9007199254740993 RETURN a.name")).toEqual([{ "a.name": "Big" }]);
    expect(rows("SELECT ?a WHERE { ?a :n 9007199254740992 }")).toEqual([]);
  });

  it("[request facts §7.1] pages: SKIP and page_size, has_more only where there is more", () => {
    const { f } = graph();
    const page = (query: string, size: number) => f.result(JSON.stringify({ tool: "query", args: { query, page_size: size } }));
    expect(page("MATCH (a:concept) RETURN a.name ORDER BY a.name", 2)).toEqual({
      rows: [{ "a.name": "Fine-tuning" }, { "a.name": "LoRA" }],
      offset: 0,
      page_size: 2,
      has_more: true,
      next_offset: 2,
      truncated: true,
    });
    expect(page("MATCH (a:concept) RETURN a.name ORDER BY a.name SKIP 2", 2)).toMatchObject({
      rows: [{ "a.name": "QLoRA" }],
      offset: 2,
      has_more: false,
    });
    expect(page("MATCH (a:concept) RETURN a.name LIMIT 2", 5)).toMatchObject({ has_more: false });
    expect(f.error('query(query="MATCH (a) RETURN a", page_size=1, limit=1)')).toMatchObject({ kind: "invalid_input" });
  });

  it.each([
    ["MATCH (a) DELETE a", "DELETE writes"],
    ["CREATE (a:concept)", "CREATE writes"],
    ["MATCH (a)-[:extends*]->(b) RETURN b", "traverse"],
    ["MATCH (a) RETURN b", "no pattern binds it"],
    ["MATCH (a:ghost) RETURN a", "no kind of record"],
    ["MATCH (a)-[:likes]->(b) RETURN a", "unknown relation"],
    ["MATCH (a RETURN a", "expected"],
    ["SELECT ?a WHERE { OPTIONAL { ?a :name ?b } }", "OPTIONAL"],
    ["INSERT DATA { }", "INSERT"],
    ["SELECT ?z WHERE { ?a :name ?b }", "bound nowhere"],
    ["hello", "MATCH"],
    ["MATCH (a) RETURN a.name ORDER BY b", "no column"],
    ["MATCH () RETURN *", "a name in it"],
    ["SELECT ?n (COUNT(*) AS ?c) WHERE { ?a :name ?n }", "GROUP BY"],
    ["SELECT ?n WHERE { ?a :name ?n } GROUP BY ?n", "GROUP BY"],
    ["SELECT (COUNT(DISTINCT ?n) AS ?c) WHERE { ?a :name ?n }", "counts values"],
    ["SELECT (COUNT(?z) AS ?c) WHERE { ?a :name ?n }", "bound nowhere"],
    ["SELECT ?a WHERE { ?a :name ?n UNION }", "UNION"],
    ["SELECT ?a WHERE { ?a :name ?n FILTER regex(?n, 'x') }", "STRSTARTS"],
  ])("[request facts §7.1] %s is refused by name", (query, piece) => {
    const { f } = graph();
    expect(f.error(JSON.stringify({ tool: "query", args: { query } }))).toMatchObject({
      kind: "invalid_input",
      message: expect.stringContaining(piece),
    });
  });
});
