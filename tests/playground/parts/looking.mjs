// Stages, documents, and the package in a page of somebody else.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { accessible, address, browser, example, FIB, isFirefox, reuse, run, shoot, until } from "../visitor.mjs";

/** Clicks on a line of a stage, the first that has such a text. */
async function click(page, side, part) {
  const place = await page.waitForFunction((side, source) => {
    const lines = [...document.querySelectorAll(`.stage:nth-child(${side}) .cm-line`)];
    const line = lines.find((one) => new RegExp(source).test(one.textContent));
    const code = document.querySelector(`.stage:nth-child(${side}) .cm-scroller`).getBoundingClientRect();
    const { left, top, bottom, height } = line.getBoundingClientRect();
    if (top > code.top && bottom < code.bottom) return [left + 20, top + height / 2];
    line.scrollIntoView({ block: "center" });
    return null;
  }, {}, side, part.source);
  await page.mouse.click(...(await place.jsonValue()));
}

export default {
  async "two stages stand side by side, with their differences"() {
    const page = await reuse();
    await example(page, "goo/list");
    await page.click("#tab-stages");
    await page.waitForSelector(".stage .cm-changed");
    await until(page, "#stages-status", /lines only left/);
    const [left, right] = await page.$$(".stage select");
    await left.select("tree");
    await until(page, ".stage:nth-child(1) .cm-content", /type List = Nil \| Cons\(Int, List\)/);
    await right.select("wat");
    await until(page, ".stage:nth-child(2) .cm-content", /\(module/);
    // A line leads to the line of the source that it came from, and to what else became of it.
    await click(page, 1, /Cons\(x: Int, rest: List\) =>/);
    await page.waitForSelector("#editor .cm-linked");
    await page.waitForSelector(".stage:nth-child(2) .cm-linked");
    await shoot(page, "tree");
    await left.select("roots");
    await right.select("counting");
    await until(page, ".stage:nth-child(2) .cm-content", /heap counted/);
    await until(page, ".stage:nth-child(1) .cm-content", /does not run/);
    await page.select("#memory", "--memory=traced");
    await until(page, ".stage:nth-child(1) .cm-content", /phase=rooted/);
    await right.select("build");
    await until(page, ".stage:nth-child(2) .cm-content", /func @range/);
    await click(page, 2, /build/);
    await page.waitForSelector("#editor .cm-linked");
    await page.waitForSelector(".stage:nth-child(2) .cm-linked");
    await accessible(page, "the view of stages");
    await shoot(page, "stages");
    // Programs of Clean have no typed tree, which takes nothing away.
    await example(page, "clean/fibs");
    await left.select("tree");
    await until(page, ".stage:nth-child(1) .cm-content", /have a typed tree/);
    await until(page, ".stage:nth-child(2) .cm-content", /func @/);
    await page.click("#tab-run");
  },

  async "documents open, and their programs too"() {
    const page = await reuse();
    await page.click("#tab-docs");
    await page.waitForSelector("#panel-docs h1");
    await accessible(page, "a document");
    await shoot(page, "docs");
    await page.click("#panel-docs button.open");
    await page.waitForFunction(() => globalThis.playground.project().files["main.goo"]?.includes("fib"));
    assert.match(await run(page), /6765/);
    await page.click("#tab-docs");
    await page.select("[aria-label=Document]", "samlang");
    await page.waitForFunction(() => /samlang/.test(document.querySelector("#panel-docs h1")?.textContent));
    await page.click("#panel-docs button.open");
    await page.waitForFunction(() => globalThis.playground.project().main.endsWith(".sam"));
    await run(page, /ended ·/);
  },

  async "the package works in any page"() {
    if (isFirefox) return;
    const page = await (await browser.createBrowserContext()).newPage();
    await page.goto(`${address}icon.svg`);
    const folder = path.join(process.env.CLEAVE_PACKAGE ?? "", ".");
    await page.setRequestInterception(true);
    page.on("request", (request) => {
      const name = /\/package\/([\w.-]+)$/.exec(request.url())?.[1];
      if (!name) return request.continue();
      const contentType = name.endsWith(".js") ? "text/javascript" : "application/wasm";
      request.respond({ contentType, body: fs.readFileSync(path.join(folder, name)) });
    });
    const found = await page.evaluate(async (source) => {
      const { load } = await import("/package/index.js");
      const compiler = await load(fetch("/package/cleave.wasm"));
      const { ok, wasm } = compiler.compile({ "main.goo": source }, { main: "main.goo" });
      return [ok, WebAssembly.validate(wasm), compiler.hover({ "main.goo": source }, "main.goo", { line: 7, character: 8 })?.text];
    }, FIB);
    assert.deepEqual(found.slice(0, 2), [true, true]);
    assert.match(found[2], /fib/);
  },
};
