/** What happened since a mark, and bringing back what was removed: `checkpoint`, `diff`, `restore` (contract §9.7). */
import * as z from "zod";
import { language, type Tool, text } from "./tool";

export const CHANGE_TOOLS: readonly Tool[] = [
  {
    name: "checkpoint",
    title: "Mark where the store is",
    description: `Use this before an import, a clean-up or anything you may want to look over or take back: marks the store's present position under a name. Costs the same at any size and changes nothing that is stored.

From then on diff(since) tells what happened, and what is removed is kept so that restore(since) can bring it back: a removal made while no mark stands is final. A name already used is moved here, and lets go of what only its old position held; that needs a read-write-delete key, a new name one that may write.

A name is ASCII letters, digits, _ and -, with . between segments, and begins with a letter or _: before_import, v1.2.3.`,
    schema: z.strictObject({ name: text("The mark's name, yours to choose."), language }),
    destructive: true,
    idempotent: true,
  },
  {
    name: "diff",
    title: "What changed since a mark",
    description: `Use this to see what happened since a mark, one line a change, in order: "added Kind.subject.field = value (per source)", the same without a source for what a rule concluded, "removed ..." in several forms.

A revised value reads as added at its new value. Lines are things that happened, not a comparison: a value written and removed again reads as removed. The answer none means there is no mark of that name. The lines are also in _meta.lines.`,
    schema: z.strictObject({ since: text("The mark's name."), language }),
    readOnly: true,
    longResult: true,
  },
  {
    name: "restore",
    title: "Bring back what was removed",
    description: `Use this to bring back what was removed since a mark: values, older versions into the history, and modules, each module whole or not at all. Not a rewind: nothing written since is undone or overwritten.

Answers how many values came back and how many did not. A value whose source has written its cell again since stays out; remove the newer one and restore again. Asking twice does no harm. A mark that does not exist is an error. Needs a read-write-delete key.`,
    schema: z.strictObject({ since: text("The mark's name."), language }),
    destructive: true,
    idempotent: true,
  },
];
