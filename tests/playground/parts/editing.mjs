// The editor: what it tells while one types, files, links, and what is kept.

import assert from "node:assert/strict";
import fs from "node:fs";
import { accessible, address, example, FIB, isFirefox, load, press, reuse, run, shoot, text, until, visit } from "../visitor.mjs";

/** Where a word is on the screen, in the line that has it. */
const spot = (page, line, word) => page.evaluate((part, word) => {
  const found = [...document.querySelectorAll("#editor .cm-line")].find((one) => one.textContent.includes(part));
  const walker = document.createTreeWalker(found, NodeFilter.SHOW_TEXT);
  const at = found.textContent.indexOf(word, found.textContent.indexOf(part));
  let [node, offset] = [walker.nextNode(), at];
  for (; offset >= node.length; node = walker.nextNode()) offset -= node.length;
  const range = document.createRange();
  range.setStart(node, offset);
  range.setEnd(node, offset + 1);
  const { left, top, width, height } = range.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}, line, word);

/** Takes what is offered. The editor ignores keys in a list that has just opened, which nobody can have read yet. */
async function accept(page) {
  await new Promise((resolve) => setTimeout(resolve, 300));
  await page.keyboard.press("Enter");
}

const GREETING = `class Pair<A, B>(val first: A, val second: B) {
  function <A, B> of(first: A, second: B): Pair<A, B> = { first, second }
  // Exchanges both.
  method swapped(): Pair<B, A> = Pair.of(this.second, this.first)
}

class Main {
  function main(): unit = {
    let pair = Pair.of(1, "one");
    let other = pair.swapped();
    Builtins.println(other.first)
  }
}
`;

export default {
  async "what is wrong is told while one types"() {
    const page = await reuse();
    await load(page, { "main.goo": FIB });
    await until(page, "#state", /no problems/);
    await page.click(".cm-content");
    await press(page, "Control+End");
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

  async "types, completions and definitions come from the checker"() {
    const page = await reuse();
    await load(page, { "Main.sam": GREETING });
    await until(page, "#state", /no problems/);
    await page.mouse.move(...(await spot(page, "let other", "swapped")));
    await page.waitForSelector(".cm-tooltip .type-of");
    assert.match(await text(page, ".cm-tooltip .type-of"), /swapped\(\): Pair<B, A>.*Exchanges both\./s);
    await shoot(page, "types");
    await page.mouse.click(...(await spot(page, "Builtins.println", ")")));
    await press(page, "End");
    await page.keyboard.press("ArrowLeft");
    for (let letter = 0; letter < 5; letter++) await page.keyboard.press("Backspace");
    await until(page, "#state", /error/);
    await page.keyboard.type("s");
    await page.waitForSelector(".cm-tooltip-autocomplete li");
    assert.match(await text(page, ".cm-tooltip-autocomplete"), /second/);
    assert.ok(!/first|main|class/.test(await text(page, ".cm-tooltip-autocomplete [aria-selected]")), "only what the type has");
    await shoot(page, "completion");
    await page.keyboard.press("Escape");
    await load(page, { "main.goo": FIB });
    await page.mouse.click(...(await spot(page, "main = fib", "fib")));
    await page.keyboard.press("F12");
    await page.waitForFunction(() => document.querySelector("#editor .cm-activeLine").textContent.startsWith("fib n"));
  },

  async "instructions of IR and ABC are explained, and completed"() {
    const page = await reuse();
    const until = (selector, pattern) => page.waitForFunction((chosen, source) => new RegExp(source).test([...document.querySelectorAll(chosen)].map((one) => one.textContent).join("\n")), {}, selector, pattern.source);
    const list = ".cm-tooltip-autocomplete";
    await example(page, "ir/sum");
    await page.waitForFunction(() => /print_int/.test(document.querySelector("#editor").textContent));
    await page.mouse.move(...(await spot(page, "call_rt print_int", "call_rt")));
    await until(".cm-tooltip .type-of", /call_rt EXTERN.*call an extern/s);
    await page.mouse.click(...(await spot(page, "call_rt print_int", "print_int")));
    await press(page, "End");
    await page.keyboard.type("\nv90 = isu");
    await until(`${list} [aria-selected]`, /int, same/);
    await until(".cm-completionInfo", /wrapping subtraction/);
    await shoot(page, "completion-ir");
    await accept(page);
    await page.keyboard.type(" v");
    // What reaches the place, with where it comes from.
    await until(list, /v\d+: i64/);
    await page.keyboard.press("Escape");
    await page.keyboard.type("1, v1\nv91 = call @");
    await until(list, /@sum.*\(v0: i64\) -> i64/s);
    await page.keyboard.press("Escape");
    const abc = fs.readFileSync(new URL("../../corpus/fibs.abc", import.meta.url), "utf8");
    await load(page, { "fibs.abc": abc });
    await page.click(".cm-content");
    await press(page, "Control+End");
    await page.keyboard.type("\n\tjsr_ev");
    await until(`${list} [aria-selected]`, /jsr_eval.*A-OFFSET/);
    await until(".cm-completionInfo", /evaluate a node/);
    await shoot(page, "completion-abc");
    await accept(page);
    await page.keyboard.type(" 0\n\tjsr s");
    const [, label] = /^(s\S+)$/m.exec(abc);
    await until(list, new RegExp(label.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
    await page.keyboard.press("Escape");
    await page.keyboard.press("F12");
  },

  async "a file is brought into its form"() {
    const page = await reuse();
    const source = () => page.evaluate(() => Object.values(globalThis.playground.project().files)[0]);
    await load(page, { "main.goo": FIB.replace("True: n,", "True:n  ,").replace("    False", "False") });
    await page.click("#format");
    await page.waitForFunction((wanted) => globalThis.playground.project().files["main.goo"] === wanted, {}, FIB);
    await load(page, { "Main.sam": GREETING.replace("{\n    let pair =", "{\n let   pair=") });
    await page.click(".cm-content");
    await press(page, "Shift+Alt+F");
    await page.waitForFunction((wanted) => globalThis.playground.project().files["Main.sam"] === wanted, {}, GREETING);
    await page.click(".cm-content");
    await press(page, "Control+z");
    assert.notEqual(await source(), GREETING, "it is one step that can be undone");
    await load(page, { "main.goo": "main = (" });
    await page.click("#format");
    await until(page, "#toast", /errors/);
    assert.equal(await source(), "main = (");
  },

  async "typing never waits for the compiler"() {
    if (isFirefox) return;
    const page = await reuse();
    // All but one are called by nobody, of which a lint warns.
    const many = Array.from({ length: 4000 }, (_, number) => FIB.split("\n\n")[0].replaceAll("fib", `fib${number}`)).join("\n");
    await load(page, { "main.goo": `${many}\n(): Int\nmain = fib0 5;\n` });
    await until(page, "#state", /3999 warnings/);
    await page.click(".cm-content");
    await press(page, "Control+End");
    await page.evaluate(() => {
      globalThis.tasks = [];
      new PerformanceObserver((list) => globalThis.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ entryTypes: ["longtask"] });
    });
    // Who waited for the compiler would always do so; what else runs on the machine may disturb once.
    const found = [];
    for (let attempt = 0; attempt < 4; attempt++) {
      await page.evaluate(() => (globalThis.tasks.length = 0));
      await page.keyboard.type("// A comment that takes a while\n", { delay: 30 });
      await until(page, "#state", /3999 warnings/);
      const longest = Math.max(0, ...(await page.evaluate(() => globalThis.tasks)));
      const [, amount, unit] = /checked in ([\d.]+) (m?s)/.exec(await text(page, "#state"));
      const checked = Number(amount) * (unit === "s" ? 1000 : 1);
      if (longest < checked / 2) return;
      found.push(`the page stood still for ${longest} ms; a check takes ${checked} ms`);
    }
    assert.fail(found.join("\n"));
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
    for (const broken of ["#code=%%%", "#code=AAAA", new URL(url).hash.slice(0, -7)]) {
      await load(other, { "main.goo": FIB });
      await other.evaluate((hash) => {
        document.getElementById("toast").textContent = "";
        location.hash = hash;
      }, broken);
      await until(other, "#toast", /damaged/);
      assert.match(await run(other), /^6765\s*$/);
    }
    const third = await visit(`${address}#code=%%%`);
    await until(third, "#toast", /damaged/);
    assert.match(await run(third), /^\[5, 4, 3, 2, 1\]\s*$/);
  },

  async "the page is as one left it"() {
    const page = await visit(address);
    await load(page, { "mine.goo": FIB.replace("fib 20", "fib 8") }, { args: "x" });
    await page.waitForFunction(() => (localStorage.getItem("cleave.project") ?? "").includes("mine.goo"));
    await page.click("#theme");
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    assert.match(await run(page), /^21\s*$/);
    await accessible(page, "the dark page");
    await shoot(page, "dark");
  },

  async "files are added, renamed and removed"() {
    const page = await reuse();
    await load(page, { "main.goo": `#include lib.goo\n${FIB.replace("fib 20", "twice(fib 7)")}` });
    const answers = ["lib.goo", "other.goo", undefined];
    const answer = (dialog) => dialog.accept(answers.shift());
    page.on("dialog", answer);
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
    page.off("dialog", answer);
  },

  async "everything can be saved"() {
    const page = await reuse();
    await example(page, "goo/first");
    const names = await page.evaluate(async () => {
      const found = [];
      const { click } = HTMLAnchorElement.prototype;
      HTMLAnchorElement.prototype.click = function () { found.push(this.download); };
      for (let item = 0; item < 5; item++) {
        document.getElementById("save").click();
        document.querySelectorAll("#save-menu button")[item].click();
        while (found.length <= item) await new Promise((done) => setTimeout(done, 20));
      }
      HTMLAnchorElement.prototype.click = click;
      return found;
    });
    assert.deepEqual(names, ["first.goo", "first.wasm", "first.mjs", "first.wat", "first.ir"]);
  },

  async "the keyboard is enough"() {
    const page = await visit();
    await page.focus(".cm-content");
    await press(page, "Control+Enter");
    await until(page, "#run-status", /ended/);
    await page.focus("#tab-run");
    await page.keyboard.press("ArrowRight");
    await until(page, "#stages-status", /lines only left/);
    await page.focus("#gutter");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await page.$eval("#gutter", (bar) => bar.getAttribute("aria-valuenow")), "46");
    // Whatever can be clicked can be reached: nothing that is shown takes itself out of the order but tabs, of which
    // one is in it, and the editor can be left.
    const lost = await page.evaluate(() => [...document.querySelectorAll("button, select, input, textarea, a[href]")]
      .filter((one) => one.checkVisibility() && one.tabIndex < 0 && one.getAttribute("role") !== "tab" && !one.closest(".cm-editor"))
      .map((one) => one.outerHTML));
    assert.deepEqual(lost, []);
  },

  async "it fits 390 pixels"() {
    const page = await visit(address, { width: 390, height: 844, theme: "dark" });
    // Nothing has to be scrolled sideways, and whatever is needed is as wide as the page.
    const fits = async (what, ...needed) => {
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 390, `${what}: the page is ${wide} pixels wide`);
      for (const selector of needed) {
        const element = await page.$(selector);
        await element.scrollIntoView();
        const { x, width, height } = await element.boundingBox();
        assert.ok(x >= 0 && x + width <= 390 && height >= 24, `${what}: ${selector} is at ${x}, ${width} wide and ${height} high`);
      }
    };
    await fits("first", ".heap svg", "#debug-back-event", "#run", "#editor", "#examples", "#share", "#guide-text", ".tabs.views");
    const { height } = await (await page.$(".heap svg")).boundingBox();
    assert.ok(height >= 200, `the picture of the heap is ${height} pixels high`);
    await accessible(page, "debug at 390 pixels");
    await shoot(page, "narrow-first", { fullPage: true });
    assert.match(await run(page), /\[5, 4, 3, 2, 1\]/);
    await fits("output", "#output", "#run-status");
    await shoot(page, "narrow", { fullPage: true });
    const filled = {
      stages: () => until(page, "#stages-status", /lines only left/),
      compare: async () => {
        await page.click("#compare");
        await until(page, "#panel-compare .status", /printed the same/);
      },
      docs: () => page.waitForSelector("#panel-docs h1"),
    };
    for (const [view, fill] of Object.entries(filled)) {
      await page.click(`#tab-${view}`);
      await fill();
      await fits(view);
      await accessible(page, `${view} at 390 pixels`);
      await shoot(page, `narrow-${view}`, { fullPage: true });
    }
    await page.click("#examples");
    await fits("examples", "#examples-dialog", "#examples-filter", "#examples-close", "[data-example='goo/queens']");
    await shoot(page, "narrow-examples");
    await page.click("#examples-close");
    await page.click("#tour-start");
    for (let step = 0; step < 5; step++) {
      await fits("tour", "#tour", "#tour-next");
      if (step === 0) await shoot(page, "narrow-tour");
      await page.click("#tour-next");
    }
  },
};
