// The evening is in the address; the browser remembers the last one, and reads files to open.
const KEY = "evening";
const last = document.querySelector("[data-last]");

if (location.search.includes("played=")) localStorage.setItem(KEY, location.search);
else if (last && localStorage.getItem(KEY)) {
  last.querySelector("a").href = `/evening${localStorage.getItem(KEY)}`;
  last.hidden = false;
}

document.querySelector("[data-file]")?.addEventListener("change", async (event) => {
  const form = event.target.form;
  form.elements.text.value = await event.target.files[0].text();
  form.submit();
});

document.querySelector("[data-print]")?.addEventListener("click", () => print());
