// The page at first sight: the program that it opens with, the tour, the list of examples, and what is kept.

import assert from "node:assert/strict";
import { accessible, address, FIB, load, press, reuse, shoot, text, until, visit } from "../visitor.mjs";

const isOpen = (page, selector) => page.$eval(selector, (element) => element.checkVisibility());
const selected = (page) => page.$eval(".views [aria-selected=true]", (tab) => tab.id.replace("tab-", ""));
const source = (page) => page.evaluate(() => Object.values(globalThis.playground.project().files).join("\n"));
const opened = (page, main) => page.waitForFunction((main) => globalThis.playground.project().main === main, {}, main);

/** Writes something at the end of the file that is shown. */
async function write(page, text) {
  await page.click("#editor .cm-content");
  await press(page, "Control+End");
  await page.keyboard.type(text);
}

/** Chooses from the list of examples. */
async function choose(page, selector) {
  await page.click("#examples");
  await page.click(`#examples-list ${selector}`);
}

export default {
  async "a first visit shows a program that has run, its heap, a step back, and a tour"() {
    const page = await visit(address, { isFirst: true });
    assert.equal(await selected(page), "debug");
    assert.match(await text(page, "#output"), /^\[5, 4, 3, 2, 1\]\s*$/);
    assert.match(await text(page, ".debug-output"), /^\[5, 4, 3, 2, 1\]\s*$/);
    // The result lives, though no variable leads to it: it was printed, and is given back with the next step.
    await until(page, "#debug-status", /5 cells/);
    assert.equal((await page.$$(".cell.node.nameless")).length, 5);
    assert.match(await text(page, "#guide-text"), /turned/);
    // From disk, that is without a network; some slack is for a machine that does other things.
    const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
    assert.ok(paint < 1000, `the first paint came after ${paint} ms`);
    await accessible(page, "the first visit");
    await shoot(page, "first-visit");
    await page.click("#debug-back-event");
    await until(page, "#debug-status", /reused|wrote/);
    assert.equal((await page.$$(".cell.node")).length, 5, "the cells are the same ones");
    await page.waitForSelector(".cell.reused");
    // The tour has come by itself.
    const views = [];
    for (let step = 1; step <= 5; step++) {
      await until(page, ".tour-count", new RegExp(`${step} of 5`));
      assert.equal((await page.$$(".tour-target")).length, 1, `step ${step} has a target`);
      views.push(await selected(page));
      const [card, target] = await page.evaluate(() => ["#tour", ".tour-target"].map((one) => document.querySelector(one).getBoundingClientRect().toJSON()));
      assert.ok(card.left >= 0 && card.top >= 0 && card.right <= 1280 && card.bottom <= 800, `step ${step} is on the screen`);
      const covers = card.left < target.right && target.left < card.right && card.top < target.bottom && target.top < card.bottom;
      assert.ok(!covers || target.width * target.height > 150_000, `step ${step} covers what it tells of`);
      if (step === 3) {
        await accessible(page, "the tour");
        await shoot(page, "tour");
      }
      await page.click("#tour-next");
    }
    assert.deepEqual(views, ["debug", "run", "debug", "stages", "run"]);
    assert.equal(await isOpen(page, "#tour"), false);
    assert.equal(await page.$(".tour-target"), null);
    await page.click("#tour-start");
    assert.equal(await page.evaluate(() => document.activeElement.id), "tour-title");
    await page.keyboard.press("Escape");
    assert.equal(await isOpen(page, "#tour"), false);
    assert.equal(await page.evaluate(() => document.activeElement.id), "tour-start");
    await page.click("#tour-start");
    await page.click("#tour-leave");
    assert.equal(await isOpen(page, "#tour"), false);
    // The next visit is as this one was left, without a tour.
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    assert.equal(await isOpen(page, "#tour"), false);
    assert.equal(await selected(page), "run");
    assert.match(await text(page, "#guide-text"), /turned/);
  },

  async "the examples are a list, with a line for each"() {
    const page = await reuse();
    await page.click("#examples");
    const rows = await page.$$eval("[data-example]", (all) => all.map((row) => [row.dataset.example, row.querySelector("b").textContent, row.querySelector("span").textContent]));
    assert.ok(rows.length > 30, `${rows.length} examples`);
    for (const [path, name, line] of rows) {
      assert.ok(path.endsWith(`/${name}`) && /^[A-Z].{20,}\.$/.test(line), `${path}: ${line}`);
    }
    assert.deepEqual(await page.$$eval("#examples-list h3", (all) => all.map((one) => one.textContent)), ["GOOPEA", "samlang", "Clean", "IR", "ML", "Scheme", "Actors"]);
    await accessible(page, "the list of examples");
    await shoot(page, "examples");
    await page.type("#examples-filter", "tree walk");
    assert.deepEqual(await page.$$eval("#examples-list li:not([hidden])", (all) => all.map((one) => one.textContent)), ["zipperA walk over a tree without a stack: the way back is data."]);
    await page.click("[data-example='goo/zipper']");
    await opened(page, "zipper.goo");
    assert.equal(await isOpen(page, "#examples-dialog"), false);
    await page.click("#examples");
    await page.keyboard.press("Escape");
    assert.equal(await isOpen(page, "#examples-dialog"), false);
  },

  async "what was written is not lost when something else is opened"() {
    const page = await reuse();
    await page.evaluate(() => localStorage.removeItem("cleave.kept"));
    await choose(page, "[data-example='goo/first']");
    await opened(page, "first.goo");
    await page.evaluate(() => document.getElementById("toast").classList.remove("shown"));
    const wrote = "// My own words.";
    await choose(page, "[data-example='goo/tree']");
    await opened(page, "tree.goo");
    assert.equal(await page.$("#toast.shown"), null, "nothing was written yet");
    await write(page, wrote);
    await choose(page, "[data-example='sam/Todo']");
    await opened(page, "Todo.sam");
    await page.waitForSelector("#toast.shown button");
    await page.click("#toast button");
    await opened(page, "tree.goo");
    assert.ok((await source(page)).endsWith(wrote));
    // What was restored is the visitor's own, and is kept again.
    await choose(page, "[data-example='goo/sort']");
    await opened(page, "sort.goo");
    await write(page, "// And here.");
    await page.click("#tab-docs");
    await page.waitForSelector("#panel-docs button.open");
    await page.click("#panel-docs button.open");
    await opened(page, "main.goo");
    await page.click("#examples");
    assert.deepEqual(await page.$$eval("#examples-list .restore b", (all) => all.map((one) => one.textContent)), ["sort.goo", "tree.goo"]);
    await shoot(page, "kept");
    await page.click("#examples-list li:nth-child(2) .restore");
    await opened(page, "tree.goo");
    assert.ok((await source(page)).endsWith(wrote));
    // A link does not take it away, either, not even in another visit.
    await page.waitForFunction((wrote) => localStorage.getItem("cleave.project").includes(wrote), {}, wrote);
    await page.goto(`${address}?example=goo/queue`);
    await page.waitForSelector("html[data-ready]");
    await page.click("#examples");
    assert.deepEqual(await page.$$eval("#examples-list .restore b", (all) => all.map((one) => one.textContent)), ["tree.goo", "sort.goo"]);
    await page.click("[aria-label='Forget sort.goo']");
    assert.equal((await page.$$("#examples-list .restore")).length, 1);
    await page.click("#examples-close");
  },

  async "each example says what to look at, and its buttons lead there"() {
    const page = await reuse();
    const stages = await page.evaluate(async () => {
      document.getElementById("tab-stages").click();
      return [...document.querySelectorAll(".stage select")][0].innerHTML;
    });
    const all = await page.evaluate(async () => {
      const index = await (await fetch("examples/index.json")).json();
      return Promise.all(index.map(async ({ path }) => [path, await (await fetch(`examples/${path}.json`)).json()]));
    });
    for (const [path, { walkthrough, files }] of all) {
      assert.ok(walkthrough.length > 80, `${path} has no text`);
      const buttons = [...walkthrough.matchAll(/data-do="([^"]+)"/g)].map(([, act]) => act);
      assert.ok(buttons.length > 0, `${path} has no button`);
      for (const act of buttons) {
        const [word, rest = ""] = act.split(":");
        const isKnown = {
          run: () => rest === "",
          memory: () => rest === "",
          line: () => Number(rest) <= Object.values(files)[0].split("\n").length,
          compare: () => /^[0-4]$/.test(rest),
          docs: () => /^\w+$/.test(rest),
          stages: () => rest.split(",").length === 2 && rest.split(",").every((stage) => stages.includes(`value="${stage}"`)),
          debug: () => rest.split(",").every((step) => /^(start|(back-)?(inst|into|over|line|out|alloc|release|write|change|collect|end)(\*\d+)?)$/.test(step)),
        }[word];
        assert.ok(isKnown?.(), `${path}: ${act}`);
      }
    }
    await choose(page, "[data-example='goo/list']");
    await opened(page, "list.goo");
    const press = (act) => page.click(`#guide [data-do="${act}"]`);
    await press("debug:start,write");
    await page.waitForSelector(".cell.reused, .cell.wrote");
    await press("debug:start,release");
    await until(page, "#debug-status", /released|freed/);
    await press("stages:build,rc-insertion");
    await until(page, ".stage:nth-child(2) .cm-content", /heap rc/);
    assert.equal(await selected(page), "stages");
    await press("memory");
    await page.waitForSelector(".cm-memory .reused");
    await page.click("#memory-remarks");
    await choose(page, "[data-example='goo/reverse']");
    await opened(page, "reverse.goo");
    await page.$eval("#guide [data-do='line:13']", (button) => button.click());
    await page.waitForFunction(() => document.querySelector("#editor .cm-activeLine").textContent.startsWith("fip (List"));
    await page.click("#guide-close");
    assert.equal(await isOpen(page, "#guide"), false);
    await load(page, { "main.goo": FIB });
    assert.equal(await isOpen(page, "#guide"), false, "other programs have no text");
  },

  async "the editor says what becomes of memory, and stages show who calls whom"() {
    const page = await reuse();
    await choose(page, "[data-example='goo/list']");
    await opened(page, "list.goo");
    const remarks = (part) => page.waitForFunction((part) => {
      const line = [...document.querySelectorAll("#editor .cm-line")].find((one) => one.textContent.includes(part));
      return [...(line?.querySelectorAll(".cm-memory > span") ?? [])].map((one) => `${one.className}: ${one.textContent}`).join("\n");
    }, {}, part).then((found) => found.jsonValue());
    await page.click("#memory-remarks");
    assert.equal(await remarks("Cons(x, odd rest)"), "reused: Cons takes the memory of list");
    await shoot(page, "memory");
    // Without fip that cell is new, and the old one goes.
    await page.evaluate(() => globalThis.playground.go("list.goo", 6));
    await press(page, "Home");
    for (let letter = 0; letter < 4; letter++) await page.keyboard.press("Delete");
    await page.waitForSelector(".cm-memory .new");
    assert.match(await remarks("Cons(x, odd rest)"), /new: Cons is new/);
    await page.evaluate(() => globalThis.playground.go("lib/list.goo", 9));
    assert.match(await remarks("range(from, to) ="), /new: Cons is new/);
    await choose(page, "[data-example='clean/fibs']");
    await until(page, "#toast", /cannot be counted/);
    await page.click("#memory-remarks");
    assert.equal(await page.$(".cm-memory"), null);
    await choose(page, "[data-example='goo/list']");
    await opened(page, "list.goo");
    await page.click("#tab-stages");
    await page.select("[aria-label='right stage']", "calls");
    await until(page, ".stage:nth-child(2) .cm-content", /whom they call/);
    // The picture has a box for each function of the text, and an arrow for each call.
    const calls = (await page.$$eval(".stage:nth-child(2) .cm-line", (all) => all.map((one) => one.textContent))).filter((line) => line !== "" && !line.startsWith(";"));
    const [functions, arrows] = await Promise.all([".call-graph g", ".call-graph .call"].map(async (one) => (await page.$$(one)).length));
    assert.deepEqual([functions, arrows], [calls.filter((line) => !line.startsWith(" ")).length, calls.filter((line) => line.startsWith(" ")).length]);
    assert.ok(functions >= 2 && arrows >= 1 && (await page.$(".call-graph .leaf")) !== null);
    await accessible(page, "the graph of calls");
    await shoot(page, "calls");
    await page.select("[aria-label='right stage']", "ir");
    await page.click("#tab-run");
  },

  async "variables and fields of the picture are hidden"() {
    const page = await reuse();
    await choose(page, "[data-example='goo/tree']");
    await opened(page, "tree.goo");
    await page.click("#guide [data-do='debug:start,change*8']");
    await until(page, "#debug-status", /time 95 /);
    const step = async (id) => {
      const before = await text(page, "#debug-status");
      await page.click(`#debug-${id}`);
      await page.waitForFunction((old) => document.getElementById("debug-status").textContent !== old, {}, before);
    };
    await page.$eval(".hiding", (details) => (details.open = true));
    const drawn = async () => (await page.$$(".cell.node")).length;
    const roots = () => page.$$eval(".cell.root text", (all) => all.map((one) => one.textContent.replace(/ \(.*/, "")));
    const click = (label) => page.evaluate((label) => {
      const [group, text] = label.split(": ");
      const place = text === undefined ? document.querySelector(".hiding") : [...document.querySelectorAll(".hiding fieldset")].find((one) => one.querySelector("legend").textContent === group);
      [...place.querySelectorAll("label")].find((one) => one.textContent === (text ?? group)).querySelector("input").click();
    }, label);
    const cells = await drawn();
    const [name] = await roots();
    assert.ok(cells >= 3 && name, `${cells} cells, ${name}`);
    // A variable goes, and what it alone leads to; other variables stay.
    await click(`Variables: ${name}`);
    assert.ok(!(await roots()).includes(name));
    const fewer = await drawn();
    await click(`Variables: ${name}`);
    assert.deepEqual([await drawn(), (await roots()).includes(name)], [cells, true]);
    for (const other of new Set(await roots())) await click(`Variables: ${other}`);
    await click("cells that no variable leads to");
    assert.ok(fewer <= cells && (await drawn()) < cells, "without variables nothing leads to cells");
    await click("cells that no variable leads to");
    for (const box of await page.$$(".hiding input:not(:checked)")) await box.evaluate((input) => input.click());
    assert.equal(await drawn(), cells);
    // A field goes with its row and its arrow.
    const size = () => page.$eval(".cell.node rect", (box) => Number(box.getAttribute("height")));
    const high = await size();
    await click("Fields of Node: 2");
    assert.ok((await size()) < high);
    const arrows = async () => (await page.$$(".arrows path")).length;
    const before = await arrows();
    await click("Fields of Node: 1");
    await click("Fields of Node: 3");
    assert.ok((await arrows()) < before);
    await accessible(page, "the debugger without fields");
    await click("counts of references");
    assert.equal(await page.$(".cell text.count"), null);
    await shoot(page, "hidden");
    // It stays as it is from step to step, and ends with the program.
    await step("back-event");
    assert.equal(await page.$(".cell text.count"), null);
    await choose(page, "[data-example='goo/list']");
    await opened(page, "list.goo");
    await page.waitForFunction(() => !/Node/.test(document.querySelector(".hiding").textContent));
    await click("counts of references");
    await page.click("#tab-run");
  },
};
