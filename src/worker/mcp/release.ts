/**
 * The release of the published surface: one triple that `initialize`, `tools/list` and `spec` state (contract §2, §3).
 *
 * `revision` is one number for every published document; a report keeps it too.
 */
export const RELEASE = { stage: "alpha", api_version: "1.3", revision: 159 } as const;

export const PROTOCOL_VERSION = "2024-11-05";
export const SERVER_INFO = { name: "dke", version: RELEASE.api_version } as const;

/** Shown to models by clients that show no `_meta`: the release first; at most 1,500 bytes, since clients cut at 2 KB. */
export const INSTRUCTIONS = `DKE, release: stage ${RELEASE.stage}, API ${RELEASE.api_version}, revision ${RELEASE.revision}.

DKE is a deterministic reasoning engine over one store of facts: you send programs in DKE Python, a bounded Python (no while, no recursion, no I/O), and get the same bytes for the same program and store.

- compile(name, source) keeps a module: classes, @rule, @constraint and def live there and nowhere else. Its body runs once.
- run(source) executes a program and keeps only what it remembers. It declares nothing: import a module and call module.script(...).
- Facts: remember(Kind.subject.field, value, "source"), update, forget; read with Kind.subject.field, current, find, why, why_not.
- Take spec(topic="verbs") and the other topics before writing DKE Python; its forms differ from Python's where a fact is meant.
- A compile_error carries diagnostics with line, col, message and often fix, the text to write instead: apply it and send again. Nothing was stored.
- A refusal names its reason in _meta.refuse_reason and what to do in the text.
- -32001 clears by paying, -32002 by waiting.
- Only print what you need: print is never shortened.`;
