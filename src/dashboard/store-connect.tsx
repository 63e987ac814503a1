/** Connecting a client: ready text for the one that is picked, and a test with a key that stays in the page. */
import { Hono } from "hono";
import type { StoreRow } from "../directory/stores";
import { clientGuides } from "./connect-snippets";
import { signedIn } from "./door";
import { apiUrl, type Page, ROOT, type Site, storeObject } from "./site";
import { keyPrefix, onStore, renderStore, storePath } from "./store-frame";

/** Reads, changes nothing, and costs nothing: what a key of any level but `none` may ask. */
const TEST_CALL = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "stores", arguments: {} } };

export const storeConnectPages = new Hono<Site>();

storeConnectPages.get("/stores/:id/connect", signedIn, onStore(connectPage));

async function connectPage(c: Page, store: StoreRow) {
  const url = apiUrl(c);
  const guides = clientGuides(url);
  const guide = guides.find(({ id }) => id === c.req.query("client")) ?? guides[0];
  const { keysOpen } = await storeObject(c, store.id).overview();
  const request = JSON.stringify(TEST_CALL);
  return renderStore(
    c,
    { store, tab: "connect", title: "Connect", script: "connect.js" },
    <>
      {keysOpen > 0 ? (
        <p>
          Give each client a key of its own: it begins with <code>{`${keyPrefix(store.id)}…`}</code>.{" "}
          <a href={storePath(store, "keys/new")}>Make one</a>
        </p>
      ) : (
        <p class="empty">
          A client connects with a key, and this store has none. <a href={storePath(store, "keys/new")}>Make its first key</a>
        </p>
      )}
      <p>
        The address is <code>{url}</code>, the transport Streamable HTTP (not SSE), and there is no sign-in but the key.
      </p>
      <nav class="tabs" aria-label="Client">
        <ul>
          {guides.map(({ id, label }) => (
            <li>
              <a href={`?client=${id}`} aria-current={id === guide.id ? "page" : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <h2>{guide.label}</h2>
      {guide.link === undefined ? null : (
        <p>
          <a href={guide.link.href}>{guide.link.label}</a>, or:
        </p>
      )}
      {guide.snippets.map(({ say, text }) => (
        <figure>
          <figcaption>{say}</figcaption>
          <pre tabindex={0}>{text}</pre>
          <button type="button" class="plain copy" hidden>
            Copy
          </button>
        </figure>
      ))}
      {guide.note === undefined ? null : <p class="hint">{guide.note}</p>}
      <h2>Test the connection</h2>
      <p>This page sends what a client would send, and shows the very answer. The key goes to the service and is kept nowhere.</p>
      <noscript>
        <p class="hint">The test needs this page's script; curl, above, does the same.</p>
      </noscript>
      <form id="test" data-store={store.id} data-url={url} data-request={request} autocomplete="off">
        <label for="key">Key</label>
        <input id="key" type="password" autocomplete="off" spellcheck={false} required />
        <p>
          <button type="submit" disabled>
            Test
          </button>
        </p>
      </form>
      <p id="verdict" role="status" hidden></p>
      <details>
        <summary>What is sent</summary>
        <pre>{`POST ${url}\nAuthorization: Bearer ${keyPrefix(store.id)}…\nContent-Type: application/json\n\n${request}`}</pre>
      </details>
      <figure hidden>
        <figcaption>The answer</figcaption>
        <pre id="answer" tabindex={0}></pre>
      </figure>
      <p class="hint">
        A client that has connected is named under <a href={`${ROOT}/stores/${store.id}/keys`}>Keys</a>, and its calls under{" "}
        <a href={`${ROOT}/stores/${store.id}/activity`}>Activity</a>.
      </p>
    </>,
  );
}
