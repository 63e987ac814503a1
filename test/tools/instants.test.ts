/** [2] An instant of the years 1 to 9999 is kept exactly, as a value and as a bound. */
import { expect, test } from "vitest";
import { ToolFixture } from "./tool-fixture";

test("[2] far instants come back as they were written", () => {
  const f = new ToolFixture();
  const wrote =
    f.run(`remember(Battle.hastings.holds, 1, "chronicle", valid_from=datetime("1066-10-14T09:00:00Z"), valid_to=datetime("9999-12-31T23:59:59Z"))
remember(Battle.hastings.first, datetime("0001-01-01T00:00:00Z"), "chronicle")
remember(Battle.hastings.last, datetime("9999-12-31T23:59:59Z"), "chronicle")`);
  expect(wrote.status, wrote.text).toBe("success");
  f.reopen();
  const read = f.run(`print(current(Battle.hastings.holds))
print(Battle.hastings.first, Battle.hastings.last)
print(value(Battle.hastings.holds, at=datetime("1066-10-14T08:59:59Z")), value(Battle.hastings.holds, at=datetime("1066-10-14T09:00:00Z")))`);
  expect(read.text.split("\n").slice(1)).toEqual([
    "active_claim=1 src=chronicle valid=[1066-10-14T09:00:00Z, 9999-12-31T23:59:59Z)",
    "0001-01-01T00:00:00Z 9999-12-31T23:59:59Z",
    "None 1",
  ]);
});
