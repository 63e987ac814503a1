/** What is published, and where: written texts, and references read off what this service works from. */
import type { PublishedDocument } from "../pages/published";
import security from "../pages/security.md";
import tutorial from "../pages/tutorial.md";
import { type ToolEntry, wireReference } from "../pages/wire-reference";
import { PACKS } from "../request/packs";
import { referencePage } from "../request/reference-page";
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  PAYMENT_REQUIRED,
  RATE_LIMITED,
  SERVER_ERROR,
} from "./mcp/message";
import { PROTOCOL_VERSION, RELEASE } from "./mcp/release";
import { SPEC_TOPICS } from "./mcp/tool-introspection";
import { CATALOGUE } from "./mcp/tools";
import { type SpecDocument, specText } from "./spec-document";
import { wireErrors } from "./wire-error";

const RPC_ERRORS = [
  [PARSE_ERROR, "The body is not JSON."],
  [INVALID_REQUEST, "It is no JSON-RPC 2.0 message, or a batch of them."],
  [METHOD_NOT_FOUND, "No such method, or no such tool."],
  [INVALID_PARAMS, "An argument is missing, of another type, or not one the tool takes: the message names it."],
  [SERVER_ERROR, "Our fault, or a tool this server does not have. Whether the work was saved is said where it is known."],
  [PAYMENT_REQUIRED, "The account has no balance left, or is suspended. Clears by paying."],
  [RATE_LIMITED, "Too many calls of this key, or at once of this account. Clears by waiting: `Retry-After` says how long."],
] as const;

const TOPIC_SAYS: SpecDocument = {
  header: "Source form, names, answers, limits, prices, what differs from Python.",
  declarations: "Modules: classes, computed fields, rules, constraints, imports.",
  statements: "Statements, exceptions, branches, worlds, refused forms.",
  expressions: "Operators, builtins, the library.",
  types: "Types, their methods, what a field holds, times.",
  verbs: "Addresses, reading, writing, judgement, time, reasons.",
  scripts: "Functions, calling them, the revision history.",
};

export function publishedDocuments(spec: SpecDocument): readonly PublishedDocument[] {
  const references = referenceDocuments(spec);
  return [
    { path: "/docs/", title: "Tutorial", says: "From a fact to its proof, in six steps.", markdown: tutorial },
    {
      path: "/ref/",
      title: "References",
      says: "All references, each with what is in it.",
      markdown: `# References\n\n## What is called\n\n${listed(references, "/ref/")}\n\n## What is written\n\n${listed(references, "/spec/")}\n`,
      aliases: ["/ref/dke", "/ref/dke/"],
      isPart: true,
    },
    ...references,
    { path: "/security", title: "Security", says: "Who can read a store, who cannot, and what to do.", markdown: security },
  ];
}

function listed(documents: readonly PublishedDocument[], under: string): string {
  const lines = documents.filter(({ path }) => path.startsWith(under)).map(({ path, title, says }) => `- [${title}](${path}): ${says}`);
  return lines.join("\n");
}

function referenceDocuments(spec: SpecDocument): readonly PublishedDocument[] {
  return [
    {
      path: "/ref/dke/mcp/",
      title: "Wire reference",
      says: "The tools, their arguments, errors.",
      markdown: wireReference({
        release: RELEASE,
        protocolVersion: PROTOCOL_VERSION,
        tools: CATALOGUE.tools as unknown as readonly ToolEntry[],
        httpErrors: wireErrors(),
        rpcErrors: RPC_ERRORS,
      }),
      twins: ["/ref/dke/mcp/dke-mcp-ref.md"],
    },
    { path: "/ref/request", title: "Request reference", says: "Every verb of the request endpoint.", markdown: referencePage(PACKS) },
    {
      path: "/spec/dke/python/",
      title: "DKE Python",
      says: "The language, complete.",
      markdown: specText(spec, undefined),
      aliases: ["/ref/dke/python", "/ref/dke/python/"],
    },
    ...SPEC_TOPICS.map((topic) => ({
      path: `/spec/dke/python/${topic}`,
      title: `DKE Python: ${topic}`,
      says: TOPIC_SAYS[topic],
      markdown: spec[topic],
      isPart: true,
    })),
  ];
}
