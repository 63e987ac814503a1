/** What people and clients call themselves and their things is text on every page, whatever stands in it. */
import { describe, expect, it } from "vitest";
import { BrowserLike, makeStore, signUp } from "./browser-like";

const CORPUS = [
  `<script>x51()</script>`,
  `"><img src=x onerror=x51()>`,
  `' autofocus onfocus='x51()`,
  `</title><svg/onload=x51()>`,
  `javascript:x51()//`,
  `{{x51()}}\${x51()}`,
  `&lt;script&gt;x51()`,
];

/** As a browser reads a page: tags with their attributes, and the text between. */
function parts(html: string): { tags: string[]; text: string } {
  return { tags: html.match(/<[^>]*>/g) ?? [], text: html.replaceAll(/<[^>]*>/g, "") };
}

/** Within an attribute a text is where it belongs, and ends where the attribute does. */
function expectInert(html: string, path: string): void {
  for (const tag of parts(html).tags) {
    const bare = tag.replaceAll(/="[^"]*"/g, "");
    expect(bare, `${path}: ${tag}`).not.toContain("x51");
    expect(bare, `${path}: ${tag}`).not.toMatch(/\son\w+|<(?:svg|img)\b/i);
    expect(tag, `${path}: ${tag}`).not.toMatch(/(?:href|src|action)="\s*javascript:/i);
  }
  expect(html, path).not.toMatch(/<script(?!\s+type="module"\s+src=")/);
}

function shown(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}

describe("hostile texts", () => {
  it.each(CORPUS)("[C7.51] %s as a store's name, a token's label, a snapshot's label, a browser's name", async (hostile) => {
    const person = await signUp();
    const { browser } = person;
    const store = await makeStore(person, hostile);
    await browser.post("/dashboard/tokens", { label: hostile, level: "read" });
    await browser.get(`/dashboard/stores/${store}/snapshots`);
    await browser.post(`/dashboard/stores/${store}/snapshots`, { label: hostile });
    const other = new BrowserLike();
    const { send } = other;
    other.send = (method, path, init = {}) =>
      send.call(other, method, path, { ...init, headers: { ...init.headers, "user-agent": hostile } });
    await other.get("/dashboard/sign-in");
    await other.post("/dashboard/sign-in", { email: person.email, password: person.password });
    const paths = ["stores", "tokens", "sessions", "audit", "reports", "account", `stores/${store}/settings`, `stores/${store}/keys`];
    let times = 0;
    for (const path of [
      ...paths,
      `stores/${store}/snapshots`,
      `stores/${store}/connect`,
      `stores/${store}/activity`,
      `stores/${store}/explore`,
    ]) {
      const page = await browser.get(`/dashboard/${path}`);
      expect([path, page.status]).toEqual([path, 200]);
      expectInert(page.text, path);
      times += page.text.split(shown(hostile)).length - 1;
    }
    expect(times).toBeGreaterThan(4);
  });

  it.each(CORPUS)("[C7.51] %s typed into a form, or put into an address, comes back as text", async (hostile) => {
    const browser = new BrowserLike();
    for (const path of [
      `sign-in?next=${encodeURIComponent(hostile)}`,
      `reset?code=${encodeURIComponent(hostile)}`,
      encodeURIComponent(hostile),
    ])
      expectInert((await browser.get(`/dashboard/${path}`)).text, path);
    for (const path of ["sign-up", "sign-in", "forgotten", "recover", "reset"]) {
      await browser.get(`/dashboard/${path}`);
      const page = await browser.post(`/dashboard/${path}`, { email: hostile, password: "short", code: hostile, next: hostile });
      expectInert(page.text, path);
      if (path === "sign-up" || path === "sign-in") expect(page.text, path).toContain(shown(hostile));
    }
  });
});
