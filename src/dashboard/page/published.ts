/** "Copy as Markdown" on a published page: the text of its twin, as a client would read it, into the clipboard. */
const button = document.querySelector<HTMLButtonElement>("button[data-twin]");

button?.addEventListener("click", async () => {
  const twin = button.dataset["twin"] ?? "";
  const text = fetch(twin).then((response) => {
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return response.text();
  });
  try {
    // Given as a promise within the click: some browsers allow no clipboard once it is over.
    await navigator.clipboard.write([
      new ClipboardItem({ "text/plain": text.then((markdown) => new Blob([markdown], { type: "text/plain" })) }),
    ]);
    button.textContent = "Copied";
  } catch {
    // No right to the clipboard: the text is shown, to be copied by hand.
    location.assign(twin);
  }
});
if (button) button.hidden = false;
