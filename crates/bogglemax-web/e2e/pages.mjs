// Gallery and trees.

import assert from "node:assert/strict";
import { inBrowser, picture, says, until } from "./browser.mjs";

await inBrowser(async ({ browser, open }) => {
  // Gallery: drawn, sorted, chosen, opened.
  const gallery = await open("/gallery");
  const scores = async () => (await gallery.locator(".points").allTextContents()).map((t) => Number(t.replaceAll(",", "").match(/: (\d+)/)[1]));
  assert.ok((await scores()).includes(3625));
  await picture(browser, gallery, "gallery");
  await gallery.locator("#show").selectOption("all");
  await gallery.locator("#size").selectOption("4x4");
  await gallery.locator("#scoring").selectOption("boggle");
  await gallery.locator("#sort").selectOption("score");
  const sorted = await scores();
  assert.equal(sorted[0], 3625);
  assert.deepEqual(sorted, sorted.toSorted((a, b) => b - a));
  const many = sorted.length;
  await gallery.locator("#more").click();
  assert.ok((await scores()).length > many);
  await gallery.locator("#gallery a").first().click();
  await says(gallery, "#score", "3,625");

  // Trees: the paper's example, in both orders.
  const trees = await open("/trees");
  await says(trees, "#spelling-bound", "13");
  await says(trees, "#orderly-bound", "7");
  const nodes = () => trees.locator("#orderly .node").count();
  const all = await nodes();
  assert.ok(all > 10, `${all}`);
  await trees.locator("#orderly .node").first().click();
  assert.equal(await nodes(), 1, "folded");
  await trees.locator("#orderly .node").first().click();
  assert.equal(await nodes(), all, "unfolded");
  await trees.locator('#orderly .node.sum:has(text.in:text-is("A"))').first().click();
  await says(trees, "#orderly-where", "A on cell 1");

  // A larger tree: parts that were not sent are fetched when they are unfolded.
  await trees.locator('[data-class^="bd ae"]').click();
  await until("another class", async () => (await trees.locator("#spelling-facts").textContent()).match(/[\d,]{6,} nodes/));
  for (let depth = 0; depth < 12; depth++) {
    const folded = trees.locator("#spelling .node[aria-expanded=false]");
    if ((await folded.count()) === 0) break;
    const before = await trees.locator("#spelling .node").count();
    await folded.last().dispatchEvent("click");
    await until("more nodes", async () => (await trees.locator("#spelling .node").count()) > before);
  }

  // Step by step, by both methods, to the same boards.
  await trees.locator('[data-class="t ae i r"]').click();
  await says(trees, "#orderly-bound", "7");
  const found = {};
  for (const method of ["orderly_bound", "branch"]) {
    await trees.locator(`input[value=${method}]`).check();
    await trees.locator("#cutoff").fill("6");
    await trees.locator("#step-form button").click();
    await until("the beginning", async () => /^0 of/.test(await trees.locator("#step-at").textContent()));
    await says(trees, "#step-text", "at most 7 points");
    await trees.locator("#step-next").click();
    await says(trees, "#step-text", "T on cell 0");
    await trees.locator("#step-range").evaluate((range) => {
      range.value = range.max;
      range.dispatchEvent(new Event("input"));
    });
    await says(trees, "#step-end", "proved to be all there are");
    found[method] = await trees.locator(".found-list a").evaluateAll((links) => links.map((a) => a.textContent));
    if (method === "orderly_bound") {
      await trees.locator(".legend").evaluate((legend) => legend.scrollIntoView());
      await picture(browser, trees, "trees");
    }
  }
  assert.ok(found.branch.length > 0);
  assert.deepEqual(found.branch, found.orderly_bound);
  await trees.locator("#step-first").click();
  await trees.locator("#step-play").click();
  await until("it plays", async () => /^[2-9] of/.test(await trees.locator("#step-at").textContent()));

  // What is too large is refused with a word.
  await trees.locator("#class").fill(". . . . . . . . . . . . . . . .");
  await trees.locator("#class").press("Enter");
  await says(trees, "#message", "too large");
}, /^\/trees: Failed to load resource: the server responded with a status of 422/);
