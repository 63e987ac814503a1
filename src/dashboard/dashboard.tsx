/** All pages of the dashboard, under one path. */
import { Hono } from "hono";
import { trimTrailingSlash } from "hono/trailing-slash";
import { accountPages } from "./account-pages";
import { closingPages } from "./closing";
import { confirmingPages } from "./confirming";
import { ICON } from "./document";
import { door } from "./door";
import { explorePages } from "./explore";
import { keyApi } from "./key-api";
import { render } from "./layout";
import { PAGE_SCRIPTS } from "./page-scripts";
import { passkeyPages } from "./passkeys";
import { recoverPages } from "./recover";
import { signInPages } from "./sign-in";
import { ROOT, type Site } from "./site";
import { snapshotPages } from "./snapshots";
import { storeActivityPages } from "./store-activity";
import { storeConnectPages } from "./store-connect";
import { storeKeyPages } from "./store-keys";
import { storeListPages } from "./store-list";
import { storeSettingsPages } from "./store-settings";
import style from "./style.css";
import { usagePages } from "./usage";

const PUBLIC = { "cache-control": "public, max-age=3600", "x-content-type-options": "nosniff" };

export function dashboard(): Hono<Site> {
  const app = new Hono<Site>();
  // Public, the same for everybody, and behind no cookie.
  app.get("/style.css", (c) => c.text(style, 200, { ...PUBLIC, "content-type": "text/css; charset=utf-8" }));
  app.get("/icon.svg", (c) => c.text(ICON, 200, { ...PUBLIC, "content-type": "image/svg+xml" }));
  app.get("/page/:name", (c) => {
    const script = PAGE_SCRIPTS.get(c.req.param("name"));
    return script === undefined ? c.notFound() : c.text(script, 200, { ...PUBLIC, "content-type": "text/javascript; charset=utf-8" });
  });
  app.route("/api", keyApi as unknown as Hono<Site>);
  app.use(door);
  app.use(trimTrailingSlash());
  const stores = [storeListPages, storeKeyPages, storeConnectPages, storeActivityPages, storeSettingsPages, snapshotPages, explorePages];
  for (const pages of [signInPages, passkeyPages, recoverPages, confirmingPages, closingPages, ...stores, accountPages, usagePages])
    app.route("/", pages);
  app.notFound((c) => render(c, { title: "Not found" }, <h1>There is no such page</h1>, 404));
  return app;
}

export { ROOT };
