// The best boards known.

import { ask, config } from "./api.js";
import { facesOf, miniBoard, parseDims } from "./board.js";
import { byId, counted, element, number, unseen } from "./dom.js";

const PAGE = 48;
const [known, { boards }] = await Promise.all([config(), ask("gallery")]);
let shown = PAGE;

const cells = (board) => parseDims(board.dims)[0] * parseDims(board.dims)[1];
const kind = (board) => `${board.dims} ${board.wordlist} ${board.scoring}`;
const ORDERS = {
  size: (a, b) => cells(a) - cells(b) || a.dims.localeCompare(b.dims) || a.scoring.localeCompare(b.scoring) || b.score - a.score,
  score: (a, b) => b.score - a.score,
  cell: (a, b) => b.score / cells(b) - a.score / cells(a),
  name: (a, b) => a.board.localeCompare(b.board),
};

function options(select, values) {
  select.append(...[...new Set(values)].map((value) => element("option", { value }, value)));
}
options(byId("size"), boards.toSorted(ORDERS.size).map((b) => b.dims));
options(byId("list"), boards.map((b) => b.wordlist));
options(byId("scoring"), boards.map((b) => b.scoring));

function chosen() {
  const [size, list, scoring] = [byId("size").value, byId("list").value, byId("scoring").value];
  const fits = (b) => (!size || b.dims === size) && (!list || b.wordlist === list) && (!scoring || b.scoring === scoring);
  let fitting = boards.filter(fits);
  if (byId("show").value === "best") {
    const best = new Map();
    for (const b of fitting) if (!(best.get(kind(b))?.score >= b.score)) best.set(kind(b), b);
    fitting = [...best.values()];
  }
  return fitting.sort(ORDERS[byId("sort").value]);
}

function card(entry) {
  const list = known.wordlists.find((l) => l.name === entry.wordlist);
  const faces = facesOf(entry.board, (list ?? known.wordlists[0]).tiles);
  const parameters = new URLSearchParams({ board: entry.board, dims: entry.dims, wordlist: entry.wordlist, scoring: entry.scoring });
  const scoring = { boggle: "Boggle scoring", words: "1 point a word", pow2: "powers of 2" }[entry.scoring] ?? entry.scoring;
  const badge = entry.proved ? element("span", { className: "badge good" }, "proved") : null;
  return element(
    "li",
    {},
    element(
      "a",
      {
        className: "card",
        href: `/?${parameters}`,
        title: entry.source,
      },
      element("div", { className: "frame" }, miniBoard(faces, parseDims(entry.dims)[1])),
      element("div", { className: "points" }, unseen(`${entry.board}: `), number(entry.score), unseen(" points"), " ", badge),
      element("div", { className: "facts" }, `${entry.dims} · ${scoring}`, element("br"), entry.wordlist),
    ),
  );
}

function show() {
  const all = chosen();
  byId("count").textContent = `${counted(all.length, "board")} of ${number(boards.length)}`;
  byId("gallery").replaceChildren(...all.slice(0, shown).map(card));
  byId("more").hidden = all.length <= shown;
}

byId("filters").addEventListener("change", () => {
  shown = PAGE;
  show();
});
byId("more").addEventListener("click", () => {
  const before = shown;
  shown += PAGE;
  show();
  byId("gallery").children[before]?.querySelector("a").focus();
});
show();
document.documentElement.dataset.ready = "yes";
