/** Tasks through the request endpoint (request facts §7.3). */
import { beforeEach, describe, expect, it } from "vitest";
import { RequestFixture } from "./request-fixture";

let store: RequestFixture;
beforeEach(() => {
  store = new RequestFixture();
});

function assign(title: string, more = ""): string {
  return store.result(`gtd.assign(title=${JSON.stringify(title)}${more})`).id;
}

const titles = (items: { title: string }[]) => items.map(({ title }) => title);

describe("gtd", () => {
  it("[request facts §7.3] a task begins in the inbox at p2 and keeps what it is given", () => {
    expect(store.result('gtd.assign(title="Plain")')).toMatchObject({
      title: "Plain",
      status: "inbox",
      priority: "p2",
      depends_on: [],
      tags: [],
    });
    const full = store.result(
      'gtd.assign(title="Full", status="todo", priority="p0", assignee="ann", due="2026-07-01", tags=["a","b","a"], description="More")',
    );
    expect(full).toMatchObject({
      status: "inbox",
      priority: "p0",
      assignee: "ann",
      due: "2026-07-01",
      tags: ["a", "b"],
      description: "More",
    });
    expect(full.full_id).toBe(full.id);
    expect(store.result(`get(id="${full.id}")`)).toMatchObject({ kind: "task", name: "Full", content: "More", salience: 1 });
  });

  it.each([
    ['title=" "', "blank"],
    ['title="x", status="soon"', "unknown status"],
    ['title="x", priority="p9"', "p0"],
    ['title="x", due="tomorrow"', "ISO 8601"],
    ['title="x", due="2026-02-30"', "ISO 8601"],
    ['title="x", depends_on=["ffffffff"]', "not found"],
    ['title="x", nonsense=1', "nonsense"],
  ])("[request facts §7.3] refuses %s", (args, said) => {
    const error = store.error(`gtd.assign(${args})`);
    expect(typeof error === "string" ? error : error.message).toContain(said);
    expect(store.result("gtd.tasks()").total).toBe(0);
  });

  const MOVES: { [from: string]: string[] } = {
    inbox: ["next", "waiting", "someday", "active", "done", "cancelled"],
    next: ["active", "waiting", "someday", "done", "cancelled"],
    active: ["next", "waiting", "done", "cancelled"],
    waiting: ["next", "active", "done", "cancelled"],
    someday: ["next", "active", "done", "cancelled"],
    done: [],
    cancelled: [],
  };
  it.each(Object.keys(MOVES))("[request facts §7.3] moves from %s as the table has it, and nowhere else", (from) => {
    for (const to of Object.keys(MOVES)) {
      const id = assign("t", `, status="${from}"`);
      if (to === from) expect(store.result(`gtd.transition(id="${id}", status="${to}")`)).toMatchObject({ transitioned: false, from, to });
      else if (MOVES[from].includes(to)) {
        expect(store.result(`gtd.transition(id="${id}", status="${to}")`)).toEqual({ transitioned: true, id, full_id: id, from, to });
      } else expect(store.error(`gtd.transition(id="${id}", status="${to}")`).details).toEqual({ from, to, allowed: MOVES[from] });
    }
  });

  it("[request facts §7.3] takes todo, in_progress, blocked, later and finished for what they mean", () => {
    const id = assign("t");
    for (const [word, status] of [
      ["in_progress", "active"],
      ["blocked", "waiting"],
      ["finished", "done"],
    ]) {
      expect(store.result(`gtd.transition(id="${id}", status="${word}")`).to).toBe(status);
    }
    expect(assign("u", ', status="later"') && store.result('gtd.tasks(status="someday")').total).toBe(1);
  });

  it("[request facts §7.3] completing says from where, keeps the result and the instant, and is final", () => {
    const id = assign("t", ', status="active"');
    expect(store.result(`gtd.complete(id="${id.slice(0, 8)}", result="sent")`)).toEqual({
      completed: true,
      id,
      full_id: id,
      from: "active",
      to: "done",
      audit_persisted: true,
    });
    const [task] = store.result("gtd.tasks()").items;
    expect(task).toMatchObject({ status: "done", result: "sent", completed_at: expect.stringMatching(/^2026-/) });
    expect(store.error(`gtd.complete(id="${id}")`).message).toContain("final");
    expect(store.result(`gtd.complete(id="${assign("u")}", status="cancelled")`).to).toBe("cancelled");
  });

  it("[request facts §7.3] next shows what stands at next or active, most pressing first, and hides what waits for another", () => {
    assign("low", ', status="next", priority="p3"');
    assign("inbox one");
    const first = assign("high", ', status="active", priority="p0", assignee="ann"');
    const held = assign("held", `, status="next", priority="p0", depends_on=["${first}"]`);
    expect(titles(store.result("gtd.next()").items)).toEqual(["high", "low"]);
    expect(titles(store.result("gtd.next(include_blocked=true)").items)).toEqual(["high", "held", "low"]);
    expect(titles(store.result('gtd.next(assignee="ann")').items)).toEqual(["high"]);
    store.result(`gtd.complete(id="${first}")`);
    expect(titles(store.result("gtd.next()").items)).toEqual(["held", "low"]);
    expect(store.result(`gtd.next(limit=1)`)).toMatchObject({ total: 2, has_more: true, requested_limit: 1, limit_clamped: false });
    expect(store.result(`gtd.next(limit=0)`)).toMatchObject({ requested_limit: 0, effective_limit: 1, limit_clamped: true });
    expect(held).toBeTruthy();
  });

  it("[request facts §7.3] tells what a task waits for, and what it can never have", () => {
    const [open, dropped, gone, other] = [
      assign("open"),
      assign("dropped"),
      assign("gone"),
      store.result('gtd.assign(title="other", namespace="team")').id,
    ];
    const task = (dependencies: string[]) => assign("t", `, status="next", depends_on=${JSON.stringify(dependencies)}`);
    const [ready, blocked, broken, lost, foreign] = [task([]), task([open]), task([dropped, open]), task([gone]), task([other])];
    store.result(`gtd.complete(id="${dropped}", status="cancelled")`);
    store.result(`delete(id="${gone}")`);
    const states = Object.fromEntries(
      store
        .result('gtd.tasks(status="next", limit=200)')
        .items.map((row: { id: string; dependency_state: string; actionable: boolean; blocked_by: { state: string }[] }) => [
          row.id,
          [row.dependency_state, row.actionable, ...row.blocked_by.map(({ state }) => state)],
        ]),
    );
    expect(states).toEqual({
      [ready]: ["ready", true],
      [blocked]: ["blocked", false, "pending"],
      [broken]: ["broken", false, "cancelled", "pending"],
      [lost]: ["broken", false, "soft_deleted"],
      [foreign]: ["broken", false, "different_namespace"],
    });
  });

  it("[request facts §7.3] a circle of dependencies is refused", () => {
    const a = assign("a");
    const b = assign("b", `, depends_on=["${a}"]`);
    const c = assign("c", `, depends_on=["${b}"]`);
    expect(store.error(`link(source_id="${a}", target_id="${c}", relation="depends_on")`).message).toContain("circle");
    expect(
      store.result(`gtd.tasks()`).items.map((row: { title: string; depends_on: string[] }) => [row.title, row.depends_on.length]),
    ).toEqual([
      ["a", 0],
      ["b", 1],
      ["c", 1],
    ]);
  });

  it("[request facts §7.3] a note on a move becomes an observation about the task", () => {
    const id = assign("t");
    const { note_id: noteId } = store.result(`gtd.transition(id="${id}", status="waiting", note="for the budget")`);
    expect(store.result(`get(id="${noteId}")`)).toMatchObject({ kind: "observation", content: "for the budget" });
    expect(store.result(`neighbors(node_id="${id}", direction="incoming")`)).toMatchObject([{ id: noteId, relation: "annotates" }]);
  });

  it("[request facts §7.1] create makes a task too, by its own fields", () => {
    const made = store.result('create(kind="task", title="Write", priority="p1", status="next")');
    expect(store.result("gtd.next()").items).toMatchObject([{ id: made.id, title: "Write", priority: "p1" }]);
  });

  it("[levels] a key that only adds makes tasks and moves none; one that only reads sees them", () => {
    const { id } = store.result('gtd.assign(title="t")', { level: "read-add" });
    expect(store.error(`gtd.transition(id="${id}", status="next")`, { level: "read-add" }).kind).toBe("scope_forbidden");
    expect(store.error('gtd.assign(title="u")', { level: "read" }).kind).toBe("scope_forbidden");
    expect(store.result("gtd.tasks()", { level: "read" }).total).toBe(1);
  });

  it("[decision: records are claims] rules and programs see tasks", () => {
    assign("t", ', status="next"');
    expect(
      store.run("import kg\nprint([t.status for t in subjects(kg.Task)] if False else [value(s.status) for s in subjects(kg.Task)])"),
    ).toContain("next");
  });

  it("[request facts §7.3] update moves a task as its own verbs do, and no further", () => {
    const f = new RequestFixture();
    const { id } = f.result('gtd.assign(title="t")');
    expect(f.error(`update(id="${id}", status="zzz")`).message).toContain("unknown status");
    for (const word of ["__proto__", "constructor"])
      expect(f.error(`gtd.assign(title="t", status="${word}")`).message).toContain("unknown status");
    expect(f.result(`update(id="${id}", status="finished")`)).toMatchObject({
      status: "done",
      properties: { completed_at: expect.any(String) },
    });
    expect(f.result(`update(id="${id}", status="done", name="u")`)).toMatchObject({ status: "done", name: "u" });
    expect(f.error(`update(id="${id}", status="next")`).message).toContain("final");
  });

  it("[request facts §7.3] a status that a program wrote hides no other task, and the task can be moved on", () => {
    const f = new RequestFixture();
    const { id } = f.result('gtd.assign(title="t", status="next")');
    f.result('gtd.assign(title="u", status="next")');
    f.run(`import kg\nupdate(kg.Task["${id}"].status, "constructor", "local")`);
    expect(f.result("gtd.tasks()").items.map((task: { status: string }) => task.status)).toEqual(["constructor", "next"]);
    expect(f.result("gtd.next()").items.map((task: { title: string }) => task.title)).toEqual(["u"]);
    expect(f.error('gtd.tasks(status="constructor")').message).toContain("unknown status");
    expect(f.result(`gtd.transition(id="${id}", status="next")`)).toMatchObject({ from: "constructor", to: "next" });
  });

  it("[request facts §7] the beginning of an id will not do where a full one is asked for", () => {
    const f = new RequestFixture();
    const { id } = f.result('create(kind="concept", name="c")');
    expect(f.error(`gtd.assign(title="t", context_entity_id="${id.slice(0, 8)}")`).message).toContain("is a full id");
    expect(f.result(`gtd.assign(title="t", context_entity_id="${id.replaceAll("-", "")}")`).context_entity_id).toBe(id);
    const memory = f.result('memory.remember(content="x y z")');
    expect(f.error(`memory.feedback(target_id="${memory.id.slice(0, 13)}", signal="useful")`).message).toContain("is a full id");
    const sent = f.result('comm.send(to="ann", content="hi")');
    expect(f.error(`comm.delivered(id="${sent.id.slice(0, 8)}")`).message).toContain("is a full id");
    expect(f.error(`comm.send(to="ann", content="hi", thread_id="${sent.id.slice(0, 8)}")`).message).toContain("is a full id");
  });
});
