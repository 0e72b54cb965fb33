// A visitor of the page: the browser, pages in it, and what a visitor does and sees.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [modules, origin, command, screenshots, parts = ""] = process.argv.slice(2);
const places = ["", ...process.env.PATH.split(path.delimiter)].map((folder) => path.join(folder, command));
const executablePath = places.find((place) => path.isAbsolute(place) && fs.existsSync(place));
const library = path.join(modules, "puppeteer-core/lib/puppeteer/puppeteer-core.js");
const { default: puppeteer } = await import(pathToFileURL(library));
const axe = fs.readFileSync(path.join(modules, "axe-core/axe.min.js"), "utf8");
fs.mkdirSync(screenshots, { recursive: true });

/** Firefox speaks another protocol, which cannot do all that Chromium's can. */
export const isFirefox = /firefox/.test(command);
export const address = origin;
export const chosen = parts;

const chromium = { args: ["--no-sandbox", "--disable-dev-shm-usage"] };
export const browser = await puppeteer.launch({ executablePath, ...(isFirefox ? { browser: "firefox" } : chromium) });
/** Errors on the pages, and addresses that they asked for. */
export const wrong = [];
export const requests = [];

/** A new visitor, who knows the page unless it is the first visit: then the tour comes by itself. */
export async function visit(url = `${address}?example=goo/first`, { width = 1280, height = 800, theme = "light", isFirst = false } = {}) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  if (!isFirst) await page.evaluateOnNewDocument(() => localStorage.setItem("cleave.tour", "yes"));
  await page.setViewport({ width, height });
  if (!isFirefox) await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
  page.on("pageerror", (error) => wrong.push(`${error}`));
  page.on("console", (message) => ["error", "warn"].includes(message.type()) && wrong.push(message.text()));
  page.on("request", (request) => requests.push(request.url()));
  page.setDefaultTimeout(Number(process.env.CLEAVE_PATIENCE ?? 60_000));
  await page.goto(url);
  await page.waitForSelector("html[data-ready]");
  return page;
}

let known;
/** A page that parts share which need no visitor of their own: the compiler is loaded already. */
export async function reuse() {
  known ??= await visit();
  await known.bringToFront();
  return known;
}

/** What the visitors leave. */
export async function leave() {
  const kept = known?.browserContext();
  for (const context of browser.browserContexts()) {
    if (context !== kept && context !== browser.defaultBrowserContext()) await context.close();
  }
}

export const text = (page, selector) => page.$eval(selector, (element) => element.textContent);
export const until = (page, selector, pattern) =>
  page.waitForFunction((chosen, source) => new RegExp(source).test(document.querySelector(chosen)?.textContent ?? ""), {}, selector, pattern.source)
    .catch(async () => assert.fail(`${selector} has "${await text(page, selector)}", not ${pattern}`));
export const shoot = (page, name, options) => page.screenshot({ path: path.join(screenshots, `${name}.png`), ...options });

/** Opens files; the first one is the main module. */
export const load = (page, files, more = {}) =>
  page.evaluate((project) => globalThis.playground.load(project), { files, main: Object.keys(files)[0], flags: "", input: "", args: "", ...more });

/** Opens an example of the page. */
export async function example(page, name) {
  const project = await page.evaluate(async (name) => (await fetch(`examples/${name}.json`)).json(), name);
  await load(page, project.files, project);
  return project;
}

/** Waits until both stages show the program as it is. */
export const settled = (page) => page.waitForSelector("#stages[aria-busy=false]");

/** Runs the program; returns what it has printed. */
export async function run(page, ended = /ended/) {
  await page.click("#run");
  await until(page, "#run-status", ended);
  return text(page, "#output");
}

/** Presses keys together, as "Control+Enter". */
export async function press(page, keys) {
  const all = keys.split("+");
  for (const key of all) await page.keyboard.down(key);
  for (const key of all.reverse()) await page.keyboard.up(key);
}

/** What the usual guidelines for accessible pages say, with headings in their order and everything in a landmark. */
export async function accessible(page, what) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"] }));
  const shown = violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 4).map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("; ")}`);
  assert.deepEqual(shown, [], `${what} is not accessible`);
}

/** Drops files on the page: contents by path; text, or bytes in base 64. */
export const drop = (page, files, bytes = {}) => page.evaluate((files, bytes) => {
  const root = { children: new Map() };
  const entry = (name, node) => ({
    name,
    isFile: !node.children,
    file: (resolve) => resolve(new File([node.data], name)),
    createReader: () => {
      const left = [[...node.children].map(([name, inner]) => entry(name, inner)), []];
      return { readEntries: (resolve) => resolve(left.shift() ?? []) };
    },
  });
  const put = (path, data) => {
    const parts = path.split("/");
    let folder = root;
    for (const part of parts.slice(0, -1)) {
      if (!folder.children.has(part)) folder.children.set(part, { children: new Map() });
      folder = folder.children.get(part);
    }
    folder.children.set(parts.at(-1), { data });
  };
  for (const [path, data] of Object.entries(files)) put(path, data);
  for (const [path, data] of Object.entries(bytes)) put(path, Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0)));
  const items = [...root.children].map(([name, node]) => ({ webkitGetAsEntry: () => entry(name, node) }));
  const event = new Event("drop", { bubbles: true, cancelable: true });
  Object.defineProperty(event, "dataTransfer", { value: { items } });
  document.body.dispatchEvent(event);
}, files, bytes);

export const FIB = "Int: Int\nfib n = match n < 2 {\n    True: n,\n    False: fib(n - 1) + fib(n - 2)\n};\n\n(): Int\nmain = fib 20;\n";
export const ENDLESS = "Int: Int\nloop n = loop(n + 1);\n\n(): Int\nmain = loop 1;\n";
