/**
 * Makes a store key in the page: from the browser's own random source, shown once, never sent.
 *
 * The service gets the hash and the wrap (clients/keys/). The key stands in the page until the person says that it is saved, and
 * goes when the page does: it is in no address, no field that a browser would fill in again, no storage and no history.
 */
import { type AskService, issueKey, NotIssued } from "../../../clients/keys/issue-key";
import { readKey } from "../../../clients/keys/store-key";

function part<E extends HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no ${id}`);
  return element as E;
}

const form = part<HTMLFormElement>("make");
const said = part("said");
const shown = part("made");
const keyText = part("key");
const saved = part<HTMLInputElement>("saved");
const done = part<HTMLButtonElement>("done");
const copy = part<HTMLButtonElement>("copy");
const make = part<HTMLButtonElement>("make-button");
const opener = document.getElementById("opener") as HTMLInputElement | null;
const storeId = form.dataset["store"] ?? "";
const root = form.dataset["root"] ?? "";

const ask: AskService = async (method, path, body) => {
  const headers: Record<string, string> = { "x-form-token": document.body.dataset["formToken"] ?? "" };
  if (body !== undefined) headers["content-type"] = "application/json";
  const response = await fetch(`${root}/api${path}`, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
};

function say(text: string): void {
  said.textContent = text;
  said.hidden = text === "";
}

function sayProve(): void {
  say("Some minutes have passed since you showed your password. ");
  const link = document.createElement("a");
  link.href = `${root}/prove?next=${encodeURIComponent(location.pathname)}`;
  link.textContent = "Show it once more, then make the key.";
  said.append(link);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  say("");
  const held = opener === null ? null : readKey(opener.value.trim());
  if (opener !== null && held === null) return say("This is no store key: it begins with dke_s_ and has 98 characters.");
  const fields = new FormData(form);
  make.disabled = true;
  try {
    const { key } = await issueKey(ask, {
      storeId,
      level: String(fields.get("level")),
      label: String(fields.get("label")),
      made: "browser",
      opener: held,
      copyOf: form.dataset["copyOf"],
    });
    show(key.text);
  } catch (error) {
    make.disabled = false;
    if (!(error instanceof NotIssued))
      say("The service did not answer. Look at the list of keys before you try again: a key that nobody has can be revoked there.");
    else if (error.code === "prove") sayProve();
    else
      say(
        error.code === "not_found" && held !== null ? "This key does not open the store: it is unknown to it, or revoked." : error.message,
      );
  }
});

function show(text: string): void {
  form.reset();
  form.hidden = true;
  keyText.textContent = text;
  shown.hidden = false;
  shown.focus();
}

function forget(): void {
  keyText.textContent = "";
  form.reset();
}

copy.addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(keyText.textContent ?? "");
    copy.textContent = "Copied";
  } catch {
    // No right to the clipboard: the key is selected instead.
    getSelection()?.selectAllChildren(keyText);
    copy.textContent = "Selected: copy it now";
  }
});
saved.addEventListener("change", () => {
  done.disabled = !saved.checked;
});
done.addEventListener("click", () => {
  forget();
  location.replace(`${root}/stores/${storeId}/connect`);
});
addEventListener("beforeunload", (event) => {
  if (keyText.textContent !== "" && !saved.checked) event.preventDefault();
});
addEventListener("pagehide", forget);
// A page that comes back from the browser's memory begins anew.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
make.disabled = false;
