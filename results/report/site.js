"use strict";
// Tables: a button in each heading sorts by it. Rows stay in their groups, and within one by the unit of the cell.
const italian = document.documentElement.lang === "it";
const numberOf = (text) => {
  if (/^\(?(none seen|mai visto)/.test(text)) return 0;
  const found = text.match(/^\(?(?:1 (?:in|su) )?([-+−]?\d[\d.,]*)/);
  if (!found) return null;
  const plain = italian ? found[1].replaceAll(".", "").replace(",", ".") : found[1].replaceAll(",", "");
  return Number(plain.replace("−", "-"));
};
const unitOf = (text) => (/^\(?1 (in|su) /.test(text) ? "odds" : text.includes("%") ? "%" : /\bpp\b|\bp\.p\./.test(text) ? "pp" : "");
function makeSortable(table) {
  table.querySelectorAll("thead th").forEach((head) => {
    const button = Object.assign(document.createElement("button"), { type: "button" });
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const way = head.getAttribute("aria-sort") === "descending" ? 1 : -1;
      for (const other of table.querySelectorAll("thead th")) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", way === 1 ? "ascending" : "descending");
      for (const body of table.tBodies) {
        const rows = [...body.rows].map((row) => [row, row.cells[head.cellIndex].textContent.trim()]);
        const units = [...new Set(rows.map(([, text]) => (text ? unitOf(text) : null)))].filter((unit) => unit !== null);
        rows.sort(([, a], [, b]) => {
          if (!a || !b) return !a - !b;
          const [x, y] = [numberOf(a), numberOf(b)];
          if (x === null || y === null) return x === y ? way * a.localeCompare(b, italian ? "it" : "en") : x === null ? 1 : -1;
          return units.indexOf(unitOf(a)) - units.indexOf(unitOf(b)) || way * (x - y);
        });
        body.append(...rows.map(([row]) => row));
      }
    });
  });
}
document.querySelectorAll("table.sortable").forEach(makeSortable);

addEventListener("beforeprint", () => { for (const one of document.querySelectorAll(".rules details")) one.open = true; });

// House rules to choose from.
const data = document.getElementById("data");
if (data) {
  const { players: played, rules, policies, quantities } = JSON.parse(data.textContent);
  const form = document.querySelector(".chooser");
  const result = document.querySelector(".result");
  const { first, second, players, policy, quantity } = form.elements;
  const words = result.dataset;
  const element = (kind, given, ...inside) => {
    const made = Object.assign(document.createElement(kind), given);
    made.append(...inside);
    return made;
  };
  const fill = (select, entries) => {
    const before = select.value;
    select.replaceChildren(...entries.map(([value, name]) => new Option(name, value)));
    if (entries.some(([value]) => value === before)) select.value = before;
  };
  const shown = () => played[players.value][policy.value];
  const together = (one, other) => [`${one}+${other}`, `${other}+${one}`].find((pair) => pair in shown());
  const written = (x, digits) => new Intl.NumberFormat(document.documentElement.lang, {
    minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: "exceptZero",
  }).format(x).replace("-", "−");
  const digitsOf = (half) => (half > 0 ? Math.min(5, Math.max(0, Math.ceil(-Math.log10(half)) )) : 2);

  function options() {
    fill(policy, Object.keys(played[players.value]).map((name) => [name, policies[name]]));
    const alone = Object.keys(rules).filter((rule) => rule in shown());
    fill(first, alone.map((rule) => [rule, rules[rule][0]]));
    const partners = alone.filter((rule) => rule !== first.value && together(first.value, rule));
    fill(second, [["", words.none ?? second.dataset.none], ...partners.map((rule) => [rule, rules[rule][0]])]);
    const cells = shown()[first.value];
    fill(quantity, Object.keys(quantities).filter((name) => name in cells).map((name) => [name, quantities[name]]));
  }
  function draw() {
    const name = quantity.value, cells = shown();
    const chosen = [first.value, ...(second.value ? [second.value] : [])];
    const rows = chosen.map((rule) => [
      second.value ? words.alone.replace("{rule}", rules[rule][0]) : rules[rule][0], cells[rule][name], ""]);
    const pair = second.value && together(first.value, second.value);
    if (pair) {
      rows.push([words.sum, [rows[0][1][0] + rows[1][1][0], null, null, true], ""]);
      rows.push([words.together, cells[pair][name], "total"]);
    }
    const ends = rows.flatMap(([, [estimate, low, high]]) => [estimate, low ?? estimate, high ?? estimate, 0]);
    const [least, most] = [Math.min(...ends), Math.max(...ends)];
    const place = (x) => `${(100 * (x - least)) / (most - least || 1)}%`;
    const width = (a, b) => `${(100 * Math.abs(a - b)) / (most - least || 1)}%`;
    const lines = rows.map(([label, [estimate, low, high, significant], kind]) => {
      const half = low === null ? null : (high - low) / 2;
      const digits = half === null ? 2 : digitsOf(half);
      const error = half ? ` ± ${written(half, digits).replace("+", "")}` : "";
      const text = `${written(estimate, digits)}${error}${significant || !error ? "" : ` (${words.open})`}`;
      const bar = element("i", { className: `${estimate < 0 ? "down" : ""} ${significant ? "" : "open"}` });
      Object.assign(bar.style, { left: place(Math.min(0, estimate)), width: width(estimate, 0) });
      const track = element("span", { className: "track" }, bar);
      if (half) {
        const whisker = element("b", {});
        Object.assign(whisker.style, { left: place(low), width: width(low, high) });
        track.append(whisker);
      }
      track.style.setProperty("--zero", place(0));
      track.setAttribute("aria-hidden", "true");
      return element("tr", { className: kind },
        element("th", { scope: "row" }, label), element("td", {}, text), element("td", {}, track));
    });
    const said = chosen.map((rule) => element("p", {}, element("b", {}, rules[rule][0]), `: ${rules[rule][1]}`));
    const asked = pair || first.value;
    const hands = cells[asked].hands;
    const many = words.hands.replace("{n}", new Intl.NumberFormat(document.documentElement.lang).format(hands));
    const houses = [...new Set([...chosen, asked])].map((rule) => ` --house ${rule}`).join("");
    const who = /^[\w:.+-]+$/.test(policy.value) ? policy.value : `"${policy.value}"`;
    result.replaceChildren(...said,
      element("table", {}, element("caption", { className: "hidden" }, quantities[name]), element("tbody", {}, ...lines)),
      element("p", { className: "note" }, many),
      element("pre", { className: "command" }, `cirulla-sim compare --players ${players.value}${houses} --policy ${who} --hands ${hands}`));
  }
  const again = () => { options(); draw(); };
  fill(players, Object.keys(played).map((number) => [number, number]));
  if ("4" in played) players.value = "4";
  again();
  form.addEventListener("change", again);
  form.hidden = result.hidden = false;
}
