// Sum/Choice trees: drawn, folded, unfolded.

import { ask, config } from "./api.js";
import { miniBoard } from "./board.js";
import { byId, counted, element, number, svg } from "./dom.js";
import { setUpSteps } from "./steps.js";

const DX = 49; // between leaves
const DY = 68; // between levels
const R = 15;
/** As many nodes are unfolded at first. */
const AT_FIRST = 34;

const known = await config();

/** A tree in a box. Its nodes are those of the server, with `parent`, `open` and, once drawn, `mark`. */
class TreeView {
  constructor(order) {
    this.order = order;
    this.box = byId(order);
    this.box.addEventListener("keydown", (event) => this.key(event));
  }

  async load(parameters) {
    this.parameters = { ...parameters, order: this.order };
    const report = await ask("tree", { ...this.parameters, most_nodes: 400 });
    this.report = report;
    this.root = adopt(report.tree, null);
    byId(`${this.order}-bound`).textContent = number(report.bound);
    const order = this.order === "spelling" ? "Cells come as the words are spelled." : "Cells come in one fixed order, shared beginnings once.";
    byId(`${this.order}-facts`).textContent = `${order} ${counted(report.nodes, "node")}.`;
    this.unfoldSome();
    this.chosen = this.root;
    this.draw();
    // A wide tree is seen from its middle.
    this.box.scrollLeft = this.root.x - this.box.clientWidth / 2;
  }

  /** Unfolds from the top until enough is to be seen. */
  unfoldSome() {
    let visible = 1;
    for (const queue = [this.root]; queue.length; ) {
      const node = queue.shift();
      if (!node.children.length || visible + node.children.length > AT_FIRST) continue;
      node.open = true;
      visible += node.children.length;
      queue.push(...node.children);
    }
    if (!this.root.open && this.root.children.length) this.root.open = true;
  }

  draw() {
    let leaf = 0;
    let deepest = 0;
    const shown = [];
    const place = (node, depth) => {
      shown.push(node);
      deepest = Math.max(deepest, depth);
      node.y = depth * DY + 34;
      const below = node.open ? node.children : [];
      below.forEach((child) => place(child, depth + 1));
      node.x = below.length ? (below[0].x + below.at(-1).x) / 2 : leaf++ * DX + DX / 2 + 8;
      node.depth = depth;
    };
    place(this.root, 0);
    const [width, height] = [Math.max(leaf, 1) * DX + 20, deepest * DY + 80];
    const name = `Tree in ${this.order} order`;
    const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "tree", "aria-label": name });
    for (const node of shown) if (node.parent) picture.append(edge(node.parent, node));
    for (const node of shown) picture.append(this.mark(node));
    const had = this.box.contains(document.activeElement);
    this.box.replaceChildren(picture);
    if (had) this.chosen.mark.focus({ preventScroll: true });
    this.tell();
  }

  mark(node) {
    const isSum = node.kind === "sum";
    const canUnfold = node.children.length || node.hidden;
    const label = isSum ? (node.face ?? "Σ") : String(node.cell);
    const mark = svg("g", {
      class: `node ${node.kind}${node === this.chosen ? " chosen" : ""}`,
      role: "treeitem",
      tabindex: node === this.chosen ? 0 : -1,
      "aria-level": node.depth + 1,
      "aria-selected": node === this.chosen ? "true" : "false",
      "aria-expanded": canUnfold ? String(Boolean(node.open)) : undefined,
      transform: `translate(${node.x} ${node.y})`,
    });
    mark.append(
      svg("title", {}, describe(node)),
      isSum ? svg("circle", { class: "shape", r: R }) : svg("rect", { class: "shape", x: -R + 1, y: -R + 1, width: 2 * R - 2, height: 2 * R - 2, rx: 7 }),
      svg("text", { class: "in", dy: ".36em" }, label),
      svg("text", { class: "out", x: 0, y: -R - 5 }, number(node.bound)),
    );
    if (isSum && node.points) mark.append(svg("text", { class: "points", x: R + 3, y: R - 2, "text-anchor": "start" }, `+${node.points}`));
    if (canUnfold && !node.open) mark.append(svg("text", { class: "more", y: R + 14 }, "⋯"));
    mark.addEventListener("click", () => {
      this.chosen = node;
      this.fold(node);
    });
    node.mark = mark;
    return mark;
  }

  /** Folds an open node, unfolds another; what was not sent yet is asked for. */
  async fold(node, open = !node.open) {
    if (open && node.hidden) {
      const sum = node.kind === "sum" ? node : node.parent;
      const { tree } = await ask("tree", { ...this.parameters, most_nodes: 200, at: steps(sum).join(",") });
      const fresh = node.kind === "sum" ? tree : tree.children.find((c) => c.cell === node.cell);
      Object.assign(node, adopt({ ...node, children: fresh.children, hidden: fresh.hidden }, node.parent));
      node.children.forEach((child) => (child.parent = node));
    }
    node.open = open && node.children.length > 0;
    this.draw();
    this.chosen.mark.focus({ preventScroll: true });
  }

  choose(node) {
    if (!node) return;
    this.chosen = node;
    this.draw();
    node.mark.focus();
  }

  key(event) {
    const node = this.chosen;
    const siblings = node.parent?.children ?? [node];
    const at = siblings.indexOf(node);
    const canUnfold = node.children.length || node.hidden;
    const moves = {
      ArrowDown: () => (node.open ? this.choose(node.children[0]) : canUnfold && this.fold(node, true)),
      ArrowUp: () => this.choose(node.parent),
      ArrowRight: () => this.choose(siblings[at + 1]),
      ArrowLeft: () => this.choose(siblings[at - 1]),
      Home: () => this.choose(this.root),
      Enter: () => this.fold(node),
      " ": () => this.fold(node),
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    moves[event.key]();
  }

  /** Says where the chosen node is: the letters that lead to it, on the class. */
  tell() {
    const set = new Map();
    for (let node = this.chosen; node; node = node.parent) {
      if (node.kind === "sum" && node.parent) set.set(node.parent.cell, node.face);
    }
    const here = this.chosen.kind === "choice" ? this.chosen.cell : this.chosen.parent?.cell;
    const cells = this.report.class.split(" ");
    const cols = Number(this.report.dims.split("x")[1]);
    const faces = cells.map((_, cell) => set.get(cell) ?? (cell === here ? "?" : ""));
    const mark = (cell) => (cell === here ? "here" : set.has(cell) ? "fixed" : "open");
    byId(`${this.order}-where`).replaceChildren(
      miniBoard(faces, cols, mark),
      element("p", { className: "help" }, describe(this.chosen)),
    );
  }
}

function adopt(node, parent) {
  node.parent = parent;
  node.open ??= false;
  node.children.forEach((child) => adopt(child, node));
  return node;
}

function edge(from, to) {
  const [top, bottom] = [from.y + R, to.y - R - 17];
  const middle = (top + bottom) / 2;
  return svg("path", { class: "edge", d: `M${from.x} ${top}C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${bottom}` });
}

/** The steps from the root to a sum node. */
function steps(sum) {
  return sum.parent ? [...steps(sum.parent.parent), `${sum.parent.cell}:${sum.letter}`] : [];
}

function describe(node) {
  const hidden = node.hidden ? ` ${counted(node.hidden, "node")} not shown yet.` : "";
  if (node.kind === "choice") return `Choice: which letter on cell ${node.cell}? At most ${counted(node.bound, "point")} from the best of them.${hidden}`;
  if (!node.parent) return `The root: no board of the class has more than ${counted(node.bound, "point")}.`;
  const own = node.points ? ` A word ends here: ${counted(node.points, "point")}.` : "";
  return `Sum: ${node.face} on cell ${node.parent.cell}.${own} At most ${counted(node.bound, "point")} from here on.${hidden}`;
}

// ---- the class ----

const views = [new TreeView("spelling"), new TreeView("orderly")];
const stepper = setUpSteps(known.wordlists[0].tiles);

async function draw() {
  const parameters = { class: byId("class").value.trim(), dims: dimsOf(byId("class").value), count: byId("count").value };
  byId("message").textContent = "";
  try {
    await Promise.all(views.map((view) => view.load(parameters)));
  } catch (error) {
    byId("message").textContent = error.message;
    return;
  }
  const query = new URLSearchParams({ class: parameters.class, count: parameters.count });
  if (parameters.dims) query.set("dims", parameters.dims);
  window.history.replaceState(null, "", `?${query}`);
  stepper.begin(parameters, Math.max(1, Math.floor(views[1].report.bound * 0.8)));
}

/** The size that was given, or the usual one of so many cells. */
function dimsOf(text) {
  if (byId("dims").value.trim()) return byId("dims").value.trim();
  return { 2: "1x2", 3: "1x3", 6: "2x3", 8: "2x4", 12: "3x4", 20: "4x5" }[text.trim().split(/\s+/).length];
}

byId("class-form").addEventListener("submit", (event) => {
  event.preventDefault();
  draw();
});
byId("count").addEventListener("change", draw);
for (const example of document.querySelectorAll("[data-class]")) {
  example.addEventListener("click", () => {
    byId("class").value = example.dataset.class;
    byId("dims").value = "";
    draw();
  });
}

const address = new URLSearchParams(location.search);
byId("class").value = address.get("class") ?? "t ae i r";
byId("dims").value = address.get("dims") ?? "";
if (address.get("count") === "dedup") byId("count").value = "dedup";
await draw();
document.documentElement.dataset.ready = "yes";
