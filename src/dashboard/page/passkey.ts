/** Has the browser make a passkey, or sign with one, and sends what it answered. */
import { browserSupportsWebAuthn, startAuthentication, startRegistration } from "@simplewebauthn/browser";

type Json = Parameters<typeof startAuthentication>[0]["optionsJSON"] & Parameters<typeof startRegistration>[0]["optionsJSON"];

interface Answer {
  readonly next?: string;
  readonly prove?: string;
  readonly error?: string;
}

const form = document.querySelector<HTMLFormElement>("form#passkey");
const said = document.querySelector<HTMLElement>("#passkey-said");
const label = document.querySelector<HTMLInputElement>("#passkey-label");

function say(text: string): void {
  if (said === null) return;
  said.textContent = text;
  said.hidden = text === "";
}

async function send<A>(path: string, body: unknown): Promise<A> {
  const headers = { "content-type": "application/json", "x-form-token": document.body.dataset["formToken"] ?? "" };
  return (await fetch(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

async function act({ act, root = "", next = "" }: DOMStringMap): Promise<Answer> {
  const path = act === "add" ? `${root}/passkeys` : `${root}/${act}/passkey`;
  const optionsJSON = await send<Json & Answer>(`${path}/options`, {});
  if (optionsJSON.error !== undefined) return optionsJSON;
  const response = await (act === "add" ? startRegistration({ optionsJSON }) : startAuthentication({ optionsJSON }));
  return send<Answer>(path, { response, next, label: label?.value });
}

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  say("");
  try {
    const { next, prove, error } = await act(form.dataset);
    if (next === undefined && prove === undefined) return say(error ?? "The service did not answer: try again.");
    location.assign(next ?? prove ?? "");
  } catch (error) {
    const isTheirs = error instanceof Error && error.name === "NotAllowedError";
    say(
      isTheirs
        ? "No passkey was chosen, or it took too long."
        : `That did not work: ${error instanceof Error ? error.message : "try again"}.`,
    );
  }
});
if (browserSupportsWebAuthn()) form?.removeAttribute("hidden");
else if (form?.dataset["act"] === "add") say("This browser has no passkeys.");
