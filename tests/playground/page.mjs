// The page in a real browser, by its parts as a visitor uses them: node page.mjs MODULES URL BROWSER SCREENSHOTS
// [PART], where MODULES is the folder of node modules that playground/build.sh has installed, and PART chooses parts
// by their names. Fails with the first thing that is wrong.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [modules, address, command, screenshots, chosen = ""] = process.argv.slice(2);
const places = ["", ...process.env.PATH.split(path.delimiter)].map((folder) => path.join(folder, command));
const executablePath = places.find((place) => path.isAbsolute(place) && fs.existsSync(place));
const library = path.join(modules, "puppeteer-core/lib/puppeteer/puppeteer-core.js");
const { default: puppeteer } = await import(pathToFileURL(library));
const axe = fs.readFileSync(path.join(modules, "axe-core/axe.min.js"), "utf8");
fs.mkdirSync(screenshots, { recursive: true });

const browser = await puppeteer.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
const wrong = [];
const requests = [];

/** A new visitor. */
async function visit(url = address, { width = 1280, height = 800, theme = "light" } = {}) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
  page.on("pageerror", (error) => wrong.push(`${error}`));
  page.on("console", (message) => ["error", "warn"].includes(message.type()) && wrong.push(message.text()));
  page.on("request", (request) => requests.push(request.url()));
  page.setDefaultTimeout(60_000);
  await page.goto(url);
  await page.waitForSelector("html[data-ready]");
  return page;
}

const text = (page, selector) => page.$eval(selector, (element) => element.textContent);
const until = (page, selector, pattern) =>
  page.waitForFunction((chosen, source) => new RegExp(source).test(document.querySelector(chosen)?.textContent ?? ""), {}, selector, pattern.source)
    .catch(async () => assert.fail(`${selector} has "${await text(page, selector)}", not ${pattern}`));
const shoot = (page, name, options) => page.screenshot({ path: path.join(screenshots, `${name}.png`), ...options });
const load = (page, files, more = {}) =>
  page.evaluate((project) => globalThis.playground.load(project), { files, main: Object.keys(files)[0], flags: "", input: "", args: "", ...more });
const run = async (page, ended = /ended/) => {
  await page.click("#run");
  await until(page, "#run-status", ended);
  return text(page, "#output");
};

/** What the usual guidelines for accessible pages say. */
async function accessible(page, what) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa"] }));
  const shown = violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 4).map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("; ")}`);
  assert.deepEqual(shown, [], `${what} is not accessible`);
}

const FIB = "Int: Int\nfib n = match n < 2 {\n    True: n,\n    False: fib(n - 1) + fib(n - 2)\n};\n\n(): Int\nmain = fib 20;\n";
const ENDLESS = "Int: Int\nloop n = loop(n + 1);\n\n(): Int\nmain = loop 1;\n";
// A hundred million bytes of digits and line breaks.
const LOUD = `start @main
static0 = text "123456789\\0a"
func @main() {
block0:
  v0 = iconst.i64 10000000
  jump block1(v0)
block1(v1: i64):
  v2 = text static0
  call_rt print_text(v2)
  v3 = iconst.i64 1
  v4 = isub v1, v3
  v5 = iconst.i64 0
  v6 = eq v4, v5
  br_if v6, block2, block1(v4)
block2:
  ret
}
`;

const parts = {
  async "a first visit runs the first example"() {
    const page = await visit();
    assert.match(await run(page), /^6765\s*$/);
    assert.match(await text(page, "#run-status"), /compiled in .* ran .* memory/);
    await accessible(page, "the page");
    await shoot(page, "first");
    return page;
  },

  async "every example prints what it says"() {
    const page = await visit();
    const index = await page.evaluate(async () => (await fetch("examples/index.json")).json());
    assert.ok(index.length > 20, "there are examples of all languages");
    for (const { path: name } of index) {
      const project = await page.evaluate(async (name) => (await fetch(`examples/${name}.json`)).json(), name);
      await load(page, project.files, project);
      const output = await run(page).catch((error) => assert.fail(`${name}: ${error.message}`));
      const expected = /^(?:\/\/|;) prints (.*)/.exec(project.files[project.main])?.[1];
      if (expected !== undefined) assert.equal(output.trim(), expected, name);
      else assert.ok(output.trim().length > 0 && /^ended ·/.test(await text(page, "#run-status")), name);
    }
  },

  async "what is wrong is told while one types"() {
    const page = await visit();
    await load(page, { "main.goo": FIB });
    await until(page, "#state", /no problems/);
    await page.click(".cm-content");
    await page.keyboard.down("Control");
    await page.keyboard.press("End");
    await page.keyboard.up("Control");
    await page.keyboard.type("Int: Int\nwrong n = fub(n;");
    await until(page, "#state", /error/);
    await page.waitForSelector(".cm-lintRange-error, .cm-lintPoint-error");
    assert.match(await text(page, "#problems"), /E\d{4}/);
    const mark = await page.$(".cm-lintRange-error");
    await mark.hover();
    await page.waitForSelector(".cm-tooltip .explained summary");
    assert.match(await text(page, ".cm-tooltip .explained"), /E\d{4}: .+/);
    await shoot(page, "diagnostics");
    assert.match(await run(page, /not compiled/), /error\[E\d{4}\]/);
    await page.click(".problem");
    assert.ok(await page.evaluate(() => document.activeElement.classList.contains("cm-content")), "a problem leads to its place");
    await load(page, { "main.goo": FIB });
    await until(page, "#state", /no problems/);
  },

  async "an endless program is stopped"() {
    const page = await visit();
    await load(page, { "main.goo": ENDLESS });
    await page.click("#run");
    await until(page, "#run-status", /running/);
    await until(page, "#run-text", /Stop/);
    await page.click("#run");
    await until(page, "#run-status", /stopped/);
    await load(page, { "main.goo": FIB });
    assert.match(await run(page), /6765/);
  },

  async "a hundred million bytes of output do no harm"() {
    const page = await visit();
    await load(page, { "main.ir": LOUD });
    const output = await run(page, /^ended/);
    assert.ok(output.length > 2e5 && output.length < 4e5, `${output.length} characters are shown`);
    assert.match(output, /100\.0 MB altogether/);
    assert.match(output, /123456789\s*$/);
  },

  async "input and arguments reach the program, and a run-time error is told"() {
    const page = await visit(`${address}?example=clean/life`);
    assert.match(await text(page, "#files"), /life\.icl.*life\.abc/);
    await run(page);
    const failing = fs.readFileSync(new URL("../corpus/errors/div_zero.abc", import.meta.url), "utf8");
    await load(page, { "div_zero.abc": failing });
    await run(page, /ended with status/);
    const reading = fs.readFileSync(new URL("../corpus/stdinio.abc", import.meta.url), "utf8");
    const input = fs.readFileSync(new URL("../corpus/stdinio.stdin", import.meta.url), "utf8");
    const expected = fs.readFileSync(new URL("../corpus/stdinio.expected", import.meta.url), "utf8");
    await load(page, { "stdinio.abc": reading }, { input });
    assert.equal((await run(page, /^ended ·/)).trim(), expected.trim());
  },

  async "two stages stand side by side, with their differences"() {
    const page = await visit(`${address}?example=goo/list`);
    await page.click("#tab-stages");
    await page.waitForSelector(".stage .cm-changed");
    await until(page, "#stages-status", /lines only left/);
    const [left, right] = await page.$$(".stage select");
    await left.select("source");
    await right.select("wat");
    await until(page, ".stage:nth-child(2) .cm-content", /\(module/);
    await left.select("roots");
    await right.select("counting");
    await until(page, ".stage:nth-child(2) .cm-content", /heap counted/);
    await until(page, ".stage:nth-child(1) .cm-content", /does not run/);
    await page.select("#memory", "--memory=traced");
    await until(page, ".stage:nth-child(1) .cm-content", /phase=rooted/);
    // A line leads to the line of the source that it came from.
    await right.select("build");
    await until(page, ".stage:nth-child(2) .cm-content", /func @range/);
    await page.evaluate(() => {
      const line = [...document.querySelectorAll(".stage:nth-child(2) .cm-line")].find((one) => /build/.test(one.textContent));
      line.setAttribute("data-chosen", "");
    });
    await page.click("[data-chosen]");
    await page.waitForSelector("#editor .cm-linked");
    await page.waitForSelector(".stage:nth-child(2) .cm-linked");
    await accessible(page, "the view of stages");
    await shoot(page, "stages");
  },

  async "a link holds the program, and a broken one does no harm"() {
    const page = await visit();
    await load(page, { "main.goo": FIB.replace("fib 20", "fib 9") }, { flags: "-O1" });
    await page.click("#share");
    await page.waitForFunction(() => location.hash.startsWith("#code="));
    const url = page.url();
    const other = await visit(url);
    assert.match(await run(other), /^34\s*$/);
    assert.equal(await other.$eval("#level", (select) => select.value), "-O1");
    for (const broken of [`${address}#code=%%%`, `${address}#code=AAAA`, url.slice(0, -7)]) {
      const third = await visit(broken);
      await until(third, "#toast", /damaged/);
      assert.match(await run(third), /^6765\s*$/);
    }
  },

  async "the page is as one left it"() {
    const page = await visit();
    await load(page, { "mine.goo": FIB.replace("fib 20", "fib 8") }, { args: "x" });
    await page.evaluate(() => new Promise((done) => setTimeout(done, 600)));
    await page.click("#theme");
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    assert.match(await run(page), /^21\s*$/);
    await accessible(page, "the dark page");
    await shoot(page, "dark");
  },

  async "files are added, renamed and removed"() {
    const page = await visit();
    await load(page, { "main.goo": `#include lib.goo\n${FIB.replace("fib 20", "twice(fib 7)")}` });
    const answers = ["lib.goo", "other.goo", undefined];
    page.on("dialog", (dialog) => dialog.accept(answers.shift()));
    await page.click("[aria-label='New file']");
    await until(page, "#files", /lib\.goo/);
    await page.click(".cm-content");
    await page.keyboard.type("Int: Int\ntwice n = 2 * n;");
    await until(page, "#state", /no problems/);
    assert.match(await run(page), /^26\s*$/);
    await page.focus("#files [aria-selected=true]");
    await page.keyboard.press("F2");
    await until(page, "#files", /other\.goo/);
    await until(page, "#state", /error/);
    await page.click("[aria-label='Remove other.goo']");
    await page.waitForFunction(() => !document.getElementById("files").textContent.includes("other"));
    assert.deepEqual(await page.evaluate(() => Object.keys(globalThis.playground.project().files)), ["main.goo"]);
  },

  async "a lost worker is replaced"() {
    const page = await visit();
    await page.evaluate(() => globalThis.playground.cancel());
    assert.match(await run(page), /6765/);
  },

  async "the debugger goes forwards and backwards, and draws the heap"() {
    const page = await visit(`${address}?example=goo/tree`);
    await page.select("#memory", "--memory=counted");
    await page.click("#tab-debug");
    await until(page, "#debug-status", /time/);
    await page.waitForSelector(".cm-here");
    const step = async (id) => {
      const before = await text(page, "#debug-status");
      await page.click(`#debug-${id}`);
      await page.waitForFunction((old) => document.getElementById("debug-status").textContent !== old, {}, before);
    };
    for (let change = 0; change < 20; change++) await step("event");
    const cells = (await page.$$(".cell.node")).length;
    assert.ok(cells >= 5, `${cells} cells are drawn`);
    assert.ok((await page.$$(".arrows path")).length >= cells - 1);
    assert.match(await text(page, ".cell.node text.count"), /^\d+$/);
    assert.ok((await page.$$(".calls li")).length >= 2);
    await accessible(page, "the debugger");
    await shoot(page, "debugger");
    await step("back-event");
    await step("back-event");
    assert.ok((await page.$$(".cell.node")).length < cells, "cells go when one goes back");
    await page.focus(".cm-content");
    const time = () => text(page, "#debug-status");
    const before = await time();
    await page.keyboard.press("F11");
    await page.waitForFunction((old) => document.getElementById("debug-status").textContent !== old, {}, before);
    await step("end");
    await until(page, "#debug-status", /ended with status 0/);
    assert.match(await text(page, ".debug-output"), /\(\[1, 2, 3, 5, 8, 9\], 3\)/);
    await step("back-end");
    await until(page, "#debug-status", /beginning/);
    // A breakpoint, by a click beside its line.
    const press = async (part) => {
      const [x, y] = await page.evaluate((wanted) => {
        const line = [...document.querySelectorAll("#editor .cm-line")].find((one) => one.textContent.includes(wanted));
        line.scrollIntoView({ block: "center" });
        const { top, height } = line.getBoundingClientRect();
        return [document.querySelector(".cm-breakpoints").getBoundingClientRect().left + 5, top + height / 2];
      }, part);
      await page.mouse.click(x, y);
    };
    await press("True: Node(insert");
    await page.waitForSelector(".cm-breakpoints .breakpoint");
    await step("end");
    await until(page, "#debug-status", /breakpoint/);
    // An endless program can be looked at, and a wrong one is told.
    await load(page, { "main.goo": ENDLESS });
    await page.click("#debug-start");
    await until(page, "#debug-status", /time/);
    await step("end");
    await until(page, "#debug-status", /still running/);
    await load(page, { "main.goo": "main" });
    await page.click("#debug-start");
    await until(page, "#debug-status", /not started/);
    const deep = "Int: Int\ndown n = match n { 0: 0, more: 1 + down(more - 1) };\n\n(): Int\nmain = down 100000;\n";
    await load(page, { "main.goo": deep });
    await page.click("#debug-start");
    await until(page, "#debug-status", /time/);
    await press("down n");
    for (let call = 0; call < 60; call++) await step("end");
    await until(page, "#debug-status", /breakpoint/);
    assert.equal((await page.$$(".calls li")).length, 41, "a deep stack is not drawn whole");
    assert.match(await text(page, ".calls li:last-child"), /and \d+ more/);
  },

  async "a lazy program is debugged"() {
    const page = await visit(`${address}?example=clean/lazylists`);
    await page.click("#tab-debug");
    await until(page, "#debug-status", /time/);
    for (let change = 0; change < 12; change++) {
      const before = await text(page, "#debug-status");
      await page.click("#debug-event");
      await page.waitForFunction((old) => document.getElementById("debug-status").textContent !== old, {}, before);
    }
    assert.ok((await page.$$(".cell.thunk")).length > 0, "there are thunks");
    await shoot(page, "lazy");
  },

  async "two settings are compared"() {
    const page = await visit(`${address}?example=goo/queens`);
    await page.click("#tab-compare");
    await page.click("#compare");
    await until(page, "#panel-compare .status", /printed the same/);
    assert.ok((await page.$$(".measure")).length >= 3);
    await accessible(page, "the comparison");
    await shoot(page, "compare");
  },

  async "documents open, and their programs too"() {
    const page = await visit();
    await page.click("#tab-docs");
    await page.waitForSelector("#panel-docs h1");
    await accessible(page, "a document");
    await shoot(page, "docs");
    await page.click("#panel-docs button.open");
    await page.waitForFunction(() => globalThis.playground.project().files["main.goo"]?.includes("fib"));
    assert.match(await run(page), /6765/);
  },

  async "everything can be saved"() {
    const page = await visit();
    const names = await page.evaluate(async () => {
      const found = [];
      HTMLAnchorElement.prototype.click = function () { found.push(this.download); };
      for (let item = 0; item < 5; item++) {
        document.getElementById("save").click();
        document.querySelectorAll("#save-menu button")[item].click();
        while (found.length <= item) await new Promise((done) => setTimeout(done, 50));
      }
      return found;
    });
    assert.deepEqual(names, ["first.goo", "first.wasm", "first.mjs", "first.wat", "first.ir"]);
  },

  async "the keyboard is enough"() {
    const page = await visit();
    await page.focus(".cm-content");
    await page.keyboard.down("Control");
    await page.keyboard.press("Enter");
    await page.keyboard.up("Control");
    await until(page, "#run-status", /ended/);
    await page.focus("#tab-run");
    await page.keyboard.press("ArrowRight");
    await until(page, "#stages-status", /lines only left/);
    await page.focus("#gutter");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await page.$eval("#gutter", (bar) => bar.getAttribute("aria-valuenow")), "46");
  },

  async "it fits 400 pixels"() {
    const page = await visit(address, { width: 400, height: 800, theme: "dark" });
    assert.match(await run(page), /6765/);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 400, `the page is ${width} pixels wide`);
    await shoot(page, "narrow", { fullPage: true });
  },
};

try {
  for (const [name, part] of Object.entries(parts).filter(([name]) => name.includes(chosen))) {
    const begin = performance.now();
    try {
      await part();
    } catch (error) {
      throw new Error(`${name}: ${error.message}`, { cause: error });
    }
    assert.deepEqual(wrong, [], name);
    if (process.env.CLEAVE_VERBOSE) console.log(`${name}: ${((performance.now() - begin) / 1000).toFixed(1)} s`);
    for (const context of browser.browserContexts().slice(1)) await context.close();
  }
  const elsewhere = requests.filter((url) => !url.startsWith(address) && !/^(?:blob|data):/.test(url));
  assert.deepEqual(elsewhere, [], "nothing is loaded from elsewhere");
} finally {
  await browser.close();
}
