/** A person's browser, as far as the pages need one: keeps cookies, fills in forms, follows no redirect by itself. */
import { inject } from "vitest";
import type { AskService } from "../../clients/keys/issue-key";

export interface PageSeen {
  readonly status: number;
  /** Where it sends the browser, as a path; "" where it does not. */
  readonly location: string;
  readonly text: string;
  readonly headers: Headers;
}

let people = 0;

export class BrowserLike {
  readonly #cookies = new Map<string, string>();
  readonly #base: string;
  /** Attempts are counted by address: each browser has its own. */
  readonly #address = `2001:db8:${process.pid.toString(16)}::${(++people).toString(16)}`;
  /** Of the last page seen. */
  formToken = "";
  /** Everything this browser has sent, each request as text. */
  readonly sent: string[] = [];

  constructor(base: string = inject("serviceUrl")) {
    this.#base = new URL(base).origin;
  }

  get cookies(): ReadonlyMap<string, string> {
    return this.#cookies;
  }

  async get(path: string): Promise<PageSeen> {
    return this.#seen(await this.send("GET", path));
  }

  /** Sends a form of the last page seen. */
  async post(path: string, fields: Readonly<Record<string, string>> = {}, other: Readonly<Record<string, string>> = {}): Promise<PageSeen> {
    const body = new URLSearchParams({ form_token: this.formToken, ...fields }).toString();
    return this.#seen(await this.send("POST", path, { body, headers: { "content-type": "application/x-www-form-urlencoded", ...other } }));
  }

  /** The interface for keys, as a script of the last page seen asks it. */
  readonly ask: AskService = async (method, path, body) => {
    const headers = { "x-form-token": this.formToken, "content-type": "application/json" };
    const response = await this.send(method, `/dashboard/api${path}`, { headers, body: body && JSON.stringify(body) });
    return { status: response.status, body: await response.json() };
  };

  /** One request with this browser's cookies; headers given win. */
  async send(method: string, path: string, { headers, body }: { headers?: Record<string, string>; body?: string } = {}): Promise<Response> {
    this.sent.push(`${method} ${path}\n${JSON.stringify(headers)}\n${body ?? ""}`);
    const response = await fetch(this.#base + path, {
      method,
      body,
      redirect: "manual",
      headers: {
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        "cf-connecting-ip": this.#address,
        "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
        ...(method === "GET" ? {} : { origin: this.#base, "sec-fetch-site": "same-origin" }),
        ...headers,
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name === undefined) continue;
      if (value === "" || /max-age=0\b/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return response;
  }

  async #seen(response: Response): Promise<PageSeen> {
    const text = await response.text();
    const token = /data-form-token="([^"]+)"/.exec(text) ?? /name="form_token" value="([^"]+)"/.exec(text);
    if (token !== null) this.formToken = token[1];
    const location = response.headers.get("location") ?? "";
    return { status: response.status, location: location.replace(this.#base, ""), text, headers: response.headers };
  }
}

export interface Person {
  readonly browser: BrowserLike;
  readonly email: string;
  readonly password: string;
}

/** Somebody who has just made an account, and is signed in. */
export async function signUp(base?: string): Promise<Person> {
  const browser = new BrowserLike(base);
  const person = { browser, email: `person-${process.pid}-${people}@example.org`, password: "a quiet red harbour" };
  await browser.get("/dashboard/sign-up");
  const { status, text } = await browser.post("/dashboard/sign-up", { email: person.email, password: person.password });
  if (status !== 303) throw new Error(`sign-up answered ${status}: ${text}`);
  return person;
}

/** A new store of this person's; its id. */
export async function makeStore({ browser }: Person, name = "First"): Promise<string> {
  await browser.get("/dashboard/stores");
  const { status, location, text } = await browser.post("/dashboard/stores", { name });
  const id = /^\/dashboard\/stores\/([0-9a-f]{64})\/keys/.exec(location)?.[1];
  if (id === undefined) throw new Error(`making a store answered ${status} ${location}: ${text}`);
  return id;
}

/** A new account token; its text. */
export async function makeToken({ browser }: Person, level: string): Promise<string> {
  await browser.get("/dashboard/tokens");
  const { status, text } = await browser.post("/dashboard/tokens", { label: "a machine", level });
  const token = /dke_t_[\w-]+/.exec(text)?.[0];
  if (token === undefined) throw new Error(`making a token answered ${status}: ${text}`);
  return token;
}

/** The code of the latest link to a page that a letter brought this person; letters are shown latest first. */
export async function codeOfLetter({ browser, email }: Person, page: "confirm" | "reset"): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const { text } = await browser.get("/dashboard/outbox");
    for (const letter of text.split("<section>").slice(1)) {
      const code = new RegExp(`/dashboard/${page}#([\\w-]{43})`).exec(letter)?.[1];
      if (code !== undefined && letter.includes(`to ${email}, `)) return code;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no letter with a link to ${page} came to ${email}`);
}

export async function confirmAddress(person: Person): Promise<void> {
  const code = await codeOfLetter(person, "confirm");
  await person.browser.get("/dashboard/confirm");
  const { status, text } = await person.browser.post("/dashboard/confirm", { code });
  if (status !== 200) throw new Error(`confirming answered ${status}: ${text}`);
}
