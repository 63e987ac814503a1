/** A specification that says the names of its topics: for tests that do not read it. */
import { SPEC_TOPICS } from "../../src/worker/mcp/tool-introspection";
import type { SpecDocument } from "../../src/worker/spec-document";

export const SPEC_OF_TOPICS = Object.fromEntries(SPEC_TOPICS.map((topic) => [topic, topic])) as SpecDocument;
