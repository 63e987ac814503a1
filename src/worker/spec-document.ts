/**
 * The served language specification: one Markdown document a topic, the whole being all of them in order (contract §9.1).
 *
 * The texts come in as an argument; spec-text.ts is where the bundle takes them from.
 */
import { SPEC_TOPICS, type SpecTopic } from "./mcp/tool-introspection";

export type SpecDocument = Readonly<Record<SpecTopic, string>>;

export function specText(document: SpecDocument, topic: SpecTopic | undefined): string {
  return topic === undefined
    ? SPEC_TOPICS.map((one) => document[one].trimEnd())
        .join("\n\n")
        .concat("\n")
    : document[topic];
}
