import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, type Probe, startProbe } from "./probe";
import { SQL_CHECKS } from "./probe-sql";

let probe: Probe;
beforeAll(async () => {
  probe = await startProbe();
});
afterAll(() => probe.stop());

describe("SQL inside an object", () => {
  test.each(Object.keys(SQL_CHECKS))("[sql] %s", async (check) => {
    expect(await ask(probe, { do: "sql check", check })).toBe("kept");
  });
});
