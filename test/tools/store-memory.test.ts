/** What a store lets go of while no call is at work. */
import { expect, test } from "vitest";
import { ToolFixture } from "./tool-fixture";

const FILL = 'for i in range(90):\n    remember(Doc[f"d{i}"].text, f"{i}" + "x" * 50000, "s")\nremember(Kept["k"].text, "stays", "s")';
const FORGET = "for s in subjects(Doc):\n    forget(s)";

test("[store, memory] values that were forgotten leave memory once no call is at work, and the store answers as before", () => {
  const f = new ToolFixture();
  expect(f.run(FILL).status).toBe("success");
  f.store.rest();
  expect(f.store.changes, "what is stored is bounded without it").toBeGreaterThan(0);
  expect(f.run(FORGET).status).toBe("success");
  f.store.rest();
  expect(f.store.changes, "nothing is in memory").toBe(-1);
  expect(f.run('print(value(Kept["k"].text), len(subjects(Doc)))').text).toContain("stays 0");
  f.store.rest();
  expect(f.store.changes, "little is kept").toBeGreaterThan(0);
  expect(f.run('remember(Doc["d1"].text, "1" + "x" * 50000, "s")\nprint(len(value(Doc["d1"].text)))').text).toContain("50001");
});
