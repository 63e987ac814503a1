/** What a caller tells the service: `report` (contract §9.9). */
import * as z from "zod";
import { language, type Tool, text } from "./tool";

export const FEEDBACK_TOOLS: readonly Tool[] = [
  {
    name: "report",
    title: "Report a bug or a wish",
    description: `Use this to tell the people who run DKE that something is wrong or missing: a bug is an answer that differs from CPython's for a program both accept, a failure, or behaviour against the published documents. A refusal that names its reason is the language working.

What you send is kept and read by people, unlike your store; nothing else is sent. If you act for someone, ask before you include their data. The answer is an id; no reply follows. At most 20 a day for one account. Works with every key and is not billed.`,
    schema: z.strictObject({
      kind: z.enum(["bug", "request", "feedback"]).describe("What it is."),
      text: text("What happened, or what you would like.").refine((value) => value !== "", "is empty"),
      expected: text("For a bug: what you expected.").optional(),
      actual: text("For a bug: what you got.").optional(),
      source: text("For a bug: a program that shows it.").optional(),
      language,
    }),
    openWorld: true,
  },
];
