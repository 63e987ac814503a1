/** Shows which kinds a restore changes, by name, with a key that the person pastes: sent once, and gone from the page with the answer. */

function part<E extends HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no ${id}`);
  return element as E;
}

interface Answer {
  readonly error?: string;
  readonly kinds?: readonly { readonly kind: string; readonly now: number; readonly after: number }[];
}

const form = part<HTMLFormElement>("ask");
const keyField = part<HTMLInputElement>("opener");
const said = part("said");
const table = part<HTMLTableElement>("kinds");

function say(text: string): void {
  said.textContent = text;
  said.hidden = text === "";
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const key = keyField.value.trim();
  form.reset();
  table.hidden = true;
  say("");
  let answer: Answer;
  try {
    const headers = { authorization: `Bearer ${key}`, "x-form-token": document.body.dataset["formToken"] ?? "" };
    answer = await (await fetch(form.dataset["path"] ?? "", { method: "POST", headers })).json();
  } catch {
    return say("The service did not answer: try again.");
  }
  const { error, kinds = [] } = answer;
  if (error !== undefined) return say(error);
  if (kinds.length === 0) return say("No kind has another number of claims.");
  const body = table.tBodies[0];
  body.replaceChildren(
    ...kinds.map(({ kind, now, after }) => {
      const row = document.createElement("tr");
      for (const [place, text] of [kind, String(now), String(after)].entries()) {
        const cell = row.insertCell();
        cell.textContent = text;
        if (place > 0) cell.className = "number";
      }
      return row;
    }),
  );
  table.hidden = false;
});
addEventListener("pagehide", () => form.reset());
form.hidden = false;
