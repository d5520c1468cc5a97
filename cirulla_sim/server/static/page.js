// Runs under way are asked about until they end; a tab that is closed asks no more, which ends its runs.
const EVERY = 700;

async function follow(section) {
  const path = `/runs/${section.dataset.run}`;
  const part = (name) => section.querySelector(`[data-${name}]`);
  part("stop")?.addEventListener("click", () => fetch(`${path}/stop`, { method: "POST" }));
  while (!("ended" in section.dataset) && section.isConnected) {
    await new Promise((resolve) => setTimeout(resolve, EVERY));
    const answer = await fetch(`${path}?version=${section.dataset.version}`).catch(() => null);
    if (!answer?.ok) continue;
    const run = await answer.json();
    section.querySelector("progress").value = run.share;
    part("status").textContent = run.status;
    if (run.answer !== null) {
      part("answer").innerHTML = run.answer;
      section.dataset.version = run.version;
    }
    if (run.ended) {
      section.dataset.ended = "";
      section.querySelector(".under-way").hidden = true;
      part("error").textContent = run.error;
      part("error").hidden = !run.error;
    }
  }
}

document.querySelectorAll("[data-run]").forEach(follow);

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(button.previousElementSibling.textContent);
  button.dataset.copied = "";
});
