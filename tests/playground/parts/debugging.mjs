// The debugger.

import assert from "node:assert/strict";
import { accessible, ENDLESS, example, load, reuse, shoot, text, until } from "../visitor.mjs";

async function step(page, id) {
  const before = await text(page, "#debug-status");
  await page.waitForSelector(`#debug-${id}:not([disabled])`);
  await page.click(`#debug-${id}`);
  await page.waitForFunction((old) => document.getElementById("debug-status").textContent !== old, {}, before)
    .catch(() => assert.fail(`nothing happened after ${id}: ${before}`));
}

async function start(page) {
  await page.click("#tab-debug");
  await page.click("#debug-start");
  await until(page, "#debug-status", /time/);
}

/** Clicks beside a line, where breakpoints are. */
async function toggle(page, part) {
  const [x, y] = await page.evaluate((wanted) => {
    const line = [...document.querySelectorAll("#editor .cm-line")].find((one) => one.textContent.includes(wanted));
    line.scrollIntoView({ block: "center" });
    const { top, height } = line.getBoundingClientRect();
    return [document.querySelector(".cm-breakpoints").getBoundingClientRect().left + 5, top + height / 2];
  }, part);
  await page.mouse.click(x, y);
}

/** Zooms, drags, fits, lays out anew, and finds cells. */
async function looksAround(page) {
  const view = () => page.$eval(".boxes", (group) => group.getAttribute("transform"));
  const changes = async (action) => {
    const before = await view();
    await action();
    assert.notEqual(await view(), before);
  };
  const button = (title) => () => page.click(`.heap-tools [title="${title}"]`);
  await changes(button("Larger"));
  await changes(button("Smaller"));
  const { x, y, width, height } = await (await page.$(".heap svg")).boundingBox();
  await changes(async () => {
    await page.mouse.move(x + width / 2, y + height - 80);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 + 40, y + height - 60);
    await page.mouse.up();
  });
  await changes(() => page.mouse.wheel({ deltaY: -200 }));
  await changes(async () => {
    await page.$eval(".heap svg", (picture) => picture.focus());
    await page.keyboard.press("ArrowRight");
  });
  await changes(button("Show everything"));
  await button("Lay out anew")();
  await page.type("[aria-label='Find cells by name']", "leaf");
  await page.waitForSelector(".cell.node.dimmed");
  await page.$eval("[aria-label='Find cells by name']", (input) => {
    input.value = "";
    input.dispatchEvent(new Event("input"));
  });
  assert.equal(await page.$(".cell.node.dimmed"), null);
  await page.select("[aria-label='Cells that are drawn']", "30");
}

export default {
  async "the debugger goes forwards and backwards, and draws the heap"() {
    const page = await reuse();
    await example(page, "goo/tree");
    await page.select("#memory", "--memory=rc");
    await start(page);
    await page.waitForSelector(".cm-here");
    for (let change = 0; change < 12; change++) await step(page, "event");
    const drawn = () => page.$$eval(".cell", (all) => all.map((one) => one.textContent).sort());
    const earlier = [await text(page, "#debug-status"), await drawn()];
    for (let change = 0; change < 2; change++) await step(page, "event");
    const cells = (await page.$$(".cell.node")).length;
    assert.ok(cells >= 5, `${cells} cells are drawn`);
    assert.ok((await page.$$(".arrows path")).length >= cells - 1);
    assert.match(await text(page, ".cell.node text.count"), /^\d+$/);
    assert.ok((await page.$$(".calls li")).length >= 2);
    await accessible(page, "the debugger");
    await looksAround(page);
    await shoot(page, "debugger");
    await step(page, "back-event");
    await step(page, "back-event");
    assert.deepEqual([await text(page, "#debug-status"), await drawn()], earlier, "two steps back are where one was before");
    await page.focus(".cm-content");
    const before = await text(page, "#debug-status");
    await page.keyboard.press("F11");
    await page.waitForFunction((old) => document.getElementById("debug-status").textContent !== old, {}, before);
    for (const id of ["over", "into", "out", "back-into", "back-over", "back-out"]) await step(page, id);
    await page.click("#debug-back-end");
    await until(page, "#debug-status", /beginning/);
    for (const kind of ["alloc", "release", "line"]) {
      await page.select("[aria-label='What to wait for']", kind);
      await step(page, "event");
    }
    await page.select("[aria-label='What to wait for']", "change");
    await step(page, "end");
    await until(page, "#debug-status", /ended with status 0/);
    assert.match(await text(page, ".debug-output"), /\(\[1, 2, 3, 5, 8, 9\], 3\)/);
    await step(page, "back-end");
    await toggle(page, "True: Node(insert");
    await page.waitForSelector(".cm-breakpoints .breakpoint");
    await step(page, "end");
    await until(page, "#debug-status", /breakpoint/);
  },

  async "an endless program, a wrong one and a deep one are debugged"() {
    const page = await reuse();
    await load(page, { "main.goo": ENDLESS });
    await start(page);
    await step(page, "end");
    await until(page, "#debug-status", /still running/);
    await load(page, { "main.goo": "main" });
    await page.click("#debug-start");
    await until(page, "#debug-status", /not started/);
    const deep = "Int: Int\ndown n = match n {\n    0: 0,\n    more: 1 + down(more - 1)\n};\n\n(): Int\nmain = down 1000000;\n";
    await load(page, { "main.goo": deep });
    await start(page);
    await toggle(page, "0: 0");
    await page.waitForSelector(".cm-breakpoints .breakpoint");
    await step(page, "end");
    await until(page, "#debug-status", /breakpoint/);
    assert.equal((await page.$$(".calls li")).length, 41, "a deep stack is not drawn whole");
    assert.match(await text(page, ".calls li:last-child"), /and 999,9\d\d more/);
  },

  async "samlang is debugged"() {
    const page = await reuse();
    await example(page, "sam/derive");
    await start(page);
    for (let change = 0; change < 6; change++) await step(page, "event");
    assert.ok((await page.$$(".cell.node")).length >= 4);
    assert.match(await text(page, ".boxes"), /Add|Mul/);
    assert.match(await text(page, ".calls"), /Main\.sam:|derive\.sam:/);
    await shoot(page, "samlang");
  },

  async "a lazy program is debugged, and its collections are seen"() {
    const page = await reuse();
    await example(page, "clean/lazylists");
    await start(page);
    for (let change = 0; change < 6; change++) await step(page, "event");
    assert.ok((await page.$$(".cell.thunk")).length > 0, "there are thunks");
    await page.select("[aria-label='What to wait for']", "write");
    await step(page, "event");
    await page.waitForSelector(".cell.wrote");
    await page.select("[aria-label='What to wait for']", "change");
    await shoot(page, "lazy");
    // With roots: what the collector will find is on the shadow stack.
    await example(page, "goo/tree");
    await page.select("#memory", "--memory=gc");
    await page.select("#debug-phase", "--phase=rooted");
    await until(page, "#debug-status", /time 3 /);
    const hasSlot = () => page.$eval(".boxes", (boxes) => /slot \d/.test(boxes.textContent));
    for (let change = 0; change < 20 && !(await hasSlot()); change++) await step(page, "event");
    assert.ok(await hasSlot(), "there are slots");
    await shoot(page, "slots");
    // In low IR on the reference-counted heap one sees cells that are taken, too.
    await page.select("#memory", "--memory=rc");
    await page.select("#debug-phase", "--phase=low");
    await until(page, "#debug-status", /time \d+ · 0 cells/);
    await step(page, "event");
    await until(page, "#debug-status", /allocated · 1 cell/);
    await page.select("#debug-phase", "");
    const cells = "enum List = Nil, Cons(Int, List);\n\n(Int, List): List\nbuild(n, list) = match n { 0: list, more: build(more - 1, Cons(more, list)) };\n\n" +
      "(Int, List): Int\nagain(times, list) = match times {\n    0: match list { Nil: 0, Cons(x, _): x },\n    more: again(more - 1, build(3, Nil))\n};\n\n(): Int\nmain = again(200000, build(5, Nil));\n";
    await load(page, { "main.goo": cells }, { flags: "--memory=gc" });
    await start(page);
    await page.select("[aria-label='What to wait for']", "collect");
    await step(page, "event");
    await until(page, "#debug-status", /collected/);
    await page.waitForSelector(".from-space");
    await shoot(page, "collection");
    await page.select("[aria-label='What to wait for']", "change");
    await step(page, "event");
    assert.equal(await page.$(".from-space"), null, "it is shown at the collection alone");
    await page.click("#tab-run");
  },
};
