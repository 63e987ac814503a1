/**
 * Explore: looking into a store with a key that stays in the page.
 *
 * The page's script calls the store as any client would, with the key the person pastes, and sends what it read, never the key, to
 * be drawn. This side knows nothing of the store: it checks the data, draws, and keeps nothing.
 */
import { Hono } from "hono";
import type { StoreRow } from "../directory/stores";
import { signedIn } from "./door";
import { NotDrawn, PICTURE_CHARS_MAX, PICTURES } from "./picture-data";
import { apiUrl, type Page, ROOT, type Site } from "./site";
import { keyPrefix, onStore, renderStore, storePath } from "./store-frame";

export const explorePages = new Hono<Site>();

explorePages.get("/stores/:id/explore", signedIn, onStore(explorePage));

explorePages.post("/picture/:name", signedIn, async (c) => {
  const draw = PICTURES.get(c.req.param("name"));
  if (draw === undefined) return c.notFound();
  const body = await c.req.text();
  if (body.length > PICTURE_CHARS_MAX) return c.json({ error: "This is more than a picture can show." }, 413);
  try {
    return c.json(draw(JSON.parse(body)));
  } catch (error) {
    if (error instanceof NotDrawn) return c.json({ error: error.message }, 400);
    // Whatever is wrong with the data, this side has nothing to add.
    return c.json({ error: "This data cannot be drawn." }, 400);
  }
});

function explorePage(c: Page, store: StoreRow) {
  return renderStore(
    c,
    { store, tab: "explore", title: "Explore", script: "explore.js" },
    <>
      <p>
        What is in the store can be read with one of its keys only. Paste one: it is kept in this page's memory until you leave, and goes
        nowhere but where a client sends it. A key of level <code>read</code> is enough.{" "}
        <a href={storePath(store, "keys/new")}>Make a key</a>
      </p>
      <noscript>
        <p class="empty">This page needs its script. A client can ask the same: why, history, checkup, diff.</p>
      </noscript>
      <form id="open" data-store={store.id} data-url={apiUrl(c)} data-root={ROOT} autocomplete="off">
        <label for="key">{`Key (${keyPrefix(store.id)}…)`}</label>
        <input id="key" type="password" autocomplete="off" spellcheck={false} required />
        <p>
          <button type="submit" disabled>
            Look into the store
          </button>
        </p>
      </form>
      <p id="said" role="status"></p>
      <div id="views" hidden>
        <h2 id="kinds-head">Kinds</h2>
        <ul id="kinds" class="choices" aria-labelledby="kinds-head"></ul>
        <h3 id="subjects-head" hidden>
          Subjects
        </h3>
        <ul id="subjects" class="choices" aria-labelledby="subjects-head"></ul>
        <h3 id="cells-head" hidden>
          Cells
        </h3>
        <ul id="cells" class="choices" aria-labelledby="cells-head"></ul>
        <h2>A cell</h2>
        <form id="cell-form" autocomplete="off">
          <label for="cell">Cell</label>
          <input id="cell" type="text" spellcheck={false} required placeholder="Kind.subject.field" />
          <label for="at">True at (now, if empty)</label>
          <input id="at" type="text" spellcheck={false} placeholder="2025-06-01" />
          <label for="known-at">As known at (now, if empty)</label>
          <input id="known-at" type="text" spellcheck={false} placeholder="2025-06-01T12:00:00Z" />
          <p>
            <button type="submit" value="claims">
              Claims in time
            </button>{" "}
            <button type="submit" value="why">
              Why it holds
            </button>
          </p>
        </form>
        <h2>The store</h2>
        <form id="store-form" autocomplete="off">
          <p>
            <button type="submit" value="graph">
              Kinds and rules
            </button>
          </p>
          <label for="mark">Changes since the mark</label>
          <select id="mark"></select>{" "}
          <button type="submit" value="changes" id="changes">
            Show the changes
          </button>
          <p class="hint" id="no-mark" hidden>
            No mark stands: a client sets one with the tool <code>checkpoint</code>.
          </p>
        </form>
        <section id="result" aria-labelledby="result-head" tabindex={-1} hidden>
          <h2 id="result-head">Nothing asked yet</h2>
          <p id="in-force"></p>
          <div id="picture" class="picture-frame" tabindex={0}></div>
          <ul id="notes"></ul>
          <details>
            <summary>The same in words</summary>
            <div id="tree" class="outline" hidden></div>
            <pre id="words" tabindex={0}></pre>
          </details>
        </section>
      </div>
    </>,
  );
}
