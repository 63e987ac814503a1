/** Search over a store's own claims: found while they stand, through every way they come and go; and how good it is. */
import { describe, expect, it } from "vitest";
import { ours, quality } from "../../bench/search-quality";
import type { Session } from "../../src/engine/session";
import { Store } from "../../src/engine/store";
import { TextSearch, type TextSearchQuery } from "../../src/engine/text-search";
import { remember, update, World, window } from "./store-fixture";

const SEARCHED = [
  {
    kind: "Note",
    group: 1,
    fields: [
      { field: "name", weight: 2 },
      { field: "content", weight: 1 },
    ],
  },
  { kind: "Other", group: 2, fields: [{ field: "content", weight: 1 }] },
];

/** A store that is searched. */
class SearchedWorld extends World {
  readonly #made: { search?: TextSearch };
  #last!: Session;

  constructor() {
    const made: { search?: TextSearch } = {};
    super({ projections: [(site) => (made.search = new TextSearch(site, SEARCHED))] });
    this.#made = made;
  }

  override call(): Session {
    this.#last = super.call();
    return this.#last;
  }

  /** Subjects found, once what is written has been saved. */
  found(text: string, more: Partial<TextSearchQuery> = {}): string[] {
    this.#last.flush();
    return this.#made.search!.find({ group: 1, text, mode: "any", limit: 10, ...more }).map(({ subject }) => subject.name);
  }
}

const world = () => new SearchedWorld();

describe("search", () => {
  it("[rulings] finds what was just written, before and after the store is opened anew", () => {
    const store = world();
    const session = store.call();
    remember(session, "Note.a.content", "The heron waits by the river");
    remember(session, "Note.b.content", "Rivers carry silt; the river bends");
    remember(session, "Note.c.title", "river");
    remember(session, "Memo.d.content", "river");
    remember(session, "Note.e.content", 42n);
    expect(store.found("river")).toEqual(["b", "a"]);
    session.flush();
    store.reopen();
    expect(store.found("RIVER heron")).toEqual(["a", "b"]);
    expect(store.found("river heron", { mode: "all" })).toEqual(["a"]);
    expect(store.found("river", { limit: 1 })).toEqual(["b"]);
    expect(store.found("river", { limit: 1, accepts: (subject) => subject.name !== "b" })).toEqual(["a"]);
    expect(store.found("42")).toEqual([]);
  });

  it("[rulings] follows an update, a window cut in two, a removal and its return", () => {
    const store = world();
    const session = store.call();
    remember(session, "Note.a.content", "walnut tree");
    session.flush();
    update(session, "Note.a.content", "cherry tree");
    expect([store.found("walnut"), store.found("cherry")]).toEqual([[], ["a"]]);
    remember(session, "Note.w.content", "maple", "a", window(0, 100));
    update(session, "Note.w.content", "birch", "a", window(40, 60));
    expect([store.found("maple"), store.found("birch")]).toEqual([["w"], ["w"]]);
    session.checkpoint("before");
    session.forget({ tag: "subject", kind: "Note", subject: "a" });
    session.forget({ tag: "cell", cell: { kind: "Note", subject: "w", field: "content" } });
    session.flush();
    expect([store.found("cherry"), store.found("maple"), store.found("birch")]).toEqual([[], [], []]);
    session.restore("before");
    expect([store.found("cherry"), store.found("maple"), store.found("birch")]).toEqual([["a"], ["w"], ["w"]]);
    session.forgetCheckpoint("before");
    session.forget({ tag: "subject", kind: "Note", subject: "a" });
    session.forget({ tag: "subject", kind: "Note", subject: "w" });
    session.flush();
    expect(store.sql.exec("SELECT count(*) FROM text_posting")).toEqual([[0]]);
    expect(store.sql.exec("SELECT count(*) FROM text_document")).toEqual([[0]]);
  });

  it("[rulings] knows a branch's texts once it has landed, and never those of one rolled back", () => {
    const store = world();
    const session = store.call();
    session.branchBegin(null);
    remember(session, "Note.a.content", "quartz");
    session.branchRollback(true);
    expect(store.found("quartz")).toEqual([]);
    session.branchBegin(null);
    remember(session, "Note.a.content", "quartz");
    session.branchCommit(true);
    expect(store.found("quartz")).toEqual(["a"]);
  });

  it("[rulings] fills itself where the claims are older than it is", () => {
    const old = new World();
    const session = old.call();
    remember(session, "Note.a.content", "basalt");
    update(session, "Note.a.content", "obsidian");
    remember(session, "Note.b.content", 7n);
    session.flush();
    let search: TextSearch | undefined;
    Store.open(old.sql, old.cipher, { projections: [(site) => (search = new TextSearch(site, SEARCHED))] });
    const find = (text: string) => search!.find({ group: 1, text, mode: "any", limit: 5 }).map(({ subject }) => subject.name);
    expect([find("basalt"), find("obsidian")]).toEqual([[], ["a"]]);
  });

  it("[rulings] reads a subject's fields as one text: all words may be spread over them, and its name weighs more", () => {
    const store = world();
    const session = store.call();
    remember(session, "Note.a.content", "a bird that fishes");
    remember(session, "Note.b.content", "kingfisher, said of a bird");
    remember(session, "Note.a.name", "kingfisher");
    remember(session, "Other.a.content", "kingfisher bird");
    expect(store.found("kingfisher bird", { mode: "all" })).toEqual(["a", "b"]);
    expect(store.found("kingfisher", { group: 2 })).toEqual(["a"]);
  });

  it("[rulings] one subject whose text two sources tell is one answer", () => {
    const store = world();
    const session = store.call();
    remember(session, "Note.a.content", "granite", "one");
    remember(session, "Note.a.content", "granite stone", "two");
    expect(store.found("granite")).toEqual(["a"]);
  });

  it("[rulings] is as good as the words allow: of 262 judged queries 95 in 100 have an answer among the first five", () => {
    const { recall, reciprocalRank } = quality(ours());
    expect(recall).toBeGreaterThan(0.95);
    expect(reciprocalRank).toBeGreaterThan(0.87);
  });
});
