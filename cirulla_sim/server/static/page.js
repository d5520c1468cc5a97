// What the page does besides showing HTML: follows runs, completes words, copies. Without it everything else works.

const EVERY = 700;
const MOST_WORDS = 8;

// ---------------------------------------------------------------- runs

// A run is asked about until it ends. A tab that is closed asks no more, and then its run ends too.
async function follow(section) {
  const path = `/runs/${section.dataset.run}`;
  const part = (name) => section.querySelector(`[data-${name}]`);
  let missed = 0;
  part("stop").addEventListener("click", () => fetch(`${path}/stop`, { method: "POST" }));
  while (!("ended" in section.dataset) && section.isConnected) {
    await new Promise((resolve) => setTimeout(resolve, EVERY));
    const reply = await fetch(`${path}?version=${section.dataset.version}`).catch(() => null);
    missed = reply?.ok ? 0 : missed + 1;
    if (missed > 4) fail(section, section.dataset.gone);
    if (missed) continue;
    const run = await reply.json();
    section.querySelector("progress").value = run.share;
    part("status").textContent = run.status;
    if (run.answer !== null) {
      await replace(part("answer"), run.answer);
      section.dataset.version = run.version;
    }
    if (run.ended) {
      end(section);
      part("announced").textContent = section.querySelector(".first")?.textContent ?? "";
      if (run.error) fail(section, run.error);
    }
  }
}

function end(section) {
  section.dataset.ended = "";
  section.querySelector(".under-way").hidden = true;
}

function fail(section, message) {
  end(section);
  const error = section.querySelector("[data-error]");
  error.textContent = message;
  error.hidden = false;
}

// The new answer takes the place of the old one when its chart is there, so that nothing jumps.
async function replace(place, html) {
  const next = document.createElement("div");
  next.innerHTML = html;
  const chart = next.querySelector("img:not(details img)");
  if (chart) await Promise.race([chart.decode().catch(() => chart.closest("figure").remove()), new Promise((r) => setTimeout(r, 4000))]);
  next.querySelectorAll("table.sortable").forEach(makeSortable);
  place.replaceChildren(...next.childNodes);
}

document.querySelectorAll("[data-run]").forEach((section) => {
  follow(section);
  if (section.getBoundingClientRect().top > 0.6 * innerHeight) section.scrollIntoView();
});

// A run that a script has put into the page.
document.addEventListener("follow", ({ target }) => follow(target));

// A chart that cannot be drawn is left out.
document.addEventListener("error", (event) => event.target.matches?.("figure img") && event.target.closest("figure").remove(), true);

// ---------------------------------------------------------------- what was asked last

// The last questions or positions, with their addresses: stored in this browser alone, until they are cleared.
const MOST_STORED = 12;

document.querySelectorAll("[data-kept]").forEach((part) => {
  const name = `asked ${location.pathname}`;
  const field = document.querySelector("[name=question]") ?? document.querySelector("[name=at]");
  const stored = () => { try { return JSON.parse(localStorage.getItem(name)) ?? []; } catch { return []; } };
  const others = () => stored().filter(([text]) => text !== field.value);
  const store = () => {
    if (!location.search || !field.value || !part.isConnected) return;
    const last = [[field.value, location.search], ...others()].slice(0, MOST_STORED);
    try { localStorage.setItem(name, JSON.stringify(last)); } catch { /* a browser that keeps nothing */ }
  };
  const items = others().map(([text, search]) => {
    const item = document.createElement("li");
    item.append(Object.assign(document.createElement("a"), { href: location.pathname + search, textContent: text }));
    return item;
  });
  store();
  addEventListener("pagehide", store);
  part.querySelector("ul").replaceChildren(...items);
  part.hidden = !items.length;
  part.querySelector("button").addEventListener("click", () => { localStorage.removeItem(name); part.remove(); });
});

// ---------------------------------------------------------------- long lists

// On a phone the sections of a list are folded, so that all of their titles are seen.
if (innerWidth <= 760) document.querySelectorAll("[data-section]").forEach((section) => (section.open = false));

// ---------------------------------------------------------------- copying

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy], [data-copy-table], [data-copy-address], [data-send-to]");
  if (!button) return;
  if ("sendTo" in button.dataset) return sendAnswer(button);
  let text = location.href;
  if ("copy" in button.dataset) text = button.previousElementSibling.textContent;
  if ("copyTable" in button.dataset) text = tabbed(button.closest("[data-answer]").querySelector("table"));
  await navigator.clipboard.writeText(text);
  mark(button);
});

function mark(button) {
  button.classList.add("copied-now");
  setTimeout(() => button.classList.remove("copied-now"), 1500);
}

// The answer as a sentence with its command, and its picture: handed to the system where it sends, else copied.
async function sendAnswer(button) {
  const answer = button.closest("[data-answer]");
  const text = [".first", ".copied:last-child pre"].map((part) => answer.querySelector(part).textContent).join("\n\n").replaceAll("\u00a0", " ");
  const png = button.dataset.sendTo && (await (await fetch(button.dataset.sendTo)).blob());
  const files = png ? [new File([png], "answer.png", { type: "image/png" })] : [];
  if (navigator.canShare?.({ text, files })) return navigator.share({ text, files }).catch(() => null);
  const parts = { "text/plain": new Blob([text], { type: "text/plain" }), ...(png && { "image/png": png }) };
  await navigator.clipboard.write([new ClipboardItem(parts)]);
  mark(button);
}

const tabbed = (table) =>
  [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent.trim()).join("\t")).join("\n");

// ---------------------------------------------------------------- completing words

async function complete(input) {
  const list = document.createElement("ul");
  list.id = `${input.id}-words`;
  list.className = "words";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", document.querySelector(`label[for="${input.id}"]`).textContent);
  list.hidden = true;
  input.after(list);
  for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-controls": list.id, "aria-expanded": "false" }))
    input.setAttribute(name, value);
  let fetched = null; // a promise of the words, so that they are fetched once, however quickly letters follow
  let active = -1;
  let dismissed = null; // the text at which Escape was pressed

  const typed = () => input.value.slice(0, input.selectionStart).match(/[\p{L}_]+$/u)?.[0] ?? "";
  const close = () => {
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  // The words to offer: none for a whole word, none within a sentence of other words, meanings only of longer parts.
  const offered = (part, words) => {
    const known = new Set(words.map((each) => each.word.toLowerCase()));
    const before = input.value.slice(0, input.selectionStart - part.length).toLowerCase().match(/[\p{L}_]+/gu) ?? [];
    if (known.has(part) || before.some((word) => word.length > 3 && !known.has(word))) return [];
    const found = words.filter((each) => each.word.toLowerCase().startsWith(part));
    if (part.length > 4) found.push(...words.filter((each) => !found.includes(each) && each.about.toLowerCase().includes(part)));
    return found.slice(0, MOST_WORDS);
  };
  const choose = (word) => {
    const at = input.selectionStart;
    const start = at - typed().length;
    input.setRangeText(word, start, at, "end");
    close();
    input.focus();
  };
  const show = async () => {
    const part = typed().toLowerCase();
    if (part.length < 2) return close();
    fetched ??= fetch(input.dataset.words).then((answer) => answer.json()).catch(() => ((fetched = null), []));
    const found = offered(part, await fetched);
    if (typed().toLowerCase() !== part) return; // a later letter decides
    if (!found.length || input.value === dismissed) return close();
    list.replaceChildren(
      ...found.map((each, number) => {
        const option = document.createElement("li");
        option.id = `${list.id}-${number}`;
        option.setAttribute("role", "option");
        option.append(Object.assign(document.createElement("b"), { textContent: each.word }), ` ${each.about}`);
        option.addEventListener("pointerdown", (event) => { event.preventDefault(); choose(each.word); });
        return option;
      }),
    );
    active = -1;
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
  };
  input.addEventListener("input", show);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") dismissed = input.value;
    if (list.hidden) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      active = (active + step + list.children.length) % list.children.length;
      [...list.children].forEach((option, number) => option.setAttribute("aria-selected", number === active));
      input.setAttribute("aria-activedescendant", list.children[active].id);
    } else if (event.key === "Enter" && active >= 0) choose(list.children[active].firstChild.textContent);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  });
}

document.querySelectorAll("[data-words]").forEach(complete);

// ---------------------------------------------------------------- forms

// An address holds only what was filled in.
document.addEventListener("formdata", ({ formData }) => {
  for (const [name, value] of [...formData]) if (!value) formData.delete(name);
});

// A file of rules is text in its field; it can be chosen, or dropped there.
document.querySelectorAll("[data-into]").forEach((choice) => {
  const field = document.getElementById(choice.dataset.into);
  const take = async ([file]) => { if (file) field.value = await file.text(); };
  choice.hidden = false;
  choice.addEventListener("change", () => take(choice.files));
  field.addEventListener("dragover", (event) => event.preventDefault());
  field.addEventListener("drop", (event) => {
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    take(event.dataTransfer.files);
  });
});

// A result file is sent, and shown at an address of its own.
document.querySelectorAll("[data-send]").forEach((field) => {
  const [input, error] = [field.querySelector("input"), field.querySelector(".error")];
  field.hidden = false;
  input.addEventListener("change", async () => {
    const [file] = input.files;
    if (!file) return;
    const sent = await fetch(`${field.dataset.send}?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file });
    const { address, error: wrong } = await sent.json();
    if (address) location.href = address;
    else error.textContent = wrong;
    input.value = "";
  });
});
