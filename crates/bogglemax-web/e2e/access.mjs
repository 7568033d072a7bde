// Phone size, keyboard alone, light and dark, and what axe says.

import assert from "node:assert/strict";
import { DESKTOP, PHONE, fitsItsWidth, inBrowser, isAccessible, picture, says, until } from "./browser.mjs";

await inBrowser(async ({ browser, open }) => {
  // Every page, in every look.
  for (const path of ["/?board=tarnqisepolabmed", "/gallery", "/trees", "/runs"]) {
    for (const colorScheme of ["light", "dark"]) {
      for (const [size, options] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
        const page = await open(path, { ...options, colorScheme, reducedMotion: "reduce" });
        const name = `${path} ${colorScheme} ${size}`;
        if (path.startsWith("/?")) {
          await page.locator(".cell").nth(5).click();
          await until("what-if", async () => (await page.locator("#changes button").count()) === 26);
          await page.locator("#heat").click();
        }
        await fitsItsWidth(page, name);
        await isAccessible(page, name);
        await page.context().close();
      }
    }
  }

  // A phone: tap a cell, take a letter, tap a word and see its path though the board is out of sight.
  const phone = await open("/", { ...PHONE, colorScheme: "dark" });
  await phone.locator(".cell").nth(7).tap();
  await phone.locator('#changes [data-letter="d"]').tap();
  await says(phone, "#letters", "").then(() => until("the board has a D", async () => (await phone.locator("#letters").inputValue()) === "perslatdsineters"));
  await phone.locator("#undo").tap();
  await says(phone, "#score", "3,625");
  const word = phone.locator("button.word", { hasText: /^sterilants$/ });
  await word.scrollIntoViewIfNeeded();
  await phone.evaluate(() => scrollBy(0, 300));
  await word.tap();
  await until("a small board shows the path", () => phone.locator("#peek polyline").isVisible());
  const small = await phone.locator("button:visible, input:visible, select:visible, nav a").evaluateAll((all) =>
    all.filter((e) => e.getBoundingClientRect().height < 24).map((e) => e.outerHTML),
  );
  assert.deepEqual(small, [], "too small for a thumb");
  await word.tap();
  await until("and hides it again", async () => !(await phone.locator("#peek").isVisible()));
  await word.tap();
  await phone.evaluate(() => scrollTo(0, 0));
  await until("the board is in sight again", async () => !(await phone.locator("#peek").isVisible()));
  assert.equal(await phone.locator(".die.on-path").count(), 10);
  await word.tap();
  await phone.evaluate(() => scrollTo(0, 0));
  await phone.locator("#heat").tap();
  await until("warm", () => phone.locator(".board.heat").isVisible());
  await picture(browser, phone, "phone");

  // The keyboard alone.
  const page = await open("/?board=aaaaaaaaaaaaaaaa&dims=4x4");
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.className || document.activeElement.tagName);
  const tabTo = async (what) => {
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press("Tab");
      if ((await focused()).includes(what)) return;
    }
    assert.fail(`no way to ${what} by Tab`);
  };
  await tabTo("skip");
  await page.keyboard.press("Enter");
  await tabTo("cell");
  await page.keyboard.type("perslatgsineters");
  await says(page, "#score", "3,625");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "A, row 2, column 2");
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.notEqual(outline, "none", "the focus can be seen");
  await tabTo("heat");
  await page.keyboard.press("Space");
  await until("warm", () => page.locator(".board.heat").isVisible());
  await tabTo("change");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await until("a letter is taken", async () => (await page.locator("#letters").inputValue()) !== "perslatgsineters");
  await page.keyboard.press("Control+z");
  await until("it is given back", async () => (await page.locator("#letters").inputValue()) === "perslatgsineters");
  await page.waitForTimeout(1000); // the words are drawn anew, and would take the focus away
  await says(page, "#score", "3,625");
  await tabTo("word");
  await until("the path of the first word", () => page.locator("polyline.trace").isVisible());
  await until("it is told", async () => (await page.locator("#live").textContent()).startsWith("replastering, 11 points: row 1 column 3"));
  await page.keyboard.press("ArrowDown");
  await until("the next word", async () => (await page.locator("#live").textContent()).startsWith("plasterings"));

  // A tree by keyboard.
  const trees = await open("/trees");
  await trees.locator("#orderly .node").first().focus();
  const chosen = () => trees.locator("#orderly .node[aria-selected=true] title").textContent();
  await trees.keyboard.press("ArrowDown");
  assert.match(await chosen(), /cell 0/);
  await trees.keyboard.press("ArrowRight");
  assert.match(await chosen(), /cell 1/);
  await trees.keyboard.press("ArrowLeft");
  await trees.keyboard.press("Enter");
  await until("folded", async () => (await trees.locator("#orderly .node[aria-selected=true]").getAttribute("aria-expanded")) === "false");
  await trees.keyboard.press("ArrowUp");
  assert.match(await chosen(), /The root/);

  // The theme is kept.
  await trees.locator("#theme").click();
  await trees.locator("#theme").click();
  await trees.reload();
  assert.equal(await trees.locator("html").getAttribute("data-theme"), "dark");
});
