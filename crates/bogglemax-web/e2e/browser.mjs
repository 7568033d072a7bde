// A browser, and what every test asks of a page.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Where the server is. */
export const base = process.env.BOGGLEMAX_URL;
/** Where pictures go. */
const pictures = process.env.BOGGLEMAX_SCREENSHOTS;

export const DESKTOP = { viewport: { width: 1240, height: 860 } };
export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/**
 * Runs a test in a browser; it fails if a page has anything to complain of. The browser tells the
 * console of every refused request: `wanted` says which of those belong to the test.
 */
export async function inBrowser(test, wanted = /^never$/) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: FLAGS });
  const faults = [];
  const open = async (path, options = DESKTOP) => {
    const context = await browser.newContext({ colorScheme: "light", ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && faults.push(`${path}: ${message.text()}`));
    page.on("pageerror", (error) => faults.push(`${path}: ${error.message}`));
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (base && path.startsWith("/") && url.origin !== new URL(base).origin) faults.push(`${path} asks for ${url}`);
    });
    await page.goto(path.startsWith("/") ? base + path : path);
    if (path.startsWith("/")) await page.locator("html[data-ready=yes]").waitFor();
    return page;
  };
  try {
    await test({ browser, open });
    assert.deepEqual(faults.filter((fault) => !wanted.test(fault)), [], "the console has something to say");
  } finally {
    await browser.close();
  }
}

/** Waits until something holds. */
export async function until(what, holds, seconds = 20) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    if (await holds()) return;
    assert.ok(Date.now() < end, `in ${seconds} s it did not come to this: ${what}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** Waits until an element says this. */
export async function says(page, selector, text, seconds = 20) {
  let last = "";
  const holds = async () => {
    last = (await page.locator(selector).textContent()) ?? "";
    return last.includes(text);
  };
  await until(`${selector} says “${text}”`, holds, seconds).catch((error) => {
    throw new Error(`${error.message}; it says “${last}”`);
  });
}

/** Asserts that axe finds no serious fault. */
export async function isAccessible(page, name) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })");
  const serious = violations.filter((v) => ["serious", "critical"].includes(v.impact));
  const told = serious.map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => `${n.html} ${n.failureSummary}`).join("; ")}`);
  assert.deepEqual(told, [], `${name}: axe finds serious faults`);
}

/** Asserts that nothing sticks out at the side. */
export async function fitsItsWidth(page, name) {
  const [needs, has] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  assert.ok(needs <= has, `${name}: needs ${needs} px, has ${has}`);
}

/** Takes a picture, asserts that it is not blank, and keeps it if pictures are wanted. */
export async function picture(browser, page, name) {
  const bytes = await page.screenshot({ animations: "disabled" });
  const context = await browser.newContext();
  const counter = await context.newPage();
  const colours = await counter.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const drawing = canvas.getContext("2d");
    drawing.drawImage(image, 0, 0);
    const { data: pixels } = drawing.getImageData(0, 0, image.width, image.height);
    const counts = new Map();
    for (let i = 0; i < pixels.length; i += 4) {
      const colour = (pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2];
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    return { many: counts.size, plain: Math.max(...counts.values()) / (pixels.length / 4) };
  }, bytes.toString("base64"));
  await context.close();
  assert.ok(colours.many > 30 && colours.plain < 0.985, `${name} is blank: ${JSON.stringify(colours)}`);
  if (pictures) {
    mkdirSync(pictures, { recursive: true });
    writeFileSync(join(pictures, `${name}.png`), bytes);
  }
}
