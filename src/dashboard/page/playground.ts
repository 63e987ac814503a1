/**
 * Runs what stands in the page on a store made for it. Its key is made here and kept in this script's memory; the program stands in
 * the address behind `#`, so that a link carries it and no request does.
 */
import { type AskService, issueKey } from "../../../clients/keys/issue-key";

function part<E extends HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no ${id}`);
  return element as E;
}

const form = part<HTMLFormElement>("play");
const moduleText = part<HTMLTextAreaElement>("module");
const programText = part<HTMLTextAreaElement>("program");
const said = part("said");
const transcript = part("transcript");
const share = part<HTMLButtonElement>("share");
const run = form.querySelector<HTMLButtonElement>("button[type=submit]");

/** What a link of this page carries. */
interface Shared {
  readonly v: 1;
  /** The service's revision it was written under. */
  readonly revision: number;
  readonly module: string;
  readonly program: string;
}

let key: string | null = null;
/** Where that key is taken. */
let endpoint = "/";
/** The module as the store has it. */
let compiled = "";
let lastId = 0;

const ask: AskService = async (method, path, body) => {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`/playground${path}`, { method, headers, body: body && JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
};

async function openStore(): Promise<void> {
  const { status, body } = await ask("POST", "/stores", {});
  if (status !== 201) throw new Error(body.error.message);
  const order = { storeId: body.store, level: "read-write-delete", label: "playground", made: "browser", opener: null } as const;
  const issued = await issueKey(ask, order);
  key = issued.key.text;
  endpoint = issued.endpoint ?? "/";
  compiled = "";
}

async function call(name: string, args: object): Promise<{ readonly text: string; readonly isError: boolean }> {
  const response = await fetch(endpoint, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: ++lastId, method: "tools/call", params: { name, arguments: args } }),
  });
  if (response.status === 401) {
    key = null;
    throw new Error("This store's hour is over. Run again for a new one.");
  }
  if (response.status !== 200) throw new Error(`The service answered HTTP ${response.status}.`);
  const { result, error } = await response.json();
  if (error !== undefined) throw new Error(error.message);
  return { text: result.content[0].text, isError: result.isError === true };
}

function keepInAddress(): void {
  const shared: Shared = { v: 1, revision: Number(form.dataset["revision"]), module: moduleText.value, program: programText.value };
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  history.replaceState(null, "", `#${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`);
}

function takeFromAddress(): void {
  if (location.hash.length < 2) return;
  try {
    const binary = atob(location.hash.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    const shared: Partial<Shared> = JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0))));
    if (shared.v !== 1 || typeof shared.module !== "string" || typeof shared.program !== "string") throw new Error("another form");
    moduleText.value = shared.module;
    programText.value = shared.program;
    if (shared.revision !== Number(form.dataset["revision"]))
      said.textContent = `This program was shared under revision ${shared.revision}; the service is at ${form.dataset["revision"]}.`;
  } catch {
    said.textContent = "The address carries no program that can be read.";
  }
}

async function play(): Promise<void> {
  keepInAddress();
  const parts: string[] = [];
  const show = (head: string, text: string) => {
    parts.push(`${head}\n${text}`);
    transcript.textContent = parts.join("\n\n");
  };
  if (key === null) {
    said.textContent = "Making a store…";
    await openStore();
  }
  said.textContent = "Running…";
  if (moduleText.value.trim() !== "" && moduleText.value !== compiled) {
    const { text, isError } = await call("compile", { name: "play", source: moduleText.value });
    show("compile play", text);
    if (isError) return;
    compiled = moduleText.value;
  }
  show("run", (await call("run", { source: programText.value })).text);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (run === null || run.disabled) return;
  run.disabled = true;
  try {
    await play();
    said.textContent = "";
  } catch (error) {
    said.textContent = error instanceof Error ? error.message : "The service could not be reached.";
  } finally {
    run.disabled = false;
  }
});
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
});
share.addEventListener("click", async () => {
  keepInAddress();
  try {
    await navigator.clipboard.writeText(location.href);
    said.textContent = "The address is copied.";
  } catch {
    said.textContent = "Copy it from the address bar.";
  }
});
part("anew").addEventListener("click", () => {
  key = null;
  transcript.textContent = "";
  said.textContent = "The next run has a store of its own.";
});
addEventListener("hashchange", takeFromAddress);
takeFromAddress();
if (run !== null) run.disabled = false;
