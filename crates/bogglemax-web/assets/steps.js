// branch and orderly_bound on a small class, one letter at a time.

import { ask } from "./api.js";
import { byId, counted, element, number, unseen } from "./dom.js";
import { facesOf, miniBoard } from "./board.js";

/** The part of the page that steps through a search, on boards of these tiles. */
export function setUpSteps(tiles) {
  let parameters = null;
  let report = null;
  let at = 0;
  let timer = null;

  const method = () => document.querySelector("input[name=method]:checked").value;

  async function load() {
    pause();
    byId("step-message").textContent = "";
    byId("steps").replaceChildren();
    try {
      report = await ask("steps", { ...parameters, cutoff: byId("cutoff").value, method: method() });
    } catch (error) {
      byId("step-message").textContent = error.message;
      return;
    }
    at = 0;
    build();
    show();
  }

  // ---- the controls ----

  function build() {
    const button = (id, label, name, onclick) => element("button", { type: "button", id, "aria-label": name, onclick }, label);
    const last = () => report.steps.length;
    byId("steps").replaceChildren(
      element(
        "div",
        { className: "player", role: "group", "aria-label": "Steps" },
        button("step-first", "«", "To the beginning", () => go(0)),
        button("step-back", "‹", "One step back", () => go(at - 1)),
        button("step-next", "›", "One step on", () => go(at + 1)),
        button("step-play", "Play", "Play", () => (timer ? pause() : play())),
        element("input", { type: "range", id: "step-range", min: 0, max: last(), value: 0, "aria-label": "Step", oninput: (event) => go(Number(event.target.value)) }),
        element("output", { id: "step-at" }),
      ),
      element(
        "div",
        { className: "stepper" },
        element("div", {}, element("div", { id: "class-cells", className: "class-cells", "aria-hidden": "true" }), element("p", { id: "step-path", className: "help" })),
        element("div", {}, element("p", { id: "step-text", className: "step-text", role: "status" }), element("ul", { id: "bars", className: "bars", "aria-label": "Letters tried on this cell" })),
      ),
      element("div", { id: "step-end" }),
    );
    byId("class-cells").style.setProperty("--cols", report.dims.split("x")[1]);
    if (!report.complete) byId("step-message").textContent = `These are the first ${number(last())} steps; a higher cutoff needs fewer.`;
  }

  function go(to) {
    pause();
    move(to);
  }

  function move(to) {
    at = Math.max(0, Math.min(report.steps.length, to));
    show();
  }

  function play() {
    if (at === report.steps.length) move(0);
    byId("step-play").textContent = "Pause";
    timer = setInterval(() => (at < report.steps.length ? move(at + 1) : pause()), 450);
  }

  function pause() {
    clearInterval(timer);
    timer = null;
    if (byId("step-play")) byId("step-play").textContent = "Play";
  }

  // ---- what is shown ----

  /** The letters chosen when step `at` has been made: depth by depth. */
  function chosen() {
    const path = [];
    for (const step of report.steps.slice(0, at)) {
      path.length = step.depth;
      path.push(step);
    }
    return path;
  }

  function show() {
    const path = chosen();
    const now = path.at(-1);
    byId("step-range").value = at;
    byId("step-at").value = `${number(at)} of ${number(report.steps.length)}`;
    byId("step-back").disabled = byId("step-first").disabled = at === 0;
    byId("step-next").disabled = at === report.steps.length;
    byId("step-text").textContent = now ? sentence(now) : opening();
    byId("step-path").textContent = path.length ? path.map((s) => `${s.face} on ${s.cell}`).join(", ") : "No cell has a letter yet.";
    showCells(path, now);
    showBars(now);
    showEnd();
  }

  function opening() {
    const { bound, cutoff, steps } = report;
    if (!steps.length) return `The whole class has at most ${counted(bound, "point")}, fewer than ${number(cutoff)}: not one step is needed.`;
    return `The whole class has at most ${counted(bound, "point")}. Is there a board with ${number(cutoff)} or more?`;
  }

  function sentence({ face, cell, bound, outcome }) {
    const start = `${face} on cell ${cell}: at most ${counted(bound, "point")}`;
    return {
      pruned: `${start}, fewer than ${number(report.cutoff)}. All boards with these letters are ruled out.`,
      descend: `${start}. That may be enough: on to the next cell.`,
      found: `${face} on cell ${cell} completes a board with ${counted(bound, "point")}: found.`,
    }[outcome];
  }

  function showCells(path, now) {
    const fixed = new Map(path.map((step) => [step.cell, step]));
    const cells = report.class.split(" ").map((letters, cell) => {
      const step = fixed.get(cell);
      const kind = step ? (step === now ? "here" : "fixed") : letters.length > 6 ? "many" : "";
      const faces = step ? [step.face] : facesOf(letters, tiles);
      return element("div", { className: `class-cell ${kind}` }, ...faces.map((face) => element("span", {}, face)));
    });
    byId("class-cells").replaceChildren(...cells);
  }

  /** The letters of the current cell: those tried after the same letters before it. */
  function showBars(now) {
    if (!now) return byId("bars").replaceChildren();
    const from = report.steps.slice(0, at).findLastIndex((s) => s.depth < now.depth) + 1;
    const until = report.steps.findIndex((s, i) => i >= at && s.depth < now.depth);
    const tried = report.steps.slice(from, until < 0 ? undefined : until).filter((s) => s.depth === now.depth);
    const most = Math.max(report.bound, report.cutoff);
    const bars = tried.map((step) => {
      const isDone = report.steps.indexOf(step) < at;
      const told = { pruned: "ruled out", descend: "goes on", found: "found" }[step.outcome];
      const bar = element("div", { className: "bar" }, element("i"));
      bar.style.setProperty("--share", step.bound / most);
      bar.style.setProperty("--cut", report.cutoff / most);
      const kind = isDone ? step.outcome : "todo";
      return element("li", { className: `${kind}${step === now ? " now" : ""}` }, element("b", {}, step.face), bar, element("span", {}, `${number(step.bound)} · ${told}`));
    });
    byId("bars").replaceChildren(...bars);
  }

  function showEnd() {
    const found = chosenBoards();
    const isEnd = at === report.steps.length;
    const parts = [];
    if (isEnd && report.complete) {
      const all = report.steps.length;
      parts.push(element("p", { className: "step-text" }, found.length ? `Done: ${counted(found.length, "board")} found in ${counted(all, "step")}, and proved to be all there are.` : `Done in ${counted(all, "step")}: no board of the class has ${number(report.cutoff)} points.`));
    }
    if (found.length) {
      const cols = Number(report.dims.split("x")[1]);
      const item = (b) => {
        const query = new URLSearchParams({ board: b.board, dims: report.dims });
        return element("li", {}, element("a", { href: `/?${query}` }, miniBoard(facesOf(b.board, tiles), cols), unseen(`${b.board}: `), `${number(b.count)} · S ${number(b.score)}`));
      };
      parts.push(element("ul", { className: "found-list", "aria-label": "Boards found" }, ...found.slice(0, 40).map(item)));
    }
    byId("step-end").replaceChildren(...parts);
  }

  function chosenBoards() {
    const count = report.steps.slice(0, at).filter((s) => s.outcome === "found").length;
    return report.boards.slice(0, count);
  }

  byId("step-form").addEventListener("submit", (event) => {
    event.preventDefault();
    load();
  });
  for (const radio of document.querySelectorAll("input[name=method]")) radio.addEventListener("change", load);

  return {
    /** Begins with a class and a cutoff. */
    begin(newParameters, cutoff) {
      parameters = newParameters;
      byId("cutoff").value = cutoff;
      return load();
    },
  };
}
