/**
 * Takes the code of a link that came by mail from behind the mark of the address, and out of the address.
 *
 * @page
 */
const field = document.querySelector<HTMLInputElement>("#code");
if (field !== null && location.hash.length > 1) {
  field.value = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
}
