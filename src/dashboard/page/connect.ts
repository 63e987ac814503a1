/**
 * Copies the texts of the page, and tests a connection with a key that the person pastes: the request a client would send, and the very answer.
 *
 * The key goes where a client sends it and nowhere else; it is kept nowhere.
 */
import { readKey } from "../../../clients/keys/store-key";

const form = document.querySelector<HTMLFormElement>("#test");
const field = document.querySelector<HTMLInputElement>("#key");
const verdict = document.querySelector<HTMLElement>("#verdict");
const answer = document.querySelector<HTMLElement>("#answer");
const answerPart = answer?.parentElement;

/** What a reader of the answer would conclude. */
function sentenceOf(status: number, text: string): string {
  if (status === 401) return "The service does not take this key: it is unknown, or revoked.";
  if (status !== 200) return `The service answered HTTP ${status}.`;
  const { result, error } = JSON.parse(text);
  if (error !== undefined) return `Connected, and refused: ${error.message}`;
  return result.isError === true
    ? "Connected: the key is taken, and its level lets it do nothing."
    : "Connected: the key opens this store.";
}

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (field === null || verdict === null || !answer || !answerPart) return;
  const text = field.value.trim();
  const key = readKey(text);
  verdict.hidden = false;
  answerPart.hidden = true;
  if (key === null) verdict.textContent = "This is no store key: it begins with dke_s_ and has 98 characters.";
  else if (key.storeId !== form.dataset["store"]) verdict.textContent = "This key is of another store.";
  else {
    verdict.textContent = "Asking…";
    try {
      const response = await fetch(form.dataset["url"] ?? "", {
        method: "POST",
        headers: { authorization: `Bearer ${text}`, "content-type": "application/json" },
        body: form.dataset["request"],
      });
      const body = await response.text();
      verdict.textContent = sentenceOf(response.status, body);
      answer.textContent = body;
      answerPart.hidden = false;
    } catch {
      verdict.textContent = "The service could not be reached from this page.";
    }
  }
});
addEventListener("pagehide", () => form?.reset());
const button = form?.querySelector("button");
if (button) button.disabled = false;

for (const copy of document.querySelectorAll<HTMLButtonElement>("button.copy")) {
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    const text = copy.parentElement?.querySelector("pre");
    if (!text) return;
    try {
      await navigator.clipboard.writeText(text.textContent ?? "");
      copy.textContent = "Copied";
    } catch {
      getSelection()?.selectAllChildren(text);
      copy.textContent = "Selected: copy it now";
    }
  });
}
