/** Call form and JSON form of drawn calls, each on a store of its own: two stores that are one and the same answer alike. */
import { expect, it } from "vitest";
import { RequestFixture } from "./request-fixture";
import { RequestTexts } from "./request-texts";

it("[request facts §1] call form and JSON form of the same calls give equal results", () => {
  const [called, stated] = [new RequestFixture(), new RequestFixture()];
  let ids: string[] = [];
  let succeeded = 0;
  for (let seed = 1; seed <= 200; seed++) {
    const calls = new RequestTexts(seed, ids).batch();
    const written = calls.map(({ tool, args }) => {
      const given = Object.entries(args).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
      return `${tool}(${given.join(", ")})`;
    });
    const { text } = called.call("request", { ops: `[${written.join(", ")}]`, presentation: "verbose" });
    expect(text, JSON.stringify(calls)).toBe(stated.call("request", { ops: JSON.stringify(calls), presentation: "verbose" }).text);
    const answer = JSON.parse(text);
    succeeded += answer.summary.succeeded;
    for (const { result } of answer.results) if (typeof result?.id === "string") ids = [result.id, ...ids].slice(0, 60);
  }
  // Enough of them do something.
  expect(succeeded).toBeGreaterThan(50);
});
