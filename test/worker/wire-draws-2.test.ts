/** Half of the drawn requests that need no connection; in two files so that two threads share them. */
import { it } from "vitest";
import { drawInNode } from "./wire-draws-node";

it(
  "[E5] [A1.17] [C7.30] 23,000 drawn requests, part 2: each is answered in the contract's shape, none by a fault of ours",
  { timeout: 600_000 },
  () => drawInNode(2000, 23_000),
);
