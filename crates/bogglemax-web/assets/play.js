// The page to play on: a board, its words, and what else it could be.

import { ask, askLines, config } from "./api.js";
import { BoardView, facesOf, miniBoard, parseDims, splitBoard } from "./board.js";
import { announce, byId, counted, debounce, element, number, rove, svg, unseen } from "./dom.js";

const BEST = "perslatgsineters";
const known = await config();

const state = {
  cells: [...BEST], // a symbol for each cell
  rows: 4,
  cols: 4,
  wordlist: undefined,
  scoring: "boggle",
  count: "score",
  tiles: [],
  solution: null,
  pinned: null, // the word whose path stays
  cell: null, // the cell of "what if"
};
const history = [];
let gallery = null;
let climbing = null;

const view = new BoardView(byId("board"), { type: typed, point: pointed });

// ---- the board ----

const text = () => state.cells.join("");
const dims = () => `${state.rows}x${state.cols}`;
const game = () => ({ wordlist: state.wordlist, scoring: state.scoring });

/** Shows another board; what was shown can be had again. */
function setBoard(cells, rows = state.rows, cols = state.cols, remember = true) {
  if (remember && (cells.join() !== state.cells.join() || cols !== state.cols)) {
    history.push([state.cells, state.rows, state.cols]);
    if (history.length > 200) history.shift();
  }
  Object.assign(state, { cells, rows, cols });
  state.pinned = null;
  byId("peek").hidden = true;
  show();
  solve();
}

function show() {
  const faces = facesOf(text(), state.tiles);
  view.show(faces, state.cols);
  view.trace([]);
  byId("undo").disabled = history.length === 0;
  if (document.activeElement !== byId("letters")) byId("letters").value = text();
  if (document.activeElement !== byId("dims")) byId("dims").value = dims();
  byId("roll").disabled = !dice();
  saveAddress();
}

/** The address is the link to the board. Browsers take their time over it, so it waits for a pause. */
const saveAddress = debounce(120, () => {
  const parameters = new URLSearchParams({ board: text(), dims: dims(), wordlist: state.wordlist });
  if (state.scoring !== "boggle") parameters.set("scoring", state.scoring);
  if (state.count !== "score") parameters.set("count", state.count);
  window.history.replaceState(null, "", `?${parameters}`);
});

function typed(cell, key) {
  const tile = state.tiles.find((t) => t.symbol === key);
  if (!tile) {
    tell(`“${key}” is on no tile`);
    return null;
  }
  return () => {
    stopClimbing();
    setBoard(state.cells.with(cell, tile.symbol));
  };
}

const dice = () => known.dice.filter((set) => set.dims === dims()).at(-1);

function tell(sentence, isError = true) {
  byId("message").textContent = sentence;
  byId("message").classList.toggle("good", !isError);
}

// ---- its words ----

let asked = null;
async function solve() {
  asked?.abort();
  const mine = (asked = new AbortController());
  // The answer may come after the climb that asked for it, and must not wipe away what that came to.
  const forClimb = climbing !== null;
  try {
    const parameters = { board: text(), dims: dims(), count: state.count, ...game() };
    const solution = await ask("solve", parameters, mine.signal);
    if (mine.signal.aborted) return;
    state.solution = solution;
    if (!climbing && !forClimb) tell("");
    showScore();
    showWords();
    warm();
  } catch (error) {
    if (!mine.signal.aborted) tell(error.message);
    return;
  }
  whatIfSoon();
}

const COUNTS = { score: "", multi: ", counting every path", dedup: ", counting sets of cells" };

function showScore() {
  const { words } = state.solution;
  const score = state.solution[state.count];
  byId("score").value = number(score);
  byId("score-unit").textContent = (score === 1 ? "point" : "points") + COUNTS[state.count];
  byId("word-count").textContent = counted(words.length, "word");
  byId("longest").textContent = words.length ? `· longest: ${words[0].word}` : "";
  sayScore(score, words.length);
}

/** Said once typing has ceased; not into the path of a word that was gone to in the meantime. */
const sayScore = debounce(600, (score, words) => {
  if (byId("words").contains(document.activeElement)) return;
  announce(`${counted(words, "word")}, ${counted(score, "point")}`);
});

// There may be a thousand words at every key: copies are quick to make.
const item = element("li", {}, element("button", { type: "button", className: "word", tabIndex: -1 }));

function wordItem(word) {
  const made = item.cloneNode(true);
  made.firstChild.textContent = word.word;
  made.firstChild.word = word;
  return made;
}

/** As many words are drawn at once; the others when there is time. */
const AT_ONCE = 150;
let drawing = 0;

/** The words by length, longest first. */
function showWords() {
  const mine = ++drawing;
  const wanted = byId("find").value.trim().toLowerCase();
  const groups = Map.groupBy(state.solution.words, (word) => [...word.word].length).entries();
  /** Draws the next groups until there are so many words. */
  const draw = (most) => {
    const drawn = [];
    for (let count = 0; count < most; ) {
      const { value, done } = groups.next();
      if (done) break;
      const [length, words] = value;
      const shown = wanted ? words.filter((w) => w.word.includes(wanted)) : words;
      if (shown.length) drawn.push(wordGroup(length, words, shown));
      count += shown.length;
    }
    return drawn;
  };
  const first = draw(AT_ONCE);
  if (!first.length) {
    const none = state.solution.words.length ? `No word has “${wanted}” in it.` : "There is no word on this board.";
    first.push(element("p", { className: "help" }, none));
  }
  byId("words").replaceChildren(...first);
  rove(byId("words"), "button.word");
  setTimeout(() => mine === drawing && byId("words").append(...draw(Infinity)), 30);
}

function wordGroup(length, words, shown) {
  const sum = words.reduce((total, w) => total + w.points, 0);
  const facts = element("small", {}, `${counted(words.length, "word")}, ${counted(sum, "point")}`);
  const list = element("ul", { "aria-label": `${length} letters` });
  list.append(...shown.map(wordItem));
  return element("section", { className: "length" }, element("h3", {}, `${length} letters `, facts), list);
}

function trace(word) {
  const shown = word ?? state.pinned;
  view.trace(shown ? shown.path : []);
}

function sayPath(word) {
  const place = (cell) => `row ${Math.floor(cell / state.cols) + 1} column ${(cell % state.cols) + 1}`;
  announce(`${word.word}, ${counted(word.points, "point")}: ${word.path.map(place).join(", ")}`);
}

const words = byId("words");
const wordAt = (event) => event.target.closest?.("button.word");
words.addEventListener("pointerover", (event) => wordAt(event) && trace(wordAt(event).word));
words.addEventListener("pointerleave", () => trace(null));
words.addEventListener("focusin", (event) => {
  const button = wordAt(event);
  if (!button) return;
  trace(button.word);
  sayPath(button.word);
});
words.addEventListener("focusout", () => trace(null));
words.addEventListener("click", (event) => {
  const button = wordAt(event);
  if (!button) return;
  const again = state.pinned === button.word;
  state.pinned = again ? null : button.word;
  for (const other of words.querySelectorAll("[aria-pressed]")) other.removeAttribute("aria-pressed");
  if (!again) button.setAttribute("aria-pressed", "true");
  trace(again ? null : button.word);
  peek();
});

/** Shows the path of the pinned word in a corner while the board is out of sight, as on a phone. */
function peek() {
  const isAway = byId("board").getBoundingClientRect().bottom < 60;
  const picture = byId("peek");
  picture.hidden = !(isAway && state.pinned);
  if (picture.hidden || picture.word === state.pinned) return;
  picture.word = state.pinned;
  const drawn = miniBoard(facesOf(text(), state.tiles), state.cols);
  const at = (cell) => [(cell % state.cols) * 10 + 6, Math.floor(cell / state.cols) * 10 + 6];
  const points = state.pinned.path.map(at);
  const line = svg("polyline", { points: points.join(" "), pathLength: 1, class: "trace" });
  line.style.setProperty("--steps", points.length);
  const [x, y] = points[0];
  drawn.append(svg("circle", { cx: x, cy: y, r: 3.4, class: "start" }), line);
  picture.replaceChildren(drawn);
}
addEventListener("scroll", () => (state.pinned || !byId("peek").hidden) && peek(), { passive: true });
byId("find").addEventListener("input", () => state.solution && showWords());

// ---- heat ----

/** Points that pass through each cell, by the path shown of each word. */
function warm() {
  if (byId("heat").getAttribute("aria-pressed") !== "true") return void view.warm(null);
  const points = state.cells.map(() => 0);
  for (const word of state.solution.words) for (const cell of word.path) points[cell] += word.points;
  view.warm(points);
}

byId("heat").addEventListener("click", () => {
  const on = byId("heat").getAttribute("aria-pressed") !== "true";
  byId("heat").setAttribute("aria-pressed", on);
  tell(on ? "Points of the words that pass through each cell." : "", false);
  if (state.solution) warm();
});

// ---- what if ----

/** Waits a moment, so that a pointer on its way to the letters changes nothing. */
const pointedSoon = debounce(140, (cell) => {
  state.cell = cell;
  whatIf();
});
const whatIfSoon = debounce(160, () => whatIf());

function pointed(cell) {
  pointedSoon(cell);
}

let wondered = null;
async function whatIf() {
  wondered?.abort();
  const cell = state.cell;
  if (cell === null || cell >= state.cells.length || climbing) return;
  const mine = (wondered = new AbortController());
  view.mark(cell);
  try {
    const answer = await ask("neighbors", { board: text(), dims: dims(), cell, ...game() }, mine.signal);
    if (!mine.signal.aborted) showChanges(answer);
  } catch (error) {
    if (!mine.signal.aborted) tell(error.message);
  }
}

function showChanges(answer) {
  const { cell, score } = answer;
  const place = `row ${Math.floor(cell / state.cols) + 1}, column ${(cell % state.cols) + 1}`;
  const now = state.cells[cell];
  const face = (symbol) => state.tiles.find((t) => t.symbol === symbol)?.face ?? symbol;
  byId("what-if-title").textContent = `What if … not ${face(now)}`;
  byId("what-if-help").textContent = `The score with another letter on ${place}:`;
  const all = [...answer.changes, { letter: now, score }];
  const order = (letter) => state.tiles.findIndex((t) => t.symbol === letter);
  all.sort((a, b) => order(a.letter) - order(b.letter));
  const most = Math.max(1, ...all.map((c) => c.score));
  const focused = document.activeElement?.dataset?.letter;
  byId("changes").replaceChildren(...all.map((change) => changeKey(change, { cell, score, now, most, face })));
  rove(byId("changes"), "button");
  if (focused) byId("changes").querySelector(`[data-letter="${CSS.escape(focused)}"]`)?.focus();
}

function changeKey(change, { cell, score, now, most, face }) {
  const gain = change.score - score;
  const is = change.letter === now ? "now" : gain > 0 ? "better" : gain === 0 ? "same" : "worse";
  const told = is === "now" ? "as it is" : gain > 0 ? `${number(gain)} more` : `${number(-gain)} fewer`;
  const key = element(
    "button",
    {
      type: "button",
      className: `change ${is}`,
      tabIndex: -1,
      "data-letter": change.letter,
      "aria-pressed": is === "now" ? "true" : "false",
      onclick: () => {
        stopClimbing();
        setBoard(state.cells.with(cell, change.letter));
      },
    },
    element("b", {}, face(change.letter)),
    element("span", {}, number(change.score)),
    unseen(` points, ${told}`),
  );
  key.style.setProperty("--share", (change.score / most).toFixed(3));
  return key;
}

// ---- making boards ----

async function rolled(set) {
  stopClimbing();
  try {
    const { board } = await ask("roll", { dims: dims(), set, wordlist: state.wordlist });
    setBoard(splitBoard(board, state.tiles));
  } catch (error) {
    tell(error.message);
  }
}

byId("roll").addEventListener("click", () => rolled(dice()?.name));
byId("random").addEventListener("click", () => rolled("random"));

byId("undo").addEventListener("click", undo);
function undo() {
  stopClimbing();
  const before = history.pop();
  if (before) setBoard(...before, false);
}
addEventListener("keydown", (event) => {
  const isField = ["INPUT", "SELECT"].includes(document.activeElement?.tagName);
  if ((event.ctrlKey || event.metaKey) && event.key === "z" && !isField) {
    event.preventDefault();
    undo();
  }
});

async function bestKnown(rows = state.rows, cols = state.cols) {
  gallery ??= (await ask("gallery")).boards;
  const same = (b) => b.dims === `${rows}x${cols}` && b.wordlist === state.wordlist && b.scoring === state.scoring;
  const best = gallery.filter(same).sort((a, b) => b.score - a.score)[0];
  return best && splitBoard(best.board, state.tiles);
}

byId("best").addEventListener("click", async () => {
  stopClimbing();
  const best = await bestKnown();
  if (best) setBoard(best);
  else tell(`No best ${dims()} board is on record for this word list and scoring: climb to one.`);
});

byId("climb").addEventListener("click", () => (climbing ? stopClimbing() : climb()));

function stopClimbing() {
  climbing?.abort();
}

async function climb() {
  climbing = new AbortController();
  const { signal } = climbing;
  byId("climb").setAttribute("aria-pressed", "true");
  byId("climb").textContent = "Stop";
  tell("Climbing …", false);
  history.push([state.cells, state.rows, state.cols]);
  let last = null;
  try {
    await askLines("climb", { board: text(), dims: dims(), ...game() }, signal, (line) => {
      if (signal.aborted) return;
      last = line.runs ? line.runs[0] : line;
      tell(`Climbing … round ${last.iterations}: ${number(last.score)} points`, false);
      const cells = splitBoard(last.best, state.tiles);
      if (cells.join() !== state.cells.join()) setBoard(cells, state.rows, state.cols, false);
    });
    climbing = null;
    tell(last ? `Climbed ${counted(last.iterations, "round")} in ${last.seconds.toFixed(1)} s to ${number(last.score)} points.` : "", false);
    announce(byId("message").textContent);
  } catch (error) {
    climbing = null;
    tell(signal.aborted ? "Stopped climbing." : error.message, signal.aborted ? false : true);
  }
  byId("climb").setAttribute("aria-pressed", "false");
  byId("climb").textContent = "Climb";
  whatIfSoon();
}

byId("link").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    tell("The link to this board is on the clipboard.", false);
  } catch {
    tell("The address bar has the link to this board.", false);
  }
});

// ---- settings ----

byId("settings").addEventListener("submit", (event) => event.preventDefault());

byId("letters").addEventListener("input", () => {
  stopClimbing();
  const cells = splitBoard(byId("letters").value, state.tiles);
  if (!cells) return tell("Only letters stand on a board.");
  const wanted = state.rows * state.cols;
  if (cells.length === wanted) {
    setBoard(cells);
    return byId("letters").classList.remove("short");
  }
  byId("letters").classList.add("short");
  tell(`${cells.length} of ${wanted} letters`, false);
});
byId("letters").addEventListener("change", () => {
  const cells = splitBoard(byId("letters").value, state.tiles);
  const side = Math.sqrt(cells?.length ?? 0);
  // A square board of another size says its own size.
  if (cells && Number.isInteger(side) && side >= 1 && side <= 6 && cells.length !== state.cells.length) {
    setBoard(cells, side, side);
  }
  byId("letters").value = text();
  byId("letters").classList.remove("short");
});

byId("dims").addEventListener("change", async () => {
  stopClimbing();
  const shape = parseDims(byId("dims").value);
  if (!shape) {
    tell("A size is rows x columns, such as 3x4, at most 36 cells in all.");
    byId("dims").value = dims();
    return;
  }
  if (shape[0] === state.rows && shape[1] === state.cols) return;
  let cells = await bestKnown(...shape).catch(() => null);
  if (!cells) {
    const fill = "eastinrolsdtcmupgehbyfvw";
    cells = Array.from({ length: shape[0] * shape[1] }, (_, i) => state.cells[i] ?? fill[i % fill.length]);
  }
  byId("dims").blur();
  setBoard(cells, ...shape);
});

byId("scoring").addEventListener("change", scoringChanged);
byId("points").addEventListener("change", scoringChanged);
function scoringChanged() {
  const chosen = byId("scoring").value;
  byId("custom-scoring").hidden = chosen !== "custom";
  state.scoring = chosen === "custom" ? byId("points").value.replaceAll(" ", "") : chosen;
  stopClimbing();
  setBoard(state.cells);
}
byId("wordlist").addEventListener("change", () => {
  state.wordlist = byId("wordlist").value;
  state.tiles = known.wordlists.find((list) => list.name === state.wordlist).tiles;
  stopClimbing();
  setBoard(state.cells);
});
for (const radio of document.querySelectorAll("input[name=count]")) {
  radio.addEventListener("change", () => {
    state.count = radio.value;
    setBoard(state.cells);
  });
}

// ---- the beginning ----

/** What the address says, as far as it makes sense. */
function readAddress() {
  const address = new URLSearchParams(location.search);
  const list = known.wordlists.find((l) => l.name === address.get("wordlist")) ?? known.wordlists[0];
  state.wordlist = list.name;
  state.tiles = list.tiles;
  const scoring = address.get("scoring");
  if (scoring) {
    state.scoring = scoring;
    const isNamed = known.scorings.includes(scoring);
    byId("scoring").value = isNamed ? scoring : "custom";
    if (!isNamed) byId("points").value = scoring;
    byId("custom-scoring").hidden = isNamed;
  }
  if (["multi", "dedup"].includes(address.get("count"))) {
    state.count = address.get("count");
    document.querySelector(`input[name=count][value=${state.count}]`).checked = true;
  }
  if (!address.has("board")) return;
  const cells = splitBoard(address.get("board"), state.tiles);
  const side = Math.sqrt(cells?.length ?? 0.5);
  const shape = parseDims(address.get("dims") ?? "") ?? (Number.isInteger(side) ? [side, side] : null);
  if (cells && shape && shape[0] * shape[1] === cells.length) {
    Object.assign(state, { cells, rows: shape[0], cols: shape[1] });
    return undefined;
  }
  return "The board in the address does not fit its size; here is another one.";
}

byId("wordlist").replaceChildren(
  ...known.wordlists.map((list) => element("option", { value: list.name }, `${list.name} (${number(list.words)})`)),
);
const complaint = readAddress();
byId("wordlist").value = state.wordlist;
show();
await solve();
if (complaint) tell(complaint);
document.documentElement.dataset.ready = "yes";
