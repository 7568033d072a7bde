// Runs, live.

import { ask, config } from "./api.js";
import { facesOf, miniBoard } from "./board.js";
import { announce, byId, counted, element, number, svg, unseen } from "./dom.js";

const known = await config();
let source = null;
let chosen = Number(new URLSearchParams(location.search).get("run") ?? 0);

const BADGES = {
  waiting: ["waiting", ""],
  open: ["at work or paused", "live"],
  complete: ["complete", "good"],
  damaged: ["cannot be read", "bad"],
};

function statement({ run, summary, complete, boards_found }) {
  const best = summary.boards[0];
  if (!complete) {
    const least = best ? ` The best so far: ${best.board} with ${counted(best.score, "point")}.` : "";
    return `${number(summary.done)} of ${counted(summary.tasks, "task")} done: nothing is proved yet.${least}`;
  }
  if (run.shard) return `Part ${run.shard.index} of ${run.shard.count} is done; the parts together make the proof.`;
  if (!best) return `No ${run.dims} board has ${counted(run.cutoff, "point")} or more: proved.`;
  const all = `${counted(boards_found, "board")} up to symmetry ${boards_found === 1 ? "has" : "have"} ${number(run.cutoff)} or more.`;
  return `No ${run.dims} board beats ${counted(best.score, "point")}: proved. ${all}`;
}

function duration(seconds) {
  if (seconds < 120) return `${seconds.toFixed(1)} s`;
  if (seconds < 7200) return `${(seconds / 60).toFixed(1)} min`;
  return seconds < 172800 ? `${(seconds / 3600).toFixed(1)} h` : `${(seconds / 86400).toFixed(1)} days`;
}

function facts(seen) {
  const { run, summary } = seen;
  const rows = [
    ["Tasks", `${number(summary.done)} of ${number(summary.tasks)}`],
    ["CPU time", duration(summary.cpu_seconds)],
    ["Cutoff", counted(run.cutoff, "point")],
    ["Boards found", number(seen.boards_found)],
    ["Nodes", number(summary.nodes)],
    ["Largest task", `${number(Math.ceil(summary.peak_bytes / 1048576))} MB`],
    ["Word list", `${run.wordlist.name}, ${number(run.wordlist.words)} words`],
    ["Scoring", run.scoring],
    ["Engine", `${run.engine} ${run.engine_version}`],
    ["Program", run.program],
  ];
  return element("dl", { className: "facts-list" }, ...rows.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))));
}

function head(seen) {
  const [told, kind] = BADGES[seen.state];
  const title = element("div", { className: "run-head" }, element("h2", {}, seen.run ? `${seen.run.dims} Boggle` : seen.name), element("span", { className: `badge ${kind}`, id: "state" }, told), seen.run ? element("span", { className: "help" }, seen.name) : null);
  const card = element("section", { className: "card", "aria-label": "Progress" }, title);
  if (!seen.run) {
    card.append(element("p", {}, seen.message));
    return card;
  }
  const share = seen.share ?? seen.summary.done / Math.max(1, seen.summary.tasks);
  const told_share = `${(share * 100).toFixed(share < 1 ? 1 : 0)}% of the work${seen.share === undefined ? ", by tasks" : ", as predicted"}`;
  card.append(
    element("p", { className: "statement", id: "statement" }, statement(seen)),
    element("progress", { max: 1, value: share, "aria-label": "Work done" }),
    element("p", { className: "help" }, told_share),
    facts(seen),
  );
  return card;
}

function boards(seen) {
  const { run, summary } = seen;
  const list = known.wordlists.find((l) => l.name === run.wordlist.name);
  const tiles = (list ?? known.wordlists[0]).tiles;
  const cols = Number(run.dims.split("x")[1]);
  const item = ({ board, score }) => {
    const query = new URLSearchParams({ board, dims: run.dims, scoring: run.scoring, ...(list ? { wordlist: list.name } : {}) });
    return element("li", {}, element("a", { href: `/?${query}` }, miniBoard(facesOf(board, tiles), cols), unseen(`${board}, `), number(score), unseen(" points")));
  };
  const card = element("section", { className: "card", "aria-labelledby": "boards-title" }, element("h2", { id: "boards-title" }, "Boards found"));
  if (!summary.boards.length) card.append(element("p", { className: "help" }, "None yet."));
  card.append(element("ul", { className: "run-boards" }, ...summary.boards.map(item)));
  const more = seen.boards_found - summary.boards.length;
  if (more > 0) card.append(element("p", { className: "help" }, `… and ${number(more)} more`));
  return card;
}

function plot({ title, axis, bars }) {
  const card = element("section", { className: "card plot" }, element("h2", {}, title), element("p", { className: "help" }, axis));
  if (!bars.length) {
    card.append(element("p", { className: "help" }, "Nothing yet."));
    return card;
  }
  const [width, base, tall] = [400, 150, 122];
  const most = Math.max(1, ...bars.map((b) => b.count));
  const step = width / bars.length;
  const told = bars.filter((b) => b.count).map((b) => `${b.label}: ${b.count}`).join(", ");
  const picture = svg("svg", { viewBox: `0 0 ${width} 172`, role: "img", "aria-label": `${title}. ${told}` }, svg("line", { x1: 0, y1: base, x2: width, y2: base }));
  // Labels that would run into each other are left out.
  const every = Math.ceil((Math.max(...bars.map((b) => b.label.length)) * 7 + 6) / step);
  bars.forEach(({ label, count }, i) => {
    const [height, middle] = [(count / most) * tall, (i + 0.5) * step];
    const wide = Math.min(60, Math.max(1, step - 3));
    picture.append(svg("rect", { class: "bar-shape", x: middle - wide / 2, y: base - height, width: wide, height, rx: 2 }));
    if (count) picture.append(svg("text", { x: middle, y: base - height - 4 }, number(count)));
    if (i % every === 0) picture.append(svg("text", { x: middle, y: base + 15 }, label));
  });
  card.append(picture);
  return card;
}

let last = "";
function show(seen) {
  const parts = [head(seen)];
  if (seen.run) parts.push(boards(seen), element("div", { className: "plots" }, ...seen.plots.map(plot)));
  byId("run").replaceChildren(...parts);
  const told = seen.run ? statement(seen) : seen.message;
  if (seen.complete && told !== last) announce(told);
  last = told;
}

function watch(id) {
  source?.close();
  chosen = id;
  window.history.replaceState(null, "", `?run=${id}`);
  for (const tab of byId("run-tabs").children) tab.setAttribute("aria-pressed", String(Number(tab.dataset.run) === id));
  source = new EventSource(`/api/runs/${id}/events`);
  source.addEventListener("run", (event) => {
    show(JSON.parse(event.data));
    document.documentElement.dataset.ready = "yes";
  });
}

const { runs } = await ask("runs");
if (!runs.length) {
  const code = (text) => element("pre", {}, element("code", {}, text));
  byId("run").append(
    element(
      "section",
      { className: "card" },
      element("h2", {}, "No run to show"),
      element("p", {}, "Begin one, and name its directory when you start this page:"),
      code("bogglemax prove 3x3 --out my-run\nbogglemax serve --run my-run"),
      element("p", { className: "help" }, "The directory need not exist yet: the run shows up here when it begins."),
    ),
  );
  document.documentElement.dataset.ready = "yes";
} else {
  const tab = (run) => element("button", { type: "button", "data-run": run.id, "aria-pressed": "false", onclick: () => watch(run.id) }, run.name);
  if (runs.length > 1) byId("run-tabs").append(...runs.map(tab));
  watch(Math.min(Math.max(0, chosen || 0), runs.length - 1));
}
