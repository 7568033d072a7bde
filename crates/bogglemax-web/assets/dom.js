// Making elements, and writing numbers.

/** An element with properties, attributes (`role`, `aria-…`, `data-…`), listeners (`on…`) and children. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key in made && typeof value !== "object" && !key.startsWith("aria")) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** An SVG element with attributes and children. */
export function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Text for screen readers alone. */
export const unseen = (text) => element("span", { className: "hidden" }, text);

export const byId = (id) => document.getElementById(id);

const grouped = new Intl.NumberFormat("en");
/** 3625 as "3,625". */
export const number = (n) => grouped.format(n);
/** "1 word", "2 words". */
export const counted = (n, what) => `${number(n)} ${what}${n === 1 ? "" : "s"}`;

/** Tells a screen reader, and nobody else. */
export function announce(text) {
  byId("live").textContent = text;
}

/** Calls a function once its calls have ceased for so many milliseconds. */
export function debounce(milliseconds, call) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...values), milliseconds);
  };
}

/** Arrow keys move the focus among the items of a list; only one of them is a tab stop. */
export function rove(list, selector) {
  const items = () => [...list.querySelectorAll(selector)];
  const first = list.querySelector(selector);
  if (first) first.tabIndex = 0;
  if (list.dataset.roves) return;
  list.dataset.roves = "yes";
  list.addEventListener("keydown", (event) => {
    const all = items();
    const at = all.indexOf(document.activeElement);
    const moves = { ArrowRight: 1, ArrowLeft: -1, Home: -at, End: all.length - 1 - at };
    let next = all[at + moves[event.key]];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      next = nearestLine(all, at, event.key === "ArrowDown" ? 1 : -1);
    }
    if (at < 0 || !(event.key in moves || event.key.startsWith("Arrow"))) return;
    event.preventDefault();
    if (next) next.focus();
  });
  list.addEventListener("focusin", (event) => {
    const item = event.target.closest(selector);
    if (!item) return;
    for (const other of list.querySelectorAll(`${selector}[tabindex="0"]`)) other.tabIndex = -1;
    item.tabIndex = 0;
  });
}

/** The item of the line above or below that is nearest to the item at `at`. */
function nearestLine(all, at, direction) {
  if (at < 0) return undefined;
  const from = all[at].getBoundingClientRect();
  let best, line, distance;
  for (let i = at + direction; all[i]; i += direction) {
    const place = all[i].getBoundingClientRect();
    if (place.top === from.top) continue;
    if (best && place.top !== line) break;
    const away = Math.abs(place.left + place.right - from.left - from.right);
    if (!best || away < distance) [best, line, distance] = [all[i], place.top, away];
  }
  return best;
}
