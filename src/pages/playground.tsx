/**
 * The playground: a program, run on a store that is made for it and gone after an hour, for whoever comes by.
 *
 * The store's only key is made in the page like any other; its account has a small balance and no owner. Stores are counted by
 * address and altogether. The program stands in the page's address behind `#`, which no browser sends.
 */
import { type Context, Hono } from "hono";
import { isFromHere } from "../dashboard/policy";
import { apiUrl, type DashboardBindings } from "../dashboard/site";
import { openDirectory } from "../directory/directory";
import { attempt } from "../directory/throttle";
import { Frame, type PublishedDocument, publishedHeaders } from "./published";

type Playground = { Bindings: DashboardBindings };

export const PLAYGROUND_MS = 3_600_000;
/** Some hundred programs of the tutorial, or one loop of seconds. */
export const PLAYGROUND_OPS = 1_000_000;
const BY_ADDRESS = { max: 10, seconds: 3600 };
const ALTOGETHER = { max: 2000, seconds: 3600 };
const BODY_CHARS_MAX = 4096;

const MODULE = `class Probe:
    heat: float
    limit: float
    state: string

@rule
def too_hot(p: Probe):
    when(p.heat > p.limit)
    conclude(p.state, "too hot")
`;
const PROGRAM = `import play
remember(Probe.p1.limit, 25.0, "plan")
remember(Probe.p1.heat, 31.5, "meter")
print(Probe.p1.state)
print(why(Probe.p1.state))
`;

export function playgroundPages(documents: readonly PublishedDocument[], revision: number): Hono<Playground> {
  const app = new Hono<Playground>();

  app.get("/playground", (c) =>
    c.html(
      <Frame title="Playground" path="/playground" documents={documents} script="playground.js">
        <h1>Playground</h1>
        <p>
          A store of your own, without an account: made when you first run something, gone an hour later with all that is in it. Its key is
          made in this page and stays in it. <a href="/docs/">The tutorial</a> has programs to try.
        </p>
        <noscript>
          <p class="empty">The playground needs this page's script.</p>
        </noscript>
        <form id="play" data-revision={String(revision)} autocomplete="off">
          <label for="module">
            The module <code>play</code> (classes, rules, functions; may be empty)
          </label>
          <textarea id="module" rows={10} spellcheck={false} class="code">
            {MODULE}
          </textarea>
          <label for="program">The program</label>
          <textarea id="program" rows={8} spellcheck={false} class="code" aria-describedby="keys">
            {PROGRAM}
          </textarea>
          <p class="hint" id="keys">
            Ctrl+Enter runs it. The address of this page holds the program, behind the #: share it as it is.
          </p>
          <p>
            <button type="submit" disabled>
              Run
            </button>{" "}
            <button type="button" class="plain" id="share">
              Copy the address
            </button>{" "}
            <button type="button" class="plain" id="anew">
              Begin with an empty store
            </button>
          </p>
        </form>
        <p id="said" role="status"></p>
        <section aria-labelledby="transcript-head">
          <h2 id="transcript-head">Transcript</h2>
          <pre id="transcript" tabindex={0} aria-live="polite">
            Nothing has run yet.
          </pre>
        </section>
      </Frame>,
      200,
      publishedHeaders(c),
    ),
  );

  // There is no cookie to be misused: asking where it is from keeps other sites' pages from spending what their visitors' addresses may.
  app.post("/playground/stores", async (c) => {
    if (!isFromHere(c)) return refuse(c, 403, "Stores of the playground are made by its page.");
    const db = openDirectory(c.env.DIRECTORY);
    const nowMs = Date.now();
    const address = c.req.header("cf-connecting-ip") ?? "local";
    const waitS =
      (await attempt(db, `playground ${address}`, BY_ADDRESS, nowMs)) || (await attempt(db, "playground altogether", ALTOGETHER, nowMs));
    if (waitS > 0)
      return refuse(c, 429, `Too many stores were made: another can be made in ${Math.ceil(waitS / 60)} minutes.`, {
        "retry-after": String(waitS),
      });
    const [accountId, storeId] = [c.env.ACCOUNT.newUniqueId(), c.env.STORE.newUniqueId()];
    const expiresAtMs = nowMs + PLAYGROUND_MS;
    await c.env.ACCOUNT.get(accountId).open({ balanceOps: PLAYGROUND_OPS, passing: true });
    await c.env.STORE.get(storeId).provision({ accountId: accountId.toString(), createdAtMicros: nowMs * 1000, keys: [], expiresAtMs });
    return c.json({ store: storeId.toString(), expires_at: new Date(expiresAtMs).toISOString() }, 201, { "cache-control": "no-store" });
  });

  app.post("/playground/stores/:id/keys", async (c) => {
    if (!isFromHere(c)) return refuse(c, 403, "Keys of the playground are made by its page.");
    const key = await keyOf(c);
    if (key === null) return refuse(c, 400, "A key is told of by its hash and its wrap.");
    let storeId: DurableObjectId;
    try {
      storeId = c.env.STORE.idFromString(c.req.param("id"));
    } catch {
      return refuse(c, 404, "There is no such store.");
    }
    const keyId = `key_${key.hash.slice(0, 16)}`;
    const row = { keyId, ...key, level: "read-write-delete", label: "playground", made: "browser" } as const;
    if (!(await c.env.STORE.get(storeId).issuePassingKey(row))) return refuse(c, 404, "There is no such store, or it has its key.");
    return c.json({ key_id: keyId, endpoint: apiUrl(c) }, 201, { "cache-control": "no-store" });
  });
  return app;
}

function refuse(c: Context, status: 400 | 403 | 404 | 429, message: string, headers: Record<string, string> = {}) {
  return c.json({ error: { code: "refused", message } }, status, { "cache-control": "no-store", ...headers });
}

async function keyOf(c: Context): Promise<{ readonly hash: string; readonly wrap: Uint8Array } | null> {
  const text = await c.req.text();
  if (text.length > BODY_CHARS_MAX) return null;
  try {
    const { hash, wrap } = JSON.parse(text);
    if (typeof hash !== "string" || !/^[0-9a-f]{64}$/.test(hash) || typeof wrap !== "string") return null;
    return { hash, wrap: Uint8Array.from(atob(wrap), (char) => char.charCodeAt(0)) };
  } catch {
    return null;
  }
}
