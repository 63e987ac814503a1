/**
 * Looks into a store with a key that the person pastes, and shows what it holds as pictures and words.
 *
 * The key is in this script's memory and in the header of its calls, nowhere else: what is read is sent to be drawn without it.
 */
import { readKey } from "../../../clients/keys/store-key";
import { type Outline, outlineOf } from "../outline";
import { type CallTool, CHANGED_MAX, StoreReader, wholeInstant } from "../store-reader";

function part<E extends HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no ${id}`);
  return element as E;
}

const open = part<HTMLFormElement>("open");
const keyField = part<HTMLInputElement>("key");
const said = part("said");
const views = part("views");
const cellForm = part<HTMLFormElement>("cell-form");
const storeForm = part<HTMLFormElement>("store-form");
const cellField = part<HTMLInputElement>("cell");
const atField = part<HTMLInputElement>("at");
const knownAtField = part<HTMLInputElement>("known-at");
const markField = part<HTMLSelectElement>("mark");
const result = part("result");
const url = open.dataset["url"] ?? "";
const root = open.dataset["root"] ?? "";

let key: string | null = null;
let lastId = 0;

const callTool: CallTool = async (name, args) => {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: ++lastId, method: "tools/call", params: { name, arguments: args } }),
  });
  if (response.status === 401) throw new Error("The service does not take this key: it is unknown, or revoked.");
  if (response.status !== 200) throw new Error(`The service answered HTTP ${response.status}.`);
  const { result: answer, error } = await response.json();
  if (error !== undefined) throw new Error(error.message);
  const text: string = answer.content[0].text;
  if (answer.isError === true) throw new Error(text);
  return { text, meta: answer._meta };
};
const reader = new StoreReader(callTool);

/** One thing at a time: what is asked next begins once the last has ended. */
let busy = false;
async function doing(what: string, work: () => Promise<void>): Promise<void> {
  if (busy) return;
  busy = true;
  said.textContent = what;
  try {
    await work();
    said.textContent = "";
  } catch (error) {
    said.textContent = error instanceof Error ? error.message : "The service could not be reached from this page.";
  } finally {
    busy = false;
  }
}

function choices(id: string, names: readonly string[], empty: string, choose: (name: string) => void): void {
  const list = part(id);
  part(`${id}-head`).hidden = false;
  list.replaceChildren(
    ...names.map((name) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.className = "plain";
      button.textContent = name;
      button.addEventListener("click", () => choose(name));
      item.append(button);
      return item;
    }),
  );
  if (names.length === 0) {
    const item = document.createElement("li");
    item.className = "muted";
    item.textContent = empty;
    list.append(item);
  }
}

function hideChoices(...ids: string[]): void {
  for (const id of ids) {
    part(id).replaceChildren();
    part(`${id}-head`).hidden = true;
  }
}

async function showKinds(): Promise<void> {
  const kinds = await reader.kinds();
  choices("kinds", kinds, "Nothing is recorded yet.", (kind) => doing(`Reading ${kind}…`, () => showSubjects(kind)));
  const marks = await reader.marks();
  markField.replaceChildren(...marks.map((mark) => new Option(mark)));
  part<HTMLButtonElement>("changes").disabled = marks.length === 0;
  part("no-mark").hidden = marks.length > 0;
}

async function showSubjects(kind: string): Promise<void> {
  const { data, notes } = await reader.subjects(kind);
  hideChoices("cells");
  choices("subjects", data, "No subject has a claim in force.", (subject) => doing(`Reading ${subject}…`, () => showCells(subject)));
  for (const note of notes) {
    const item = document.createElement("li");
    item.className = "muted";
    item.textContent = note;
    part("subjects").append(item);
  }
}

async function showCells(subject: string): Promise<void> {
  choices("cells", await reader.cells(subject), "It has no field.", (cell) => {
    cellField.value = cell;
    void doing(`Reading ${cell}…`, showClaims);
  });
}

async function draw(name: string, head: string, data: object, notes: readonly string[], moreWords = ""): Promise<void> {
  const response = await fetch(`${root}/picture/${name}`, {
    method: "POST",
    headers: { "x-form-token": document.body.dataset["formToken"] ?? "", "content-type": "application/json" },
    body: JSON.stringify(data),
  });
  if (response.redirected || response.status === 403) throw new Error("You are signed out, or this page is out of date: load it again.");
  const { svg, text, error } = await response.json();
  if (error !== undefined) throw new Error(error);
  part("result-head").textContent = head;
  part("in-force").textContent = "";
  const picture = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  part("picture").replaceChildren(document.importNode(picture, true));
  part("words").textContent = text + moreWords;
  part("words").hidden = false;
  part("tree").hidden = true;
  part("notes").replaceChildren(
    ...notes.map((note) => {
      const item = document.createElement("li");
      item.textContent = note;
      return item;
    }),
  );
  result.hidden = false;
  result.focus();
}

/** What rests on something stands under it, and can be folded away. */
function folds(outline: readonly Outline[]): HTMLUListElement {
  const list = document.createElement("ul");
  for (const { line, below } of outline) {
    const item = document.createElement("li");
    if (below.length === 0) item.textContent = line;
    else {
      const fold = document.createElement("details");
      const head = document.createElement("summary");
      fold.open = true;
      head.textContent = line;
      fold.append(head, folds(below));
      item.append(fold);
    }
    list.append(item);
  }
  return list;
}

async function showClaims(): Promise<void> {
  const [cell, at, knownAt] = [cellField.value.trim(), atField.value.trim(), knownAtField.value.trim()];
  const value = await reader.inForce(cell, at, knownAt);
  const { data, notes } = await reader.claims(cell);
  await draw("claims", `Claims at ${cell}`, { cell, claims: data, at: wholeInstant(at), knownAt: wholeInstant(knownAt) }, notes);
  part("in-force").textContent = value === null ? "Nothing is in force at that moment." : `In force: ${value}`;
}

async function showWhy(): Promise<void> {
  const cell = cellField.value.trim();
  await draw("proof", `Why ${cell} holds`, await reader.proof(cell), []);
  part("tree").replaceChildren(folds(outlineOf(part("words").textContent ?? "")));
  part("tree").hidden = false;
  part("words").hidden = true;
}

async function showChanges(): Promise<void> {
  const since = markField.value;
  const { kinds, lines } = await reader.changes(since);
  const changed = [...kinds].map(([name, counts]) => ({ name, ...counts }));
  const data = { since, kinds: changed.slice(0, CHANGED_MAX) };
  const notes = changed.length > CHANGED_MAX ? [`The first ${CHANGED_MAX} of ${changed.length} Kinds are drawn; the lines tell all.`] : [];
  await draw("changes", `Changes since ${since}`, data, notes, `\n${lines.join("\n")}\n`);
}

async function showGraph(): Promise<void> {
  const { data, notes } = await reader.graph();
  await draw("graph", "Kinds and rules", data, notes);
}

function onAsk(form: HTMLFormElement, shows: Readonly<Record<string, () => Promise<void>>>): void {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const asked = (event.submitter as HTMLButtonElement | null)?.value ?? "";
    void doing("Asking the store…", shows[asked] ?? Object.values(shows)[0]!);
  });
}
onAsk(cellForm, { claims: showClaims, why: showWhy });
onAsk(storeForm, { graph: showGraph, changes: showChanges });

open.addEventListener("submit", (event) => {
  event.preventDefault();
  const text = keyField.value.trim();
  const read = readKey(text);
  if (read === null) said.textContent = "This is no store key: it begins with dke_s_ and has 98 characters.";
  else if (read.storeId !== open.dataset["store"]) said.textContent = "This key is of another store.";
  else {
    key = text;
    open.reset();
    void doing("Opening the store…", async () => {
      await showKinds();
      views.hidden = false;
    });
  }
});

addEventListener("pagehide", () => {
  key = null;
  open.reset();
});
// A page that comes back from the browser's memory begins anew, without its key.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
const button = open.querySelector("button");
if (button) button.disabled = false;
