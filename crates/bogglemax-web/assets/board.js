// Drawn boards: one to touch and type on, and small ones to look at.

import { element, svg } from "./dom.js";

/** "3x4" as [3, 4], or null. */
export function parseDims(text) {
  const match = /^\s*(\d{1,2})\s*[x×,* ]\s*(\d{1,2})\s*$/i.exec(text);
  if (!match) return null;
  const [rows, cols] = [Number(match[1]), Number(match[2])];
  return rows > 0 && cols > 0 && rows * cols <= 36 ? [rows, cols] : null;
}

/** The symbols of a board's text: the longest tile that fits, again and again. */
export function splitBoard(text, tiles) {
  const symbols = tiles.map((tile) => tile.symbol).sort((a, b) => b.length - a.length);
  const cells = [];
  let rest = text.toLowerCase().replace(/\s+/g, "");
  while (rest) {
    const symbol = symbols.find((s) => rest.startsWith(s));
    if (!symbol) return null;
    cells.push(symbol);
    rest = rest.slice(symbol.length);
  }
  return cells;
}

const TURN = { transform: ["rotateX(70deg) scale(.94)", "none"] };
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** A board to touch and type on. */
export class BoardView {
  /**
   * `on.type(cell, key)`: a key was typed; if it is a letter, returns what changes the board.
   * `on.point(cell)`: a cell is pointed at or has the focus. Both may be left out.
   */
  constructor(root, on = {}) {
    this.root = root;
    this.on = on;
    this.cells = [];
    this.cols = 0;
    this.at = 0;
  }

  /** Shows a board: what stands on each cell, row by row. */
  show(faces, cols) {
    if (faces.length !== this.cells.length || cols !== this.cols) this.build(faces.length, cols);
    faces.forEach((face, cell) => {
      const { button, die } = this.cells[cell];
      const row = Math.floor(cell / cols) + 1;
      button.setAttribute("aria-label", `${face}, row ${row}, column ${(cell % cols) + 1}`);
      if (button.textContent === face) return;
      button.textContent = face;
      button.classList.toggle("long", face.length > 1);
      if (!still.matches) die.animate(TURN, { duration: 260, easing: "ease-out" });
    });
  }

  build(count, cols) {
    this.cols = cols;
    this.rows = count / cols;
    this.at = Math.min(this.at, count - 1);
    this.root.style.setProperty("--cols", cols);
    this.root.style.setProperty("--rows", this.rows);
    this.heat = undefined;
    this.cells = [];
    const dice = element("div", { className: "dice", "aria-hidden": "true" });
    const grid = element("div", { className: "cells", role: "grid", "aria-label": "Board: type letters, move with the arrow keys" });
    for (let row = 0; row < this.rows; row++) {
      const line = element("div", { className: "row", role: "row" });
      for (let col = 0; col < cols; col++) {
        const cell = row * cols + col;
        const die = element("div", { className: "die" }, element("span", { className: "heat-points" }));
        const button = element("button", {
          type: "button",
          className: "cell",
          role: "gridcell",
          tabIndex: cell === this.at ? 0 : -1,
          onkeydown: (event) => this.key(cell, event),
          onfocus: () => this.focused(cell),
          onpointerenter: (event) => event.pointerType === "mouse" && this.on.point?.(cell),
          onclick: () => this.clicked(cell),
        });
        this.cells.push({ button, die });
        dice.append(die);
        line.append(button);
      }
      grid.append(line);
    }
    this.line = svg("svg", { class: "path", viewBox: `0 0 ${cols} ${this.rows}`, "aria-hidden": "true" });
    this.root.replaceChildren(dice, this.line, grid);
  }

  clicked(cell) {
    this.cells[cell].button.focus(); // not every browser focuses a button that is clicked
    this.on.point?.(cell);
  }

  focused(cell) {
    this.cells[this.at].button.tabIndex = -1;
    this.at = cell;
    this.cells[cell].button.tabIndex = 0;
    this.on.point?.(cell);
  }

  focus(cell) {
    this.cells[(cell + this.cells.length) % this.cells.length].button.focus();
  }

  key(cell, event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [row, col] = [Math.floor(cell / this.cols), cell % this.cols];
    const to = {
      ArrowLeft: col > 0 && cell - 1,
      ArrowRight: col < this.cols - 1 && cell + 1,
      ArrowUp: row > 0 && cell - this.cols,
      ArrowDown: row < this.rows - 1 && cell + this.cols,
      Home: row * this.cols,
      End: row * this.cols + this.cols - 1,
      Backspace: cell > 0 && cell - 1,
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      if (to !== false) this.focus(to);
    } else if (event.key.length === 1 && event.key !== " " && this.on.type) {
      event.preventDefault();
      const change = this.on.type(cell, event.key.toLowerCase());
      if (!change) return;
      this.focus(cell + 1); // first, while the layout still stands: it costs less
      change();
    }
  }

  /** Marks a cell as the one that is talked about. */
  mark(cell) {
    this.cells.forEach(({ die }, i) => die.classList.toggle("marked", i === cell));
  }

  /** Draws a line through these cells; no cells, no line. */
  trace(path) {
    this.cells.forEach(({ die }, cell) => {
      die.classList.toggle("on-path", path.includes(cell));
      die.classList.toggle("path-start", path[0] === cell);
    });
    if (path.length === 0) return void this.line.replaceChildren();
    const points = path.map((cell) => `${(cell % this.cols) + 0.5},${Math.floor(cell / this.cols) + 0.5}`);
    const [x, y] = points[0].split(",");
    const line = svg("polyline", { points: points.join(" "), pathLength: 1, class: "trace" });
    line.style.setProperty("--steps", path.length);
    this.line.replaceChildren(svg("circle", { cx: x, cy: y, r: 0.34, class: "start" }), line);
  }

  /** Colours the cells by numbers; null for plain ones. */
  warm(points) {
    const most = Math.max(1, ...(points ?? []));
    this.root.classList.toggle("heat", points !== null);
    this.cells.forEach(({ die }, cell) => {
      die.style.setProperty("--heat", points ? (points[cell] / most).toFixed(3) : 0);
      die.firstChild.textContent = points ? new Intl.NumberFormat("en").format(points[cell]) : "";
    });
  }
}

/** A small drawing of a board. */
export function miniBoard(faces, cols, marks = () => "") {
  const rows = Math.ceil(faces.length / cols);
  const picture = svg("svg", { class: "mini", viewBox: `0 0 ${cols * 10 + 2} ${rows * 10 + 2}`, "aria-hidden": "true" });
  picture.append(svg("rect", { class: "mini-tray", width: cols * 10 + 2, height: rows * 10 + 2, rx: 2.4 }));
  faces.forEach((face, cell) => {
    const [x, y] = [(cell % cols) * 10 + 1, Math.floor(cell / cols) * 10 + 1];
    picture.append(
      svg("rect", { class: `mini-die ${marks(cell)}`, x: x + 0.5, y: y + 0.5, width: 9, height: 9, rx: 1.8 }),
      svg("text", { class: face.length > 1 ? "mini-long" : "", x: x + 5, y: y + 5, dy: "0.36em" }, face),
    );
  });
  return picture;
}

/** What stands on the cells of a board's text. */
export function facesOf(text, tiles) {
  const cells = splitBoard(text, tiles) ?? [...text];
  return cells.map((symbol) => tiles.find((tile) => tile.symbol === symbol)?.face ?? symbol.toUpperCase());
}
