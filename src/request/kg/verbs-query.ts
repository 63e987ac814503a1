/** `query`: a read-only question in GQL or SPARQL. */
import * as z from "zod";
import { describeVerb, type Verb } from "../verb";
import { invalidInput } from "../verb-failure";
import { runQuery } from "./query/match-graph";
import { readGql } from "./query/read-gql";
import { readSparql } from "./query/read-sparql";
import { RecordStore } from "./record-store";

const PAGE_ROWS = 500;
const PAGE_ROWS_MAX = 10_000;
const QUERY_CHARS_MAX = 65_536;

const pageSize = z.int("must be an integer").min(1, "is at least 1").max(PAGE_ROWS_MAX, `is at most ${PAGE_ROWS_MAX}`).optional();

export const QUERY: Verb = describeVerb({
  name: "query",
  pack: "kg",
  class: "Assertive",
  description:
    'Patterns of records and edges, in GQL (`MATCH (a:concept)-[r:extends]->(b) WHERE a.name = "x" RETURN b.name`) or SPARQL (`SELECT ?b WHERE { ?a :extends ?b }`); what a query starts with tells which. It only reads, and is refused where it would look at too much.',
  params: z.strictObject({
    query: z.string().min(1, "is empty").max(QUERY_CHARS_MAX, `has at most ${QUERY_CHARS_MAX} characters`).describe("The question."),
    page_size: pageSize.describe(`Rows of a page; ${PAGE_ROWS} unless said otherwise, no more than ${PAGE_ROWS_MAX}.`),
    limit: pageSize.describe("The old name of page_size."),
  }),
  result: "`{rows, offset, page_size, has_more, next_offset?, truncated}`; the next page is asked for with SKIP (GQL) or OFFSET (SPARQL).",
  example: 'query(query="MATCH (a:concept)-[:extends]->(b:concept) RETURN a.name, b.name ORDER BY a.name LIMIT 20")',
  level: "read",
  alwaysVerbose: true,
  run: (site, args) => {
    if (args.page_size !== undefined && args.limit !== undefined) throw invalidInput("`limit` is the old name of `page_size`: give one");
    const size = args.page_size ?? args.limit ?? PAGE_ROWS;
    const read = /^\s*(?:PREFIX|SELECT|ASK|CONSTRUCT|DESCRIBE|INSERT|DELETE)\b/i.test(args.query)
      ? readSparql(args.query)
      : readGql(args.query);
    const { rows, more } = runQuery(new RecordStore(site), read, size);
    return {
      rows,
      offset: read.skip,
      page_size: size,
      has_more: more,
      ...(more ? { next_offset: read.skip + rows.length } : {}),
      truncated: more,
    };
  },
});
