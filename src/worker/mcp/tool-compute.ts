/** The two compute verbs and the control of what they run: `compile`, `run`, `stop` (contract §4, §9.8). */
import * as z from "zod";
import { edition, language, sourceText, type Tool, text } from "./tool";

export const COMPUTE_TOOLS: readonly Tool[] = [
  {
    name: "compile",
    title: "Compile a module",
    description: `Use this to keep something: store a DKE Python module under a name, and run its body once. It is the only way to declare a class, @rule, @constraint, computed field or def.

All or nothing: a source with a fault stores nothing and answers compile_error with _meta.diagnostics, each with line, col, message and, where one edit mends it, fix (the text to write instead). Mend the source and send it again. A body that fails stores nothing either.

Compiling a name again replaces the module; the data stays. Omit source to reload a stored module, which runs its body again. Call what a module defines from run: "import inventory" and then "inventory.restock(...)". Needs a read-write key.

Example: {"name": "family", "source": "class Person:\\n    parent: many[Person]\\n\\n@rule\\ndef grandparent(p: Person, q: Person, g: Person):\\n    when(p.parent == q, q.parent == g)\\n    conclude(p.grandparent, g)\\n"}`,
    schema: z.strictObject({
      name: text("The module's name: one identifier, as `import` takes it."),
      source: sourceText("The module's text. Omit to reload a module already stored.").optional(),
      version: text('Your label for this revision, e.g. "2.1.0". Omitted, the recorded label stays.').optional(),
      edition,
      language,
    }),
    destructive: true,
  },
  {
    name: "run",
    title: "Run a program",
    description: `Use this to read, write, ask why, or call what a module defines: executes a DKE Python program once and does not keep it. What it remembers stays; nothing else does.

The answer is a transcript: every print, and the value of each name bound at a line. Print what you want to read. A program declares nothing (no def, class or @rule: compile those) and does not return.

Facts: remember(Kind.subject.field, value, "source") records; update(...) revises; forget(...) removes; a plain read Kind.subject.field gives the value in force or None; current(cell), get(cell), history(cell), find(Kind, field=value), subjects(Kind); why(cell) gives the proof, why_not(cell) what is missing. A failed run keeps what it wrote before the failure; a "with branch" block is all or nothing; create_world and "with world" try a what-if that lasts until merge_world or discard_world. Iteration is bounded: for, comprehensions, range; there is no while and no recursion.

Example: {"source": "import family\\nremember(Person.ann.parent, Person.bob, \\"registry\\")\\nprint(why(Person.ann.parent))"}`,
    schema: z.strictObject({ source: sourceText("The program: statements, run once from the top."), edition, language }),
    destructive: true,
    longResult: true,
  },
  {
    name: "stop",
    title: "Stop what is running",
    description: `Use this to end a call that runs too long on your store, from any connection: each running call stops at its next statement, and a run keeps what it wrote before.

Waits up to ten seconds and says what happened in _meta.outcome: stopped, finished (it ended by itself), idle (nothing was running), or stopping (a long statement is still at work: ask again). Calls still waiting for the store are not touched. Not billed. Needs a key that may write.`,
    schema: z.strictObject({ language }),
  },
];
