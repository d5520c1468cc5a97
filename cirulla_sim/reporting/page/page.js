"use strict";
(() => {
  const root = document.documentElement;
  const kept = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
  const keep = (name, value) => { try { localStorage.setItem(name, value); } catch { /* a page from a file may not */ } };
  const titles = Object.fromEntries([...document.querySelectorAll("h1 span")].map((span) => [span.lang, span.textContent]));
  const whenTold = [];

  function speak(lang) {
    root.dataset.lang = lang;
    root.lang = lang;
    document.title = titles[lang];
    for (const button of document.querySelectorAll("[data-set-lang]"))
      button.setAttribute("aria-pressed", String(button.dataset.setLang === lang));
    for (const option of document.querySelectorAll("option[data-en]")) option.textContent = option.dataset[lang];
    keep("lang", lang);
    for (const tell of whenTold) tell();
  }
  for (const button of document.querySelectorAll("[data-set-lang]"))
    button.addEventListener("click", () => speak(button.dataset.setLang));
  document.querySelector("[data-set-theme]").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    keep("theme", root.dataset.theme);
  });
  if (kept("theme")) root.dataset.theme = kept("theme");

  // Tables: a click on a column's name sorts by it, numbers by what they begin with, odds by their second number.
  const number = (text, comma) => {
    if (/^(none seen|mai visto)/.test(text)) return 0;
    const found = text.match(/(?:1 (?:in|su) )?([-+−]?\d[\d.,]*)/);
    if (!found) return null;
    const plain = comma ? found[1].replaceAll(".", "").replace(",", ".") : found[1].replaceAll(",", "");
    return Number(plain.replace("−", "-"));
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const comma = table.parentElement.lang === "it";
    table.querySelectorAll("th").forEach((head, place) => head.querySelector("button").addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "descending" ? 1 : -1;
      for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down === 1 ? "ascending" : "descending");
      const body = table.tBodies[0];
      const rows = [...body.rows].map((row) => [row, row.cells[place].textContent.trim()]);
      rows.sort(([, a], [, b]) => {
        const [x, y] = [number(a, comma), number(b, comma)];
        if (x === null || y === null) return x === y ? down * a.localeCompare(b) : x === null ? 1 : -1;
        return down * (x - y);
      });
      body.append(...rows.map(([row]) => row));
    }));
  }
  addEventListener("beforeprint", () => { for (const one of document.querySelectorAll("details")) one.open = true; });

  // House rules to choose from.
  const data = document.getElementById("data");
  if (data) {
    const { found, names, policies } = JSON.parse(data.textContent);
    const form = document.querySelector(".chooser");
    const { players, policy, quantity } = form.elements;
    const box = form.querySelector(".rules");
    const fill = (select, values) => {
      const was = select.value;
      select.replaceChildren(...values.map((value) => new Option(policies[root.lang][value] ?? value, value)));
      if (values.includes(was)) select.value = was;
    };
    const taken = () => new Set([...box.querySelectorAll("input:checked")].map((input) => input.value));
    const written = (x, digits) =>
      new Intl.NumberFormat(root.lang, { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: "exceptZero" }).format(x).replace("-", "−");

    function listRules() {
      const cells = found[players.value][policy.value][quantity.value];
      const left = new Set([...box.querySelectorAll("input:not(:checked)")].map((input) => input.value));
      box.replaceChildren(...Object.keys(cells).map((rule) => {
        const label = document.createElement("label");
        const input = Object.assign(document.createElement("input"), { type: "checkbox", value: rule, checked: !left.has(rule) });
        label.append(input, " ", names[root.lang][rule]);
        return label;
      }));
    }
    function draw() {
      const cells = found[players.value][policy.value];
      const mine = taken();
      const rows = Object.entries(cells[quantity.value]).filter(([rule]) => mine.has(rule))
        .sort(([, a], [, b]) => Math.abs(b[0]) - Math.abs(a[0]));
      const wide = Math.max(320, form.clientWidth), narrow = wide < 600;
      const pitch = narrow ? 44 : 28, left = narrow ? 8 : 230, right = wide - 150, top = 26;
      const height = top + rows.length * pitch + 12;
      const most = Math.max(0, ...rows.map(([, c]) => c[2]), 0), least = Math.min(0, ...rows.map(([, c]) => c[1]));
      const span = most - least || 1, x = (value) => left + (value - least) / span * (right - left);
      const ns = "http://www.w3.org/2000/svg";
      const make = (kind, given, text) => {
        const element = document.createElementNS(ns, kind);
        for (const [name, value] of Object.entries(given)) element.setAttribute(name, value);
        if (text !== undefined) element.textContent = text;
        return element;
      };
      const svg = make("svg", { viewBox: `0 0 ${wide} ${height}`, "font-family": "DejaVu Sans, Verdana, sans-serif", "font-size": 13, fill: "currentColor" });
      svg.append(make("line", { x1: x(0), x2: x(0), y1: top - 8, y2: height - 8, stroke: "currentColor", "stroke-width": 1 }));
      svg.append(make("text", { x: x(0), y: 13, "text-anchor": "middle", "font-size": 12 }, "0"));
      rows.forEach(([rule, [estimate, low, high, told]], place) => {
        const y = top + place * pitch + (narrow ? 30 : 14);
        const colour = !told ? "#999999" : estimate < 0 ? "#bf5b04" : "#2f6fad";
        svg.append(make("text", narrow ? { x: left, y: y - 14 } : { x: left - 12, y: y + 4, "text-anchor": "end" }, names[root.lang][rule]));
        svg.append(make("rect", { x: Math.min(x(0), x(estimate)), y: y - 6, width: Math.max(1, Math.abs(x(estimate) - x(0))), height: 12, fill: colour }));
        svg.append(make("line", { x1: x(low), x2: x(high), y1: y, y2: y, stroke: "currentColor", "stroke-width": 1.2 }));
        const half = (high - low) / 2;
        const digits = half > 0 ? Math.min(5, Math.max(1, 1 - Math.floor(Math.log10(half)))) : estimate ? 3 : 0;
        const error = half > 0 ? ` ± ${written(half, digits).replace("+", "")}` : "";
        svg.append(make("text", { x: right + 10, y: y + 4, "font-size": 12 }, written(estimate, digits) + error));
      });
      const drawn = document.querySelector(".drawn");
      drawn.replaceChildren(svg);
      drawn.setAttribute("aria-label", rows.map(([rule, [estimate]]) => `${names[root.lang][rule]} ${written(estimate, 3)}`).join("; "));
      const said = document.querySelector(".said");
      said.textContent = said.dataset[root.lang].replace("{n}", new Intl.NumberFormat(root.lang).format(cells.hands));
      const houses = rows.map(([rule]) => ` --house ${rule}`).join("");
      document.getElementById("command").textContent = rows.length
        ? `cirulla-sim compare --players ${players.value}${houses} --policy ${/^[\w:.+-]+$/.test(policy.value) ? policy.value : `"${policy.value}"`} --hands ${cells.hands}` : "";
    }
    const again = () => { fill(policy, Object.keys(found[players.value])); listRules(); draw(); };
    fill(players, Object.keys(found));
    again();
    for (const select of [players, policy, quantity]) select.addEventListener("change", again);
    box.addEventListener("change", draw);
    for (const button of form.querySelectorAll("[data-all]"))
      button.addEventListener("click", () => {
        for (const input of box.querySelectorAll("input")) input.checked = Boolean(button.dataset.all);
        draw();
      });
    addEventListener("resize", draw);
    whenTold.push(again);
  }
  speak(["en", "it"].includes(kept("lang")) ? kept("lang") : navigator.language.startsWith("it") ? "it" : "en");
})();
