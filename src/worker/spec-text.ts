/** The specification's Markdown, taken into the bundle as text (`wrangler.toml` and scripts/bundle.mjs name the rule). */
import declarations from "../spec/declarations.md";
import expressions from "../spec/expressions.md";
import header from "../spec/header.md";
import scripts from "../spec/scripts.md";
import statements from "../spec/statements.md";
import types from "../spec/types.md";
import verbs from "../spec/verbs.md";
import type { SpecDocument } from "./spec-document";

export const SPEC_TEXT: SpecDocument = { header, declarations, statements, expressions, types, verbs, scripts };
