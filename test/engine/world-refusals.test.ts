/** What is refused in and around worlds, and at which level (contract §6; rulings, "Levels", "Branch, world, merge"). */
import { describe, expect, test } from "vitest";
import { LEVELS, type Level } from "../../src/engine/claim";
import type { Session } from "../../src/engine/session";
import type { RefuseReason } from "../../src/failure";
import { ALWAYS, at, cell, PLAIN, refuses, remember, update, valueAt } from "./store-fixture";
import { MODULE, planned, within } from "./world-fixture";

describe("what is refused", () => {
  const reasons: readonly {
    readonly name: string;
    readonly reason: RefuseReason;
    readonly hint?: string;
    readonly body: (s: Session) => unknown;
  }[] = [
    { name: "create_world of one that exists", reason: "already_in_effect", hint: "plan", body: (s) => s.createWorld("plan") },
    { name: "create_world without a name", reason: "invalid_value", body: (s) => s.createWorld("") },
    { name: "merge_world of none", reason: "not_recorded", hint: "none", body: (s) => s.mergeWorld("none") },
    { name: "discard_world of none", reason: "not_recorded", hint: "none", body: (s) => s.discardWorld("none") },
    { name: "with world of none", reason: "not_recorded", hint: "none", body: (s) => s.worldBegin("none") },
    { name: "a branch named for a world", reason: "invalid_value", hint: 'with world("plan")', body: (s) => s.branchBegin("plan") },
    {
      name: "removing what the store holds, inside",
      reason: "immutable_in_branch",
      hint: "P.b.x",
      body: (s) => within(s, "plan", () => s.forget(at("P.b.x"))),
    },
    {
      name: "removing what the store holds, in a branch inside",
      reason: "immutable_in_branch",
      hint: "P.c.x",
      body: (s) =>
        within(s, "plan", () => {
          s.branchBegin(null);
          s.forget(at("P.c.x"));
        }),
    },
    { name: "create_world inside a world", reason: "immutable_in_branch", body: (s) => within(s, "plan", () => s.createWorld("v")) },
    { name: "merge_world inside a world", reason: "immutable_in_branch", body: (s) => within(s, "plan", () => s.mergeWorld("plan")) },
    { name: "discard_world inside a world", reason: "immutable_in_branch", body: (s) => within(s, "plan", () => s.discardWorld("plan")) },
    { name: "with world inside a world", reason: "immutable_in_branch", body: (s) => within(s, "plan", () => s.worldBegin("plan")) },
    {
      name: "with world inside a branch",
      reason: "immutable_in_branch",
      body: (s) => {
        s.branchBegin(null);
        s.worldBegin("plan");
      },
    },
    {
      name: "with world inside a compile",
      reason: "immutable_in_branch",
      body: (s) => {
        s.layerPush("compile");
        s.worldBegin("plan");
      },
    },
    {
      name: "prefer inside, at a field the store has judged",
      reason: "immutable_in_branch",
      hint: "P.c.x",
      body: (s) => {
        s.prefer(at("P.b.x"), "a");
        within(s, "plan", () => s.prefer(at("P.c.x"), "b"));
      },
    },
    {
      name: "unprefer inside, at a field the store has judged",
      reason: "immutable_in_branch",
      hint: "P.b.x",
      body: (s) => {
        s.prefer(at("P.b.x"), "a");
        within(s, "plan", () => s.unprefer(at("P.b.x")));
      },
    },
    {
      name: "prefer in the store, at a field a world has judged",
      reason: "still_referenced",
      hint: 'merge_world("plan") or discard_world("plan")',
      body: (s) => {
        within(s, "plan", () => s.prefer(at("P.c.x"), "b"));
        s.prefer(at("P.b.x"), "a");
      },
    },
    {
      name: "prefer in one world, at a field another has judged",
      reason: "still_referenced",
      hint: 'merge_world("plan") or discard_world("plan")',
      body: (s) => {
        within(s, "plan", () => s.prefer({ tag: "field", kind: "P", field: "x" }, "b"));
        s.createWorld("other");
        within(s, "other", () => s.prefer(at("P.b.x"), "a"));
      },
    },
    {
      name: "forget_module of a Kind a world holds something under",
      reason: "still_referenced",
      hint: 'merge_world("plan") or discard_world("plan")',
      body: (s) => {
        s.installModule({ ...MODULE, kinds: [{ name: "m.K", fields: new Map([["x", { type: "any", many: false }]]) }] });
        within(s, "plan", () => s.remember({ kind: "m.K", subject: "a", field: "x" }, 1, "s", ALWAYS, PLAIN));
        s.forgetModule("m");
      },
    },
  ];
  test.each(reasons)("[6] $name: $reason", ({ reason, hint, body }) => {
    const { session } = planned();
    refuses(() => body(session), reason, hint);
  });

  const verbs: readonly { readonly name: string; readonly from: Level; readonly body: (s: Session) => unknown }[] = [
    { name: "with world, to read", from: "read", body: (s) => within(s, "plan", () => expect(valueAt(s, "P.a.x")).toBe(2)) },
    { name: "worlds", from: "read", body: (s) => expect(s.worlds()).toEqual(["plan"]) },
    { name: "remember what a world holds", from: "read", body: (s) => within(s, "plan", () => remember(s, "P.c.x", 3, "b")) },
    { name: "create_world", from: "read-write", body: (s) => s.createWorld("new") },
    { name: "merge_world", from: "read-write", body: (s) => s.mergeWorld("plan") },
    { name: "discard_world", from: "read-write-delete", body: (s) => s.discardWorld("plan") },
    { name: "remember in a world", from: "read-write", body: (s) => within(s, "plan", () => remember(s, "P.z.x", 1)) },
    {
      name: "assert_absent in a world",
      from: "read-write",
      body: (s) => within(s, "plan", () => s.assertAbsent(cell("P.z.x"), "a", ALWAYS)),
    },
    { name: "update of nothing in a world", from: "read-write", body: (s) => within(s, "plan", () => update(s, "P.z.x", 1)) },
    { name: "update in a world", from: "read-write", body: (s) => within(s, "plan", () => update(s, "P.a.x", 5)) },
    { name: "prefer in a world", from: "read-write", body: (s) => within(s, "plan", () => s.prefer(at("P.c.x"), "b")) },
    { name: "pin in a world", from: "read-write", body: (s) => within(s, "plan", () => s.pin(cell("P.c.x"))) },
    { name: "forget in a world", from: "read-write-delete", body: (s) => within(s, "plan", () => s.forget(at("P.c.x"))) },
  ];
  // A call of the level `none` ends before it has a session (tools/worlds.test.ts).
  test.each(verbs.flatMap((verb) => LEVELS.slice(1).map((level) => ({ ...verb, level }))))(
    "[rulings, Levels] $name by a key of level $level",
    ({ from, level, body }) => {
      const { store } = planned();
      const session = store.call(level);
      if (LEVELS.indexOf(level) >= LEVELS.indexOf(from)) body(session);
      else refuses(() => body(session), "scope_forbidden");
    },
  );

  test.each(["create_world", "merge_world", "discard_world"])("[rulings, Level before other refusals] %s asks its level first", (verb) => {
    const session = planned().store.call("read-add");
    refuses(
      () =>
        verb === "create_world"
          ? session.createWorld("plan")
          : verb === "merge_world"
            ? session.mergeWorld("none")
            : session.discardWorld("none"),
      "scope_forbidden",
    );
  });
});
