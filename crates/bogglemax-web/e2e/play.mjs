// The board: typing, words and their paths, what if, heat, counts, climbs, links.

import assert from "node:assert/strict";
import { base, inBrowser, picture, says, until } from "./browser.mjs";

const api = async (path) => (await fetch(`${base}/api/${path}`)).json();
const letters = (page) => page.locator("#letters").inputValue();

await inBrowser(async ({ browser, open }) => {
  const page = await open("/?board=aaaaaaaaaaaaaaaa&dims=4x4");
  await says(page, "#score", "0");

  // A board typed letter by letter.
  await page.locator(".cell").first().click();
  await page.keyboard.type("perslatgsineters", { delay: 15 });
  await says(page, "#score", "3,625");
  await says(page, "#word-count", "1,045 words");
  assert.equal(await letters(page), "perslatgsineters");
  await until("all words are drawn", async () => (await page.locator("button.word").count()) === 1045);
  const lengths = await page.locator(".length h3").allTextContents();
  assert.match(lengths[0], /^12 letters 1 word, 11 points/);
  assert.match(lengths.at(-1), /^3 letters/);

  // How long a key takes to be answered, for people to read; machines differ.
  const times = [];
  for (const letter of ["d", "s", "d", "s", "d", "s"]) {
    await page.locator(".cell").last().focus();
    times.push(await page.evaluate(async (key) => {
      const score = document.querySelector("#score");
      const before = score.textContent;
      const begin = performance.now();
      document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      while (score.textContent === before) await new Promise((done) => setTimeout(done, 0));
      return performance.now() - begin;
    }, letter));
  }
  console.log(`from key to score: ${times.map((t) => `${t.toFixed(1)} ms`).join(", ")}`);
  await says(page, "#score", "3,625");

  // The link brings the board back.
  await until("the address has the board", () => page.url().includes("perslatgsineters"));
  assert.equal(new URL(page.url()).searchParams.get("board"), "perslatgsineters");
  await page.reload();
  await says(page, "#score", "3,625");

  // A word pointed at shows its path: as many cells as letters, and they spell it.
  await page.locator("button.word", { hasText: /^replastering$/ }).hover();
  const points = (await page.locator("polyline.trace").getAttribute("points")).split(" ");
  const faces = await page.locator(".cell").allTextContents();
  const spelled = points.map((point) => point.split(",").map(Number)).map(([x, y]) => faces[Math.floor(y) * 4 + Math.floor(x)]);
  assert.equal(spelled.join("").toLowerCase(), "replastering");
  assert.equal(await page.locator(".die.on-path").count(), 12);
  assert.equal(await page.locator("polyline.trace").evaluate((line) => line.getAnimations().length), 1, "the line is animated");
  await page.locator("#words-title").hover();
  await until("the path is gone", async () => (await page.locator("polyline.trace").count()) === 0);

  // What if: 25 other letters, with the scores of those boards; one is taken, and undone.
  await page.locator(".cell").nth(7).hover();
  await until("the numbers of cell 7", async () => (await page.locator("#changes button").count()) === 26 && /not G/.test(await page.locator("#what-if-title").textContent()));
  const { changes } = await api("neighbors?board=perslatgsineters&cell=7");
  assert.equal(changes.length, 25);
  for (const { letter, score } of changes) {
    const told = await page.locator(`#changes [data-letter="${letter}"] span`).first().textContent();
    assert.equal(told.replaceAll(",", ""), String(score), letter);
  }
  const picked = changes.find((c) => c.letter === "d");
  await page.locator('#changes [data-letter="d"]').click();
  await says(page, "#score", picked.score.toLocaleString("en"));
  assert.equal(await letters(page), "perslatdsineters");
  await page.locator("#undo").click();
  await says(page, "#score", "3,625");

  // The picture for the README: a path, and what-if beside it.
  await page.locator(".cell").nth(3).hover();
  await until("the numbers of cell 3", async () => /not S/.test(await page.locator("#what-if-title").textContent()));
  await page.locator("button.word", { hasText: /^replastering$/ }).hover();
  await picture(browser, page, "play");

  // Heat: the points of the words through each cell.
  await page.locator("#heat").click();
  const { words } = await api("solve?board=perslatgsineters");
  const through = words.filter((w) => w.path.includes(5)).reduce((sum, w) => sum + w.points, 0);
  await says(page, ".die:nth-child(6) .heat-points", through.toLocaleString("en"));
  await page.locator("#heat").click();

  // S, M, D and scorings.
  for (const [count, key] of [["multi", "multi"], ["dedup", "dedup"]]) {
    await page.locator(`input[value=${count}]`).check();
    await says(page, "#score", (await api(`solve?board=perslatgsineters&count=${count}`))[key].toLocaleString("en"));
  }
  await page.locator("input[value=score]").check();
  await page.locator("#scoring").selectOption("words");
  await says(page, "#score", "1,045");
  await page.locator("#scoring").selectOption("custom");
  await page.locator("#points").fill("0,0,0,0,0,0,0,0,0,0,0,0,100");
  await page.locator("#points").press("Enter");
  await says(page, "#score", "100");
  await page.locator("#scoring").selectOption("boggle");

  // Another word list.
  await page.locator("#wordlist").selectOption({ index: 1 });
  await says(page, "#word-count", "1 word"); // of two, perl is not on the board
  await page.locator("#wordlist").selectOption({ index: 0 });
  await says(page, "#score", "3,625");

  // Finding a word.
  await page.locator("#find").fill("plaster");
  await until("only some words", async () => (await page.locator("button.word").count()) < 10);
  await page.locator("#find").fill("");

  // Other sizes, and letters as text.
  await page.locator("#dims").fill("3x4");
  await page.locator("#dims").press("Enter");
  await says(page, "#score", "1,651");
  await page.locator("#dims").fill("9x9");
  await page.locator("#dims").press("Enter");
  await says(page, "#message", "at most 36 cells");
  await page.locator("#dims").fill("3x3");
  await page.locator("#dims").press("Enter");
  await says(page, "#score", "545");
  await page.locator("#letters").fill("desl");
  await says(page, "#message", "4 of 9 letters");
  await page.locator("#letters").fill("qitabcdef");
  await until("Qu stands on the board", async () => (await page.locator(".cell").first().textContent()) === "Qu");

  // Climbing from there.
  await page.locator("#climb").click();
  await says(page, "#message", "Climbed", 60);
  const reached = Number((await page.locator("#message").textContent()).match(/to ([\d,]+) points/)[1].replaceAll(",", ""));
  assert.ok(reached > 400, `${reached}`);
  await says(page, "#score", reached.toLocaleString("en"));

  // Dice and chance.
  assert.ok(await page.locator("#roll").isDisabled(), "there are no dice for 3x3");
  await page.locator("#random").click();
  const before = await letters(page);
  await page.locator("#dims").fill("5x5");
  await page.locator("#dims").press("Enter");
  const known = (await api("gallery")).boards.filter((b) => b.dims === "5x5" && b.scoring === "boggle");
  await says(page, "#score", Math.max(...known.map((b) => b.score)).toLocaleString("en"));
  await page.locator("#roll").click();
  await until("another board", async () => (await letters(page)).length === 25 && (await letters(page)) !== before);

  // A letter that is on no tile is refused with a word.
  await page.locator(".cell").first().click();
  await page.keyboard.press("7");
  await says(page, "#message", "on no tile");

  // A link that makes no sense still gives a board.
  const strange = await open("/?board=abc&dims=9x9&wordlist=%3Cscript%3E&scoring=boggle");
  await says(strange, "#message", "does not fit");
  await says(strange, "#score", "3,625");
});
