// Cards and text are kept in step by the server; only what has changed is put in, so that the focus stays.
const form = document.querySelector("[data-cards]");
const at = form.elements.at;

async function put(card) {
  const fields = new URLSearchParams(new FormData(form));
  if (card) fields.set("card", card);
  const answer = await fetch(`/advise/put?${fields}`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const pack = page.getElementById("pack");
  if (!pack) return;
  document.getElementById("pack").innerHTML = pack.innerHTML;
  for (const part of ["value", "aria-invalid", "aria-describedby"]) {
    const value = page.getElementById("at").getAttribute(part);
    if (value === null) at.removeAttribute(part);
    else at.setAttribute(part, value);
  }
  at.value = page.getElementById("at").value;
  const [old, error] = [document, page].map((where) => where.getElementById("at-error"));
  old?.remove();
  if (error) at.parentElement.append(error);
  history.replaceState(null, "", answer.url);
  if (card) document.querySelector(`#pack [value="${card}"]`).focus();
}

let last = Promise.resolve();
const inTurn = (card) => (last = last.then(() => put(card)));

form.addEventListener("click", (event) => {
  const button = event.target.closest("#pack button");
  if (!button) return;
  event.preventDefault();
  inTurn(button.value);
});
at.addEventListener("change", () => inTurn());
