/** Events through the request endpoint, and what happens when they are due (request facts §7.5). */
import { beforeEach, describe, expect, it } from "vitest";
import type { Level } from "../../src/engine/claim";
import { nextDue, readRepeat } from "../../src/request/schedule/repeat";
import { RequestFixture } from "./request-fixture";

const micros = (text: string) => Date.parse(text) * 1000;
const HOUR = 3_600_000_000;

let store: RequestFixture;
/** An instant so many hours after the next call. */
const inHours = (hours: number) => new Date((store.clock + hours * HOUR) / 1000).toISOString();

beforeEach(() => {
  store = new RequestFixture();
});

/** Does all that is due, as the store object does before a call; how often something was. */
function fire(levels: { readonly [key: string]: Level | null } = {}, slice = 50_000): number {
  const levelOf = (key: string) => (key in levels ? levels[key] : "read-write-delete");
  for (let fired = 0; ; fired++) {
    const task = store.store.startDue({ wallMicros: store.clock, opsMax: 1_000_000, opsMaxIsCredit: false }, levelOf);
    if (task === null) return fired;
    while (!store.sql.transaction(() => task.advance(slice)));
  }
}

const events = () => store.result("schedule.agenda(limit=200)").events;

describe("schedule", () => {
  it("[request facts §7.5] an event is told back as it was asked for, and is on the agenda, soonest first", () => {
    const later = store.result(`schedule.remind(content="later", at="2099-01-02T10:00:00+02:00")`);
    const sooner = store.result(`schedule.schedule(action="stats()", at="2099-01-01T00:00:00Z", repeat="daily")`);
    expect(later).toMatchObject({
      kind: "reminder",
      content: "later",
      action: null,
      trigger_at: "2099-01-02T10:00:00+02:00",
      status: "pending",
      runs: 0,
    });
    expect(sooner).toMatchObject({ kind: "call", action: "stats()", repeat: "daily", actor: "key_1" });
    expect(events().map((event: { id: string }) => event.id)).toEqual([sooner.id, later.id]);
    expect(store.result('schedule.agenda(from="2099-01-02T08:00:00Z")').events).toHaveLength(1);
    expect(store.result('schedule.agenda(to="2099-01-02T08:00:00Z")').events).toHaveLength(1);
    expect(store.result("schedule.agenda(limit=1)")).toMatchObject({
      total: 2,
      has_more: true,
      next: sooner.next_at,
      ticker: { pending: 2, overdue: 0 },
    });
  });

  it.each([
    ['remind(content=" ", at="2099-01-01T00:00:00Z")', "blank"],
    ['remind(content="x", at="tomorrow")', "RFC 3339"],
    ['remind(content="x", at="2099-01-01T00:00:00Z", repeat="sometimes")', "repeat"],
    ['remind(content="x", at="2099-01-01T00:00:00Z", repeat="61 * * * *")', "minute"],
    ['schedule(action="stats(", at="2099-01-01T00:00:00Z")', "action"],
    ['schedule(action="a() | b()", at="2099-01-01T00:00:00Z")', "one call"],
    ['schedule(action="nobody()", at="2099-01-01T00:00:00Z")', "no verb"],
    ['schedule(action="memory.prune(min_salience=2)", at="2099-01-01T00:00:00Z")', "at most 1"],
    ['schedule(action="get()", at="2099-01-01T00:00:00Z")', "missing"],
  ])("[request facts §7.5] refuses %s", (call, said) => {
    expect(store.error(`schedule.${call}`).message).toContain(said);
    expect(events()).toEqual([]);
  });

  it("[request facts §7.5] a reminder arrives in the inbox of who asked, once", () => {
    store.result(`schedule.remind(content="call Ann", at="${inHours(1)}")`, { keyId: "bob" });
    expect(fire()).toBe(0);
    store.clock += 2 * HOUR;
    expect(store.result("schedule.agenda()").ticker).toEqual({ pending: 1, overdue: 1 });
    expect(fire()).toBe(1);
    expect(fire()).toBe(0);
    expect(store.result("comm.inbox()", { keyId: "bob" }).items).toMatchObject([
      { from: "schedule", to: "bob", content: "call Ann", subject: "reminder" },
    ]);
    expect(store.result('list(kind="scheduled_event")').items).toMatchObject([{ status: "fired", properties: { runs: 1 } }]);
    expect(events()).toEqual([]);
  });

  it("[request facts §7.5] what is due is done in order, across a loss of memory, whatever slices it is cut in", () => {
    for (const [name, hours] of [
      ["third", 3],
      ["first", 1],
      ["second", 2],
    ] as const) {
      const action = `create(kind="concept", name=${JSON.stringify(name)}, skip_dedup_check=true)`;
      store.result(`schedule.schedule(action=${JSON.stringify(action)}, at="${inHours(hours)}")`);
    }
    store.clock += 5 * HOUR;
    store.reopen();
    expect(fire({}, 1)).toBe(3);
    const names = store.result('list(kind="concept", after="")').entities.map((row: { name: string }) => row.name);
    expect(new Set([names.join(), [...names].reverse().join()])).toContain("first,second,third");
  });

  it("[request facts §7.5] a repeated event is due again after now, one firing for all the times that were missed", () => {
    store.result(`schedule.remind(content="hourly", at="${inHours(1)}", repeat="every:1h")`);
    store.clock += Math.round(5.5 * HOUR);
    expect(fire()).toBe(1);
    const [event] = events();
    expect(event).toMatchObject({ status: "pending", runs: 1 });
    const next = micros(event.next_at);
    expect(next).toBeGreaterThan(store.clock - HOUR);
    expect(next - store.clock).toBeLessThanOrEqual(HOUR);
    store.result(`schedule.cancel(id="${event.id.slice(0, 8)}")`);
    store.clock += 5 * HOUR;
    expect(fire()).toBe(0);
    expect(store.error(`schedule.cancel(id="${event.id}")`).message).toContain("cancelled");
  });

  it("[request facts §7.5] an action runs as the key that asked, at the level it has now; one that fails says why", () => {
    const note = store.result('create(kind="note", content="x")').id;
    store.result(`schedule.schedule(action=${JSON.stringify(`delete(id="${note}")`)}, at="${inHours(1)}")`, {
      keyId: "bob",
      level: "read-add",
    });
    store.result(`schedule.remind(content="gone", at="${inHours(2)}")`, { keyId: "eve" });
    store.clock += 5 * HOUR;
    expect(fire({ bob: "read-add", eve: null })).toBe(2);
    const all = store.result('list(kind="scheduled_event")').items;
    expect(all.map((row: { status: string; properties: { last_error: string } }) => [row.status, row.properties.last_error])).toEqual(
      expect.arrayContaining([
        ["failed", "this key may not do this"],
        ["failed", "the key that asked for it was revoked"],
      ]),
    );
    expect(store.result(`get(id="${note}")`).content).toBe("x");
  });

  it("[request facts §7.5] a program that is scheduled runs", () => {
    const action = `dke.run(source=${JSON.stringify('for i in range(1000):\n    pass\nremember(Sensor.s1.room, "kitchen", "survey")')})`;
    store.result(`schedule.schedule(action=${JSON.stringify(action)}, at="${inHours(1)}")`);
    store.clock += 2 * HOUR;
    expect(fire({}, 100)).toBe(1);
    expect(store.run("print(value(Sensor.s1.room))")).toContain("kitchen");
  });

  it("[request facts §7.5] an event is made by schedule alone, and levels hold", () => {
    expect(store.error('create(kind="scheduled_event", content="x")').message).toContain("schedule.remind");
    expect(store.error(`schedule.remind(content="x", at="${inHours(1)}")`, { level: "read" }).kind).toBe("scope_forbidden");
    const { id } = store.result(`schedule.remind(content="x", at="${inHours(1)}")`, { level: "read-add" });
    expect(store.error(`schedule.cancel(id="${id}")`, { level: "read-add" }).kind).toBe("scope_forbidden");
  });
});

describe("repeat", () => {
  it.each([
    ["daily", "2026-03-01T09:00:00Z", "2026-03-01T09:00:00Z", "2026-03-02T09:00:00Z"],
    ["daily", "2026-03-01T09:00:00Z", "2026-02-01T00:00:00Z", "2026-03-01T09:00:00Z"],
    ["weekly", "2026-03-01T09:00:00Z", "2026-03-20T00:00:00Z", "2026-03-22T09:00:00Z"],
    ["monthly", "2026-01-31T09:30:00Z", "2026-02-01T00:00:00Z", "2026-02-28T09:30:00Z"],
    ["monthly", "2026-01-31T09:30:00Z", "2026-02-28T09:30:00Z", "2026-03-31T09:30:00Z"],
    ["monthly", "2026-01-31T09:30:00Z", "2026-12-31T09:30:00Z", "2027-01-31T09:30:00Z"],
    ["every:90s", "2026-03-01T00:00:00Z", "2026-03-01T00:02:00Z", "2026-03-01T00:03:00Z"],
    ["every:2d", "2026-03-01T00:00:00Z", "2026-03-03T00:00:00Z", "2026-03-05T00:00:00Z"],
    ["30 9 * * *", "2026-03-01T00:00:00Z", "2026-03-01T09:30:00Z", "2026-03-02T09:30:00Z"],
    ["*/15 8-9 * * 1-5", "2026-03-01T00:00:00Z", "2026-03-06T09:45:00Z", "2026-03-09T08:00:00Z"],
    ["0 0 1 1 *", "2026-03-01T00:00:00Z", "2026-03-01T00:00:00Z", "2027-01-01T00:00:00Z"],
    ["0 12 29 2 *", "2026-03-01T00:00:00Z", "2026-03-01T00:00:00Z", "2028-02-29T12:00:00Z"],
    ["0 0 13 * 5", "2026-03-01T00:00:00Z", "2026-03-07T00:00:00Z", "2026-03-13T00:00:00Z"],
    ["0 0 1 * 0", "2026-03-01T00:00:00Z", "2026-03-01T00:00:00Z", "2026-03-08T00:00:00Z"],
    ["0 0 * * 7", "2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z", "2026-03-08T00:00:00Z"],
    ["5,10/20 0 * * *", "2026-03-01T00:00:00Z", "2026-03-01T00:10:00Z", "2026-03-01T00:30:00Z"],
  ])("[request facts §7.5] %s from %s is due after %s at %s", (text, start, after, due) => {
    const next = nextDue(readRepeat(text), micros(start), micros(after));
    expect(next === null ? null : new Date(next / 1000).toISOString()).toBe(new Date(due).toISOString());
  });

  it("[request facts §7.5] a day that never comes is never due", () => {
    expect(nextDue(readRepeat("0 0 31 2 *"), 0, 0)).toBeNull();
  });

  it.each([
    "",
    "hourly",
    "every:0s",
    "every:1w",
    "every:-1s",
    "* * * *",
    "* * * * * *",
    "60 * * * *",
    "* 24 * * *",
    "* * 0 * *",
    "* * * 13 *",
    "* * * * 8",
    "5-1 * * * *",
    "*/0 * * * *",
    "a * * * *",
  ])("[request facts §7.5] refuses %j", (text) => {
    expect(() => readRepeat(text)).toThrow("repeat");
  });
});
