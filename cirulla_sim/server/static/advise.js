// The table: cards are tapped into place, and plays are followed. The text of the position is what the address holds;
// everything shown is drawn from it.
const form = document.querySelector("[data-games]");
const at = form.elements.at;
const find = (selector, within = form) => [...within.querySelectorAll(selector)];
const [board] = find(".board");
const [status] = find("[data-prompt]");
const [offer] = find("[data-offer]");
const advice = document.querySelector("[data-advice]");
const [log] = find(".log ol");
const games = JSON.parse(form.dataset.games);
const zones = new Map(find("[data-zone]").map((zone) => [zone.dataset.zone, zone]));
const cells = new Map(find("[data-card]").map((cell) => [cell.dataset.card, cell]));
const turn = find('[data-clause="to play"]')[0];
const myself = turn.options[1].value;
const announced = new Set(); // the cards of a set that another player shows before a play
let reading = Promise.resolve();

// ---------------------------------------------------------------- the position

const clauses = () =>
  new Map(at.value.split(/[;\n]/).map((part) => part.split(":").map((side) => side.trim())).filter(([, value]) => value !== undefined));

const write = (said) => (at.value = [...said].map(([key, value]) => `${key}: ${value}`.trim()).join("; "));

const EMPTY = ["empty", "vuota"]; // what is written of a table without cards

// The cards that a clause names one by one, and whatever else it says.
function read(value = "") {
  const cards = [], rest = [];
  for (const item of value.split(",")) {
    const words = item.split(/\s+/).filter((word) => word && !EMPTY.includes(word));
    const plain = words.every((word) => cells.has(word) || /[*.]/.test(word));
    cards.push(...words.filter((word) => plain && cells.has(word)));
    rest.push(words.filter((word) => !plain || !cells.has(word)).join(" "));
  }
  return { cards, rest: rest.filter(Boolean) };
}

const cardsIn = (name) => read(clauses().get(zones.get(name).dataset.key)).cards;
const isDealt = () => cardsIn("me").length === games[form.elements.rules.value]?.dealt;
const family = (name) => name.startsWith("shown"); // a card that was shown may have been played since

// Put a card in a place, and out of others of its kind; out of this one if it lies there.
function put(card, name) {
  const said = clauses();
  for (const [other, { dataset: { key } }] of zones) {
    if (!key || family(other) !== family(name)) continue;
    const { cards, rest } = read(said.get(key));
    const left = cards.filter((each) => each !== card);
    if (other === name && left.length === cards.length) left.push(card);
    const value = [left.join(" "), ...rest].filter(Boolean).join(", ");
    if (value || other === "table") said.set(key, value);
    else said.delete(key);
  }
  write(said);
}

// ---------------------------------------------------------------- what is shown

const active = () => form.elements.zone.value;
const isFollowed = () => clauses().has(turn.dataset.key);
const isMine = () => [undefined, myself].includes(clauses().get(turn.dataset.key));
const face = (card) => `<svg class="card" viewBox="0 0 60 84" aria-hidden="true"><use href="#card-${cells.get(card).dataset.face}"/></svg>`;

function draw(message = "") {
  const said = clauses(), players = form.elements.players.value, lies = new Map();
  for (const [name, zone] of zones) {
    const cards = zone.dataset.key ? read(said.get(zone.dataset.key)).cards : name === "show" ? [...announced] : [];
    cards.forEach((card) => lies.has(card) || lies.set(card, name));
    zone.hidden = !zone.dataset.seats.includes(players) || (zone.matches(".following") && !isFollowed());
    zone.querySelector("b").textContent = cards.length || "";
    zone.querySelector(".cards").innerHTML = cards
      .map((card) => `<button type="button" data-from="${name}" value="${card}" aria-label="${cells.get(card).dataset.called}">${face(card)}</button>`)
      .join("");
  }
  const matta = find("[data-matta]:checked").at(-1)?.dataset.matta ?? games[form.elements.rules.value]?.matta;
  for (const [card, cell] of cells) {
    const name = lies.get(card), isMatta = cell.dataset.face === matta;
    cell.classList.toggle("matta", isMatta);
    cell.setAttribute("aria-pressed", Boolean(name));
    cell.setAttribute("aria-label", [cell.dataset.called, isMatta && "matta", name && title(name)].filter(Boolean).join(", "));
    cell.dataset.place = name ?? "";
    cell.classList.toggle("here", name === active());
  }
  for (const option of find("option[data-seats]")) option.hidden = !option.dataset.seats.includes(players);
  for (const control of find("[data-clause]")) control.value = said.get(control.dataset.key) ?? "";
  status.className = message && "error";
  const hint = active() === "play" && isMine() ? form.dataset.mine : zones.get(active()).dataset.hint;
  status.textContent = message || hint.replace("{who}", said.get(turn.dataset.key));
}

const title = (name) => zones.get(name).querySelector("span").textContent;

function activate(name, message) {
  form.elements.zone.value = name;
  draw(message);
}

// ---------------------------------------------------------------- the address

function address(asks) {
  const query = new URLSearchParams(new FormData(form));
  query.delete("zone");
  if (asks) query.set("do", "advise");
  return `/advise?${query}`;
}

const clear = () => [advice, offer].forEach((place) => place.replaceChildren());

// What stood there was the answer to another position.
function changed(message) {
  clear();
  history.replaceState(history.state, "", address());
  draw(message);
}

// ---------------------------------------------------------------- asking

// A page of the server, null if it is gone or the position has changed meanwhile.
async function fetched(path) {
  const before = at.value;
  board.setAttribute("aria-busy", true);
  const reply = await fetch(path).catch(() => draw(form.dataset.gone));
  board.removeAttribute("aria-busy");
  const page = reply && new DOMParser().parseFromString(await reply.text(), "text/html");
  return page && before === at.value ? page : null;
}

async function ask() {
  await reading;
  if (!at.value) return activate("me", zones.get("me").dataset.hint);
  const asked = address(true);
  const answer = await fetched(asked);
  if (!answer || asked !== address(true)) return;
  const run = answer.querySelector("[data-run]");
  changed(find(".error", answer).map((error) => error.textContent).join(" "));
  if (!run) return;
  advice.replaceChildren(run);
  history.replaceState(history.state, "", asked);
  run.dispatchEvent(new Event("follow", { bubbles: true }));
  run.querySelector("h2").focus({ preventScroll: true });
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  run.scrollIntoView({ behavior: still ? "auto" : "smooth", block: innerWidth > 760 ? "nearest" : "start" });
}

// ---------------------------------------------------------------- following a hand

async function play(card) {
  const query = new URLSearchParams({ card, show: [...announced].join(" ") });
  const answer = await fetched(`${address().replace("?", "/plays?")}&${query}`);
  if (!answer) return;
  const choices = find("[data-after]", answer);
  const error = answer.querySelector(".error")?.textContent;
  if (choices.length === 1) return advance(choices[0]);
  if (error) return draw(error);
  offer.replaceChildren(answer.querySelector(".choices"));
  offer.querySelector("button").focus();
}

// A choice is made: the position after it, and whoever is next.
function advance(choice) {
  const line = document.createElement("li");
  const who = clauses().get(turn.dataset.key) ?? myself;
  line.textContent = [`${who}: ${choice.querySelector(".said").textContent}`, choice.querySelector(".verdict")?.textContent].filter(Boolean).join(" · ");
  log.append(line);
  announced.clear();
  at.value = choice.dataset.after;
  history.pushState({ log: log.innerHTML }, "");
  restore();
  changed();
  form.scrollIntoView();
  if (!at.value) return draw(form.dataset.over);
  onward();
  [...cells.values()].find((cell) => cell.tabIndex === 0).focus({ preventScroll: true });
}

// Where the next card goes.
function onward() {
  if (!clauses().has(zones.get("me").dataset.key)) activate("me"); // none at all are none held, and not unknown
  else if (isFollowed()) {
    activate("play");
    if (isMine()) ask();
  } else if (isDealt() && !cardsIn("table").length) activate("table");
}

async function tap(card) {
  const name = active();
  if (name === "play") return play(card);
  if (name === "show") {
    announced.delete(card) || announced.add(card);
    return announced.size === 3 ? activate("play") : draw();
  }
  put(card, name);
  changed();
  if (name === "me" && isDealt()) onward();
}

// ---------------------------------------------------------------- events

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-card], [data-from], [data-after]");
  const zone = event.target.closest("[data-zone]");
  if (button?.dataset.card) tap(button.dataset.card);
  else if (button?.dataset.from && active() === "play") play(button.value);
  else if (button?.dataset.from === "show") announced.delete(button.value), draw();
  else if (button?.dataset.from) put(button.value, button.dataset.from), changed();
  else if (button) advance(button);
  else if (event.target.matches("[data-back]")) history.back();
  if (button?.dataset.from) zones.get(button.dataset.from).querySelector("input").focus();
  if (!button && zone && event.target.tagName !== "INPUT") activate(zone.dataset.zone);
});

form.addEventListener("change", ({ target }) => {
  const said = clauses();
  if (target.name === "zone") return draw();
  if (target === at) {
    reading = fetch(`/advise/text?${new URLSearchParams({ at: at.value })}`).then(async (reply) => {
      const text = await reply.text();
      if (reply.ok) at.value = text;
      changed(reply.ok ? "" : text);
    });
    return;
  }
  if (target.name === "rules") form.elements.players.value = games[target.value].players;
  if (target.dataset.key && target.value) said.set(target.dataset.key, target.value);
  else if (target.dataset.key) said.delete(target.dataset.key);
  if (target.dataset.key) write(said);
  changed();
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  ask();
});

// The pack is one stop of the tab key; arrows move in it.
const order = [...cells.values()];
order.forEach((cell, place) => (cell.tabIndex = place ? -1 : 0));
board.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -10, ArrowDown: 10 }[event.key];
  const next = step && order[order.indexOf(event.target) + step];
  if (!order.includes(event.target) || !next) return;
  event.preventDefault();
  next.focus();
});
board.addEventListener("focusin", ({ target }) => {
  if (order.includes(target)) order.forEach((cell) => (cell.tabIndex = cell === target ? 0 : -1));
});

// What does not follow from the position: the plays that led to it.
function restore() {
  log.innerHTML = history.state?.log ?? "";
  for (const part of [log.parentElement, ...find("[data-back]")]) part.hidden = !log.innerHTML;
  draw();
}

addEventListener("popstate", () => {
  const query = new URLSearchParams(location.search);
  at.value = query.get("at") ?? "";
  clear();
  restore();
  if (query.has("do")) ask();
  else onward();
});

board.hidden = false;
const errors = find(".error").map((error) => error.textContent).join(" ");
find("[data-text]")[0].open = Boolean(errors);
restore();
history.replaceState(history.state, "", address(new URLSearchParams(location.search).has("do")));
if (errors) draw(errors);
else if (at.value && !advice.children.length) onward();
