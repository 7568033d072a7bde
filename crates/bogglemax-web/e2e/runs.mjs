// A proof, watched from before its first task to its end; then its report page.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { inBrowser, isAccessible, picture, says, until } from "./browser.mjs";

const { BOGGLEMAX, BOGGLEMAX_RUN } = process.env;

async function bogglemax(...args) {
  const child = spawn(BOGGLEMAX, args, { stdio: ["ignore", "ignore", "inherit"] });
  const [code] = await once(child, "exit");
  assert.equal(code, 0, args.join(" "));
}

await inBrowser(async ({ browser, open }) => {
  const page = await open("/runs");
  await says(page, "#state", "waiting");
  // On one thread, so that there is time to watch it.
  const proof = bogglemax("prove", "3x3", "--cutoff", "545", "--threads", "1", "--out", BOGGLEMAX_RUN);
  await says(page, "#statement", "nothing is proved yet", 60);
  const shares = new Set();
  const watching = setInterval(async () => shares.add(await page.locator("progress").getAttribute("value").catch(() => null)), 250);
  await proof;
  await says(page, "#statement", "No 3x3 board beats 545 points: proved", 30);
  clearInterval(watching);
  assert.ok(shares.size > 2, `the page went on by itself: ${[...shares].join(" ")}`);
  await says(page, "#state", "complete");
  assert.match(await page.locator(".run-boards a").first().textContent(), /deslatper, 545 points$/);
  assert.equal(await page.locator(".plot svg").count(), 4);
  await isAccessible(page, "a finished run");
  await picture(browser, page, "runs");

  // What is proved is in the gallery.
  const gallery = await open("/gallery");
  await until("a proved board", async () => (await gallery.locator(".badge.good").count()) > 0);
  await page.locator(".run-boards a").first().click();
  await says(page, "#score", "545");
});

const html = `${BOGGLEMAX_RUN}/report.html`;
await bogglemax("run", "report", BOGGLEMAX_RUN, "--html", html);
await inBrowser(async ({ browser, open }) => {
  const page = await open(pathToFileURL(html).href);
  await says(page, "h1", "3x3 Boggle, 545 points and more");
  await says(page, "body", "No 3x3 board beats deslatper");
  assert.ok((await page.locator("svg rect").count()) > 3, "plots have bars");
  assert.equal(await page.locator(".board").count(), 1);
  await picture(browser, page, "report");
});
